/*
 * What init and the program's process tell the judge: fixed records on a SOCK_SEQPACKET pair, one a
 * message. Inside nothing makes text; the outside, which holds the same plan, writes the sentences.
 */
#ifndef SANDBOX_WIRE_H
#define SANDBOX_WIRE_H

#include "base/err.h"
#include "sandbox/plan.h"

#include <stdint.h>

/* What is done inside, in order. A failing step sends its number, the item it was at, and errno. */
enum step {
	STEP_CLOSE_FDS, STEP_JOIN_CGROUP, STEP_CGROUP_NAMESPACE, STEP_SETGROUPS, STEP_GID_MAP, STEP_UID_MAP,
	STEP_SWITCH_IDS, STEP_DIE_WITH_JUDGE, STEP_SESSION, STEP_HOSTNAME, STEP_LOOPBACK,
	STEP_NO_NESTING, STEP_PRIVATE_MOUNTS, STEP_STDIN_MOUNT, STEP_STDIN_OPEN, STEP_STDIN_CHANGED,
	STEP_ROOT_TMPFS, STEP_PIVOT, STEP_ROOT_OP, STEP_DETACH, STEP_SEAL, STEP_BOX_FOLDER,
	STEP_TIME_OFFSETS, STEP_NOT_DUMPABLE, STEP_SECUREBITS, STEP_BOUNDING_SET, STEP_CAPABILITIES,
	STEP_NO_NEW_PRIVS, STEP_FORK, STEP_RLIMIT, STEP_STDIO, STEP_CHDIR, STEP_AFFINITY, STEP_LANDLOCK, STEP_FILTER,
	STEP_EXEC, STEP_WAIT, STEP_COUNT
};

enum wire_kind {
	WIRE_FAILED,		/* step, item, number */
	WIRE_BUILT,		/* from init, when the program has started: its cpu_us before that; with a
				   descriptor of /box and, where there is one, the filter's listener */
	WIRE_READY,		/* the next thing is execve: now_us, cpu_us (of this process), flags */
	WIRE_ENDED,		/* from init: the program ended: status, now_us, its own figures. With `done`
				   nothing else was left, and no other record follows */
	WIRE_DONE,		/* from init: nothing else is left: figures of all */
};

#define WIRE_FDS 2	/* descriptors that come with WIRE_BUILT, at most */

struct wire_record {
	uint32_t kind;
	uint32_t step;		/* enum step */
	uint32_t item;		/* index of the root operation, rlimit, … */
	int32_t number;		/* errno */
	int32_t status;		/* wait(2) status */
	uint32_t time_namespace;	/* READY: 1 when it was made */
	uint32_t shifted;	/* READY: now_us is of the box's clock */
	uint64_t now_us;	/* CLOCK_MONOTONIC, of the host unless `shifted` */
	uint32_t done;		/* ENDED: the figures of DONE are here too */
	uint64_t cpu_us;	/* READY, BUILT: CPU of the sender so far */
	uint64_t init_cpu_us;	/* DONE: of init alone, all of it */
	uint64_t user_us, sys_us;	/* DONE: of all that init has waited for */
	uint64_t max_rss_kib, csw_voluntary, csw_forced;	/* ENDED: of the program and what it waited for */
};

/* Fills `e` with what the failed step was about: what, on what, errno, cure. */
int wire_explain(const struct plan *p, const struct wire_record *r, struct err *e);

#endif
