/*
 * The facts of one run, as the box found them. Nothing here judges: verdict.h does.
 */
#ifndef SANDBOX_OUTCOME_H
#define SANDBOX_OUTCOME_H

#include "base/err.h"
#include "sandbox/limits.h"

#include <stdbool.h>
#include <stdint.h>

/* What is able to enforce a limit or to measure a figure; the receipt prints its name. */
enum mechanism {
	BY_NOTHING,		/* "none" */
	BY_CGROUP_V2,		/* "cgroup-v2" */
	BY_CGROUP_V1,		/* "cgroup-v1" */
	BY_RLIMIT,		/* "rlimit" */
	BY_POLLING,		/* "polling": RSS of all processes, summed */
	BY_CLOCKS,		/* "process-clocks": CPU clocks of all processes in the box */
	BY_TIMER,		/* "timer" */
	BY_TMPFS,		/* "tmpfs" */
	BY_PIPE,		/* "pipe": counted by the judge as it passes */
	BY_AFFINITY,		/* "affinity" */
	BY_RUSAGE,		/* "rusage": wait4 */
	MECHANISM_COUNT
};
extern const char *const mechanism_names[MECHANISM_COUNT];

/* Figures whose source the receipt names: "measured-cpu:cgroup-v2" … */
enum figure { FIGURE_CPU, FIGURE_WALL, FIGURE_MEMORY, FIGURE_COUNT };
extern const char *const figure_names[FIGURE_COUNT];

/* Why the judge ended the box before the program ended by itself. */
enum ended_by {
	ENDED_ITSELF = 0,
	ENDED_TIME, ENDED_WALL_TIME, ENDED_MEMORY, ENDED_OUTPUT,
	ENDED_REFUSED,		/* a refused system call or path; `refused` names it */
	ENDED_SIGNAL,		/* the judge was told to stop; `judge_signal` says by which */
};

struct outcome {
	/* Set-up failed, or watching did: everything below is as far as it got. */
	struct err error;	/* kind ERR_NONE when the box did its work */
	bool started;		/* execve of the program succeeded */
	int exec_errno;		/* why it did not, 0 otherwise; with what was missing in exec_missing */
	char program[256];	/* as given to execve, for messages; or "" */
	char exec_machine[16];	/* architecture of a program that is not this one's, or "" */
	char exec_missing[256];	/* interpreter or loader that the program names and the box lacks, or "" */

	int wait_status;	/* of the program, as wait(2) gives it; valid when `has_status` */
	bool has_status;
	enum ended_by ended_by;
	int judge_signal;	/* with ENDED_SIGNAL */
	char refused[64];	/* name of the refused call or path, or "" */

	uint64_t cpu_us, user_us, sys_us;	/* of the whole box, set-up excluded */
	uint64_t wall_us;			/* monotonic, execve to death */
	uint64_t mem_peak_bytes;		/* of the whole box; see measured[FIGURE_MEMORY] */
	uint64_t max_rss_bytes;			/* largest resident set of one process (wait4) */
	uint64_t csw_voluntary, csw_forced;
	uint64_t oom_kills;			/* by the box's cgroup */
	uint64_t processes_peak;		/* 0: not known */
	uint64_t processes_refused;		/* forks refused at the limit; 0 also where not known */
	uint64_t stdout_bytes, stderr_bytes;	/* passed on */
	bool stdout_over, stderr_over;		/* more than the limit was written */
	bool memory_over;			/* polling saw more than the limit (no cgroup) */
	bool memory_refused;			/* peak reached the limit so that allocation was refused */
	bool line_open;				/* stdout is a terminal and its last line has no end */
	uint64_t disk_bytes;			/* in use in the box's tmpfs at the end; 0 where not known */

	char stderr_tail[4096];			/* its first 1024 bytes and its last, where the request asks; NUL-terminated */
	bool stack_overflow;			/* the run-time said so */

	uint64_t setup_us;	/* from the start of the box to execve */
	uint64_t teardown_us;	/* from death to nothing left */

	int cgroup_version;			/* 2, 1, 0 none */
	int landlock_abi;			/* 0 none */
	bool time_namespace;			/* the box had clocks of its own */
	uint8_t enforced[LIMIT_COUNT];		/* enum mechanism */
	uint8_t measured[FIGURE_COUNT];		/* enum mechanism */
	char notice[1024];			/* what a person should know of this run, or "" */
};

/* The program exited by itself: *ret_status (may be NULL) is its exit status. */
bool outcome_exited(const struct outcome *o, int *ret_status);

/* The judge ended the box while the program was alive. A program that exited just before the kill
   reached it was not killed. */
bool outcome_killed(const struct outcome *o);

/* The signal that ended the program, 0 for none. SIGKILL where the box died as a whole and nobody was left
   to tell: the judge's kill and the OOM killer's know no other. */
int outcome_signal(const struct outcome *o);

/* Name of a mechanism; "none" for what is no mechanism. */
const char *mechanism_name(unsigned mechanism);

#endif
