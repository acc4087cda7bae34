/*
 * sandbox/limits_file: an installation's limits. Each row is a test of its own, named by its
 * sentence.
 */
#include "base/array.h"
#include "base/fd.h"
#include "sandbox/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MILLION 1000000
#define SIZED(text) (text), sizeof(text) - 1
#define OVER " is over this installation's ceiling of "

/* One value that the file is to change, or that it must not. */
enum part { RUN, COMPILE, MOST, FIRST_UID, LAST_UID };

struct file_row {
	const char *name;
	const char *text;
	size_t size;
	enum part part;
	enum limit limit;
	uint64_t value;
	const char *error;	/* how it begins; NULL: `value` */
};

static const struct file_row file_rows[] = {
	{ "file: empty", SIZED(""), RUN, LIMIT_TIME, 2000000, NULL },
	{ "file: a value", SIZED("time 3\n"), RUN, LIMIT_TIME, 3000000, NULL },
	{ "file: a value leaves the compile step alone", SIZED("time 3\n"), COMPILE, LIMIT_TIME, 20000000, NULL },
	{ "file: no final newline", SIZED("time 3"), RUN, LIMIT_TIME, 3000000, NULL },
	{ "file: CRLF", SIZED("# x\r\ntime 3\r\nmemory 64M\r\n"), RUN, LIMIT_MEMORY, 67108864, NULL },
	{ "file: CRLF without a final newline", SIZED("time 3\r"), RUN, LIMIT_TIME, 3000000, NULL },
	{ "file: blank lines, blanks and tabs", SIZED("\n \t\n\t time \t 3 \t\n\n"), RUN, LIMIT_TIME, 3000000, NULL },
	{ "file: comments", SIZED("# all\n  # x\ntime 3 # three\n#time 4"), RUN, LIMIT_TIME, 3000000, NULL },
	{ "file: a '#' inside a word is no comment", SIZED("time 3#4\n"), RUN, LIMIT_TIME, 0,
	  "L:1: time: '3#4': use seconds" },
	{ "file: a ceiling alone", SIZED("time most 90\n"), MOST, LIMIT_TIME, 90000000, NULL },
	{ "file: a value and its ceiling, the value", SIZED("time 80 most 90\n"), RUN, LIMIT_TIME, 80000000, NULL },
	{ "file: a value and its ceiling, the ceiling", SIZED("time 80 most 90\n"), MOST, LIMIT_TIME, 90000000, NULL },
	{ "file: the ceiling on a later line", SIZED("time 80\ntime most 80\n"), RUN, LIMIT_TIME, 80000000, NULL },
	{ "file: a compile step", SIZED("compile.memory 1G\n"), COMPILE, LIMIT_MEMORY, 1073741824, NULL },
	{ "file: a compile step leaves the run alone", SIZED("compile.memory 1G\n"), RUN, LIMIT_MEMORY, 268435456, NULL },
	{ "file: inodes", SIZED("inodes 100"), RUN, LIMIT_INODES, 100, NULL },
	{ "file: a ceiling where there was none", SIZED("cpus most 2"), MOST, LIMIT_CPUS, 2000, NULL },
	{ "file: no ceiling where there was none", SIZED("cpus most unlimited"), MOST, LIMIT_CPUS, LIMIT_NONE, NULL },
	{ "file: no ceiling where there has to be one", SIZED("time most unlimited"), MOST, LIMIT_TIME, 0,
	  "L:1: time most: 'unlimited': use seconds" },
	{ "file: stack", SIZED("stack 8M"), RUN, LIMIT_STACK, 8388608, NULL },
	{ "file: uids, the first", SIZED("uids 70000-70099"), FIRST_UID, 0, 70000, NULL },
	{ "file: uids, the last", SIZED("uids 70000-70099"), LAST_UID, 0, 70099, NULL },
	{ "file: one uid", SIZED("uids 5-5"), LAST_UID, 0, 5, NULL },
	{ "file: the largest uid", SIZED("uids 1-4294967294"), LAST_UID, 0, 4294967294, NULL },
	{ "file: one past the largest uid", SIZED("uids 1-4294967295"), LAST_UID, 0, 0, "L:1: uids: from 1 to 4294967294" },
	{ "file: uids of root", SIZED("uids 0-5"), FIRST_UID, 0, 0, "L:1: uids: from 1" },
	{ "file: uids that wrap to root", SIZED("uids 4294967296-4294967297"), FIRST_UID, 0, 0, "L:1: uids: from 1" },
	{ "file: uids backwards", SIZED("uids 6-5"), FIRST_UID, 0, 0, "L:1: uids: from 1" },
	{ "file: a uid alone", SIZED("uids 5"), FIRST_UID, 0, 0, "L:1: uids: write two numbers" },
	{ "file: uids with blanks", SIZED("uids 5 - 6"), FIRST_UID, 0, 0, "L:1: uids: write two numbers" },
	{ "file: uids without a last", SIZED("uids 5-"), FIRST_UID, 0, 0, "L:1: uids: write two numbers" },
	{ "file: uids with a minus", SIZED("uids -5-6"), FIRST_UID, 0, 0, "L:1: uids: write two numbers" },
	{ "file: uids of nothing", SIZED("uids"), FIRST_UID, 0, 0, "L:1: uids: write two numbers" },
	{ "file: uids twice", SIZED("uids 5-6\nuids 7-8"), FIRST_UID, 0, 0, "L:2: uids is set already, by line 1" },
	{ "file: an unknown name", SIZED("time 3\ntimes 3\n"), RUN, LIMIT_TIME, 0, "L:2: unknown name 'times'" },
	{ "file: an unknown name of the compile step", SIZED("compile.times 3\n"), RUN, LIMIT_TIME, 0,
	  "L:1: unknown name 'compile.times'" },
	{ "file: a name in upper case", SIZED("Time 3"), RUN, LIMIT_TIME, 0, "L:1: unknown name 'Time'" },
	{ "file: an equals sign", SIZED("time=3"), RUN, LIMIT_TIME, 0, "L:1: unknown name 'time=3'" },
	{ "file: a name alone", SIZED("time"), RUN, LIMIT_TIME, 0, "L:1: time: write 'time VALUE'" },
	{ "file: most of nothing", SIZED("time most"), RUN, LIMIT_TIME, 0, "L:1: time: write 'time VALUE'" },
	{ "file: a value and most of nothing", SIZED("time 3 most"), RUN, LIMIT_TIME, 0, "L:1: time: write" },
	{ "file: two values", SIZED("time 3 4"), RUN, LIMIT_TIME, 0, "L:1: time: write" },
	{ "file: a word too many", SIZED("time 3 most 4 5"), RUN, LIMIT_TIME, 0, "L:1: time: write" },
	{ "file: many words too many", SIZED("time 3 most 4 5 6 7 8"), RUN, LIMIT_TIME, 0, "L:1: time: write" },
	{ "file: most twice", SIZED("time most 4 most 5"), RUN, LIMIT_TIME, 0, "L:1: time: write" },
	{ "file: not a number", SIZED("time 2h"), RUN, LIMIT_TIME, 0,
	  "L:1: time: '2h': use seconds, as in 2 or 0.5 (at most 60)" },
	{ "file: negative", SIZED("memory -1"), RUN, LIMIT_MEMORY, 0, "L:1: memory: '-1': use bytes" },
	{ "file: an exponent", SIZED("time 1e1"), RUN, LIMIT_TIME, 0, "L:1: time: '1e1'" },
	{ "file: too little", SIZED("processes 0"), RUN, LIMIT_PROCESSES, 0, "L:1: processes: 0 is too little: at least 1" },
	{ "file: a ceiling too low for anything", SIZED("processes most 0"), MOST, LIMIT_PROCESSES, 0,
	  "L:1: processes most: 0 is too little" },
	{ "file: at the ceiling", SIZED("time 60"), RUN, LIMIT_TIME, 60000000, NULL },
	{ "file: over the built-in ceiling", SIZED("\ntime 60.000001"), RUN, LIMIT_TIME, 0,
	  "L:2: time: the default of 60.000001 s" OVER "60 s" },
	{ "file: over its own ceiling", SIZED("time 5 most 4"), RUN, LIMIT_TIME, 0,
	  "L:1: time: the default of 5 s" OVER "4 s" },
	{ "file: the built-in default gives way to a lower ceiling", SIZED("#\nprocesses most 32"), RUN,
	  LIMIT_PROCESSES, 32, NULL },
	{ "file: so does the compile step's", SIZED("memory most 1G"), COMPILE, LIMIT_MEMORY, 1073741824, NULL },
	{ "file: a default of the file over its ceiling", SIZED("#\nprocesses 64 most 32"), RUN, LIMIT_PROCESSES, 0,
	  "L:2: processes: the default of 64" OVER "32" },
	{ "file: the same with a compile row", SIZED("memory most 1G\ncompile.memory 1G"), MOST, LIMIT_MEMORY,
	  1073741824, NULL },
	{ "file: a compile row over the ceiling", SIZED("compile.time 61"), COMPILE, LIMIT_TIME, 0,
	  "L:1: compile.time: the default of 61 s" OVER "60 s" },
	{ "file: a ceiling of the compile step", SIZED("compile.time most 61"), MOST, LIMIT_TIME, 0,
	  "L:1: compile.time: a ceiling holds for both, write: time most 61" },
	{ "file: a ceiling of what follows", SIZED("stack most 61M"), MOST, LIMIT_STACK, 0,
	  "L:1: stack most: its ceiling is the memory limit" },
	{ "file: a stack larger than the memory", SIZED("#\nstack 257M\n"), RUN, LIMIT_STACK, 0,
	  "L:2: the stack limit of 257 MiB is over the memory limit of 256 MiB" },
	{ "file: a file larger than the compile step's disk", SIZED("compile.file-size 1G"), COMPILE, LIMIT_FILE_SIZE, 0,
	  "L:1: compile: the file-size limit of 1 GiB is over the disk limit of 512 MiB" },
	{ "file: memory smaller than the stack", SIZED("stack 64M\n\nmemory 32M"), RUN, LIMIT_STACK, 0,
	  "L:3: the stack limit of 64 MiB is over the memory limit of 32 MiB" },
	{ "file: a value twice", SIZED("time 3\n\ntime 3\n"), RUN, LIMIT_TIME, 0, "L:3: time is set already, by line 1" },
	{ "file: a ceiling twice", SIZED("time 3 most 4\ntime most 4\n"), RUN, LIMIT_TIME, 0,
	  "L:2: time most is set already, by line 1" },
	{ "file: a compile value twice", SIZED("compile.time 3\ncompile.time 3\n"), RUN, LIMIT_TIME, 0,
	  "L:2: compile.time is set already, by line 1" },
	{ "file: a run's and a compile step's are two", SIZED("time 3\ncompile.time 4\n"), COMPILE, LIMIT_TIME, 4000000, NULL },
	{ "file: a NUL byte", SIZED("time 3\ntime\0 4\n"), RUN, LIMIT_TIME, 0, "L:2: control character \\x00" },
	{ "file: a NUL byte in a comment", SIZED("#\0\n"), RUN, LIMIT_TIME, 0, "L:1: control character \\x00" },
	{ "file: an escape", SIZED("\x1b[2J"), RUN, LIMIT_TIME, 0, "L:1: control character \\x1b" },
	{ "file: a carriage return inside a line", SIZED("time\r3\n"), RUN, LIMIT_TIME, 0, "L:1: control character \\x0d" },
	{ "file: two carriage returns", SIZED("time 3\r\r\n"), RUN, LIMIT_TIME, 0, "L:1: control character \\x0d" },
	{ "file: an audit path from nowhere", SIZED("audit log"), RUN, LIMIT_TIME, 0, "L:1: audit: give a path from the root" },
	{ "file: an audit path of nothing", SIZED("audit "), RUN, LIMIT_TIME, 0, "L:1: unknown name 'audit'" },
	{ "file: an audit path twice", SIZED("audit /a\naudit /a"), RUN, LIMIT_TIME, 0,
	  "L:2: audit is set already, by line 1" },
	{ "file: auditor is not audit", SIZED("auditor /a"), RUN, LIMIT_TIME, 0, "L:1: unknown name 'auditor'" },
};

