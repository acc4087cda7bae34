/*
 * Policies at run time: the shipped texts that judge carries make the shipped filters again; a user's file
 * may build on them; its mistakes are named by file and line.
 */
#include "base/array.h"
#include "seccomp/filter_table.h"
#include "seccomp/load.h"
#include "tests/unit/bpf_run.h"
#include "tests/unit/sample.h"

#include <errno.h>
#include <linux/audit.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include <cmocka.h>

#ifdef __x86_64__
#define AUDIT_HERE AUDIT_ARCH_X86_64
#else
#define AUDIT_HERE AUDIT_ARCH_AARCH64
#endif

static const struct filter *const shipped[FILTER_ARCHS] = {
	[FILTER_X86_64] = filters_x86_64,
	[FILTER_AARCH64] = filters_aarch64,
};

static int make_folder(void **state)
{
	*state = folder_make();
	return 0;
}

static int remove_folder(void **state)
{
	folder_remove(*state);
	return 0;
}

static void shipped_texts_make_the_shipped_filters(void **state)
{
	struct policy_library library;
	struct err e = { 0 };
	size_t count = 0;

	(void)state;
	assert_int_equal(policy_library_read(&library, NULL, &e), 0);
	assert_null(library.policy);
	for (int arch = 0; arch < FILTER_ARCHS; arch++)
		for (const struct filter *f = shipped[arch]; f->name; f++) {
			const struct policy *policy = policy_find(&library.set, f->name);
			struct filter again;

			assert_non_null(policy);
			assert_int_equal(policy_library_compile(&library, policy, (enum filter_arch)arch, &again, &e),
					 0);
			assert_int_equal(again.length, f->length);
			assert_int_equal(again.exec_program, f->exec_program);
			assert_memory_equal(again.code, f->code, f->length * sizeof(*f->code));
			count++;
		}
	assert_int_equal(count, FILTER_ARCHS * library.set.policy_count);
	assert_null(library.warnings);
	policy_library_free(&library);
}

static void every_text_is_found_by_its_file(void **state)
{
	struct policy_library library;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(policy_library_read(&library, NULL, &e), 0);
	for (const struct policy_text *t = policy_texts; t->file; t++) {
		assert_ptr_equal(policy_library_text(&library, t->file), t->text);
		assert_null(strchr(t->file, '/'));
		assert_int_equal(t->text[strlen(t->text) - 1], '\n');
	}
	assert_non_null(policy_library_text(&library, "native.policy"));
	assert_null(policy_library_text(&library, "native"));
	policy_library_free(&library);
}

static uint32_t answer(const struct filter *f, int number, uint64_t first)
{
	const struct seccomp_data d = { .nr = number, .arch = AUDIT_HERE, .args = { first } };

	return bpf_run(f->code, f->length, &d, NULL);
}

static void a_policy_of_ones_own_builds_on_the_shipped(void **state)
{
	struct filter_loaded own;
	struct err e = { 0 };

	(void)state;
	file_make("own.policy",
		  "group mine\n\tgetppid gettid\nend\npolicy other\n\tdefault allow\n\tabove 469 kill\nend\n"
		  "policy own\n\t@mine errno EPERM\n\t@keyring errno ENOENT\n"
		  "\tsocket if int0 == AF_INET allow\n\tlike runtime\nend\n", 0600);
	if (filter_load("own.policy", &own, &e) < 0)
		fail_msg("%s", e.text);
	assert_string_equal(own.filter.name, "own");
	assert_true(own.filter.exec_program);	/* as runtime says */
	assert_null(own.library.warnings);
	assert_int_equal(answer(&own.filter, SYS_getppid, 0), SECCOMP_RET_ERRNO | EPERM);
	assert_int_equal(answer(&own.filter, SYS_keyctl, 0), SECCOMP_RET_ERRNO | ENOENT);
	assert_int_equal(answer(&own.filter, SYS_socket, 2), SECCOMP_RET_ALLOW);
	assert_int_equal(answer(&own.filter, SYS_socket, 10), SECCOMP_RET_ERRNO | EAFNOSUPPORT);
	assert_int_equal(answer(&own.filter, SYS_getpid, 0), SECCOMP_RET_ALLOW);
	assert_int_equal(answer(&own.filter, SYS_mount, 0), SECCOMP_RET_KILL_PROCESS);
	filter_loaded_free(&own);
}

static void unknown_names_are_warned_of(void **state)
{
	struct filter_loaded own;
	struct err e = { 0 };

	(void)state;
	file_make("own.policy",
		  "policy own\n\tdefault allow\n\tabove 469 kill\n\tfrobnicate kill\n\tstime kill\n"
		  "\tteleport allow\nend\n", 0600);
	assert_int_equal(filter_load("own.policy", &own, &e), 0);
	assert_string_equal(own.library.warnings,
			    "own.policy:4: no call \"frobnicate\" is known here: left out\n"
			    "own.policy:6: no call \"teleport\" is known here: left out\n");
	filter_loaded_free(&own);
}

