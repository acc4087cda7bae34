/*
 * A contestant's program: from its sources to what a run needs. Runs in the judge; every compile step runs in a
 * box of its own, by whoever drives this (cli/, grade/):
 *
 *	program_prepare		checks the sources by the level's rules; looks into the cache
 *	for each step still to do:
 *		program_step_request → a box → program_step_done
 *	program_finish		the artifact, into the cache
 *	program_run_request	for each run
 */
#ifndef SANDBOX_PROGRAM_H
#define SANDBOX_PROGRAM_H

#include "base/arena.h"
#include "base/err.h"
#include "lang/language.h"
#include "sandbox/limits.h"
#include "sandbox/request.h"

#include <stdbool.h>
#include <stddef.h>

struct program_source {
	const char *path;	/* host file */
	const char *name;	/* in /box */
};

struct program_wish {
	const struct language *language;
	const struct program_source *sources;
	size_t source_count;
	enum level level;
	const char *standard;	/* of the language's `standard` line; NULL: the first */
	const char *main;	/* entry point, or NULL: found */
	const char *cache;	/* host folder, or NULL: nothing is kept */
	bool cache_optional;	/* nobody asked for it: one that cannot be made is none */
	const struct limits_site *site;
};

enum program_state {
	PROGRAM_READY,		/* may be run */
	PROGRAM_TO_COMPILE,
	PROGRAM_REFUSED,	/* by a rule: `finding` says where and which */
};

struct program {
	struct arena arena;
	struct program_wish wish;
	enum program_state state;
	char finding[512];	/* "main.cpp:3: inline assembly (asm) is refused at level strict" */
	char guards[256];	/* what held the rules, for the receipt: "token-scan,class-scan"; or "" */
	bool from_cache;

	char work[4096];	/* host folder of this build, removed by program_free; "" none */
	char entry[4096];	/* host folder with the artifact: in the cache, or in work */
	char key[65];		/* of the cache, hexadecimal */
	struct request_file *files;	/* what goes into /box next */
	size_t file_count, file_capacity;
	size_t steps;		/* compile steps at this level */
	const char *main;	/* {main} */
};

/* Fills ret as far as it gets; program_free is right in any case. 0, or -1 with `e` (usage: a language whose toolchain
   is missing, no entry point; internal: a file or folder that cannot be read or made). */
int program_prepare(struct program *ret, const struct program_wish *wish, struct err *e);

/* The request of step `i` (0 … steps - 1). `base` has the caller's enforcement choices (cgroup, require), and with
   PHASE_COMPILE its limits; without, they are the installation's and the language's. The
   texts live in the program's arena. Output goes to the file program_log. 0 or -1. */
int program_step_request(struct program *p, size_t i, const struct request *base, struct request *ret,
			 struct err *e);

/* After a step that ended OK: what it left is the next one's, and is checked. May make the state
   PROGRAM_REFUSED. 0 or -1. */
int program_step_done(struct program *p, size_t i, struct err *e);

/* After the last step. May make the state PROGRAM_REFUSED: an artifact of more than 64 MiB. 0, or -1 (usage: the
   compiler left no artifact). */
int program_finish(struct program *p, struct err *e);

/* What the compile steps printed, at most 64 KiB, control characters as they are; malloc'ed, or NULL: nothing. */
char *program_log(const struct program *p, size_t *ret_size);

/* The request of a run with `args` (NULL-terminated) behind the language's own words. `base` has the run's limits,
   streams and the rest. 0 or -1. */
int program_run_request(struct program *p, const struct request *base, char *const *args, struct request *ret,
			struct err *e);

/* Whether the end of stderr says that the run-time had no memory, or no stack, left (`says` lines). */
bool program_says(const struct program *p, const char *what, const char *stderr_tail);

void program_free(struct program *p);

#endif
