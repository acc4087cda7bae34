/*
 * The table of fields. Pure; runs in the judge, outside the box.
 *
 * A figure is told only where it was measured: a judge that died early must not report that a program
 * took no time. isolate's keys have isolate's meaning, since its clients read them.
 */
#include "report/fields.h"

#include "base/array.h"

#include <stddef.h>
#include <stdio.h>

struct row {
	const char *key;		/* of a family: what stands before each name */
	enum field_kind kind;
	/* Where the value is in struct result, when no function below gives it: a uint64_t, or for a text
	   an array of char, or a pointer to one when `pointer`. A text that is NULL or "" is absent. */
	size_t at;
	bool pointer;
	uint64_t (*number)(const struct result *r);
	const char *(*text)(const struct result *r);
	bool (*present)(const struct result *r);	/* NULL: always */
	bool audit_only;		/* service fields */

	/* A family: one field for each member. */
	int count;
	const char *(*name)(int i);
	const char *(*member)(const struct result *r, int i);
};

#define OF(member) .at = offsetof(struct result, member)

/* ---- what is known */

static bool started(const struct result *r)
{
	return r->outcome.started;
}

/* The box was watched to its end. */
static bool complete(const struct result *r)
{
	return started(r) && r->outcome.error.kind == ERR_NONE;
}

static bool cpu_known(const struct result *r)
{
	return started(r) && r->outcome.measured[FIGURE_CPU] != BY_NOTHING;
}

/* A source that knows only the sum leaves both parts 0. */
static bool cpu_parts_known(const struct result *r)
{
	const struct outcome *o = &r->outcome;

	return cpu_known(r) && (o->user_us || o->sys_us || o->cpu_us == 0);
}

static bool wall_known(const struct result *r)
{
	return started(r) && r->outcome.measured[FIGURE_WALL] != BY_NOTHING;
}

static bool memory_known(const struct result *r)
{
	return started(r) && r->outcome.measured[FIGURE_MEMORY] != BY_NOTHING;
}

static bool memory_by_cgroup(const struct result *r)
{
	const uint8_t by = r->outcome.measured[FIGURE_MEMORY];

	return started(r) && (by == BY_CGROUP_V2 || by == BY_CGROUP_V1);
}

static bool oom_killed(const struct result *r)
{
	return r->outcome.oom_kills > 0;
}

static bool interrupted(const struct result *r)
{
	return r->outcome.ended_by == ENDED_SIGNAL;
}

static bool killed(const struct result *r)
{
	return interrupted(r) || outcome_killed(&r->outcome);
}

static bool out_of_time(const struct result *r)
{
	const enum verdict v = r->judgement.verdict;

	return v == VERDICT_TLE || v == VERDICT_WTL || v == VERDICT_CTL;
}

static bool exited(const struct result *r)
{
	return outcome_exited(&r->outcome, NULL);
}

static bool signaled(const struct result *r)
{
	return outcome_signal(&r->outcome) != 0;
}

static bool exitcode_told(const struct result *r)
{
	return exited(r) && !out_of_time(r) && !interrupted(r);
}

/* The SIGKILL by which the judge enforces a time limit is not told as the program's. */
static bool exitsig_told(const struct result *r)
{
	return interrupted(r) || (signaled(r) && !(out_of_time(r) && killed(r)));
}

static bool processes_known(const struct result *r)
{
	return started(r) && r->outcome.processes_peak;
}

static bool refusals_known(const struct result *r)
{
	return started(r) && r->outcome.processes_refused;
}

static bool disk_known(const struct result *r)
{
	return started(r) && r->outcome.disk_bytes;
}

static bool teardown_known(const struct result *r)
{
	return complete(r) || r->outcome.teardown_us;
}

/* ---- numbers */

static uint64_t max_rss(const struct result *r)
{
	return r->outcome.max_rss_bytes / KIB;
}

static uint64_t cg_mem(const struct result *r)
{
	return r->outcome.mem_peak_bytes / KIB;
}

static uint64_t one(const struct result *r)
{
	(void)r;
	return 1;
}

static uint64_t exit_status(const struct result *r)
{
	int status = 0;

	(void)outcome_exited(&r->outcome, &status); /* asked for only where it did */
	return (uint64_t)status;
}

