/*
 * Makes a v2 cgroup fit to hold boxes: its controllers are turned on for its children, and the
 * processes in it move into a leaf, because a cgroup with controllers on has no processes of its
 * own ("no internal processes", cgroup-v2.rst). Runs in the judge, outside, once.
 *
 * Many judges may do this at once in one scope: each step is one that all of them can take, and
 * whoever comes late finds it done.
 */
#include "sandbox/cgroup_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd.h"

/* A process that forks while it is moved leaves its child behind: a few rounds always were enough
   with 30 starting judges; a fork bomb in the caller's own scope must not hold the judge for ever. */
#define MOVE_ROUNDS 500
#define QUICK_ROUNDS 10

static const enum controller wanted[] = { CONTROLLER_MEMORY, CONTROLLER_PIDS, CONTROLLER_CPU };

/* Bits of the wanted controllers among the space separated words of a file. */
static int read_controllers(int folder, const char *file, unsigned *ret)
{
	char text[1024], *rest = text;

	if (read_text_at(folder, file, text, sizeof(text)) < 0)
		return -1;
	*ret = 0;
	for (char *word; (word = strtok_r(rest, " \n", &rest)); )
		for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
			if (strcmp(word, controller_names[wanted[i]]) == 0)
				*ret |= 1U << wanted[i];
	return 0;
}

static int turn_on(int folder, unsigned controllers)
{
	char text[64] = "";

	for (int c = 0; c < CONTROLLER_COUNT; c++)
		if (controllers & 1U << c) {
			strcat(text, "+");
			strcat(text, controller_names[c]);
			strcat(text, " ");
		}
	return write_text_at(folder, "cgroup.subtree_control", text);
}

/* One refused controller (cpu, with realtime processes about) must not take the others with it. */
static unsigned turn_on_each(int folder, unsigned controllers)
{
	unsigned on = 0;

	for (int c = 0; c < CONTROLLER_COUNT; c++)
		if (controllers & 1U << c && turn_on(folder, 1U << c) == 0)
			on |= 1U << c;
	return on;
}

static int move_one(int procs, const char *pid, const char *path, struct err *e)
{
	if (strcmp(pid, "0") == 0) {
		fail(e, 0, "cannot turn on controllers in %s: a process of another pid namespace is in it",
		     path);
		return fail_cure(e, "move that process into a cgroup of its own, or use --cgroup PATH");
	}
	if (write_all(procs, pid, strlen(pid)) == 0 || errno == ESRCH)
		return 0;
	fail(e, errno, "cannot move process %s from %s into %s", pid, path, CGROUP_LEAF);
	return fail_cure(e, "move that process into a cgroup of its own, or start the judge in one: "
			    "systemd-run --user --scope -p Delegate=yes judge ...");
}

static int move_all(int folder, const char *path, struct err *e)
{
	autofree char *text = NULL;
	autoclose int procs = -1;
	size_t size;

	if (mkdirat(folder, CGROUP_LEAF, 0755) < 0 && errno != EEXIST)
		return fail(e, errno, "cannot make %s/%s", path, CGROUP_LEAF);
	procs = openat(folder, CGROUP_LEAF "/cgroup.procs", O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	if (procs < 0)
		return fail(e, errno, "cannot open %s/%s/cgroup.procs", path, CGROUP_LEAF);
	if (read_file_at(folder, "cgroup.procs", 16 * MIB, &text, &size) < 0)
		return fail(e, errno, "cannot read %s/cgroup.procs", path);

	char *rest = text;

	for (char *pid; (pid = strtok_r(rest, "\n", &rest)); )
		if (move_one(procs, pid, path, e) < 0)
			return -1;
	return 0;
}

/* Turns all of `missing` on, moving processes away as often as new ones appear. */
static int turn_on_moving(int folder, const char *path, unsigned missing, struct err *e)
{
	for (int round = 0; round < MOVE_ROUNDS; round++) {
		if (move_all(folder, path, e) < 0)
			return -1;
		if (turn_on(folder, missing) == 0)
			return 0;
		if (errno != EBUSY)
			return fail(e, errno, "cannot turn on controllers in %s", path);
		if (round >= QUICK_ROUNDS)
			(void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	fail(e, EBUSY, "cannot turn on controllers in %s: new processes keep appearing in it", path);
	return fail_cure(e, "start the judge in a scope of its own: "
			    "systemd-run --user --scope -p Delegate=yes judge ...");
}

/* A child of a threaded cgroup is "domain invalid" and takes no process. The root has no such file. */
static int check_type(int folder, const char *path, struct err *e)
{
	char type[64];

	if (read_text_at(folder, "cgroup.type", type, sizeof(type)) < 0)
		return errno == ENOENT ? 0 : fail(e, errno, "cannot read %s/cgroup.type", path);
	type[strcspn(type, "\n")] = '\0';
	if (strcmp(type, "domain") == 0)
		return 0;
	fail(e, 0, "%s is a cgroup of type \"%s\", which cannot hold boxes", path, type);
	return fail_cure(e, "start the judge in a scope of its own: "
			    "systemd-run --user --scope -p Delegate=yes judge ...");
}

int cgroup_delegate(int folder, const char *path, bool may_move, bool ret_has[CONTROLLER_COUNT],
		    struct err *e)
{
	unsigned offered, on;

	if (check_type(folder, path, e) < 0)
		return -1;
	if (read_controllers(folder, "cgroup.controllers", &offered) < 0 ||
	    read_controllers(folder, "cgroup.subtree_control", &on) < 0)
		return fail(e, errno, "cannot read the controllers of %s", path);

	unsigned missing = offered & ~on;

	if (missing == 0 || turn_on(folder, missing) == 0) {
		on |= missing;
	} else if (errno != EBUSY) {
		on |= turn_on_each(folder, missing);
	} else if (!may_move) {
		fail(e, EBUSY, "processes that are not the judge's are in %s", path);
		return fail_cure(e, "systemd-run --scope -p Delegate=yes judge ...");
	} else {
		if (turn_on_moving(folder, path, missing, e) < 0)
			return -1;
		on |= missing;
	}
	for (int c = 0; c < CONTROLLER_COUNT; c++)
		ret_has[c] = on & 1U << c;
	ret_has[CONTROLLER_CPUACCT] = true;
	return 0;
}
