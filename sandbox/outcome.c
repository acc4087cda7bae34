/*
 * Names of what the receipt tells, and the facts that follow from others. Pure; runs in the judge,
 * outside the box.
 */
#include "sandbox/outcome.h"

#include "base/array.h"

#include <signal.h>
#include <sys/wait.h>

const char *const mechanism_names[MECHANISM_COUNT] = {
	[BY_NOTHING] = "none",
	[BY_CGROUP_V2] = "cgroup-v2",
	[BY_CGROUP_V1] = "cgroup-v1",
	[BY_RLIMIT] = "rlimit",
	[BY_POLLING] = "polling",
	[BY_CLOCKS] = "process-clocks",
	[BY_TIMER] = "timer",
	[BY_TMPFS] = "tmpfs",
	[BY_PIPE] = "pipe",
	[BY_AFFINITY] = "affinity",
	[BY_RUSAGE] = "rusage",
};
_Static_assert(ARRAY_SIZE(mechanism_names) == MECHANISM_COUNT, "a name for each mechanism");

const char *const figure_names[FIGURE_COUNT] = {
	[FIGURE_CPU] = "cpu",
	[FIGURE_WALL] = "wall",
	[FIGURE_MEMORY] = "memory",
};
_Static_assert(ARRAY_SIZE(figure_names) == FIGURE_COUNT, "a name for each figure");

const char *mechanism_name(unsigned mechanism)
{
	return mechanism_names[mechanism < MECHANISM_COUNT ? mechanism : BY_NOTHING];
}

bool outcome_exited(const struct outcome *o, int *ret_status)
{
	if (!o->started || !o->has_status || !WIFEXITED(o->wait_status))
		return false;
	if (ret_status)
		*ret_status = WEXITSTATUS(o->wait_status);
	return true;
}

bool outcome_killed(const struct outcome *o)
{
	return o->ended_by != ENDED_ITSELF && !outcome_exited(o, NULL);
}

int outcome_signal(const struct outcome *o)
{
	if (o->started && o->has_status)
		return WIFSIGNALED(o->wait_status) ? WTERMSIG(o->wait_status) : 0;
	return o->oom_kills || outcome_killed(o) ? SIGKILL : 0;
}
