/* What stands in the box: layout, given files, bound folders. Runs in the judge, before the clone. */
#include "sandbox/plan_parts.h"

#include "base/array.h"
#include "base/fd.h"
#include "base/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define READ_ONLY (MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)
#define WRITABLE (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)

/* A path in the box without its leading slash, "." parts and doubled slashes; ".." is refused. */
static const char *clean_path(struct plan *p, const char *option, const char *path, struct err *e)
{
	const char *whole = path;
	char *clean = arena_alloc(&p->arena, strlen(path) + 1), *to = clean;

	while (*path) {
		size_t length = strcspn(path, "/");

		if (length == 2 && !strncmp(path, "..", 2)) {
			fail_usage(e, "%s '%s': no \"..\" in a path of the box", option, whole);
			return NULL;
		}
		if (length && !(length == 1 && *path == '.')) {
			if (to > clean)
				*to++ = '/';
			memcpy(to, path, length);
			to += length;
		}
		path += length;
		path += *path == '/';
	}
	return clean;
}

static bool is_in_file(const struct root_list *l, const char *path)
{
	for (size_t i = 0; i < l->count; i++) {
		size_t length = strlen(l->ops[i].path);

		if (l->ops[i].kind == ROOT_COPY && !strncmp(l->ops[i].path, path, length) &&
		    path[length] == '/')
			return true;
	}
	return false;
}

static int add_file(struct plan *p, const char *source, const char *name, struct err *e)
{
	const char *path = clean_path(p, "--file", name, e);
	struct stat st;

	if (!path)
		return -1;
	if (!*path || name[strlen(name) - 1] == '/')
		return fail_usage(e, "--file %s: '%s' is no file name", source, name);
	autoclose int fd = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 || fstat(fd, &st) < 0)
		return fail_usage(e, "cannot read %s: %s", source, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fail_usage(e, "%s: only regular files can be put into the box", source);
	if ((uint64_t)st.st_size > p->request->site->most[LIMIT_DISK]) {
		char size[32], most[32];

		return fail_usage(e, "%s: %s are more than a box's disk may have on this installation (%s)", source,
				  unit_format(UNIT_BYTES, (uint64_t)st.st_size, size, sizeof(size)),
				  limit_format(LIMIT_DISK, p->request->site->most[LIMIT_DISK], most, sizeof(most)));
	}
	path = arena_printf(&p->arena, "box/%s", path);
	if (root_has(&p->root, path))
		return fail_usage(e, "--file: two files for /%s", path);
	if (is_in_file(&p->root, path))
		return fail_usage(e, "--file %s: another --file is a file where /%s needs a folder", source, path);
	root_add_parents(&p->root, path);

	struct root_op *op = root_add(&p->root, ROOT_COPY, (st.st_mode & 0777) | 0400, path, NULL);

	op->size = (uint64_t)st.st_size;
	op->fd = take_fd(&fd);
	return 0;
}

static void add_texts(struct plan *p)
{
	const struct request *r = p->request;

	for (size_t i = 0; i < r->text_count; i++) {
		const char *path = arena_strdup(&p->arena, r->texts[i].path + 1);

		root_add_parents(&p->root, path);
		root_add(&p->root, ROOT_TEXT, 0444, path, r->texts[i].text);
	}
}

static bool is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

/* A mount point inside a bound folder cannot be made there, and need not be. */
static bool is_covered(const struct root_list *l, const char *path)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->ops[i].kind == ROOT_BIND && is_below(path, l->ops[i].path) &&
		    strcmp(path, l->ops[i].path))
			return true;
	return false;
}

static int hides_given_file(const struct root_list *l, const char *path, struct err *e)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->ops[i].kind == ROOT_COPY && is_below(l->ops[i].path, path))
			return fail_usage(e, "--dir /%s would hide /%s, which --file or PROGRAM puts there",
					  path, l->ops[i].path);
	return 0;
}

static int add_dir(struct plan *p, const struct request_dir *d, struct err *e)
{
	uint64_t attr = (d->writable ? WRITABLE : READ_ONLY) | (d->noexec ? MOUNT_ATTR_NOEXEC : 0);
	const char *path = clean_path(p, "--dir", d->inside, e);
	struct stat st;

	if (!path)
		return -1;
	if (*d->inside != '/' || !*path || is_below(path, "proc") || !strcmp(path, "dev"))
		return fail_usage(e, "--dir %s: the folder in the box must be absolute, and not /, /dev or /proc",
				  d->inside);
	if (stat(d->outside, &st) < 0) {
		if (d->maybe && errno == ENOENT)
			return 0;
		return fail_usage(e, "--dir %s=%s: %s", d->inside, d->outside, strerror(errno));
	}
	if (hides_given_file(&p->root, path, e) < 0)
		return -1;
	if (is_covered(&p->root, path)) {
		char real[PATH_MAX];

		if (!realpath(d->outside, real))
			return fail(e, errno, "--dir %s=%s", d->inside, d->outside);
		root_add(&p->root, ROOT_BIND, 0, path, arena_strdup(&p->arena, real))->attr = attr;
		return 0;
	}
	return root_bind(&p->root, path, d->outside, attr, e);
}

