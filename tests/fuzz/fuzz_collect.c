/*
 * Fuzzes the collection of output: a random tree is made of the input in a folder in memory, with links, FIFOs and deep
 * folders, beside a folder with a secret; then files are collected out of it while a thread goes on changing it, which
 * in life nothing can. What is collected never holds the secret, never is more than the budget, nothing outside
 * changes, no descriptor is left open, and nothing blocks (libFuzzer's -timeout, replay.c's alarm).
 */
#include "tests/fuzz/input.h"

#include "base/fd.h"
#include "base/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

static atomic_bool without_openat2;

/* A kernel before 5.6 for the inputs that ask for one. */
static long maybe_openat2(int dir, const char *path, struct open_how *how, size_t size)
{
	if (without_openat2) {
		errno = ENOSYS;
		return -1;
	}
	return syscall(SYS_openat2, dir, path, how, size);
}

#define sys_openat2 maybe_openat2
#include "sandbox/collect.c"
#undef sys_openat2

#define SECRET "the secret that is outside"
#define COPIES_MOST 6
#define CHANGES_MOST 48

/* Paths of the tree: few, so that changes and copies meet. */
static const char *const paths[] = { "a", "b", "a/a", "a/b", "b/a", "a/a/a", "a/a/b", "a/b/a", "c", "c/d", "c/d/e",
				     "c/d/e/f/g/h" };
/* Where links lead: out, up, in circles, to what stands for the judge's own. */
static const char *const targets[] = { "../outside/secret", "../outside", "a", "b", "../../..", ".", "a/..",
				       "/proc/self/fd", "/proc/self/root", "/etc/passwd", "", "c/d" };
/* What lies outside, also under names that a path through a link has. */
static const char *const secrets[] = { "secret", "a", "b", "d" };

enum { PATHS = sizeof(paths) / sizeof(paths[0]), TARGETS = sizeof(targets) / sizeof(targets[0]),
       SECRETS = sizeof(secrets) / sizeof(secrets[0]) };

struct change {
	uint8_t what, path, other;
	uint16_t size;
};

struct tree {
	int box, outside, results, before;	/* before: the current folder, elsewhere */
	char base[64];
	struct change change[CHANGES_MOST];
	size_t changes;
	atomic_bool stop;
};

/* The folder of a path, through no link: else the changes themselves would reach outside. *ret_name: what is in it. */
static int open_parent(int box, const char *path, const char **ret_name)
{
	struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
				.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS };
	const char *slash = strrchr(path, '/');
	char folder[64] = ".";

	if (slash)
		snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
	*ret_name = slash ? slash + 1 : path;
	return (int)syscall(SYS_openat2, box, folder, &how, sizeof(how));
}

static void put_file(int folder, const char *name, size_t size)
{
	autoclose int fd = openat(folder, name, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0755);

	if (fd >= 0)
		(void)!ftruncate(fd, (off_t)size * 16);
}

/* What fails, fails: a name that is taken, one that is not there. */
static void change_tree(const struct tree *t, const struct change *c)
{
	const char *name, *other, *target = targets[c->other % TARGETS];
	autoclose int folder = open_parent(t->box, paths[c->path % PATHS], &name);
	autoclose int away = open_parent(t->box, paths[c->other % PATHS], &other);

	if (folder < 0)
		return;
	switch (c->what % 10) {
	case 0: case 1: (void)mkdirat(folder, name, 0755); break;
	case 2: case 3: put_file(folder, name, c->size); break;
	case 4: (void)symlinkat(target, folder, name); break;
	case 5: (void)mkfifoat(folder, name, 0666); break;
	case 6: (void)linkat(folder, name, away, other, 0); break;
	case 7: (void)renameat2(folder, name, away, other, RENAME_EXCHANGE); break;
	case 8: (void)renameat(folder, name, away, other); break;
	case 9: (void)(unlinkat(folder, name, 0) && unlinkat(folder, name, AT_REMOVEDIR)); break;
	}
}

static void *mutate(void *context)
{
	struct tree *t = context;

	while (!t->stop)
		for (size_t i = 0; i < t->changes && !t->stop; i++)
			change_tree(t, &t->change[i]);
	return NULL;
}

static int make_folder(const char *base, const char *name, mode_t mode)
{
	char path[96];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", base, name);
	HOLDS(mkdir(path, 0755) == 0);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	HOLDS(fd >= 0 && fchmod(fd, mode) == 0);
	return fd;
}

