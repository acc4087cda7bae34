/*
 * The plan of one box: complete before the clone, const afterwards. Nothing decides anything once it is
 * made; the box executes it, and the outside uses it to name what failed.
 */
#ifndef SANDBOX_PLAN_H
#define SANDBOX_PLAN_H

#include "base/arena.h"
#include "base/err.h"
#include "box-root/layout.h"
#include "sandbox/cgroup.h"
#include "sandbox/host.h"
#include "sandbox/landlock.h"
#include "sandbox/privilege.h"
#include "sandbox/request.h"
#include "seccomp/filter.h"
#include "seccomp/load.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

enum stdin_kind {
	STDIN_NULL,	/* the box's /dev/null */
	STDIN_FILE,	/* a regular file of the host, opened through a read-only mount of its own */
	STDIN_RELAY,	/* anything else: the judge passes it on through a pipe */
};

struct plan_stdin {
	enum stdin_kind kind;
	int fd;			/* the caller's, owned by the plan when it was opened for --stdin */
	const char *path;	/* STDIN_FILE: canonical */
	dev_t device;		/* STDIN_FILE: what must be found there */
	ino_t inode;
	off_t offset;
};

struct plan_rlimit {
	int resource;
	struct rlimit limit;
};

/* Where the program's stdout or stderr goes outside. */
struct plan_sink {
	int fd;			/* -1: nowhere (stderr that goes to stdout) */
	bool owned;		/* opened by the plan */
};

#define PLAN_RLIMITS 16
#define PLAN_JOIN CONTROLLER_COUNT

struct plan {
	struct arena arena;
	const struct request *request;
	struct limits limits;
	struct host host;

	/* the program */
	const char *program;		/* for execve, relative to chdir or absolute */
	char *const *argv;
	char *const *envp;
	const char *chdir;
	const char *outside;		/* host file that `program` is, to explain a failing execve; or NULL */

	/* who it is */
	struct privilege privilege;	/* host ids of the box */
	const char *uid_map, *gid_map;

	/* its world */
	unsigned long clone_flags;	/* CLONE_NEW… of the one clone */
	bool time_namespace;
	const char *time_offsets;	/* text for /proc/self/timens_offsets */
	int64_t time_offset_us;		/* the box's CLOCK_MONOTONIC minus the host's */
	const char *root_base;		/* a folder of the host to mount the new root on */
	const char *root_options;	/* of the tmpfs: size, inodes, mode */
	uint64_t tmpfs_own_bytes;	/* of root_options' size: taken by the layout and given files */
	struct root_list root;

	/* its limits */
	struct plan_rlimit rlimits[PLAN_RLIMITS];
	size_t rlimit_count;
	unsigned pin;			/* CPUs that the box is bound to, where that enforces the CPU share; 0: not */
	cpu_set_t may_use;		/* with pin: the judge's own, from which they are taken */
	unsigned parallel;		/* CPUs that may work for the box at once */
	const struct filter *filter;	/* NULL: none; where it kills, the kernel only says SIGSYS */
	const struct sock_filter *notifying;	/* the same, asking the judge where it kills, who names the call */
	unsigned short notifying_length;	/* of `notifying`: as long as the filter, longer for learning */
	struct filter_loaded loaded;	/* the filter, where it is a file's */
	bool exec_program;		/* only the program, what runs it, and --exec-allow may be executed */
	struct landlock landlock;
	const char *notice;		/* what a person should know of this plan, or NULL */
	uint8_t enforced[LIMIT_COUNT];	/* what the cgroup does not: filled by plan_build, then by the cgroup */

	/* its streams */
	struct plan_stdin in;
	struct plan_sink out, err;
};

/*
 * Makes the plan of a request, whose limits are finished. `place` is where its cgroup will be made
 * (version 0: none). Opens what the caller named (files, streams) with the caller's rights. Fills ret even
 * on failure as far as it got, so that plan_free is always right. 0, or -1 with `e`: usage errors name the
 * option and what to do.
 */
int plan_build(struct plan *ret, const struct request *r, const struct cgroup_place *place,
	       const struct privilege *privilege, struct err *e);

/* Closes what the plan opened and frees the rest. */
void plan_free(struct plan *p);

#endif
