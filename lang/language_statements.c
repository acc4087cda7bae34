/*
 * The statements of a .lang file: a row each, and what is looked at in their words. Pure; runs in the judge.
 */
#include "lang/language_read.h"

#include "base/array.h"
#include "base/units.h"
#include "lang/embedded.h"
#include "lang/language_words.h"
#include "lang/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ANY SIZE_MAX

/* "FILE:LINE: …"; of a long path the end is shown. */
__attribute__((format(printf, 2, 3)))
int reading_fail(const struct reading *r, const char *format, ...)
{
	const size_t length = strlen(r->file);
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return fail_usage(r->e, "%s%s:%u: %s", length > 200 ? "..." : "",
			  length > 200 ? r->file + length - 200 : r->file, r->line, text);
}

/* ---- what is looked at in the words of one statement */

static int check_names(struct reading *r, const struct lang_line *line)
{
	for (size_t i = 0; i < line->count; i++) {
		const char *name = line->words[i];

		if (!*name || strchr("-.+", *name) || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789+-._#") !=
						       strlen(name))
			return reading_fail(r, "'%s' is no name: use small letters, digits, + - . _", name);
	}
	return 0;
}

static int check_extensions(struct reading *r, const struct lang_line *line)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->words[i][0] != '.' || !line->words[i][1] || strchr(line->words[i], '/'))
			return reading_fail(r, "'%s' is no extension: write it as in .cpp", line->words[i]);
	return 0;
}

static int check_absolute(struct reading *r, const struct lang_line *line)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->words[i][0] != '/')
			return reading_fail(r, "'%s' is no path from the root", line->words[i]);
	return 0;
}

/* A file of /box, or a folder there. */
static int check_inside(struct reading *r, const struct lang_line *line)
{
	const char *path = line->words[0];

	if (!*path || strchr("/-", *path) || strstr(path, "..") || strstr(path, "//"))
		return reading_fail(r, "'%s' is no path below /box", path);
	return 0;
}

static int check_main(struct reading *r, const struct lang_line *line)
{
	if (strcmp(line->words[0], "file") != 0 && strcmp(line->words[0], "java-class") != 0)
		return reading_fail(r, "main: '%s' is none of file, java-class", line->words[0]);
	return 0;
}

static int check_word(struct reading *r, const char *word)
{
	for (const char *at = word; *at; at++) {
		const size_t length = lang_placeholder(at);

		if (length && !lang_placeholder_known(at, length))
			return reading_fail(r, "unknown placeholder %.*s", (int)length, at);
		if (length && strncmp(at, "{sources}", length) == 0 && strcmp(word, "{sources}") != 0)
			return reading_fail(r, "{sources} has to be a word of its own, not '%s'", word);
	}
	return 0;
}

static int check_command(struct reading *r, const struct lang_line *line)
{
	if (line->words[0][0] != '/' && line->words[0][0] != '{')
		return reading_fail(r, "'%s': name the program by its path from the root", line->words[0]);
	for (size_t i = 0; i < line->count; i++)
		if (check_word(r, line->words[i]) < 0)
			return -1;
	return 0;
}

static int check_env(struct reading *r, const struct lang_line *line)
{
	const char *equals = strchr(line->words[0], '=');

	if (!equals || equals == line->words[0])
		return reading_fail(r, "env: '%s': write NAME=VALUE", line->words[0]);
	return 0;
}

static int check_extra(struct reading *r, const struct lang_line *line)
{
	const enum unit unit = strcmp(line->word, "memory") == 0 ? UNIT_BYTES : UNIT_COUNT;
	uint64_t value;

	if (unit_parse(unit, line->words[0], &value) < 0)
		return reading_fail(r, "extra %s: '%s': %s", line->word, line->words[0], unit_hint(unit));
	return 0;
}

static int check_give(struct reading *r, const struct lang_line *line)
{
	if (!embedded_find(line->words[0]))
		return reading_fail(r, "give: judge carries no file '%s'", line->words[0]);
	return 0;
}

static const char *const scan_stages[] = {
	[SCAN_SOURCE] = "source", [SCAN_ASSEMBLY] = "assembly", [SCAN_CLASSES] = "classes", NULL,
};

static int check_scan(struct reading *r, const struct lang_line *line)
{
	for (int stage = 0; scan_stages[stage]; stage++)
		if (strcmp(scan_stages[stage], line->word) == 0 &&
		    scan_find((enum scan_stage)stage, line->words[0]))
			return 0;
	return reading_fail(r, "scan: there is no scan of %s called '%s'", line->word, line->words[0]);
}

static int check_says(struct reading *r, const struct lang_line *line)
{
	return *line->words[0] ? 0 : reading_fail(r, "says: an empty text is in every output");
}

/* ---- the statements */

static const char *const phases[] = { "compile", "run", NULL };
static const char *const extras[] = { "memory", "processes", NULL };
static const char *const resources[] = { "memory", "stack", NULL };

#define TEXT(member) -1, offsetof(struct language, member)

static const struct statement statements[] = {
	{ "name", "name NAME", TEXT(name), NULL, 1, 1, false, check_names },
	{ "title", "title WORDS", TEXT(title), NULL, 1, ANY, false, NULL },
	{ "source", "source FILE", TEXT(source), NULL, 1, 1, false, check_inside },
	{ "main", "main file|java-class", TEXT(main), NULL, 1, 1, false, check_main },
	{ "artifact", "artifact FILE|FOLDER/", TEXT(artifact), NULL, 1, 1, false, check_inside },
	{ "also", "also NAMES", LANG_ALSO, 0, NULL, 1, ANY, false, check_names },
	{ "extension", "extension .EXTENSIONS", LANG_EXTENSION, 0, NULL, 1, ANY, false, check_extensions },
	{ "standard", "standard NAMES", LANG_STANDARD, 0, NULL, 1, ANY, false, check_names },
	{ "needs", "needs PATHS", LANG_NEEDS, 0, NULL, 1, ANY, false, check_absolute },
	{ "package", "package MANAGER:NAMES", LANG_PACKAGE, 0, NULL, 1, ANY, false, NULL },
	{ "version", "version COMMAND", LANG_VERSION, 0, NULL, 1, ANY, false, check_command },
	{ "compile", "compile COMMAND", LANG_COMPILE, 0, NULL, 1, ANY, true, check_command },
	{ "run", "run COMMAND", LANG_RUN, 0, NULL, 1, ANY, true, check_command },
	{ "policy", "policy compile|run NAME", LANG_POLICY, 0, phases, 1, 1, true, NULL },
	{ "env", "env compile|run NAME=VALUE", LANG_ENV, 0, phases, 1, 1, true, check_env },
	{ "limit", "limit compile|run NAME VALUE", LANG_LIMIT, 0, phases, 2, 2, true, NULL },
	{ "extra", "extra memory|processes VALUE", LANG_EXTRA, 0, extras, 1, 1, true, check_extra },
	{ "exec", "exec compile|run PATHS", LANG_EXEC, 0, phases, 1, ANY, true, check_absolute },
	{ "give", "give compile|run FILE", LANG_GIVE, 0, phases, 1, 1, true, check_give },
	{ "scan", "scan source|assembly|classes NAME", LANG_SCAN, 0, scan_stages, 1, 1, true, check_scan },
	{ "says", "says memory|stack \"TEXT\"", LANG_SAYS, 0, resources, 1, 1, false, check_says },
};

const struct statement *statement_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(statements); i++)
		if (strcmp(statements[i].name, name) == 0)
			return &statements[i];
	return NULL;
}
