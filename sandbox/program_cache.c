/*
 * The cache of compiled programs. A folder per entry, named by the hash of all that decides what the compile steps
 * leave; made beside and renamed, so that parallel judges never see half of one. The caller's alone (0700):
 * nothing in a box can write there. Runs in the judge.
 */
#include "sandbox/program_parts.h"

#include "base/fd.h"
#include "lang/embedded.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ENTRIES_MOST 512	/* the oldest go first */
#define BUILD_OLD_S (7 * 24 * 3600)
#define SOURCE_MOST (16 * MIB)

static void add_text(SHA2_CTX *hash, const char *text)
{
	SHA256Update(hash, (const uint8_t *)text, strlen(text) + 1);	/* with its end, so that words stay apart */
}

/* A toolchain that was updated is another file. */
static void add_identity(SHA2_CTX *hash, const char *program)
{
	char real[PATH_MAX], identity[PATH_MAX + 128];
	struct stat st;

	if (!realpath(program, real) || stat(real, &st) < 0)
		snprintf(identity, sizeof(identity), "%s: absent", program);
	else
		snprintf(identity, sizeof(identity), "%s %llu %lld.%09ld %llu", real,
			 (unsigned long long)st.st_size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
			 (unsigned long long)st.st_ino);
	add_text(hash, identity);
}

static void add_line(SHA2_CTX *hash, enum lang_key key, const struct lang_line *line)
{
	add_text(hash, line->word ? line->word : "");
	for (size_t i = 0; i < line->count; i++) {
		const struct embedded *file = key == LANG_GIVE ? embedded_find(line->words[i]) : NULL;

		add_text(hash, line->words[i]);
		if (key == LANG_NEEDS)
			add_identity(hash, line->words[i]);
		if (file)
			add_text(hash, file->data);
	}
}

static void add_language(SHA2_CTX *hash, const struct program *p)
{
	const struct language *l = p->wish.language;

	add_text(hash, l->name);
	add_text(hash, l->artifact ? l->artifact : "");
	for (int key = 0; key < LANG_KEY_COUNT; key++)
		for (size_t i = 0; i < l->counts[key]; i++)
			if (lang_counts(&l->lines[key][i], p->wish.level))
				add_line(hash, (enum lang_key)key, &l->lines[key][i]);
	add_identity(hash, "/proc/self/exe");	/* policies and scans come with judge itself */
}

int program_key(struct program *p, struct err *e)
{
	uint8_t digest[SHA256_DIGEST_LENGTH];
	SHA2_CTX hash;

	SHA256Init(&hash);
	add_language(&hash, p);
	add_text(&hash, level_names[p->wish.level]);
	add_text(&hash, p->wish.standard ? p->wish.standard : "");
	for (size_t i = 0; i < p->wish.source_count; i++) {
		autofree char *text = NULL;
		uint64_t length;
		size_t size;

		if (read_file_at(AT_FDCWD, p->wish.sources[i].path, SOURCE_MOST, &text, &size) < 0)
			return fail_usage(e, "cannot read %s: %s", p->wish.sources[i].path, strerror(errno));
		length = size;
		add_text(&hash, p->wish.sources[i].name);
		SHA256Update(&hash, (const uint8_t *)&length, sizeof(length));
		SHA256Update(&hash, (const uint8_t *)text, size);
	}
	SHA256Final(digest, &hash);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(p->key + 2 * i, 3, "%02x", digest[i]);
	return 0;
}

