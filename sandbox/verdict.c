/*
 * Facts to verdict. Pure: no file, clock or process; runs in the judge, outside the box.
 *
 * One row per reason, in the order in which reasons win; the first that holds gives the verdict and
 * writes the sentence. The order is the contract (IE, SV, OLE, MLE, TLE, WTL, RTE, OK): what is the
 * judge's own fault never becomes a contestant's, and the stronger evidence wins over what followed
 * from it, as the SIGKILL of an OOM kill is no run-time error.
 */
#include "sandbox/verdict.h"

#include "base/array.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* An execve that fails with ENOMEM under a limit of at most this is the limit's doing: the kernel needs
   a few hundred KiB for the arguments and the first pages. With more it is the host that has none left. */
#define SMALL_MEMORY (16 * MIB)

#define NO_LIMIT (-1)

const struct verdict_row verdict_rows[VERDICT_COUNT] = {
	[VERDICT_OK] = { "OK", "ended normally", "success" },
	[VERDICT_TLE] = { "TLE", "CPU time limit exceeded", "timeout" },
	[VERDICT_WTL] = { "WTL", "wall time limit exceeded", "timeout" },
	[VERDICT_MLE] = { "MLE", "memory limit exceeded", "memory_exceeded" },
	[VERDICT_OLE] = { "OLE", "output limit exceeded", "output_exceeded" },
	[VERDICT_RTE] = { "RTE", "run-time error", "runtime_error" },
	[VERDICT_SV] = { "SV", "security violation", "security_violation" },
	[VERDICT_IE] = { "IE", "internal error", "internal_error" },
	[VERDICT_CE] = { "CE", "compile error", "compile_error" },
	[VERDICT_CTL] = { "CTL", "compile time limit exceeded", "timeout" },
};
_Static_assert(ARRAY_SIZE(verdict_rows) == VERDICT_COUNT, "a row for each verdict");

static const char *const signal_names[] = {
	[SIGHUP] = "SIGHUP", [SIGINT] = "SIGINT", [SIGQUIT] = "SIGQUIT", [SIGILL] = "SIGILL",
	[SIGTRAP] = "SIGTRAP", [SIGABRT] = "SIGABRT", [SIGBUS] = "SIGBUS", [SIGFPE] = "SIGFPE",
	[SIGKILL] = "SIGKILL", [SIGUSR1] = "SIGUSR1", [SIGSEGV] = "SIGSEGV", [SIGUSR2] = "SIGUSR2",
	[SIGPIPE] = "SIGPIPE", [SIGALRM] = "SIGALRM", [SIGTERM] = "SIGTERM",
#ifdef SIGSTKFLT
	[SIGSTKFLT] = "SIGSTKFLT",
#endif
	[SIGCHLD] = "SIGCHLD", [SIGCONT] = "SIGCONT", [SIGSTOP] = "SIGSTOP", [SIGTSTP] = "SIGTSTP",
	[SIGTTIN] = "SIGTTIN", [SIGTTOU] = "SIGTTOU", [SIGURG] = "SIGURG", [SIGXCPU] = "SIGXCPU",
	[SIGXFSZ] = "SIGXFSZ", [SIGVTALRM] = "SIGVTALRM", [SIGPROF] = "SIGPROF",
	[SIGWINCH] = "SIGWINCH", [SIGIO] = "SIGIO", [SIGPWR] = "SIGPWR", [SIGSYS] = "SIGSYS",
};

const char *signal_name(int number, char *ret_text, size_t size)
{
	const int offset = number - SIGRTMIN;

	if (number > 0 && (size_t)number < ARRAY_SIZE(signal_names) && signal_names[number])
		return signal_names[number];
	if (offset == 0)
		return "SIGRTMIN";
	if (offset > 0 && number <= SIGRTMAX)
		snprintf(ret_text, size, "SIGRTMIN+%d", offset);
	else
		snprintf(ret_text, size, "signal %d", number);
	return ret_text;
}

/* ---- the sentences */

struct facts {
	const struct limits *l;
	const struct outcome *o;
};

/* Room for a sentence that grows; what does not fit is cut. */
struct sentence {
	char *text;
	size_t size;
};

__attribute__((format(printf, 2, 3)))
static void say(struct sentence *s, const char *format, ...)
{
	const size_t used = strlen(s->text);
	va_list args;

	va_start(args, format);
	(void)vsnprintf(s->text + used, s->size - used, format, args);
	va_end(args);
}

static void say_limit(struct sentence *s, const struct limits *l, enum limit which)
{
	char value[64];

	if (l->value[which] < LIMIT_FOLLOWS)
		say(s, " (limit %s)",
		    unit_format(limit_rows[which].unit, l->value[which], value, sizeof(value)));
}

