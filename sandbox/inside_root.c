/*
 * Runs inside the box, in init, before the program: builds the root of the box and leaves the host's.
 * Raw system calls on data prepared outside: no malloc, no stdio, no message text.
 */
#include "sandbox/inside_step.h"
#include "sandbox/weaken.h"

#include "base/sys.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>

/* Where the host's root hangs while the new one is built; gone before the program starts. */
#define OLD_ROOT ".host-of-the-judge"

/* The flags of a mount that a user namespace may not take off (mount_namespaces(7)) and that a remount
   therefore has to repeat: statfs(2) f_flags have other numbers than mount(2). */
static unsigned long locked_flags(const char *path)
{
	static const struct {
		long have;
		unsigned long keep;
	} rows[] = {
		{ 0x0001 /* ST_RDONLY */, MS_RDONLY }, { 0x0002 /* ST_NOSUID */, MS_NOSUID },
		{ 0x0004 /* ST_NODEV */, MS_NODEV },   { 0x0008 /* ST_NOEXEC */, MS_NOEXEC },
		{ 0x0400 /* ST_NOATIME */, MS_NOATIME }, { 0x0800 /* ST_NODIRATIME */, MS_NODIRATIME },
		{ 0x1000 /* ST_RELATIME */, MS_RELATIME },
	};
	struct statfs fs;
	unsigned long flags = 0;

	if (statfs(path, &fs) < 0)
		return 0;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if ((long)fs.f_flags & rows[i].have)
			flags |= rows[i].keep;
	return flags;
}

static int remount_top(const char *path, uint64_t attr)
{
	unsigned long flags = MS_REMOUNT | MS_BIND | locked_flags(path);

	flags |= attr & MOUNT_ATTR_RDONLY ? MS_RDONLY : 0;
	flags |= attr & MOUNT_ATTR_NOSUID ? MS_NOSUID : 0;
	flags |= attr & MOUNT_ATTR_NODEV ? MS_NODEV : 0;
	flags |= attr & MOUNT_ATTR_NOEXEC ? MS_NOEXEC : 0;
	return mount(NULL, path, NULL, flags, NULL);
}

/* Must: reach every mount below `path`. Where mount_setattr is missing the plan has a ROOT_REMOUNT for
   each instead, and this does nothing. */
static int set_attributes(const struct inside *x, const char *path, uint64_t attr)
{
	struct sys_mount_attr a = { .attr_set = attr };

	if (!x->plan->host.mount_setattr)
		return 0;
	return (int)sys_mount_setattr(AT_FDCWD, path, AT_RECURSIVE, &a, sizeof(a));
}

