/*
 * A set of policies: finding, checking and unfolding what the reader brought in. Runs in the build tool and in the judge.
 */
#include "seccomp/policy.h"

#include <string.h>

#define complain(e, place, format, ...) \
	fail_usage(e, "%s:%d: " format, (place).file, (place).line, ##__VA_ARGS__)

#define FIND(rows, count, wanted) \
	do { \
		for (size_t i = 0; i < (count); i++) \
			if (strcmp((rows)[i].name, wanted) == 0) \
				return &(rows)[i]; \
		return NULL; \
	} while (0)

const struct policy *policy_find(const struct policy_set *set, const char *name)
{
	FIND(set->policies, set->policy_count, name);
}

const struct policy_group *policy_group_find(const struct policy_set *set, const char *name)
{
	FIND(set->groups, set->group_count, name);
}

const struct policy_number *policy_number_find(const struct policy_set *set, const char *name)
{
	FIND(set->numbers, set->number_count, name);
}

struct rows {
	struct arena *arena;
	struct policy_row *items;
	size_t count, capacity;
};

static void add_row(struct rows *rows, const struct policy_target *call, const struct policy_rule *rule)
{
	struct policy_row *row = arena_grow(rows->arena, (void **)&rows->items, &rows->capacity,
					    rows->count++, sizeof(*row));

	*row = (struct policy_row){ .call = call->name, .rule = rule, .place = call->place };
}

/* Each group once for one rule, however many ways lead there: `passed` has a place for every group. */
static void add_target(const struct policy_set *set, const struct policy_target *target,
		       const struct policy_rule *rule, struct rows *rows, bool *passed)
{
	const struct policy_group *g;

	if (!target->is_group) {
		add_row(rows, target, rule);
		return;
	}
	g = policy_group_find(set, target->name);
	if (!g || passed[g - set->groups])
		return;
	passed[g - set->groups] = true;
	for (size_t i = 0; i < g->count; i++)
		add_target(set, &g->members[i], rule, rows, passed);
}

static void add_rule(const struct policy_set *set, const struct policy_rule *rule, struct rows *rows)
{
	bool *passed = arena_alloc(rows->arena, (set->group_count + 1) * sizeof(*passed));

	add_target(set, &rule->target, rule, rows, passed);
}

size_t policy_rows(const struct policy_set *set, const struct policy *policy, struct arena *arena,
		   struct policy_row **ret_rows)
{
	struct rows rows = { .arena = arena };

	for (const struct policy *p = policy; p; p = p->like.name ? policy_find(set, p->like.name) : NULL)
		for (size_t i = 0; i < p->count; i++)
			add_rule(set, &p->rules[i], &rows);
	*ret_rows = rows.items;
	return rows.count;
}

enum walk { WALK_NEW, WALK_OPEN, WALK_DONE };

#define MOST_DEPTH 64

/* Depth first over the groups below `g`. One that is met while it is open contains itself. */
static int check_group(const struct policy_set *set, const struct policy_group *g, enum walk *walk,
		       int depth, struct err *e)
{
	if (depth == MOST_DEPTH)
		return complain(e, g->place, "group %s lies more than %d groups deep", g->name, MOST_DEPTH);
	walk[g - set->groups] = WALK_OPEN;
	for (size_t i = 0; i < g->count; i++) {
		const struct policy_target *member = &g->members[i];
		const struct policy_group *below;

		if (!member->is_group)
			continue;
		below = policy_group_find(set, member->name);
		if (!below)
			return complain(e, member->place, "there is no group %s", member->name);
		if (walk[below - set->groups] == WALK_OPEN)
			return complain(e, member->place, "group %s contains itself", member->name);
		if (walk[below - set->groups] == WALK_NEW && check_group(set, below, walk, depth + 1, e) < 0)
			return -1;
	}
	walk[g - set->groups] = WALK_DONE;
	return 0;
}

/* A rule for a call by its name, after one that decides the call already, is a mistake. A group after
   it is not: that is how an exception is written. */
static int check_reached(const struct policy_set *set, const struct policy *p, struct err *e)
{
	struct rows rows = { .arena = &(struct arena){ .last = NULL } };
	int result = 0;

	for (size_t i = 0; i < p->count && result == 0; i++) {
		const struct policy_rule *rule = &p->rules[i];

		for (size_t k = 0; k < rows.count && !rule->target.is_group && result == 0; k++)
			if (rows.items[k].rule->count == 0 &&
			    strcmp(rows.items[k].call, rule->target.name) == 0)
				result = complain(e, rule->target.place,
						  "never reached: line %d decides %s always",
						  rows.items[k].rule->target.place.line,
						  rule->target.name);
		add_rule(set, rule, &rows);
	}
	arena_free(rows.arena);
	return result;
}

static int check_rules(const struct policy_set *set, const struct policy *p, struct err *e)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct policy_target *t = &p->rules[i].target;

		if (t->is_group && !policy_group_find(set, t->name))
			return complain(e, t->place, "there is no group %s", t->name);
	}
	return check_reached(set, p, e);
}

/* What a policy does not say itself, as the one it is like has it. */
static void inherit_from(struct policy *p, const struct policy *from)
{
	if (!p->has_default && from->has_default) {
		p->has_default = true;
		p->initial = from->initial;
	}
	if (!p->has_above && from->has_above) {
		p->has_above = true;
		p->above = from->above;
		p->above_action = from->above_action;
	}
	if (!p->has_exec && from->has_exec) {
		p->has_exec = true;
		p->exec_program = from->exec_program;
	}
}

/* Takes default, `above` and `exec` from the policies it is like. */
static int inherit(struct policy_set *set, struct policy *p, struct err *e)
{
	const struct policy *from = p;

	for (size_t steps = 0; from->like.name; steps++) {
		const struct policy_target *like = &from->like;

		from = policy_find(set, like->name);
		if (!from)
			return complain(e, like->place, "there is no policy %s", like->name);
		if (steps == set->policy_count)
			return complain(e, like->place, "policy %s is like itself", like->name);
		inherit_from(p, from);
	}
	if (!p->has_default)
		return complain(e, p->place, "policy %s has no \"default\"", p->name);
	if (!p->has_above)
		return complain(e, p->place, "policy %s has no \"above\"", p->name);
	return 0;
}

int policy_check(struct policy_set *set, struct err *e)
{
	enum walk *walk = arena_alloc(&set->arena, (set->group_count + 1) * sizeof(*walk));

	for (size_t i = 0; i < set->group_count; i++)
		if (walk[i] == WALK_NEW && check_group(set, &set->groups[i], walk, 0, e) < 0)
			return -1;
	for (size_t i = 0; i < set->policy_count; i++)
		if (inherit(set, &set->policies[i], e) < 0 ||
		    check_rules(set, &set->policies[i], e) < 0)
			return -1;
	return 0;
}
