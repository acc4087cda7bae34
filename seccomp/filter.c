/* Finds a shipped filter by name. Runs in the judge, outside the box, before the clone. */
#include "seccomp/filter_table.h"

#include "base/array.h"
#include "seccomp/names.h"

#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#if defined(__x86_64__) && defined(__LP64__)
#define NATIVE_FILTERS filters_x86_64
#elif defined(__aarch64__) && defined(__LP64__)
#define NATIVE_FILTERS filters_aarch64
#else
#error "no system call filters for this architecture"
#endif

/* --policy none: the other walls must hold alone. */
static const struct filter no_filter = { .name = "none" };

const struct filter *filter_find(const char *name)
{
	if (strcmp(name, no_filter.name) == 0)
		return &no_filter;
	for (const struct filter *f = NATIVE_FILTERS; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

void filter_copy_notifying(const struct filter *f, struct sock_filter *ret_code)
{
	for (size_t i = 0; i < f->length; i++) {
		ret_code[i] = f->code[i];
		if (ret_code[i].code == (BPF_RET | BPF_K) && ret_code[i].k == SECCOMP_RET_KILL_PROCESS)
			ret_code[i].k = SECCOMP_RET_USER_NOTIF;
	}
}

/* Before the two copies of a filter that learns: the calls that go to the first one. */
#define FIRST_CALL 3
#define EXECVE (FIRST_CALL + ARRAY_SIZE(passing))
#define LEARNING_AHEAD (EXECVE + 6)

static const int passing[] = { SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn };

size_t filter_learning_length(const struct filter *f)
{
	return LEARNING_AHEAD + 2 * (size_t)f->length;
}

static struct sock_filter load(size_t offset)
{
	return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset);
}

/* Goes on with the instruction `yes` or `no` of the program, both behind `at`. */
static void branch(struct sock_filter *code, size_t at, uint32_t k, size_t yes, size_t no)
{
	code[at] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, (uint8_t)(yes - at - 1),
						(uint8_t)(no - at - 1));
}

/* Where in memory an argument list lies, no other program can say: so this execve is the start's. */
static void put_ahead(const void *argv, struct sock_filter *code)
{
	const size_t list = offsetof(struct seccomp_data, args[1]), plain = LEARNING_AHEAD;
	const size_t learning = LEARNING_AHEAD - 1;	/* the jump to the second copy */
	const uint64_t address = (uintptr_t)argv;

	code[0] = load(offsetof(struct seccomp_data, arch));
	branch(code, 1, filter_archs[FILTER_NATIVE].audit, 2, plain);
	code[2] = load(offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < ARRAY_SIZE(passing); i++)
		branch(code, FIRST_CALL + i, (uint32_t)passing[i], plain, FIRST_CALL + i + 1);
	branch(code, EXECVE, SYS_execve, EXECVE + 1, learning);
	code[EXECVE + 1] = load(list);
	branch(code, EXECVE + 2, (uint32_t)address, EXECVE + 3, learning);
	code[EXECVE + 3] = load(list + sizeof(uint32_t));
	branch(code, EXECVE + 4, (uint32_t)(address >> 32), plain, learning);
}

void filter_copy_learning(const struct filter *f, const void *argv, struct sock_filter *ret_code)
{
	struct sock_filter *plain = ret_code + LEARNING_AHEAD, *learning = plain + f->length;

	put_ahead(argv, ret_code);
	plain[-1] = (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, f->length);
	for (size_t i = 0; i < f->length; i++) {
		plain[i] = learning[i] = f->code[i];
		if (learning[i].code == (BPF_RET | BPF_K) && learning[i].k == SECCOMP_RET_ALLOW)
			learning[i].k = SECCOMP_RET_USER_NOTIF;
	}
}
