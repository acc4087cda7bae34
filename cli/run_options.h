/* The options of a run: read from a command line into a request and what is to be reported how. */
#ifndef CLI_RUN_OPTIONS_H
#define CLI_RUN_OPTIONS_H

#include "base/arena.h"
#include "base/options.h"
#include "lang/language.h"
#include "sandbox/request.h"

#include <stdbool.h>

/* What compile and exec take besides: sources and their language. */
struct language_options {
	const char *language, *standard, *level, *main, *folder, *cache, *output;
	bool no_cache;
	const struct language *found;	/* by `language` or the source's name; NULL: a plain run */
	enum level at;
};

struct run_options {
	struct arena arena;		/* owns the lists of the request */
	struct request request;
	struct limits_site site;
	const char *limit_texts[LIMIT_COUNT];	/* as given, applied when the files are read */
	const char *limits_file, *problem_file;
	const char *meta, *audit, *user, *task;
	struct language_options lang;
	bool json, quiet, verbose, program_status, help;
	size_t env_capacity, file_capacity, dir_capacity, copy_capacity, exec_capacity;
};

/* The rows: --help, the man page and the completion walk them too. */
const struct option_row *run_option_rows(size_t *ret_count);

/* Reads argv[1…] of main's vector (argv[-1] is "judge") into *ret (zeroed here), PROGRAM and its arguments included. 0, or -1 with a usage error;
   what was read up to there is in *ret. run_options_free is right in both cases. `learn`: the request's, or NULL. */
int run_options_read(struct run_options *ret, int argc, char **argv, struct learn *learn, struct err *e);

/* Reads the limits file and the problem's file and applies everything in its order: built-in, limits file,
   problem, command line. 0 or -1. */
int run_options_limits(struct run_options *o, struct err *e);

/* Sets what a command line without a program needs: defaults, and the words it wipes in init. For commands that
   have option tables of their own and embed these rows. */
void run_options_begin(struct run_options *ret, int argc, char **argv);

/* Where the judge itself writes, for the check against folders that the program may write. */
void run_options_outputs(struct run_options *o);

void run_options_free(struct run_options *o);

#endif
