/*
 * The build tool that makes seccomp_filters.c from the policies' text: the shipped filters of every
 * architecture as BPF, the text itself, and the table of the calls' names and numbers. Runs on the machine that
 * builds judge; judge itself does not link libseccomp, which serves here to tell the numbers.
 *
 *	cc -std=gnu11 -D_GNU_SOURCE -I. -O2 -o build/host/seccomp-generate seccomp/generate.c seccomp/policy.c \
 *		seccomp/read.c seccomp/rule.c seccomp/constants.c seccomp/compile.c seccomp/emit.c \
 *		base/arena.c base/err.c base/fd.c -lseccomp
 *	build/host/seccomp-generate build/seccomp_filters.c seccomp/default.policy seccomp/groups.policy …
 *	cc -std=gnu11 -D_GNU_SOURCE -I. -O2 -c -o build/seccomp_filters.o build/seccomp_filters.c
 */
#include "base/array.h"
#include "base/err.h"
#include "base/fd.h"
#include "seccomp/compile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_TEXT ((size_t)1 << 20)
#define FIRST_NUMBERS 1024	/* all calls that any architecture has lie below, counted from its first */
#define MIPS_BASE 4000

static const uint32_t library_archs[FILTER_ARCHS] = {
	[FILTER_X86_64] = SCMP_ARCH_X86_64,
	[FILTER_AARCH64] = SCMP_ARCH_AARCH64,
};

/* What the library knows, else what the text states. */
static int find_number(const struct policy_set *set, const char *name, enum filter_arch arch)
{
	const int known = seccomp_syscall_resolve_name_arch(library_archs[arch], name);
	const struct policy_number *stated = policy_number_find(set, name);

	if (known >= 0)
		return known;
	if (stated)
		return stated->number;
	return known == __NR_SCMP_ERROR ? CALL_UNKNOWN : CALL_ELSEWHERE;
}

/* A stated number that the library knows better is a misprint. */
static int check_numbers(const struct policy_set *set, struct err *e)
{
	for (size_t i = 0; i < set->number_count; i++)
		for (int arch = 0; arch < FILTER_ARCHS; arch++) {
			const struct policy_number *n = &set->numbers[i];
			const int known = seccomp_syscall_resolve_name_arch(library_archs[arch], n->name);

			if (known >= 0 && known != n->number)
				return fail_usage(e, "%s:%d: %s is number %d on %s", n->place.file,
						  n->place.line, n->name, known, filter_archs[arch].name);
		}
	return 0;
}

static void warn(const struct policy_row *row, void *context)
{
	(void)context;
	fprintf(stderr, "%s:%d: warning: no call \"%s\" is known here: left out\n", row->place.file,
		row->place.line, row->call);
}

/* The name is unknown to all architectures alike: one warning will do. */
static void keep_quiet(const struct policy_row *row, void *context)
{
	(void)row;
	(void)context;
}

static void write_symbol(FILE *out, const char *policy, enum filter_arch arch)
{
	fputs("code_", out);
	for (; *policy; policy++)
		fputc(isalnum((unsigned char)*policy) ? *policy : '_', out);
	fprintf(out, "_%s", filter_archs[arch].name);
}

static int write_filter(FILE *out, const struct policy_set *set, const struct policy *p,
			enum filter_arch arch, struct err *e)
{
	const struct policy_names names = { .number = find_number, .warn = arch == 0 ? warn : keep_quiet };
	struct arena arena = { .last = NULL };
	struct sock_filter *code;
	unsigned short length;

	if (policy_compile(set, p, arch, &names, &arena, &code, &length, e) < 0) {
		arena_free(&arena);
		return -1;
	}
	fputs("\nstatic const struct sock_filter ", out);
	write_symbol(out, p->name, arch);
	fputs("[] = {\n", out);
	for (size_t i = 0; i < length; i++)
		fprintf(out, "\t{ 0x%02x, %u, %u, 0x%08x },\n", code[i].code, code[i].jt, code[i].jf,
			code[i].k);
	fputs("};\n", out);
	arena_free(&arena);
	return 0;
}

static void write_table(FILE *out, const struct policy_set *set, enum filter_arch arch)
{
	fprintf(out, "\nconst struct filter filters_%s[] = {\n", filter_archs[arch].name);
	for (size_t i = 0; i < set->policy_count; i++) {
		fprintf(out, "\t{ \"%s\", ", set->policies[i].name);
		write_symbol(out, set->policies[i].name, arch);
		fputs(", sizeof(", out);
		write_symbol(out, set->policies[i].name, arch);
		fprintf(out, ") / sizeof(struct sock_filter), %d },\n", set->policies[i].exec_program);
	}
	fputs("\t{ 0, 0, 0, 0 },\n};\n", out);
}

/* Calls that other architectures have are known names too: a policy that says something of them is right. */
static const uint32_t named_archs[] = { SCMP_ARCH_X86_64, SCMP_ARCH_AARCH64, SCMP_ARCH_X86, SCMP_ARCH_ARM,
					SCMP_ARCH_PPC64LE, SCMP_ARCH_S390X, SCMP_ARCH_MIPS };

struct names {
	struct arena arena;
	char **items;
	size_t count, capacity;
};

