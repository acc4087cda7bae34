/*
 * The meta file: what a run was, as `key:value` lines or as one JSON object.
 *
 * Keys, order and units (fields.c has the table). isolate's first, with isolate's
 * meaning: time, time-wall (seconds, three decimals, cut), max-rss (KiB), csw-voluntary, csw-forced,
 * cg-mem (KiB, with a cgroup), cg-oom-killed (1 or absent), exitcode (normal exit only; absent on a time
 * limit), exitsig, killed (1 or absent), status (RE, SG, TO, XX or absent), message. Then ours: verdict,
 * limit, time-user, time-sys, mem-peak (bytes), stdout-bytes, stderr-bytes, refused, setup, teardown
 * (seconds, six decimals), language, guard, policy, root, enforced-NAME:MECHANISM for each limit,
 * measured-NAME:SOURCE for each figure, cgroup:v2|v1|none, landlock:ABI, processes-peak,
 * processes-refused, disk-bytes, notice.
 */
#ifndef REPORT_META_H
#define REPORT_META_H

#include "base/err.h"
#include "report/result.h"

#include <stdbool.h>

/* The whole text, malloc'ed. A value never holds a newline: what is not printable ASCII or well-formed
   UTF-8 is escaped (\n, \xNN). Never NULL (out of memory ends the process with a sentence). */
char *meta_lines(const struct result *r);

/* The same as one JSON object and a newline: numbers as numbers; plus execution_time_ms, cpu_time_ms,
   memory_mb, exit_code, signal, oom_killed, result. */
char *meta_json(const struct result *r);

/* How the file is written at the end. */
enum meta_way {
	META_NONE = 0,	/* there is none */
	META_RENAME,	/* a regular file: a new one is renamed over it */
	META_IN_PLACE,	/* a regular file in a folder, or of an owner, that does not permit that */
	META_STREAM,	/* anything else (standard output, a FIFO, /dev/null): once, at the end */
};

/* A file that exists from before the run until after it, and is replaced whole. */
struct meta_file {
	enum meta_way way;
	char *path;		/* as given, for messages */
	bool created;		/* by meta_open, which takes it back when it fails */
	char *placeholder;	/* what a regular file says until the end: verdict IE */
	char *name;		/* META_RENAME: in `folder`; symbolic links were followed at the start */
	int folder;		/* META_RENAME: O_PATH; -1 otherwise */
	int file;		/* FILE as it is now, open for writing */
	int spare;		/* META_RENAME: held so that the end needs no other descriptor */
	bool spare_is_file;	/* it is a file without a name yet; otherwise just a number kept free */
};

/*
 * Opens FILE with the caller's rights, relative to the caller's folder as it is now: creates it, follows
 * symbolic links, and makes it say verdict IE, "the judge did not finish", as lines or as `json`. What an
 * earlier run left there is gone from here on. `path` NULL: no meta file is wanted. "-", /dev/stdout,
 * /dev/stderr and /dev/fd/N are the judge's own descriptors, written to where they stand and never emptied;
 * so is a FILE that stdout or stderr is redirected to. A FIFO that nobody reads is an error, not a wait.
 * 0, or -1: ERR_USAGE when FILE cannot be opened, ERR_INTERNAL when it cannot be written. *ret is then as
 * if there were none.
 */
int meta_open(struct meta_file *ret, const char *path, bool json, struct err *e);

/*
 * Replaces what FILE says by `text`, whole or not at all: written to a new file without a name, which gets one
 * (.FILE.judge-PID, for the moment between two system calls) and is renamed over FILE. On an error, as a full
 * disk, FILE says IE as before. A stream's reader that does not read for 10 s is an error. Works when no more
 * descriptors are to be had, and again when called again. SIGPIPE must be ignored. 0 or -1.
 */
int meta_replace(struct meta_file *m, const char *text, struct err *e);

/* Closes; FILE stays as it is. */
void meta_close(struct meta_file *m);

#endif
