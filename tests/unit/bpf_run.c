/* A classic BPF interpreter for tests: bpf_run.h. */
#include "tests/unit/bpf_run.h"

#include <stdbool.h>
#include <string.h>

static bool jump_taken(const struct sock_filter *i, uint32_t a)
{
	switch (BPF_OP(i->code)) {
	case BPF_JEQ:
		return a == i->k;
	case BPF_JGT:
		return a > i->k;
	case BPF_JGE:
		return a >= i->k;
	default:
		return a & i->k;
	}
}

uint32_t bpf_run(const struct sock_filter *code, size_t length, const struct seccomp_data *data,
		 size_t *ret_steps)
{
	uint32_t a = 0;
	size_t steps = 0;

	if (length == 0 || length > BPF_MAXINSNS)
		return BPF_RUN_BROKEN;
	for (size_t at = 0; at < length; at++) {
		const struct sock_filter *i = &code[at];

		steps++;
		if (ret_steps)
			*ret_steps = steps;
		switch (i->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			if (i->k % 4 || i->k > sizeof(*data) - 4)
				return BPF_RUN_BROKEN;
			memcpy(&a, (const char *)data + i->k, 4);
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= i->k;
			break;
		case BPF_JMP | BPF_JA:
			if (i->k >= length)
				return BPF_RUN_BROKEN;
			at += i->k;
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
		case BPF_JMP | BPF_JGT | BPF_K:
		case BPF_JMP | BPF_JGE | BPF_K:
		case BPF_JMP | BPF_JSET | BPF_K:
			at += jump_taken(i, a) ? i->jt : i->jf;
			break;
		case BPF_RET | BPF_K:
			return i->k;
		default:
			return BPF_RUN_BROKEN;
		}
	}
	return BPF_RUN_BROKEN;
}
