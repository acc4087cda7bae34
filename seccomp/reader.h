/*
 * What the two halves of the reader of policy texts share: a line cut into words. Private to read.c,
 * which knows statements, and rule.c, which knows what one line of a policy may say.
 */
#ifndef SECCOMP_READER_H
#define SECCOMP_READER_H

#include "seccomp/policy.h"

#define READER_WORDS 64

struct reader {
	struct policy_set *set;
	struct policy_place place;
	const char *words[READER_WORDS + 1];	/* of the line, with a NULL after them */
	size_t count, at;			/* `at`: the next to be read */
	struct policy_group *group;		/* the block that is open, or both NULL */
	struct policy *policy;
	struct err *e;
};

#define complain(r, format, ...) \
	fail_usage((r)->e, "%s:%d: " format, (r)->place.file, (r)->place.line, ##__VA_ARGS__)

/* The next word, for messages. */
const char *reader_seen(const struct reader *r);

/* Passes the next word if it is this one. */
bool reader_take(struct reader *r, const char *word);

/* All 0, or -1 with the complaint: there is no further word; the next word is a whole number up to
   `most`, an action and then nothing, a name or @name, a rule of r->policy. */
int reader_end(struct reader *r);
int reader_number(struct reader *r, uint64_t most, const char *what, uint64_t *ret_number);
int reader_action(struct reader *r, struct policy_action *ret_action);
int reader_target(struct reader *r, struct policy_target *ret_target);
int reader_rule(struct reader *r);

/* Lower case letters, digits, _ and -. NULL is none. */
bool reader_is_name(const char *word);

#endif
