/* The limits that the judge itself watches: CPU time, wall time, memory where no cgroup does. */
#ifndef SANDBOX_WATCH_LIMITS_H
#define SANDBOX_WATCH_LIMITS_H

#include "sandbox/watch.h"

#define TAKE_DOWN_US 1000000	/* init has this long to end what the program left; then the kernel does */

/* Ends the box, for this reason, unless it ended already. */
void watch_end(struct watch *w, enum ended_by why);

/* Looks at the limits that are due now; ends the box when one is exceeded. */
void watch_limits(struct watch *w, uint64_t now);

/* When the next look is due, at most. */
uint64_t watch_next(const struct watch *w);

/* To be called when the program starts. */
void watch_limits_start(struct watch *w);

#endif
