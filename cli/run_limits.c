/* The limits of a run, from everything that may say something about them, in its order. */
#include "cli/run_options.h"

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static int read_problem(struct run_options *o, struct err *e)
{
	autofree char *text = NULL;
	size_t size;

	if (!o->problem_file)
		return 0;
	if (read_file_at(AT_FDCWD, o->problem_file, MIB, &text, &size) < 0)
		return fail_usage(e, "--problem %s: %s", o->problem_file, strerror(errno));
	return limits_problem_read(&o->request.limits, o->problem_file, text, size, &o->site, e);
}

static int language_limits(struct run_options *o, struct err *e)
{
	const struct language *language = o->lang.found;
	const char *phase = o->request.phase == PHASE_RUN ? "run" : "compile";

	for (size_t i = 0; language && i < language->counts[LANG_LIMIT]; i++) {
		const struct lang_line *line = &language->lines[LANG_LIMIT][i];
		int which = limit_find(line->words[0], strlen(line->words[0]));

		if (strcmp(line->word, phase) || !lang_counts(line, o->lang.at) || which < 0)
			continue;
		if (limit_set(&o->request.limits, (enum limit)which, line->words[1], &o->site, language->name,
			      e) < 0)
			return -1;
	}
	return 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

int run_options_limits(struct run_options *o, struct err *e)
{
	struct limits *l = &o->request.limits;

	if (limits_site_load(&o->site, o->limits_file, e) < 0)
		return -1;
	*l = o->site.initial[o->request.phase];
	if (language_limits(o, e) < 0 || read_problem(o, e) < 0)
		return -1;
	for (int i = 0; i < LIMIT_COUNT; i++) {
		char by[64];

		snprintf(by, sizeof(by), "--%s", limit_rows[i].name);
		if (o->limit_texts[i] &&
		    limit_set(l, (enum limit)i, o->limit_texts[i], &o->site, by, e) < 0)
			return -1;
	}
	/* A wall time that nobody asked for must not come before the CPU time that somebody did. */
	if (!o->limit_texts[LIMIT_WALL_TIME] && l->value[LIMIT_TIME] >= l->value[LIMIT_WALL_TIME] &&
	    l->value[LIMIT_WALL_TIME] == limit_rows[LIMIT_WALL_TIME].initial)
		l->value[LIMIT_WALL_TIME] = least(2 * l->value[LIMIT_TIME], o->site.most[LIMIT_WALL_TIME]);
	return limits_finish(l, e);
}
