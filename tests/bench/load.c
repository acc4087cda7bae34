/*
 * The programs of the benchmarks that need time: `load spin ROUNDS` computes and prints the CPU time
 * it took in microseconds by its own clock; `load forever` computes until it is killed; `load sleep`
 * does nothing until it is killed; `load write BYTES` writes zeros to stdout.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };

static uint64_t step(uint64_t x)
{
	x ^= x << 13;
	x ^= x >> 7;
	return x ^ x << 17;
}

static int spin(long rounds)
{
	volatile uint64_t sink;
	uint64_t x = 1;
	struct timespec t;

	for (long i = 0; i < rounds; i++)
		x = step(x);
	sink = x;
	(void)sink;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	printf("%ld\n", t.tv_sec * 1000000L + t.tv_nsec / 1000);
	return 0;
}

static void forever(void)
{
	for (volatile uint64_t x = 1;;)
		x = step(x);
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

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long amount = argc > 2 ? strtol(argv[2], NULL, 10) : 0;

	if (!strcmp(what, "spin"))
		return spin(amount);
	if (!strcmp(what, "write"))
		return write_zeros(amount);
	if (!strcmp(what, "forever"))
		forever();
	if (!strcmp(what, "sleep"))
		return pause();
	return 2;
}