static uint64_t part_value(const struct limits_site *site, enum part part, enum limit limit)
{
	switch (part) {
	case RUN: return site->initial[PHASE_RUN].value[limit];
	case COMPILE: return site->initial[PHASE_COMPILE].value[limit];
	case MOST: return site->most[limit];
	case FIRST_UID: return site->first_uid;
	case LAST_UID: return site->last_uid;
	}
	return 0;
}

static void test_file(void **state)
{
	const struct file_row *row = *state;
	struct limits_site site, before;
	struct err e = { 0 };
	/* A copy without a NUL behind it, for the sanitizer to see a read past the end. */
	autofree char *text = malloc(row->size ? row->size : 1);

	assert_non_null(text);
	memcpy(text, row->text, row->size);
	limits_site_init(&site);
	before = site;
	if (limits_site_read(&site, "L", text, row->size, &e) == 0) {
		assert_null(row->error);
		assert_true(part_value(&site, row->part, row->limit) == row->value);
		return;
	}
	assert_int_equal(e.kind, ERR_USAGE);
	if (!row->error || strncmp(e.text, row->error, strlen(row->error)) != 0)
		assert_string_equal(e.text, row->error ? row->error : "no error");
	assert_memory_equal(&site, &before, sizeof(site));
}

/* The file that would have each limit as it is changes nothing. */
static void test_file_each(void **state)
{
	struct limits_site site, before;
	char text[4096] = "";
	struct err e = { 0 };

	(void)state;
	limits_site_init(&site);
	before = site;
	for (int i = 0; i < LIMIT_COUNT; i++) {
		const struct limit_row *row = &limit_rows[i];
		const char *suffix = row->unit == UNIT_TIME ? "us" : "";
		const size_t used = strlen(text);

		if (row->follows < 0 && row->unit != UNIT_CPUS)
			snprintf(text + used, sizeof(text) - used, "%s %ju%s most %ju%s\ncompile.%s %ju%s\n",
				 row->name, (uintmax_t)row->initial, suffix, (uintmax_t)row->most, suffix,
				 row->name, (uintmax_t)row->initial_compile, suffix);
	}
	assert_true(strlen(text) < sizeof(text) - 1);
	assert_int_equal(limits_site_read(&site, "L", text, strlen(text), &e), 0);
	assert_memory_equal(&site, &before, sizeof(site));
}

