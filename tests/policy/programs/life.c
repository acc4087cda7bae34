/* What a C program may do in a contest: each step must succeed. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t rang;

static void on_alarm(int signal)
{
	rang = signal;
}

static void *thread(void *argument)
{
	char *memory = malloc(4 << 20);

	assert(memory);
	memset(memory, 1, 4 << 20);
	free(memory);
	return argument;
}

static void threads(void)
{
	pthread_t ids[16];

	for (int i = 0; i < 16; i++)
		assert(pthread_create(&ids[i], NULL, thread, NULL) == 0);
	for (int i = 0; i < 16; i++)
		assert(pthread_join(ids[i], NULL) == 0);
}

static void files(void)
{
	FILE *f = fopen("life.txt", "w+"), *unnamed = tmpfile();
	char text[8];

	assert(f && unnamed && fputs("hello", f) >= 0);
	rewind(f);
	assert(fgets(text, sizeof(text), f) && strcmp(text, "hello") == 0);
	assert(fclose(f) == 0 && fclose(unnamed) == 0);
	assert(rename("life.txt", "life2.txt") == 0 && remove("life2.txt") == 0);
}

static void memory(void)
{
	char *big = malloc(300 << 20), *map = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
						   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert(big && map != MAP_FAILED);
	big = realloc(big, 310 << 20);
	assert(big && mprotect(map, 4096, PROT_READ) == 0 && munmap(map, 1 << 20) == 0);
	big[5] = 1;
	free(big);
	assert(!malloc((size_t)1 << 50));
}

static void times_and_signals(void)
{
	const struct itimerval soon = { .it_value.tv_usec = 1000 };
	const struct timespec short_while = { .tv_nsec = 1000000 };
	struct rusage usage;

	signal(SIGALRM, on_alarm);
	assert(setitimer(ITIMER_REAL, &soon, NULL) == 0);
	while (!rang)
		poll(NULL, 0, 1);
	assert(nanosleep(&short_while, NULL) == 0 && getrusage(RUSAGE_SELF, &usage) == 0);
	assert(clock() != (clock_t)-1 && time(NULL) > 0);
}

static void children(void)
{
	int status, ends[2];
	char byte = 0;
	pid_t child;

	assert(pipe(ends) == 0);
	child = fork();
	if (child == 0)
		_exit(write(ends[1], "x", 1) == 1 ? 7 : 1);
	assert(child > 0 && waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
	assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
}

int main(void)
{
	int input = 0;

	threads();
	files();
	memory();
	times_and_signals();
	children();
	(void)getpwuid(getuid());	/* whatever it finds */
	(void)isatty(1);
	(void)flock(0, LOCK_EX | LOCK_NB);
	assert(scanf("%d", &input) == 1);
	return printf("good %d\n", input) < 0;
}