static void say_signal(struct sentence *s, const char *what, int number)
{
	char text[32];
	const char *name = signal_name(number, text, sizeof(text));

	say(s, "%s signal %d", what, number);
	if (name[0] == 'S')
		say(s, " (%s)", name);
}

static void say_exceeded(struct sentence *s, const struct facts *f, enum verdict verdict, enum limit which)
{
	say(s, "%s", verdict_rows[verdict].words);
	say_limit(s, f->l, which);
}

static void say_error(struct sentence *s, const struct facts *f)
{
	const struct err *e = &f->o->error;

	say(s, "%s", e->text[0] ? e->text : "an error without a text");
	if (e->cure[0])
		say(s, "; %s", e->cure);
}

static void say_interrupted(struct sentence *s, const struct facts *f)
{
	say_signal(s, "interrupted by", f->o->judge_signal);
	if (f->o->error.kind != ERR_NONE) {
		say(s, "; ");
		say_error(s, f);
	}
}

static void say_memory_small(struct sentence *s, const struct facts *f)
{
	say(s, "the memory limit is too small to start the program");
	say_limit(s, f->l, LIMIT_MEMORY);
}

static void say_refused(struct sentence *s, const struct facts *f)
{
	const char *what = f->o->refused;

	if (what[0])
		say(s, "%s refused: %s", what[0] == '/' ? "path" : "system call", what);
	else
		say(s, "a system call was refused");
}

/* What strerror leaves out. */
static const struct {
	int number;
	const char *hint;
} exec_hints[] = {
	{ EACCES, "it, or a folder on its path, may not be executed" },
	{ ENOEXEC, "neither a program for this machine nor a script that begins with #!" },
	{ E2BIG, "arguments and environment are too long, or the stack limit is too small for them" },
};

static void say_exec_failed(struct sentence *s, const struct facts *f)
{
	const struct outcome *o = f->o;

	say(s, "cannot start %s: ", o->program[0] ? o->program : "the program");
	if (o->exec_missing[0])
		say(s, "%s, which runs it: ", o->exec_missing);
	if (o->exec_machine[0]) {
		say(s, "it is a program for %s", o->exec_machine);
		return;
	}
	say(s, "%s", strerror(o->exec_errno));
	for (size_t i = 0; i < ARRAY_SIZE(exec_hints); i++)
		if (exec_hints[i].number == o->exec_errno)
			say(s, " (%s)", exec_hints[i].hint);
}

static void say_not_started(struct sentence *s, const struct facts *f)
{
	(void)f;
	say(s, "the box ended before the program was started");
}

static void say_unseen(struct sentence *s, const struct facts *f)
{
	(void)f;
	say(s, "the box ended and nobody saw how the program did");
}

static void say_output(struct sentence *s, const struct facts *f)
{
	const struct outcome *o = f->o;

	say_exceeded(s, f, VERDICT_OLE, LIMIT_OUTPUT);
	if (o->stdout_over || o->stderr_over)
		say(s, " on %s%s%s", o->stdout_over ? "stdout" : "",
		    o->stdout_over && o->stderr_over ? " and " : "", o->stderr_over ? "stderr" : "");
}

static void say_death(struct sentence *s, const struct facts *f)
{
	int status;

	if (outcome_exited(f->o, &status))
		say(s, "exited with status %d", status);
	else
		say_signal(s, "killed by", outcome_signal(f->o));
	if (f->o->stack_overflow)
		say(s, ": stack overflow");
}

static void say_memory(struct sentence *s, const struct facts *f)
{
	say_exceeded(s, f, VERDICT_MLE, LIMIT_MEMORY);
}

static void say_memory_refused(struct sentence *s, const struct facts *f)
{
	say_memory(s, f);
	say(s, ": an allocation was refused, then the program %s", outcome_exited(f->o, NULL) ? "" : "was ");
	say_death(s, f);
}

static void say_time(struct sentence *s, const struct facts *f)
{
	say_exceeded(s, f, VERDICT_TLE, LIMIT_TIME);
}

static void say_wall_time(struct sentence *s, const struct facts *f)
{
	say_exceeded(s, f, VERDICT_WTL, LIMIT_WALL_TIME);
}

static void say_file_size(struct sentence *s, const struct facts *f)
{
	say_death(s, f);
	say(s, ": file size limit exceeded");
	say_limit(s, f->l, LIMIT_FILE_SIZE);
}

static void say_nothing(struct sentence *s, const struct facts *f)
{
	(void)s;
	(void)f;
}

/* ---- the reasons */

static bool interrupted(const struct facts *f)
{
	return f->o->ended_by == ENDED_SIGNAL;
}

/* Also when it shows as an error: init does not report its own OOM kill, the wire just ends. */
static bool oom_before_start(const struct facts *f)
{
	return !f->o->started && f->o->oom_kills > 0;
}

static bool failed(const struct facts *f)
{
	return f->o->error.kind != ERR_NONE;
}

