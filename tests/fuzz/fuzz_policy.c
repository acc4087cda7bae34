/*
 * Fuzzes the reader of policies and what comes after it. What is read and compiled must be a
 * filter that the kernel would take: every call, of both architectures, comes to an answer.
 */
#include "seccomp/load.h"
#include "tests/unit/bpf_run.h"

#include <stdlib.h>

static void warn(const struct policy_row *row, void *context)
{
	size_t *warnings = context;

	*warnings += row->place.line > 0;
}

static void run(const struct sock_filter *code, unsigned short length, enum filter_arch arch)
{
	static const uint64_t values[] = { 0, 1, 0xffffffff, 0x100000000, UINT64_MAX };

	for (int number = -1; number <= 480; number++)
		for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
			struct seccomp_data d = { .nr = number, .arch = filter_archs[arch].audit };

			for (int i = 0; i < 6; i++)
				d.args[i] = values[(v + (size_t)i) % 5];
			if (bpf_run(code, length, &d, NULL) == BPF_RUN_BROKEN)
				abort();
		}
}

static void compile(const struct policy_set *set, const struct policy *policy, enum filter_arch arch)
{
	size_t warnings = 0;
	const struct policy_names names = { .number = call_number, .warn = warn, .context = &warnings };
	struct arena arena = { .last = NULL };
	struct err e = { .kind = ERR_NONE };
	struct sock_filter *code;
	unsigned short length;

	if (policy_compile(set, policy, arch, &names, &arena, &code, &length, &e) == 0)
		run(code, length, arch);
	else if (e.kind != ERR_USAGE)
		abort();
	arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct policy_set set = { .group_count = 0 };
	struct err e = { .kind = ERR_NONE };

	if (policy_read(&set, "fuzz", (const char *)data, size, &e) == 0 && policy_check(&set, &e) == 0)
		for (size_t i = 0; i < set.policy_count && i < 4; i++)
			for (int arch = 0; arch < FILTER_ARCHS; arch++)
				compile(&set, &set.policies[i], (enum filter_arch)arch);
	else if (e.kind != ERR_USAGE)
		abort();
	arena_free(&set.arena);
	return 0;
}
