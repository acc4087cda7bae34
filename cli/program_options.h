/* The options of compile and exec: those of a run, sources and their language. */
#ifndef CLI_PROGRAM_OPTIONS_H
#define CLI_PROGRAM_OPTIONS_H

#include "cli/run_options.h"
#include "sandbox/program.h"

struct program_options {
	struct languages languages;
	struct program_source *sources;
	size_t source_count, source_capacity;
	char **args;		/* behind "--", NULL-terminated */
	char *typed;		/* host file that holds a source read from standard input, removed at the end; or NULL */
};

/* All rows, those of a run first; in the arena of `o`. */
const struct option_row *program_option_rows(struct run_options *o, size_t *ret_count);

/* Reads argv[1…]: options and sources in any order up to "--". Finds the language. 0, or -1 with a usage error. */
int program_options_read(struct program_options *ret, struct run_options *o, enum phase phase, int argc,
			 char **argv, struct err *e);
void program_options_free(struct program_options *p);

/* The cache's folder: --cache, $JUDGE_CACHE, $XDG_CACHE_HOME/judge, ~/.cache/judge; NULL with --no-cache and where
   none can be had. */
const char *program_options_cache(struct run_options *o);

#endif
