/*
 * report/audit: the line's fields, lines of parallel judges, and disks that are full.
 */
#include "base/array.h"
#include "base/fd.h"
#include "report/audit.h"
#include "tests/unit/sample.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- the line */

static void test_line(void **state)
{
	struct result r = sample_result();
	autofree char *line = audit_line(&r);

	(void)state;
	assert_string_equal(line,
		"{\"timestamp\":\"2023-11-14T22:13:20.123Z\",\"task_id\":\"t-1\",\"language\":\"cpp\","
		"\"user\":\"u-1\",\"result\":\"success\",\"verdict\":\"OK\",\"execution_time_ms\":1015.499,"
		"\"cpu_time_ms\":12.999,\"memory_mb\":1.907,\"exit_code\":0,\"signal\":null,"
		"\"oom_killed\":false,\"setup_ms\":3.004,\"teardown_ms\":1000.007,\"problem\":null,"
		"\"test\":null}\n");
}

static void test_line_unstarted(void **state)
{
	struct result r = sample_result();
	autofree char *line = NULL;

	(void)state;
	r.outcome = (struct outcome){ .error = { .kind = ERR_INTERNAL, .text = "no" } };
	r.task_id = r.user = r.language = NULL;
	r.problem = "hello";
	r.test = "secret/01";
	judge_outcome(&r.limits, &r.outcome, PHASE_RUN, &r.judgement);
	line = audit_line(&r);
	assert_string_equal(line,
		"{\"timestamp\":\"2023-11-14T22:13:20.123Z\",\"task_id\":null,\"language\":null,"
		"\"user\":null,\"result\":\"internal_error\",\"verdict\":\"IE\",\"execution_time_ms\":null,"
		"\"cpu_time_ms\":null,\"memory_mb\":null,\"exit_code\":null,\"signal\":null,"
		"\"oom_killed\":false,\"setup_ms\":null,\"teardown_ms\":null,\"problem\":\"hello\","
		"\"test\":\"secret/01\"}\n");
}

static const struct result_row {
	const char *name;
	struct outcome o;
	enum phase phase;
	const char *result, *verdict;
} result_rows[] = {
	{ "killed for time is a timeout", { .started = true, .ended_by = ENDED_TIME }, PHASE_RUN, "timeout", "TLE" },
	{ "killed for wall time is a timeout", { .started = true, .ended_by = ENDED_WALL_TIME }, PHASE_RUN,
	  "timeout", "WTL" },
	{ "an OOM kill", { .started = true, .oom_kills = 1 }, PHASE_RUN, "memory_exceeded", "MLE" },
	{ "too much output", { .started = true, .stdout_over = true }, PHASE_RUN, "output_exceeded", "OLE" },
	{ "a signal", { .started = true, .has_status = true, .wait_status = SIGSEGV }, PHASE_RUN,
	  "runtime_error", "RTE" },
	{ "a refused call", { .started = true, .refused = "ptrace" }, PHASE_RUN, "security_violation", "SV" },
	{ "a failing compiler", { .started = true, .has_status = true, .wait_status = 1 << 8 },
	  PHASE_COMPILE, "compile_error", "CE" },
	{ "a slow compiler", { .started = true, .ended_by = ENDED_TIME }, PHASE_COMPILE, "timeout", "CTL" },
};

static void test_result(void **state)
{
	const struct result_row *row = *state;
	struct result r = sample_result();
	autofree char *line = NULL;
	json_t *object;

	r.outcome = row->o;
	judge_outcome(&r.limits, &r.outcome, row->phase, &r.judgement);
	line = audit_line(&r);
	object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(object);
	assert_string_equal(json_string_value(json_object_get(object, "result")), row->result);
	assert_string_equal(json_string_value(json_object_get(object, "verdict")), row->verdict);
	assert_int_equal(json_is_true(json_object_get(object, "oom_killed")), row->o.oom_kills > 0);
	json_decref(object);
}

/* What the caller names a task or a user comes back exactly, on one line of plain ASCII. */
static void test_hostile(void **state)
{
	const char *task = "a\nb\"\\\x1b[2J\x7f \xe2\x80\xae \xc2\x85 \xf0\x9f\x98\x80 },{";
	struct result r = sample_result();
	autofree char *line = NULL;
	json_t *object;

	(void)state;
	r.task_id = task;
	r.user = "\xff" "ab\xed\xa0\x80";
	r.language = r.test = "\n";
	line = audit_line(&r);
	assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
	for (const char *p = line; p[1]; p++)
		assert_true((unsigned char)*p >= 0x20 && (unsigned char)*p < 0x80);
	object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(object);
	assert_string_equal(json_string_value(json_object_get(object, "task_id")), task);
	assert_string_equal(json_string_value(json_object_get(object, "user")), "\\xff" "ab\\xed\\xa0\\x80");
	assert_string_equal(json_string_value(json_object_get(object, "language")), "\n");
	json_decref(object);
}

/* ---- the log */

static bool file_is(const char *path, const char *text)
{
	autofree char *there = file_text(path);

	if (strcmp(there, text) == 0)
		return true;
	dprintf(2, "%s holds: %s\n", path, there);
	return false;
}

