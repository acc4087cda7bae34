/*
 * The inside of the box: the only code that runs between the clone and the execve, and in init.
 * Raw system calls on data prepared outside: no malloc, no stdio, no message text.
 */
#ifndef SANDBOX_INSIDE_H
#define SANDBOX_INSIDE_H

#include "sandbox/plan.h"

/* What only exists right before the clone: descriptors. */
struct inside_fds {
	int wire;			/* SOCK_SEQPACKET, init's end */
	int in, out, err;		/* the program's stdio; in -1: open the box's /dev/null or the file */
	int join[PLAN_JOIN];		/* cgroup.procs to write "0" into */
	unsigned join_count;
	int *listener;			/* shared with the program's process: its seccomp listener, or -1 */
	void *stack_top;		/* of the program's process while it shares init's memory */
	bool cgroup_namespace;		/* unshare it after joining: the clone did not */
	const int *keep;		/* ascending: every descriptor that is needed inside */
	unsigned keep_count;
};

/* Never returns. Called in the child of the clone. */
void inside_main(const struct plan *p, const struct inside_fds *f) __attribute__((noreturn));

#endif
