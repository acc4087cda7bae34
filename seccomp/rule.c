/*
 * One rule of a policy's text: CALL [if CONDITION {and CONDITION}] ACTION. Runs in the build tool and in the judge.
 */
#include "seccomp/reader.h"

#include "base/array.h"
#include "seccomp/constants.h"

#include <string.h>

/* The next word, for messages. */
const char *reader_seen(const struct reader *r)
{
	return r->words[r->at] ? r->words[r->at] : "end of line";
}

bool reader_take(struct reader *r, const char *word)
{
	if (!r->words[r->at] || strcmp(r->words[r->at], word) != 0)
		return false;
	r->at++;
	return true;
}

int reader_end(struct reader *r)
{
	return r->words[r->at] ? complain(r, "unexpected \"%s\"", reader_seen(r)) : 0;
}

bool reader_is_name(const char *word)
{
	return word && *word &&
	       word[strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_-")] == '\0';
}

/* Decimal, or hexadecimal after 0x. No octal: 010 would surprise somebody either way. */
static int read_digits(const char *text, size_t length, uint64_t *ret_value)
{
	const bool hex = length > 2 && text[0] == '0' && text[1] == 'x';
	static const char digits[] = "0123456789abcdef";
	uint64_t value = 0;

	if (length == 0 || (!hex && length > 1 && text[0] == '0'))
		return -1;
	for (size_t i = hex ? 2 : 0; i < length; i++) {
		const char lower = text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] + 32) : text[i];
		const char *digit = memchr(digits, lower, hex ? 16 : 10);

		if (!digit || __builtin_mul_overflow(value, (uint64_t)(hex ? 16 : 10), &value) ||
		    __builtin_add_overflow(value, (uint64_t)(digit - digits), &value))
			return -1;
	}
	*ret_value = value;
	return 0;
}

static int read_value(struct reader *r, uint64_t *ret_value)
{
	const char *word = r->words[r->at], *part = word;
	uint64_t value = 0;

	if (!word)
		return complain(r, "a number or a constant is missing");
	for (;;) {
		const size_t length = strcspn(part, "|");
		const char *name = arena_strndup(&r->set->arena, part, length);
		uint64_t term = 0;

		if (read_digits(part, length, &term) < 0 && constant_find(name, &term) < 0)
			return complain(r, "\"%s\" is neither a number nor a known constant", name);
		value |= term;
		if (part[length] == '\0')
			break;
		part += length + 1;
	}
	r->at++;
	*ret_value = value;
	return 0;
}

int reader_number(struct reader *r, uint64_t most, const char *what, uint64_t *ret_number)
{
	const char *word = r->words[r->at];

	if (!word || read_digits(word, strlen(word), ret_number) < 0 || *ret_number > most)
		return complain(r, "%s is a number up to %llu, not \"%s\"", what,
				(unsigned long long)most, reader_seen(r));
	r->at++;
	return 0;
}

int reader_action(struct reader *r, struct policy_action *ret_action)
{
	struct policy_action action = { .kind = POLICY_ALLOW };

	if (reader_take(r, "kill")) {
		action.kind = POLICY_KILL;
	} else if (reader_take(r, "errno")) {
		action.kind = POLICY_ERRNO;
		if (!r->words[r->at] || errno_find(r->words[r->at], &action.number) < 0)
			return complain(r, "\"%s\" is no known errno", reader_seen(r));
		r->at++;
	} else if (!reader_take(r, "allow")) {
		return complain(r, "expected allow, errno NAME or kill, not \"%s\"", reader_seen(r));
	}
	*ret_action = action;
	return reader_end(r);
}

/* "int0" … "long5". */
static int read_argument(struct reader *r, struct policy_condition *c)
{
	const char *word = r->words[r->at] ? r->words[r->at] : "";
	const bool narrow = strncmp(word, "int", 3) == 0;
	const char *digit = word + (narrow ? 3 : 4);

	if ((!narrow && strncmp(word, "long", 4) != 0) || digit[0] < '0' ||
	    digit[0] >= '0' + POLICY_ARGUMENTS || digit[1] != '\0')
		return complain(r, "expected int0 to int5 or long0 to long5, not \"%s\"", reader_seen(r));
	c->argument = digit[0] - '0';
	c->mask = narrow ? UINT32_MAX : UINT64_MAX;
	r->at++;
	return 0;
}

