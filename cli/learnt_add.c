/*
 * What a policy allows, as if a program had been seen to call it: for --add. Runs in the judge; makes no box.
 *
 * The policy is asked by trial: each call with arguments that are zero but for the one that learning looks
 * at. So a file that was written by hand serves as well, though a condition on any other argument is lost.
 */
#include "cli/learnt.h"

#include <stdlib.h>
#include <string.h>

#define UNLIKELY_VALUE 0x5bd1e995u	/* stands for all that a policy does not mention */

struct trial {
	struct learn *learn;
	const struct policy *policy;
	const struct policy_row *rows;
	size_t count;
	const char *call;
	int number;
};

static bool compares(enum policy_compare compare, uint64_t a, uint64_t b)
{
	switch (compare) {
	case POLICY_EQ:
		return a == b;
	case POLICY_NE:
		return a != b;
	case POLICY_LT:
		return a < b;
	case POLICY_LE:
		return a <= b;
	case POLICY_GT:
		return a > b;
	case POLICY_GE:
		break;
	}
	return a >= b;
}

static bool rule_holds(const struct policy_rule *rule, int argument, uint64_t value)
{
	for (size_t i = 0; i < rule->count; i++) {
		const struct policy_condition *c = &rule->conditions[i];
		bool any = false;

		for (size_t k = 0; k < c->count; k++)
			any |= compares(c->compare, (c->argument == argument ? value : 0) & c->mask, c->values[k]);
		if (!any)
			return false;
	}
	return true;
}

static bool allows(const struct trial *t, int argument, uint64_t value)
{
	if ((uint32_t)t->number > t->policy->above)
		return t->policy->above_action.kind == POLICY_ALLOW;
	for (size_t i = 0; i < t->count; i++)
		if (strcmp(t->rows[i].call, t->call) == 0 && rule_holds(t->rows[i].rule, argument, value))
			return t->rows[i].rule->action.kind == POLICY_ALLOW;
	return t->policy->initial.kind == POLICY_ALLOW;
}

/* Some argument or other is let through. */
static bool allows_some(const struct trial *t)
{
	for (size_t i = 0; i < t->count; i++)
		if (strcmp(t->rows[i].call, t->call) == 0 && t->rows[i].rule->action.kind == POLICY_ALLOW)
			return true;
	return allows(t, 0, 0);
}

static void note(const struct trial *t, uint64_t value, bool any)
{
	learn_note(t->learn, &(struct learn_row){ .number = t->number, .value = value, .any = any });
}

static void try_values(const struct trial *t, int argument)
{
	if (allows(t, argument, UNLIKELY_VALUE))
		note(t, 0, true);
	for (size_t i = 0; i < t->count; i++) {
		const struct policy_rule *rule = t->rows[i].rule;

		if (strcmp(t->rows[i].call, t->call) != 0)
			continue;
		for (size_t c = 0; c < rule->count; c++)
			for (size_t k = 0; k < rule->conditions[c].count; k++)
				if (rule->conditions[c].argument == argument &&
				    allows(t, argument, rule->conditions[c].values[k]))
					note(t, rule->conditions[c].values[k], false);
	}
}

static void try_bits(const struct trial *t, int argument)
{
	uint64_t bits = 0;

	for (int bit = 0; bit < 64; bit++)
		if (allows(t, argument, (uint64_t)1 << bit))
			bits |= (uint64_t)1 << bit;
	if (bits || allows(t, argument, 0))
		note(t, bits, bits == UINT64_MAX);
}

static void try_whether(const struct trial *t, const struct learn_detail *d)
{
	if (allows(t, d->argument, d->mask))
		note(t, 1, false);
	if (allows(t, d->argument, 0))
		note(t, 0, false);
}

static void try_call(const struct trial *t)
{
	const struct learn_detail *d = learn_detail(t->number);

	if (!d && allows_some(t))
		note(t, 0, false);
	if (d && d->kind == LEARN_VALUES)
		try_values(t, d->argument);
	if (d && d->kind == LEARN_BITS)
		try_bits(t, d->argument);
	if (d && d->kind == LEARN_WHETHER)
		try_whether(t, d);
}

/* "# 12 times" behind a rule, as learnt_text writes it; 0 where nothing is said. */
static uint64_t count_behind(const struct shown *s, const struct policy_place *place)
{
	const char *line = policy_library_text(&s->library, place->file);
	unsigned long long count = 0;

	for (int i = 1; line && i < place->line; i++) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	line = line ? line + strcspn(line, "#\n") : "";
	return sscanf(line, "# %llu time", &count) == 1 ? count : 0;
}

static void add_counts(struct learn *l, const struct shown *from, const struct policy_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const int number = call_number(&from->library.set, rows[i].call, from->arch);
		const uint64_t times = rows[i].rule->target.is_group ? 0 : count_behind(from, &rows[i].place);

		for (size_t k = 0; k < l->count && times > 0; k++)
			if (l->rows[k].number == number) {
				l->rows[k].count += times;
				break;
			}
	}
}

void learnt_add(struct learn *l, struct shown *from)
{
	struct policy_row *rows;
	const size_t count = policy_rows(&from->library.set, from->policy, &from->library.set.arena, &rows);

	for (size_t i = 0; i < call_row_count; i++) {
		const struct trial t = { .learn = l, .policy = from->policy, .rows = rows, .count = count,
					 .call = call_rows[i].name, .number = call_rows[i].number[from->arch] };

		if (t.number >= 0)
			try_call(&t);
	}
	add_counts(l, from, rows, count);
}
