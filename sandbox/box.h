/* One box, from a plan to an outcome. */
#ifndef SANDBOX_BOX_H
#define SANDBOX_BOX_H

#include "sandbox/collect.h"
#include "sandbox/outcome.h"
#include "sandbox/plan.h"

/*
 * Runs the plan in a fresh box under `place` and waits until nothing of it is left. `signals` is a signalfd:
 * a signal that arrives there ends the box (or -1). `ret_collected`: room for request->copy_count results, or
 * NULL when there are none. Never fails: an error of the judge's is ret->error, and then the verdict is IE.
 */
void box_run(const struct plan *p, const struct cgroup_place *place, int signals, struct outcome *ret,
	     enum collected *ret_collected);

#endif
