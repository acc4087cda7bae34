/* Between lang/language_read.c and lang/language_statements.c. */
#ifndef LANG_LANGUAGE_READ_H
#define LANG_LANGUAGE_READ_H

#include "lang/language.h"

struct reading {
	struct languages *all;
	const char *file;
	struct err *e;
	unsigned line;
	struct language language;
	size_t capacities[LANG_KEY_COUNT];
};

struct statement {
	const char *name, *form;
	int key;		/* enum lang_key; -1: one text of the language, at `text` */
	size_t text;		/* offset in struct language */
	const char *const *first;	/* what the first word can be; NULL: it is one of the rest */
	size_t least, most;	/* of the other words */
	bool leveled;		/* [LEVEL] may stand before it */
	int (*check)(struct reading *r, const struct lang_line *line);
};

/* The row of that name, or NULL. */
const struct statement *statement_find(const char *name);

/* Says "FILE:LINE: …" with the line that is being read. Returns -1. */
int reading_fail(const struct reading *r, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

#endif
