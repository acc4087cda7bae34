/*
 * The cgroup of one box: found, made, filled, read, killed and removed.
 *
 * Two steps. A `cgroup_place` is a folder (v2) or one folder per controller (v1) in which this
 * process may make cgroups; it is looked for once per judge process. A `cgroup` is one box's own,
 * made in the place, removed at the end, and swept by a later judge when its judge was killed:
 * a judge holds flock(2) LOCK_EX on its box's folder as long as it lives, so a folder whose lock
 * can be had belongs to nobody.
 *
 * Rules: Documentation/admin-guide/cgroup-v2.rst (no internal processes, delegation, nsdelegate),
 * cgroup-v1/{memory,pids,cpuacct}.rst.
 */
#ifndef SANDBOX_CGROUP_H
#define SANDBOX_CGROUP_H

#include "base/err.h"
#include "sandbox/limits.h"
#include "sandbox/outcome.h"

#include <stdbool.h>
#include <stdint.h>

enum cgroup_mode { CGROUP_AUTO, CGROUP_V2, CGROUP_V1, CGROUP_NONE, CGROUP_PATH };

/* v2 has one folder for all (folder[0] … are the same fd number there is only one of; see .version). */
enum controller { CONTROLLER_MEMORY, CONTROLLER_PIDS, CONTROLLER_CPU, CONTROLLER_CPUACCT, CONTROLLER_COUNT };

struct cgroup_place {
	int version;			/* 2, 1, 0: none */
	bool has[CONTROLLER_COUNT];	/* usable for boxes here; CPUACCT in v2: cpu.stat, always there */
	int folder[CONTROLLER_COUNT];	/* O_DIRECTORY fds; v2: only folder[0] is open; -1 elsewhere */
	bool nsdelegate;		/* v2: the mount has it; see notice when not */
	char path[4096];		/* of folder[0], for messages */
	char why[512];			/* with version 0 or a missing controller: what stood in the way and the
					   exact cure, one line; "" where nothing is missing */
};

/*
 * Finds a place. CGROUP_AUTO: the own v2 cgroup when it may be delegated from (the processes in it are
 * moved into a leaf "judge-leaf", also when many judges start at once in one scope; a judge that is
 * already in a "judge-leaf" uses its parent), else v1 folders when writable (any subset of controllers),
 * else none: that is no error, `why` says it. CGROUP_V2, CGROUP_V1: that or an error with a cure.
 * CGROUP_PATH: the folder `path` (a v2 cgroup, or PATH below every v1 controller mount when it is relative
 * or names none), or an error. CGROUP_NONE: version 0.
 * `proc` and `sys` are where /proc and /sys/fs/cgroup are ("" prefix for the real ones, a fake tree in
 * tests). 0 or -1 (ERR_INTERNAL, with a cure).
 */
int cgroup_find(enum cgroup_mode mode, const char *path, const char *prefix,
		struct cgroup_place *ret_place, struct err *e);
void cgroup_place_close(struct cgroup_place *p);

/*
 * Whether starting again under `systemd-run --user --scope -p Delegate=yes` would give a place that
 * is missing now: a user manager answers on its socket, and this process is not already in such a try
 * ($JUDGE_SCOPE). With root's euid the system manager's socket and no --user.
 */
bool cgroup_scope_possible(void);
/* Becomes `systemd-run … -- /proc/self/exe argv[1…]`. Returns only when that failed: -1 with `e`. */
int cgroup_scope_exec(char **argv, struct err *e);

struct cgroup {
	int version;
	char name[64];			/* of the box's folder in each place folder: "judge-box-PID-N" */
	const struct cgroup_place *place;
	int folder[CONTROLLER_COUNT];	/* as in the place; folder[0] of v2, each of v1, holds the flock */
	int procs[CONTROLLER_COUNT];	/* cgroup.procs opened O_WRONLY: a process that writes "0" joins (v1, or
					   v2 where clone3's CLONE_INTO_CGROUP cannot be used) */
	int kill;			/* v2 cgroup.kill O_WRONLY, or -1 where the kernel has none */
	int oom;			/* readable or POLLPRI when an OOM event may have happened, or -1:
					   v2 memory.events, v1 an eventfd registered in cgroup.event_control.
					   cgroup_memory takes the event, so that the next one shows again */
	int cpu;			/* v2 cpu.stat, v1 cpuacct.usage, open for reading, or -1 */
	int pids_max;			/* pids.max O_WRONLY, or -1: no new process while killing one by one */
	bool oom_group;			/* v2: memory.oom.group is set */
};

/*
 * Makes the box's cgroup and sets the limits: memory (memory.max, swap 0, oom.group; v1 limit then memsw),
 * processes (`pids.max`, with room for init: the value + 1), CPU share (cpu.max; cfs quota). Writes the
 * mechanism into enforced[LIMIT_MEMORY/PROCESSES/CPUS] only for what it did set. Sweeps dead boxes of the
 * same place first. On an error nothing is left. 0 or -1.
 */
int cgroup_make(const struct cgroup_place *place, const struct limits *l, struct cgroup *ret,
		uint8_t enforced[LIMIT_COUNT], struct err *e);

/* For clone_args.cgroup: the v2 folder's fd, or -1 where it cannot be used (v1, none). The kernel asks for
   write permission on the place's cgroup.procs with the credentials of the caller of clone3 (EACCES): a judge
   of root clones with euid 0, or lets the child write "0" to procs[]. */
int cgroup_clone_fd(const struct cgroup *c);

/* CPU time used so far, µs (cpu.stat, or cpuacct.usage, usage_user, usage_sys). 0 or -1: no source here. */
int cgroup_cpu(const struct cgroup *c, uint64_t *ret_total_us, uint64_t *ret_user_us, uint64_t *ret_sys_us);

/* The total only: cheap, for the watch loop. 0 or -1. */
int cgroup_cpu_total(const struct cgroup *c, uint64_t *ret_total_us);

/* Peak bytes (memory.peak, memory.max_usage_in_bytes; before kernel 5.19 v2 only has memory.current, so the
   caller asks from time to time and keeps the largest) and OOM kills so far. 0 or -1: no source here. */
int cgroup_memory(const struct cgroup *c, uint64_t *ret_peak_bytes, uint64_t *ret_oom_kills);

/* Largest number of processes (pids.peak, kernel 6.1; 0 where unknown) without init, and forks refused. */
void cgroup_processes(const struct cgroup *c, uint64_t *ret_peak, uint64_t *ret_refused);

/* Ends every process in it: cgroup.kill, or SIGKILL to each pid until none is left. Never waits long. */
void cgroup_kill(const struct cgroup *c);

/* Removes it; what still dies in it is waited for, at most 2 s. 0, or -1 and what is left is named. */
int cgroup_remove(struct cgroup *c, struct err *e);

#endif
