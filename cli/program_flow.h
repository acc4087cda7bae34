/* Sources to a program that may be run, with what a person sees of it. */
#ifndef CLI_PROGRAM_FLOW_H
#define CLI_PROGRAM_FLOW_H

#include "cli/flow.h"
#include "cli/program_options.h"

/*
 * Prepares the program and runs its compile steps. 1: it may be run; 0: it may not, and run->result holds the
 * judgement (CE, CTL, a refusal), with the compiler's words printed on stderr; -1: `e`.
 */
int program_build(struct run *run, struct program_options *o, struct program *ret, struct err *e);

#endif
