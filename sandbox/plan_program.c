/*
 * Which file a box executes. Runs in the judge, before the clone.
 *
 * A word without a slash is looked up in the box's PATH. A path of the box (its programs, its folders, what
 * --dir and --file put there) is used as it is. Any other path is a file of the host: it is put into /box
 * and run from there.
 */
#include "sandbox/plan_parts.h"

#include "base/array.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Absolute paths that mean the box, whatever the host has there. /tmp is not one: the box's begins empty. */
static const char *const box_folders[] = {
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
	"/box", "/judge", "/workspace", "/dev", "/proc", "/etc",
};

static bool is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

static bool is_of_box(const struct request *r, const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(box_folders); i++)
		if (is_below(path, box_folders[i]))
			return true;
	for (size_t i = 0; i < r->dir_count; i++)
		if (is_below(path, r->dirs[i].inside))
			return true;
	return false;
}

static const char *without_dot(const char *path)
{
	while (path[0] == '.' && path[1] == '/')
		for (path += 2; *path == '/'; path++)
			;
	return path;
}

static const char *given_source(const struct request *r, const char *name)
{
	for (size_t i = 0; i < r->file_count; i++)
		if (!strcmp(without_dot(r->files[i].name), name))
			return r->files[i].source;
	return NULL;
}

static bool is_given(const struct request *r, const char *name)
{
	return given_source(r, name) != NULL;
}

static bool is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int not_in_path(const struct request *r, const char *word, const char *search, struct err *e)
{
	fail_usage(e, "%s: no such program in the box (its PATH is %s)", word, search);
	if (is_given(r, word) || is_regular(word))
		return fail_cure(e, "a file of your own is named with its path: ./%s", word);
	return -1;
}

/* The folders of the box's PATH are the host's own as far as the layout binds them. */
static int search_path(struct plan *p, const char *word, struct err *e)
{
	const char *search = plan_env(p, "PATH");

	for (const char *at = search ? search : ""; *at; at += strcspn(at, ":"), at += *at == ':') {
		int length = (int)strcspn(at, ":");
		char *path = arena_printf(&p->arena, "%.*s/%s", length, at, word);

		if (length && *path == '/' && is_of_box(p->request, path) && is_regular(path) &&
		    access(path, X_OK) == 0) {
			p->program = p->outside = path;
			return 0;
		}
	}
	return not_in_path(p->request, word, search ? search : "empty", e);
}

static int take_from_host(struct plan *p, const char *word, const char **ret_copy,
			  const char **ret_name, struct err *e)
{
	const char *slash = strrchr(word, '/');
	const char *name = slash ? slash + 1 : word;
	struct stat st;

	if (stat(word, &st) < 0) {
		if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)
			return fail(e, errno, "cannot examine %s", word);
		if (*word != '/')
			return fail_usage(e, "%s: %s", word, strerror(errno));
		p->program = word;	/* not the host's: execve decides whether it is the box's */
		return 0;
	}
	if (!S_ISREG(st.st_mode))
		return fail_usage(e, "%s: not a regular file, so it cannot be the program", word);
	if (!(st.st_mode & 0111)) {
		fail_usage(e, "%s: Permission denied: this file may not be executed", word);
		return fail_cure(e, "chmod +x %s; or give a script to what runs it, as in: "
				 "judge run --file sol.py -- python3 sol.py", word);
	}
	if (is_given(p->request, name))
		return fail_usage(e, "%s: --file puts another %s into the box", word, name);
	*ret_copy = p->outside = word;
	*ret_name = name;
	p->program = arena_printf(&p->arena, "/box/%s", name);
	return 0;
}

int plan_program(struct plan *p, const char **ret_copy, const char **ret_name, struct err *e)
{
	const struct request *r = p->request;
	const char *word = p->argv[0];

	*ret_copy = *ret_name = NULL;
	p->chdir = r->chdir ? arena_strdup(&p->arena, r->chdir) : "/box";
	if (!*word)
		return fail_usage(e, "the name of the program is empty");
	if (!strchr(word, '/'))
		return search_path(p, word, e);
	if (!strncmp(word, "/box/", 5) && is_given(r, word + 5)) {
		p->program = word;
		p->outside = given_source(r, word + 5);
		return 0;
	}
	if (*word == '/' && is_of_box(r, word)) {
		p->program = word;
		p->outside = is_below(word, "/box") ? NULL : word;
		return 0;
	}
	for (size_t i = 0; *word != '/' && i < r->file_count; i++)
		if (!strcmp(without_dot(r->files[i].name), without_dot(word))) {
			/* Also where the host has another file of that name: --file says what it means. */
			p->program = arena_printf(&p->arena, "/box/%s", without_dot(word));
			p->outside = r->files[i].source;
			return 0;
		}
	return take_from_host(p, word, ret_copy, ret_name, e);
}
