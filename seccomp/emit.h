/*
 * Classic BPF, written from its end to its start: so the target of every jump is there before the jump,
 * as BPF jumps forwards only. Pure.
 */
#ifndef SECCOMP_EMIT_H
#define SECCOMP_EMIT_H

#include "seccomp/policy.h"

#include <linux/filter.h>

/* An instruction, counted from the end of the program: the last one is 1. */
typedef size_t label;

struct known_return {
	uint32_t value;
	label at;		/* the one nearest to the start */
};

#define EMIT_RETURNS 64

struct emitter {
	struct sock_filter code[BPF_MAXINSNS];	/* filled from its end */
	size_t length;
	bool full;				/* did not fit */
	struct known_return returns[EMIT_RETURNS];
	size_t return_count;
};

/* A place that leaves the filter with that action. */
label emit_return(struct emitter *em, const struct policy_action *action);

/* A jump that compares A with `k` by BPF_JEQ, BPF_JGE, BPF_JGT or BPF_JSET. */
label emit_branch(struct emitter *em, uint16_t compare, uint32_t k, label yes, label no);

/* Loads 32 bits of struct seccomp_data and goes on with what was emitted before it. */
label emit_load(struct emitter *em, size_t offset);

/* Tests one condition. */
label emit_condition(struct emitter *em, const struct policy_condition *c, label yes, label no);

#endif
