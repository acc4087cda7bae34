/*
 * What a program calls, for `judge policy learn`. Runs in the judge: the filter of the box makes every call that
 * its policy allows wait (seccomp_unotify(2)), it is written down here and goes on. That is sound, since
 * nothing is decided: what the policy refuses, the kernel refuses before anybody is asked. So refused calls
 * are not to be seen here.
 */
#ifndef SANDBOX_LEARN_H
#define SANDBOX_LEARN_H

#include "base/arena.h"
#include "base/err.h"
#include "sandbox/plan.h"

#include <stdbool.h>
#include <stdint.h>

/* What of a call's argument is to be known. */
enum learn_kind {
	LEARN_VALUES,	/* each value of its low 32 bits */
	LEARN_BITS,	/* the bits that were set, of all 64 */
	LEARN_WHETHER,	/* 1 if a bit of the mask was set, else 0 */
};

struct learn_detail {
	int number;
	int argument;
	enum learn_kind kind;
	uint64_t mask;
	const char *prefixes;	/* of its constants, separated by blanks; NULL: it has no names */
};

struct learn_row {
	int number;
	uint64_t value;		/* of the detail, LEARN_BITS: of all that were seen; 0 for a call without one */
	bool any;		/* not only this value: every one */
	uint64_t count;
};

#define LEARN_VALUES_MOST 64	/* of one call: with more, no value in particular is meant */
#define LEARN_ROWS 4096		/* at most: what comes after is not written down */

struct learn {
	struct arena arena;
	struct learn_row *rows;	/* in the order of their first appearance */
	size_t count, capacity;
	bool over;		/* there were more than LEARN_ROWS */
	const char *output;	/* file to be written afterwards, which must not lie in reach of the program */
	bool ran;		/* the program ran, to whatever end */
	const char *policy;	/* the one that holds while learning: its name or file; set by learn_plan */
};

/* The detail of that call, or NULL. */
const struct learn_detail *learn_detail(int number);

/* Adds what was seen `count` times. */
void learn_note(struct learn *l, const struct learn_row *seen);

/* Makes p->notifying of p->filter, for a plan that learns. `name` is the policy's. 0 or -1. */
int learn_plan(struct plan *p, const char *name, struct err *e);

/* Writes down and answers what waits at the listener, several at a time. Never blocks. 0, or -1: this kernel
   cannot let a call go on. */
int learn_serve(struct learn *l, int listener, struct err *e);

void learn_free(struct learn *l);

#endif
