/*
 * base/options: command lines. Each row is a test of its own, named by its sentence.
 */
#include "base/array.h"
#include "base/fd.h"
#include "base/options.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka has one that takes nothing */

#define MILLION 1000000

/* A million of `c`, then `tail`. */
static char *million(char c, const char *tail)
{
	char *text = malloc(MILLION + strlen(tail) + 1);

	assert_non_null(text);
	memset(text, c, MILLION);
	strcpy(text + MILLION, tail);
	return text;
}

/* Writes "name=value;" for each option that is set. */
struct heard {
	char text[256];
};

static int hear(void *into, const struct option_row *row, const char *value, struct err *e)
{
	struct heard *h = into;
	const size_t used = strlen(h->text);

	if (value && strcmp(value, "bad") == 0)
		return fail_usage(e, "'%s': use good", value);
	if (value && strcmp(value, "named") == 0)
		return fail_usage(e, "--time: said by the handler");
	if (value && strcmp(value, "gone") == 0) {
		fail(e, ENOENT, "cannot open it");
		return fail_cure(e, "make it");
	}
	snprintf(h->text + used, sizeof(h->text) - used, "%s%ld=%s;", row->name, row->key, value ? value : "-");
	return 0;
}

static const struct option_row options[] = {
	{ "limits", "time", 't', "SECONDS", "CPU time", hear, 1 },
	{ NULL, "wall-time", 0, "SECONDS", "time on the clock", hear, 2 },
	{ NULL, "memory", 'm', "BYTES", "memory", hear, 3 },
	{ "results", "quiet", 'q', NULL, "say less", hear, 4 },
	{ NULL, "verbose", 'v', NULL, "say more", hear, 5 },
	{ NULL, "fd", 0, NULL, "a short name", hear, 6 },
};

struct option_case {
	const char *name;
	const char *words[6];		/* behind argv[0] */
	const char *heard;		/* NULL: an error, which `error` is the text of */
	int rest;
	const char *error;
};

static const struct option_case option_cases[] = {
	{ "options: none", { NULL }, "", 1, NULL },
	{ "options: a value as its own word", { "--time", "2", "a" }, "time1=2;", 3, NULL },
	{ "options: a value behind an equals sign", { "--time=2", "a" }, "time1=2;", 2, NULL },
	{ "options: an empty value", { "--time=", "a" }, "time1=;", 2, NULL },
	{ "options: an empty word as value", { "--time", "", "a" }, "time1=;", 3, NULL },
	{ "options: a value with equals signs", { "--time=a=b" }, "time1=a=b;", 2, NULL },
	{ "options: a value that looks like an option", { "--time", "--quiet" }, "time1=--quiet;", 3, NULL },
	{ "options: a negative value is the handler's", { "--time", "-1" }, "time1=-1;", 3, NULL },
	{ "options: a letter and a word", { "-t", "2" }, "time1=2;", 3, NULL },
	{ "options: a letter and its value", { "-t2" }, "time1=2;", 2, NULL },
	{ "options: a letter without value", { "-q", "-v" }, "quiet4=-;verbose5=-;", 3, NULL },
	{ "options: letters together", { "-qvt2" }, "quiet4=-;verbose5=-;time1=2;", 2, NULL },
	{ "options: again and in order", { "-t1", "-m2", "-t3" }, "time1=1;memory3=2;time1=3;", 4, NULL },
	{ "options: the first other word ends them", { "-q", "a", "-v" }, "quiet4=-;", 2, NULL },
	{ "options: two dashes end them", { "-q", "--", "-v" }, "quiet4=-;", 3, NULL },
	{ "options: two dashes as value", { "--time", "--" }, "time1=--;", 3, NULL },
	{ "options: a dash alone is a word", { "-", "-v" }, "", 1, NULL },
	{ "options: an empty word is a word", { "", "-v" }, "", 1, NULL },
	{ "options: unknown, the nearest is named", { "--tme", "2" }, NULL, 0,
	  "--tme: unknown option, did you mean --time?" },
	{ "options: two letters swapped", { "--memroy=1" }, NULL, 0,
	  "--memroy: unknown option, did you mean --memory?" },
	{ "options: a swap counts as one mistake", { "--df" }, NULL, 0, "--df: unknown option, did you mean --fd?" },
	{ "options: an abbreviation is not taken", { "--mem", "2" }, NULL, 0,
	  "--mem: unknown option, did you mean --memory?" },
	{ "options: a longer name is not taken", { "--times", "2" }, NULL, 0,
	  "--times: unknown option, did you mean --time?" },
	{ "options: an abbreviation beats a shorter name", { "--wall" }, NULL, 0,
	  "--wall: unknown option, did you mean --wall-time?" },
	{ "options: upper case is another name", { "--Time" }, NULL, 0,
	  "--Time: unknown option, did you mean --time?" },
	{ "options: unknown, none is near", { "--network" }, NULL, 0, "--network: unknown option (see --help)" },
	{ "options: an unknown letter", { "-x" }, NULL, 0, "-x: unknown option (see --help)" },
	{ "options: an unknown letter behind a known one", { "-qx" }, NULL, 0, "-x: unknown option (see --help)" },
	{ "options: an unknown letter that is a control character", { "-\x1b" }, NULL, 0,
	  "-\\x1b: unknown option (see --help)" },
	{ "options: no name", { "--=x" }, NULL, 0, "--: unknown option (see --help)" },
	{ "options: a value for none", { "--quiet=1" }, NULL, 0, "--quiet: takes no value" },
	{ "options: an empty value for none", { "--quiet=" }, NULL, 0, "--quiet: takes no value" },
	{ "options: the value is missing", { "--time" }, NULL, 0, "--time: SECONDS is missing" },
	{ "options: a letter's value is missing", { "-qt" }, NULL, 0, "-t: SECONDS is missing" },
	{ "options: refused by the handler", { "--time=bad" }, NULL, 0, "--time: 'bad': use good" },
	{ "options: refused by letter", { "-tbad" }, NULL, 0, "-t: 'bad': use good" },
	{ "options: named once only", { "--time", "named" }, NULL, 0, "--time: said by the handler" },
	{ "options: an errno stays", { "--time", "gone" }, NULL, 0,
	  "--time: cannot open it: No such file or directory" },
};

