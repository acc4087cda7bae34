/*
 * The limits of a box: one row each, walked by the command line, the limits file, the
 * problem's override file, batch lines, --help, the man page, the receipt and the tests.
 *
 * Order, last wins: built-in, limits file, language, problem, command line. A value over
 * the installation's ceiling is an error that names both numbers, never a silent cut.
 */
#ifndef SANDBOX_LIMITS_H
#define SANDBOX_LIMITS_H

#include "base/err.h"
#include "base/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum limit {
	LIMIT_TIME,		/* CPU time of the whole box, µs */
	LIMIT_WALL_TIME,	/* from execve to death, µs */
	LIMIT_EXTRA_TIME,	/* a program past its CPU limit is killed only after this much more, µs */
	LIMIT_MEMORY,		/* bytes, swap none */
	LIMIT_PROCESSES,	/* processes and threads alive at once */
	LIMIT_OPEN_FILES,	/* descriptors of one process */
	LIMIT_DISK,		/* bytes in the box's tmpfs */
	LIMIT_INODES,		/* files in the box's tmpfs */
	LIMIT_OUTPUT,		/* bytes on stdout, and on stderr */
	LIMIT_CPUS,		/* thousandths of a CPU */
	LIMIT_STACK,		/* bytes; follows the memory limit */
	LIMIT_FILE_SIZE,	/* bytes of one file; follows the disk limit */
	LIMIT_COUNT
};

/* "No limit", which is not zero. Only where a row permits it ("unlimited" in text). */
#define LIMIT_NONE UINT64_MAX
/* Not set by anybody: takes the value of the limit it follows (limits_finish). */
#define LIMIT_FOLLOWS (UINT64_MAX - 1)

struct limit_row {
	const char *name;	/* option --NAME, key of the limits file, "enforced-NAME" of the receipt */
	enum unit unit;
	uint64_t initial;	/* of a run */
	uint64_t initial_compile;
	uint64_t least;		/* smallest value that makes sense, inclusive */
	uint64_t most;		/* built-in ceiling, inclusive; UINT64_MAX: none */
	int follows;		/* -1, or the limit whose value is taken when not set */
	const char *exceeding;	/* what exceeding it gives, for --help and the man page */
	const char *help;
};
extern const struct limit_row limit_rows[LIMIT_COUNT];

enum phase { PHASE_RUN, PHASE_COMPILE };

struct limits {
	uint64_t value[LIMIT_COUNT];
};

/* What an installation says: ceilings, defaults per phase, the uids of boxes of root, the audit file.
   Built by limits_site_init and changed by one limits file. */
struct limits_site {
	struct limits initial[2];	/* by enum phase */
	uint64_t most[LIMIT_COUNT];
	uid_t first_uid, last_uid;	/* of boxes when root starts the judge; never 0 */
	char audit[4096];		/* path, or "" */
};

/* The row of that name, or -1. */
int limit_find(const char *name, size_t length);

/* The built-in values. */
void limits_site_init(struct limits_site *ret_site);

/* Applies a limits file's text. Lines: `NAME VALUE`, `NAME VALUE most VALUE`, `NAME most VALUE`,
   `compile.NAME VALUE`, `uids FIRST-LAST`, `audit PATH`; '#' starts a comment. `file` is for messages
   ("FILE:LINE: …"). On an error nothing of *site is changed. 0 or -1 (ERR_USAGE). */
int limits_site_read(struct limits_site *site, const char *file, const char *text, size_t size,
		     struct err *e);

/* Loads --limits FILE (path given), else $JUDGE_LIMITS, else /etc/judge/limits when it exists. A file
   that was named and cannot be read is an error; the default one may be absent. 0 or -1. */
int limits_site_load(struct limits_site *ret_site, const char *path, struct err *e);

/* Reads the text of one limit, also "unlimited" where the row has no built-in ceiling (LIMIT_NONE). Less than
   the row's least is an error; `most` is only named in errors. 0 or -1 (ERR_USAGE). */
int limit_parse(enum limit which, const char *text, uint64_t most, const char *by, uint64_t *ret_value,
		struct err *e);

/* Refuses a value over `most`, the installation's ceiling, naming both. 0 or -1 (ERR_USAGE). */
int limit_check(enum limit which, uint64_t value, uint64_t most, const char *by, struct err *e);

/* The value as a person reads it, "unlimited" for LIMIT_NONE. Returns ret_text. */
char *limit_format(enum limit which, uint64_t value, char *ret_text, size_t size);

/* Sets one limit from text, as in --memory 64M. `by` names the origin in errors: "--memory"; NULL names
   none, for handlers of options_parse, which does it. 0 or -1. */
int limit_set(struct limits *l, enum limit which, const char *text, const struct limits_site *site,
	      const char *by, struct err *e);

/* Applies a problem's override JSON (an object): time_limit (CPU seconds), memory_limit (MiB),
   timeout_override (wall seconds), memory_override (MiB, wins over memory_limit). Numbers may have
   decimals. Unknown keys, wrong types, repeated keys, values over the ceiling: an error naming the key.
   `file` is for messages. 0 or -1 (ERR_USAGE); on an error *l is unchanged. */
int limits_problem_read(struct limits *l, const char *file, const char *text, size_t size,
			const struct limits_site *site, struct err *e);

/* Gives the limits that follow others their values. An explicit stack over the memory limit, or one file
   over the disk limit, is a usage error. 0 or -1. */
int limits_finish(struct limits *l, struct err *e);

#endif