static uint64_t signal_number(const struct result *r)
{
	return (uint64_t)outcome_signal(&r->outcome);
}

static uint64_t exitsig(const struct result *r)
{
	return interrupted(r) ? (uint64_t)r->outcome.judge_signal : signal_number(r);
}

static uint64_t oom(const struct result *r)
{
	return oom_killed(r);
}

static uint64_t landlock(const struct result *r)
{
	return r->outcome.landlock_abi > 0 ? (uint64_t)r->outcome.landlock_abi : 0;
}

/* ---- texts */

static const char *status(const struct result *r)
{
	if (r->judgement.verdict == VERDICT_OK)
		return NULL;
	if (r->judgement.verdict == VERDICT_IE)
		return interrupted(r) ? "SG" : "XX";
	if (out_of_time(r))
		return "TO";
	return signaled(r) ? "SG" : "RE";
}

static const char *verdict(const struct result *r)
{
	return verdict_rows[r->judgement.verdict].code;
}

static const char *audit_result(const struct result *r)
{
	return verdict_rows[r->judgement.verdict].audit;
}

static const char *limit_name(int i)
{
	return limit_rows[i].name;
}

static const char *limit(const struct result *r)
{
	return r->judgement.limit < 0 ? NULL : limit_name(r->judgement.limit);
}

static const char *enforced_by(const struct result *r, int i)
{
	return mechanism_name(r->outcome.enforced[i]);
}

static const char *figure_name(int i)
{
	return figure_names[i];
}

static const char *measured_by(const struct result *r, int i)
{
	return mechanism_name(r->outcome.measured[i]);
}

static const char *cgroup(const struct result *r)
{
	return r->outcome.cgroup_version == 2 ? "v2" : r->outcome.cgroup_version == 1 ? "v1" : "none";
}

/* ---- the tables */

static const struct row meta_rows[] = {
	{ "time", FIELD_SECONDS, OF(outcome.cpu_us), .present = cpu_known },
	{ "time-wall", FIELD_SECONDS, OF(outcome.wall_us), .present = wall_known },
	{ "max-rss", FIELD_NUMBER, .number = max_rss, .present = complete },
	{ "csw-voluntary", FIELD_NUMBER, OF(outcome.csw_voluntary), .present = complete },
	{ "csw-forced", FIELD_NUMBER, OF(outcome.csw_forced), .present = complete },
	{ "cg-mem", FIELD_NUMBER, .number = cg_mem, .present = memory_by_cgroup },
	{ "cg-oom-killed", FIELD_NUMBER, .number = one, .present = oom_killed },
	{ "exitcode", FIELD_NUMBER, .number = exit_status, .present = exitcode_told },
	{ "exitsig", FIELD_NUMBER, .number = exitsig, .present = exitsig_told },
	{ "killed", FIELD_NUMBER, .number = one, .present = killed },
	{ "status", FIELD_TEXT, .text = status },
	{ "message", FIELD_TEXT, OF(judgement.message) },
	{ "verdict", FIELD_TEXT, .text = verdict },
	{ "limit", FIELD_TEXT, .text = limit },
	{ "time-user", FIELD_SECONDS, OF(outcome.user_us), .present = cpu_parts_known },
	{ "time-sys", FIELD_SECONDS, OF(outcome.sys_us), .present = cpu_parts_known },
	{ "mem-peak", FIELD_NUMBER, OF(outcome.mem_peak_bytes), .present = memory_known },
	{ "stdout-bytes", FIELD_NUMBER, OF(outcome.stdout_bytes), .present = started },
	{ "stderr-bytes", FIELD_NUMBER, OF(outcome.stderr_bytes), .present = started },
	{ "refused", FIELD_TEXT, OF(outcome.refused) },
	{ "setup", FIELD_SETUP, OF(outcome.setup_us), .present = started },
	{ "teardown", FIELD_SETUP, OF(outcome.teardown_us), .present = teardown_known },
	{ "language", FIELD_TEXT, OF(language), .pointer = true },
	{ "guard", FIELD_TEXT, OF(guards), .pointer = true },
	{ "policy", FIELD_TEXT, OF(policy), .pointer = true },
	{ "root", FIELD_TEXT, OF(root), .pointer = true },
	{ "enforced-", FIELD_TEXT, .member = enforced_by, .present = started,
	  .count = LIMIT_COUNT, .name = limit_name },
	{ "measured-", FIELD_TEXT, .member = measured_by, .present = started,
	  .count = FIGURE_COUNT, .name = figure_name },
	{ "cgroup", FIELD_TEXT, .text = cgroup, .present = started },
	{ "landlock", FIELD_NUMBER, .number = landlock, .present = started },
	{ "processes-peak", FIELD_NUMBER, OF(outcome.processes_peak), .present = processes_known },
	{ "processes-refused", FIELD_NUMBER, OF(outcome.processes_refused), .present = refusals_known },
	{ "disk-bytes", FIELD_NUMBER, OF(outcome.disk_bytes), .present = disk_known },
	{ "notice", FIELD_TEXT, OF(outcome.notice) },
};

