/* judge compile: the language's compile step, in a box. */
#include "cli/cli.h"
#include "cli/program_flow.h"

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static int help(struct run_options *o)
{
	size_t count;

	o->request.phase = PHASE_COMPILE;

	const struct option_row *rows = program_option_rows(o, &count);

	puts("judge compile [options] SOURCE... [-o DIR]\n\n"
	     "Runs the language's compile steps in boxes, under the limits of compile steps, and puts what they\n"
	     "made into DIR. What the compiler says goes to standard error, at most 64 KiB of it.");
	print_options(rows, count);
	puts("\nExit status: 0 verdict OK, 1 a compile error (CE) or limit (CTL), 2 usage, 3 the judge's own fault.");
	return EXIT_OK;
}

static int make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (mkdir(path, 0777) < 0 && errno != EEXIST)
			return -1;
		*slash = '/';
	}
	return 0;
}

/* Beside and renamed over: a program that is running, or has other names, is not written into. */
static int copy_file(const char *from, char *to)
{
	autofree char *beside = NULL;
	struct stat st;
	autoclose int in = open(from, O_RDONLY | O_CLOEXEC);
	autoclose int out = -1;

	if (in < 0 || fstat(in, &st) < 0 || make_parents(to) < 0 || asprintf(&beside, "%s.judge-%d", to, getpid()) < 0)
		return -1;
	out = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st.st_mode & 0111 ? 0755 : 0644);
	for (off_t left = st.st_size; out >= 0 && left > 0;) {
		ssize_t n = sendfile(out, in, NULL, (size_t)left);

		if (n <= 0) {
			(void)unlink(beside); /* the error that counts is told */
			return -1;
		}
		left -= n;
	}
	return out < 0 ? -1 : rename(beside, to);
}

static int put_out(const struct program *p, const char *folder, struct err *e)
{
	if (!folder)
		return 0;
	for (size_t i = 0; i < p->file_count; i++) {
		autofree char *to = NULL;

		if (asprintf(&to, "%s/%s", folder, p->files[i].name) < 0 || copy_file(p->files[i].source, to) < 0)
			return fail(e, errno, "cannot put %s into %s", p->files[i].name, folder);
	}
	return 0;
}

static int compile_program(struct run *run, struct program_options *o, struct program *p, struct err *e)
{
	int built = program_build(run, o, p, e);

	if (built <= 0)
		return built;
	/* From the cache, or nothing to do: no box ran, and nothing is wrong. */
	if (!run->result.outcome.has_status) {
		run->result.outcome.started = true;
		run->result.phase = PHASE_COMPILE;
		run->result.judgement = (struct judgement){ .verdict = VERDICT_OK, .limit = -1 };
		snprintf(run->result.judgement.message, sizeof(run->result.judgement.message), "%s",
			 p->from_cache ? "from the cache" : "nothing to compile");
	}
	return put_out(p, run->options.lang.output, e);
}

int command_compile(int argc, char **argv)
{
	return program_command(PHASE_COMPILE, help, compile_program, argc, argv);
}
