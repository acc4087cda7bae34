/* Programs that try to hold more memory than the limit, of every kind. Each stops at 600 MiB by itself. */
#include "hostile.h"

#include <pthread.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <sys/socket.h>

#define MOST 600

/* Writes to every page; the compiler may not leave it out. */
static void fill(char *p, size_t size)
{
	memset(p, 1, size);
	__asm__ volatile("" : : "r"(p) : "memory");
}

/* Ends the program as one does that is out of memory. */
static void give_up(int mib)
{
	printf("stopped-at %d\n", mib);
	fflush(stdout);
	abort();
}

static void touch(char **argv)
{
	(void)argv;
	for (int mib = 0; mib < MOST; mib += 8) {
		char *p = malloc(8 * MIB);
		if (!p)
			give_up(mib);
		fill(p, 8 * MIB);
	}
	breach("%d MiB touched", MOST);
}

static void children(char **argv)
{
	int status, ended_well = 0;

	(void)argv;
	for (int i = 0; i < 6; i++)
		if (fork() == 0) {
			char *p = malloc(MOST / 6 * MIB);
			if (!p)
				_exit(1);
			fill(p, MOST / 6 * MIB);
			sleep(2);
			_exit(0);
		}
	while (wait(&status) > 0)
		ended_well += status == 0;
	if (ended_well == 6)
		breach("six children held %d MiB together", MOST);
}

/* Writes until refused; returns MiB. */
static int pour(int fd)
{
	static char block[MIB];
	int mib = 0;

	memset(block, 1, sizeof(block));
	while (fd >= 0 && mib < MOST && write(fd, block, sizeof(block)) == MIB)
		mib++;
	return mib;
}

static void memfd(char **argv)
{
	int mib = 0;

	(void)argv;
	for (int i = 0; i < 6 && mib < MOST; i++)
		mib += pour(memfd_create("x", 0));
	if (mib > 280)
		breach("%d MiB in memfds", mib);
}

static void tmpfs(char **argv)
{
	static const char *const folders[] = { "/box", "/tmp", "/dev/shm", "/var/tmp", "/run", "/workspace", "/dev" };
	int mib = 0;

	(void)argv;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		char path[64];
		snprintf(path, sizeof(path), "%s/fill", folders[i]);
		mib += pour(open(path, O_CREAT | O_WRONLY, 0600));
	}
	if (mib > 64)
		breach("%d MiB on disk", mib);
}

