/*
 * The meta file on disk. Runs in the judge, outside the box, with the caller's rights.
 *
 * A reader finds the old text or the new one, never half of it, and a judge that is killed leaves a file
 * that says IE. So FILE says IE before the box is made, and the end is one rename of a file that was
 * written before. That file has no name until then (O_TMPFILE), so that nothing is left of a judge that
 * is killed, and it is opened at the start, when there still are descriptors. Where a folder, a mount
 * or a file's owner do not permit a rename, FILE is written in place.
 */
#include "report/meta.h"

#include "base/fd.h"
#include "report/escape.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STREAM_WAIT_MS 10000

/* Temporary names fit where file names are shortest (143 bytes with eCryptfs), whatever FILE is called. */
#define NAME_PART 100

static char *placeholder_make(bool json)
{
	static const struct result unfinished = {
		.outcome.error.kind = ERR_INTERNAL,
		.judgement = { .verdict = VERDICT_IE, .limit = -1, .message = "the judge did not finish" },
	};

	return json ? meta_json(&unfinished) : meta_lines(&unfinished);
}

/* ---- in place */

/* Makes the open file hold `text`. An old text that is longer goes first: its tail must not be read as
   the new one's. 0, or -1 with errno. */
static int overwrite(int fd, const char *text)
{
	const size_t size = strlen(text);
	struct stat st;
	size_t done = 0;

	if (fstat(fd, &st) < 0 || (st.st_size > (off_t)size && ftruncate(fd, 0) < 0))
		return -1;
	while (done < size) {
		ssize_t n = pwrite(fd, text + done, size - done, (off_t)done);

		if (n < 0 && errno != EINTR)
			return -1;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int replace_in_place(struct meta_file *m, const char *text)
{
	struct stat st;
	int number;

	if (fstat(m->file, &st) < 0)
		return -1;
	if (st.st_nlink == 0) {
		errno = ENOENT; /* somebody removed it: writing there would tell nobody */
		return -1;
	}
	if (overwrite(m->file, text) == 0)
		return 0;
	number = errno;
	(void)overwrite(m->file, m->placeholder); /* half a report is worse than none; its room is there */
	errno = number;
	return -1;
}

/* ---- by rename */

/* Takes a descriptor for the end while there are some. Without O_TMPFILE (NFS, hostfs) a number is kept. */
static void spare_take(struct meta_file *m)
{
	m->spare = openat(m->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	m->spare_is_file = m->spare >= 0;
	if (m->spare < 0)
		m->spare = fcntl(m->folder, F_DUPFD_CLOEXEC, 3);
}

static int temp_create(const struct meta_file *m, const char *temp)
{
	return openat(m->folder, temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

/* A file to write to: the spare one, or one of that name. -1 with errno. */
static int temp_open(struct meta_file *m, const char *temp)
{
	int fd;

	if (m->spare < 0)
		spare_take(m);
	if (m->spare_is_file)
		return take_fd(&m->spare);
	close_fd(&m->spare);
	fd = temp_create(m, temp);
	if (fd >= 0 || errno != EEXIST)
		return fd;
	(void)unlinkat(m->folder, temp, 0); /* of a killed judge that had this pid */
	return temp_create(m, temp);
}

/* Gives a file without a name that name. 0, or -1 with errno. */
static int temp_link(const struct meta_file *m, int fd, const char *temp)
{
	char self[40];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	if (linkat(AT_FDCWD, self, m->folder, temp, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	if (errno != EEXIST)
		return -1;
	(void)unlinkat(m->folder, temp, 0);
	return linkat(AT_FDCWD, self, m->folder, temp, AT_SYMLINK_FOLLOW);
}

/* Fills a new file with `text` and FILE's mode, and renames it over FILE. 0, or -1 with errno; no
   temporary name is left either way. */
static int replace_by_rename(struct meta_file *m, const char *text)
{
	char temp[NAME_PART + 32];
	struct stat st;
	autoclose int fd = -1;
	bool named;

	if (fstat(m->file, &st) < 0)
		return -1;
	snprintf(temp, sizeof(temp), ".%.*s.judge-%d", NAME_PART, m->name, (int)getpid());
	fd = temp_open(m, temp);
	if (fd < 0)
		return -1;
	named = !m->spare_is_file;
	if (fchmod(fd, st.st_mode & 0777) == 0 && write_all(fd, text, strlen(text)) == 0 &&
	    (named || temp_link(m, fd, temp) == 0)) {
		named = true;
		if (renameat(m->folder, temp, m->folder, m->name) == 0) {
			close_fd(&m->file);
			m->file = take_fd(&fd);
			return 0;
		}
	}
	if (named) {
		const int number = errno;

		(void)unlinkat(m->folder, temp, 0);
		errno = number;
	}
	return -1;
}

/* What forbids the rename but may permit writing in place: a folder or a mount that cannot be written, a
   sticky folder, a file that is a mount point, no /proc, no descriptor. Never a full disk. */
static bool rename_forbidden(int number)
{
	return number == EACCES || number == EPERM || number == EROFS || number == EBUSY ||
	       number == EXDEV || number == ENOENT || number == EMFILE || number == ENFILE;
}

static int replace_file(struct meta_file *m, const char *text)
{
	if (m->way == META_RENAME) {
		if (replace_by_rename(m, text) == 0)
			return 0;
		if (!rename_forbidden(errno))
			return -1;
	}
	return replace_in_place(m, text);
}

/* ---- streams */

/* The descriptor that `path` names, or -1: /dev/stdout must not be opened again, which would begin a file
   that it is redirected to from its start. */
static int stream_number(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

	if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < 2; i++) {
		const char *number = path + strlen(folders[i]);

		if (strncmp(path, folders[i], strlen(folders[i])) == 0 && number[0] &&
		    strlen(number) < 6 && strspn(number, "0123456789") == strlen(number))
			return atoi(number);
	}
	return -1;
}

static bool stream_writable(int fd)
{
	const int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && !(flags & O_PATH) && (flags & O_ACCMODE) != O_RDONLY;
}

/* Never more at once than a pipe with any room takes without blocking, whatever mode the descriptor is
   in. 0, or -1 with errno. */
static int stream_write(int fd, const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		struct pollfd p = { .fd = fd, .events = POLLOUT };
		const int ready = poll(&p, 1, STREAM_WAIT_MS);
		ssize_t n;

		if (ready == 0)
			errno = ETIMEDOUT;
		if (ready == 0 || (ready < 0 && errno != EINTR))
			return -1;
		n = write(fd, text, left < PIPE_BUF ? left : PIPE_BUF);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -1;
		text += n > 0 ? n : 0;
		left -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int stream_open(struct meta_file *m, int number, struct err *e)
{
	if (!stream_writable(number))
		return fail_usage(e, "cannot write the meta file %s: descriptor %d is not open for writing",
				  m->path, number);
	m->file = fcntl(number, F_DUPFD_CLOEXEC, 3);
	if (m->file < 0)
		return fail(e, errno, "cannot write the meta file %s", m->path);
	m->way = META_STREAM;
	return 0;
}

/* ---- opening */

static int file_open(struct meta_file *m, struct err *e)
{
	const int flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

	/* First without O_CREAT: fs.protected_regular refuses that for files of others in /tmp. */
	m->file = open(m->path, flags);
	if (m->file < 0 && errno == ENOENT) {
		m->file = open(m->path, flags | O_CREAT, 0666);
		m->created = m->file >= 0;
	}
	if (m->file >= 0)
		return 0;
	if (errno == ENXIO)
		return fail_usage(e, "cannot write the meta file %s: a FIFO that nobody reads, or a socket",
				  m->path);
	return fail_usage(e, "cannot write the meta file %s: %s", m->path, strerror(errno));
}

static bool same_file(const struct stat *st, int dirfd, const char *name, int flags)
{
	struct stat other;

	return fstatat(dirfd, name, &other, flags) == 0 && other.st_dev == st->st_dev &&
	       other.st_ino == st->st_ino;
}

/* stdout or stderr when it is that file, else -1. */
static int stream_same(const struct stat *st)
{
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (same_file(st, fd, "", AT_EMPTY_PATH) && stream_writable(fd))
			return fd;
	return -1;
}

/* Finds the folder and the name of the open file. Where that is not to be had, or the file is another's and
   a new one would not be, it is written in place. */
static void file_place(struct meta_file *m, const struct stat *st)
{
	char self[40], path[PATH_MAX];
	ssize_t n;
	char *slash;

	m->way = META_IN_PLACE;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", m->file);
	n = readlink(self, path, sizeof(path) - 1);
	if (n <= 0 || path[0] != '/' || st->st_uid != geteuid())
		return;
	path[n] = '\0';
	slash = strrchr(path, '/');
	m->name = need_memory(strdup(slash + 1));
	slash[slash == path] = '\0';
	m->folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (m->folder < 0 || !same_file(st, m->folder, m->name, AT_SYMLINK_NOFOLLOW))
		return;
	m->way = META_RENAME;
	spare_take(m);
}

static int file_begin(struct meta_file *m, const struct stat *st, struct err *e)
{
	int r;

	file_place(m, st);
	/* A new file is empty: the shortest way to say IE is to write it there. */
	r = st->st_size == 0 ? overwrite(m->file, m->placeholder) : replace_file(m, m->placeholder);
	if (r < 0)
		return fail(e, errno, "cannot write the meta file %s", m->path);
	if (m->way == META_RENAME && m->spare < 0)
		spare_take(m);
	return 0;
}

static int open_any(struct meta_file *m, struct err *e)
{
	int number = stream_number(m->path);
	struct stat st;

	if (number >= 0)
		return stream_open(m, number, e);
	if (file_open(m, e) < 0)
		return -1;
	if (fstat(m->file, &st) < 0)
		return fail(e, errno, "cannot examine the meta file %s", m->path);
	if (S_ISBLK(st.st_mode))
		return fail_usage(e, "cannot write the meta file %s: it is a disk", m->path);
	if (!S_ISREG(st.st_mode)) {
		m->way = META_STREAM;
		return 0;
	}
	number = stream_same(&st);
	if (number < 0)
		return file_begin(m, &st, e);
	close_fd(&m->file);
	return stream_open(m, number, e);
}

int meta_open(struct meta_file *ret, const char *path, bool json, struct err *e)
{
	*ret = (struct meta_file){ .folder = -1, .file = -1, .spare = -1 };
	if (!path)
		return 0;
	ret->path = need_memory(strdup(path));
	ret->placeholder = placeholder_make(json);
	if (open_any(ret, e) == 0)
		return 0;
	if (ret->created)
		(void)unlink(ret->path); /* an empty file would say less than none */
	meta_close(ret);
	return -1;
}

int meta_replace(struct meta_file *m, const char *text, struct err *e)
{
	int r = 0;

	if (m->way == META_STREAM)
		r = stream_write(m->file, text);
	else if (m->way != META_NONE)
		r = replace_file(m, text);
	if (r < 0)
		return fail(e, errno, "cannot write the meta file %s", m->path);
	return 0;
}

void meta_close(struct meta_file *m)
{
	if (!m->path)
		return; /* none, or never opened: then the descriptors say nothing */
	close_fd(&m->spare);
	close_fd(&m->file);
	close_fd(&m->folder);
	free(m->name);
	free(m->placeholder);
	free(m->path);
	*m = (struct meta_file){ .folder = -1, .file = -1, .spare = -1 };
}