static void test_options(void **state)
{
	const struct option_case *row = *state;
	char *argv[8] = { (char *)"judge" };
	struct heard h = { "" };
	struct err e = { 0 };
	int argc = 1, rest = 77, result;

	for (; row->words[argc - 1]; argc++)
		argv[argc] = (char *)row->words[argc - 1];
	result = options_parse(options, ARRAY_SIZE(options), argc, argv, &h, &rest, &e);
	if (row->heard) {
		assert_int_equal(result, 0);
		assert_string_equal(h.text, row->heard);
		assert_int_equal(rest, row->rest);
		return;
	}
	assert_int_equal(result, -1);
	assert_string_equal(e.text, row->error);
	assert_int_equal(rest, 77);
	assert_int_equal(e.kind, e.number == ENOENT ? ERR_INTERNAL : ERR_USAGE);
	assert_string_equal(e.cure, e.number == ENOENT ? "make it" : "");
}

static void test_options_million(void **state)
{
	autofree char *letters = million('x', "=1");
	char *argv[] = { (char *)"judge", letters, NULL };
	struct heard h = { "" };
	struct err e;
	int rest;

	(void)state;
	letters[0] = letters[1] = '-';
	assert_int_equal(options_parse(options, ARRAY_SIZE(options), 2, argv, &h, &rest, &e), -1);
	assert_string_equal(e.text, "--xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...: unknown option (see --help)");
	assert_int_equal(options_parse(options, ARRAY_SIZE(options), 0, argv, &h, &rest, NULL), 0);
}

static const struct CMUnitTest single_tests[] = {
	cmocka_unit_test(test_options_million),
};

/* One cmocka test per row; a row's first member is its name. */
#define ADD_ROWS(rows, function)                                              \
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)                         \
		tests[count++] = (struct CMUnitTest){ .name = (rows)[i].name, \
			.test_func = (function), .initial_state = (void *)(uintptr_t)&(rows)[i] }

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(option_cases) + ARRAY_SIZE(single_tests)];
	size_t count = 0;

	ADD_ROWS(option_cases, test_options);
	memcpy(tests + count, single_tests, sizeof(single_tests));
	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
