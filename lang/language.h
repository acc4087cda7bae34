/*
 * A language: one text file, lang/NAME.lang, shipped inside judge, and more from --lang-dir and
 * /etc/judge/lang, which override and add. Pure: text in, table out; no file, no process.
 *
 * The text, a statement a line; `#` begins a comment; words are split at blanks, "…" keeps blanks:
 *
 *	name cpp				also the file's name
 *	title C++
 *	also c++ cxx				other names for --language
 *	extension .cpp .cc .cxx .c++ .C
 *	standard gnu++17 gnu++20 gnu++23	what {std} may be; the first is the default
 *	needs /usr/bin/g++			programs that must be there; their identity is part of the cache's key
 *	package apt:g++ dnf:gcc-c++ apk:g++	what brings them
 *	version /usr/bin/g++ --version		first line of its output, for `judge lang`; run in a box
 *	source main.cpp				the name of a single source in the box; without: its own
 *	main file|CLASS|NAME			how the entry point is found among several files: `file` is the only
 *						one, or the one called main.*; `java-class` asks the class files
 *	compile WORDS…				a step; several are run in order, in one box each
 *	artifact a.out				what the steps leave, brought out of /box; a folder ends in "/"
 *	run WORDS…				the program
 *	policy compile|run NAME			system call policy of the phase
 *	env compile|run NAME=VALUE
 *	limit compile|run NAME VALUE		a limit's default for this language
 *	extra memory|processes VALUE		the run-time's own need, on top of the run's limits
 *	exec compile|run PATH			may be executed too (policies that restrict it)
 *	give compile|run FILE			a guard of judge's own, read-only at /judge/FILE
 *	scan source|assembly|classes NAME	a check of judge's own, before the compile step or of what it left
 *	says memory|stack TEXT			what the run-time prints when it runs out of it (stderr, last 4 KiB)
 *
 * A statement that begins with [LEVEL,LEVEL] counts at these policy levels only (off, contest, strict).
 * In compile, run and version words: {source} one file, {sources} all as words of their own, {artifact},
 * {main}, {std}, {memory_mb} (the run's limit in MiB), {stack_kb}, {given} the folder /judge.
 */
#ifndef LANG_LANGUAGE_H
#define LANG_LANGUAGE_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum level { LEVEL_OFF, LEVEL_CONTEST, LEVEL_STRICT, LEVEL_COUNT };
extern const char *const level_names[LEVEL_COUNT];

/* Statements of one kind keep their order. `levels` has bit 1 << level set where they count. */
struct lang_line {
	const char *word;	/* the first word behind the key: "compile", "run", "memory", "source"; or NULL */
	const char *const *words;	/* the rest, NULL-terminated */
	size_t count;
	unsigned levels;
};

enum lang_key {
	LANG_ALSO, LANG_EXTENSION, LANG_STANDARD, LANG_NEEDS, LANG_PACKAGE, LANG_VERSION, LANG_COMPILE,
	LANG_RUN, LANG_POLICY, LANG_ENV, LANG_LIMIT, LANG_EXTRA, LANG_EXEC, LANG_GIVE, LANG_SCAN, LANG_SAYS,
	LANG_KEY_COUNT
};

struct language {
	const char *name, *title;
	const char *source;	/* NULL: keeps its own name */
	const char *main;	/* "file" unless said */
	const char *artifact;	/* NULL: the sources themselves are what runs */
	struct lang_line *lines[LANG_KEY_COUNT];
	size_t counts[LANG_KEY_COUNT];
};

struct languages {
	struct arena arena;
	struct language *list;	/* sorted by name */
	size_t count, capacity;
};

/* Adds one file's text; a language of that name that is there already is replaced. 0, or -1 with a usage
   error that begins "FILE:LINE: ". */
int language_read(struct languages *l, const char *file, const char *text, size_t size, struct err *e);

/* The shipped ones, then /etc/judge/lang/NAME.lang, then `folder` (NULL: none). 0 or -1. */
int languages_load(struct languages *l, const char *folder, struct err *e);

/* By name or other name, by a source file's extension; or NULL. */
const struct language *language_find(const struct languages *l, const char *name);
const struct language *language_of_file(const struct languages *l, const char *path);

/* Whether the line counts at that level. */
static inline bool lang_counts(const struct lang_line *line, enum level level)
{
	return line->levels & 1u << level;
}

/* The first program of `needs` that is missing on this machine, or NULL. */
const char *language_missing(const struct language *language);

#endif
