/*
 * Makes the cgroup of one box and sets its limits. Runs in the judge, outside; by root's judge with
 * euid 0, while reading and killing come with another euid: what they need is opened here, and the
 * folder's mode lets others through but not in (0711: whoever cannot open it cannot lock it).
 */
#include "sandbox/cgroup_private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd.h"

#define NAME_ATTEMPTS 32
#define PERIOD_US 100000
#define LEAST_QUOTA_US 1000	/* the kernel takes no less */

/* How the text of a setting follows from the limit's value. */
enum form { FORM_VALUE, FORM_PLUS_INIT, FORM_ZERO, FORM_ONE, FORM_QUOTA_PERIOD, FORM_QUOTA, FORM_PERIOD };

struct setting {
	int version;
	enum limit limit;
	enum controller controller;
	const char *file;
	enum form form;
	bool may_miss;		/* a kernel or configuration without it leaves the limit standing */
	bool may_refuse;	/* EINVAL: the place itself has a tighter one; then this limit is not ours */
};

static const struct setting settings[] = {
	{ 2, LIMIT_MEMORY, CONTROLLER_MEMORY, "memory.max", FORM_VALUE, false, false },
	{ 2, LIMIT_MEMORY, CONTROLLER_MEMORY, "memory.swap.max", FORM_ZERO, true, false },
	{ 2, LIMIT_MEMORY, CONTROLLER_MEMORY, "memory.oom.group", FORM_ONE, true, false },
	{ 2, LIMIT_PROCESSES, CONTROLLER_PIDS, "pids.max", FORM_PLUS_INIT, false, false },
	{ 2, LIMIT_CPUS, CONTROLLER_CPU, "cpu.max", FORM_QUOTA_PERIOD, false, true },
	{ 1, LIMIT_MEMORY, CONTROLLER_MEMORY, "memory.limit_in_bytes", FORM_VALUE, false, false },
	{ 1, LIMIT_MEMORY, CONTROLLER_MEMORY, "memory.memsw.limit_in_bytes", FORM_VALUE, true, false },
	{ 1, LIMIT_PROCESSES, CONTROLLER_PIDS, "pids.max", FORM_PLUS_INIT, false, false },
	{ 1, LIMIT_CPUS, CONTROLLER_CPU, "cpu.cfs_period_us", FORM_PERIOD, false, true },
	{ 1, LIMIT_CPUS, CONTROLLER_CPU, "cpu.cfs_quota_us", FORM_QUOTA, false, true },
};

/* A share too small for the usual period gets the least quota in a longer one. */
static void quota_of(uint64_t cpus, uint64_t *ret_quota_us, uint64_t *ret_period_us)
{
	*ret_period_us = PERIOD_US;
	*ret_quota_us = cpus * (PERIOD_US / 1000);
	if (*ret_quota_us < LEAST_QUOTA_US) {
		*ret_quota_us = LEAST_QUOTA_US;
		*ret_period_us = LEAST_QUOTA_US * 1000 / (cpus ? cpus : 1);
	}
}

static void setting_text(enum form form, uint64_t value, char *ret_text, size_t size)
{
	uint64_t quota_us, period_us;

	quota_of(value, &quota_us, &period_us);
	switch (form) {
	case FORM_VALUE:	snprintf(ret_text, size, "%" PRIu64, value); break;
	case FORM_PLUS_INIT:	snprintf(ret_text, size, "%" PRIu64, value + 1); break;
	case FORM_ZERO:		snprintf(ret_text, size, "0"); break;
	case FORM_ONE:		snprintf(ret_text, size, "1"); break;
	case FORM_QUOTA:	snprintf(ret_text, size, "%" PRIu64, quota_us); break;
	case FORM_PERIOD:	snprintf(ret_text, size, "%" PRIu64, period_us); break;
	case FORM_QUOTA_PERIOD:
		snprintf(ret_text, size, "%" PRIu64 " %" PRIu64, quota_us, period_us);
		break;
	}
}

static int folder_of(const struct cgroup *c, enum controller controller)
{
	return c->folder[c->version == 2 ? 0 : controller];
}

/* pids.max stays open: see cgroup_kill. */
static int write_setting(struct cgroup *c, const struct setting *s, const char *text)
{
	if (s->limit != LIMIT_PROCESSES)
		return write_text_at(folder_of(c, s->controller), s->file, text);
	c->pids_max = openat(folder_of(c, s->controller), s->file, O_WRONLY | O_CLOEXEC);
	return c->pids_max < 0 ? -1 : write_all(c->pids_max, text, strlen(text));
}

static int set_one(struct cgroup *c, const struct setting *s, uint64_t value, struct err *e)
{
	char text[64];

	setting_text(s->form, value, text, sizeof(text));
	if (write_setting(c, s, text) == 0) {
		c->oom_group |= s->form == FORM_ONE;
		return 1;
	}
	if (s->may_miss && (errno == ENOENT || errno == EOPNOTSUPP))
		return 1;
	if (s->may_refuse && (errno == EINVAL || errno == ENOENT))
		return 0;
	return fail(e, errno, "cannot write %s to %s of the cgroup %s in %s", text, s->file, c->name,
		    c->place->path);
}

static int set_limits(struct cgroup *c, const struct limits *l, uint8_t enforced[LIMIT_COUNT],
		      struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		const struct setting *s = &settings[i];
		uint64_t value = l->value[s->limit];

		if (s->version != c->version || !c->place->has[s->controller] || value == LIMIT_NONE)
			continue;
		if (s->form == FORM_PERIOD && value * (PERIOD_US / 1000) >= LEAST_QUOTA_US)
			continue;	/* the period a new cgroup has */

		int set = set_one(c, s, value, e);

		if (set < 0)
			return -1;
		if (set)
			enforced[s->limit] = c->version == 2 ? BY_CGROUP_V2 : BY_CGROUP_V1;
	}
	return 0;
}

