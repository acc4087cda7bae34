/* A policy from what a program was seen to call. Private to cli/policy_learn.c and cli/learnt*.c. */
#ifndef CLI_LEARNT_H
#define CLI_LEARNT_H

#include "cli/policy_show.h"
#include "sandbox/learn.h"

/* Adds what the shown policy allows, as if it had been seen: which calls, and which values of the arguments
   that learning looks at. How often, its comments say where learning wrote them. */
void learnt_add(struct learn *l, struct shown *from);

/* The policy's text, malloc'ed: what was seen and `base` allows is allowed; what `base` refuses is refused
   as it does; all else kills. `program` is for the comment. Never NULL. */
char *learnt_text(const struct learn *l, struct shown *base, const char *program, bool exec_any);

#endif
