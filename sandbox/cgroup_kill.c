/*
 * Ends what is in a box's cgroup, removes it, and sweeps the boxes of judges that died. Runs in
 * the judge, outside.
 *
 * A judge holds LOCK_EX on its box's folder; a sweeper touches only a folder whose lock it got.
 * Between mkdir and flock a fresh, empty folder may be swept away: its maker finds it gone or
 * locked and takes another name (cgroup.c). No process is in a folder before its lock is held.
 */
#include "sandbox/cgroup_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"

#define KILL_ROUNDS 100
#define KILL_NAP_US 200
#define REMOVE_WAIT_US 2000000
#define SWEEP_WAIT_US 20000

bool cgroup_first_owner(const int folder[CONTROLLER_COUNT], int c)
{
	for (int before = 0; before < c; before++)
		if (folder[before] == folder[c])
			return false;
	return folder[c] >= 0;
}

static void nap(long us)
{
	(void)nanosleep(&(struct timespec){ .tv_nsec = us * 1000 }, NULL);
}

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

pid_t cgroup_pid(const char *line)
{
	char *end;
	long pid = strtol(line, &end, 10);

	return *end == '\n' && pid > 1 && pid <= INT_MAX && pid != getpid() ? (pid_t)pid : 0;
}

/* SIGKILL to each process listed. Returns how many lines there were, -1: cannot look. A list longer than
   the buffer is dealt with in the next round. */
static int kill_listed(int folder)
{
	char text[16384];
	autoclose int procs = openat(folder, "cgroup.procs", O_RDONLY | O_CLOEXEC);
	ssize_t size = procs < 0 ? -1 : read_full(procs, text, sizeof(text) - 1);
	int count = 0;

	if (size < 0)
		return -1;
	text[size] = '\0';
	for (char *at = text, *end; (end = strchr(at, '\n')); at = end + 1, count++) {
		pid_t pid = cgroup_pid(at);

		if (pid > 0)
			(void)kill(pid, SIGKILL);	/* gone already is as good */
	}
	return count;
}

/* pids.max 0 first: then nothing can fork away from the list. */
static void kill_each(int folder, int pids_max)
{
	if (pids_max >= 0)
		(void)!pwrite(pids_max, "0", 1, 0);
	for (int round = 0; round < KILL_ROUNDS && kill_listed(folder) > 0; round++)
		nap(KILL_NAP_US);
}

void cgroup_kill(const struct cgroup *c)
{
	if (c->version == 0)
		return;
	if (c->kill >= 0 && pwrite(c->kill, "1", 1, 0) == 1)
		return;
	for (int i = 0; i < CONTROLLER_COUNT; i++)
		if (cgroup_first_owner(c->folder, i)) {
			kill_each(c->folder[i], c->pids_max);
			return;		/* the same processes are in all of them */
		}
}

/* rmdir until what dies in it is gone. 0, or -1 with errno. */
static int remove_waiting(int place, const char *name, uint64_t until_us)
{
	for (long wait_us = 20;; wait_us = wait_us < 5000 ? wait_us * 2 : wait_us) {
		if (unlinkat(place, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
			return 0;
		if (errno != EBUSY || now_us() >= until_us)
			return -1;
		nap(wait_us);
	}
}

/* Downwards: an fd that controllers share belongs to the first of them. */
static void close_all(struct cgroup *c)
{
	for (int i = CONTROLLER_COUNT - 1; i >= 0; i--) {
		if (cgroup_first_owner(c->folder, i))
			close_fd(&c->folder[i]);
		c->folder[i] = -1;
		close_fd(&c->procs[i]);
	}
	close_fd(&c->kill);
	close_fd(&c->oom);
	close_fd(&c->cpu);
	close_fd(&c->pids_max);
}

/* 0, or -1 with errno. What is still in it is killed. */
static int remove_folder(struct cgroup *c, int i, uint64_t until_us)
{
	if (unlinkat(c->place->folder[i], c->name, AT_REMOVEDIR) == 0)
		return 0;
	if (errno == EBUSY)
		cgroup_kill(c);
	return remove_waiting(c->place->folder[i], c->name, until_us);
}

int cgroup_remove(struct cgroup *c, struct err *e)
{
	uint64_t until_us = now_us() + REMOVE_WAIT_US;
	int failed = 0;

	if (c->version == 0)
		return 0;
	for (int i = 0; i < CONTROLLER_COUNT; i++)
		if (cgroup_first_owner(c->folder, i) && remove_folder(c, i, until_us) < 0)
			failed = fail(e, errno, "cannot remove the cgroup %s in %s (%s)", c->name,
				      c->place->path, c->version == 2 ? "v2" : controller_names[i]);
	close_all(c);
	c->version = 0;
	return failed;
}

/* Kills with cgroup.kill where there is one, else one by one. */
static void kill_inside(int folder)
{
	autoclose int pids_max = -1;

	if (write_text_at(folder, "cgroup.kill", "1") == 0)
		return;
	pids_max = openat(folder, "pids.max", O_WRONLY | O_CLOEXEC);
	kill_each(folder, pids_max);
}

static void sweep_one(int place, const char *name)
{
	autoclose int folder = openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (folder < 0 || flock(folder, LOCK_EX | LOCK_NB) < 0)
		return;
	if (unlinkat(place, name, AT_REMOVEDIR) == 0 || errno != EBUSY)
		return;
	kill_inside(folder);
	(void)remove_waiting(place, name, now_us() + SWEEP_WAIT_US);	/* else the next judge does */
}

/* Its own pid does not count: in a container the judge before may well have had the same. */
static bool seems_alive(const char *name)
{
	long pid = strtol(name + strlen(CGROUP_BOX), NULL, 10);

	return pid > 0 && pid != getpid() && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

/* The place's folder is opened anew: its own file offset may be shared with other workers. */
void cgroup_sweep(int folder, bool all)
{
	char buffer[4096] __attribute__((aligned(8)));
	struct stat st;
	ssize_t size;

	if (fstat(folder, &st) == 0 && st.st_nlink == 2)
		return;		/* no folder in it */

	autoclose int list = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (list < 0)
		return;
	while ((size = getdents64(list, buffer, sizeof(buffer))) > 0)
		for (ssize_t at = 0; at < size; ) {
			const struct dirent64 *entry = (const void *)(buffer + at);

			at += entry->d_reclen;
			if (strncmp(entry->d_name, CGROUP_BOX, strlen(CGROUP_BOX)) == 0 &&
			    (all || !seems_alive(entry->d_name)))
				sweep_one(folder, entry->d_name);
		}
}