static int old_path(char *ret_path, size_t size, const char *source)
{
	size_t length = strlen(source);

	if (sizeof(OLD_ROOT) + length > size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(ret_path, OLD_ROOT, sizeof(OLD_ROOT) - 1);
	memcpy(ret_path + sizeof(OLD_ROOT) - 1, source, length + 1);
	return 0;
}

static int bind_host(const struct inside *x, const struct root_op *op)
{
	char source[PATH_MAX + sizeof(OLD_ROOT)];

	if (old_path(source, sizeof(source), op->source) < 0 ||
	    mount(source, op->path, NULL, MS_BIND | MS_REC, NULL) < 0)
		return -1;
	return set_attributes(x, op->path, op->attr);
}

static int make_file(const struct root_op *op)
{
	return open(op->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, op->mode);
}

static int write_text(const struct root_op *op)
{
	int fd = make_file(op);
	size_t length = strlen(op->source);

	if (fd < 0)
		return -1;
	ssize_t n = write(fd, op->source, length);

	close(fd);
	if (n >= 0 && (size_t)n < length)
		errno = ENOSPC;
	return n == (ssize_t)length ? 0 : -1;
}

/* Through the file's own offset 0, whatever the descriptor's: several boxes may share it. */
static int copy_file(const struct root_op *op)
{
	int fd = make_file(op);
	off_t offset = 0;
	ssize_t n = 0;

	if (fd < 0)
		return -1;
	while ((uint64_t)offset < op->size) {
		n = sendfile(fd, op->fd, &offset, op->size - (uint64_t)offset);
		if (n == 0 || (n < 0 && errno != EINTR))
			break;
	}
	close(fd);
	if (n == 0 && (uint64_t)offset < op->size)
		errno = ESTALE;	/* it became shorter meanwhile */
	return (uint64_t)offset < op->size ? -1 : 0;
}

static int make_node(const struct root_op *op)
{
	int fd = make_file(op);

	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

/* Only processes: no /proc/sys, no /proc/kcore, nothing of the machine (proc(5), subset=pid, Linux 5.8).
   Older kernels do not know the option and get a full proc, read-only in its dangerous parts by ownership. */
static int mount_proc(const struct root_op *op)
{
	unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
	int r = mount("proc", op->path, "proc", flags, "subset=pid");

	if (WEAK("pidns"))	/* the host's numbers; a new mount of them is refused */
		return mount(OLD_ROOT "/proc", op->path, NULL, MS_BIND | MS_REC, NULL);
	return r < 0 && errno == EINVAL ? mount("proc", op->path, "proc", flags, NULL) : r;
}

static int execute(const struct inside *x, const struct root_op *op)
{
	switch (op->kind) {
	case ROOT_DIR:
		return mkdir(op->path, op->mode);
	case ROOT_TEXT:
		return write_text(op);
	case ROOT_LINK:
		return symlink(op->source, op->path);
	case ROOT_COPY:
		return copy_file(op);
	case ROOT_NODE:
		return make_node(op);
	case ROOT_BIND:
		return bind_host(x, op);
	case ROOT_REMOUNT:
		return remount_top(op->path, op->attr);
	case ROOT_WRITABLE:
		return mount(op->path, op->path, NULL, MS_BIND, NULL);
	case ROOT_PROC:
		return mount_proc(op);
	}
	errno = EINVAL;
	return -1;
}

/*
 * The caller's file as stdin. In a rootless box the program's host uid is the caller's, so through
 * /proc/self/fd/0 it could open the file again for writing: the mount it comes from is read-only.
 * The mount is put on the file itself and goes with the host's root.
 * Must not: open anything but the file the plan saw.
 */
static void open_stdin(struct inside *x)
{
	const struct plan_stdin *in = &x->plan->in;
	uint64_t attr = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
	struct stat st;

	must(x, STEP_STDIN_MOUNT, 0, mount(in->path, in->path, NULL, MS_BIND, NULL));
	must(x, STEP_STDIN_MOUNT, 0, remount_top(in->path, attr));
	x->in = open(in->path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	must(x, STEP_STDIN_OPEN, 0, x->in);
	must(x, STEP_STDIN_OPEN, 0, fstat(x->in, &st));
	if (st.st_dev != in->device || st.st_ino != in->inode || !S_ISREG(st.st_mode)) {
		errno = ESTALE;
		inside_fail(x, STEP_STDIN_CHANGED, 0);
	}
	must(x, STEP_STDIN_OPEN, 0, fcntl(x->in, F_SETFL, 0));
	must(x, STEP_STDIN_OPEN, 0, lseek(x->in, in->offset, SEEK_SET) < 0 ? -1 : 0);
}

static void enter_empty_root(const struct inside *x)
{
	const struct plan *p = x->plan;

	must(x, STEP_ROOT_TMPFS, 0,
	     mount("box", p->root_base, "tmpfs", MS_NOSUID | MS_NODEV, p->root_options));
	must(x, STEP_ROOT_TMPFS, 0, chdir(p->root_base));
	must(x, STEP_PIVOT, 0, mkdir(OLD_ROOT, 0700));
	must(x, STEP_PIVOT, 0, (int)sys_pivot_root(".", OLD_ROOT));
	must(x, STEP_PIVOT, 0, chdir("/"));
}

/* Must: be the last that needs the host's tree. Must not: leave a mount of it in the namespace. */
static void leave_host(const struct inside *x)
{
	must(x, STEP_DETACH, 0, umount2(OLD_ROOT, MNT_DETACH));
	must(x, STEP_DETACH, 0, rmdir(OLD_ROOT));
	must(x, STEP_SEAL, 0, WEAK("ro-root") ? 0 :
	     mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL));
}

void inside_build_root(struct inside *x)
{
	const struct plan *p = x->plan;
	mode_t mask = umask(0);

	/* Must: be before any mount, or the host would see them. */
	must(x, STEP_PRIVATE_MOUNTS, 0, mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	if (p->in.kind == STDIN_FILE)
		open_stdin(x);
	enter_empty_root(x);
	for (unsigned i = 0; i < p->root.count; i++)
		must(x, STEP_ROOT_OP, i, execute(x, &p->root.ops[i]));
	leave_host(x);
	umask(mask);
}
