/*
 * sandbox/limits: the table, single values, limits that follow others. Each row is a test of its
 * own, named by its sentence.
 */
#include "base/array.h"
#include "base/fd.h"
#include "sandbox/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MILLION 1000000

struct table_row {
	const char *name;
	enum limit limit;
	uint64_t initial, initial_compile, most;
};

static const struct table_row table_rows[] = {
	{ "time", LIMIT_TIME, 2000000, 20000000, 60000000 },
	{ "wall-time", LIMIT_WALL_TIME, 30000000, 60000000, 300000000 },
	{ "extra-time", LIMIT_EXTRA_TIME, 0, 0, 60000000 },
	{ "memory", LIMIT_MEMORY, 268435456, 2147483648, 4294967296 },
	{ "processes", LIMIT_PROCESSES, 64, 64, 1024 },
	{ "open-files", LIMIT_OPEN_FILES, 256, 256, 1024 },
	{ "disk", LIMIT_DISK, 67108864, 536870912, 1073741824 },
	{ "inodes", LIMIT_INODES, 4096, 4096, 1048576 },
	{ "output", LIMIT_OUTPUT, 10485760, 1048576, 104857600 },
	{ "cpus", LIMIT_CPUS, 1000, 1000, LIMIT_NONE },
	{ "stack", LIMIT_STACK, LIMIT_FOLLOWS, LIMIT_FOLLOWS, LIMIT_NONE },
	{ "file-size", LIMIT_FILE_SIZE, LIMIT_FOLLOWS, LIMIT_FOLLOWS, LIMIT_NONE },
};
_Static_assert(ARRAY_SIZE(table_rows) == LIMIT_COUNT, "each limit as promised");

/* A row says what was promised, can be found by its name alone, and has a default that it permits. */
static void test_table(void **state)
{
	const struct table_row *promised = *state;
	const struct limit_row *row = &limit_rows[promised->limit];
	struct limits_site site;

	limits_site_init(&site);
	assert_int_equal(limit_find(promised->name, strlen(promised->name)), promised->limit);
	assert_int_equal(limit_find(promised->name, strlen(promised->name) - 1), -1);
	assert_true(site.initial[PHASE_RUN].value[promised->limit] == promised->initial);
	assert_true(site.initial[PHASE_COMPILE].value[promised->limit] == promised->initial_compile);
	assert_true(site.most[promised->limit] == promised->most);
	assert_true(row->least <= promised->initial && row->least <= promised->initial_compile);
	if (promised->initial != LIMIT_FOLLOWS)
		assert_true(promised->initial <= row->most && promised->initial_compile <= row->most);
	assert_true((promised->initial == LIMIT_FOLLOWS) == (row->follows >= 0));
	assert_true(row->help[0] && row->exceeding[0]);
}

struct set_row {
	const char *name;
	enum limit limit;
	const char *by, *text;
	uint64_t value;
	const char *error;	/* NULL: `value` */
};

#define OVER " is over this installation's ceiling of "

