/*
 * report/meta, fields, escape and human: what is written of a run. The lines are read back by a parser of
 * this file's own, the JSON by jansson, and both must say the same.
 */
#include "base/array.h"
#include "base/fd.h"
#include "report/escape.h"
#include "report/human.h"
#include "report/meta.h"
#include "tests/unit/sample.h"

#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SECOND ((uint64_t)1000000)

/* ---- the whole text of one run */

static void test_lines(void **state)
{
	struct result r = sample_result();
	autofree char *text = meta_lines(&r);

	(void)state;
	assert_string_equal(text,
		"time:0.012\ntime-wall:1.015\nmax-rss:1500\ncsw-voluntary:3\ncsw-forced:4\ncg-mem:1953\n"
		"exitcode:0\nverdict:OK\ntime-user:0.008\ntime-sys:0.004\nmem-peak:2000000\n"
		"stdout-bytes:6\nstderr-bytes:0\nsetup:0.003004\nteardown:1.000007\nlanguage:cpp\n"
		"policy:default\nroot:host\nenforced-time:cgroup-v2\nenforced-wall-time:rlimit\n"
		"enforced-extra-time:rlimit\nenforced-memory:cgroup-v2\nenforced-processes:cgroup-v2\n"
		"enforced-open-files:rlimit\nenforced-disk:rlimit\nenforced-inodes:rlimit\n"
		"enforced-output:rlimit\nenforced-cpus:cgroup-v2\nenforced-stack:rlimit\n"
		"enforced-file-size:rlimit\nmeasured-cpu:cgroup-v2\nmeasured-wall:timer\n"
		"measured-memory:cgroup-v2\ncgroup:v2\nlandlock:7\nprocesses-peak:2\n");
}

static void test_json(void **state)
{
	struct result r = sample_result();
	autofree char *text = meta_json(&r);
	const char *begin = "{\"time\": 0.012, \"time-wall\": 1.015, \"max-rss\": 1500, ";
	const char *end = "\"landlock\": 7, \"processes-peak\": 2, \"result\": \"success\", "
			  "\"execution_time_ms\": 1015.499, \"cpu_time_ms\": 12.999, \"memory_mb\": 1.907, "
			  "\"exit_code\": 0, \"signal\": null, \"oom_killed\": false}\n";

	(void)state;
	assert_memory_equal(text, begin, strlen(begin));
	assert_string_equal(text + strlen(text) - strlen(end), end);
}

/* ---- isolate's keys, a row for each way to end */

struct end_row {
	const char *name;
	struct outcome o;	/* measured and enforced are the sample's when it started */
	const char *keys;	/* the lines before "verdict" */
	const char *verdict;
	uint64_t time_us;	/* CPU time limit; 0: the built-in one */
};

#define RUN .started = true, .has_status = true, .cpu_us = 12999, .wall_us = 15000
#define FIGURES "time:0.012\ntime-wall:0.015\nmax-rss:0\ncsw-voluntary:0\ncsw-forced:0\ncg-mem:0\n"

