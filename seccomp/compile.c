/*
 * From a policy to BPF: compile.h. Runs in the build tool, and in the judge for a user's own.
 *
 * The numbers from 0 to the policy's ceiling are cut into runs that share an answer, and a binary
 * search over the runs' borders finds the one a call lies in. What a call costs is thus its depth, about
 * seven compares, whatever its number; and for a call without conditions the kernel finds out once that it is
 * always allowed, and does not run the filter for it at all (since Linux 5.11).
 */
#include "seccomp/compile.h"

#include "seccomp/emit.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>

#define X32_BIT 0x40000000u
#define SIGN_BIT 0x80000000u
#define MOST_CHAIN 4	/* compares one after the other before it pays to search */

const struct filter_arch_row filter_archs[FILTER_ARCHS] = {
	[FILTER_X86_64] = { .name = "x86_64", .audit = AUDIT_ARCH_X86_64, .x32 = true },
	[FILTER_AARCH64] = { .name = "aarch64", .audit = AUDIT_ARCH_AARCH64 },
};

/* A call and its rules in their order, up to the first without conditions. */
struct call {
	uint32_t number;
	const struct policy_rule **rules;
	size_t count, capacity;
};

/* Numbers from `first` to the next run's first: `call`'s rules, or one action for all. */
struct run {
	uint32_t first;
	const struct call *call;	/* NULL: `action` */
	struct policy_action action;
};

struct compiler {
	const struct policy *policy;
	struct arena *arena;
	struct call *calls;
	struct run *runs;
	size_t call_count, call_capacity;
	size_t run_count, run_capacity;
	struct emitter *em;
};

static bool same_action(const struct policy_action *a, const struct policy_action *b)
{
	return a->kind == b->kind && a->number == b->number;
}

/* A call of its own is like nothing else, not even another with the same rules. */
static bool same_answer(const struct run *a, const struct run *b)
{
	return !a->call && !b->call && same_action(&a->action, &b->action);
}

static bool decided(const struct call *call)
{
	return call->count > 0 && call->rules[call->count - 1]->count == 0;
}

static void add_rule(struct compiler *c, uint32_t number, const struct policy_rule *rule)
{
	struct call *call = c->calls, *end = c->calls + c->call_count;

	while (call < end && call->number != number)
		call++;
	if (call == end) {
		call = arena_grow(c->arena, (void **)&c->calls, &c->call_capacity, c->call_count++,
				  sizeof(*call));
		*call = (struct call){ .number = number };
	}
	if (decided(call))
		return;
	*(const struct policy_rule **)arena_grow(c->arena, (void **)&call->rules, &call->capacity,
						 call->count, sizeof(rule)) = rule;
	call->count++;
}

