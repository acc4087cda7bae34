/*
 * Landlock: a second wall behind the mounts and the system call filter, made by the program's own process
 * right before it starts (landlock(7), Documentation/userspace-api/landlock.rst). It holds for paths what
 * the mount tree holds too, and what no mount can say: who may be executed, no TCP, no signals and abstract
 * sockets out of the box.
 */
#ifndef SANDBOX_LANDLOCK_H
#define SANDBOX_LANDLOCK_H

#include "base/sys.h"

#include <stddef.h>
#include <stdint.h>

#define LANDLOCK_WRITE (1ULL << 1)	/* of linux/landlock.h */

struct landlock_rule {
	const char *path;	/* in the box; must be there when it may be written */
	uint64_t allowed;	/* access rights beneath it */
};

struct landlock {
	int abi;		/* used, 0: none */
	struct sys_landlock_ruleset ruleset;
	struct landlock_rule *rules;
	size_t count;
	uint64_t input;		/* rights on the file that is the program's stdin */
};

#endif
