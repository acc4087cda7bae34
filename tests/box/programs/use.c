/*
 * A program that uses up one resource: `use WHAT AMOUNT…`. Runs inside the box, under a limit; says how
 * far it got, as `NAME VALUE` lines, and ends as an ordinary program would when it is refused.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIB (1 << 20)

static int64_t clock_us(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static void spin_us(int64_t us, clockid_t clock)
{
	for (int64_t end = clock_us(clock) + us; clock_us(clock) < end; )
		for (volatile int i = 0; i < 20000; i++)
			;
}

static int64_t rusage_us(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000LL + u.ru_utime.tv_usec + u.ru_stime.tv_usec;
}

/* CPU seconds of this process; says what getrusage made of it. */
static int use_cpu(char **argv)
{
	spin_us((int64_t)(atof(argv[0]) * 1e6), CLOCK_PROCESS_CPUTIME_ID);
	printf("rusage %lld\n", (long long)rusage_us(RUSAGE_SELF));
	return 0;
}

static void *spin_thread(void *seconds)
{
	spin_us((int64_t)(*(double *)seconds * 1e6), CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

/* SECONDS COUNT: threads, each that many CPU seconds. */
static int use_cpu_threads(char **argv)
{
	double seconds = atof(argv[0]);
	int count = atoi(argv[1]);
	pthread_t threads[16];

	for (int i = 0; i < count && i < 16; i++)
		if (pthread_create(&threads[i], NULL, spin_thread, &seconds))
			return 2;
	for (int i = 0; i < count && i < 16; i++)
		pthread_join(threads[i], NULL);
	printf("rusage %lld\n", (long long)rusage_us(RUSAGE_SELF));
	return 0;
}

/* SECONDS COUNT WAIT: children, each that many CPU seconds; not waited for when WAIT is 0. */
static int use_cpu_children(char **argv)
{
	int count = atoi(argv[1]), done[2];

	if (pipe(done) < 0)
		return 2;
	for (int i = 0; i < count; i++)
		if (fork() == 0) {
			spin_us((int64_t)(atof(argv[0]) * 1e6), CLOCK_PROCESS_CPUTIME_ID);
			int64_t used = rusage_us(RUSAGE_SELF);
			_exit(write(done[1], &used, sizeof(used)) != sizeof(used));
		}
	int64_t sum = 0, one;
	for (int i = 0; i < count && read(done[0], &one, sizeof(one)) == sizeof(one); i++)
		sum += one;
	if (atoi(argv[2]))
		while (wait(NULL) > 0)
			;
	printf("rusage %lld\n", (long long)(sum + rusage_us(RUSAGE_SELF)));
	return 0;
}

static int use_wall(char **argv)
{
	usleep((useconds_t)(atof(argv[0]) * 1e6));
	puts("slept");
	return 0;
}

/* MIB: touched in steps of one MiB; dies by abort when refused, as most programs do. */
static int use_memory(char **argv)
{
	for (int i = 0, n = atoi(argv[0]); i < n; i++) {
		char *p = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED) {
			printf("refused-at %d\n", i);
			fflush(stdout);
			abort();
		}
		memset(p, 1, MIB);
	}
	printf("touched %s\n", argv[0]);
	return 0;
}

/* MIB CHILDREN: the memory spread over children, each below the limit. */
static int use_memory_children(char **argv)
{
	int mib = atoi(argv[0]), children = atoi(argv[1]), status, bad = 0;

	for (int i = 0; i < children; i++)
		if (fork() == 0) {
			char *p = malloc((size_t)mib / children * MIB);
			if (!p)
				abort();
			memset(p, 1, (size_t)mib / children * MIB);
			__asm__ volatile("" : : "r"(p) : "memory");
			sleep(1);
			_exit(0);
		}
	while (wait(&status) > 0)
		bad += status != 0;
	printf("children-died %d\n", bad);
	if (bad)
		abort();
	return 0;
}

/* MIB: reserved, 8 MiB of it touched. */
static int use_reserve(char **argv)
{
	size_t size = (size_t)atoll(argv[0]) * MIB;
	char *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED || mprotect(p, 8 * MIB, PROT_READ | PROT_WRITE) < 0)
		return perror("reserve"), 1;
	memset(p, 1, 8 * MIB);
	puts("reserved");
	return 0;
}

