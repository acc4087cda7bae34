/* All that is known of one run, for the writers of this folder. */
#ifndef REPORT_RESULT_H
#define REPORT_RESULT_H

#include "sandbox/limits.h"
#include "sandbox/outcome.h"
#include "sandbox/verdict.h"

#include <time.h>

struct result {
	struct timespec when;		/* CLOCK_REALTIME at the start of the box */
	const char *task_id, *user;	/* as given, or NULL */
	const char *language;		/* or NULL */
	const char *guards;		/* what held the language's rules: "token-scan,class-scan"; or NULL */
	const char *policy;		/* name of the system call policy */
	const char *root;		/* name or digest of the root: "host" */
	const char *problem, *test;	/* grading; or NULL */
	enum phase phase;
	struct limits limits;
	struct outcome outcome;
	struct judgement judgement;
};

#endif