static const struct set_row set_rows[] = {
	{ "set: a time at its ceiling", LIMIT_TIME, "--time", "60", 60000000, NULL },
	{ "set: a microsecond over the ceiling", LIMIT_TIME, "--time", "60.000001", 0,
	  "--time: 60.000001 s" OVER "60 s" },
	{ "set: far over the ceiling", LIMIT_TIME, "--time", "1000000000000", 0,
	  "--time: 1000000000000 s" OVER "60 s" },
	{ "set: the shortest time", LIMIT_TIME, "--time", "1ms", 1000, NULL },
	{ "set: shorter than the shortest", LIMIT_TIME, "--time", "999us", 0,
	  "--time: 0.000999 s is too little: at least 0.001 s" },
	{ "set: no time", LIMIT_TIME, "--time", "0", 0, "--time: 0 s is too little: at least 0.001 s" },
	{ "set: hours", LIMIT_TIME, "--time", "2h", 0, "--time: '2h': use seconds, as in 2 or 0.5 (at most 60)" },
	{ "set: not a number", LIMIT_TIME, "--time", "nan", 0,
	  "--time: 'nan': use seconds, as in 2 or 0.5 (at most 60)" },
	{ "set: negative", LIMIT_TIME, "--time", "-1", 0, "--time: '-1': use seconds, as in 2 or 0.5 (at most 60)" },
	{ "set: an exponent", LIMIT_TIME, "--time", "1e3", 0,
	  "--time: '1e3': use seconds, as in 2 or 0.5 (at most 60)" },
	{ "set: empty", LIMIT_TIME, "--time", "", 0, "--time: '': use seconds, as in 2 or 0.5 (at most 60)" },
	{ "set: time without limit", LIMIT_TIME, "--time", "unlimited", 0,
	  "--time: 'unlimited': use seconds, as in 2 or 0.5 (at most 60)" },
	{ "set: an escape sequence is not repeated as it is", LIMIT_TIME, "--time", "\x1b[2J\n", 0,
	  "--time: '\\x1b[2J\\x0a': use seconds, as in 2 or 0.5 (at most 60)" },
	{ "set: an Arabic one", LIMIT_TIME, "--time", "١", 0,
	  "--time: '١': use seconds, as in 2 or 0.5 (at most 60)" },
	{ "set: a text of 40 bytes is shown whole", LIMIT_TIME, "--time", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 0,
	  "--time: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa': use seconds, as in 2 or 0.5 (at most 60)" },
	{ "set: a longer one is cut between characters", LIMIT_TIME, "--time",
	  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaé", 0,
	  "--time: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...': use seconds, as in 2 or 0.5 (at most 60)" },
	{ "set: without an origin", LIMIT_TIME, NULL, "2h", 0, "'2h': use seconds, as in 2 or 0.5 (at most 60)" },
	{ "set: over the ceiling without an origin", LIMIT_WALL_TIME, NULL, "301", 0, "301 s" OVER "300 s" },
	{ "set: no extra time", LIMIT_EXTRA_TIME, "--extra-time", "0", 0, NULL },
	{ "set: memory at its ceiling", LIMIT_MEMORY, "--memory", "4G", 4294967296, NULL },
	{ "set: a byte over the ceiling", LIMIT_MEMORY, "--memory", "4294967297", 0,
	  "--memory: 4294967297 bytes" OVER "4 GiB" },
	{ "set: least memory", LIMIT_MEMORY, "--memory", "1M", 1048576, NULL },
	{ "set: a byte less", LIMIT_MEMORY, "--memory", "1048575", 0,
	  "--memory: 1048575 bytes is too little: at least 1 MiB" },
	{ "set: memory in words", LIMIT_MEMORY, "--memory", "lots", 0,
	  "--memory: 'lots': use bytes or K, M, G, as in 64M (at most 4GiB)" },
	{ "set: overflow by the suffix", LIMIT_MEMORY, "--memory", "17179869185G", 0,
	  "--memory: '17179869185G': use bytes or K, M, G, as in 64M (at most 4GiB)" },
	{ "set: one process", LIMIT_PROCESSES, "--processes", "1", 1, NULL },
	{ "set: no process", LIMIT_PROCESSES, "--processes", "0", 0, "--processes: 0 is too little: at least 1" },
	{ "set: processes at the ceiling", LIMIT_PROCESSES, "--processes", "1024", 1024, NULL },
	{ "set: one process too many", LIMIT_PROCESSES, "--processes", "1025", 0, "--processes: 1025" OVER "1024" },
	{ "set: half a process", LIMIT_PROCESSES, "--processes", "1.5", 0,
	  "--processes: '1.5': use a whole number, as in 64 (at most 1024)" },
	{ "set: open files past the ceiling", LIMIT_OPEN_FILES, "--open-files", "1025", 0,
	  "--open-files: 1025" OVER "1024" },
	{ "set: a disk of no bytes would be one without limit", LIMIT_DISK, "--disk", "0", 0,
	  "--disk: 0 bytes is too little: at least 4 KiB" },
	{ "set: disk past the ceiling", LIMIT_DISK, "--disk", "1073741825", 0, "--disk: 1073741825 bytes" OVER "1 GiB" },
	{ "set: inodes at the ceiling", LIMIT_INODES, "--inodes", "1048576", 1048576, NULL },
	{ "set: inodes past the ceiling", LIMIT_INODES, "--inodes", "1048577", 0, "--inodes: 1048577" OVER "1048576" },
	{ "set: no output is a limit", LIMIT_OUTPUT, "--output", "0", 0, NULL },
	{ "set: output past the ceiling", LIMIT_OUTPUT, "--output", "101M", 0, "--output: 101 MiB" OVER "100 MiB" },
	{ "set: half a CPU", LIMIT_CPUS, "--cpus", "0.5", 500, NULL },
	{ "set: CPUs without limit", LIMIT_CPUS, "--cpus", "unlimited", LIMIT_NONE, NULL },
	{ "set: CPUs in words", LIMIT_CPUS, "--cpus", "all", 0, "--cpus: 'all': use a number of CPUs, as in 1 or 0.5" },
	{ "set: no CPU", LIMIT_CPUS, "--cpus", "0", 0, "--cpus: 0 is too little: at least 0.01" },
	{ "set: stack without limit", LIMIT_STACK, "--stack", "unlimited", LIMIT_NONE, NULL },
	{ "set: stack", LIMIT_STACK, "--stack", "64M", 67108864, NULL },
	{ "set: files of no bytes", LIMIT_FILE_SIZE, "--file-size", "0", 0, NULL },
};

static void test_set(void **state)
{
	const struct set_row *row = *state;
	struct limits_site site;
	struct limits l, before;
	struct err e = { 0 };

	limits_site_init(&site);
	before = l = site.initial[PHASE_RUN];
	if (row->error) {
		assert_int_equal(limit_set(&l, row->limit, row->text, &site, row->by, &e), -1);
		assert_string_equal(e.text, row->error);
		assert_int_equal(e.kind, ERR_USAGE);
		assert_memory_equal(&l, &before, sizeof(l));
		assert_int_equal(limit_set(&l, row->limit, row->text, &site, row->by, NULL), -1);
		return;
	}
	assert_int_equal(limit_set(&l, row->limit, row->text, &site, row->by, &e), 0);
	assert_true(l.value[row->limit] == row->value);
	before.value[row->limit] = row->value;
	assert_memory_equal(&l, &before, sizeof(l));
}

