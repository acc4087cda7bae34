/*
 * Where the streams of a box come from and go. Runs in the judge, before the clone, with the caller's
 * rights.
 *
 * The program's host uid is the caller's in a rootless box, so mode bits protect nothing of the caller's:
 * no descriptor of a file of the caller's is ever handed in. A regular file is opened inside through a
 * read-only mount of its own; all else is passed on by the judge through a pipe.
 */
#include "sandbox/plan_parts.h"

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Must: be tried with the ids of the box, which is who will open it. */
static int can_open_again(const struct plan *p, const char *path, const struct stat *want, bool *ret_same,
			  struct err *e)
{
	struct stat st;

	if (privilege_enter_box(&p->privilege, e) < 0)
		return -1;
	autoclose int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	*ret_same = fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == want->st_dev && st.st_ino == want->st_ino;
	return privilege_leave_box(&p->privilege, e);
}

/* Files without a size are the kernel's (/proc/…): they are read, not mounted. A file that was deleted, as
   the shell's here-documents are, has no path. */
static int find_mountable(struct plan *p, int fd, const struct stat *st, struct err *e)
{
	char link[64], path[PATH_MAX];
	bool same;
	ssize_t n;

	p->in.kind = STDIN_RELAY;
	if (!S_ISREG(st->st_mode) || st->st_size == 0)
		return 0;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	p->in.offset = lseek(fd, 0, SEEK_CUR);
	if (n <= 0 || path[0] != '/' || p->in.offset < 0)
		return 0;
	path[n] = 0;
	if (can_open_again(p, path, st, &same, e) < 0)
		return -1;
	if (!same)
		return 0;
	p->in.kind = STDIN_FILE;
	p->in.path = arena_strdup(&p->arena, path);
	p->in.device = st->st_dev;
	p->in.inode = st->st_ino;
	return 0;
}

static int plan_stdin(struct plan *p, struct err *e)
{
	const char *path = p->request->stdin_path;
	struct stat st;

	p->in.fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO;
	if (p->in.fd < 0)
		return fail_usage(e, "--stdin %s: %s", path, strerror(errno));
	if (fstat(p->in.fd, &st) < 0)
		return fail(e, errno, "cannot use standard input");
	if ((fcntl(p->in.fd, F_GETFL) & O_ACCMODE) == O_WRONLY)
		return fail_usage(e, "standard input is open for writing only");
	if (S_ISDIR(st.st_mode))
		return fail_usage(e, "%s: a folder cannot be the input", path ? path : "standard input");
	if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3))
		return 0;	/* STDIN_NULL */
	return find_mountable(p, p->in.fd, &st, e);
}

static int plan_sink(struct plan_sink *s, const char *option, const char *path, int own, struct err *e)
{
	*s = (struct plan_sink){ .fd = own };
	if (!path)
		return 0;
	s->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
	s->owned = true;
	if (s->fd < 0)
		return fail_usage(e, "%s %s: %s", option, path, strerror(errno));
	return 0;
}

int plan_streams(struct plan *p, struct err *e)
{
	const struct request *r = p->request;

	p->err.fd = -1;
	if (plan_stdin(p, e) < 0 || plan_sink(&p->out, "--stdout", r->stdout_path, STDOUT_FILENO, e) < 0)
		return -1;
	if (r->stderr_to_stdout)
		return 0;
	return plan_sink(&p->err, "--stderr", r->stderr_path, STDERR_FILENO, e);
}