/* Must be read once: a file of the kernel's that was never read always polls as changed. */
static int watch_v2(int folder)
{
	char text[1024];
	int events = openat(folder, "memory.events", O_RDONLY | O_CLOEXEC);

	if (events >= 0 && pread(events, text, sizeof(text), 0) < 0)
		close_fd(&events);
	return events;
}

/* "EVENTFD FD-OF-memory.oom_control" into cgroup.event_control, which not every kernel has. */
static int watch_v1(int folder)
{
	char text[64];
	autoclose int control = openat(folder, "memory.oom_control", O_RDONLY | O_CLOEXEC);
	int event = control < 0 ? -1 : eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (event < 0)
		return -1;
	snprintf(text, sizeof(text), "%d %d", event, control);
	if (write_text_at(folder, "cgroup.event_control", text) < 0)
		close_fd(&event);
	return event;
}

static void open_sources(struct cgroup *c)
{
	bool v2 = c->version == 2;

	if (v2)
		c->kill = openat(c->folder[0], "cgroup.kill", O_WRONLY | O_CLOEXEC);
	if (c->place->has[CONTROLLER_CPUACCT])
		c->cpu = openat(folder_of(c, CONTROLLER_CPUACCT), v2 ? "cpu.stat" : "cpuacct.usage",
				O_RDONLY | O_CLOEXEC);
	if (c->place->has[CONTROLLER_MEMORY])
		c->oom = v2 ? watch_v2(c->folder[0]) : watch_v1(folder_of(c, CONTROLLER_MEMORY));
}

/* A sweeper may have come between (see cgroup_kill.c), or somebody left a folder of that name. */
static bool is_lost_race(int number)
{
	return number == EEXIST || number == ENOENT || number == ENODEV || number == EWOULDBLOCK;
}

/* One folder: made, locked, its cgroup.procs opened, which fails where a sweeper removed it. */
static int make_folder(struct cgroup *c, int i)
{
	int place = c->place->folder[i];

	if (mkdirat(place, c->name, 0711) < 0)
		return -1;
	c->folder[i] = openat(place, c->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (c->folder[i] < 0) {
		int number = errno;

		(void)unlinkat(place, c->name, AT_REMOVEDIR);	/* swept, most likely */
		errno = number;
		return -1;
	}
	if (flock(c->folder[i], LOCK_EX | LOCK_NB) < 0)
		return -1;
	if (geteuid() == 0 && fchmod(c->folder[i], 0711) < 0)	/* whatever the umask */
		return -1;
	/* A thread that writes "0" to v1's tasks moves only itself, for which the kernel skips the lock over
	   all forks whose RCU grace period costs 10 ms (kernel/cgroup/cgroup.c, cgroup_procs_write_start). */
	c->procs[i] = openat(c->folder[i], c->version == 1 ? "tasks" : "cgroup.procs",
			     O_WRONLY | O_CLOEXEC);
	return c->procs[i] < 0 ? -1 : 0;
}

static int make_folders(struct cgroup *c)
{
	const int *place = c->place->folder;

	for (int i = 0; i < CONTROLLER_COUNT; i++) {
		if (cgroup_first_owner(place, i)) {
			if (make_folder(c, i) < 0)
				return -1;
			continue;
		}
		for (int first = 0; place[i] >= 0 && first < i; first++)
			if (place[first] == place[i])
				c->folder[i] = c->folder[first];
	}
	return 0;
}

static void name_box(struct cgroup *c)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	snprintf(c->name, sizeof(c->name), CGROUP_BOX "%d-%lld%09ld", (int)getpid(),
		 (long long)t.tv_sec, t.tv_nsec);
}

static void blank(struct cgroup *c, const struct cgroup_place *place)
{
	memset(c, 0, sizeof(*c));
	c->version = place->version;
	c->place = place;
	for (int i = 0; i < CONTROLLER_COUNT; i++)
		c->folder[i] = c->procs[i] = -1;
	c->kill = c->oom = c->cpu = c->pids_max = -1;
}

/* Makes folders under a name that is free. On an error nothing is left. */
static int make_named(struct cgroup *c, const struct cgroup_place *place, struct err *e)
{
	for (int attempt = 1;; attempt++) {
		blank(c, place);
		name_box(c);
		if (make_folders(c) == 0)
			return 0;

		int number = errno;

		(void)cgroup_remove(c, NULL);
		if (!is_lost_race(number) || attempt == NAME_ATTEMPTS) {
			fail(e, number, "cannot make the cgroup %s in %s", c->name, place->path);
			return number != EAGAIN ? -1 :
			       fail_cure(e, "raise cgroup.max.descendants or cgroup.max.depth above it");
		}
	}
}

int cgroup_clone_fd(const struct cgroup *c)
{
	return c->version == 2 ? c->folder[0] : -1;
}

int cgroup_make(const struct cgroup_place *place, const struct limits *l, struct cgroup *ret,
		uint8_t enforced[LIMIT_COUNT], struct err *e)
{
	struct cgroup c;
	uint8_t set[LIMIT_COUNT];

	blank(&c, place);
	memcpy(set, enforced, sizeof(set));
	if (place->version != 0) {
		for (int i = 0; i < CONTROLLER_COUNT; i++)
			if (cgroup_first_owner(place->folder, i))
				cgroup_sweep(place->folder[i], false);
		if (make_named(&c, place, e) < 0)
			return -1;
		if (set_limits(&c, l, set, e) < 0) {
			(void)cgroup_remove(&c, NULL);
			return -1;
		}
		open_sources(&c);
	}
	memcpy(enforced, set, sizeof(set));
	*ret = c;
	return 0;
}