static void test_set_cure(void **state)
{
	struct limits_site site;
	struct limits l;
	struct err e;

	(void)state;
	limits_site_init(&site);
	assert_int_equal(limit_set(&l, LIMIT_MEMORY, "8G", &site, "--memory", &e), -1);
	assert_string_equal(e.cure, "an administrator can raise it in the limits file: memory most 8GiB");
	site.most[LIMIT_CPUS] = 2000;
	assert_int_equal(limit_set(&l, LIMIT_CPUS, "unlimited", &site, "--cpus", &e), -1);
	assert_string_equal(e.text, "--cpus: unlimited" OVER "2");
}

static void test_set_million(void **state)
{
	autofree char *text = malloc(MILLION + 1);
	struct limits_site site;
	struct limits l;
	struct err e;

	(void)state;
	assert_non_null(text);
	memset(text, '9', MILLION);
	text[MILLION] = '\0';
	limits_site_init(&site);
	assert_int_equal(limit_set(&l, LIMIT_TIME, text, &site, "--time", &e), -1);
	assert_string_equal(e.text, "--time: '9999999999999999999999999999999999999999...': "
				    "use seconds, as in 2 or 0.5 (at most 60)");
}

struct finish_row {
	const char *name;
	uint64_t memory, disk, stack, file_size;
	uint64_t ret_stack, ret_file_size;
	const char *error;
};

static const struct finish_row finish_rows[] = {
	{ "finish: both follow", MIB, GIB, LIMIT_FOLLOWS, LIMIT_FOLLOWS, MIB, GIB, NULL },
	{ "finish: both without limit follow", MIB, GIB, LIMIT_NONE, LIMIT_NONE, MIB, GIB, NULL },
	{ "finish: both below stay", 2 * MIB, GIB, MIB, MIB, MIB, MIB, NULL },
	{ "finish: both equal stay", MIB, GIB, MIB, GIB, MIB, GIB, NULL },
	{ "finish: none is not zero", MIB, GIB, MIB, 0, MIB, 0, NULL },
	{ "finish: memory without limit", LIMIT_NONE, GIB, LIMIT_FOLLOWS, 1, LIMIT_NONE, 1, NULL },
	{ "finish: a stack of any size in memory without limit", LIMIT_NONE, GIB, 64 * GIB, 1, 64 * GIB, 1, NULL },
	{ "finish: a stack one byte over", MIB, GIB, MIB + 1, 0, 0, 0,
	  "the stack limit of 1048577 bytes is over the memory limit of 1 MiB" },
	{ "finish: a file one byte over", MIB, GIB, MIB, GIB + 1, 0, 0,
	  "the file-size limit of 1073741825 bytes is over the disk limit of 1 GiB" },
};

static void test_finish(void **state)
{
	const struct finish_row *row = *state;
	struct limits_site site;
	struct limits l;
	struct err e;

	limits_site_init(&site);
	l = site.initial[PHASE_RUN];
	l.value[LIMIT_MEMORY] = row->memory;
	l.value[LIMIT_DISK] = row->disk;
	l.value[LIMIT_STACK] = row->stack;
	l.value[LIMIT_FILE_SIZE] = row->file_size;
	assert_int_equal(limits_finish(&l, &e), row->error ? -1 : 0);
	if (row->error) {
		assert_string_equal(e.text, row->error);
		assert_int_equal(e.kind, ERR_USAGE);
		return;
	}
	assert_true(l.value[LIMIT_STACK] == row->ret_stack);
	assert_true(l.value[LIMIT_FILE_SIZE] == row->ret_file_size);
	assert_int_equal(limits_finish(&l, &e), 0);
	assert_true(l.value[LIMIT_STACK] == row->ret_stack);
}

static const struct CMUnitTest single_tests[] = {
	cmocka_unit_test(test_set_cure),
	cmocka_unit_test(test_set_million),
};

/* One cmocka test per row; a row's first member is its name. */
#define ADD_ROWS(rows, function)                                              \
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)                         \
		tests[count++] = (struct CMUnitTest){ .name = (rows)[i].name, \
			.test_func = (function), .initial_state = (void *)(uintptr_t)&(rows)[i] }

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(table_rows) + ARRAY_SIZE(set_rows) + ARRAY_SIZE(finish_rows) +
				ARRAY_SIZE(single_tests)];
	size_t count = 0;

	ADD_ROWS(table_rows, test_table);
	ADD_ROWS(set_rows, test_set);
	ADD_ROWS(finish_rows, test_finish);
	memcpy(tests + count, single_tests, sizeof(single_tests));
	return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
