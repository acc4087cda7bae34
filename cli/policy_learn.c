/*
 * judge policy learn: a policy from what a program calls. Runs in the judge.
 *
 * The program runs as in `judge run`, under every wall and limit, and more slowly. Standard output is the
 * policy's, so what the program writes there goes to standard error, unless --stdout says where.
 */
#include "cli/cli.h"
#include "cli/learnt.h"
#include "cli/policy_learn.h"
#include "cli/run_options.h"

#include "base/array.h"
#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct learn_options {
	struct run_options run;		/* first: the handlers of its rows take this for theirs */
	const char *save, *add;
	bool help;
};

static int set_save(void *into, const struct option_row *row, const char *value, struct err *e)
{
	(void)row;
	(void)e;
	((struct learn_options *)into)->save = value;
	return 0;
}

static int set_add(void *into, const struct option_row *row, const char *value, struct err *e)
{
	(void)row;
	(void)e;
	((struct learn_options *)into)->add = value;
	return 0;
}

static const struct option_row own_rows[] = {
	{ "Learning", "save", 0, "FILE", "write the policy there, not to standard output", set_save, 0 },
	{ NULL, "add", 0, "FILE", "and allow what this policy allows: one learnt before", set_add, 0 },
};

static int help(void)
{
	puts("judge policy learn [--save FILE] [--add FILE] [options of judge run] [--] PROGRAM [ARGS]\n\n"
	     "Runs PROGRAM in a box, writes down what it calls, and makes a policy of it for\n"
	     "`judge run --policy FILE`. The usual policy holds meanwhile (or the one of --policy): what it\n"
	     "refuses is refused, is not seen, and is refused by the learnt one too; what it allows and was\n"
	     "not seen kills. What the program did not do this time is missing: learn several runs with\n"
	     "--add. Every call takes longer, so that limits of time may need more room.");
	print_options(own_rows, ARRAY_SIZE(own_rows));
	puts("\njudge run --help tells the others.");
	return EXIT_OK;
}

/* The options of both, in any order, to find --save, --add, and where they end. */
static int read_options(struct learn_options *ret, int argc, char **argv, int *ret_rest, struct err *e)
{
	struct option_row all[96];
	size_t count;
	const struct option_row *run_rows = run_option_rows(&count);

	if (count + ARRAY_SIZE(own_rows) > ARRAY_SIZE(all))
		return fail(e, E2BIG, "cannot read the options");
	memcpy(all, own_rows, sizeof(own_rows));
	memcpy(all + ARRAY_SIZE(own_rows), run_rows, count * sizeof(*run_rows));
	if (options_parse(all, count + ARRAY_SIZE(own_rows), argc, argv, ret, ret_rest, e) < 0)
		return -1;
	return 0;
}

/* How many words this one and its value take, if it is an option of our own; else 0. */
static int own_words(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(own_rows); i++) {
		const size_t length = strlen(own_rows[i].name);

		if (strncmp(word, "--", 2) || strncmp(word + 2, own_rows[i].name, length))
			continue;
		if (word[2 + length] == '=')
			return 1;
		if (word[2 + length] == '\0')
			return 2;
	}
	return 0;
}

/* The command line as `judge run` knows it: without our options. `ret` has room for argc + 2 words. */
static int leave_out(int argc, char **argv, int rest, char **ret)
{
	int count = 0;

	ret[count++] = argv[-2];	/* "judge", as whatever it was called */
	for (int at = 0; at < argc;) {
		const int own = at > 0 && at < rest ? own_words(argv[at]) : 0;

		if (own == 0)
			ret[count++] = argv[at++];
		at += own;
	}
	ret[count] = NULL;
	return count - 1;
}

static bool was_seen(const struct learn *l, int number)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->rows[i].number == number)
			return true;
	return false;
}

static int write_out(const char *path, int standard_output, const char *text, struct err *e)
{
	autoclose int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;

	if ((path && fd < 0) || write_all(path ? fd : standard_output, text, strlen(text)) < 0)
		return fail(e, errno, "cannot write the policy%s%s", path ? " " : "", path ? path : "");
	return 0;
}

static int write_learnt(struct learn *l, struct shown *old, const char *program, int standard_output,
			struct err *e)
{
	struct shown base = { .policy = NULL };
	bool exec_any = was_seen(l, SYS_execve) || was_seen(l, SYS_execveat);
	autofree char *text = NULL;
	int result = -1;

	if (old->policy) {
		exec_any |= !old->policy->exec_program;
		learnt_add(l, old);
	}
	if (shown_open(&base, l->policy, FILTER_NATIVE, e) == 0) {
		text = learnt_text(l, &base, program, exec_any);
		result = write_out(l->output, standard_output, text, e);
	}
	shown_close(&base);
	return result;
}

/* Until it ends, standard output is the program's, and ours is here. -1 with errno. */
static int set_output_aside(void)
{
	autoclose int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	if (own < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return -1;
	return take_fd(&own);
}

static int learn(const struct learn_options *o, int argc, char **argv, int rest, struct err *e)
{
	struct learn l = { .output = o->save };
	struct shown old = { .policy = NULL };
	autofree char **line = calloc((size_t)argc + 2, sizeof(*line));
	autoclose int output = -1;
	int status = EXIT_INTERNAL;

	if (!line)
		fail(e, ENOMEM, "cannot begin");
	else if (o->add && shown_open(&old, o->add, FILTER_NATIVE, e) < 0)
		;
	else if (!o->save && (output = set_output_aside()) < 0)
		fail(e, errno, "cannot set standard output aside");
	else {
		const int count = leave_out(argc, argv, rest, line);

		status = run_learning(count, line + 1, argv - 2, &l);
		if (l.ran)
			write_learnt(&l, &old, argv[rest], output, e);
	}
	shown_close(&old);
	learn_free(&l);
	return e->kind ? say_error(e) : status;
}

int policy_learn(int argc, char **argv)
{
	struct learn_options o = { .save = NULL };
	struct err e = { 0 };
	int rest = 0, status;

	if (read_options(&o, argc, argv, &rest, &e) < 0)
		status = say_error(&e);
	else if (o.run.help)
		status = help();
	else
		status = learn(&o, argc, argv, rest, &e);
	run_options_free(&o.run);
	return status;
}
