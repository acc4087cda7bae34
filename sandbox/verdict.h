/*
 * Facts to verdict: a pure function, no file, clock or process.
 *
 * Where several facts hold the order is IE, SV, OLE, MLE, TLE, WTL, RTE, OK. MLE needs evidence:
 * an OOM kill, polling over the limit, an allocation refused at the limit together with the death.
 */
#ifndef SANDBOX_VERDICT_H
#define SANDBOX_VERDICT_H

#include "sandbox/limits.h"
#include "sandbox/outcome.h"

enum verdict {
	VERDICT_OK, VERDICT_TLE, VERDICT_WTL, VERDICT_MLE, VERDICT_OLE, VERDICT_RTE, VERDICT_SV,
	VERDICT_IE, VERDICT_CE, VERDICT_CTL, VERDICT_COUNT
};

struct verdict_row {
	const char *code;	/* "TLE" */
	const char *words;	/* "CPU time limit exceeded" */
	const char *audit;	/* result of the audit line: "timeout" */
};
extern const struct verdict_row verdict_rows[VERDICT_COUNT];

struct judgement {
	enum verdict verdict;
	int limit;		/* enum limit that ended it, or -1 */
	char message[1536];	/* a sentence for people, one line, never empty unless OK:
				   "CPU time limit exceeded (limit 2 s)", "exited with status 3",
				   "killed by signal 11 (SIGSEGV)", an error's text */
};

/* What the facts `o` mean for a run under the limits `l`. In PHASE_COMPILE a failure of the program is
   CE and a limit of time CTL. */
void judge_outcome(const struct limits *l, const struct outcome *o, enum phase phase,
		   struct judgement *ret);

/* "SIGSEGV" for 11; "SIGRTMIN+2"; "signal 99" for what has no name. Static or in ret_text. */
const char *signal_name(int number, char *ret_text, size_t size);

#endif