/* What `any`, `all` and `only` say of bits, in terms of a mask and a comparison. */
static int read_bits(struct reader *r, struct policy_condition *c)
{
	const char *word = r->words[r->at++];
	const uint64_t width = c->mask;
	uint64_t bits = 0;

	if (read_value(r, &bits) < 0)
		return -1;
	if (bits == 0 || (bits & ~width))
		return complain(r, "no bits of the argument: \"%s\"", r->words[r->at - 1]);
	c->mask = strcmp(word, "only") == 0 ? width & ~bits : bits;
	c->compare = strcmp(word, "any") == 0 ? POLICY_NE : POLICY_EQ;
	c->values[0] = strcmp(word, "all") == 0 ? bits : 0;
	c->count = 1;
	return c->mask ? 0 : complain(r, "always true: \"only\" every bit");
}

static int read_mask(struct reader *r, struct policy_condition *c)
{
	uint64_t mask = 0;

	if (!reader_take(r, "&"))
		return 0;
	if (read_value(r, &mask) < 0)
		return -1;
	if (mask == 0 || (mask & ~c->mask))
		return complain(r, "no mask for this argument: \"%s\"", r->words[r->at - 1]);
	c->mask = mask;
	return 0;
}

static int read_values(struct reader *r, struct policy_condition *c, bool several)
{
	do {
		uint64_t *value = &c->values[c->count];

		if (read_value(r, value) < 0)
			return -1;
		if (*value & ~c->mask)
			return complain(r, "the argument is never \"%s\"", r->words[r->at - 1]);
		c->count++;
	} while (several && reader_take(r, ","));
	return 0;
}

static int read_comparison(struct reader *r, struct policy_condition *c)
{
	static const struct { const char *sign; enum policy_compare compare; } rows[] = {
		{ "==", POLICY_EQ }, { "!=", POLICY_NE }, { "<", POLICY_LT }, { "<=", POLICY_LE },
		{ ">", POLICY_GT }, { ">=", POLICY_GE }, { "in", POLICY_EQ },
	};
	const char *word = r->words[r->at] ? r->words[r->at] : "";

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (reader_take(r, rows[i].sign)) {
			c->compare = rows[i].compare;
			return read_values(r, c, strcmp(word, "in") == 0);
		}
	return complain(r, "expected a comparison, not \"%s\"", reader_seen(r));
}

static int read_condition(struct reader *r, struct policy_condition *c)
{
	const char *word;

	c->values = arena_alloc(&r->set->arena, READER_WORDS * sizeof(*c->values));
	if (read_argument(r, c) < 0)
		return -1;
	word = reader_seen(r);
	if (strcmp(word, "any") == 0 || strcmp(word, "all") == 0 || strcmp(word, "only") == 0)
		return read_bits(r, c);
	if (read_mask(r, c) < 0)
		return -1;
	return read_comparison(r, c);
}

int reader_target(struct reader *r, struct policy_target *ret_target)
{
	const char *word = r->words[r->at];
	const bool is_group = word && *word == '@';

	if (!reader_is_name(word ? word + is_group : NULL))
		return complain(r, "expected the name of a call or @GROUP, not \"%s\"", reader_seen(r));
	ret_target->name = word + is_group;
	ret_target->is_group = is_group;
	ret_target->place = r->place;
	r->at++;
	return 0;
}

int reader_rule(struct reader *r)
{
	struct policy *p = r->policy;
	struct policy_rule rule = { .count = 0 };
	size_t capacity = 0;

	if (reader_target(r, &rule.target) < 0)
		return -1;
	if (reader_take(r, "if")) {
		do {
			struct policy_condition c = { .count = 0 }, *slot;

			if (read_condition(r, &c) < 0)
				return -1;
			slot = arena_grow(&r->set->arena, (void **)&rule.conditions, &capacity,
					  rule.count, sizeof(c));
			*slot = c;
			rule.count++;
		} while (reader_take(r, "and"));
	}
	if (reader_action(r, &rule.action) < 0)
		return -1;
	*(struct policy_rule *)arena_grow(&r->set->arena, (void **)&p->rules, &p->capacity, p->count,
					  sizeof(rule)) = rule;
	p->count++;
	return 0;
}

