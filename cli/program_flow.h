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

typedef int program_help(struct run_options *o);
/* 0: run->result holds what happened; -1: `e`. */
typedef int program_work_function(struct run *run, struct program_options *o, struct program *p, struct err *e);

/* A command about sources from its options to its report: `work` is what it does. Returns the exit status. */
int program_command(enum phase phase, program_help *help, program_work_function *work, int argc, char **argv);

#endif
