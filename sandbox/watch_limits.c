/*
 * Limits by looking. Runs in the judge, in the watch loop.
 *
 * CPU time is not polled at a fixed pace: the next look is at the moment at which the limit can first be
 * reached if every CPU the box may use worked for it. A cgroup's figure lags a running process by up to a
 * tick (4 ms at 250 Hz), the process's own clock does not: the larger of the two counts, both being lower
 * bounds.
 */
#include "sandbox/watch_limits.h"

#include "base/sys.h"

#include <errno.h>
#include <signal.h>

#define SETUP_MOST_US 30000000	/* a set-up that takes longer hangs: a dead network file system, a bug */
#define CPU_STEP_LEAST_US 200	/* near the limit: a look costs about 10 */
#define CPU_STEP_IDLE_US 8000	/* the longest step near the limit while nothing is computed */
#define MEMORY_RATE 4000	/* bytes a microsecond: as fast as one CPU can fill pages */
#define MEMORY_STEP_LEAST_US 300
#define MEMORY_STEP_IDLE_US 10000

/* init's death is everybody's: the kernel ends a pid namespace with its first process. */
static void kill_box(struct watch *w)
{
	if (w->dead)
		return;
	if (sys_pidfd_send_signal(w->pidfd, SIGKILL) < 0 && errno != ESRCH)
		kill(w->init, SIGKILL);	/* not waited for yet, so the number is still its own */
	if (w->cgroup->version)
		cgroup_kill(w->cgroup);
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* cgroup v2 before Linux 5.19 keeps no peak. */
static void note_memory(struct watch *w)
{
	uint64_t peak, kills;

	if (!cgroup_memory(w->cgroup, &peak, &kills) && peak > w->o->mem_peak_bytes)
		w->o->mem_peak_bytes = peak;
}

static uint64_t cpu_used(struct watch *w)
{
	uint64_t total, used = 0, own;

	if (!cgroup_cpu_total(w->cgroup, &total)) {
		note_memory(w);
		used = minus(total, w->init_cpu_us + w->child_cpu_us);
		own = w->program > 0 ? minus(process_cpu(w->program), w->child_cpu_us) : 0;
	} else {
		own = processes_look(&w->processes) < 0 ? 0 : processes_cpu(&w->processes);
		own = minus(own, w->child_cpu_us);
	}
	return used > own ? used : own;
}

/* The kernel throws the figures of a killed namespace's processes away, so without a cgroup the last look
   is the last word (kernel/pid_namespace.c: init ignores SIGCHLD while it dies). */
void watch_end(struct watch *w, enum ended_by why)
{
	if (!w->ended && !w->dead && w->o->ended_by == ENDED_ITSELF) {
		w->o->ended_by = why;
		if (w->ready_us)
			w->cpu_seen_us = cpu_used(w);
	}
	kill_box(w);
}

static void look_at_cpu(struct watch *w, uint64_t now)
{
	const uint64_t *limit = w->plan->limits.value;
	uint64_t most = limit[LIMIT_TIME] + limit[LIMIT_EXTRA_TIME], used = cpu_used(w), step;

	if (used > most) {
		watch_end(w, ENDED_TIME);
		return;
	}
	step = (most - used) / w->plan->parallel;
	if (step < CPU_STEP_LEAST_US)
		step = CPU_STEP_LEAST_US;
	if (minus(used, w->cpu_seen_us) < w->cpu_step_us / 4 && step < CPU_STEP_IDLE_US)
		step = w->cpu_step_us * 2 < CPU_STEP_IDLE_US ? w->cpu_step_us * 2 : CPU_STEP_IDLE_US;
	w->cpu_seen_us = used;
	w->cpu_step_us = step;
	w->cpu_check_us = now + step;
}

/* As for CPU time: look again when the limit can first be reached; less often the longer nothing grows. */
static uint64_t memory_step(const struct watch *w, uint64_t bytes)
{
	uint64_t step = minus(w->plan->limits.value[LIMIT_MEMORY], bytes) / MEMORY_RATE / w->plan->parallel;

	if (bytes <= w->memory_seen_bytes && step < w->memory_step_us * 2)
		step = w->memory_step_us * 2;
	if (step < MEMORY_STEP_LEAST_US)
		step = MEMORY_STEP_LEAST_US;
	return step < MEMORY_STEP_IDLE_US ? step : MEMORY_STEP_IDLE_US;
}

static void look_at_memory(struct watch *w, uint64_t now)
{
	struct outcome *o = w->o;
	uint64_t bytes;

	if (processes_look(&w->processes) < 0)
		return;
	bytes = processes_memory(&w->processes, false);
	if (bytes > w->plan->limits.value[LIMIT_MEMORY] && w->processes.count > 1)
		bytes = processes_memory(&w->processes, true);
	if (bytes > o->mem_peak_bytes)
		o->mem_peak_bytes = bytes;
	if (bytes > w->plan->limits.value[LIMIT_MEMORY]) {
		o->memory_over = true;
		watch_end(w, ENDED_MEMORY);
	}
	w->memory_step_us = memory_step(w, bytes);
	w->memory_seen_bytes = bytes;
	w->memory_check_us = now + w->memory_step_us;
}

void watch_limits_start(struct watch *w)
{
	const uint64_t *limit = w->plan->limits.value;

	w->cpu_step_us = (limit[LIMIT_TIME] + limit[LIMIT_EXTRA_TIME]) / w->plan->parallel;
	w->cpu_check_us = w->ready_us + w->cpu_step_us;
	w->memory_step_us = MEMORY_STEP_LEAST_US;
	w->memory_check_us = w->o->enforced[LIMIT_MEMORY] == BY_POLLING ? w->ready_us : UINT64_MAX;
}

static uint64_t wall_end(const struct watch *w)
{
	if (!w->ready_us)
		return w->start_us + SETUP_MOST_US;
	return w->ready_us + w->plan->limits.value[LIMIT_WALL_TIME];
}

void watch_limits(struct watch *w, uint64_t now)
{
	if (w->dead || w->o->ended_by)
		return;
	if (w->ended) {	/* on nobody's clock, but not for ever either */
		if (now >= w->take_down_us) {
			kill_box(w);
			w->take_down_us = now + TAKE_DOWN_US;
		}
		return;
	}
	if (now >= wall_end(w)) {
		if (!w->ready_us && !w->o->error.kind)
			fail(&w->o->error, 0, "the set-up of the box took more than %d s",
			     SETUP_MOST_US / 1000000);
		watch_end(w, ENDED_WALL_TIME);
		return;
	}
	if (w->ready_us && now >= w->cpu_check_us)
		look_at_cpu(w, now);
	if (w->ready_us && !w->o->ended_by && now >= w->memory_check_us)
		look_at_memory(w, now);
}

uint64_t watch_next(const struct watch *w)
{
	uint64_t next = wall_end(w);

	if (w->ended && !w->dead && !w->o->ended_by)
		return w->take_down_us;
	if (w->dead || w->o->ended_by)
		return UINT64_MAX;
	if (w->ready_us && w->cpu_check_us < next)
		next = w->cpu_check_us;
	if (w->ready_us && w->memory_check_us < next)
		next = w->memory_check_us;
	return next;
}
