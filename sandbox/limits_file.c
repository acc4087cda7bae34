/*
 * An installation's limits file. Runs in the judge, outside the box; only limits_site_load
 * touches files.
 *
 * Ceilings protect the host, so a file that is not understood to its last line changes
 * nothing and stops the judge. What was set twice is refused: of two answers, which one
 * the administrator meant cannot be known.
 */
#include "sandbox/limits.h"

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_PATH "/etc/judge/limits"
#define FILE_MOST ((size_t)1024 * 1024)
#define LINE_MOST 4200		/* an audit path and its key */
#define WORDS_MOST 5		/* one more than the longest line has */
#define UID_MOST 4294967294u	/* (uid_t)-1 means "no change" to setresuid(2) */

static const char *const phase_prefix[] = { [PHASE_RUN] = "", [PHASE_COMPILE] = "compile." };

/* What is being read. A line number of 0: not set by the file. */
struct site_file {
	const char *name;
	struct err *e;
	struct limits_site site;
	unsigned line;
	unsigned initial_line[2][LIMIT_COUNT], most_line[LIMIT_COUNT], uids_line, audit_line;
};

/* "FILE:LINE: …"; of a long path the end is shown. */
__attribute__((format(printf, 3, 4)))
static int fail_line(const struct site_file *f, unsigned line, const char *format, ...)
{
	const size_t length = strlen(f->name);
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return fail_usage(f->e, "%s%s:%u: %s", length > 200 ? "..." : "",
			  length > 200 ? f->name + length - 200 : f->name, line, text);
}

/* Marks something as set by the current line. */
static int once(const struct site_file *f, unsigned *set_line, const char *what)
{
	if (*set_line)
		return fail_line(f, f->line, "%s is set already, by line %u", what, *set_line);
	*set_line = f->line;
	return 0;
}

/* A value of the limit; what is wrong with it is told with file and line. */
static int read_value(const struct site_file *f, enum limit which, const char *what, const char *text,
		      uint64_t *ret_value)
{
	struct err why;

	if (limit_parse(which, text, f->site.most[which], NULL, ret_value, &why) < 0)
		return fail_line(f, f->line, "%s: %s", what, why.text);
	return 0;
}

static int read_initial(struct site_file *f, enum phase phase, enum limit which, const char *text)
{
	char what[64];

	snprintf(what, sizeof(what), "%s%s", phase_prefix[phase], limit_rows[which].name);
	if (once(f, &f->initial_line[phase][which], what) < 0)
		return -1;
	return read_value(f, which, what, text, &f->site.initial[phase].value[which]);
}

static int read_most(struct site_file *f, enum phase phase, enum limit which, const char *text)
{
	const struct limit_row *row = &limit_rows[which];
	char what[64];

	if (phase == PHASE_COMPILE)
		return fail_line(f, f->line, "compile.%s: a ceiling holds for both, write: %s most %.40s",
				 row->name, row->name, text);
	if (row->follows >= 0)
		return fail_line(f, f->line, "%s most: its ceiling is the %s limit, set that", row->name,
				 limit_rows[row->follows].name);
	snprintf(what, sizeof(what), "%s most", row->name);
	if (once(f, &f->most_line[which], what) < 0)
		return -1;
	return read_value(f, which, what, text, &f->site.most[which]);
}

/* NAME VALUE, NAME VALUE most VALUE, NAME most VALUE, compile.NAME VALUE */
static int read_limit(struct site_file *f, char **words, int count)
{
	const size_t prefix = strlen(phase_prefix[PHASE_COMPILE]);
	const enum phase phase = strncmp(words[0], phase_prefix[PHASE_COMPILE], prefix) == 0 ?
				 PHASE_COMPILE : PHASE_RUN;
	const char *name = words[0] + (phase == PHASE_COMPILE ? prefix : 0);
	const int which = limit_find(name, strlen(name));
	int i = 1;

	if (which < 0)
		return fail_line(f, f->line, "unknown name '%.40s'", words[0]);
	if (i < count && strcmp(words[i], "most") != 0 &&
	    read_initial(f, phase, (enum limit)which, words[i++]) < 0)
		return -1;
	if (i + 1 < count && strcmp(words[i], "most") == 0) {
		if (read_most(f, phase, (enum limit)which, words[i + 1]) < 0)
			return -1;
		i += 2;
	}
	if (count == 1 || i < count)
		return fail_line(f, f->line, "%s: write '%s VALUE', '%s VALUE most VALUE' or '%s most VALUE'",
				 words[0], name, name, name);
	return 0;
}

/* uids FIRST-LAST */
static int read_uids(struct site_file *f, char **words, int count)
{
	char *dash = count == 2 ? strchr(words[1], '-') : NULL;
	uint64_t first, last;

	if (once(f, &f->uids_line, "uids") < 0)
		return -1;
	if (dash)
		*dash = '\0';
	if (!dash || unit_parse(UNIT_COUNT, words[1], &first) < 0 ||
	    unit_parse(UNIT_COUNT, dash + 1, &last) < 0)
		return fail_line(f, f->line, "uids: write two numbers, as in uids 60600-61183");
	if (first == 0 || first > last || last > UID_MOST)
		return fail_line(f, f->line, "uids: from 1 to %u, the smaller first", UID_MOST);
	f->site.first_uid = (uid_t)first;
	f->site.last_uid = (uid_t)last;
	return 0;
}