static int body_append(void)
{
	struct stat st;

	umask(0);
	CHECK(audit_append("log", "one\n", NULL) == 0);
	CHECK(audit_append("log", "two\n", NULL) == 0);
	CHECK(file_is("log", "one\ntwo\n"));
	CHECK(stat("log", &st) == 0 && (st.st_mode & 07777) == 0640);
	return 0;
}

static int append_fails(const char *path, int number, const char *words)
{
	struct err e = { 0 };
	autoclose int before = dup(0);
	int after;

	CHECK(audit_append(path, "line\n", &e) == -1);
	/* Not to be opened is the caller's mistake, not to be written is the host's. */
	CHECK(e.kind == (strstr(words, "open") ? ERR_USAGE : ERR_INTERNAL));
	CHECK(e.kind == ERR_USAGE || e.number == number);
	CHECK(strstr(e.text, strerror(number)));
	CHECK(strstr(e.text, path) && strstr(e.text, words));
	after = dup(0);
	CHECK(after == before + 1);
	close(after);
	return 0;
}

static int body_refused(void)
{
	struct err e;

	CHECK(mkdir("folder", 0700) == 0);
	CHECK(mkfifo("fifo", 0600) == 0);
	CHECK(append_fails("folder", EISDIR, "cannot open the audit file") == 0);
	CHECK(append_fails("missing/log", ENOENT, "cannot open the audit file") == 0);
	CHECK(append_fails("fifo", ENXIO, "cannot open the audit file") == 0);
	CHECK(audit_append("fifo", "line\n", &e) == -1 && strstr(e.cure, "FIFO"));
	CHECK(append_fails("/dev/full", ENOSPC, "cannot append to the audit file") == 0);
	CHECK(audit_append("/dev/null", "line\n", NULL) == 0);
	return 0;
}

/* A reader that does not read makes an error, not a judge that hangs. */
static int body_fifo(void)
{
	char text[64] = "";
	int reader, r = 0;
	struct err e;

	CHECK(mkfifo("fifo", 0600) == 0);
	reader = open("fifo", O_RDONLY | O_NONBLOCK);
	CHECK(audit_append("fifo", "line\n", NULL) == 0);
	CHECK(read(reader, text, sizeof(text)) == 5 && strcmp(text, "line\n") == 0);
	for (int i = 0; r == 0 && i < 1000000; i++)
		r = audit_append("fifo", "line\n", &e);
	CHECK(r == -1 && e.number == EAGAIN);
	close(reader);
	return 0;
}

/* The half of a line that fits in is taken out again. */
static int body_file_size(void)
{
	const struct rlimit small = { 20, 20 };
	struct err e;

	CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	CHECK(audit_append("log", "0123456789012\n", NULL) == 0);
	CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
	CHECK(audit_append("log", "a line too long\n", &e) == -1);
	CHECK(e.kind == ERR_INTERNAL && strstr(e.text, "6 of 16 bytes") && strstr(e.text, "taken out again"));
	CHECK(file_is("log", "0123456789012\n"));
	CHECK(audit_append("log", "fits\n", NULL) == 0);
	CHECK(file_is("log", "0123456789012\nfits\n"));
	CHECK(audit_append("log", "x\n", &e) == -1);	/* one byte fits */
	CHECK(file_is("log", "0123456789012\nfits\n"));
	CHECK(audit_append("log", "\n", &e) == 0);
	CHECK(audit_append("log", "x\n", &e) == -1 && e.number == EFBIG);	/* none does */
	CHECK(file_is("log", "0123456789012\nfits\n\n"));
	return 0;
}

/* Somebody else holds the lock for ever: the line goes in all the same, and soon. */
static int body_lock_held(void)
{
	struct timespec begin, end;
	const struct rlimit small = { 10, 10 };
	struct err e;
	int fd;

	CHECK(audit_append("log", "one\n", NULL) == 0);
	fd = open("log", O_RDONLY);
	CHECK(fd >= 0 && flock(fd, LOCK_EX) == 0);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	CHECK(audit_append("log", "two\n", NULL) == 0);
	clock_gettime(CLOCK_MONOTONIC, &end);
	CHECK(end.tv_sec - begin.tv_sec < 5);
	CHECK(file_is("log", "one\ntwo\n"));
	/* Without the lock nothing is taken back: another's line could be lost. */
	CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &small) == 0);
	CHECK(audit_append("log", "three\n", &e) == -1 && strstr(e.text, "are still there"));
	CHECK(file_is("log", "one\ntwo\nth"));
	return 0;
}

#define NOT_POSSIBLE 77