/* A name that libseccomp did not know either, but whose number is stated. */
static void stated_numbers_count(void **state)
{
	struct filter_loaded own;
	struct err e = { 0 };

	(void)state;
	file_make("own.policy",
		  "number frobnicate 500\npolicy own\n\tdefault allow\n\tabove 500 kill\n\tfrobnicate errno EPERM\n"
		  "end\n", 0600);
	assert_int_equal(filter_load("own.policy", &own, &e), 0);
	assert_int_equal(answer(&own.filter, 500, 0), SECCOMP_RET_ERRNO | EPERM);
	assert_int_equal(answer(&own.filter, 499, 0), SECCOMP_RET_ALLOW);
	assert_int_equal(answer(&own.filter, 501, 0), SECCOMP_RET_KILL_PROCESS);
	filter_loaded_free(&own);
}

static void mistakes_are_named(void **state)
{
	/* How the error begins: the shipped files' own lines may move. */
	static const struct { const char *text, *error; } rows[] = {
		{ "", "own.policy: no policy is in it" },
		{ "group g\n\tread\nend\n", "own.policy: no policy is in it" },
		{ "policy own\n\tbogus\n", "own.policy:2: expected allow, errno NAME or kill, not \"end of line\"" },
		{ "policy native\nend\n",
		  "own.policy:1: a second policy native: the first stands at native.policy:" },
		{ "policy own\n\tlike nothing\nend\n", "own.policy:2: there is no policy nothing" },
		{ "policy own\n\t@nothing kill\n\tlike native\nend\n", "own.policy:2: there is no group nothing" },
		{ "policy own\n\tlike own\nend\n", "own.policy:2: policy own is like itself" },
		{ "policy own\n\tdefault allow\n\tabove 5 kill\n\topenat kill\nend\n", "own.policy:4: openat is number " },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct filter_loaded own;
		struct err e = { 0 };

		(void)remove("own.policy"); /* the first time it is not there */
		file_make("own.policy", rows[i].text, 0600);
		assert_int_equal(filter_load("own.policy", &own, &e), -1);
		assert_int_equal(e.kind, ERR_USAGE);
		if (strncmp(e.text, rows[i].error, strlen(rows[i].error)) != 0)
			fail_msg("expected \"%s\", found \"%s\"", rows[i].error, e.text);
		filter_loaded_free(&own);
	}
}

static void files_that_are_none(void **state)
{
	struct filter_loaded own;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(filter_load("none.policy", &own, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	assert_string_equal(e.text, "cannot read the policy none.policy: No such file or directory");
	filter_loaded_free(&own);
	assert_int_equal(filter_load(".", &own, &e), -1);
	assert_string_equal(e.text, "cannot read the policy .: Is a directory");
	filter_loaded_free(&own);
	assert_int_equal(filter_load("/dev/zero", &own, &e), -1);
	assert_string_equal(e.text, "cannot read the policy /dev/zero: File too large");
	filter_loaded_free(&own);
}

static void calls_have_names(void **state)
{
	(void)state;
	assert_string_equal(call_name(SYS_socket, FILTER_NATIVE), "socket");
	assert_string_equal(call_name(0, FILTER_X86_64), "read");
	assert_string_equal(call_name(0, FILTER_AARCH64), "io_setup");
	assert_string_equal(call_name(63, FILTER_AARCH64), "read");
	assert_string_equal(call_name(467, FILTER_AARCH64), "open_tree_attr");
	assert_null(call_name(-1, FILTER_X86_64));
	assert_null(call_name(4000, FILTER_X86_64));
	assert_null(call_find("frobnicate"));
	assert_int_equal(call_find("open")->number[FILTER_AARCH64], CALL_ELSEWHERE);
	assert_int_equal(call_find("stime")->number[FILTER_X86_64], CALL_ELSEWHERE);
	for (size_t i = 1; i < call_row_count; i++)
		assert_true(strcmp(call_rows[i - 1].name, call_rows[i].name) < 0);
	for (size_t i = 0; i < call_row_count; i++)
		assert_ptr_equal(call_find(call_rows[i].name), &call_rows[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shipped_texts_make_the_shipped_filters),
		cmocka_unit_test(every_text_is_found_by_its_file),
		cmocka_unit_test_setup_teardown(a_policy_of_ones_own_builds_on_the_shipped, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(unknown_names_are_warned_of, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(stated_numbers_count, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(mistakes_are_named, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(files_that_are_none, make_folder, remove_folder),
		cmocka_unit_test(calls_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
