/* The way of every run. See flow.h. */
#include "cli/flow.h"

#include "base/array.h"
#include "base/fd.h"
#include "cli/cli.h"
#include "report/audit.h"
#include "report/human.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* From here on these signals end the box and not the judge. */
static int take_signals(struct err *e)
{
	static const int ending[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT };
	sigset_t set;
	int fd;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		sigaddset(&set, ending[i]);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return fail(e, errno, "cannot block signals");
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? fail(e, errno, "cannot make a signalfd") : fd;
}

/* Where a user manager would give a cgroup, the judge starts again in a scope of its own. */
static int find_cgroup(struct run *run, struct err *e)
{
	const struct request *r = &run->options.request;

	if (cgroup_find(r->cgroup, r->cgroup_path, "", &run->place, e) < 0)
		return -1;
	if (r->cgroup != CGROUP_AUTO || run->place.has[CONTROLLER_MEMORY] || !cgroup_scope_possible())
		return 0;
	/* A manager that gives none is as good as no manager: the run goes on, and the notice says why. */
	cgroup_scope_exec(run->whole_argv, e);
	snprintf(run->place.why, sizeof(run->place.why), "%.300s: %.200s", e->text, e->cure);
	*e = (struct err){ 0 };
	return 0;
}

/* Before the run: a log that cannot be written is told before anything has run. */
static int open_audit(struct run *run, struct err *e)
{
	run->audit_path = run->options.audit;
	if (!run->audit_path)
		run->audit_path = getenv("JUDGE_AUDIT");
	if (!run->audit_path || !*run->audit_path)
		run->audit_path = run->options.site.audit;
	if (!*run->audit_path)
		return 0;
	run->audit = audit_open(run->audit_path, e);
	return run->audit < 0 ? -1 : 0;
}

int run_open(struct run *run, struct err *e)
{
	if (meta_open(&run->meta, run->options.meta, run->options.json, e) < 0 ||
	    run_options_limits(&run->options, e) < 0 || find_cgroup(run, e) < 0 || open_audit(run, e) < 0 ||
	    privilege_find(&run->options.site, &run->privilege, e) < 0)
		return -1;
	run->signals = take_signals(e);
	clock_gettime(CLOCK_REALTIME, &run->result.when);
	return run->signals < 0 ? -1 : 0;
}

int run_box(struct run *run, const struct request *r, struct err *e)
{
	plan_free(&run->plan);
	free(run->collected);
	run->collected = calloc(r->copy_count + 1, sizeof(*run->collected));
	if (!run->collected)
		return fail(e, ENOMEM, "cannot begin");
	if (plan_build(&run->plan, r, &run->place, &run->privilege, e) < 0)
		return -1;
	box_run(&run->plan, &run->place, run->signals, &run->result.outcome, run->collected);
	return 0;
}

static void add_notice(struct outcome *o, const char *sentence)
{
	size_t length = strlen(o->notice);

	snprintf(o->notice + length, sizeof(o->notice) - length, "%s%s", length ? "; " : "", sentence);
}

void run_judge(struct run *run, const struct request *r, const struct err *e)
{
	struct result *res = &run->result;

	if (e->kind)
		res->outcome.error = *e;
	res->task_id = run->options.task;
	res->user = run->options.user;
	res->policy = run->plan.filter ? run->plan.filter->name : "none";
	res->root = "host";
	res->phase = r->phase;
	res->limits = run->plan.request ? run->plan.limits : r->limits;
	if (*run->place.why)
		add_notice(&res->outcome, run->place.why);
	judge_outcome(&res->limits, &res->outcome, res->phase, &res->judgement);
}

static int write_meta(struct run *run, struct err *e)
{
	autofree char *text = run->options.json ? meta_json(&run->result) : meta_lines(&run->result);

	if (run->options.json && !run->options.meta)
		fputs(text, stderr);
	return meta_replace(&run->meta, text, e);
}

static int write_audit(struct run *run, struct err *e)
{
	autofree char *line = NULL;

	if (run->audit < 0)
		return 0;
	line = audit_line(&run->result);
	return audit_write(run->audit, run->audit_path, line, e);
}

static void print_line(struct run *run)
{
	autofree char *line = human_line(&run->result);
	autofree char *all = run->options.verbose ? meta_lines(&run->result) : NULL;

	if (run->result.outcome.line_open && !run->options.quiet && isatty(STDERR_FILENO))
		fputc('\n', stderr);
	if (all)
		fputs(all, stderr);
	if (!run->options.quiet && !(run->options.json && !run->options.meta))
		fprintf(stderr, "%s\n", line);
}

static void print_collected(const struct run *run)
{
	const struct request *r = &run->options.request;

	for (size_t i = 0; run->collected && i < r->copy_count; i++)
		if (run->collected[i] != COLLECTED_FILE)
			fprintf(stderr, "judge: --copy-out %s: %s\n", r->copies[i].name,
				collected_words[run->collected[i]]);
}

static int exit_status(const struct run *run)
{
	const struct outcome *o = &run->result.outcome;

	if (o->error.kind == ERR_USAGE)
		return EXIT_USAGE;
	if (run->result.judgement.verdict == VERDICT_IE)
		return EXIT_INTERNAL;
	if (!run->options.program_status)
		return run->result.judgement.verdict == VERDICT_OK ? EXIT_OK : EXIT_VERDICT;
	if (!o->has_status)
		return o->ended_by ? 128 + SIGKILL : 127;
	return WIFEXITED(o->wait_status) ? WEXITSTATUS(o->wait_status) : 128 + WTERMSIG(o->wait_status);
}

/* All is written down: from here on a signal ends the judge, even one that waits for a stalled reader. */
static void free_signals(struct run *run)
{
	sigset_t none;

	close_fd(&run->signals);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A meta or audit file that cannot be written does not lose the verdict: it is printed all the same. */
int run_report(struct run *run)
{
	struct err meta_error = { 0 }, audit_error = { 0 };
	int status = exit_status(run);

	write_audit(run, &audit_error);
	write_meta(run, &meta_error);
	free_signals(run);
	print_line(run);
	if (run->result.judgement.verdict != VERDICT_IE)
		print_collected(run);
	if (audit_error.kind)
		status = say_error(&audit_error);
	if (meta_error.kind)
		status = say_error(&meta_error);
	return audit_error.kind || meta_error.kind ? EXIT_INTERNAL : status;
}

int run_refuse(struct run *run, const struct err *e)
{
	struct err ignored;

	if (run->meta.way || meta_open(&run->meta, run->options.meta, run->options.json, &ignored) == 0) {
		run_judge(run, &run->options.request, e);
		(void)write_meta(run, &ignored); /* the error that counts is told below */
	}
	return say_error(e);
}

/* What ^C in a shell's loop or in make looks for: that the judge was ended by it too. */
static void end_by_interrupt(const struct run *run)
{
	sigset_t set;

	if (run->result.outcome.ended_by != ENDED_SIGNAL || run->result.outcome.judge_signal != SIGINT)
		return;
	fflush(NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	signal(SIGINT, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(SIGINT);
}

void run_end(struct run *run)
{
	free(run->collected);
	plan_free(&run->plan);
	privilege_release(&run->privilege);
	cgroup_place_close(&run->place);
	meta_close(&run->meta);
	close_fd(&run->signals);
	close_fd(&run->audit);
	run_options_free(&run->options);
	end_by_interrupt(run);
}

