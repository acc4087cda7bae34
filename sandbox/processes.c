/* The processes of a box, from /proc and their clocks. Runs in the judge, in the watch loop. */
#include "sandbox/processes.h"

#include "base/fd.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LEAVING 64	/* dead, not waited for yet */

void processes_init(struct processes *p, pid_t init, size_t most)
{
	*p = (struct processes){ .init = init, .most = most + LEAVING };
}

void processes_free(struct processes *p)
{
	free(p->list);
	p->list = NULL;
	p->count = 0;
}

/* clock_getcpuclockid(3) without its extra call: the number of a process's clock is made of its pid
   (include/linux/posix-timers_types.h: CPUCLOCK_SCHED 2). */
uint64_t process_cpu(pid_t pid)
{
	struct timespec t;

	if (clock_gettime((clockid_t)(~(unsigned)pid << 3 | 2), &t) < 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static ssize_t read_of(pid_t pid, const char *file, char *ret_text, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	return read_text_at(AT_FDCWD, path, ret_text, size);
}

static void note(struct processes *p, pid_t pid)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->list[i].pid == pid) {
			p->list[i].seen = true;
			return;
		}
	if (p->count < p->most)
		p->list[p->count++] = (struct process){ .pid = pid, .seen = true };
}

/* proc_tid_children(5): the children of one thread, as the host numbers them. */
static void note_children(struct processes *p, pid_t pid, const char *thread)
{
	char path[96], text[16384];

	snprintf(path, sizeof(path), "/proc/%d/task/%s/children", pid, thread);
	if (read_text_at(AT_FDCWD, path, text, sizeof(text)) < 0)
		return;	/* it ended meanwhile */
	for (char *at = text, *end;; at = end) {
		long child = strtol(at, &end, 10);

		if (end == at)
			return;
		note(p, (pid_t)child);
	}
}

static void note_children_of(struct processes *p, pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	DIR *threads = opendir(path);

	if (!threads)
		return;
	for (struct dirent *d; (d = readdir(threads));)
		if (d->d_name[0] != '.')
			note_children(p, pid, d->d_name);
	closedir(threads);
}

/* The numbers behind the last ')' of /proc/PID/stat: the name before it is the program's own choice and may
   hold anything. `field` as proc_pid_stat(5) counts, at least 4. */
static bool stat_field(const char *text, int field, unsigned long long *ret_value)
{
	const char *at = strrchr(text, ')');

	for (int skip = 2; at && skip < field; skip++) {
		at = strchr(at + 1, ' ');
	}
	return at && sscanf(at, " %llu", ret_value) == 1;
}

/* Kernels without CONFIG_PROC_CHILDREN: everybody whose parent is one of ours, until none is new. */
static void note_by_parents(struct processes *p)
{
	size_t before;

	do {
		DIR *all = opendir("/proc");

		before = p->count;
		for (struct dirent *d; all && (d = readdir(all));) {
			pid_t pid = (pid_t)strtol(d->d_name, NULL, 10);
			char text[1024];
			unsigned long long parent;

			if (pid <= 0 || read_of(pid, "stat", text, sizeof(text)) < 0 ||
			    !stat_field(text, 4, &parent))
				continue;
			bool ours = (pid_t)parent == p->init;

			for (size_t i = 0; i < p->count && !ours; i++)
				ours = p->list[i].pid == (pid_t)parent;
			if (ours)
				note(p, pid);
		}
		if (all)
			closedir(all);
	} while (p->count > before);
}

static void forget_gone(struct processes *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++) {
		struct process *one = &p->list[i];
		uint64_t now = one->seen ? process_cpu(one->pid) : 0;

		if (now > one->cpu_us)
			one->cpu_us = now;
		if (one->seen)
			p->list[kept++] = *one;
		else
			p->gone_us += one->cpu_us;
	}
	p->count = kept;
	if (kept > p->peak)
		p->peak = kept;
}

int processes_look(struct processes *p)
{
	char path[64];

	if (!p->list)
		p->list = calloc(p->most, sizeof(*p->list));
	if (!p->list)
		return -1;
	for (size_t i = 0; i < p->count; i++)
		p->list[i].seen = false;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", p->init, p->init);
	if (access(path, F_OK) < 0) {
		note_by_parents(p);
	} else {
		note_children_of(p, p->init);
		for (size_t i = 0; i < p->count; i++)
			if (p->list[i].seen)
				note_children_of(p, p->list[i].pid);
	}
	forget_gone(p);
	return 0;
}

/* CPU time of the children that a process has waited for: fields 16 and 17, in clock ticks. */
static uint64_t waited_us(pid_t pid)
{
	unsigned long long user, sys;
	char text[1024];
	long tick = sysconf(_SC_CLK_TCK);

	if (read_of(pid, "stat", text, sizeof(text)) < 0 || !stat_field(text, 16, &user) ||
	    !stat_field(text, 17, &sys))
		return 0;
	return (user + sys) * (1000000 / (uint64_t)tick);
}

uint64_t processes_cpu(const struct processes *p)
{
	uint64_t alive = 0, waited = waited_us(p->init);

	for (size_t i = 0; i < p->count; i++) {
		alive += p->list[i].cpu_us;
		waited += waited_us(p->list[i].pid);
	}
	return alive + (waited > p->gone_us ? waited : p->gone_us);
}

/* Page tables are memory too, and a program may have many of them with nothing behind (proc_pid_status(5)). */
static uint64_t status_bytes(pid_t pid, const char *key)
{
	unsigned long long kib;
	char text[4096];

	if (read_of(pid, "status", text, sizeof(text)) < 0 || text_key_u64(text, key, &kib) < 0)
		return 0;
	return kib * 1024;
}

static uint64_t resident_bytes(pid_t pid)
{
	return status_bytes(pid, "VmRSS:");
}

static uint64_t share_bytes(pid_t pid)
{
	unsigned long long kib;
	char text[2048];

	if (read_of(pid, "smaps_rollup", text, sizeof(text)) < 0 || text_key_u64(text, "Pss:", &kib) < 0)
		return resident_bytes(pid);
	return kib * 1024;
}

/* clone(2) with CLONE_VM, as vfork: two processes, one memory (kcmp(2), KCMP_VM is 1). Where the kernel does not
   tell, each counts. */
static bool shares_memory(const struct processes *p, size_t which)
{
	for (size_t i = 0; i < which; i++)
		if (syscall(SYS_kcmp, p->list[i].pid, p->list[which].pid, 1, 0, 0) == 0)
			return true;
	return false;
}

uint64_t processes_memory(const struct processes *p, bool distinct)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->count; i++) {
		pid_t pid = p->list[i].pid;

		if (distinct && shares_memory(p, i))
			continue;

		sum += p->count == 1 ? resident_bytes(pid) : share_bytes(pid);
		sum += status_bytes(pid, "VmPTE:");
	}
	return sum;
}

pid_t processes_first_child(pid_t init)
{
	char path[64], text[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", init, init);
	if (read_text_at(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return -1;
	return (pid_t)strtol(text, NULL, 10);
}