static int by_number(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

static int collect_calls(struct compiler *c, const struct policy_set *set, enum filter_arch arch,
			 const struct policy_names *names, struct err *e)
{
	struct policy_row *rows;
	const size_t count = policy_rows(set, c->policy, c->arena, &rows);

	for (size_t i = 0; i < count; i++) {
		const int n = names->number(set, rows[i].call, arch);

		if (n == CALL_UNKNOWN)
			names->warn(&rows[i], names->context);
		if (n < 0)
			continue;
		if ((uint32_t)n > c->policy->above)
			return fail_usage(e, "%s:%d: %s is number %d, above the newest call of policy %s (%u)",
					  rows[i].place.file, rows[i].place.line, rows[i].call, n,
					  c->policy->name, c->policy->above);
		add_rule(c, (uint32_t)n, rows[i].rule);
	}
	if (c->call_count > 0)
		qsort(c->calls, c->call_count, sizeof(*c->calls), by_number);
	return 0;
}

static void add_run(struct compiler *c, const struct run *run)
{
	if (c->run_count > 0 && same_answer(&c->runs[c->run_count - 1], run))
		return;
	*(struct run *)arena_grow(c->arena, (void **)&c->runs, &c->run_capacity, c->run_count,
				  sizeof(*run)) = *run;
	c->run_count++;
}

static void cut_runs(struct compiler *c)
{
	uint32_t next = 0;

	for (size_t i = 0; i < c->call_count; i++) {
		const struct call *call = &c->calls[i];
		const bool plain = call->rules[0]->count == 0;

		if (call->number > next)
			add_run(c, &(struct run){ .first = next, .action = c->policy->initial });
		add_run(c, &(struct run){ .first = call->number, .call = plain ? NULL : call,
					  .action = call->rules[0]->action });
		next = call->number + 1;
	}
	if (next <= c->policy->above)
		add_run(c, &(struct run){ .first = next, .action = c->policy->initial });
}

static label emit_rule(struct emitter *em, const struct policy_rule *rule, label next)
{
	label at = emit_return(em, &rule->action);

	for (size_t i = rule->count; i-- > 0;)
		at = emit_condition(em, &rule->conditions[i], at, next);
	return at;
}

static label emit_answer(struct compiler *c, const struct run *run)
{
	label at;

	if (!run->call)
		return emit_return(c->em, &run->action);
	at = emit_return(c->em, &c->policy->initial);
	for (size_t i = run->call->count; i-- > 0;)
		at = emit_rule(c->em, run->call->rules[i], at);
	return at;
}

static bool is_single(const struct compiler *c, size_t i)
{
	const uint32_t end = i + 1 < c->run_count ? c->runs[i + 1].first : c->policy->above + 1;

	return end - c->runs[i].first == 1;
}

/* The answer of all runs from `first` to before `last` but a few single numbers; or NULL. */
static const struct run *find_ground(const struct compiler *c, size_t first, size_t last)
{
	const struct run *ground = NULL;
	size_t singles = 0;

	for (size_t i = first; i < last; i++) {
		if (ground && same_answer(ground, &c->runs[i]))
			continue;
		if (is_single(c, i))
			singles++;
		else if (ground)
			return NULL;
		else
			ground = &c->runs[i];
	}
	return singles <= MOST_CHAIN ? ground : NULL;
}

static label emit_chain(struct compiler *c, size_t first, size_t last, const struct run *ground)
{
	label no = emit_answer(c, ground);

	for (size_t i = last; i-- > first;)
		if (&c->runs[i] != ground && !same_answer(ground, &c->runs[i]))
			no = emit_branch(c->em, BPF_JEQ, c->runs[i].first, emit_answer(c, &c->runs[i]), no);
	return no;
}

/* Expects the number in A. */
static label emit_search(struct compiler *c, size_t first, size_t last)
{
	const struct run *ground = find_ground(c, first, last);
	const size_t middle = first + (last - first) / 2;
	label high, low;

	if (last - first == 1)
		return emit_answer(c, &c->runs[first]);
	if (ground)
		return emit_chain(c, first, last, ground);
	high = emit_search(c, middle, last);
	low = emit_search(c, first, middle);
	return emit_branch(c->em, BPF_JGE, c->runs[middle].first, high, low);
}

/* Numbers above the ceiling. Negative ones have the x32 bit set too, but belong to no ABI: the
   kernel says ENOSYS to them, and programs ask with -1. */
static label emit_above(struct compiler *c, bool x32)
{
	const struct policy_action kill = { .kind = POLICY_KILL };
	const label above = emit_return(c->em, &c->policy->above_action);
	label at;

	if (!x32)
		return above;
	at = emit_branch(c->em, BPF_JGE, X32_BIT, emit_return(c->em, &kill), above);
	return emit_branch(c->em, BPF_JGE, SIGN_BIT, above, at);
}

static void emit_filter(struct compiler *c, const struct filter_arch_row *arch)
{
	const struct policy_action kill = { .kind = POLICY_KILL };
	const label above = emit_above(c, arch->x32);
	const label search = emit_search(c, 0, c->run_count);
	label at;

	emit_branch(c->em, BPF_JGT, c->policy->above, above, search);
	at = emit_load(c->em, offsetof(struct seccomp_data, nr));
	emit_branch(c->em, BPF_JEQ, arch->audit, at, emit_return(c->em, &kill));
	emit_load(c->em, offsetof(struct seccomp_data, arch));
}

int policy_compile(const struct policy_set *set, const struct policy *policy, enum filter_arch arch,
		   const struct policy_names *names, struct arena *arena, struct sock_filter **ret_code,
		   unsigned short *ret_length, struct err *e)
{
	struct compiler c = { .policy = policy, .arena = arena,
			      .em = arena_alloc(arena, sizeof(*c.em)) };

	if (collect_calls(&c, set, arch, names, e) < 0)
		return -1;
	cut_runs(&c);
	emit_filter(&c, &filter_archs[arch]);
	if (c.em->full)
		return fail_usage(e, "%s:%d: policy %s needs more than the %d instructions a filter may have",
				  policy->place.file, policy->place.line, policy->name, BPF_MAXINSNS);
	*ret_code = c.em->code + BPF_MAXINSNS - c.em->length;
	*ret_length = (unsigned short)c.em->length;
	return 0;
}
