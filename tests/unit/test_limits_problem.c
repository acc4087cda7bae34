/*
 * sandbox/limits_problem: a problem's override of limits. Each row is a test of its own, named by
 * its sentence.
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
#define SIZED(text) (text), sizeof(text) - 1
#define OVER " is over this installation's ceiling of "

struct problem_row {
	const char *name;
	const char *text;
	size_t size;
	uint64_t time, wall, memory;	/* 0: as it was */
	const char *error;		/* how it begins */
};

static const struct problem_row problem_rows[] = {
	{ "problem: an empty object", SIZED("{}"), 0, 0, 0, NULL },
	{ "problem: whole seconds", SIZED("{\"time_limit\": 3}"), 3000000, 0, 0, NULL },
	{ "problem: a tenth is exact", SIZED("{\"time_limit\": 0.1}"), 100000, 0, 0, NULL },
	{ "problem: 1.5 seconds", SIZED("{\"time_limit\": 1.5}"), 1500000, 0, 0, NULL },
	{ "problem: 0.3 seconds, a little less in binary", SIZED("{\"time_limit\": 0.3}"), 300000, 0, 0, NULL },
	{ "problem: 1.001 seconds", SIZED("{\"time_limit\": 1.001}"), 1001000, 0, 0, NULL },
	{ "problem: an exponent is JSON", SIZED("{\"time_limit\": 2e1}"), 20000000, 0, 0, NULL },
	{ "problem: all keys, the override wins", SIZED("{\"memory_override\": 64, \"memory_limit\": 32, "
	  "\"timeout_override\": 9, \"time_limit\": 4}"), 4000000, 9000000, 67108864, NULL },
	{ "problem: the override wins behind the limit too", SIZED("{\"memory_limit\":32,\"memory_override\":64}"),
	  0, 0, 67108864, NULL },
	{ "problem: half a MiB more", SIZED("{\"memory_limit\": 1.5}"), 0, 0, 1572864, NULL },
	{ "problem: at the ceilings", SIZED("{\"time_limit\": 60, \"timeout_override\": 300.0, \"memory_limit\": 4096}"),
	  60000000, 300000000, 4294967296, NULL },
	{ "problem: over the CPU ceiling", SIZED("{\"time_limit\": 61}"), 0, 0, 0,
	  "p.json: time_limit: 61 s" OVER "60 s" },
	{ "problem: a microsecond over", SIZED("{\"time_limit\": 60.000001}"), 0, 0, 0,
	  "p.json: time_limit: 60.000001 s" OVER "60 s" },
	{ "problem: over the wall ceiling", SIZED("{\"timeout_override\": 301}"), 0, 0, 0,
	  "p.json: timeout_override: 301 s" OVER "300 s" },
	{ "problem: over the memory ceiling", SIZED("{\"memory_limit\": 4097}"), 0, 0, 0,
	  "p.json: memory_limit: 4097 MiB" OVER "4 GiB" },
	{ "problem: a limit that loses is checked", SIZED("{\"memory_override\": 64, \"memory_limit\": 4097}"), 0, 0, 0,
	  "p.json: memory_limit: 4097 MiB" OVER "4 GiB" },
	{ "problem: zero", SIZED("{\"time_limit\": 0}"), 0, 0, 0, "p.json: time_limit: 0 s is too little" },
	{ "problem: next to nothing", SIZED("{\"time_limit\": 1e-300}"), 0, 0, 0, "p.json: time_limit: 0 s is too little" },
	{ "problem: negative", SIZED("{\"time_limit\": -1}"), 0, 0, 0, "p.json: time_limit: negative" },
	{ "problem: negative decimals", SIZED("{\"memory_limit\": -0.5}"), 0, 0, 0, "p.json: memory_limit: negative" },
	{ "problem: minus zero", SIZED("{\"time_limit\": -0.0}"), 0, 0, 0, "p.json: time_limit: negative" },
	{ "problem: the largest integer", SIZED("{\"time_limit\": 9223372036854775807}"), 0, 0, 0,
	  "p.json: time_limit: negative or too large" },
	{ "problem: wraps 64 bits to a small number", SIZED("{\"memory_limit\": 17592186044417}"), 0, 0, 0,
	  "p.json: memory_limit: negative or too large" },
	{ "problem: an integer past 64 bits", SIZED("{\"time_limit\": 9223372036854775808}"), 0, 0, 0,
	  "p.json:1: too big integer" },
	{ "problem: a large real", SIZED("{\"time_limit\": 1e300}"), 0, 0, 0, "p.json: time_limit: negative or too large" },
	{ "problem: a real that overflows when scaled", SIZED("{\"time_limit\": 1.7e308}"), 0, 0, 0,
	  "p.json: time_limit: negative or too large" },
	{ "problem: a real that overflows", SIZED("{\"time_limit\": 1e400}"), 0, 0, 0, "p.json:1: real number overflow" },
	{ "problem: NaN is no JSON", SIZED("{\"time_limit\": NaN}"), 0, 0, 0, "p.json:1: invalid token" },
	{ "problem: Infinity is no JSON", SIZED("{\"time_limit\": Infinity}"), 0, 0, 0, "p.json:1: invalid token" },
	{ "problem: hex is no JSON", SIZED("{\"time_limit\": 0x10}"), 0, 0, 0, "p.json:1: " },
	{ "problem: a string", SIZED("{\"time_limit\": \"2\"}"), 0, 0, 0,
	  "p.json: time_limit: use a number of seconds, not a string" },
	{ "problem: null", SIZED("{\"memory_limit\": null}"), 0, 0, 0,
	  "p.json: memory_limit: use a number of MiB, not null" },
	{ "problem: true", SIZED("{\"memory_override\": true}"), 0, 0, 0,
	  "p.json: memory_override: use a number of MiB, not true" },
	{ "problem: an array", SIZED("{\"timeout_override\": [1]}"), 0, 0, 0,
	  "p.json: timeout_override: use a number of seconds, not an array" },
	{ "problem: an unknown key", SIZED("{\"time_limit\": 1, \"time\": 1}"), 0, 0, 0,
	  "p.json: unknown key 'time' (known: " },
	{ "problem: an unknown key with an escape", SIZED("{\"\\u001b[2J\": 1}"), 0, 0, 0,
	  "p.json: unknown key '\\x1b[2J'" },
	{ "problem: an empty key", SIZED("{\"\": 1}"), 0, 0, 0, "p.json: unknown key ''" },
	{ "problem: a key with a NUL behind a known one", SIZED("{\"time_limit\\u0000x\": 1}"), 0, 0, 0, "p.json:1: " },
	{ "problem: a key twice", SIZED("{\"time_limit\": 1,\n \"time_limit\": 1}"), 0, 0, 0,
	  "p.json:2: duplicate object key near '\"time_limit\"'" },
	{ "problem: good keys before a bad one change nothing", SIZED("{\"time_limit\": 1, \"memory_override\": -1}"),
	  0, 0, 0, "p.json: memory_override: negative" },
	{ "problem: an array for an object", SIZED("[]"), 0, 0, 0, "p.json: must be a JSON object" },
	{ "problem: a number for an object", SIZED("1"), 0, 0, 0, "p.json: must be a JSON object" },
	{ "problem: an empty file", SIZED(""), 0, 0, 0, "p.json:1: " },
	{ "problem: text behind the object", SIZED("{} {}"), 0, 0, 0, "p.json:1: end of file expected" },
	{ "problem: a NUL byte behind the object", SIZED("{}\0"), 0, 0, 0, "p.json:1: " },
	{ "problem: cut short", SIZED("{\"time_limit\": 1"), 0, 0, 0, "p.json:1: " },
	{ "problem: not UTF-8", SIZED("{\"\xff\": 1}"), 0, 0, 0, "p.json:1: unable to decode" },
	{ "problem: CRLF", SIZED("{\r\n\"time_limit\": 1\r\n}\r\n"), 1000000, 0, 0, NULL },
};

