/* One act of a contestant's program, by its name. */
#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static long deep(long n)
{
	volatile long here = n;

	return n ? deep(n - 1) + (here > 0) : 0;
}

static void *add(void *into)
{
	for (int i = 1; i <= 1000; i++)
		*(long *)into += i;
	return NULL;
}

static void threads(void)
{
	pthread_t thread[4];
	long part[4] = { 0 }, sum = 0;

	for (int i = 0; i < 4; i++)
		if (pthread_create(&thread[i], NULL, add, &part[i]))
			abort();
	for (int i = 0; i < 4; i++) {
		pthread_join(thread[i], NULL);
		sum += part[i];
	}
	printf("%ld\n", sum);
}

static void memory(void)
{
	for (;;) {
		char *p = malloc(1 << 20);

		if (!p)
			abort();
		memset(p, 1, 1 << 20);
	}
}

static void write_tmp(void)
{
	FILE *f = fopen("/tmp/act.txt", "w");
	char line[32] = "";

	if (!f || fputs("kept", f) < 0 || fclose(f) || !(f = fopen("/tmp/act.txt", "r")) || !fgets(line, 32, f))
		abort();
	puts(line);
}

static void reach(int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	puts(fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof(a)) == 0 ? "connected" : "refused");
}

static void child(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(7);
	if (pid < 0)
		puts("refused");
	else if (waitpid(pid, &status, 0) == pid)
		printf("child %d\n", WEXITSTATUS(status));
}

static void echo(void)
{
	char line[256];

	while (fgets(line, sizeof(line), stdin))
		printf("\303\244\342\202\254\360\237\230\200 %s", line);
}

int main(int argc, char **argv)
{
	const char *act = argc > 1 ? argv[1] : "hello";

	if (!strcmp(act, "hello"))
		puts("hello, world");
	else if (!strcmp(act, "deep"))
		printf("%ld\n", deep(100000));
	else if (!strcmp(act, "endless"))
		printf("%ld\n", deep(-1));
	else if (!strcmp(act, "memory"))
		memory();
	else if (!strcmp(act, "loop"))
		for (volatile int i = 0;; i++)
			;
	else if (!strcmp(act, "error"))
		abort();
	else if (!strcmp(act, "exit3"))
		return 3;
	else if (!strcmp(act, "threads"))
		threads();
	else if (!strcmp(act, "missing"))
		puts(fopen("missing.txt", "r") ? "there" : "missing");
	else if (!strcmp(act, "tmp"))
		write_tmp();
	else if (!strcmp(act, "socket"))
		reach(atoi(argv[2]));
	else if (!strcmp(act, "fork"))
		child();
	else if (!strcmp(act, "unicode"))
		echo();
	return 0;
}