static void test_audit(void **state)
{
	char text[5000], path[4097];
	struct limits_site site;
	struct err e;

	(void)state;
	limits_site_init(&site);
	assert_string_equal(site.audit, "");
	snprintf(text, sizeof(text), " audit\t /var/log/a b#c.jsonl  # where\n");
	assert_int_equal(limits_site_read(&site, "L", text, strlen(text), &e), 0);
	assert_string_equal(site.audit, "/var/log/a b#c.jsonl");
	memset(path, '/', sizeof(path));
	path[4095] = '\0';
	snprintf(text, sizeof(text), "audit %s", path);
	assert_int_equal(limits_site_read(&site, "L", text, strlen(text), &e), 0);
	assert_string_equal(site.audit, path);
	path[4095] = '/';
	path[4096] = '\0';
	snprintf(text, sizeof(text), "audit %s", path);
	assert_int_equal(limits_site_read(&site, "L", text, strlen(text), &e), -1);
	assert_string_equal(e.text, "L:1: audit: the path is too long");
}

/* A comment of the longest line there may be, and of one byte more. */
static void test_line_edge(void **state)
{
	struct limits_site site;
	char text[4200];
	struct err e;

	(void)state;
	limits_site_init(&site);
	memset(text, '#', sizeof(text));
	assert_int_equal(limits_site_read(&site, "L", text, 4199, &e), 0);
	assert_int_equal(limits_site_read(&site, "L", text, 4200, &e), -1);
	assert_string_equal(e.text, "L:1: the line is too long");
}

