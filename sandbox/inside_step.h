/* Shared by the files that run inside the box: how a step fails. No malloc, no stdio. */
#ifndef SANDBOX_INSIDE_STEP_H
#define SANDBOX_INSIDE_STEP_H

#include "sandbox/inside.h"
#include "sandbox/wire.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

struct inside {
	const struct plan *plan;
	const struct inside_fds *fds;
	int in;			/* the program's stdin once it is open, or -1 */
	bool time_namespace;
};

static inline void inside_send(const struct inside *x, const struct wire_record *r)
{
	/* write and not send: it is allowed under every filter. A judge that is gone is the end of all. */
	while (write(x->fds->wire, r, sizeof(*r)) < 0 && errno == EINTR)
		;
}

/* Reports the step that failed with errno, and ends this process: a failed step is never passed over. */
static inline void __attribute__((noreturn)) inside_fail(const struct inside *x, enum step step,
							 unsigned item)
{
	struct wire_record r = { .kind = WIRE_FAILED, .step = step, .item = item, .number = errno };

	inside_send(x, &r);
	_exit(1);
}

/* `must(x, STEP_X, item, call)`: the call must not return a negative number. */
#define must(x, step, item, call)                                                                  \
	do {                                                                                       \
		if ((call) < 0)                                                                    \
			inside_fail(x, step, item);                                                \
	} while (0)

/* The new root, from an empty tmpfs to a sealed tree without a trace of the host's; opens the stdin file on
   the way, since its path is the host's. */
void inside_build_root(struct inside *x);

/* inside_restrain.c; the contracts stand there. In init: capabilities, new privileges, being traced. */
void inside_drop(const struct inside *x);
/* In the process that becomes the program, in this order. */
void inside_set_limits(const struct inside *x);
void inside_restrict_paths(const struct inside *x);
void inside_load_filter(const struct inside *x);

#endif
