/* The steps of plan_build; nobody else calls them. */
#ifndef SANDBOX_PLAN_PARTS_H
#define SANDBOX_PLAN_PARTS_H

#include "sandbox/plan.h"

/* What stands in the box: the layout, --file, --dir, PROGRAM where it is a host file; tmpfs options. */
int plan_root(struct plan *p, struct err *e);
/* Which file is executed: p->program, p->chdir. Adds the host file to `*ret_copy`/`*ret_name` when PROGRAM
   is one that has to be put into /box (NULL otherwise). */
int plan_program(struct plan *p, const char **ret_copy, const char **ret_name, struct err *e);
/* Arguments and environment. */
void plan_environment(struct plan *p);
/* Resource limits, CPU share and what enforces which limit. */
int plan_limits(struct plan *p, const struct cgroup_place *place, struct err *e);
/* Where stdin comes from and stdout and stderr go. */
int plan_streams(struct plan *p, struct err *e);

/* The second wall: what may be read, written and executed where. After plan_root. */
void plan_landlock(struct plan *p);

/* Adds a sentence to p->notice. */
void plan_notice(struct plan *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The value of NAME in p->envp, or NULL. */
const char *plan_env(const struct plan *p, const char *name);

#endif
