/* judge policy NAME --pseudo: a filter's instructions in words. Runs in the judge; makes no box. */
#include "cli/policy_show.h"

#include "seccomp/constants.h"

#include <linux/seccomp.h>
#include <string.h>

#define FIRST_ARGUMENT offsetof(struct seccomp_data, args)

static void print_loaded(uint32_t offset)
{
	const uint32_t at = offset - (uint32_t)FIRST_ARGUMENT;

	if (offset == offsetof(struct seccomp_data, nr))
		fputs("number", stdout);
	else if (offset == offsetof(struct seccomp_data, arch))
		fputs("architecture", stdout);
	else
		printf("argument %u, %s half", at / 8, at % 8 ? "high" : "low");
}

static void print_action(uint32_t value)
{
	const char *name;

	switch (value & SECCOMP_RET_ACTION_FULL) {
	case SECCOMP_RET_ALLOW:
		fputs("allow", stdout);
		break;
	case SECCOMP_RET_ERRNO:
		name = errno_name((int)(value & SECCOMP_RET_DATA));
		if (name)
			printf("errno %s", name);
		else
			printf("errno %u", value & SECCOMP_RET_DATA);
		break;
	default:
		fputs("kill", stdout);
	}
}

static const char *sign_of(uint16_t code)
{
	switch (BPF_OP(code)) {
	case BPF_JEQ:
		return "==";
	case BPF_JGT:
		return ">";
	case BPF_JGE:
		return ">=";
	default:
		return "has any of";
	}
}

/* `by_number`: what is compared is a call's number. */
static void print_jump(const struct sock_filter *i, size_t at, bool by_number, enum filter_arch arch)
{
	const char *name = by_number ? call_name((int)i->k, arch) : NULL;

	if (by_number)
		printf("if %s %u", sign_of(i->code), i->k);
	else
		printf("if %s 0x%x", sign_of(i->code), i->k);
	printf(" goto %zu else %zu", at + 1 + i->jt, at + 1 + i->jf);
	if (name)
		printf("\t# %s", name);
}

static void print_instruction(const struct sock_filter *i, size_t at, bool by_number, enum filter_arch arch)
{
	printf("%4zu  ", at);
	switch (BPF_CLASS(i->code)) {
	case BPF_LD:
		fputs("load ", stdout);
		print_loaded(i->k);
		break;
	case BPF_ALU:
		printf("and 0x%x", i->k);
		break;
	case BPF_RET:
		print_action(i->k);
		break;
	default:
		if (BPF_OP(i->code) == BPF_JA)
			printf("goto %zu", at + 1 + i->k);
		else
			print_jump(i, at, by_number, arch);
	}
	putchar('\n');
}

/* Where control goes after an instruction that is no return: to one place or two. */
static void follow(const struct sock_filter *i, size_t at, size_t *ret_yes, size_t *ret_no)
{
	const bool jumps = BPF_CLASS(i->code) == BPF_JMP, always = jumps && BPF_OP(i->code) == BPF_JA;

	*ret_yes = at + 1 + (always ? i->k : jumps ? i->jt : 0);
	*ret_no = jumps && !always ? at + 1 + i->jf : *ret_yes;
}

void policy_show_pseudo(struct shown *s, const struct filter *f)
{
	/* At each instruction: the call's number is what was loaded last. */
	bool *by_number = arena_alloc(&s->library.set.arena, f->length * sizeof(*by_number));

	printf("# policy %s on %s: %u instructions\n", f->name, filter_archs[s->arch].name, f->length);
	for (size_t at = 0; at < f->length; at++) {
		const struct sock_filter *i = &f->code[at];
		size_t yes, no;

		print_instruction(i, at, by_number[at], s->arch);
		if (BPF_CLASS(i->code) == BPF_RET)
			continue;
		follow(i, at, &yes, &no);
		by_number[yes] = by_number[no] = BPF_CLASS(i->code) == BPF_LD ?
			i->k == offsetof(struct seccomp_data, nr) : by_number[at];
	}
}
