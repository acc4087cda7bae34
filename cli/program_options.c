/* Reads the command lines of compile and exec. */
#include "cli/program_options.h"

#include "base/array.h"
#include "base/fd.h"
#include "base/units.h"
#include "lang/java_name.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SOURCES_MOST 1024
#define DEPTH_MOST 16

static int set_text(void *into, const struct option_row *row, const char *value, struct err *e)
{
	(void)e;
	memcpy((char *)into + row->key, &value, sizeof(value));
	return 0;
}

static int set_no_cache(void *into, const struct option_row *row, const char *value, struct err *e)
{
	(void)row;
	(void)value;
	(void)e;
	((struct run_options *)into)->lang.no_cache = true;
	return 0;
}

static int set_level(void *into, const struct option_row *row, const char *value, struct err *e)
{
	(void)row;
	for (int i = 0; i < LEVEL_COUNT; i++)
		if (!strcmp(level_names[i], value)) {
			((struct run_options *)into)->lang.at = (enum level)i;
			return 0;
		}
	return fail_usage(e, "'%s': use off, contest or strict", value);
}

#define AT(member) (long)offsetof(struct run_options, member)

static const struct option_row own_rows[] = {
	{ "Language", "language", 'L', "NAME", "of the sources, instead of by the file's name; see judge lang", set_text,
	  AT(lang.language) },
	{ NULL, "standard", 0, "NAME", "of the language, as in gnu++20", set_text, AT(lang.standard) },
	{ NULL, "level", 0, "off|contest|strict", "the language's rules; contest unless given", set_level, 0 },
	{ NULL, "main", 0, "NAME", "the entry point among several files, or the class", set_text, AT(lang.main) },
	{ NULL, "lang-dir", 0, "DIR", "more language files, NAME.lang", set_text, AT(lang.folder) },
	{ NULL, "cache", 0, "DIR", "of compiled programs, instead of $JUDGE_CACHE or ~/.cache/judge", set_text,
	  AT(lang.cache) },
	{ NULL, "no-cache", 0, NULL, "compile again", set_no_cache, 0 },
	/* The last: exec has nothing to put anywhere. */
	{ NULL, "output-dir", 'o', "DIR", "where what the compiler made goes; made if it is not there", set_text,
	  AT(lang.output) },
};

