/*
 * What the files of the cgroup module share, and nobody else includes (but its tests).
 *
 *	cgroup_mounts.c	/proc/self/mountinfo and /proc/self/cgroup as data; pure
 *	cgroup_v2.c	makes a v2 folder fit for boxes: controllers on, processes into a leaf
 *	cgroup_place.c	makes a place of the own v2 cgroup, of v1 folders, of a v2 path
 *	cgroup_find.c	chooses the place
 *	cgroup.c	makes a box's cgroup and sets its limits
 *	cgroup_read.c	what the kernel counted in it
 *	cgroup_kill.c	ends, removes and sweeps
 *	cgroup_scope.c	starts again under systemd-run
 */
#ifndef SANDBOX_CGROUP_PRIVATE_H
#define SANDBOX_CGROUP_PRIVATE_H

#include "sandbox/cgroup.h"

#include <stddef.h>
#include <sys/types.h>

#define CGROUP_LEAF "judge-leaf"
#define CGROUP_BOX "judge-box-"
#define CGROUP_MOUNTS 64

extern const char *const controller_names[CONTROLLER_COUNT];

struct cgroup_mount {
	int version;			/* 1 or 2 */
	unsigned controllers;		/* v1: bit 1 << enum controller */
	bool cpuset;			/* v1: a child is unusable before its cpuset.cpus is filled */
	bool nsdelegate;
	const char *root;		/* what of the hierarchy is mounted, seen from the cgroup namespace */
	const char *point;		/* where */
};

/* Where this process is: paths seen from its cgroup namespace, NULL where there is none. */
struct cgroup_own {
	const char *v2;
	const char *v1[CONTROLLER_COUNT];
};

/* The cgroup mounts of a mountinfo text, which is cut up: the rows point into it. Broken lines are
   left out. Returns how many, at most `most`. */
size_t cgroup_mounts_read(char *text, struct cgroup_mount *ret_mounts, size_t most);

/* The lines of a /proc/PID/cgroup text, which is cut up. */
void cgroup_own_read(char *text, struct cgroup_own *ret_own);

/* The part of `path` below `root` without its first slash ("" for root itself), or NULL when it is not
   below or leads through "..": such a path is outside the cgroup namespace and has no folder here. */
const char *cgroup_below(const char *root, const char *path);

/* What was read of /proc, and the folder that stands before all paths in tests. */
struct cgroup_search {
	const char *prefix;
	char *mounts_text, *own_text;	/* malloc'ed; the rows point into them */
	struct cgroup_mount mount[CGROUP_MOUNTS];
	size_t mounts;
	struct cgroup_own own;
};

/* Opens `below` in the mount as a folder and writes its path. An fd, or -1 with errno: a mount that is
   covered by another one shows no cgroup.procs and is ENOENT. */
int cgroup_open_below(const struct cgroup_search *s, const struct cgroup_mount *m, const char *below,
		      char ret_path[4096]);

/* The three ways to a place. `p` is blank before; on an error nothing in it is open. `e` is not NULL. */
int cgroup_place_own_v2(const struct cgroup_search *s, struct cgroup_place *p, struct err *e);
int cgroup_place_v2_at(const struct cgroup_search *s, const struct cgroup_mount *m, const char *below,
		       struct cgroup_place *p, struct err *e);
/* v1: `below` each controller's mount, or with NULL the own cgroup of each. */
int cgroup_place_v1(const struct cgroup_search *s, const char *below, struct cgroup_place *p,
		    struct err *e);

/* Makes the v2 cgroup `folder` (`path` in messages) ready to hold boxes: turns on the controllers it
   has, moves its processes into CGROUP_LEAF where the kernel asks for that and `may_move`. Writes into
   ret_has which controllers boxes get. 0 or -1. */
int cgroup_delegate(int folder, const char *path, bool may_move, bool ret_has[CONTROLLER_COUNT],
		    struct err *e);

/* Whether `c` is the first controller that owns folder[c]: co-mounted controllers share one fd. */
bool cgroup_first_owner(const int folder[CONTROLLER_COUNT], int c);

/* The pid at the start of a line of cgroup.procs, or 0 when it must not be signalled: no number, init, this
   process, and the 0 by which a process outside the judge's pid namespace is listed (kill(0) would be the
   judge's own group). */
pid_t cgroup_pid(const char *line);

/* Removes the boxes in `folder` whose judge is dead. Without `all`, those whose name carries the pid of
   a living process are passed over unlooked at, which makes it cheap among many live boxes. */
void cgroup_sweep(int folder, bool all);

#endif