static int descend(int kib)
{
	volatile char frame[1024];

	frame[0] = (char)kib;
	if (kib <= 1)
		return frame[0];
	return descend(kib - 1) + frame[0];
}

/* KIB of stack, by recursion. */
static int use_stack(char **argv)
{
	volatile int sum = descend(atoi(argv[0]));

	(void)sum;
	puts("returned");
	return 0;
}

/* COUNT children alive at once. */
static int use_processes(char **argv)
{
	int n = 0, want = atoi(argv[0]), error = 0;

	for (pid_t pid; n < want; n++) {
		if ((pid = fork()) < 0) {
			error = errno;
			break;
		}
		if (pid == 0)
			pause(), _exit(0);
	}
	printf("children %d\nerrno %d\n", n, error);
	return 0;
}

static void *wait_forever(void *unused)
{
	pause();
	return unused;
}

static int use_threads(char **argv)
{
	int n = 0, want = atoi(argv[0]), error = 0;
	pthread_attr_t attr;
	pthread_t id;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 << 10);
	for (; n < want; n++)
		if ((error = pthread_create(&id, &attr, wait_forever, NULL)))
			break;
	printf("threads %d\nerrno %d\n", n, error);
	return 0;
}

static int use_open_files(char **argv)
{
	int n = 0, want = atoi(argv[0]), fd = -1, last = -1;

	for (; n < want && (fd = open("/dev/null", O_RDONLY)) >= 0; n++)
		last = fd;
	printf("opened %d\nlast %d\nerrno %d\n", n, last, n < want ? errno : 0);
	return 0;
}

/* BYTES FILE…: that much into each; says how much all hold. */
static int use_disk(char **argv)
{
	static char block[64 << 10];
	long long each = atoll(argv[0]), all = 0;
	int error = 0;

	memset(block, 'x', sizeof(block));
	for (argv++; *argv; argv++) {
		int fd = open(*argv, O_CREAT | O_WRONLY, 0600);
		long long left = each;
		while (fd >= 0 && left > 0) {
			size_t part = left < (long long)sizeof(block) ? (size_t)left : sizeof(block);
			ssize_t n = write(fd, block, part);
			if (n < 0) {
				error = errno;
				break;
			}
			left -= n;
			all += n;
		}
		if (fd < 0)
			error = errno;
		else
			close(fd);
	}
	printf("written %lld\nerrno %d\n", all, error);
	return 0;
}

/* COUNT FOLDER: empty files. */
static int use_inodes(char **argv)
{
	int n = 0, want = atoi(argv[0]);
	char name[4096];

	for (; n < want; n++) {
		snprintf(name, sizeof(name), "%s/%d", argv[1], n);
		int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
		if (fd < 0)
			break;
		close(fd);
	}
	printf("files %d\nerrno %d\n", n, n < want ? errno : 0);
	return 0;
}

static const struct { const char *name; int needs; int (*use)(char **argv); } uses[] = {
	{ "cpu", 1, use_cpu }, { "cpu-threads", 2, use_cpu_threads }, { "cpu-children", 3, use_cpu_children },
	{ "wall", 1, use_wall }, { "memory", 1, use_memory }, { "memory-children", 2, use_memory_children },
	{ "reserve", 1, use_reserve }, { "stack", 1, use_stack }, { "processes", 1, use_processes },
	{ "threads", 1, use_threads }, { "open-files", 1, use_open_files }, { "disk", 2, use_disk },
	{ "inodes", 2, use_inodes },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < ARRAY_SIZE(uses); i++)
		if (!strcmp(argv[1], uses[i].name) && argc - 2 >= uses[i].needs)
			return uses[i].use(argv + 2);
	fprintf(stderr, "use: no such resource\n");
	return 64;
}