static int body_full_disk(void)
{
	char line[1001];
	struct stat before, after;
	struct err e = { 0 };
	int r = 0;

	if (small_disk_mount() < 0 || chdir("disk") < 0)
		return NOT_POSSIBLE;
	memset(line, 'x', sizeof(line) - 2);
	strcpy(line + sizeof(line) - 2, "\n");
	CHECK(audit_append("log", line, &e) == 0);
	for (int i = 0; r == 0 && i < 1000; i++) {
		CHECK(stat("log", &before) == 0);
		r = audit_append("log", line, &e);
	}
	CHECK(r == -1);
	CHECK(e.kind == ERR_INTERNAL && strstr(e.text, "cannot append to the audit file log"));
	CHECK(stat("log", &after) == 0);
	CHECK(before.st_size == after.st_size && after.st_size % 1000 == 0 && after.st_size > 60000);
	return 0;
}

static const struct body_row {
	const char *name;
	int (*body)(void);
} body_rows[] = {
	{ "lines are appended, the file is 0640", body_append },
	{ "what cannot be opened or written is named", body_refused },
	{ "a FIFO", body_fifo },
	{ "a size limit leaves whole lines", body_file_size },
	{ "a lock that is never given back", body_lock_held },
	{ "a full disk leaves whole lines", body_full_disk },
};

static void test_body(void **state)
{
	const struct body_row *row = *state;
	char *folder = folder_make();
	const int r = in_child(row->body);

	folder_remove(folder);
	if (r == NOT_POSSIBLE) {
		print_message("%s: needs a mount namespace\n", row->name);
		skip();
	}
	assert_int_equal(r, 0);
}

/* ---- parallel judges */

#define WRITERS 8
#define LINES 200

/* The length differs from line to line, up to several pages. */
static char *parallel_line(int writer, int i)
{
	struct result r = sample_result();
	char task[32], *user = calloc(1, 10001), *line;

	snprintf(task, sizeof(task), "%d/%d", writer, i);
	memset(user, 'a' + writer, (size_t)(i * 7919 + writer * 13) % 10000);
	r.task_id = task;
	r.user = user;
	line = audit_line(&r);
	free(user);
	return line;
}

static int write_many(int writer)
{
	for (int i = 0; i < LINES; i++) {
		autofree char *line = parallel_line(writer, i);

		CHECK(audit_append("log", line, NULL) == 0);
	}
	return 0;
}

static void test_parallel(void **state)
{
	char *folder = folder_make(), *text, *save = NULL;
	int next[WRITERS] = { 0 }, count = 0, status;

	(void)state;
	for (int w = 0; w < WRITERS; w++)
		if (fork() == 0)
			_exit(write_many(w));
	for (int w = 0; w < WRITERS; w++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	text = file_text("log");
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		json_t *object = json_loads(line, 0, NULL);
		int writer, i;

		assert_non_null(object);
		assert_int_equal(sscanf(json_string_value(json_object_get(object, "task_id")), "%d/%d",
					&writer, &i), 2);
		assert_in_range(writer, 0, WRITERS - 1);
		assert_int_equal(i, next[writer]++); /* each judge's in its order */
		json_decref(object);
		{
			autofree char *expected = parallel_line(writer, i);

			expected[strlen(expected) - 1] = '\0';
			assert_string_equal(line, expected);
		}
		count++;
	}
	assert_int_equal(count, WRITERS * LINES);
	free(text);
	folder_remove(folder);
}

/* Judges whose lines are cut at a size limit, beside judges whose are not: only whole lines are left. */
static int write_cut(void)
{
	const struct rlimit small = { 30000, 30000 };

	CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &small) == 0);
	for (int i = 0; i < LINES; i++) {
		autofree char *line = parallel_line(0, i);

		(void)audit_append("log", line, NULL);
	}
	return 0;
}

static void test_parallel_cut(void **state)
{
	char *folder = folder_make(), *text, *save = NULL;
	int lines = 0, status;
	size_t size;

	(void)state;
	for (int w = 0; w < 4; w++)
		if (fork() == 0)
			_exit(write_cut());
	for (int w = 0; w < 4; w++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	text = file_text("log");
	size = strlen(text);
	assert_true(size > 0 && size <= 30000);
	assert_int_equal(text[size - 1], '\n');
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		json_t *object = json_loads(line, 0, NULL);

		assert_non_null(object);
		json_decref(object);
		lines++;
	}
	assert_true(lines >= 3);
	free(text);
	folder_remove(folder);
}

static const struct CMUnitTest single_tests[] = {
	cmocka_unit_test(test_line),
	cmocka_unit_test(test_line_unstarted),
	cmocka_unit_test(test_hostile),
	cmocka_unit_test(test_parallel),
	cmocka_unit_test(test_parallel_cut),
};

/* One cmocka test per row; a row's first member is its name. */
#define ADD_ROWS(rows, function)                                              \
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)                         \
		tests[count++] = (struct CMUnitTest){ .name = (rows)[i].name, \
			.test_func = (function), .initial_state = (void *)(uintptr_t)&(rows)[i] }

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(result_rows) + ARRAY_SIZE(body_rows) + ARRAY_SIZE(single_tests)];
	size_t count = 0;

	ADD_ROWS(result_rows, test_result);
	ADD_ROWS(body_rows, test_body);
	memcpy(tests + count, single_tests, sizeof(single_tests));
	return cmocka_run_group_tests_name("audit", tests, NULL, NULL);
}