static void test_file_million(void **state)
{
	autofree char *text = malloc(MILLION), *name = malloc(MILLION);
	struct limits_site site;
	struct err e;

	(void)state;
	assert_true(text && name);
	limits_site_init(&site);
	memset(text, 'x', MILLION);
	assert_int_equal(limits_site_read(&site, "L", text, MILLION, &e), -1);
	assert_string_equal(e.text, "L:1: the line is too long");
	memset(text, '\n', MILLION);
	memcpy(text + MILLION - 6, "time 0", 6);
	memset(name, 'd', MILLION);
	memcpy(name + MILLION - 3, "/L", 3);
	assert_int_equal(limits_site_read(&site, name, text, MILLION, &e), -1);
	assert_non_null(strstr(e.text, "ddd/L:999995: time: 0 s is too little"));
}

/* Writes a limits file of that text; the caller unlinks ret_path. */
static void put_file(const char *text, char ret_path[64])
{
	int fd;

	strcpy(ret_path, "/tmp/judge-test-limits-XXXXXX");
	fd = mkstemp(ret_path);
	assert_true(fd >= 0);
	assert_int_equal(write_all(fd, text, strlen(text)), 0);
	close_fd(&fd);
}

static void test_load(void **state)
{
	char named[64], other[64];
	struct limits_site site;
	struct err e;

	(void)state;
	put_file("time 3\n", named);
	put_file("time 4\n", other);
	assert_int_equal(setenv("JUDGE_LIMITS", other, 1), 0);
	assert_int_equal(limits_site_load(&site, named, &e), 0);
	assert_true(site.initial[PHASE_RUN].value[LIMIT_TIME] == 3000000);
	assert_int_equal(limits_site_load(&site, NULL, &e), 0);
	assert_true(site.initial[PHASE_RUN].value[LIMIT_TIME] == 4000000);
	assert_int_equal(unlink(named), 0);
	assert_int_equal(unlink(other), 0);
	assert_int_equal(limits_site_load(&site, named, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	assert_non_null(strstr(e.text, named));
	assert_non_null(strstr(e.text, "No such file"));
	assert_int_equal(limits_site_load(&site, NULL, &e), -1);
	assert_non_null(strstr(e.text, other));
	assert_int_equal(limits_site_load(&site, "", &e), -1);
	assert_int_equal(limits_site_load(&site, "/", &e), -1);
	assert_non_null(strstr(e.text, "Is a directory"));
	assert_true(site.initial[PHASE_RUN].value[LIMIT_TIME] == 4000000);
}

static void test_load_absent(void **state)
{
	struct limits_site site, built_in;
	struct err e;

	(void)state;
	if (access("/etc/judge/limits", F_OK) == 0) {
		print_message("skipped: this host has /etc/judge/limits\n");
		skip();
	}
	limits_site_init(&built_in);
	assert_int_equal(unsetenv("JUDGE_LIMITS"), 0);
	assert_int_equal(limits_site_load(&site, NULL, &e), 0);
	assert_memory_equal(&site, &built_in, sizeof(site));
	assert_int_equal(setenv("JUDGE_LIMITS", "", 1), 0);
	assert_int_equal(limits_site_load(&site, NULL, &e), 0);
	assert_memory_equal(&site, &built_in, sizeof(site));
	assert_true(site.first_uid > 0 && site.first_uid <= site.last_uid);
}

static const struct CMUnitTest single_tests[] = {
	cmocka_unit_test(test_file_each), cmocka_unit_test(test_audit),
	cmocka_unit_test(test_line_edge), cmocka_unit_test(test_file_million), cmocka_unit_test(test_load),
	cmocka_unit_test(test_load_absent),
};

/* One cmocka test per row; a row's first member is its name. */
#define ADD_ROWS(rows, function)                                              \
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)                         \
		tests[count++] = (struct CMUnitTest){ .name = (rows)[i].name, \
			.test_func = (function), .initial_state = (void *)(uintptr_t)&(rows)[i] }

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(file_rows) + ARRAY_SIZE(single_tests)];
	size_t count = 0;

	ADD_ROWS(file_rows, test_file);
	memcpy(tests + count, single_tests, sizeof(single_tests));
	return cmocka_run_group_tests_name("limits_file", tests, NULL, NULL);
}