/* audit PATH; the path is all that follows, blanks too. */
static int read_audit(struct site_file *f, const char *path)
{
	if (once(f, &f->audit_line, "audit") < 0)
		return -1;
	if (path[0] != '/')
		return fail_line(f, f->line, "audit: give a path from the root, as in /var/log/judge.jsonl");
	if (strlen(path) >= sizeof(f->site.audit))
		return fail_line(f, f->line, "audit: the path is too long");
	strcpy(f->site.audit, path);
	return 0;
}

static int split(char *line, char **ret_words)
{
	int count = 0;
	char *rest;

	for (char *word = strtok_r(line, " \t", &rest); word && count < WORDS_MOST;
	     word = strtok_r(NULL, " \t", &rest))
		ret_words[count++] = word;
	return count;
}

/* Ends the line where a comment or its trailing blanks begin. A '#' inside a word is part of it. */
static void strip(char *line)
{
	size_t end = 0;

	for (size_t i = 0; line[i]; i++) { // NOLINT(*core.uninitialized.Branch): take_line made it
		const bool blank = line[i] == ' ' || line[i] == '\t';

		if (line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t'))
			break;
		if (!blank)
			end = i + 1;
	}
	line[end] = '\0';
}

static int read_line(struct site_file *f, char *line)
{
	char *words[WORDS_MOST];
	int count;

	strip(line);
	line += strspn(line, " \t");
	if (strncmp(line, "audit", 5) == 0 && (line[5] == ' ' || line[5] == '\t'))
		return read_audit(f, line + 5 + strspn(line + 5, " \t"));
	count = split(line, words);
	if (count == 0)
		return 0;
	if (strcmp(words[0], "uids") == 0)
		return read_uids(f, words, count);
	return read_limit(f, words, count);
}

/* Copies one line, without its end, into ret_line[LINE_MOST] after a look at each byte. */
static int take_line(const struct site_file *f, const char *text, size_t length, char *ret_line)
{
	if (length > 0 && text[length - 1] == '\r')
		length--;
	if (length >= LINE_MOST)
		return fail_line(f, f->line, "the line is too long");
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)text[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return fail_line(f, f->line, "control character \\x%02x", c);
	}
	memcpy(ret_line, text, length);
	ret_line[length] = '\0';
	return 0;
}

static int read_lines(struct site_file *f, const char *text, size_t size)
{
	for (size_t at = 0; at < size;) {
		const char *end = memchr(text + at, '\n', size - at);
		const size_t length = end ? (size_t)(end - text) - at : size - at;
		char line[LINE_MOST];

		f->line++;
		if (take_line(f, text + at, length, line) < 0 || read_line(f, line) < 0)
			return -1;
		at += length + 1;
	}
	return 0;
}

static unsigned later(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* Defaults over a ceiling of the same file: told of the line that brought it about. */
static int check_initial(struct site_file *f, enum phase phase, enum limit which)
{
	const uint64_t value = f->site.initial[phase].value[which], most = f->site.most[which];
	const unsigned line = later(f->initial_line[phase][which], f->most_line[which]);
	char asked[32], ceiling[32];

	if (value == LIMIT_FOLLOWS || value <= most)
		return 0;
	if (!f->initial_line[phase][which]) {	/* the built-in one gives way to a lower ceiling */
		f->site.initial[phase].value[which] = most;
		return 0;
	}
	return fail_line(f, line, "%s%s: the default of %s is over this installation's ceiling of %s",
			 phase_prefix[phase], limit_rows[which].name,
			 limit_format(which, value, asked, sizeof(asked)),
			 limit_format(which, most, ceiling, sizeof(ceiling)));
}

/* Defaults that no run could have: a stack larger than the memory it is part of. */
static int check_followers(const struct site_file *f, enum phase phase)
{
	struct limits finished = f->site.initial[phase];
	unsigned line = 0;
	struct err why;

	if (limits_finish(&finished, &why) == 0)
		return 0;
	for (int i = 0; i < LIMIT_COUNT; i++)
		if (limit_rows[i].follows >= 0)
			line = later(line, later(f->initial_line[phase][i],
						 f->initial_line[phase][limit_rows[i].follows]));
	return fail_line(f, line, "%s%s", phase == PHASE_COMPILE ? "compile: " : "", why.text);
}

int limits_site_read(struct limits_site *site, const char *file, const char *text, size_t size,
		     struct err *e)
{
	struct site_file f = { .name = file, .e = e, .site = *site };

	if (read_lines(&f, text, size) < 0)
		return -1;
	for (int phase = PHASE_RUN; phase <= PHASE_COMPILE; phase++) {
		for (int i = 0; i < LIMIT_COUNT; i++)
			if (check_initial(&f, (enum phase)phase, (enum limit)i) < 0)
				return -1;
		if (check_followers(&f, (enum phase)phase) < 0)
			return -1;
	}
	*site = f.site;
	return 0;
}

int limits_site_load(struct limits_site *ret_site, const char *path, struct err *e)
{
	const char *named = path ? path : getenv("JUDGE_LIMITS");
	struct limits_site site;
	autofree char *text = NULL;
	size_t size;

	if (named && !path && !*named)
		named = NULL; /* an empty variable is an unset one */
	limits_site_init(&site);
	if (read_file_at(AT_FDCWD, named ? named : DEFAULT_PATH, FILE_MOST, &text, &size) < 0) {
		if (named)
			return fail_usage(e, "cannot read the limits file %s: %s", named, strerror(errno));
		if (errno != ENOENT)
			return fail(e, errno, "cannot read the limits file %s", DEFAULT_PATH);
	} else if (limits_site_read(&site, named ? named : DEFAULT_PATH, text, size, e) < 0) {
		return -1;
	}
	*ret_site = site;
	return 0;
}
