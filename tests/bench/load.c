/*
 * The programs of the benchmarks that need time: `load spin ROUNDS` computes and prints the CPU time
 * it took in microseconds by its own clock; `load tell` computes until it is killed, and prints every
 * tenth of a millisecond the CPU time and the wall time so far, so that its last line is the truth
 * about its end; `load write BYTES` writes zeros to stdout; `load touch BYTES` has so much memory in use;
 * `load bomb`, in a box only, forks for ever in every process and says "full" when no more are let in.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 1 << 16, TELL_US = 100 };

static uint64_t step(uint64_t x)
{
	x ^= x << 13;
	x ^= x >> 7;
	return x ^ x << 17;
}

static long clock_us(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

static int spin(long rounds)
{
	volatile uint64_t sink;
	uint64_t x = 1;

	for (long i = 0; i < rounds; i++)
		x = step(x);
	sink = x;
	(void)sink;
	printf("%ld\n", clock_us(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}

static int tell(void)
{
	const long begin = clock_us(CLOCK_MONOTONIC);
	long cpu, next = 0;

	for (;;) {
		cpu = clock_us(CLOCK_PROCESS_CPUTIME_ID);
		if (cpu < next)
			continue;
		if (dprintf(1, "%ld %ld\n", cpu, clock_us(CLOCK_MONOTONIC) - begin) < 0)
			return 1;
		next = cpu + TELL_US;
	}
}

static int write_zeros(long bytes)
{
	static char block[BLOCK];
	ssize_t n;

	for (; bytes > 0; bytes -= n) {
		n = write(1, block, bytes < BLOCK ? (size_t)bytes : BLOCK);
		if (n < 0)
			return 1;
	}
	return 0;
}

static int touch(long bytes)
{
	char *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return 1;
	memset(memory, 1, (size_t)bytes);
	return 0;
}

/* Where pid 1 is no box's init this would be the end of the machine. */
static int bomb(void)
{
	const pid_t first = getpid();
	int told = 0;

	if (getppid() != 1 || access("/box", F_OK) < 0)
		return 2;
	for (;;)
		if (fork() < 0 && errno == EAGAIN && getpid() == first && !told++)
			dprintf(1, "full\n");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long amount = argc > 2 ? strtol(argv[2], NULL, 10) : 0;

	if (!strcmp(what, "spin"))
		return spin(amount);
	if (!strcmp(what, "write"))
		return write_zeros(amount);
	if (!strcmp(what, "touch"))
		return touch(amount);
	if (!strcmp(what, "tell"))
		return tell();
	if (!strcmp(what, "bomb"))
		return bomb();
	return 2;
}
