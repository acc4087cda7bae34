/* The one clone that makes a box: all namespaces at once, a pidfd, and the cgroup where the kernel can. */
#ifndef SANDBOX_CLONE_H
#define SANDBOX_CLONE_H

#include "base/err.h"
#include "sandbox/cgroup.h"
#include "sandbox/inside.h"
#include "sandbox/plan.h"

#include <sys/types.h>

/*
 * Starts init of the box, which runs inside_main and never returns here. `f` holds the descriptors of the
 * inside but not how it gets into its cgroup, which is filled in here, as is `keep`. `c` may be of version 0.
 * The pid and *ret_pidfd (owned by the caller), or -1 with `e` and the cure.
 */
pid_t clone_box(const struct plan *p, const struct cgroup *c, struct inside_fds *f, int *ret_pidfd,
		struct err *e);

#endif
