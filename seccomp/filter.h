/*
 * System call filters, shipped ready as BPF: seccomp/generate.c compiles them from seccomp/NAME.policy when
 * judge is built, since a filter of 200 rules takes 1.5 ms to build at run time, as long as the whole box.
 */
#ifndef SECCOMP_FILTER_H
#define SECCOMP_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>

struct filter {
	const char *name;			/* "default" */
	const struct sock_filter *code;		/* NULL: no filter */
	unsigned short length;			/* instructions */
	bool exec_program;			/* only the program may be executed: not the filter's to
						   enforce, which sees no paths, but Landlock's */
};

/* The filter of that name for this architecture, or NULL. "none" is a filter without code. */
const struct filter *filter_find(const char *name);

/* Writes f->length instructions to ret_code: the filter's, but where it kills it asks the supervisor
   (SECCOMP_RET_USER_NOTIF), who names the call and ends the box. Also for another architecture's calls. Where
   nobody listens any more, the call fails with ENOSYS. */
void filter_copy_notifying(const struct filter *f, struct sock_filter *ret_code);

#endif