static const struct end_row end_rows[] = {
	{ "exit 0", { RUN }, FIGURES "exitcode:0\n", .verdict = "OK" },
	{ "exit 3", { RUN, .wait_status = 3 << 8 },
	  FIGURES "exitcode:3\nstatus:RE\nmessage:exited with status 3\n", .verdict = "RTE" },
	{ "a signal", { RUN, .wait_status = SIGFPE },
	  FIGURES "exitsig:8\nstatus:SG\nmessage:killed by signal 8 (SIGFPE)\n", .verdict = "RTE" },
	{ "killed for CPU time: no exitsig", { RUN, .ended_by = ENDED_TIME, .wait_status = SIGKILL },
	  FIGURES "killed:1\nstatus:TO\nmessage:CPU time limit exceeded (limit 2 s)\n", .verdict = "TLE" },
	{ "killed for wall time: the message has wall", { RUN, .ended_by = ENDED_WALL_TIME,
	  .wait_status = SIGKILL },
	  FIGURES "killed:1\nstatus:TO\nmessage:wall time limit exceeded (limit 30 s)\n", .verdict = "WTL" },
	{ "exit 0 too late: not killed, no exitcode", { .started = true, .has_status = true,
	  .cpu_us = 2 * SECOND + 999, .wall_us = 15000 },
	  "time:2.000\ntime-wall:0.015\nmax-rss:0\ncsw-voluntary:0\ncsw-forced:0\ncg-mem:0\n"
	  "status:TO\nmessage:CPU time limit exceeded (limit 2 s)\n", .verdict = "TLE" },
	{ "a signal too late: not killed, exitsig", { RUN, .wait_status = SIGSEGV },
	  FIGURES "exitsig:11\nstatus:TO\nmessage:CPU time limit exceeded (limit 0.01 s)\n", .verdict = "TLE",
	  .time_us = 10000 },
	{ "OOM kill", { RUN, .oom_kills = 2, .wait_status = SIGKILL }, FIGURES
	  "cg-oom-killed:1\nexitsig:9\nstatus:SG\nmessage:memory limit exceeded (limit 256 MiB)\n", .verdict = "MLE" },
	{ "OOM kill before the start has no figures", { .oom_kills = 1 },
	  "cg-oom-killed:1\nexitsig:9\nstatus:SG\n"
	  "message:the memory limit is too small to start the program (limit 256 MiB)\n", .verdict = "MLE" },
	{ "killed for output", { RUN, .stdout_over = true, .ended_by = ENDED_OUTPUT,
	  .wait_status = SIGKILL }, FIGURES "exitsig:9\nkilled:1\nstatus:SG\n"
	  "message:output limit exceeded (limit 10 MiB) on stdout\n", .verdict = "OLE" },
	{ "exit 0 after too much output is still a failure", { RUN, .stderr_over = true },
	  FIGURES "exitcode:0\nstatus:RE\nmessage:output limit exceeded (limit 10 MiB) on stderr\n", .verdict = "OLE" },
	{ "a refused call", { RUN, .ended_by = ENDED_REFUSED, .refused = "ptrace", .wait_status = SIGKILL },
	  FIGURES "exitsig:9\nkilled:1\nstatus:SG\nmessage:system call refused: ptrace\n", .verdict = "SV" },
	{ "interrupted", { RUN, .ended_by = ENDED_SIGNAL, .judge_signal = SIGTERM,
	  .wait_status = SIGKILL }, FIGURES "exitsig:15\nkilled:1\nstatus:SG\n"
	  "message:interrupted by signal 15 (SIGTERM)\n", .verdict = "IE" },
	{ "interrupted as it exited", { RUN, .ended_by = ENDED_SIGNAL, .judge_signal = SIGINT },
	  FIGURES "exitsig:2\nkilled:1\nstatus:SG\nmessage:interrupted by signal 2 (SIGINT)\n", .verdict = "IE" },
	{ "an error before the start has nothing else", { .error = { .kind = ERR_INTERNAL,
	  .text = "cannot mount /proc: no" }, .setup_us = 5 },
	  "status:XX\nmessage:cannot mount /proc: no\n", .verdict = "IE" },
	{ "execve failed", { .exec_errno = 2, .program = "./a" },
	  "status:RE\nmessage:cannot start ./a: No such file or directory\n", .verdict = "RTE" },
};

static struct result end_result(const struct end_row *row)
{
	struct result r = sample_result();
	struct outcome o = row->o;

	if (o.started) {
		memcpy(o.measured, r.outcome.measured, sizeof(o.measured));
		memcpy(o.enforced, r.outcome.enforced, sizeof(o.enforced));
		o.cgroup_version = 2;
	}
	r.outcome = o;
	if (row->time_us)
		r.limits.value[LIMIT_TIME] = row->time_us;
	judge_outcome(&r.limits, &r.outcome, PHASE_RUN, &r.judgement);
	return r;
}

static void test_end(void **state)
{
	const struct end_row *row = *state;
	struct result r = end_result(row);
	autofree char *text = meta_lines(&r);
	char *verdict = strstr(text, "verdict:");

	assert_non_null(verdict);
	assert_memory_equal(verdict + strlen("verdict:"), row->verdict, strlen(row->verdict));
	if (!row->o.started) {
		assert_null(strstr(text, "\nenforced-"));
		assert_null(strstr(text, "\nsetup:"));
		assert_null(strstr(text, "\nstdout-bytes:"));
		assert_null(strstr(text, "\ncgroup:"));
	}
	*verdict = '\0';
	assert_string_equal(text, row->keys);
}

/* ---- the lines and the JSON object say the same */

/* Takes the next "key:value" off *text. Fails the test for anything that is no such line. */
static bool next_line(char **text, char **ret_key, char **ret_value)
{
	char *line = *text, *end = strchr(line, '\n'), *colon;

	if (!*line)
		return false;
	assert_non_null(end);
	*end = '\0';
	colon = strchr(line, ':');
	assert_non_null(colon);
	*colon = '\0';
	assert_int_equal(strspn(line, "abcdefghijklmnopqrstuvwxyz-"), strlen(line));
	*ret_key = line;
	*ret_value = colon + 1;
	*text = end + 1;
	return true;
}

