/*
 * The languages there are: those in judge itself, the installation's, a folder's. Runs in the judge;
 * languages_load and language_missing look at files, the rest is pure.
 */
#include "lang/language.h"

#include "base/fd.h"
#include "lang/embedded.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SITE_FOLDER "/etc/judge/lang"
#define SUFFIX ".lang"
#define FILE_MOST ((size_t)256 * 1024)

/* Whether a line of that kind has the word. */
static bool has_word(const struct language *l, enum lang_key key, const char *word)
{
	for (size_t i = 0; i < l->counts[key]; i++)
		for (const char *const *at = l->lines[key][i].words; *at; at++)
			if (strcmp(*at, word) == 0)
				return true;
	return false;
}

const struct language *language_find(const struct languages *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->list[i].name, name) == 0 || has_word(&l->list[i], LANG_ALSO, name))
			return &l->list[i];
	return NULL;
}

/* The longest extension wins: .tar.lua is Lua's unless somebody asks for all of it. */
const struct language *language_of_file(const struct languages *l, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;

	for (const char *dot = strchr(base, '.'); dot; dot = strchr(dot + 1, '.'))
		for (size_t i = 0; i < l->count; i++)
			if (has_word(&l->list[i], LANG_EXTENSION, dot))
				return &l->list[i];
	return NULL;
}

const char *language_missing(const struct language *language)
{
	for (size_t i = 0; i < language->counts[LANG_NEEDS]; i++)
		for (const char *const *at = language->lines[LANG_NEEDS][i].words; *at; at++)
			if (access(*at, X_OK) < 0)
				return *at;
	return NULL;
}

static int load_embedded(struct languages *l, struct err *e)
{
	for (const struct embedded *file = embedded_files; file->name; file++) {
		const size_t length = strlen(file->name);

		if (length < strlen(SUFFIX) || strcmp(file->name + length - strlen(SUFFIX), SUFFIX) != 0)
			continue;
		if (language_read(l, file->name, file->data, file->size, e) < 0)
			return -1;
	}
	return 0;
}

static int load_file(struct languages *l, const char *folder, const char *name, struct err *e)
{
	const char *path = arena_printf(&l->arena, "%s/%s", folder, name);
	autofree char *text = NULL;
	size_t size;

	if (read_file_at(AT_FDCWD, path, FILE_MOST, &text, &size) < 0)
		return fail(e, errno, "cannot read the language's file %s", path);
	return language_read(l, path, text, size, e);
}

static int is_language(const struct dirent *d)
{
	const size_t length = strlen(d->d_name);

	return d->d_name[0] != '.' && length > strlen(SUFFIX) &&
	       strcmp(d->d_name + length - strlen(SUFFIX), SUFFIX) == 0;
}

/* In the order of their names, so that of two errors it is always the same one that is told. */
static int load_folder(struct languages *l, const char *folder, bool named, struct err *e)
{
	struct dirent **found;
	const int count = scandir(folder, &found, is_language, alphasort);
	int r = 0;

	if (count < 0 && errno == ENOENT && !named)
		return 0;
	if (count < 0) {
		fail_usage(e, "cannot read the folder of languages %s: %s", folder, strerror(errno));
		return -1;
	}
	for (int i = 0; i < count; i++) {
		if (r == 0)
			r = load_file(l, folder, found[i]->d_name, e);
		free(found[i]);
	}
	free(found);
	return r;
}

int languages_load(struct languages *l, const char *folder, struct err *e)
{
	if (load_embedded(l, e) < 0 || load_folder(l, SITE_FOLDER, false, e) < 0)
		return -1;
	return folder ? load_folder(l, folder, true, e) : 0;
}
