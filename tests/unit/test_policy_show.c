/* judge policy: what it prints, and its exit statuses. */
#include "base/array.h"
#include "cli/cli.h"
#include "seccomp/load.h"
#include "tests/unit/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct shown {
	char *out, *err;
	int status;
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

/* The arguments behind "judge policy", separated by blanks. */
static struct shown show(const char *arguments)
{
	char *words = strdup(arguments), *argv[8] = { (char *)(uintptr_t)"policy" };
	int argc = 1, status = -1;
	struct shown s;
	pid_t child;

	assert_non_null(words);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (!freopen("out", "w", stdout) || !freopen("err", "w", stderr))
			_exit(99);
		exit(command_policy(argc, argv));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	free(words);
	s = (struct shown){ .out = file_text("out"), .err = file_text("err"), .status = WEXITSTATUS(status) };
	return s;
}

static void shown_free(struct shown *s)
{
	free(s->out);
	free(s->err);
}

static size_t lines(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

static void expect(const char *arguments, const char *part)
{
	struct shown s = show(arguments);

	if (s.status != EXIT_OK || !strstr(s.out, part))
		fail_msg("judge policy %s: exit status %d, no \"%s\" in:\n%s%s", arguments, s.status, part, s.out, s.err);
	shown_free(&s);
}

static void all_are_listed(void **state)
{
	(void)state;
	for (const struct policy_text *t = policy_texts; t->file; t++) {
		const size_t name = strcspn(t->file, ".");
		char line[64];

		if (strcmp(t->file, "groups.policy") == 0)
			continue;
		snprintf(line, sizeof(line), "%-10.*s The ", (int)name, t->file);
		expect("", line);
	}
	expect("", "native     The whitelist for static binaries of C, C++, Rust and Go\n");
	expect("", "none       No filter");
}

static void a_text_is_printed_whole(void **state)
{
	(void)state;
	for (const struct policy_text *t = policy_texts; t->file; t++) {
		char name[32];
		struct shown s;

		if (strcmp(t->file, "groups.policy") == 0)
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(t->file, "."), t->file);
		s = show(name);
		assert_int_equal(s.status, EXIT_OK);
		assert_string_equal(s.out, t->text);
		shown_free(&s);
	}
}

static void code_has_a_line_for_each_instruction(void **state)
{
	struct shown s = show("default --pseudo");

	(void)state;
	assert_int_equal(lines(s.out), filter_find("default")->length + 1);
	assert_non_null(strstr(s.out, "\n   0  load architecture\n"));
	assert_non_null(strstr(s.out, "errno ENOSYS\n"));
	assert_non_null(strstr(s.out, "  kill\n"));
	shown_free(&s);
}

static void every_call_has_its_line(void **state)
{
	expect("native --calls --arch x86_64", "\n   0 read                     allow\n   1 write ");
	expect("native --arch aarch64 --calls", "\n  63 read                     allow\n  64 write ");
	expect("--calls --arch x86_64 runtime",
	       "\n   9 mmap                     if long3 any MAP_HUGETLB errno ENOMEM\n"
	       "                              allow\n");
	expect("native --calls --arch x86_64", "\n 467 open_tree_attr           kill\n");
	expect("native --calls", "   above 469                     errno ENOSYS\n");
	(void)state;
}

static void differences_are_shown(void **state)
{
	struct shown s = show("diff native native");

	(void)state;
	assert_string_equal(s.out, "--- native\n+++ native\n");
	shown_free(&s);
	expect("diff native runtime", "\n-unshare kill\n+unshare errno EPERM\n");
	expect("diff runtime compile", "\n-flock errno ENOLCK\n+flock allow\n");
	file_make("own.policy", "policy own\n\tgetpid kill\n\tlike native\nend\n", 0600);
	expect("diff native ./own.policy", "--- native\n+++ own\n-getpid allow\n+getpid kill\n");
}

static void rules_are_explained(void **state)
{
	(void)state;
	expect("explain keyctl native", "keyctl: 250 on x86_64 219 on aarch64\n\n  native\n    @dangerous kill\n");
	expect("explain keyctl native", ", of the group at groups.policy:");
	expect("explain unshare runtime", "# Tried by sandbox helpers");
	expect("explain accept native", "  native\n    default kill\n");
	expect("explain getpid", "\n  compile\n");
	expect("explain 250 native --arch x86_64", "keyctl: ");
	expect("explain 219 native --arch aarch64", "keyctl: ");
}

static void own_files_are_read(void **state)
{
	struct shown s;

	(void)state;
	file_make("own.policy", "policy own\n\tfrobnicate kill\n\tlike native\nend\n", 0600);
	s = show("./own.policy");
	assert_int_equal(s.status, EXIT_OK);
	assert_string_equal(s.out, "policy own\n\tfrobnicate kill\n\tlike native\nend\n");
	assert_string_equal(s.err, "./own.policy:2: no call \"frobnicate\" is known here: left out\n");
	shown_free(&s);
	file_make("bad.policy", "policy bad\n\tread\nend\n", 0600);
	s = show("./bad.policy");
	assert_int_equal(s.status, EXIT_USAGE);
	assert_non_null(strstr(s.err, "judge: ./bad.policy:2: expected allow, errno NAME or kill"));
	shown_free(&s);
}

static void mistakes_have_status_2(void **state)
{
	static const char *const rows[] = {
		"nothing", "native runtime", "diff native", "diff native nothing", "diff", "explain", "explain frobnicate",
		"explain read nothing", "explain read native x", "--bogus", "native --arch sparc",
		"native --calls --pseudo", "explain 99999",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct shown s = show(rows[i]);

		if (s.status != EXIT_USAGE || *s.out || strncmp(s.err, "judge: ", 7) != 0)
			fail_msg("judge policy %s: exit status %d\n%s%s", rows[i], s.status, s.out, s.err);
		shown_free(&s);
	}
	expect("--help", "judge policy diff A B");
	expect("none", "no filter at all");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_are_listed, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(a_text_is_printed_whole, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(code_has_a_line_for_each_instruction, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(every_call_has_its_line, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(differences_are_shown, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(rules_are_explained, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(own_files_are_read, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(mistakes_have_status_2, make_folder, remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
