/*
 * Command lines, driven by a table. Runs in the judge, outside the box, before anything else.
 */
#include "base/options.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NAME_MOST 40		/* longest name for which a suggestion is looked for */
#define NO_DISTANCE SIZE_MAX

struct reader {
	const struct option_row *rows;
	size_t count;
	int argc;
	char **argv;
	int at;			/* the word being read */
	void *into;
	struct err *e;
};

static size_t least_of(size_t a, size_t b, size_t c)
{
	const size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Letters to insert, remove, change or swap with their neighbour to get from a to b (both at most
   NAME_MOST): the optimal string alignment distance. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t row[3][NAME_MOST + 1];	/* this one, the one before, the one before that */

	for (size_t j = 0; j <= b_length; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			now[j] = least_of(before[j] + 1, now[j - 1] + 1,
					  before[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    earlier[j - 2] + 1 < now[j])
				now[j] = earlier[j - 2] + 1;
		}
	}
	return row[a_length % 3][b_length];
}

/* How far a name is from what was typed; an abbreviation is near however much it leaves out. */
static size_t name_distance(const char *typed, size_t length, const char *name)
{
	const size_t name_length = strlen(name);

	if (length > NAME_MOST || name_length > NAME_MOST)
		return NO_DISTANCE;
	if (length >= 2 && name_length > length && strncmp(typed, name, length) == 0)
		return 1;
	return edit_distance(typed, length, name, name_length);
}

/* The row whose name is nearest, or NULL when none is near enough to be meant. */
static const struct option_row *nearest_row(const struct reader *r, const char *typed, size_t length)
{
	const struct option_row *nearest = NULL;
	size_t least = length / 3 + 2;

	for (size_t i = 0; i < r->count; i++) {
		const size_t distance = name_distance(typed, length, r->rows[i].name);

		if (distance < least) {
			least = distance;
			nearest = &r->rows[i];
		}
	}
	return nearest;
}

static int unknown_name(const struct reader *r, const char *typed, size_t length)
{
	const struct option_row *nearest = nearest_row(r, typed, length);
	const int shown = length > NAME_MOST ? NAME_MOST : (int)length;
	const char *dots = length > NAME_MOST ? "..." : "";

	if (nearest)
		return fail_usage(r->e, "--%.*s: unknown option, did you mean --%s?", shown, typed,
				  nearest->name);
	return fail_usage(r->e, "--%.*s%s: unknown option (see --help)", shown, typed, dots);
}

static const struct option_row *row_by_name(const struct reader *r, const char *name, size_t length)
{
	for (size_t i = 0; i < r->count; i++)
		if (strlen(r->rows[i].name) == length && memcmp(r->rows[i].name, name, length) == 0)
			return &r->rows[i];
	return NULL;
}

static const struct option_row *row_by_letter(const struct reader *r, char letter)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->rows[i].letter == letter)
			return &r->rows[i];
	return NULL;
}

/* Puts the option in front of what its handler said, unless the handler did so itself. */
static int blame(struct err *e, const char *option)
{
	const size_t length = strlen(option);
	struct err said;

	if (!e || (strncmp(e->text, option, length) == 0 && e->text[length] == ':'))
		return -1;
	said = *e;
	fail_usage(e, "%s: %s", option, said.text);
	e->kind = said.kind;
	e->number = said.number;
	memcpy(e->cure, said.cure, sizeof(e->cure));
	return -1;
}

/* Gives the row its value: `attached` when that is not NULL, else the next word. */
static int apply(struct reader *r, const struct option_row *row, const char *option, const char *attached)
{
	const char *value = attached;

	if (!row->argument && attached)
		return fail_usage(r->e, "%s: takes no value", option);
	if (row->argument && !attached) {
		if (r->at + 1 >= r->argc)
			return fail_usage(r->e, "%s: %s is missing", option, row->argument);
		value = r->argv[++r->at];
	}
	return row->set(r->into, row, value, r->e) < 0 ? blame(r->e, option) : 0;
}

/* --name, --name VALUE, --name=VALUE; `word` is behind the dashes. */
static int read_name(struct reader *r, const char *word)
{
	const char *equals = strchrnul(word, '=');
	const size_t length = (size_t)(equals - word);
	const struct option_row *row = row_by_name(r, word, length);
	char option[2 + NAME_MOST + 1];

	if (!row)
		return unknown_name(r, word, length);
	snprintf(option, sizeof(option), "--%s", row->name);
	return apply(r, row, option, *equals ? equals + 1 : NULL);
}

/* -x, -x VALUE, -xVALUE, and -xy for letters that take no value; `letters` is behind the dash. */
static int read_letters(struct reader *r, const char *letters)
{
	for (; *letters; letters++) {
		const struct option_row *row = row_by_letter(r, *letters);
		const char option[] = { '-', *letters, '\0' };

		if (!row)
			return fail_usage(r->e, "%s: unknown option (see --help)", option);
		if (row->argument)
			return apply(r, row, option, letters[1] ? letters + 1 : NULL);
		if (apply(r, row, option, NULL) < 0)
			return -1;
	}
	return 0;
}

int options_parse(const struct option_row *rows, size_t count, int argc, char **argv, void *into,
		  int *ret_rest, struct err *e)
{
	struct reader r = { .rows = rows, .count = count, .argc = argc, .argv = argv, .at = 1,
			    .into = into, .e = e };

	for (; r.at < argc; r.at++) {
		const char *word = argv[r.at];

		if (word[0] != '-' || word[1] == '\0')
			break; /* "-" alone is a name for standard input or output */
		if (strcmp(word, "--") == 0) {
			r.at++;
			break;
		}
		if ((word[1] == '-' ? read_name(&r, word + 2) : read_letters(&r, word + 1)) < 0)
			return -1;
	}
	*ret_rest = r.at;
	return 0;
}
