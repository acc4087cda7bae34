/* What the sub-commands share. Only code in cli/ prints for people and chooses an exit status. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/err.h"
#include "base/options.h"

#include <stddef.h>
#include <stdio.h>

struct learn;

/* Exit statuses of every sub-command. */
enum exit_status {
	EXIT_OK = 0,		/* verdict OK, or the command did its work */
	EXIT_VERDICT = 1,	/* any other verdict of the program */
	EXIT_USAGE = 2,		/* what was asked for cannot be understood */
	EXIT_INTERNAL = 3,	/* the judge's own fault, or the host's */
};

#define JUDGE_VERSION "0.1.0"

/* One sub-command: judge.c's table is the only list of them. */
struct command {
	const char *name;
	const char *synopsis;	/* behind "judge NAME " */
	const char *help;	/* one line */
	int (*run)(int argc, char **argv);	/* argv[0] is the command's name; returns an exit status */
};

int command_run(int argc, char **argv);
int command_compile(int argc, char **argv);
int command_exec(int argc, char **argv);
int command_policy(int argc, char **argv);
int command_lang(int argc, char **argv);

/* `judge run` for `judge policy learn`: argv[1…] are the options of a run and the program, argv[-1] is the first
   word of the judge's own command line `whole_argv`. What the program calls is added to `learn`; NULL: not
   looked at. An exit status. */
int run_learning(int argc, char **argv, char **whole_argv, struct learn *learn);

/* Prints "judge: TEXT" and the cure below it on stderr; returns the exit status of that kind of error. */
int say_error(const struct err *e);

/* --help of a command, from its option rows, on standard output. */
void print_options(const struct option_row *rows, size_t count);

#endif
