/*
 * System call filters, shipped ready as BPF: seccomp/generate.c compiles them from seccomp/NAME.policy when
 * judge is built, since a filter of 200 rules takes 1.5 ms to build at run time, as long as the whole box.
 */
#ifndef SECCOMP_FILTER_H
#define SECCOMP_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

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

/* For learning: the filter again, but what it allows waits for the supervisor. Only what the start itself needs
   before there is one, and what tells nothing, passes as the filter has it: write, exit, exit_group,
   rt_sigreturn, and the one execve whose argument list is `argv`. Writes filter_learning_length(f)
   instructions, which may be more than a filter can have: then nothing must be written. */
size_t filter_learning_length(const struct filter *f);
void filter_copy_learning(const struct filter *f, const void *argv, struct sock_filter *ret_code);

#endif
