/*
 * Which system call a filter refused, in words. Runs in the judge; the kernel gives the number and the
 * arguments (seccomp_unotify(2)). Pointers among them are never followed: the program could change what they
 * point to.
 */
#ifndef SANDBOX_REFUSAL_H
#define SANDBOX_REFUSAL_H

#include <linux/seccomp.h>
#include <stddef.h>

/* Takes the waiting notification from the listener and names its call. 0, or -1 when there is none (its
   process died meanwhile). The call stays unanswered: the box is to be ended. */
int refusal_read(int listener, char *ret_name, size_t size);

/* "socket(AF_INET)", "clone(CLONE_NEWUSER)", "ptrace", "i386 system call 11", "system call 999". */
void refusal_name(const struct seccomp_data *call, char *ret_name, size_t size);

#endif
