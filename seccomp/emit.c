/*
 * Instructions of a filter: emit.h. Runs in the build tool and in the judge.
 *
 * The filter looks at a 64-bit argument as two halves of 32 bits, the low one first in memory: both
 * architectures are little endian. A half that the mask leaves out is not loaded.
 */
#include "seccomp/emit.h"

#include <linux/seccomp.h>

#define MOST_JUMP 255	/* jt and jf have 8 bits */

static label emit(struct emitter *em, uint16_t code, uint32_t k, size_t jt, size_t jf)
{
	if (em->length == BPF_MAXINSNS) {
		em->full = true;
		return em->length;
	}
	em->code[BPF_MAXINSNS - ++em->length] =
		(struct sock_filter){ .code = code, .jt = (uint8_t)jt, .jf = (uint8_t)jf, .k = k };
	return em->length;
}

static uint32_t return_value(const struct policy_action *action)
{
	switch (action->kind) {
	case POLICY_ALLOW:
		return SECCOMP_RET_ALLOW;
	case POLICY_ERRNO:
		return SECCOMP_RET_ERRNO | ((uint32_t)action->number & SECCOMP_RET_DATA);
	case POLICY_KILL:
		break;
	}
	return SECCOMP_RET_KILL_PROCESS;
}

label emit_return(struct emitter *em, const struct policy_action *action)
{
	const uint32_t value = return_value(action);
	struct known_return *known = em->returns, *end = known + em->return_count;

	while (known < end && known->value != value)
		known++;
	/* One of our own costs as much as the jump to one that is out of reach. */
	if (known < end && em->length - known->at < MOST_JUMP)
		return known->at;
	if (known == end && em->return_count < EMIT_RETURNS)
		em->return_count++;
	if (known < em->returns + EMIT_RETURNS)
		*known = (struct known_return){ .value = value, .at = em->length + 1 };
	return emit(em, BPF_RET | BPF_K, value, 0, 0);
}

/* The target, or a long jump to it where it is out of reach. One instruction of reach is kept back,
   since the other target of a branch may need a long jump in between. */
static label reachable(struct emitter *em, label target)
{
	if (em->length - target < MOST_JUMP)
		return target;
	return emit(em, BPF_JMP | BPF_JA, (uint32_t)(em->length - target), 0, 0);
}

label emit_branch(struct emitter *em, uint16_t compare, uint32_t k, label yes, label no)
{
	yes = reachable(em, yes);
	no = reachable(em, no);
	return emit(em, BPF_JMP | compare | BPF_K, k, em->length - yes, em->length - no);
}

label emit_load(struct emitter *em, size_t offset)
{
	return emit(em, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* Loads a half of the argument and masks it, for what was emitted before. */
static label emit_half(struct emitter *em, const struct policy_condition *c, bool high)
{
	const uint32_t mask = (uint32_t)(high ? c->mask >> 32 : c->mask);

	if (mask != UINT32_MAX)
		emit(em, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
	return emit_load(em, offsetof(struct seccomp_data, args) +
				     (size_t)c->argument * sizeof(uint64_t) + (high ? 4 : 0));
}

/* Loads a half without its mask: for BPF_JSET, which brings one. */
static label emit_half_bare(struct emitter *em, const struct policy_condition *c, bool high)
{
	struct policy_condition bare = *c;

	bare.mask = UINT64_MAX;
	return emit_half(em, &bare, high);
}

/* Is any of the bits set? */
static label emit_any(struct emitter *em, const struct policy_condition *c, label yes, label no)
{
	const uint32_t low = (uint32_t)c->mask, high = (uint32_t)(c->mask >> 32);

	if (low) {
		emit_branch(em, BPF_JSET, low, yes, no);
		no = emit_half_bare(em, c, false);
	}
	if (high) {
		emit_branch(em, BPF_JSET, high, yes, no);
		no = emit_half_bare(em, c, true);
	}
	return no;
}

/* A compare with the low half in A. <, <= and != are >=, > and == with the answers exchanged. */
static label emit_compare(struct emitter *em, enum policy_compare compare, uint32_t k, label yes, label no)
{
	switch (compare) {
	case POLICY_EQ:
		return emit_branch(em, BPF_JEQ, k, yes, no);
	case POLICY_NE:
		return emit_branch(em, BPF_JEQ, k, no, yes);
	case POLICY_LT:
		return emit_branch(em, BPF_JGE, k, no, yes);
	case POLICY_LE:
		return emit_branch(em, BPF_JGT, k, no, yes);
	case POLICY_GT:
		return emit_branch(em, BPF_JGT, k, yes, no);
	case POLICY_GE:
		break;
	}
	return emit_branch(em, BPF_JGE, k, yes, no);
}

/* All 64 bits: where the high halves are the same, the low ones decide. */
static label emit_wide(struct emitter *em, const struct policy_condition *c, uint64_t value, label yes,
		       label no)
{
	const uint32_t high = (uint32_t)(value >> 32);
	const bool more = c->compare == POLICY_GT || c->compare == POLICY_GE;
	const bool less = c->compare == POLICY_LT || c->compare == POLICY_LE;
	label low, differ;

	emit_compare(em, c->compare, (uint32_t)value, yes, no);
	low = emit_half(em, c, false);
	differ = c->compare == POLICY_EQ || more ? no : yes;
	emit_branch(em, BPF_JEQ, high, low, differ);
	if (more)
		emit_branch(em, BPF_JGT, high, yes, em->length);
	if (less)
		emit_branch(em, BPF_JGT, high, no, em->length);
	return emit_half(em, c, true);
}

label emit_condition(struct emitter *em, const struct policy_condition *c, label yes, label no)
{
	const bool wide = c->mask >> 32;

	if (yes == no)
		return yes;
	if (c->count == 1 && c->values[0] == 0 && c->compare == POLICY_NE)
		return emit_any(em, c, yes, no);
	if (c->count == 1 && c->values[0] == 0 && c->compare == POLICY_EQ)
		return emit_any(em, c, no, yes);
	for (size_t i = c->count; i-- > 0;)
		no = wide ? emit_wide(em, c, c->values[i], yes, no) :
			    emit_compare(em, c->compare, (uint32_t)c->values[i], yes, no);
	return wide ? no : emit_half(em, c, false);
}
