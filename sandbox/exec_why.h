/* Why a program could not be executed, looked up afterwards in the file itself: only when it happened. */
#ifndef SANDBOX_EXEC_WHY_H
#define SANDBOX_EXEC_WHY_H

#include "sandbox/outcome.h"
#include "sandbox/plan.h"

/*
 * Completes the outcome of a run whose execve failed or whose program died at once: the interpreter or
 * loader that the box lacks (exec_missing), the architecture of a foreign binary (exec_machine), static data
 * that is larger than the memory limit (memory_refused). Reads the file p->outside; changes nothing when there is none.
 */
void exec_why(const struct plan *p, struct outcome *o);

#endif