bool program_cached(struct program *p)
{
	struct stat st;

	if (!p->wish.cache)
		return false;
	snprintf(p->entry, sizeof(p->entry), "%.3900s/%s", p->wish.cache, p->key);
	if (lstat(p->entry, &st) < 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
		return false;
	(void)utimensat(AT_FDCWD, p->entry, NULL, 0); /* used just now: among the last to go */
	return true;
}

static int make_folders(const char *path)
{
	char part[PATH_MAX];

	for (const char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", slash ? (int)(slash - path) : (int)strlen(path), path);
		if (mkdir(part, 0700) < 0 && errno != EEXIST)
			return -1;
		if (!slash)
			return 0;
	}
}

static bool is_own(const char *folder)
{
	struct stat st;

	return stat(folder, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & 022);
}

static bool is_folder(const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return true;
	errno = ENOTDIR;
	return false;
}

int program_check_cache(struct program *p, struct err *e)
{
	const char *folder = p->wish.cache;

	if (!folder)
		return 0;
	if (make_folders(folder) < 0 || !is_folder(folder) || (p->wish.cache_optional && access(folder, W_OK) < 0)) {
		if (p->wish.cache_optional) {
			p->wish.cache = NULL;
			return 0;
		}
		fail_usage(e, "cannot make the cache folder %s: %s", folder, strerror(errno));
		return fail_cure(e, "name another with --cache, or go without: --no-cache");
	}
	if (is_own(folder))
		return 0;
	fail_usage(e, "the cache folder %s is not yours alone: others could change what is run from it", folder);
	return fail_cure(e, "chmod go-w %s, or name another with --cache", folder);
}

int program_work(struct program *p, struct err *e)
{
	const char *folder = p->wish.cache, *temp = getenv("TMPDIR");

	if (!folder)
		folder = temp && *temp == '/' ? temp : "/tmp";
	snprintf(p->work, sizeof(p->work), "%.4000s/judge-build-XXXXXX", folder);
	if (!mkdtemp(p->work)) {
		p->work[0] = 0;
		return fail(e, errno, "cannot make a folder in %s", folder);
	}
	snprintf(p->entry, sizeof(p->entry), "%.4000s/entry", p->work);
	if (mkdir(p->entry, 0700) < 0)
		return fail(e, errno, "cannot make %s", p->entry);
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

static void remove_tree(const char *path)
{
	(void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT); /* what is left the next one removes */
}

void program_forget(struct program *p)
{
	remove_tree(p->entry);
}

static bool is_key(const char *name)
{
	return strlen(name) == 64 && strspn(name, "0123456789abcdef") == 64;
}

/* One entry too many: the one used longest ago goes. Judges that do this at once remove one each. */
static void bound(const char *folder)
{
	char oldest[PATH_MAX] = "", path[PATH_MAX];
	struct timespec when = { 0, 0 };
	size_t count = 0;
	struct stat st;
	DIR *list = opendir(folder);

	for (struct dirent *d; list && (d = readdir(list));) {
		snprintf(path, sizeof(path), "%.3900s/%.64s", folder, d->d_name);
		if (lstat(path, &st) < 0)
			continue;
		if (!strncmp(d->d_name, "judge-build-", 12) && time(NULL) - st.st_mtim.tv_sec >= BUILD_OLD_S)
			remove_tree(path);	/* of a judge that was killed */
		if (!is_key(d->d_name))
			continue;
		count++;
		if (*oldest && (st.st_mtim.tv_sec > when.tv_sec ||
				(st.st_mtim.tv_sec == when.tv_sec && st.st_mtim.tv_nsec >= when.tv_nsec)))
			continue;
		when = st.st_mtim;
		memcpy(oldest, path, sizeof(path));
	}
	if (list)
		closedir(list);
	if (count > ENTRIES_MOST && *oldest)
		remove_tree(oldest);
}

void program_store(struct program *p)
{
	char final[4096];

	if (!p->wish.cache)
		return;
	snprintf(final, sizeof(final), "%.3900s/%s", p->wish.cache, p->key);
	if (rename(p->entry, final) < 0)
		return;	/* another judge was first: this run uses its own */
	memcpy(p->entry, final, sizeof(final));
	bound(p->wish.cache);
}

void program_free(struct program *p)
{
	if (*p->work)
		remove_tree(p->work);
	arena_free(&p->arena);
	*p = (struct program){ .state = PROGRAM_REFUSED };
}