static void assert_same_value(const json_t *value, const char *text)
{
	char number[64];

	if (json_is_string(value)) {
		assert_string_equal(json_string_value(value), text);
	} else if (json_is_integer(value)) {
		snprintf(number, sizeof(number), "%lld", (long long)json_integer_value(value));
		assert_string_equal(number, text);
	} else {
		assert_true(json_is_real(value));
		snprintf(number, sizeof(number), "%.*f", (int)strlen(strchr(text, '.')) - 1,
			 json_real_value(value));
		assert_string_equal(number, text);
	}
}

static void assert_same_fields(const struct result *r)
{
	static const char *const more[] = { "result", "execution_time_ms", "cpu_time_ms", "memory_mb",
					    "exit_code", "signal", "oom_killed" };
	autofree char *lines = meta_lines(r);
	autofree char *text = meta_json(r);
	json_error_t error;
	json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	char *at = lines, *key, *value;
	void *field;

	assert_non_null(object);
	assert_int_equal(strchr(text, '\n') - text, strlen(text) - 1);
	field = json_object_iter(object);
	while (next_line(&at, &key, &value)) {
		assert_non_null(field);
		assert_string_equal(json_object_iter_key(field), key);
		assert_same_value(json_object_iter_value(field), value);
		field = json_object_iter_next(object, field);
	}
	for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
		assert_non_null(field);
		assert_string_equal(json_object_iter_key(field), more[i]);
		field = json_object_iter_next(object, field);
	}
	assert_null(field);
	json_decref(object);
}

static void test_end_same(void **state)
{
	struct result r = end_result(*state);

	assert_same_fields(&r);
}

/* Every byte, then what has a meaning of its own. */
static void hostile_fill(char *text, size_t size, int first)
{
	size_t n = 0;

	for (int c = first; c < 256 && n < size - 1; c++)
		text[n++] = (char)(c ? c : 1);
	text[n] = '\0';
	strncat(text, "\nverdict:OK\r\nexitcode:0\xe2\x80\xae\xc2\x85\xf0\x9f\x98\x80\xed\xa0\x80",
		size - n - 1);
}

static void test_hostile(void **state)
{
	struct result r = sample_result(), plain = sample_result();
	char language[512];
	autofree char *text = NULL, *expected = NULL;
	size_t lines = 0, expected_lines = 0;

	(void)state;
	hostile_fill(language, sizeof(language), 1);
	hostile_fill(r.judgement.message, sizeof(r.judgement.message), 1);
	hostile_fill(r.outcome.refused, sizeof(r.outcome.refused), 1);
	hostile_fill(r.outcome.notice, sizeof(r.outcome.notice), 128);
	r.language = r.policy = r.root = language;
	strcpy(plain.judgement.message, "m");
	strcpy(plain.outcome.refused, "r");
	strcpy(plain.outcome.notice, "n");
	text = meta_lines(&r);
	expected = meta_lines(&plain);
	for (const char *p = text; *p; p++) {
		lines += *p == '\n';
		assert_true(*p == '\n' || (unsigned char)*p >= 0x20);
		assert_int_not_equal((unsigned char)*p, 0x7f);
	}
	for (const char *p = expected; *p; p++)
		expected_lines += *p == '\n';
	assert_int_equal(lines, expected_lines);
	assert_null(strstr(text, "\xe2\x80\xae"));
	assert_null(strstr(text, "\xc2\x85"));
	assert_non_null(strstr(text, "\xf0\x9f\x98\x80")); /* an emoji is a letter like others */
	assert_same_fields(&r);
}

static void test_huge_figures(void **state)
{
	struct result r = sample_result();

	(void)state;
	r.outcome.stdout_bytes = UINT64_MAX;
	r.outcome.mem_peak_bytes = UINT64_MAX;
	r.outcome.csw_forced = INT64_MAX;
	r.outcome.processes_refused = (uint64_t)INT64_MAX + 1;
	assert_same_fields(&r);
}

static void test_unmeasured(void **state)
{
	struct result r = sample_result();
	autofree char *text = NULL;

	(void)state;
	memset(r.outcome.measured, BY_NOTHING, sizeof(r.outcome.measured));
	text = meta_lines(&r);
	assert_memory_equal(text, "max-rss:", 8);
	assert_null(strstr(text, "\ntime-user:"));
	assert_null(strstr(text, "\nmem-peak:"));
	assert_non_null(strstr(text, "\nmeasured-cpu:none\n"));
	assert_same_fields(&r);
}

