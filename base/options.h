/*
 * Command lines, driven by a table: the same rows serve parsing, --help, the man page and
 * the completion, so an option is declared once.
 */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct option_row {
	const char *group;	/* heading in --help; NULL: same as the row before */
	const char *name;	/* without the dashes */
	char letter;		/* one-letter form, or 0 */
	const char *argument;	/* placeholder of the argument; NULL: takes none */
	const char *help;	/* one line */
	/* Called for each appearance, in order. `into` is what options_parse was given; `value` is NULL
	   for a row without argument. Returns 0, or -1 with `e` filled (the option's name is put in front). */
	int (*set)(void *into, const struct option_row *row, const char *value, struct err *e);
	long key;		/* the row's own, for handlers that serve several rows */
};

/* Reads argv[1…]: --name VALUE, --name=VALUE, -x VALUE, -xVALUE, -xy for two that take none. Stops at the first word that is no
   option, or after "--". Exact names only; an unknown one names the nearest row as a suggestion.
   0 and *ret_rest = index of the first word left, or -1 with a usage error. */
int options_parse(const struct option_row *rows, size_t count, int argc, char **argv, void *into,
		  int *ret_rest, struct err *e);

#endif