static void shared_mapping(char **argv)
{
	(void)argv;
	char *p = mmap(NULL, (size_t)MOST * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		give_up(0);
	fill(p, (size_t)MOST * MIB);
	breach("%d MiB in a shared mapping", MOST);
}

static void sysv_shm(char **argv)
{
	int mib = 0;

	(void)argv;
	for (; mib < MOST; mib += 20) {
		int id = shmget(IPC_PRIVATE, 20 * MIB, IPC_CREAT | 0600);
		char *p = id < 0 ? (char *)-1 : shmat(id, NULL, 0);
		if (p == (char *)-1)
			break;
		fill(p, 20 * MIB);
	}
	if (mib > 280)
		breach("%d MiB in System V segments", mib);
}

static void sysv_queues(char **argv)
{
	static struct { long type; char text[8192]; } m = { .type = 1 };
	long bytes = 0;

	(void)argv;
	for (int i = 0; i < 30000 && bytes < 300L * MIB; i++) {
		int id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
		if (id < 0)
			break;
		while (bytes < 300L * MIB && msgsnd(id, &m, sizeof(m.text), IPC_NOWAIT) == 0)
			bytes += sizeof(m.text);
	}
	if (bytes >= 290L * MIB)
		breach("%ld MiB in message queues", bytes / MIB);
}

static void pipes(char **argv)
{
	static char block[MIB];
	long bytes = 0;
	int ends[2];

	(void)argv;
	for (int i = 0; i < 600 && pipe(ends) == 0; i++) {
		fcntl(ends[1], F_SETPIPE_SZ, MIB);
		fcntl(ends[1], F_SETFL, O_NONBLOCK);
		for (ssize_t n; (n = write(ends[1], block, sizeof(block))) > 0; )
			bytes += n;
	}
	if (bytes > 300L * MIB)
		breach("%ld MiB in pipes", bytes / MIB);
}

/* Descriptors in flight are counted by nobody's RLIMIT_NOFILE. */
static void sockets(char **argv)
{
	static char block[64 << 10];
	long bytes = 0;
	int ends[2], size = 8 * MIB;

	(void)argv;
	for (int i = 0; i < 300 && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0; i++) {
		setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
		fcntl(ends[0], F_SETFL, O_NONBLOCK);
		for (ssize_t n; (n = write(ends[0], block, sizeof(block))) > 0; )
			bytes += n;
	}
	if (bytes > 300L * MIB)
		breach("%ld MiB in socket buffers", bytes / MIB);
}

/* One page in each 2 MiB: the page tables are as large as the pages. */
static void page_tables(char **argv)
{
	size_t step = 2 * MIB, size = (size_t)100000 * step;

	(void)argv;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		give_up(0);
	madvise(p, size, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < size; at += step)
		p[at] = 1;
	breach("100000 pages and as many tables");
}

static void huge_pages(char **argv)
{
	(void)argv;
	char *p = mmap(NULL, 4 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	if (p != MAP_FAILED)
		breach("pages of the host's pool");
	int id = shmget(IPC_PRIVATE, 4 * MIB, IPC_CREAT | SHM_HUGETLB | 0600);
	if (id >= 0)
		breach("a segment of the host's pool");
}

static void lock(char **argv)
{
	(void)argv;
	char *p = mmap(NULL, 128 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p != MAP_FAILED && mlock(p, 128 * MIB) == 0)
		breach("128 MiB locked");
	must_fail("a memfd of huge pages", syscall(SYS_memfd_create, "x", 4 /* MFD_HUGETLB */));
}

static void oom_score(char **argv)
{
	static const char *const files[] = { "/proc/self/oom_score_adj", "/proc/1/oom_score_adj", "/proc/self/oom_adj" };

	(void)argv;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		int fd = open(files[i], O_WRONLY);
		if (fd >= 0 && write(fd, i == 2 ? "-17" : "-1000", i == 2 ? 3 : 5) > 0)
			breach("%s lowered", files[i]);
		if (fd >= 0)
			close(fd);
	}
}

static void descriptors(char **argv)
{
	int n = 0;

	(void)argv;
	while (n < 20000 && dup(0) >= 0)
		n++;
	if (n > 1024)
		breach("%d descriptors", n);
}

static int deeper(int n)
{
	volatile char frame[4096];

	frame[0] = (char)n;
	return n > 0 ? deeper(n - 1) + frame[0] : 0;
}

static void recursion(char **argv)
{
	(void)argv;
	deeper(MOST * 256);
	breach("%d MiB of stack", MOST);
}

static void *hold_stack(void *unused)
{
	char frame[7 * MIB];

	fill(frame, sizeof(frame));
	sleep(2);
	return unused;
}

static void thread_stacks(char **argv)
{
	pthread_t id[60];
	int n = 0;

	(void)argv;
	while (n < 60 && pthread_create(&id[n], NULL, hold_stack, NULL) == 0)
		n++;
	for (int i = 0; i < n; i++)
		pthread_join(id[i], NULL);
	if (n >= 45)
		breach("%d stacks of 7 MiB each", n);
}

/* Control: much address space and little memory is what run-times do, and is right. */
static void reserve(char **argv)
{
	(void)argv;
	char *p = mmap(NULL, 32UL << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED || mprotect(p, 8 * MIB, PROT_READ | PROT_WRITE) < 0)
		puts("refused");
	else
		fill(p, 8 * MIB);
}

static const struct technique table[] = {
	{ "touch", touch }, { "children", children }, { "memfd", memfd }, { "tmpfs", tmpfs },
	{ "shared-mapping", shared_mapping }, { "sysv-shm", sysv_shm }, { "sysv-queues", sysv_queues },
	{ "pipes", pipes }, { "sockets", sockets }, { "page-tables", page_tables }, { "huge-pages", huge_pages },
	{ "lock", lock }, { "oom-score", oom_score }, { "descriptors", descriptors }, { "recursion", recursion },
	{ "thread-stacks", thread_stacks }, { "reserve", reserve },
};

TECHNIQUES(table)
