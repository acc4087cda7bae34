/* Drives sandbox/program.h for compile and exec. */
#include "cli/program_flow.h"

#include "base/fd.h"

#include <stdlib.h>
#include <string.h>

/* The compiler's words go to a person's terminal: what could steer it is left out. */
static void print_log(const struct program *p)
{
	size_t size = 0;
	autofree char *text = program_log(p, &size);

	for (size_t i = 0; text && i < size; i++)
		if ((unsigned char)text[i] >= 0x20 || text[i] == '\n' || text[i] == '\t')
			fputc(text[i], stderr);
	if (text && text[size - 1] != '\n')
		fputc('\n', stderr);
}

static int refuse(struct run *run, const struct program *p)
{
	struct result *res = &run->result;

	res->outcome = (struct outcome){ .started = true };
	res->guards = p->guards;
	res->phase = PHASE_COMPILE;
	res->judgement = (struct judgement){ .verdict = VERDICT_CE, .limit = -1 };
	snprintf(res->judgement.message, sizeof(res->judgement.message), "%s", p->finding);
	fprintf(stderr, "%s\n", p->finding);
	return 0;
}

static int compile_step(struct run *run, struct program *p, size_t i, struct err *e)
{
	struct request step;

	if (program_step_request(p, i, &run->options.request, &step, e) < 0 || run_box(run, &step, e) < 0)
		return -1;
	run_judge(run, &step, e);
	if (run->result.judgement.verdict != VERDICT_OK) {
		if (!run->options.quiet || run->result.judgement.verdict == VERDICT_CE)
			print_log(p);
		return 0;
	}
	return program_step_done(p, i, e) < 0 ? -1 : 1;
}

int program_build(struct run *run, struct program_options *o, struct program *ret, struct err *e)
{
	const struct language_options *lang = &run->options.lang;
	struct program_wish wish = {
		.language = lang->found, .sources = o->sources, .source_count = o->source_count,
		.level = lang->at, .standard = lang->standard, .main = lang->main,
		.cache = program_options_cache(&run->options), .cache_optional = !lang->cache, .site = &run->options.site,
	};

	run->result.language = lang->found->name;
	if (program_prepare(ret, &wish, e) < 0)
		return -1;
	for (size_t i = 0; ret->state == PROGRAM_TO_COMPILE && i < ret->steps; i++) {
		int r = compile_step(run, ret, i, e);

		if (r <= 0)
			return r;
	}
	if (ret->state == PROGRAM_REFUSED)
		return refuse(run, ret);
	if (!run->options.quiet && !ret->from_cache)
		print_log(ret);
	if (ret->state == PROGRAM_TO_COMPILE && program_finish(ret, e) < 0)
		return -1;
	if (ret->state == PROGRAM_REFUSED)
		return refuse(run, ret);
	run->result.guards = *ret->guards ? ret->guards : NULL;
	return 1;
}

int program_command(enum phase phase, program_help *help, program_work_function *work, int argc, char **argv)
{
	struct run run = RUN_INITIAL;
	struct program_options o = { 0 };
	struct program p = { .state = PROGRAM_REFUSED };
	struct err e = { 0 };
	int status;

	run.whole_argv = argv - 1;
	if (program_options_read(&o, &run.options, phase, argc, argv, &e) < 0)
		status = run_refuse(&run, &e);
	else if (run.options.help)
		status = help(&run.options);
	else if ((run_open(&run, &e) < 0 || work(&run, &o, &p, &e) < 0) && e.kind == ERR_USAGE)
		status = run_refuse(&run, &e);
	else {
		if (e.kind)
			run_judge(&run, &run.options.request, &e);
		status = run_report(&run);
	}
	program_free(&p);
	program_options_free(&o);
	run_end(&run);
	return status;
}
