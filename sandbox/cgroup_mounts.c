/*
 * Where cgroups are mounted and where this process is in them: /proc/self/mountinfo and
 * /proc/self/cgroup as data. Pure: text in, rows out. Runs in the judge, outside.
 *
 * proc(5), cgroup_namespaces(7): a path outside the reader's cgroup namespace begins with "/..".
 */
#include "sandbox/cgroup_private.h"

#include <string.h>

#include "base/array.h"

const char *const controller_names[CONTROLLER_COUNT] = {
	[CONTROLLER_MEMORY] = "memory",
	[CONTROLLER_PIDS] = "pids",
	[CONTROLLER_CPU] = "cpu",
	[CONTROLLER_CPUACCT] = "cpuacct",
};

/* Whether `word` is one of the comma separated words of `list`. */
static bool list_has(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
			return true;
	}
	return false;
}

static unsigned list_controllers(const char *list)
{
	unsigned found = 0;

	for (int c = 0; c < CONTROLLER_COUNT; c++)
		if (list_has(list, controller_names[c]))
			found |= 1U << c;
	return found;
}

static bool is_octal(const char *at)
{
	return at[0] >= '0' && at[0] <= '3' && at[1] >= '0' && at[1] <= '7' &&
	       at[2] >= '0' && at[2] <= '7';
}

/* The kernel writes space, tab, newline and backslash as \ooo. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; to++) {
		if (from[0] == '\\' && is_octal(from + 1)) {
			*to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

/* Cuts `line` at single spaces. Returns how many fields there are, at most `most`. */
static size_t cut_fields(char *line, char **ret_field, size_t most)
{
	size_t count = 0;

	while (count < most) {
		ret_field[count++] = line;
		line = strchr(line, ' ');
		if (!line)
			break;
		*line++ = '\0';
	}
	return count;
}

/* id parent major:minor ROOT POINT options [optional …] - TYPE source SUPER-OPTIONS */
static bool mount_line(char *line, struct cgroup_mount *ret)
{
	char *field[32];
	size_t count = cut_fields(line, field, ARRAY_SIZE(field)), dash = 6;

	while (dash < count && strcmp(field[dash], "-") != 0)
		dash++;
	if (dash + 3 >= count || field[3][0] != '/' || field[4][0] != '/')
		return false;
	if (strcmp(field[dash + 1], "cgroup2") == 0)
		ret->version = 2;
	else if (strcmp(field[dash + 1], "cgroup") == 0)
		ret->version = 1;
	else
		return false;

	const char *options = field[dash + 3];

	ret->controllers = ret->version == 1 ? list_controllers(options) : 0;
	ret->cpuset = ret->version == 1 && list_has(options, "cpuset");
	ret->nsdelegate = ret->version == 2 && list_has(options, "nsdelegate");
	unescape(field[3]);
	unescape(field[4]);
	ret->root = field[3];
	ret->point = field[4];
	return true;
}

/* Ends the line at *at and moves *at to the next. NULL at the end of the text. */
static char *next_line(char **at)
{
	char *line = *at, *end;

	if (*line == '\0')
		return NULL;
	end = strchr(line, '\n');
	*at = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	return line;
}

size_t cgroup_mounts_read(char *text, struct cgroup_mount *ret_mounts, size_t most)
{
	size_t count = 0;

	for (char *line; count < most && (line = next_line(&text)); )
		count += mount_line(line, &ret_mounts[count]);
	return count;
}

void cgroup_own_read(char *text, struct cgroup_own *ret_own)
{
	memset(ret_own, 0, sizeof(*ret_own));
	for (char *line; (line = next_line(&text)); ) {
		char *list = strchr(line, ':');
		char *path = list ? strchr(list + 1, ':') : NULL;

		if (!path || path[1] != '/')
			continue;
		*list++ = '\0';
		*path++ = '\0';
		if (strcmp(line, "0") == 0 && *list == '\0')
			ret_own->v2 = path;
		for (int c = 0; c < CONTROLLER_COUNT; c++)
			if (list_has(list, controller_names[c]))
				ret_own->v1[c] = path;
	}
}

static bool climbs(const char *path)
{
	for (const char *at = path; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (at[0] == '.' && at[1] == '.' && (at[2] == '/' || at[2] == '\0'))
			return true;
	}
	return false;
}

const char *cgroup_below(const char *root, const char *path)
{
	size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
	const char *rest = path + length;

	if (strncmp(path, root, length) != 0 || (*rest != '/' && *rest != '\0'))
		return NULL;
	while (*rest == '/')
		rest++;
	return climbs(rest) ? NULL : rest;
}