static void put_secret(int folder, const char *name)
{
	autoclose int fd = openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	HOLDS(fd >= 0 && write_all(fd, SECRET, strlen(SECRET)) == 0);
}

static void make_tree(struct tree *t, struct input *in)
{
	const size_t first = input_byte(in) % CHANGES_MOST;

	strcpy(t->base, "/dev/shm/judge-fuzz-XXXXXX");
	t->before = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	HOLDS(t->before >= 0 && mkdtemp(t->base) && chdir(t->base) == 0);
	t->box = make_folder(t->base, "box", 0755);
	t->results = make_folder(t->base, "results", 0755);
	t->outside = make_folder(t->base, "outside", 0755);

	for (int i = 0; i < SECRETS; i++)
		put_secret(t->outside, secrets[i]);
	for (size_t i = 0; i < first && in->left; i++) {
		const struct change c = { input_byte(in), input_byte(in), input_byte(in), input_byte(in) };

		change_tree(t, &c);
	}
	t->changes = 0;
	t->stop = false;
}

static void read_changes(struct tree *t, struct input *in)
{
	while (in->left && t->changes < CHANGES_MOST)
		t->change[t->changes++] = (struct change){ input_byte(in), input_byte(in), input_byte(in),
							   (uint16_t)(input_byte(in) * 257) };
}

/* The result's size; a secret in it is a way out. */
static uint64_t check_result(const char *path)
{
	autoclose int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	char head[64] = "";
	struct stat st;

	HOLDS(fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1);
	HOLDS(read_full(fd, head, sizeof(head) - 1) >= 0);
	HOLDS(!strstr(head, "secret") && !strstr(head, "root:"));
	return (uint64_t)st.st_size;
}

static void check_collected(const struct request *r, const enum collected *c, uint64_t budget, bool all)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->copy_count; i++) {
		const bool there = access(r->copies[i].dest, F_OK) == 0;

		HOLDS(there == (c[i] == COLLECTED_FILE));
		HOLDS(!all || c[i] != COLLECTED_NOT);
		sum += there ? check_result(r->copies[i].dest) : 0;
	}
	HOLDS(sum <= budget);
}

static void collect(struct tree *t, struct input *in)
{
	struct request_copy copy[COPIES_MOST];
	char dest[COPIES_MOST][32];
	struct request r = { .copies = copy, .copy_count = 1 + input_byte(in) % COPIES_MOST };
	const uint64_t budget = (uint64_t)input_byte(in) * 64;
	enum collected result[COPIES_MOST] = { COLLECTED_NOT };
	struct err e = { 0 };
	pthread_t thread;
	int done;

	without_openat2 = input_byte(in) & 1;
	for (size_t i = 0; i < r.copy_count; i++) {
		snprintf(dest[i], sizeof(dest[i]), "results/%zu", i);
		copy[i] = (struct request_copy){ paths[input_byte(in) % PATHS], dest[i] };
	}
	read_changes(t, in);
	if (t->changes > 0)
		HOLDS(pthread_create(&thread, NULL, mutate, t) == 0);
	done = collect_files(&r, t->box, budget, result, &e);
	t->stop = true;
	if (t->changes > 0)
		HOLDS(pthread_join(thread, NULL) == 0);
	if (done < 0)
		dprintf(2, "%s\n", e.text);
	HOLDS(done == 0);	/* no fault of the caller's files was made */
	check_collected(&r, result, budget, done == 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static void check_outside(const struct tree *t)
{
	char text[64];
	struct stat st;

	for (int i = 0; i < SECRETS; i++) {
		HOLDS(read_text_at(t->outside, secrets[i], text, sizeof(text)) == (ssize_t)strlen(SECRET));
		HOLDS(strcmp(text, SECRET) == 0);
	}
	HOLDS(fstat(t->box, &st) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	struct tree t;
	const int before = dup(STDERR_FILENO);
	int after;

	close(before);
	make_tree(&t, &in);
	collect(&t, &in);
	check_outside(&t);
	HOLDS(fchdir(t.before) == 0);
	close_fd(&t.before);
	close_fd(&t.box);
	close_fd(&t.outside);
	close_fd(&t.results);
	HOLDS(nftw(t.base, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0);
	after = dup(STDERR_FILENO);
	close(after);
	HOLDS(before == after);
	return 0;
}
