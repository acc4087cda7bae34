/* Files of a program: what goes into its box, and the checks of what it is. Runs in the judge. */
#include "sandbox/program_parts.h"

#include "base/fd.h"
#include "lang/scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_MOST (64 * MIB)

typedef int file_action(struct program *p, const char *path, const char *name, void *with, struct err *e);

/* The action for a file, or for every file below a folder, sorted by name. */
static int walk(struct program *p, const char *path, const char *name, file_action *action, void *with,
		struct err *e)
{
	struct dirent **list;
	struct stat st;
	int count, r = 0;

	if (stat(path, &st) < 0)
		return fail(e, errno, "cannot examine %s", path);
	if (S_ISREG(st.st_mode))
		return action(p, path, name, with, e);
	if (!S_ISDIR(st.st_mode))
		return 0;
	count = scandir(path, &list, NULL, alphasort);
	if (count < 0)
		return fail(e, errno, "cannot read the folder %s", path);
	for (int i = 0; i < count; i++) {
		const char *one = list[i]->d_name;

		if (!r && strcmp(one, ".") && strcmp(one, ".."))
			r = walk(p, arena_printf(&p->arena, "%s/%s", path, one),
				 *name ? arena_printf(&p->arena, "%s/%s", name, one)
				       : arena_strdup(&p->arena, one), action, with, e);
		free(list[i]);
	}
	free(list);
	return r;
}

static int add_one(struct program *p, const char *path, const char *name, void *with, struct err *e)
{
	struct request_file *f = arena_grow(&p->arena, (void **)&p->files, &p->file_capacity, p->file_count,
					    sizeof(*f));

	(void)with;
	(void)e;
	*f = (struct request_file){ path, name };
	p->file_count++;
	return 0;
}

int program_add_files(struct program *p, const char *path, const char *name, struct err *e)
{
	return walk(p, path, name, add_one, NULL, e);
}

static void note_guard(struct program *p, const char *guard)
{
	size_t length = strlen(p->guards);

	if (!strstr(p->guards, guard))
		snprintf(p->guards + length, sizeof(p->guards) - length, "%s%s", length ? "," : "", guard);
}

/* Also of a program from the cache, which went through them when it was compiled. */
void program_note_guards(struct program *p)
{
	static const char *const stages[] = { "source", "assembly", "classes" };
	const struct lang_line *line;

	for (int stage = 0; stage < 3; stage++)
		for (size_t n = 0; (line = program_line(p, LANG_SCAN, stages[stage], n)); n++) {
			const struct scan_row *row = scan_find((enum scan_stage)stage, line->words[0]);

			if (row)
				note_guard(p, row->guard);
		}
	for (size_t n = 0; (line = program_line(p, LANG_GIVE, "run", n)); n++)
		note_guard(p, line->words[0]);
}

static int scan_one(struct program *p, const char *path, const char *name, void *with, struct err *e)
{
	const struct scan_row *row = with;
	struct scan_finding found = { 0 };
	autofree char *text = NULL;
	size_t size;

	if (p->state == PROGRAM_REFUSED)
		return 0;
	if (read_file_at(AT_FDCWD, path, FILE_MOST, &text, &size) < 0)
		return fail(e, errno, "cannot read %s", path);
	if (!row->scan(name, text, size, &found))
		return 0;
	p->state = PROGRAM_REFUSED;
	if (found.line > 0)
		snprintf(p->finding, sizeof(p->finding), "%s:%d: %s is refused at level %s", name, found.line,
			 found.rule, level_names[p->wish.level]);
	else
		snprintf(p->finding, sizeof(p->finding), "%s: %s is refused at level %s", name, found.rule,
			 level_names[p->wish.level]);
	return 0;
}

static bool ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), n = strlen(end);

	return length >= n && !strcmp(name + length - n, end);
}

/* Which files a stage is about. */
static int scan_matching(struct program *p, const char *path, const char *name, void *with, struct err *e)
{
	const struct scan_row *row = with;

	if (row->stage == SCAN_ASSEMBLY && !ends_with(name, ".s"))
		return 0;
	if (row->stage == SCAN_CLASSES && !ends_with(name, ".class"))
		return 0;
	return scan_one(p, path, name, with, e);
}

int program_scan(struct program *p, const char *stage, const char *path, const char *name, struct err *e)
{
	static const char *const stages[] = { "source", "assembly", "classes" };
	const struct lang_line *line;

	for (size_t n = 0; (line = program_line(p, LANG_SCAN, stage, n)); n++) {
		const struct scan_row *row = NULL;

		for (int i = 0; i < 3 && line->count; i++)
			if (!strcmp(stages[i], stage))
				row = scan_find((enum scan_stage)i, line->words[0]);
		if (!row)
			return fail(e, 0, "language %s: no scan of that name: scan %s %s", p->wish.language->name,
				    stage, line->count ? line->words[0] : "");
		if (walk(p, path, name, scan_matching, (void *)row, e) < 0)
			return -1;
	}
	return 0;
}

static int find_main(struct program *p, const char *path, const char *name, void *with, struct err *e)
{
	static const char method[] = "\1\0\4main", type[] = "\1\0\26([Ljava/lang/String;)V";
	const char **best = with;

	(void)p;
	autofree char *text = NULL;
	size_t size;

	(void)e;
	if (!ends_with(name, ".class") || read_file_at(AT_FDCWD, path, FILE_MOST, &text, &size) < 0 ||
	    !memmem(text, size, method, sizeof(method) - 1) || !memmem(text, size, type, sizeof(type) - 1))
		return 0;
	if (!*best || ends_with(name, "/Main.class") || !strcmp(name, "Main.class"))
		*best = name;
	return 0;
}

/* JVMS 4.4.7: the constant pool of a class with `void main(String[])` has both texts. Paths below the artifact's
   folder are package names. */
const char *program_java_main(struct program *p)
{
	const char *artifact = p->wish.language->artifact, *found = NULL;
	struct err ignored;
	char *name;

	if (walk(p, arena_printf(&p->arena, "%s/%s", p->entry, artifact ? artifact : ""), "", find_main,
		 (void *)&found, &ignored) < 0 || !found)
		return NULL;
	name = arena_strndup(&p->arena, found, strlen(found) - strlen(".class"));
	for (char *at = name; *at; at++)
		if (*at == '/')
			*at = '.';
	return name;
}
