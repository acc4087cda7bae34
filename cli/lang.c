/*
 * judge lang: the languages there are, what of them this machine has, and what each would execute. Versions are
 * asked in a box: a toolchain is as little the judge's own as a program is.
 */
#include "cli/cli.h"
#include "cli/flow.h"

#include "base/array.h"
#include "base/fd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct lang_options {
	const char *folder;
	bool help;
};

static int set_folder(void *into, const struct option_row *row, const char *value, struct err *e)
{
	struct lang_options *o = into;

	(void)row;
	(void)e;
	o->folder = value;
	return 0;
}

static int set_help(void *into, const struct option_row *row, const char *value, struct err *e)
{
	struct lang_options *o = into;

	(void)row;
	(void)value;
	(void)e;
	o->help = true;
	return 0;
}

static const struct option_row rows[] = {
	{ NULL, "lang-dir", 0, "DIR", "more language files, NAME.lang", set_folder, 0 },
	{ NULL, "help", 'h', NULL, "this text", set_help, 0 },
};

static int help(void)
{
	puts("judge lang                         the languages, and the version or the package to install\n"
	     "judge lang NAME                    one of them: all that it would execute, level by level\n\n"
	     "Languages come with judge, from /etc/judge/lang and from --lang-dir; of two with one name the later\n"
	     "counts.\n");
	print_options(rows, ARRAY_SIZE(rows));
	return EXIT_OK;
}

/* ---- versions */

/* The first line that is not empty, without what could steer a terminal. */
static void first_line(char *text)
{
	char *from = text + strspn(text, " \t\r\n"), *to = text;

	for (; *from && *from != '\n'; from++)
		if ((unsigned char)*from >= 0x20 && *from != 0x7f)
			*to++ = *from;
	*to = '\0';
}

static const char **compile_env(struct run *run, const struct language *l, size_t *ret_count)
{
	const char **env = arena_alloc(&run->options.arena, l->counts[LANG_ENV] * sizeof(*env));

	*ret_count = 0;
	for (size_t i = 0; i < l->counts[LANG_ENV]; i++)
		if (strcmp(l->lines[LANG_ENV][i].word, "compile") == 0)
			env[(*ret_count)++] = l->lines[LANG_ENV][i].words[0];
	return env;
}

/* Runs the version line; what it prints goes to the file `into`. 0, or -1: there was no box. */
static int run_version(struct run *run, const struct language *l, const char *into, struct err *e)
{
	const struct lang_line *line = &l->lines[LANG_VERSION][0];
	char **words = arena_alloc(&run->options.arena, (line->count + 1) * sizeof(*words));
	struct request r = run->options.request;

	for (size_t i = 0; i < line->count; i++)
		words[i] = arena_strdup(&run->options.arena, line->words[i]);
	r.argv = words;
	r.env = compile_env(run, l, &r.env_count);
	r.policy = "compile";	/* some are scripts, and start the program they speak for */
	r.site = &run->options.site;
	r.stdin_path = "/dev/null";
	r.stdout_path = into;
	r.stderr_to_stdout = true;
	if (run_box(run, &r, e) < 0)
		return -1;
	*e = run->result.outcome.error;
	return e->kind ? -1 : 0;
}

/* What the toolchain says of itself; "" where it says nothing. 0, or -1: there was no box. */
static int ask_version(struct run *run, const struct language *l, char *ret_text, size_t size, struct err *e)
{
	autoclose int fd = memfd_create("version", MFD_CLOEXEC);
	char path[64];
	ssize_t n;

	*ret_text = '\0';
	if (!l->counts[LANG_VERSION])
		return 0;
	if (fd < 0)
		return fail(e, errno, "cannot make a memory file");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (run_version(run, l, path, e) < 0)
		return -1;
	n = pread(fd, ret_text, size - 1, 0);
	ret_text[n > 0 ? n : 0] = '\0';
	first_line(ret_text);
	return 0;
}

/* Makes ready for boxes that ask for versions. */
static int open_boxes(struct run *run, int argc, char **argv, struct err *e)
{
	run_options_begin(&run->options, argc, argv);
	run->options.request.phase = PHASE_COMPILE;
	return run_open(run, e);
}

/* ---- packages */

static const struct {
	const char *prefix, *program, *line;
} managers[] = {
	{ "apt:", "/usr/bin/apt-get", "apt-get install" },
	{ "dnf:", "/usr/bin/dnf", "dnf install" },
	{ "apk:", "/sbin/apk", "apk add" },
};

static void print_packages(const char *names)
{
	for (; *names; names++)
		putchar(*names == ',' ? ' ' : *names);
}

/* "not here: apt-get install g++" by this machine's package manager. */
static void print_missing(const struct language *l, const char *missing)
{
	for (size_t m = 0; m < ARRAY_SIZE(managers); m++) {
		if (access(managers[m].program, X_OK) < 0)
			continue;
		for (size_t i = 0; i < l->counts[LANG_PACKAGE]; i++)
			for (const char *const *at = l->lines[LANG_PACKAGE][i].words; *at; at++) {
				const char *names = *at + strlen(managers[m].prefix);

				if (strncmp(*at, managers[m].prefix, strlen(managers[m].prefix)) != 0 ||
				    strcmp(names, "-") == 0)
					continue;
				printf("not here: %s ", managers[m].line);
				print_packages(names);
				putchar('\n');
				return;
			}
	}
	printf("not here: %s is missing\n", missing);
}

