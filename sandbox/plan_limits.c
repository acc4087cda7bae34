/* Resource limits and CPU share of a box. Runs in the judge, before the clone. */
#include "sandbox/plan_parts.h"

#include "base/array.h"

#include <sched.h>

#define DATA_ROOM (4 * GIB)	/* and 16 times the memory limit */

/* Nobody may raise a hard limit the judge was started with: the box gets that, and the result says so. */
static void keep_below(struct plan *p, int resource, rlim_t *limit)
{
	static const struct {
		int resource;
		char flag;
		int which;	/* enum limit that is the same number, or -1 */
	} rows[] = {
		{ RLIMIT_CPU, 't', -1 },		  { RLIMIT_STACK, 's', LIMIT_STACK },
		{ RLIMIT_FSIZE, 'f', LIMIT_FILE_SIZE }, { RLIMIT_NOFILE, 'n', LIMIT_OPEN_FILES },
		{ RLIMIT_NPROC, 'u', -1 },		  { RLIMIT_DATA, 'd', -1 },
		{ RLIMIT_CORE, 'c', -1 },
	};
	struct rlimit own;

	if (getrlimit(resource, &own) < 0 || own.rlim_max >= *limit)
		return;
	*limit = own.rlim_max;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].resource != resource)
			continue;
		if (rows[i].which >= 0)
			p->limits.value[rows[i].which] = own.rlim_max;
		plan_notice(p, "the judge was started under a hard limit below the box's own (ulimit -H%c, %llu), "
			    "which holds in the box", rows[i].flag, (unsigned long long)own.rlim_max);
	}
}

static void add(struct plan *p, int resource, uint64_t value)
{
	rlim_t limit = value == LIMIT_NONE ? RLIM_INFINITY : (rlim_t)value;

	keep_below(p, resource, &limit);
	p->rlimits[p->rlimit_count++] = (struct plan_rlimit){ resource, { limit, limit } };
}

/* The kernel's own stop for a box whose judge is stopped. It counts by ticks, which in a busy virtual machine
   run ahead of the exact clock by a tenth, so it is far past the limit: the judge's is the one that counts.
   setrlimit(2): whole seconds. */
static uint64_t cpu_seconds(const struct limits *l)
{
	return (l->value[LIMIT_TIME] + l->value[LIMIT_EXTRA_TIME]) / 1000000 * 3 / 2 + 5;
}

/*
 * RLIMIT_CORE is 1 and not 0: a core_pattern that pipes to a handler ignores 0, while 1 stops it (core(5)).
 * RLIMIT_NPROC counts per user namespace since Linux 5.14, with init: only where no cgroup counts. Before,
 * it would count all processes of the user.
 * RLIMIT_DATA is a backstop where polling enforces memory, far above the limit: run-times reserve much more
 * than they use, and each thread's stack, as large as the stack limit, counts whole.
 */
static void set_rlimits(struct plan *p, const struct cgroup_place *place)
{
	const uint64_t *limit = p->limits.value;

	add(p, RLIMIT_CPU, cpu_seconds(&p->limits));
	add(p, RLIMIT_STACK, limit[LIMIT_STACK]);
	add(p, RLIMIT_FSIZE, limit[LIMIT_FILE_SIZE]);
	add(p, RLIMIT_NOFILE, limit[LIMIT_OPEN_FILES]);
	add(p, RLIMIT_CORE, 1);
	add(p, RLIMIT_MEMLOCK, 64 * KIB);
	add(p, RLIMIT_MSGQUEUE, 64 * KIB);
	add(p, RLIMIT_SIGPENDING, 1024);
	add(p, RLIMIT_NICE, 0);
	add(p, RLIMIT_RTPRIO, 0);
	if (!place->has[CONTROLLER_PIDS])
		add(p, RLIMIT_NPROC, limit[LIMIT_PROCESSES] + 1);
	if (!place->has[CONTROLLER_MEMORY] && limit[LIMIT_MEMORY] < RLIM_INFINITY / 32)
		add(p, RLIMIT_DATA, limit[LIMIT_MEMORY] * 16 + DATA_ROOM);
}

static int share_cpus(struct plan *p, const struct cgroup_place *place, struct err *e)
{
	uint64_t share = p->limits.value[LIMIT_CPUS];

	p->parallel = p->host.cpus;
	if (share == LIMIT_NONE)
		return 0;
	if (share > (uint64_t)p->host.cpus * 1000) {
		char asked[32];

		return fail_usage(e, "--cpus: %s are more than the %u that the judge may use",
				  limit_format(LIMIT_CPUS, share, asked, sizeof(asked)), p->host.cpus);
	}
	if (place->has[CONTROLLER_CPU])
		return 0;
	unsigned count = (unsigned)((share + 999) / 1000);

	if (count < p->host.cpus && sched_getaffinity(0, sizeof(p->may_use), &p->may_use) == 0)
		p->pin = p->parallel = count;
	p->enforced[LIMIT_CPUS] = share % 1000 || (!p->pin && count < p->host.cpus) ? BY_NOTHING : BY_AFFINITY;
	return 0;
}

int plan_limits(struct plan *p, const struct cgroup_place *place, struct err *e)
{
	static const uint8_t without_cgroup[LIMIT_COUNT] = {
		[LIMIT_TIME] = BY_CLOCKS,	[LIMIT_WALL_TIME] = BY_TIMER,
		[LIMIT_EXTRA_TIME] = BY_TIMER,	[LIMIT_MEMORY] = BY_POLLING,
		[LIMIT_PROCESSES] = BY_RLIMIT,	[LIMIT_OPEN_FILES] = BY_RLIMIT,
		[LIMIT_DISK] = BY_TMPFS,	[LIMIT_INODES] = BY_TMPFS,
		[LIMIT_OUTPUT] = BY_PIPE,	[LIMIT_CPUS] = BY_AFFINITY,
		[LIMIT_STACK] = BY_RLIMIT,	[LIMIT_FILE_SIZE] = BY_RLIMIT,
	};

	for (int i = 0; i < LIMIT_COUNT; i++)
		p->enforced[i] = without_cgroup[i];
	set_rlimits(p, place);
	return share_cpus(p, place, e);
}