static void add_name(struct names *names, const char *name)
{
	char **slot = arena_grow(&names->arena, (void **)&names->items, &names->capacity, names->count,
				 sizeof(*slot));

	*slot = arena_strdup(&names->arena, name);
	names->count++;
}

static void add_library_names(struct names *names)
{
	for (size_t a = 0; a < ARRAY_SIZE(named_archs); a++)
		for (int number = 0; number < FIRST_NUMBERS; number++) {
			const int n = named_archs[a] == SCMP_ARCH_MIPS ? number + MIPS_BASE : number;
			char *name = seccomp_syscall_resolve_num_arch(named_archs[a], n);

			if (name)
				add_name(names, name);
			free(name);
		}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void write_names(FILE *out, const struct policy_set *set)
{
	struct names names = { .count = 0 };
	size_t count = 0;

	add_library_names(&names);
	for (size_t i = 0; i < set->number_count; i++)
		add_name(&names, set->numbers[i].name);
	qsort(names.items, names.count, sizeof(*names.items), by_name);
	fputs("\nconst struct call_row call_rows[] = {\n", out);
	for (size_t i = 0; i < names.count; i++) {
		if (i > 0 && strcmp(names.items[i - 1], names.items[i]) == 0)
			continue;
		fprintf(out, "\t{ \"%s\", {", names.items[i]);
		for (int arch = 0; arch < FILTER_ARCHS; arch++) {
			const int number = find_number(set, names.items[i], (enum filter_arch)arch);

			fprintf(out, " %d,", number < 0 ? CALL_ELSEWHERE : number);
		}
		fputs(" } },\n", out);
		count++;
	}
	fprintf(out, "};\nconst size_t call_row_count = %zu;\n", count);
	arena_free(&names.arena);
}

static void write_text(FILE *out, const char *path, const char *text)
{
	const char *name = strrchr(path, '/');

	fprintf(out, "\t{ \"%s\",\n\t  \"", name ? name + 1 : path);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		if (*text == '\n')
			fputs(text[1] ? "\\n\"\n\t  \"" : "\\n", out);
		else if (*text == '\t')
			fputs("\\t", out);
		else
			fputc(*text, out);
	}
	fputs("\" },\n", out);
}

static int write_texts(FILE *out, char **paths, struct err *e)
{
	fputs("\nconst struct policy_text policy_texts[] = {\n", out);
	for (; *paths; paths++) {
		autofree char *text = NULL;
		size_t size = 0;

		if (read_file_at(AT_FDCWD, *paths, MOST_TEXT, &text, &size) < 0)
			return fail(e, errno, "cannot read %s", *paths);
		write_text(out, *paths, text);
	}
	fputs("\t{ 0, 0 },\n};\n", out);
	return 0;
}

static int write_all_filters(FILE *out, const struct policy_set *set, struct err *e)
{
	for (int arch = 0; arch < FILTER_ARCHS; arch++) {
		for (size_t i = 0; i < set->policy_count; i++)
			if (write_filter(out, set, &set->policies[i], (enum filter_arch)arch, e) < 0)
				return -1;
		write_table(out, set, (enum filter_arch)arch);
	}
	return 0;
}

static int read_policies(struct policy_set *set, char **paths, struct err *e)
{
	for (; *paths; paths++) {
		autofree char *text = NULL;
		size_t size = 0;

		if (read_file_at(AT_FDCWD, *paths, MOST_TEXT, &text, &size) < 0)
			return fail(e, errno, "cannot read %s", *paths);
		if (policy_read(set, *paths, text, size, e) < 0)
			return -1;
	}
	if (policy_check(set, e) < 0)
		return -1;
	return check_numbers(set, e);
}

static int write_everything(FILE *out, const struct policy_set *set, char **paths, struct err *e)
{
	fputs("/* Written by seccomp/generate.c from the policies: change those. */\n"
	      "#include \"seccomp/filter_table.h\"\n"
	      "#include \"seccomp/load.h\"\n",
	      out);
	write_names(out, set);
	return write_texts(out, paths, e) < 0 ? -1 : write_all_filters(out, set, e);
}

/* Whole or not at all: make must not find half a file newer than its sources. */
static int put_file(const char *path, const char *text, size_t size, struct err *e)
{
	autoclose int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || write_all(fd, text, size) < 0) {
		fail(e, errno, "cannot write %s", path);
		(void)unlink(path); /* a half of it is worse than none */
		return -1;
	}
	return 0;
}

static int generate(const char *path, char **policies, struct err *e)
{
	struct policy_set set = { .group_count = 0 };
	autofree char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int result = -1;

	if (!out)
		return fail(e, errno, "cannot make a memory stream");
	if (read_policies(&set, policies, e) == 0)
		result = write_everything(out, &set, policies, e);
	arena_free(&set.arena);
	if (fclose(out) != 0)
		return fail(e, errno, "cannot write to a memory stream");
	return result < 0 ? -1 : put_file(path, text, size, e);
}

int main(int argc, char **argv)
{
	struct err e = { .kind = ERR_NONE };

	if (argc < 3 || !argv[1]) {
		fprintf(stderr, "usage: %s OUT.c POLICY...\n", argc ? argv[0] : "seccomp-generate");
		return 2;
	}
	if (generate(argv[1], argv + 2, &e) < 0) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	return 0;
}
