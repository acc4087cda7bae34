/* The audit log: one JSON line per run, appended in one write so that lines of parallel judges never mix. */
#ifndef REPORT_AUDIT_H
#define REPORT_AUDIT_H

#include "base/err.h"
#include "report/result.h"

/* The line with its newline, malloc'ed: timestamp (UTC, RFC 3339, milliseconds), task_id, language, user,
   result, verdict, execution_time_ms (wall time), cpu_time_ms, memory_mb, exit_code, signal, oom_killed,
   setup_ms, teardown_ms, problem, test. What is not known is null. Never source text or program output.
   ASCII only: JSON's own escapes keep task_id and user exactly; bytes that are no UTF-8 become \xNN. */
char *audit_line(const struct result *r);

/* Opens `path` for appending, created 0640. Before the run, so that a wrong path is told before the program
   has run: -1 with `e` (ERR_USAGE). A FIFO must have a reader. */
int audit_open(const char *path, struct err *e);

/* Appends the line to what audit_open gave; `path` is for messages. A short write (full disk) is an error; what
   was written of the line is taken back if nobody wrote behind it. 0 or -1. */
int audit_write(int fd, const char *path, const char *line, struct err *e);

/* Both. 0 or -1. */
int audit_append(const char *path, const char *line, struct err *e);

#endif
