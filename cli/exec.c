/* judge exec: compile, then run on standard input. */
#include "cli/cli.h"
#include "cli/program_flow.h"

static int help(struct run_options *o)
{
	size_t count;
	const struct option_row *rows = program_option_rows(o, &count);

	puts("judge exec [options] SOURCE... [-- ARGS]\n\n"
	     "Compiles the sources (or takes the program from the cache) and runs it on standard input, each in a\n"
	     "box. The language is known by the first file's name. SOURCE - is standard input, with --language.");
	print_options(rows, count);
	puts("\nExit status: 0 verdict OK, 1 any other verdict, 2 usage, 3 the judge's own fault.");
	return EXIT_OK;
}

/* What the run-time said when it died makes a fact of it. A program that says so itself only hurts its own
   verdict, and only when it died. */
static void hear(struct run *run, const struct program *p)
{
	struct outcome *o = &run->result.outcome;

	if (program_says(p, "memory", o->stderr_tail))
		o->memory_refused = true;
	else if (program_says(p, "stack", o->stderr_tail))
		o->stack_overflow = true;
}

static int exec_program(struct run *run, struct program_options *o, struct program *p, struct err *e)
{
	struct request r;
	int built = program_build(run, o, p, e);

	if (built <= 0)
		return built;
	if (program_run_request(p, &run->options.request, o->args, &r, e) < 0 || run_box(run, &r, e) < 0)
		return -1;
	hear(run, p);
	run_judge(run, &r, e);
	return 0;
}

int command_exec(int argc, char **argv)
{
	return program_command(PHASE_RUN, help, exec_program, argc, argv);
}
