/*
 * sandbox/verdict: facts to verdicts. Every set of facts that can hold at once is tried against the
 * order of the interface; the edges of limits and the sentences have a row each.
 */
#include "base/array.h"
#include "sandbox/verdict.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#define SECOND ((uint64_t)1000000)
#define EXITED(status) ((status) << 8)	/* as wait(2) gives it */

static struct limits sample_limits(void)
{
	struct limits l;

	for (size_t i = 0; i < LIMIT_COUNT; i++)
		l.value[i] = LIMIT_NONE;
	l.value[LIMIT_TIME] = 2 * SECOND;
	l.value[LIMIT_WALL_TIME] = 30 * SECOND;
	l.value[LIMIT_MEMORY] = 256 * MIB;
	l.value[LIMIT_OUTPUT] = 10 * MIB;
	l.value[LIMIT_FILE_SIZE] = 64 * MIB;
	return l;
}

/* A run that went well. */
static struct outcome sample_outcome(void)
{
	return (struct outcome){ .started = true, .has_status = true, .cpu_us = 5000, .wall_us = 7000,
				 .mem_peak_bytes = MIB };
}

/* ---- every set of facts at once */

/* What two facts cannot both decide. */
enum { USES_ENDED_BY = 1, USES_STATUS = 2 };

static void error(struct outcome *o) { o->error.kind = ERR_INTERNAL; }
static void interrupted(struct outcome *o) { o->ended_by = ENDED_SIGNAL; o->judge_signal = SIGTERM; }
static void refused(struct outcome *o) { strcpy(o->refused, "ptrace"); }
static void refused_kill(struct outcome *o) { o->ended_by = ENDED_REFUSED; o->wait_status = SIGKILL; }
static void stdout_over(struct outcome *o) { o->stdout_over = true; }
static void stderr_over(struct outcome *o) { o->stderr_over = true; }
static void output_kill(struct outcome *o) { o->ended_by = ENDED_OUTPUT; o->wait_status = SIGKILL; }
static void oom(struct outcome *o) { o->oom_kills = 1; }
static void oom_kill(struct outcome *o) { o->oom_kills = 3; o->wait_status = SIGKILL; }
static void memory_over(struct outcome *o) { o->memory_over = true; }
static void memory_kill(struct outcome *o) { o->ended_by = ENDED_MEMORY; o->wait_status = SIGKILL; }
static void time_over(struct outcome *o) { o->cpu_us = 2 * SECOND + 1; }
static void time_kill(struct outcome *o) { o->ended_by = ENDED_TIME; o->wait_status = SIGKILL; }
static void wall_over(struct outcome *o) { o->wall_us = 30 * SECOND + 1; }
static void wall_kill(struct outcome *o) { o->ended_by = ENDED_WALL_TIME; o->wait_status = SIGKILL; }
static void exit_3(struct outcome *o) { o->wait_status = EXITED(3); }
static void segv(struct outcome *o) { o->wait_status = SIGSEGV | 0x80; }
static void forks(struct outcome *o) { o->processes_refused = 9; }

/* In the order of the interface: an earlier row wins. */
static const struct fact {
	const char *name;
	enum verdict verdict;
	int uses;
	void (*apply)(struct outcome *o);
} facts[] = {
	{ "error", VERDICT_IE, 0, error },
	{ "interrupted", VERDICT_IE, USES_ENDED_BY, interrupted },
	{ "refused", VERDICT_SV, 0, refused },
	{ "killed for a refused call", VERDICT_SV, USES_ENDED_BY | USES_STATUS, refused_kill },
	{ "stdout over", VERDICT_OLE, 0, stdout_over },
	{ "stderr over", VERDICT_OLE, 0, stderr_over },
	{ "killed for output", VERDICT_OLE, USES_ENDED_BY | USES_STATUS, output_kill },
	{ "OOM kill of a child", VERDICT_MLE, 0, oom },
	{ "OOM kill of all", VERDICT_MLE, USES_STATUS, oom_kill },
	{ "memory over", VERDICT_MLE, 0, memory_over },
	{ "killed for memory", VERDICT_MLE, USES_ENDED_BY | USES_STATUS, memory_kill },
	{ "CPU time over", VERDICT_TLE, 0, time_over },
	{ "killed for CPU time", VERDICT_TLE, USES_ENDED_BY | USES_STATUS, time_kill },
	{ "wall time over", VERDICT_WTL, 0, wall_over },
	{ "killed for wall time", VERDICT_WTL, USES_ENDED_BY | USES_STATUS, wall_kill },
	{ "exit 3", VERDICT_RTE, USES_STATUS, exit_3 },
	{ "SIGSEGV", VERDICT_RTE, USES_STATUS, segv },
	{ "forks refused", VERDICT_OK, 0, forks },
};

