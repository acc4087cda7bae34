/* What `judge policy` shows of one policy: its text, its code, its answers. Private to cli/policy*.c. */
#ifndef CLI_POLICY_SHOW_H
#define CLI_POLICY_SHOW_H

#include "seccomp/load.h"

#include <stdio.h>

/* A policy as it was named on the command line, and where it came from. */
struct shown {
	struct policy_library library;
	const struct policy *policy;
	enum filter_arch arch;
};

/* Reads the policies and finds one: by name, or in a file named with its path. `name` NULL: none in particular.
   0, or -1; shown_close is right in both cases. */
int shown_open(struct shown *ret, const char *name, enum filter_arch arch, struct err *e);
void shown_close(struct shown *s);

/* Its filter in words, a line for each instruction. */
void policy_show_pseudo(struct shown *s, const struct filter *f);

/* Every call that the architecture has, by number, and what becomes of it. */
void policy_show_calls(struct shown *s);

/* What becomes of one call: a line for each rule, in their order, each "if CONDITIONS ACTION" or "ACTION". The
   text lives in the library's arena. */
const char *policy_answer(struct shown *s, const char *call);

/* What its `exec` says, or would say: "program", "any". */
const char *policy_exec(const struct policy *policy);

/* The rules that speak of one call, with their places and the comments above them. */
void policy_show_rules(struct shown *s, const char *call);

/* The first sentence of the comment at the head of a policy's file. */
void policy_show_purpose(const struct shown *s);

#endif