static void test_problem(void **state)
{
	const struct problem_row *row = *state;
	struct limits_site site;
	struct limits l, wanted;
	struct err e = { 0 };

	limits_site_init(&site);
	wanted = l = site.initial[PHASE_RUN];
	wanted.value[LIMIT_TIME] = row->time ? row->time : l.value[LIMIT_TIME];
	wanted.value[LIMIT_WALL_TIME] = row->wall ? row->wall : l.value[LIMIT_WALL_TIME];
	wanted.value[LIMIT_MEMORY] = row->memory ? row->memory : l.value[LIMIT_MEMORY];
	if (limits_problem_read(&l, "p.json", row->text, row->size, &site, &e) < 0) {
		assert_int_equal(e.kind, ERR_USAGE);
		assert_non_null(row->error);
		if (strncmp(e.text, row->error, strlen(row->error)) != 0)
			assert_string_equal(e.text, row->error);
	} else {
		assert_null(row->error);
	}
	assert_memory_equal(&l, &wanted, sizeof(l));
}

/* A million of open brackets must not use up the judge's stack. */
static void test_problem_nested(void **state)
{
	static const char *const starts[] = { "{\"time_limit\":", "" };
	autofree char *text = malloc(MILLION);
	struct limits_site site;
	struct limits l;
	struct err e;

	(void)state;
	assert_non_null(text);
	limits_site_init(&site);
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		memset(text, '[', MILLION);
		memcpy(text, starts[i], strlen(starts[i]));
		assert_int_equal(limits_problem_read(&l, "p.json", text, MILLION, &site, &e), -1);
		assert_non_null(strstr(e.text, "p.json:1: maximum parsing depth"));
	}
}

static void test_problem_million_digits(void **state)
{
	static const char start[] = "{\"time_limit\": ";
	autofree char *text = malloc(MILLION);
	struct limits_site site;
	struct limits l;
	struct err e;

	(void)state;
	assert_non_null(text);
	limits_site_init(&site);
	memset(text, '9', MILLION);
	memcpy(text, start, strlen(start));
	text[MILLION - 1] = '}';
	assert_int_equal(limits_problem_read(&l, "p.json", text, MILLION, &site, &e), -1);
	assert_memory_equal(e.text, "p.json:1: too big integer", 25);
}

static const struct CMUnitTest single_tests[] = {
	cmocka_unit_test(test_problem_nested),
	cmocka_unit_test(test_problem_million_digits),
};

/* One cmocka test per row; a row's first member is its name. */
#define ADD_ROWS(rows, function)                                              \
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)                         \
		tests[count++] = (struct CMUnitTest){ .name = (rows)[i].name, \
			.test_func = (function), .initial_state = (void *)(uintptr_t)&(rows)[i] }

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(problem_rows) + ARRAY_SIZE(single_tests)];
	size_t count = 0;

	ADD_ROWS(problem_rows, test_problem);
	memcpy(tests + count, single_tests, sizeof(single_tests));
	return cmocka_run_group_tests_name("limits_problem", tests, NULL, NULL);
}
