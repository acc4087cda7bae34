/* Makes the box's namespaces. Runs in the judge; the child goes straight to sandbox/inside.c. */
#include "sandbox/clone.h"

#include "base/sys.h"
#include "sandbox/host.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x00001000
#endif

static int ascending(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static unsigned list_kept(const struct plan *p, const struct inside_fds *f, int *ret_keep)
{
	unsigned n = 0;
	const int streams[] = { f->wire, f->in, f->out, f->err };

	for (unsigned i = 0; i < 4; i++)
		if (streams[i] >= 0)
			ret_keep[n++] = streams[i];
	for (unsigned i = 0; i < f->join_count; i++)
		ret_keep[n++] = f->join[i];
	for (size_t i = 0; i < p->root.count; i++)
		if (p->root.ops[i].fd >= 0)
			ret_keep[n++] = p->root.ops[i].fd;
	qsort(ret_keep, n, sizeof(*ret_keep), ascending);
	return n;
}

static void join_by_hand(const struct cgroup *c, struct inside_fds *f)
{
	f->join_count = 0;
	for (int i = 0; i < CONTROLLER_COUNT; i++)
		if (c->procs[i] >= 0)
			f->join[f->join_count++] = c->procs[i];
	f->cgroup_namespace = f->join_count > 0;
}

static long clone_into(const struct plan *p, int cgroup, int *ret_pidfd)
{
	struct clone_args args = {
		.flags = p->clone_flags | CLONE_NEWCGROUP | CLONE_PIDFD | CLONE_INTO_CGROUP,
		.pidfd = (uint64_t)(uintptr_t)ret_pidfd,
		.exit_signal = SIGCHLD,
		.cgroup = (uint64_t)cgroup,
	};

	return sys_clone3(&args, sizeof(args));
}

/* clone(2), with a pidfd since Linux 5.2. A box that joins its cgroup itself makes its cgroup namespace
   afterwards, so that its root is the box's cgroup. */
static long clone_plainly(const struct plan *p, bool joins, int *ret_pidfd)
{
	unsigned long flags = p->clone_flags | CLONE_PIDFD | SIGCHLD;

	return sys_clone(joins ? flags : flags | CLONE_NEWCGROUP, ret_pidfd);
}

static long start(const struct plan *p, const struct cgroup *c, struct inside_fds *f, int *keep,
		  int *ret_pidfd)
{
	/* The kernel asks who clones whether he may put a process there: a judge of root is somebody else then. */
	int target = c->version && !p->privilege.by_root ? cgroup_clone_fd(c) : -1;

	f->join_count = 0;
	f->cgroup_namespace = false;
	f->keep = keep;
	if (target >= 0) {
		f->keep_count = list_kept(p, f, keep);

		long pid = clone_into(p, target, ret_pidfd);

		if (pid >= 0 || (errno != ENOSYS && errno != E2BIG && errno != EINVAL))
			return pid;
	}
	if (c->version)
		join_by_hand(c, f);
	f->keep_count = list_kept(p, f, keep);
	return clone_plainly(p, f->cgroup_namespace, ret_pidfd);
}

pid_t clone_box(const struct plan *p, const struct cgroup *c, struct inside_fds *f, int *ret_pidfd,
		struct err *e)
{
	int *keep = calloc(p->root.count + PLAN_JOIN + 8, sizeof(*keep));
	long pid;

	*ret_pidfd = -1;
	if (!keep)
		return fail(e, ENOMEM, "cannot make the box");
	pid = start(p, c, f, keep, ret_pidfd);
	if (pid == 0)
		inside_main(p, f);
	if (pid < 0) {
		int number = errno;

		fail(e, number, "cannot make the box's namespaces");
		host_explain_namespaces(number, e);
	}
	free(keep);
	if (pid > 0 && *ret_pidfd < 0) {	/* the flag was not known, and nobody would tell of its end */
		kill((pid_t)pid, SIGKILL);
		return fail(e, ENOSYS, "this kernel gives no pidfd with a clone: judge needs Linux 5.2");
	}
	return (pid_t)pid;
}
