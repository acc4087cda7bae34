/* judge run: one program in a fresh box. */
#include "cli/cli.h"
#include "cli/flow.h"

#include "sandbox/learn.h"

static void print_limits(void)
{
	char initial[32], most[32];

	puts("\nDefaults and ceilings:");
	for (int i = 0; i < LIMIT_COUNT; i++) {
		const struct limit_row *row = &limit_rows[i];
		const char *follows = row->follows < 0 ? NULL : limit_rows[row->follows].name;

		printf("  %-14s %-12s", row->name,
		       follows ? follows : limit_format((enum limit)i, row->initial, initial, sizeof(initial)));
		if (follows || row->most == LIMIT_NONE)
			printf(" %-20s", "");
		else
			printf(" at most %-12s", limit_format((enum limit)i, row->most, most, sizeof(most)));
		printf(" %s\n", row->exceeding ? row->exceeding : "");
	}
}

static int help(void)
{
	size_t count;
	const struct option_row *rows = run_option_rows(&count);

	puts("judge run [options] [--] PROGRAM [ARGS]\n\n"
	     "Runs PROGRAM in a fresh box and says what happened. A PROGRAM of your own is named with its\n"
	     "path (./a.out) and put into the box; one of the machine by its name (python3) or path.\n"
	     "Times are seconds (2, 0.5) or 1500ms; sizes bytes or 64K, 256M, 1G.");
	print_options(rows, count);
	print_limits();
	puts("\nA problem's file: {\"time_limit\": CPU seconds, \"memory_limit\": MiB, \"timeout_override\":\n"
	     "wall seconds, \"memory_override\": MiB, which wins over memory_limit}.\n"
	     "\nExit status: 0 verdict OK, 1 any other verdict, 2 usage, 3 the judge's own fault.");
	return EXIT_OK;
}

int run_learning(int argc, char **argv, char **whole_argv, struct learn *learn)
{
	struct run run = RUN_INITIAL;
	const struct request *r = &run.options.request;
	struct err e = { 0 };
	int status;

	run.whole_argv = whole_argv;
	if (run_options_read(&run.options, argc, argv, learn, &e) < 0)
		status = run_refuse(&run, &e);
	else if (run.options.help)
		status = help();
	else if ((run_open(&run, &e) < 0 || run_box(&run, r, &e) < 0) && e.kind == ERR_USAGE)
		status = run_refuse(&run, &e);
	else {
		run_judge(&run, r, &e);
		status = run_report(&run);
		if (learn)
			learn->ran = run.result.outcome.started && run.result.judgement.verdict != VERDICT_IE;
	}
	run_end(&run);
	return status;
}

int command_run(int argc, char **argv)
{
	return run_learning(argc, argv, argv - 1, NULL);
}