/* The mounts' share of the rule: nothing that the box can write can be executed; the program, where it lies in
   /box, has a read-only mount of its own. */
static void forbid_executing(struct plan *p)
{
	struct root_list *l = &p->root;
	const char *program = *p->program == '/' ? p->program + 1 : p->program;
	size_t count = l->count;

	for (size_t i = 0; i < count; i++) {
		const struct root_op *op = &l->ops[i];

		if (op->kind == ROOT_COPY && !strcmp(op->path, program)) {
			root_add(l, ROOT_WRITABLE, 0, program, NULL);
			root_add(l, ROOT_REMOUNT, 0, program, NULL)->attr = READ_ONLY;
		}
	}
	for (size_t i = 0; i < count; i++) {
		const char *path = l->ops[i].path;

		if (l->ops[i].kind == ROOT_WRITABLE)
			root_add(l, ROOT_REMOUNT, 0, path, NULL)->attr = WRITABLE | MOUNT_ATTR_NOEXEC;
		else if (l->ops[i].kind == ROOT_BIND && !(l->ops[i].attr & MOUNT_ATTR_RDONLY))
			l->ops[i].attr |= MOUNT_ATTR_NOEXEC;
	}
}

/* What the judge writes after the run, by a path that the program could have bent meanwhile. */
static int check_outputs(const struct request *r, const char *writable, struct err *e)
{
	for (size_t i = 0; i < r->output_count; i++) {
		char folder[PATH_MAX], real[PATH_MAX];
		const char *path = r->outputs[i].path, *slash = strrchr(path, '/');

		snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
		if (realpath(folder, real) && is_below(real, writable))
			return fail_usage(e, "%s %s: lies in %s, where the program may write (--dir): it could put "
					  "a link there", r->outputs[i].option, path, writable);
	}
	return 0;
}

static int check_writable(const struct plan *p, struct err *e)
{
	const struct root_list *l = &p->root;

	for (size_t i = 0; i < l->count; i++)
		if (l->ops[i].kind == ROOT_BIND && !(l->ops[i].attr & MOUNT_ATTR_RDONLY) &&
		    check_outputs(p->request, l->ops[i].source, e) < 0)
			return -1;
	return 0;
}

/* Any folder will do: the new root is mounted on it and moved away at once. */
static int find_base(struct plan *p, struct err *e)
{
	static const char *const folders[] = { "/tmp", "/run", "/var/tmp", "/mnt", "/usr", "/dev" };
	struct stat st;

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (stat(folders[i], &st) == 0 && S_ISDIR(st.st_mode)) {
			p->root_base = folders[i];
			return 0;
		}
	return fail(e, ENOENT, "cannot find a folder to mount the box's root on (/tmp, /run, /usr)");
}

/* The limits are the program's: what the layout and the given files take comes on top, and the root itself
   and the mount point of the host's tree are inodes too. */
static void size_tmpfs(struct plan *p)
{
	uint64_t inodes, size;

	root_cost(&p->root, &p->tmpfs_own_bytes, &inodes);
	size = p->limits.value[LIMIT_DISK] + p->tmpfs_own_bytes;
	p->root_options = arena_printf(&p->arena, "mode=0755,size=%llu,nr_inodes=%llu",
				       (unsigned long long)(size ? size : 1),
				       (unsigned long long)(p->limits.value[LIMIT_INODES] + inodes + 1));
}

static int add_remounts(struct plan *p, struct err *e)
{
	autofree char *mounts = NULL;
	size_t size;

	if (p->host.mount_setattr)
		return 0;
	if (read_file_at(AT_FDCWD, "/proc/self/mountinfo", 16 * MIB, &mounts, &size) < 0)
		return fail(e, errno, "cannot read /proc/self/mountinfo");
	root_add_remounts(&p->root, mounts);
	return 0;
}

int plan_root(struct plan *p, struct err *e)
{
	const struct request *r = p->request;
	const char *copy, *name;

	p->root.arena = &p->arena;
	if (plan_program(p, &copy, &name, e) < 0 || root_layout_host(&p->root, r->phase != PHASE_COMPILE, e) < 0)
		return -1;
	for (size_t i = 0; i < r->file_count; i++)
		if (add_file(p, r->files[i].source, r->files[i].name, e) < 0)
			return -1;
	if (copy && add_file(p, copy, name, e) < 0)
		return -1;
	add_texts(p);
	for (size_t i = 0; i < r->dir_count; i++)
		if (add_dir(p, &r->dirs[i], e) < 0)
			return -1;
	if (p->exec_program)
		forbid_executing(p);
	if (check_writable(p, e) < 0 || add_remounts(p, e) < 0 || find_base(p, e) < 0)
		return -1;
	size_tmpfs(p);
	return 0;
}
