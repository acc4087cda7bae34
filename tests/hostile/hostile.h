/*
 * What the hostile programs share. A program is a table of techniques; one is chosen by name. It says
 * `BREACH: what it got` for each thing it should not get and ends with status 42, or says `HELD` and
 * ends with 0. It does nothing outside a box: the suite sets HOSTILE_IN_BOX there. Every loop ends.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIB (1 << 20)

struct technique {
	const char *name;
	void (*go)(char **argv);
};

static int breaches;

__attribute__((format(printf, 1, 2))) static inline void breach(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("BREACH: ", stdout);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	breaches++;
}

/* A call that must fail: says so when it did not. */
static inline long must_fail(const char *what, long result)
{
	if (result >= 0)
		breach("%s succeeded (%ld)", what, result);
	return result;
}

static inline double seconds_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Spins until this process (or thread) has used so much more CPU time. */
static inline void burn(double seconds, clockid_t clock)
{
	for (double end = seconds_of(clock) + seconds; seconds_of(clock) < end; )
		for (volatile int i = 0; i < 10000; i++)
			;
}

static inline int choose(const struct technique *table, size_t count, int argc, char **argv)
{
	if (!getenv("HOSTILE_IN_BOX")) {
		fputs("this program is for a box only\n", stderr);
		return 77;
	}
	for (size_t i = 0; argc > 1 && i < count; i++)
		if (!strcmp(table[i].name, argv[1])) {
			table[i].go(argv + 2);
			if (!breaches)
				puts("HELD");
			fflush(stdout);
			return breaches ? 42 : 0;
		}
	fputs("no such technique\n", stderr);
	return 64;
}

#define TECHNIQUES(table) \
	int main(int argc, char **argv) { return choose(table, ARRAY_SIZE(table), argc, argv); }

#endif