static bool refused(const struct facts *f)
{
	return f->o->ended_by == ENDED_REFUSED || f->o->refused[0];
}

static bool exec_without_memory(const struct facts *f)
{
	return !f->o->started && f->o->exec_errno == ENOMEM && f->l->value[LIMIT_MEMORY] <= SMALL_MEMORY;
}

static bool exec_failed(const struct facts *f)
{
	return !f->o->started && f->o->exec_errno;
}

static bool not_started(const struct facts *f)
{
	return !f->o->started;
}

static bool output_over(const struct facts *f)
{
	return f->o->stdout_over || f->o->stderr_over || f->o->ended_by == ENDED_OUTPUT;
}

static bool memory_over(const struct facts *f)
{
	return f->o->oom_kills > 0 || f->o->memory_over || f->o->ended_by == ENDED_MEMORY;
}

/* A death by the judge's own hand is no sign of a refused allocation. */
static bool memory_refused(const struct facts *f)
{
	const struct outcome *o = f->o;
	int status = 0;

	return o->memory_refused && !outcome_killed(o) &&
	       ((outcome_exited(o, &status) && status != 0) || outcome_signal(o) != 0);
}

/* What ended by itself is judged by its figures alone: a timer that fired in the same moment says nothing. */
static bool time_over(const struct facts *f)
{
	return f->o->cpu_us > f->l->value[LIMIT_TIME] ||
	       (f->o->ended_by == ENDED_TIME && outcome_killed(f->o));
}

static bool wall_time_over(const struct facts *f)
{
	return f->o->wall_us > f->l->value[LIMIT_WALL_TIME] ||
	       (f->o->ended_by == ENDED_WALL_TIME && outcome_killed(f->o));
}

static bool unseen(const struct facts *f)
{
	return !f->o->has_status;
}

static bool file_too_large(const struct facts *f)
{
	return outcome_signal(f->o) == SIGXFSZ;
}

static bool died(const struct facts *f)
{
	int status = 0;

	return !outcome_exited(f->o, &status) || status != 0;
}

static bool always(const struct facts *f)
{
	(void)f;
	return true;
}

static const struct reason {
	bool (*holds)(const struct facts *f);
	enum verdict verdict;
	int limit;
	void (*say)(struct sentence *s, const struct facts *f);
} reasons[] = {
	{ interrupted,		VERDICT_IE,  NO_LIMIT,		say_interrupted },
	{ oom_before_start,	VERDICT_MLE, LIMIT_MEMORY,	say_memory_small },
	{ failed,		VERDICT_IE,  NO_LIMIT,		say_error },
	{ refused,		VERDICT_SV,  NO_LIMIT,		say_refused },
	{ exec_without_memory,	VERDICT_MLE, LIMIT_MEMORY,	say_memory_small },
	{ exec_failed,		VERDICT_RTE, NO_LIMIT,		say_exec_failed },
	{ not_started,		VERDICT_IE,  NO_LIMIT,		say_not_started },
	{ output_over,		VERDICT_OLE, LIMIT_OUTPUT,	say_output },
	{ memory_over,		VERDICT_MLE, LIMIT_MEMORY,	say_memory },
	{ memory_refused,	VERDICT_MLE, LIMIT_MEMORY,	say_memory_refused },
	{ time_over,		VERDICT_TLE, LIMIT_TIME,	say_time },
	{ wall_time_over,	VERDICT_WTL, LIMIT_WALL_TIME,	say_wall_time },
	/* Never OK by default: silence is no exit status. */
	{ unseen,		VERDICT_IE,  NO_LIMIT,		say_unseen },
	{ file_too_large,	VERDICT_RTE, LIMIT_FILE_SIZE,	say_file_size },
	{ died,			VERDICT_RTE, NO_LIMIT,		say_death },
	{ always,		VERDICT_OK,  NO_LIMIT,		say_nothing },
};

/* A compiler that fails is a compile error whichever way; one that a limit ends has a verdict of its own. */
static enum verdict in_phase(enum verdict verdict, enum phase phase)
{
	if (phase != PHASE_COMPILE)
		return verdict;
	if (verdict == VERDICT_TLE || verdict == VERDICT_WTL || verdict == VERDICT_MLE || verdict == VERDICT_OLE)
		return VERDICT_CTL;
	return verdict == VERDICT_RTE ? VERDICT_CE : verdict;
}

void judge_outcome(const struct limits *l, const struct outcome *o, enum phase phase,
		   struct judgement *ret)
{
	const struct facts f = { .l = l, .o = o };
	struct sentence s = { .text = ret->message, .size = sizeof(ret->message) };
	const struct reason *r = reasons;

	while (!r->holds(&f))
		r++;
	ret->verdict = in_phase(r->verdict, phase);
	ret->limit = r->limit;
	ret->message[0] = '\0';
	r->say(&s, &f);
}
