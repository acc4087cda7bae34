/*
 * Who the box is on the host. Started by an ordinary user the box has that user's ids. Started by root
 * the judge takes a uid and gid of the box's own from a range, never 0: it makes them its effective ids for
 * all that touches the box, and is root again only for what is the caller's: meta file, copied-out files, cgroups.
 */
#ifndef SANDBOX_PRIVILEGE_H
#define SANDBOX_PRIVILEGE_H

#include "base/err.h"
#include "sandbox/limits.h"

#include <stdbool.h>
#include <sys/types.h>

struct privilege {
	bool by_root;		/* the judge was started by a root that can become others */
	uid_t uid;		/* host ids of the box */
	gid_t gid;
	int lock;		/* by_root: /run/judge/uids, byte uid - first_uid locked (fcntl OFD); or -1 */
};

/* Chooses the ids. By root: takes the first uid of the site's range that no other judge holds, and gives up
   the supplementary groups. 0, or -1 with `e` (no free uid; the lock file cannot be made). */
int privilege_find(const struct limits_site *site, struct privilege *ret, struct err *e);
void privilege_release(struct privilege *p);

/* Effective ids become the box's, or the caller's again. Nothing to do for an ordinary user. 0, or -1 with
   `e`: then the run must end. */
int privilege_enter_box(const struct privilege *p, struct err *e);
int privilege_leave_box(const struct privilege *p, struct err *e);

#endif