static void test_cpu_parts_unknown(void **state)
{
	struct result r = sample_result();
	autofree char *text = NULL;

	(void)state;
	r.outcome.user_us = r.outcome.sys_us = 0;
	text = meta_lines(&r);
	assert_null(strstr(text, "\ntime-user:"));
}

static void test_v1(void **state)
{
	struct result r = sample_result();
	autofree char *text = NULL, *none = NULL;

	(void)state;
	r.outcome.measured[FIGURE_MEMORY] = BY_CGROUP_V1;
	r.outcome.cgroup_version = 1;
	text = meta_lines(&r);
	assert_non_null(strstr(text, "\ncg-mem:1953\n"));
	assert_non_null(strstr(text, "\ncgroup:v1\n"));
	r.outcome.measured[FIGURE_MEMORY] = BY_POLLING;
	r.outcome.cgroup_version = 0;
	none = meta_lines(&r);
	assert_null(strstr(none, "\ncg-mem:"));
	assert_non_null(strstr(none, "\nmem-peak:2000000\n"));
	assert_non_null(strstr(none, "\ncgroup:none\n"));
}

/* ---- escapes */

static const struct escape_row {
	const char *name, *raw, *text, *bytes; /* escape_text, escape_bytes */
} escape_rows[] = {
	{ "plain text", "a b~", "a b~", "a b~" },
	{ "nothing", "", "", "" },
	{ "a newline", "a\nb", "a\\nb", "a\nb" },
	{ "a tab, a return, an escape", "\t\r\x1b[2J", "\\x09\\x0d\\x1b[2J", "\t\r\x1b[2J" },
	{ "DEL", "\x7f", "\\x7f", "\x7f" },
	{ "C1: NEL", "\xc2\x85", "\\xc2\\x85", "\xc2\x85" },
	{ "the last of C1", "\xc2\x9f", "\\xc2\\x9f", "\xc2\x9f" },
	{ "one past C1", "\xc2\xa0", "\xc2\xa0", "\xc2\xa0" },
	{ "umlaut, euro, emoji", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
	  "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80" },
	{ "U+2027 stays, U+2028 does not", "\xe2\x80\xa7\xe2\x80\xa8", "\xe2\x80\xa7\\xe2\\x80\\xa8",
	  "\xe2\x80\xa7\xe2\x80\xa8" },
	{ "U+202A and U+202E, U+202F stays", "\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf",
	  "\\xe2\\x80\\xaa\\xe2\\x80\\xae\xe2\x80\xaf", "\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf" },
	{ "U+2065 stays, U+2066 to U+2069 do not, U+206A stays",
	  "\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa",
	  "\xe2\x81\xa5\\xe2\\x81\\xa6\\xe2\\x81\\xa9\xe2\x81\xaa",
	  "\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa" },
	{ "a lone continuation", "\x80z", "\\x80z", "\\x80z" },
	{ "a cut character", "\xe2\x82", "\\xe2\\x82", "\\xe2\\x82" },
	{ "a cut character before a letter", "\xf0\x9f\x98z", "\\xf0\\x9f\\x98z", "\\xf0\\x9f\\x98z" },
	{ "an overlong slash", "\xc0\xaf", "\\xc0\\xaf", "\\xc0\\xaf" },
	{ "overlong in three", "\xe0\x9f\xbf\xe0\xa0\x80", "\\xe0\\x9f\\xbf\xe0\xa0\x80",
	  "\\xe0\\x9f\\xbf\xe0\xa0\x80" },
	{ "overlong in four", "\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf", "\\xf0\\x8f\\xbf\\xbf" },
	{ "a surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80" },
	{ "beyond U+10FFFF", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", "\\xf4\\x90\\x80\\x80" },
	{ "no lead byte", "\xff\xfe\xf8", "\\xff\\xfe\\xf8", "\\xff\\xfe\\xf8" },
	{ "a backslash", "\\n", "\\n", "\\n" },
};

static void test_escape(void **state)
{
	const struct escape_row *row = *state;
	autofree char *text = escape_text(row->raw);
	autofree char *again = escape_text(text);
	autofree char *bytes = escape_bytes(row->raw);

	assert_string_equal(text, row->text);
	assert_string_equal(again, text);
	assert_string_equal(bytes, row->bytes);
}

/* ---- the line for people */

static void assert_human(const struct result *r, const char *expected)
{
	autofree char *line = human_line(r);

	assert_string_equal(line, expected);
}

static void test_human(void **state)
{
	struct result r = sample_result();

	(void)state;
	assert_human(&r, "OK   0.012 s CPU, 1.015 s wall, 1.9 MiB");
	r.outcome.mem_peak_bytes = MIB - 1;
	assert_human(&r, "OK   0.012 s CPU, 1.015 s wall, 1023 KiB");
	r.outcome.mem_peak_bytes = 3 * GIB / 2;
	assert_human(&r, "OK   0.012 s CPU, 1.015 s wall, 1.50 GiB");
	r.outcome.cpu_us = 2001000;
	judge_outcome(&r.limits, &r.outcome, PHASE_RUN, &r.judgement);
	r.outcome.cgroup_version = 1;
	assert_human(&r, "TLE  CPU time limit exceeded (limit 2 s): 2.001 s CPU, 1.015 s wall, 1.50 GiB "
			 "[cgroup v1]");
	r.outcome.measured[FIGURE_MEMORY] = BY_NOTHING;
	assert_human(&r, "TLE  CPU time limit exceeded (limit 2 s): 2.001 s CPU, 1.015 s wall [cgroup v1]");
}

static void test_human_enforcement(void **state)
{
	struct result r = sample_result();

	(void)state;
	r.outcome.enforced[LIMIT_CPUS] = BY_AFFINITY;
	assert_human(&r, "OK   0.012 s CPU, 1.015 s wall, 1.9 MiB [cpus by affinity]");
	r.outcome.cgroup_version = 0;
	r.outcome.enforced[LIMIT_TIME] = BY_CLOCKS;
	r.outcome.enforced[LIMIT_MEMORY] = BY_POLLING;
	r.outcome.enforced[LIMIT_PROCESSES] = BY_RLIMIT;
	assert_human(&r, "OK   0.012 s CPU, 1.015 s wall, 1.9 MiB [no cgroup: time by process-clocks, "
			 "memory by polling, processes by rlimit, cpus by affinity]");
	r.limits.value[LIMIT_MEMORY] = LIMIT_NONE;
	r.outcome.enforced[LIMIT_CPUS] = BY_NOTHING;
	strcpy(r.outcome.notice, "of the meta file alone");
	assert_human(&r, "OK   0.012 s CPU, 1.015 s wall, 1.9 MiB [no cgroup: time by process-clocks, "
			 "processes by rlimit, cpus by none]");
}

static void test_human_unstarted(void **state)
{
	struct result r = sample_result();

	(void)state;
	r.outcome.started = false;
	r.outcome.error.kind = ERR_INTERNAL;
	strcpy(r.outcome.error.text, "cannot clone\x1b: no");
	strcpy(r.outcome.error.cure, "sysctl x");
	judge_outcome(&r.limits, &r.outcome, PHASE_RUN, &r.judgement);
	assert_human(&r, "IE   cannot clone\\x1b: no; sysctl x");
}

static const struct CMUnitTest single_tests[] = {
	cmocka_unit_test(test_lines),
	cmocka_unit_test(test_json),
	cmocka_unit_test(test_hostile),
	cmocka_unit_test(test_huge_figures),
	cmocka_unit_test(test_unmeasured),
	cmocka_unit_test(test_cpu_parts_unknown),
	cmocka_unit_test(test_v1),
	cmocka_unit_test(test_human),
	cmocka_unit_test(test_human_enforcement),
	cmocka_unit_test(test_human_unstarted),
};

/* One cmocka test per row; a row's first member is its name. */
#define ADD_ROWS(rows, function)                                              \
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)                         \
		tests[count++] = (struct CMUnitTest){ .name = (rows)[i].name, \
			.test_func = (function), .initial_state = (void *)(uintptr_t)&(rows)[i] }

int main(void)
{
	struct CMUnitTest tests[2 * ARRAY_SIZE(end_rows) + ARRAY_SIZE(escape_rows) +
				ARRAY_SIZE(single_tests)];
	char same[ARRAY_SIZE(end_rows)][128];
	size_t count = 0;

	ADD_ROWS(end_rows, test_end);
	for (size_t i = 0; i < ARRAY_SIZE(end_rows); i++) {
		snprintf(same[i], sizeof(same[i]), "lines and JSON agree: %s", end_rows[i].name);
		tests[count++] = (struct CMUnitTest){ .name = same[i], .test_func = test_end_same,
			.initial_state = (void *)(uintptr_t)&end_rows[i] };
	}
	ADD_ROWS(escape_rows, test_escape);
	memcpy(tests + count, single_tests, sizeof(single_tests));
	return cmocka_run_group_tests_name("meta", tests, NULL, NULL);
}