static const struct row service_rows[] = {
	{ "task_id", FIELD_TEXT, OF(task_id), .pointer = true, .audit_only = true },
	{ "language", FIELD_TEXT, OF(language), .pointer = true, .audit_only = true },
	{ "user", FIELD_TEXT, OF(user), .pointer = true, .audit_only = true },
	{ "result", FIELD_TEXT, .text = audit_result },
	{ "verdict", FIELD_TEXT, .text = verdict, .audit_only = true },
	{ "execution_time_ms", FIELD_MS, OF(outcome.wall_us), .present = wall_known },
	{ "cpu_time_ms", FIELD_MS, OF(outcome.cpu_us), .present = cpu_known },
	{ "memory_mb", FIELD_MIB, OF(outcome.mem_peak_bytes), .present = memory_known },
	{ "exit_code", FIELD_NUMBER, .number = exit_status, .present = exited },
	{ "signal", FIELD_NUMBER, .number = signal_number, .present = signaled },
	{ "oom_killed", FIELD_BOOL, .number = oom },
	{ "setup_ms", FIELD_MS, OF(outcome.setup_us), .present = started, .audit_only = true },
	{ "teardown_ms", FIELD_MS, OF(outcome.teardown_us), .present = teardown_known, .audit_only = true },
	{ "problem", FIELD_TEXT, OF(problem), .pointer = true, .audit_only = true },
	{ "test", FIELD_TEXT, OF(test), .pointer = true, .audit_only = true },
};

/* ---- the walk */

static uint64_t row_number(const struct row *row, const struct result *r)
{
	const uint64_t *at = (const void *)((const char *)r + row->at);
	const uint64_t n = row->number ? row->number(r) : *at;

	return n < INT64_MAX ? n : INT64_MAX;
}

static const char *row_text(const struct row *row, const struct result *r, int i)
{
	const char *at = (const char *)r + row->at;

	if (row->member)
		return row->member(r, i);
	if (row->text)
		return row->text(r);
	return row->pointer ? *(const char *const *)(const void *)at : at;
}

static struct field row_field(const struct row *row, const struct result *r, int i)
{
	struct field f = { .key = row->key, .kind = row->kind };

	if (row->present && !row->present(r))
		f.kind = FIELD_ABSENT;
	else if (f.kind != FIELD_TEXT)
		f.number = row_number(row, r);
	else
		f.text = row_text(row, r, i);
	if (f.kind == FIELD_TEXT && (!f.text || !f.text[0]))
		f.kind = FIELD_ABSENT;
	return f;
}

/* A row's field, or each member of its family. */
static void walk_row(const struct row *row, const struct result *r, bool absent_too, field_visit visit,
		     void *into)
{
	char key[64];

	for (int i = 0; i == 0 || i < row->count; i++) {
		struct field f = row_field(row, r, i);

		if (row->name) {
			snprintf(key, sizeof(key), "%s%s", row->key, row->name(i));
			f.key = key;
		}
		if (f.kind != FIELD_ABSENT || absent_too)
			visit(into, &f);
	}
}

void meta_fields(const struct result *r, field_visit visit, void *into)
{
	for (size_t i = 0; i < ARRAY_SIZE(meta_rows); i++)
		walk_row(&meta_rows[i], r, false, visit, into);
}

void service_fields(const struct result *r, bool audit, field_visit visit, void *into)
{
	for (size_t i = 0; i < ARRAY_SIZE(service_rows); i++)
		if (audit || !service_rows[i].audit_only)
			walk_row(&service_rows[i], r, true, visit, into);
}
