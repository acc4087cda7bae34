/*
 * What this kernel and this session offer to a box. A run probes only what it uses; the same probes serve
 * `judge doctor`, so the two cannot disagree.
 */
#ifndef SANDBOX_HOST_H
#define SANDBOX_HOST_H

#include "base/err.h"

#include <stdbool.h>

struct host {
	bool mount_setattr;	/* mount_setattr(2), Linux 5.12 */
	bool time_namespace;	/* /proc/self/ns/time, Linux 5.6 */
	bool exec_enters_time_namespace;	/* also after a clone with CLONE_VM: Linux 6.3 */
	int landlock_abi;	/* 0: none */
	unsigned cpus;		/* this process may run on, at least 1 */
};

/* Asks the kernel. Never fails: what cannot be found out is not offered. */
void host_probe(struct host *ret);

/* Why a clone with new namespaces failed with `number`, in words with the cure: fills e->cure. Looks at the
   sysctls and LSM switches that can be the reason (user.max_user_namespaces, Debian's
   kernel.unprivileged_userns_clone, Ubuntu's kernel.apparmor_restrict_unprivileged_userns, containers). */
void host_explain_namespaces(int number, struct err *e);

#endif
