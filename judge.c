/*
 * judge: a sandbox judge that needs no root. Finds the sub-command and gives it the rest.
 */
#include "base/array.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct command commands[] = {
	{ "run", "[options] [--] PROGRAM [ARGS]", "one program in a fresh box", command_run },
	{ "compile", "[options] SOURCE... [-o DIR]", "the language's compile step, in a box", command_compile },
	{ "exec", "[options] SOURCE... [-- ARGS]", "compile, then run on standard input", command_exec },
	{ "lang", "[NAME]", "the languages, and what each would execute", command_lang },
	{ "policy", "[NAME | diff A B | explain CALL [POLICY] | learn -- PROGRAM]", "the system call policies", command_policy },
};

static int usage(FILE *to)
{
	fputs("judge: runs code that nobody trusts and says what happened\n\n", to);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(to, "  judge %s %s\n        %s\n", commands[i].name, commands[i].synopsis,
			commands[i].help);
	fputs("\n  judge COMMAND --help tells the options of one; judge --version the version\n", to);
	return to == stdout ? EXIT_OK : EXIT_USAGE;
}

/* What was printed and does not arrive is no success. */
static int written(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout) && !ferror(stderr))
		return status;
	return EXIT_INTERNAL;
}

/* 0, 1 and 2 are always something, so that no file opened later takes their place. What the caller ignored
   or left of signals is set right: a judge under nohup, make or a shell loop behaves the same. Reading from
   a terminal in the background fails instead of stopping the judge while its box runs. A low soft limit of
   open files is for the programs of the caller; the box's own is set in the box. */
static void be_ordinary(void)
{
	struct rlimit files;
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd < 3);
	close(fd);
	if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < files.rlim_max) {
		files.rlim_cur = files.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &files); /* then it is as low as it was */
	}
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGTTIN, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
}

int main(int argc, char **argv)
{
	be_ordinary();
	if (argc < 2)
		return usage(stderr);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return usage(stdout);
	if (!strcmp(argv[1], "--version"))
		return written(printf("judge %s\n", JUDGE_VERSION) < 0);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(argv[1], commands[i].name))
			return written(commands[i].run(argc - 1, argv + 1));
	if (!strcmp(argv[1], "help"))
		return usage(stdout);
	fprintf(stderr, "judge: '%s' is no command of judge\n", argv[1]);
	if (access(argv[1], F_OK) == 0)
		fprintf(stderr, "       to run it: judge run %s%s\n", strchr(argv[1], '/') ? "" : "./", argv[1]);
	return usage(stderr);
}
