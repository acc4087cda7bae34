/*
 * The way of every run that a command line asks for: open what is written to, find a cgroup, take ids; plan and
 * run a box, once or several times; judge; report.
 */
#ifndef CLI_FLOW_H
#define CLI_FLOW_H

#include "cli/run_options.h"

#include "report/meta.h"
#include "sandbox/box.h"

struct run {
	char **whole_argv;	/* the judge's own */
	struct run_options options;
	struct meta_file meta;
	const char *audit_path;
	int audit;		/* open for appending, or -1: none is kept */
	struct cgroup_place place;
	struct privilege privilege;
	struct plan plan;	/* of the box that ran last */
	struct result result;
	enum collected *collected;
	int signals;
};

/* For options that were read: {0} but for these. */
#define RUN_INITIAL { .signals = -1, .audit = -1, .privilege.lock = -1, \
		      .plan = { .in.fd = -1, .out.fd = -1, .err.fd = -1 } }

/* Before the first box: meta file, limits (those of the options' language too), cgroup, audit log, ids; from here
   on signals end the box and not the judge. 0, or -1 with `e`. */
int run_open(struct run *run, struct err *e);

/* Plans and runs one box for the request `r`, with the result in run->result.outcome. 0, or -1 with `e`: there
   was no box. */
int run_box(struct run *run, const struct request *r, struct err *e);

/* The judgement of what happened, `e` included. */
void run_judge(struct run *run, const struct request *r, const struct err *e);

/* Writes and prints everything; returns the exit status. */
int run_report(struct run *run);

/* For what cannot be understood, which has no verdict: a meta file that was asked for says so all the same. */
int run_refuse(struct run *run, const struct err *e);

/* Frees all of it; a judge that was interrupted by ^C ends by that signal here. */
void run_end(struct run *run);

#endif
