/*
 * The watch over one running box: one poll loop over everything that can happen. Runs in the judge, with the
 * effective ids of the box.
 */
#ifndef SANDBOX_WATCH_H
#define SANDBOX_WATCH_H

#include "sandbox/cgroup.h"
#include "sandbox/outcome.h"
#include "sandbox/plan.h"
#include "sandbox/processes.h"
#include "sandbox/stream.h"
#include "sandbox/wire.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct watch {
	const struct plan *plan;
	const struct cgroup *cgroup;
	struct outcome *o;		/* filled as things happen */
	pid_t init;
	int pidfd, wire, signals;	/* signals: a signalfd, or -1 */
	int box_folder;			/* from init, owned; -1 */
	int listener;			/* of the program's filter, from init, owned; -1 */
	struct stream in, out, err;
	struct processes processes;
	pid_t program;			/* as the host numbers it; -1 not known */

	uint64_t start_us;		/* CLOCK_MONOTONIC of the host, as all times here */
	uint64_t ready_us;		/* execve; 0 before */
	uint64_t take_down_us;		/* when to help init with what is left; after `ended` */
	uint64_t end_us;		/* the program's death, or init's where that is not known */
	uint64_t init_cpu_us, child_cpu_us;	/* used by set-up, not by the program */
	uint64_t done_user_us, done_sys_us;	/* of all that init waited for, when it was done */
	bool ended;			/* init told of the program's end */
	bool done;			/* and of everybody's */
	int init_status;		/* of init, when dead */
	bool dead;			/* nothing of the box is alive */

	uint64_t cpu_check_us, memory_check_us;		/* when to look next */
	uint64_t cpu_step_us, memory_step_us;
	uint64_t cpu_seen_us, memory_seen_bytes;
};

/* CLOCK_MONOTONIC, microseconds. */
uint64_t now_us(void);

/* Watches until everything in the box is dead and its output is passed on. Never fails: what goes wrong is in
   the outcome. */
void watch_box(struct watch *w);

#endif
