/*
 * System call policies as data, and the reader of their text. Pure: text in, tables out; no file, no
 * kernel, no libseccomp. The build tool uses it for the shipped policies, the judge for a user's own.
 *
 * The text, a statement a line; `#` begins a comment:
 *
 *	number statmount 457		the number of a call that an old libseccomp has no name for: only
 *					calls from 424 on, whose number is the same on every architecture
 *	group NAME			names of calls, and @GROUP for all of another group, several a line
 *		mount umount2
 *		@mount-new
 *	end
 *	policy NAME
 *		default ACTION		calls that no rule decides
 *		above N ACTION		numbers above N, the newest call the author knew of; and negative ones
 *		exec program|any	what the box may execute beside the program itself and what --exec-allow
 *					names: nothing, or all it can reach. Landlock's part of the policy; `any`
 *					where it is not said
 *		CALL|@GROUP [if CONDITION {and CONDITION}] ACTION
 *		like POLICY		what another policy says, where this one says nothing
 *	end
 *
 *	ACTION		allow | errno NAME | kill	(the whole process, by SIGSYS)
 *	CONDITION	ARGUMENT [& VALUE] == | != | < | <= | > | >= VALUE
 *			ARGUMENT [& VALUE] in VALUE, VALUE, …
 *			ARGUMENT any | all | only VALUE		bits: one of them, every one, no other
 *	ARGUMENT	int0 … int5: the low 32 bits, which is all the kernel looks at where the C type is int,
 *			unsigned or pid_t (the high half is the caller's to choose: CVE-2019-10063);
 *			long0 … long5: all 64 bits. Comparisons are unsigned.
 *	VALUE		a number or a constant of constants.c, or several joined by `|`
 *
 * Of a call's rules the first that matches decides. A system call of another architecture, or one with an
 * x32 number, kills the process in every policy.
 */
#ifndef SECCOMP_POLICY_H
#define SECCOMP_POLICY_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POLICY_ARGUMENTS 6
#define POLICY_NUMBER_SHARED 424	/* from here on a call has one number on every architecture */
#define POLICY_NUMBER_MOST 4095

struct policy_place {
	const char *file;	/* as it was given to policy_read */
	int line;		/* from 1 */
};

enum policy_action_kind { POLICY_ALLOW, POLICY_ERRNO, POLICY_KILL };

struct policy_action {
	enum policy_action_kind kind;
	int number;		/* POLICY_ERRNO: 1 … 4095; else 0 */
};

enum policy_compare { POLICY_EQ, POLICY_NE, POLICY_LT, POLICY_LE, POLICY_GT, POLICY_GE };

/* (argument & mask) compared with one of `values`; several values only with POLICY_EQ: any of them.
   No bit of a value lies outside the mask. */
struct policy_condition {
	int argument;		/* 0 … 5 */
	uint64_t mask;		/* never 0; no high bit set for intN */
	enum policy_compare compare;
	uint64_t *values;
	size_t count;
};

/* A name in a group or a rule: a call, or a group written with an @ in front (not kept here). */
struct policy_target {
	const char *name;
	bool is_group;
	struct policy_place place;
};

struct policy_rule {
	struct policy_target target;
	struct policy_condition *conditions;	/* all must hold; none: always */
	size_t count;
	struct policy_action action;
};

struct policy {
	const char *name;
	struct policy_place place;
	struct policy_target like;	/* .name NULL: like no other */
	bool has_default, has_above;	/* one of its own; policy_check fills in what `like` gives */
	struct policy_action initial;
	struct policy_action above_action;
	uint32_t above;
	bool has_exec, exec_program;	/* `exec`, likewise; never said: any */
	struct policy_rule *rules;
	size_t count, capacity;
};

struct policy_group {
	const char *name;
	struct policy_place place;
	struct policy_target *members;
	size_t count, capacity;
};

struct policy_number {
	const char *name;
	struct policy_place place;
	int number;
};

/* All that the files of one folder say. {0} is an empty set; arena_free(&set->arena) frees it. */
struct policy_set {
	struct arena arena;
	struct policy_group *groups;
	struct policy *policies;
	struct policy_number *numbers;
	size_t group_count, group_capacity;
	size_t policy_count, policy_capacity;
	size_t number_count, number_capacity;
};

/* One call of a policy and a rule that speaks of it. */
struct policy_row {
	const char *call;
	const struct policy_rule *rule;
	struct policy_place place;	/* where the call's name stands: the rule, or the group */
};

/* Adds one file's text; `file` is what messages call it. What it names may come in a later file.
   0, or -1 with a usage error that begins "file:line: ". */
int policy_read(struct policy_set *set, const char *file, const char *text, size_t size,
		struct err *e);

/* After the last file: every name leads somewhere and not to itself, no rule stands where it is never
   reached, each policy has a default and an `above`. 0, or -1 as before. */
int policy_check(struct policy_set *set, struct err *e);

/* The policy, the group, the stated number of that name, or NULL. */
const struct policy *policy_find(const struct policy_set *set, const char *name);
const struct policy_group *policy_group_find(const struct policy_set *set, const char *name);
const struct policy_number *policy_number_find(const struct policy_set *set, const char *name);

/* The rules of a policy of a checked set, groups and `like` resolved, a row for each call, in the order
   in which they are tried. The rows live in `arena`. */
size_t policy_rows(const struct policy_set *set, const struct policy *policy, struct arena *arena,
		   struct policy_row **ret_rows);

#endif
