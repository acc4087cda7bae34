/*
 * What the caller asks for: filled by the command line, isolate's command line, a problem package or a
 * batch line; read by plan_build. Texts are the caller's and outlive the run.
 */
#ifndef SANDBOX_REQUEST_H
#define SANDBOX_REQUEST_H

#include "sandbox/cgroup.h"
#include "sandbox/limits.h"

#include <stdbool.h>
#include <stddef.h>

enum net_mode { NET_NONE, NET_LOOPBACK, NET_HOST };

/* What --require can name: the run is refused where this host cannot give it. */
enum require { REQUIRE_CGROUP = 1, REQUIRE_LANDLOCK = 2, REQUIRE_TIME_NAMESPACE = 4 };

struct request_file {		/* --file: a host file put into /box */
	const char *source;
	const char *name;	/* relative to /box, no "..": "data/in.txt" */
};

struct request_text {		/* a file of judge's own, read-only in the box */
	const char *path;	/* absolute, below /judge */
	const char *text;
};

struct request_dir {		/* --dir: a host folder or file bound into the box */
	const char *inside;	/* absolute */
	const char *outside;	/* absolute or relative to the caller's folder */
	bool writable, noexec, maybe;
};

struct request_copy {		/* --copy-out: brought back after everything is dead */
	const char *name;	/* relative to /box */
	const char *dest;	/* host path */
};

struct request_output {		/* a file that the judge writes outside */
	const char *option;	/* for messages */
	const char *path;
};

struct request {
	char **argv;		/* PROGRAM and its arguments, NULL-terminated */
	const char **env;	/* NAME=VALUE, in order, later ones win */
	size_t env_count;
	char *own_arguments;	/* the judge's own command line, as /proc/PID/cmdline shows it: wiped in init; */
	size_t own_arguments_size;	/* or NULL */
	const char *chdir;	/* inside; NULL: /box */
	struct request_file *files;
	size_t file_count;
	struct request_text *texts;
	size_t text_count;
	struct request_dir *dirs;
	size_t dir_count;
	struct request_copy *copies;
	size_t copy_count;
	const char *collect_all;	/* host folder (exists, empty) that all regular files of /box are copied to when
					   everything is dead; NULL: not */
	bool keep_stderr_tail;		/* for what a run-time says when it dies: outcome.stderr_tail */
	struct request_output *outputs;	/* all of them, copies too */
	size_t output_count;
	const char *stdin_path, *stdout_path, *stderr_path;	/* NULL: the judge's own */
	bool stderr_to_stdout;
	enum net_mode net;
	const char *policy;	/* system call policy: name, or a file's path; NULL: the default; "none" */
	const char **exec_allow;	/* programs that may be executed besides PROGRAM, absolute in the box; with
					   any, nothing else may be */
	size_t exec_allow_count;
	struct learn *learn;	/* records the program's calls (sandbox/learn.h); NULL: as ever */
	enum cgroup_mode cgroup;
	const char *cgroup_path;
	unsigned require;	/* enum require, or-ed */
	enum phase phase;
	struct limits limits;	/* finished: limits_finish */
	const struct limits_site *site;
};

#endif