const struct option_row *program_option_rows(struct run_options *o, size_t *ret_count)
{
	size_t count, own = ARRAY_SIZE(own_rows) - (o->request.phase == PHASE_RUN);
	const struct option_row *run = run_option_rows(&count);
	struct option_row *all = arena_alloc(&o->arena, (count + own) * sizeof(*all));

	memcpy(all, own_rows, own * sizeof(*own_rows));
	memcpy(all + own, run, count * sizeof(*run));
	*ret_count = count + own;
	return all;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int add_file(struct program_options *p, struct run_options *o, const char *path, const char *name,
		    struct err *e)
{
	struct program_source *s;

	s = arena_grow(&o->arena, (void **)&p->sources, &p->source_capacity, p->source_count, sizeof(*s));
	*s = (struct program_source){ path, name };
	if (++p->source_count > SOURCES_MOST)
		return fail_usage(e, "%s: more than %d files", path, SOURCES_MOST);
	return 0;
}

/* All files below a folder, by name; what begins with a dot is not meant. */
static int add_folder(struct program_options *p, struct run_options *o, const char *path, const char *name,
		      int depth, struct err *e)
{
	struct dirent **list;
	int count = depth > DEPTH_MOST ? 0 : scandir(path, &list, NULL, alphasort), r = 0;

	if (count < 0)
		return fail_usage(e, "%s: %s", path, strerror(errno));
	for (int i = 0; i < count; i++) {
		const char *one = arena_printf(&o->arena, "%s/%s", path, list[i]->d_name);
		const char *inside = arena_printf(&o->arena, "%s%s%s", name, *name ? "/" : "", list[i]->d_name);
		struct stat st;

		if (!r && list[i]->d_name[0] != '.' && lstat(one, &st) == 0) {
			if (S_ISDIR(st.st_mode))
				r = add_folder(p, o, one, inside, depth + 1, e);
			else if (S_ISREG(st.st_mode))
				r = add_file(p, o, one, inside, e);
		}
		free(list[i]);
	}
	if (depth <= DEPTH_MOST)
		free(list);
	return r;
}

static int add_source(struct program_options *p, struct run_options *o, const char *path, struct err *e)
{
	struct stat st = { .st_mode = S_IFREG };

	if (strcmp(path, "-") && stat(path, &st) < 0)
		return fail_usage(e, "%s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return add_folder(p, o, path, "", 0, e);
	if (!S_ISREG(st.st_mode))
		return fail_usage(e, "%s: neither a file nor a folder", path);
	return add_file(p, o, path, base_name(path), e);
}

/* Options and sources in any order, as compilers take them; what is behind "--" is the program's. */
static int read_words(struct program_options *p, struct run_options *o, int argc, char **argv, struct err *e)
{
	size_t count;
	const struct option_row *rows = program_option_rows(o, &count);
	int at = 0, rest;

	p->args = argv + argc;
	while (at + 1 < argc) {
		if (options_parse(rows, count, argc - at, argv + at, o, &rest, e) < 0)
			return -1;
		if (rest > 1 && !strcmp(argv[at + rest - 1], "--")) {
			p->args = argv + at + rest;
			return 0;
		}
		at += rest;
		if (at < argc && add_source(p, o, argv[at], e) < 0)
			return -1;
	}
	return 0;
}

static const char *java_source_name(struct arena *a, const char *path)
{
	autofree char *text = NULL;
	char name[256];
	size_t size;

	if (read_file_at(AT_FDCWD, path, 16 * MIB, &text, &size) < 0 ||
	    java_public_name(text, size, name, sizeof(name)) < 0)
		return NULL;
	return arena_printf(a, "%s.java", name);
}

/* A single file is called as the language wants; in Java as its public class. */
static void name_single(struct program_options *p, struct run_options *o)
{
	const struct language *l = o->lang.found;
	struct program_source *s = &p->sources[0];

	if (p->source_count != 1)
		return;
	if (*s->name == '-') {	/* would be an option of the compiler */
		const char *dot = strrchr(s->name, '.');

		s->name = arena_printf(&o->arena, "main%s", dot ? dot : "");
	}
	if (!strcmp(l->name, "java")) {
		const char *name = java_source_name(&o->arena, s->path);

		if (name)
			s->name = name;
	} else if (l->source) {
		s->name = l->source;
	}
}

static int find_language(struct program_options *p, struct run_options *o, struct err *e)
{
	const char *name = p->source_count ? p->sources[0].path : NULL;

	if (languages_load(&p->languages, o->lang.folder, e) < 0)
		return -1;
	if (!name)
		return fail_usage(e, "which source? judge exec [options] SOURCE... [-- ARGS]");
	o->lang.found = o->lang.language ? language_find(&p->languages, o->lang.language)
					 : language_of_file(&p->languages, name);
	if (o->lang.found)
		return 0;
	if (o->lang.language)
		fail_usage(e, "--language %s: not known", o->lang.language);
	else
		fail_usage(e, "%s: no language has files of that name", name);
	return fail_cure(e, "judge lang lists them; --language NAME says which one it is");
}

/* A source that is typed or piped in: kept in a file until the end. */
static int read_typed(struct program_options *p, struct run_options *o, struct err *e)
{
	const struct lang_line *line = &o->lang.found->lines[LANG_EXTENSION][0];
	const char *temp = getenv("TMPDIR"), *end = o->lang.found->counts[LANG_EXTENSION] ? line->words[0] : "";
	char buffer[65536];
	ssize_t n;

	if (strcmp(p->sources[0].path, "-"))
		return 0;
	p->typed = arena_printf(&o->arena, "%s/judge-source-XXXXXX", temp && *temp == '/' ? temp : "/tmp");
	autoclose int fd = mkostemp(p->typed, O_CLOEXEC);

	if (fd < 0)
		return fail(e, errno, "cannot make %s", p->typed);
	while ((n = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0)
		if (write_all(fd, buffer, (size_t)n) < 0)
			return fail(e, errno, "cannot write %s", p->typed);
	p->sources[0] = (struct program_source){ p->typed, arena_printf(&o->arena, "main%s", end) };
	return 0;
}

int program_options_read(struct program_options *ret, struct run_options *o, enum phase phase, int argc,
			 char **argv, struct err *e)
{
	*ret = (struct program_options){ .args = argv + argc };
	run_options_begin(o, argc, argv);
	o->request.phase = phase;
	o->lang.at = LEVEL_CONTEST;
	if (read_words(ret, o, argc, argv, e) < 0)
		return -1;
	run_options_outputs(o);
	if (o->help)
		return 0;
	if (find_language(ret, o, e) < 0 || read_typed(ret, o, e) < 0)
		return -1;
	name_single(ret, o);
	for (size_t i = 0; i < ret->source_count; i++)
		if (*ret->sources[i].name == '-')
			return fail_usage(e, "%s: a name that begins with '-' would be an option of the compiler",
					  ret->sources[i].path);
	return 0;
}

void program_options_free(struct program_options *p)
{
	if (p->typed)
		(void)unlink(p->typed);
	arena_free(&p->languages.arena);
}

const char *program_options_cache(struct run_options *o)
{
	const char *own = getenv("JUDGE_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (o->lang.no_cache)
		return NULL;
	if (o->lang.cache)
		return o->lang.cache;
	if (own && *own == '/')
		return own;
	if (xdg && *xdg == '/')
		return arena_printf(&o->arena, "%s/judge", xdg);
	if (home && *home == '/' && access(home, W_OK) == 0)
		return arena_printf(&o->arena, "%s/.cache/judge", home);
	return NULL;
}