/* The facts of `set`, one bit each, all at once. Whether they can be. */
static bool apply_set(unsigned set, struct outcome *o, enum verdict *ret_expected)
{
	int uses = 0;

	*ret_expected = VERDICT_OK;
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		if (!(set & 1u << i))
			continue;
		if (uses & facts[i].uses)
			return false;
		uses |= facts[i].uses;
		if (*ret_expected == VERDICT_OK)
			*ret_expected = facts[i].verdict;
		facts[i].apply(o);
	}
	return true;
}

static void name_set(unsigned set, char *ret_text, size_t size)
{
	ret_text[0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		if (set & 1u << i)
			snprintf(ret_text + strlen(ret_text), size - strlen(ret_text), "%s + ", facts[i].name);
}

/* A run, judged as a run and as a compile step. */
static void check_set(unsigned set, const struct outcome *o, enum verdict expected)
{
	const struct limits l = sample_limits();
	enum verdict compiled = expected;
	struct judgement j;
	char names[512];

	name_set(set, names, sizeof(names));
	judge_outcome(&l, o, PHASE_RUN, &j);
	if (j.verdict != expected)
		fail_msg("%s: expected %s, got %s", names, verdict_rows[expected].code,
			 verdict_rows[j.verdict].code);
	assert_int_equal(j.message[0] == '\0', expected == VERDICT_OK);
	if (expected == VERDICT_TLE || expected == VERDICT_WTL || expected == VERDICT_MLE ||
	    expected == VERDICT_OLE)
		compiled = VERDICT_CTL;
	if (expected == VERDICT_RTE)
		compiled = VERDICT_CE;
	judge_outcome(&l, o, PHASE_COMPILE, &j);
	if (j.verdict != compiled)
		fail_msg("compile: %s: expected %s, got %s", names, verdict_rows[compiled].code,
			 verdict_rows[j.verdict].code);
}

static void test_every_set(void **state)
{
	size_t tried = 0;

	(void)state;
	for (unsigned set = 0; set < 1u << ARRAY_SIZE(facts); set++) {
		struct outcome o = sample_outcome();
		enum verdict expected;

		if (!apply_set(set, &o, &expected))
			continue;
		check_set(set, &o, expected);
		tried++;
	}
	/* 2^9 of the free facts, times none or one of each kind of exclusive ones that go together:
	   none, interrupted, five kills, three deaths, three deaths of the interrupted. */
	assert_int_equal(tried, 512 * (1 + 1 + 5 + 3 + 3));
}

/* ---- edges and sentences */

#define WORDS_2S "CPU time limit exceeded (limit 2 s)"
#define WORDS_30S "wall time limit exceeded (limit 30 s)"
#define WORDS_256M "memory limit exceeded (limit 256 MiB)"

#define RUN .started = true, .has_status = true
#define UNLIMITED(which) .limit_changed = (which) + 1, .limit_value = LIMIT_NONE
#define LIMITED(which, v) .limit_changed = (which) + 1, .limit_value = (v)

static const struct row {
	const char *name;
	struct outcome o;
	enum verdict verdict;
	int limit;
	const char *message;
	int limit_changed;	/* 1 + the limit that is not the sample's */
	uint64_t limit_value;
} rows[] = {
	{ "exit 0 is OK", { RUN }, VERDICT_OK, -1, .message = "" },
	{ "exit 1", { RUN, .wait_status = EXITED(1) }, VERDICT_RTE, -1, .message = "exited with status 1" },
	{ "exit(137) is no signal", { RUN, .wait_status = EXITED(137) }, VERDICT_RTE, -1,
	  .message = "exited with status 137" },
	{ "exit 255", { RUN, .wait_status = EXITED(255) }, VERDICT_RTE, -1, .message = "exited with status 255" },
	{ "SIGSEGV is named", { RUN, .wait_status = SIGSEGV }, VERDICT_RTE, -1,
	  .message = "killed by signal 11 (SIGSEGV)" },
	{ "a core dump changes nothing", { RUN, .wait_status = SIGABRT | 0x80 }, VERDICT_RTE, -1,
	  .message = "killed by signal 6 (SIGABRT)" },
	{ "a program that kills itself is no MLE", { RUN, .wait_status = SIGKILL }, VERDICT_RTE, -1,
	  .message = "killed by signal 9 (SIGKILL)" },
	{ "a signal without a name", { RUN, .wait_status = 33 }, VERDICT_RTE, -1, .message = "killed by signal 33" },
	{ "SIGXFSZ is the file size limit", { RUN, .wait_status = SIGXFSZ }, VERDICT_RTE, LIMIT_FILE_SIZE,
	  .message = "killed by signal 25 (SIGXFSZ): file size limit exceeded (limit 64 MiB)" },
	{ "SIGXFSZ without a limit names none", { RUN, .wait_status = SIGXFSZ }, VERDICT_RTE,
	  LIMIT_FILE_SIZE, .message = "killed by signal 25 (SIGXFSZ): file size limit exceeded",
	  UNLIMITED(LIMIT_FILE_SIZE) },

	{ "CPU time at the limit is OK", { RUN, .cpu_us = 2 * SECOND }, VERDICT_OK, -1, .message = "" },
	{ "one µs past it is TLE", { RUN, .cpu_us = 2 * SECOND + 1 }, VERDICT_TLE, LIMIT_TIME, .message = WORDS_2S },
	{ "no CPU limit, much CPU time", { RUN, .cpu_us = UINT64_MAX }, VERDICT_OK, -1, .message = "",
	  UNLIMITED(LIMIT_TIME) },
	{ "a limit of zero is a limit", { RUN, .cpu_us = 1 }, VERDICT_TLE, LIMIT_TIME,
	  .message = "CPU time limit exceeded (limit 0 s)", LIMITED(LIMIT_TIME, 0) },
	{ "wall time at the limit is OK", { RUN, .wall_us = 30 * SECOND }, VERDICT_OK, -1, .message = "" },
	{ "one µs past it is WTL", { RUN, .wall_us = 30 * SECOND + 1 }, VERDICT_WTL, LIMIT_WALL_TIME,
	  .message = WORDS_30S },
	{ "no wall limit, much wall time", { RUN, .wall_us = UINT64_MAX }, VERDICT_OK, -1, .message = "",
	  UNLIMITED(LIMIT_WALL_TIME) },
	{ "killed for time while the figure is just below", { RUN, .ended_by = ENDED_TIME,
	  .cpu_us = 2 * SECOND - 9, .wait_status = SIGKILL }, VERDICT_TLE, LIMIT_TIME, .message = WORDS_2S },
	{ "killed for time, and nobody was left to tell", { .started = true, .ended_by = ENDED_TIME },
	  VERDICT_TLE, LIMIT_TIME, .message = WORDS_2S },
	{ "exited within the limit as the timer fired", { RUN, .ended_by = ENDED_TIME,
	  .cpu_us = 2 * SECOND }, VERDICT_OK, -1, .message = "" },
	{ "exited past the limit as the timer fired", { RUN, .ended_by = ENDED_TIME,
	  .cpu_us = 2 * SECOND + 1 }, VERDICT_TLE, LIMIT_TIME, .message = WORDS_2S },
	{ "exited 1 within the wall limit as the timer fired", { RUN, .ended_by = ENDED_WALL_TIME,
	  .wall_us = 30 * SECOND, .wait_status = EXITED(1) }, VERDICT_RTE, -1, .message = "exited with status 1" },
	{ "killed for wall time after much CPU time is TLE", { RUN, .ended_by = ENDED_WALL_TIME,
	  .cpu_us = 3 * SECOND, .wait_status = SIGKILL }, VERDICT_TLE, LIMIT_TIME, .message = WORDS_2S },

	{ "OOM kill", { RUN, .oom_kills = 1, .wait_status = SIGKILL }, VERDICT_MLE, LIMIT_MEMORY, .message = WORDS_256M },
	{ "OOM kill of the whole box, init too", { .started = true, .oom_kills = 3 }, VERDICT_MLE,
	  LIMIT_MEMORY, .message = WORDS_256M },
	{ "OOM kill of a child, main exits 0", { RUN, .oom_kills = 1 }, VERDICT_MLE, LIMIT_MEMORY,
	  .message = WORDS_256M },
	{ "OOM kill before the start", { .oom_kills = 1 }, VERDICT_MLE, LIMIT_MEMORY,
	  .message = "the memory limit is too small to start the program (limit 1 MiB)",
	  LIMITED(LIMIT_MEMORY, MIB) },
	{ "OOM kill before the start shows as a broken wire", { .oom_kills = 1,
	  .error = { .kind = ERR_INTERNAL, .text = "init ended" } }, VERDICT_MLE, LIMIT_MEMORY,
	  .message = "the memory limit is too small to start the program (limit 256 MiB)" },
	{ "an error after the start with an OOM kill is IE", { RUN, .oom_kills = 1,
	  .error = { .kind = ERR_INTERNAL, .text = "lost" } }, VERDICT_IE, -1, .message = "lost" },
	{ "allocation refused, program lives on", { RUN, .memory_refused = true }, VERDICT_OK, -1, .message = "" },
	{ "allocation refused, exit 1", { RUN, .memory_refused = true, .wait_status = EXITED(1) }, VERDICT_MLE,
	  LIMIT_MEMORY, .message = WORDS_256M ": an allocation was refused, then the program exited with status 1" },
	{ "allocation refused, SIGABRT", { RUN, .memory_refused = true, .wait_status = SIGABRT }, VERDICT_MLE,
	  LIMIT_MEMORY, .message = WORDS_256M ": an allocation was refused, then the program was killed by signal 6 (SIGABRT)" },
	{ "allocation refused, killed for time", { RUN, .memory_refused = true, .ended_by = ENDED_TIME,
	  .wait_status = SIGKILL, .cpu_us = 2 * SECOND + 5 }, VERDICT_TLE, LIMIT_TIME, .message = WORDS_2S },
	{ "allocation refused, exit 1, too slow too", { RUN, .memory_refused = true,
	  .wait_status = EXITED(1), .cpu_us = 2 * SECOND + 5 }, VERDICT_MLE, LIMIT_MEMORY,
	  .message = WORDS_256M ": an allocation was refused, then the program exited with status 1" },

	{ "too much stdout", { RUN, .stdout_over = true }, VERDICT_OLE, LIMIT_OUTPUT,
	  .message = "output limit exceeded (limit 10 MiB) on stdout" },
	{ "too much stderr", { RUN, .stderr_over = true }, VERDICT_OLE, LIMIT_OUTPUT,
	  .message = "output limit exceeded (limit 10 MiB) on stderr" },
	{ "too much of both", { RUN, .stdout_over = true, .stderr_over = true }, VERDICT_OLE,
	  LIMIT_OUTPUT, .message = "output limit exceeded (limit 10 MiB) on stdout and stderr" },

	{ "a refused call", { RUN, .refused = "ptrace", .ended_by = ENDED_REFUSED, .wait_status = SIGKILL },
	  VERDICT_SV, -1, .message = "system call refused: ptrace" },
	{ "a refused path", { RUN, .refused = "/etc/shadow", .ended_by = ENDED_REFUSED }, VERDICT_SV,
	  -1, .message = "path refused: /etc/shadow" },
	{ "a refused call without a name", { RUN, .ended_by = ENDED_REFUSED, .wait_status = SIGSYS },
	  VERDICT_SV, -1, .message = "a system call was refused" },

	{ "no such program", { .exec_errno = ENOENT, .program = "/box/a.out" }, VERDICT_RTE, -1,
	  .message = "cannot start /box/a.out: No such file or directory" },
	{ "the interpreter is missing", { .exec_errno = ENOENT, .program = "./run.py",
	  .exec_missing = "/usr/bin/python4" }, VERDICT_RTE, -1,
	  .message = "cannot start ./run.py: /usr/bin/python4, which runs it: No such file or directory" },
	{ "the program's name is not known", { .exec_errno = ELOOP }, VERDICT_RTE, -1,
	  .message = "cannot start the program: Too many levels of symbolic links" },
	{ "not executable", { .exec_errno = EACCES, .program = "x" }, VERDICT_RTE, -1,
	  .message = "cannot start x: Permission denied (it, or a folder on its path, may not be executed)" },
	{ "execve without memory under a small limit", { .exec_errno = ENOMEM, .program = "x" },
	  VERDICT_MLE, LIMIT_MEMORY, .message = "the memory limit is too small to start the program (limit 16 MiB)",
	  LIMITED(LIMIT_MEMORY, 16 * MIB) },
	{ "execve without memory under a larger limit", { .exec_errno = ENOMEM, .program = "x" },
	  VERDICT_RTE, -1, .message = "cannot start x: Cannot allocate memory", LIMITED(LIMIT_MEMORY, 16 * MIB + 1) },
	{ "execve without memory and without limit", { .exec_errno = ENOMEM, .program = "x" },
	  VERDICT_RTE, -1, .message = "cannot start x: Cannot allocate memory", UNLIMITED(LIMIT_MEMORY) },

	{ "an error with its cure", { .error = { .kind = ERR_INTERNAL, .text = "cannot map ids: x",
	  .cure = "do y" } }, VERDICT_IE, -1, .message = "cannot map ids: x; do y" },
	{ "an error without a text still has a sentence", { .error = { .kind = ERR_INTERNAL } },
	  VERDICT_IE, -1, .message = "an error without a text" },
	{ "interrupted", { RUN, .ended_by = ENDED_SIGNAL, .judge_signal = SIGTERM,
	  .wait_status = SIGKILL }, VERDICT_IE, -1, .message = "interrupted by signal 15 (SIGTERM)" },
	{ "interrupted before the start", { .ended_by = ENDED_SIGNAL, .judge_signal = SIGINT }, VERDICT_IE,
	  -1, .message = "interrupted by signal 2 (SIGINT)" },
	{ "interrupted, and then an error", { .ended_by = ENDED_SIGNAL, .judge_signal = SIGHUP,
	  .error = { .kind = ERR_INTERNAL, .text = "busy" } }, VERDICT_IE, -1,
	  .message = "interrupted by signal 1 (SIGHUP); busy" },
	{ "nothing is known: not OK", { .started = false }, VERDICT_IE, -1, .message = "the box ended before the program was started" },
	{ "started, and the end was not seen: not OK", { .started = true }, VERDICT_IE, -1,
	  .message = "the box ended and nobody saw how the program did" },
	{ "a status of what was never started does not count", { .has_status = true }, VERDICT_IE, -1,
	  .message = "the box ended before the program was started" },
};

static void test_row(void **state)
{
	const struct row *row = *state;
	struct limits l = sample_limits();
	struct judgement j;

	if (row->limit_changed)
		l.value[row->limit_changed - 1] = row->limit_value;
	memset(&j, 'x', sizeof(j));
	judge_outcome(&l, &row->o, PHASE_RUN, &j);
	assert_string_equal(verdict_rows[j.verdict].code, verdict_rows[row->verdict].code);
	assert_int_equal(j.limit, row->limit);
	assert_string_equal(j.message, row->message);
}

static void test_long_error(void **state)
{
	struct limits l = sample_limits();
	struct outcome o = { .ended_by = ENDED_SIGNAL, .judge_signal = SIGVTALRM };
	struct judgement j;

	(void)state;
	o.error.kind = ERR_INTERNAL;
	memset(o.error.text, 't', sizeof(o.error.text) - 1);
	memset(o.error.cure, 'c', sizeof(o.error.cure) - 1);
	judge_outcome(&l, &o, PHASE_RUN, &j);
	/* Nothing of the cure is cut off. */
	assert_int_equal(strlen(j.message), strlen("interrupted by signal 26 (SIGVTALRM); ") +
			 sizeof(o.error.text) - 1 + strlen("; ") + sizeof(o.error.cure) - 1);
}

static void test_signal_names(void **state)
{
	char text[32];

	(void)state;
	assert_string_equal(signal_name(1, text, sizeof(text)), "SIGHUP");
	assert_string_equal(signal_name(31, text, sizeof(text)), "SIGSYS");
	assert_string_equal(signal_name(34, text, sizeof(text)), "SIGRTMIN");
	assert_string_equal(signal_name(36, text, sizeof(text)), "SIGRTMIN+2");
	assert_string_equal(signal_name(64, text, sizeof(text)), "SIGRTMIN+30");
	assert_string_equal(signal_name(65, text, sizeof(text)), "signal 65");
	assert_string_equal(signal_name(33, text, sizeof(text)), "signal 33");
	assert_string_equal(signal_name(0, text, sizeof(text)), "signal 0");
	assert_string_equal(signal_name(-5, text, sizeof(text)), "signal -5");
	for (int n = 1; n <= 31; n++)
		assert_memory_equal(signal_name(n, text, sizeof(text)), "SIG", 3);
}

static void test_tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < VERDICT_COUNT; i++) {
		assert_non_null(verdict_rows[i].code);
		assert_true(strlen(verdict_rows[i].code) <= 3);
		assert_non_null(verdict_rows[i].words);
		assert_non_null(verdict_rows[i].audit);
	}
	for (size_t i = 0; i < MECHANISM_COUNT; i++)
		assert_string_equal(mechanism_name((unsigned)i), mechanism_names[i]);
	assert_string_equal(mechanism_name(MECHANISM_COUNT), "none");
	assert_string_equal(mechanism_name(255), "none");
	for (size_t i = 0; i < FIGURE_COUNT; i++)
		assert_non_null(figure_names[i]);
}

static const struct CMUnitTest single_tests[] = {
	cmocka_unit_test(test_every_set),
	cmocka_unit_test(test_long_error),
	cmocka_unit_test(test_signal_names),
	cmocka_unit_test(test_tables),
};

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(rows) + ARRAY_SIZE(single_tests)];
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		tests[count++] = (struct CMUnitTest){ .name = rows[i].name, .test_func = test_row,
						      .initial_state = (void *)(uintptr_t)&rows[i] };
	memcpy(tests + count, single_tests, sizeof(single_tests));
	return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
