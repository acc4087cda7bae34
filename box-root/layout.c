/*
 * Lists of root operations, and how they are put together. Runs in the judge, outside the box; nothing
 * here mounts anything.
 */
#include "box-root/layout.h"

#include "base/sys.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TMPFS_PAGE 4096u

struct root_op *root_add(struct root_list *l, enum root_op_kind kind, mode_t mode, const char *path,
			 const char *source)
{
	struct root_op *op = arena_grow(l->arena, (void **)&l->ops, &l->capacity, l->count,
					sizeof(*op));

	l->count++;
	*op = (struct root_op){ .kind = kind, .mode = mode, .path = path, .source = source, .fd = -1 };
	if (kind == ROOT_TEXT)
		op->size = strlen(source);
	return op;
}

static bool makes_path(enum root_op_kind kind)
{
	return kind <= ROOT_NODE;
}

bool root_has(const struct root_list *l, const char *path)
{
	for (size_t i = 0; i < l->count; i++)
		if (makes_path(l->ops[i].kind) && !strcmp(l->ops[i].path, path))
			return true;
	return false;
}

void root_add_parents(struct root_list *l, const char *path)
{
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		char *parent = arena_strndup(l->arena, path, (size_t)(slash - path));

		if (!root_has(l, parent))
			root_add(l, ROOT_DIR, 0755, parent, NULL);
	}
}

int root_bind(struct root_list *l, const char *path, const char *source, uint64_t attr, struct err *e)
{
	char real[PATH_MAX];
	struct stat st;

	if (!realpath(source, real) || stat(real, &st) < 0)
		return fail(e, errno, "cannot put %s into the box as /%s", source, path);
	path = arena_strdup(l->arena, path);
	root_add_parents(l, path);
	if (!root_has(l, path))
		root_add(l, S_ISDIR(st.st_mode) ? ROOT_DIR : ROOT_NODE, 0755, path, NULL);
	root_add(l, ROOT_BIND, 0, path, arena_strdup(l->arena, real))->attr = attr;
	return 0;
}

/* mountinfo writes space, tab, newline and backslash as \ooo (proc_pid_mountinfo(5)). In place. */
static void unescape_octal(char *text)
{
	char *to = text;

	for (const char *from = text; *from; to++) {
		if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' &&
		    from[2] <= '7' && from[3] >= '0' && from[3] <= '7') {
			*to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = 0;
}

/* The fifth field of a mountinfo line, the mount point, in the arena; NULL for a line that has none. */
static char *mount_point(struct arena *a, const char *line)
{
	size_t length;

	for (int field = 0; field < 4; field++) {
		line += strcspn(line, " \n");
		if (*line != ' ')
			return NULL;
		line++;
	}
	length = strcspn(line, " \n");
	char *point = arena_strndup(a, line, length);

	unescape_octal(point);
	return point;
}

/* What is left of `point` below `folder`: "" for itself, "/x" below it, NULL when it lies elsewhere. */
static const char *below(const char *folder, const char *point)
{
	size_t length = strcmp(folder, "/") ? strlen(folder) : 0;

	if (strncmp(folder, point, length) || (point[length] && point[length] != '/'))
		return NULL;
	return point + length;
}

static void add_remounts_of(struct root_list *l, size_t bind, const char *mountinfo)
{
	for (const char *line = mountinfo; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const struct root_op *op = &l->ops[bind];
		const char *point = mount_point(l->arena, line);
		const char *rest = point ? below(op->source, point) : NULL;

		if (!rest || !*rest)
			continue;
		const char *path = arena_printf(l->arena, "%s%s", op->path, rest);
		uint64_t attr = op->attr;

		root_add(l, ROOT_REMOUNT, 0, path, NULL)->attr = attr;
	}
	uint64_t attr = l->ops[bind].attr;

	root_add(l, ROOT_REMOUNT, 0, l->ops[bind].path, NULL)->attr = attr;
}

void root_add_remounts(struct root_list *l, const char *mountinfo)
{
	size_t count = l->count;

	for (size_t i = 0; i < count; i++)
		if (l->ops[i].kind == ROOT_BIND)
			add_remounts_of(l, i, mountinfo);
}

void root_cost(const struct root_list *l, uint64_t *ret_bytes, uint64_t *ret_inodes)
{
	*ret_bytes = *ret_inodes = 0;
	for (size_t i = 0; i < l->count; i++) {
		const struct root_op *op = &l->ops[i];

		if (!makes_path(op->kind))
			continue;
		++*ret_inodes;
		*ret_bytes += (op->size + TMPFS_PAGE - 1) / TMPFS_PAGE * TMPFS_PAGE;
	}
}