/* ---- one language, and all */

static void print_words(const struct lang_line *line)
{
	for (size_t i = 0; i < line->count; i++) {
		const bool quoted = !*line->words[i] || strpbrk(line->words[i], " \t#");

		printf(" %s%s%s", quoted ? "\"" : "", line->words[i], quoted ? "\"" : "");
	}
	putchar('\n');
}

/* The lines of a key as they count at a level, as a .lang file has them. */
static void print_key(const struct language *l, enum lang_key key, const char *name, enum level level)
{
	for (size_t i = 0; i < l->counts[key]; i++) {
		const struct lang_line *line = &l->lines[key][i];

		if (!lang_counts(line, level))
			continue;
		printf("  %s%s%s", name, line->word ? " " : "", line->word ? line->word : "");
		print_words(line);
	}
}

/* Everything that decides what happens, in the order in which it does. */
static void print_level(const struct language *l, enum level level)
{
	static const struct {
		enum lang_key key;
		const char *name;
	} keys[] = {
		{ LANG_SCAN, "scan" }, { LANG_COMPILE, "compile" }, { LANG_RUN, "run" }, { LANG_GIVE, "give" },
		{ LANG_ENV, "env" }, { LANG_POLICY, "policy" }, { LANG_EXEC, "exec" }, { LANG_LIMIT, "limit" },
		{ LANG_EXTRA, "extra" },
	};

	printf("\nlevel %s\n", level_names[level]);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		print_key(l, keys[i].key, keys[i].name, level);
}

static void print_one(const struct language *l)
{
	static const struct {
		enum lang_key key;
		const char *name;
	} keys[] = {
		{ LANG_ALSO, "also" }, { LANG_EXTENSION, "extension" }, { LANG_STANDARD, "standard" },
		{ LANG_NEEDS, "needs" }, { LANG_PACKAGE, "package" }, { LANG_VERSION, "version" },
		{ LANG_SAYS, "says" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		print_key(l, keys[i].key, keys[i].name, LEVEL_OFF);
	if (l->artifact)
		printf("  artifact %s\n", l->artifact);
	for (enum level level = LEVEL_OFF; level < LEVEL_COUNT; level++)
		print_level(l, level);
}

/* The found version, or what to install. `e` keeps the error of a box that could not be made. */
static void print_state(struct run *run, const struct language *l, struct err *e)
{
	const char *missing = language_missing(l);
	char version[160];

	if (missing)
		print_missing(l, missing);
	else if (e->kind || ask_version(run, l, version, sizeof(version), e) < 0 || !*version)
		puts("here");
	else
		printf("%.80s\n", version);
}

static void print_row(struct run *run, const struct language *l, struct err *e)
{
	char extensions[64] = "";

	for (size_t i = 0; i < l->counts[LANG_EXTENSION]; i++)
		for (const char *const *at = l->lines[LANG_EXTENSION][i].words; *at; at++) {
			const size_t used = strlen(extensions);

			snprintf(extensions + used, sizeof(extensions) - used, "%s%s", used ? " " : "", *at);
		}
	printf("%-11s %-32s ", l->name, extensions);
	fflush(stdout); /* a version takes a moment */
	print_state(run, l, e);
}

static int show(struct run *run, const struct languages *all, const char *name, struct err *e)
{
	const struct language *l = name ? language_find(all, name) : NULL;

	if (name && !l) {
		fail_usage(e, "'%s' is no language that judge knows", name);
		return fail_cure(e, "judge lang lists them");
	}
	if (l) {
		printf("%s: %s, ", l->name, l->title);
		print_state(run, l, e);
		print_one(l);
		return 0;
	}
	for (size_t i = 0; i < all->count; i++)
		print_row(run, &all->list[i], e);
	return 0;
}

int command_lang(int argc, char **argv)
{
	struct languages all = { 0 };
	struct lang_options o = { 0 };
	struct run run = RUN_INITIAL;
	struct err e = { 0 };
	int rest, status;

	run.whole_argv = argv - 1;
	if (options_parse(rows, ARRAY_SIZE(rows), argc, argv, &o, &rest, &e) < 0)
		return say_error(&e);
	if (o.help)
		return help();
	if (argc - rest > 1)
		fail_usage(&e, "one language at a time, not '%s' too", argv[rest + 1]);
	else if (languages_load(&all, o.folder, &e) == 0) {
		(void)open_boxes(&run, argc, argv, &e); /* without boxes all but the versions is told */
		(void)show(&run, &all, argv[rest], &e);
	}
	status = e.kind ? say_error(&e) : EXIT_OK;
	arena_free(&all.arena);
	run_end(&run);
	return status;
}
