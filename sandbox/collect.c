/* Copies files out of a dead box. Runs in the judge, with the caller's rights, when nothing can change the
   tree any more; what it holds is still hostile: links, FIFOs, devices, sparse giants. */
#include "sandbox/collect.h"

#include "base/fd.h"
#include "base/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_FLAGS (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

const char *const collected_words[] = {
	[COLLECTED_NOT] = "the program did not run",
	[COLLECTED_FILE] = "copied",
	[COLLECTED_ABSENT] = "no such file in the box",
	[COLLECTED_REFUSED] = "not a regular file, or reached through a link: refused",
	[COLLECTED_UNREADABLE] = "the program left it unreadable",
	[COLLECTED_TOO_BIG] = "more than is left of the box's disk limit: refused",
};

/* Before Linux 5.6: part by part, each a folder and no link. ".." was refused when the name was read. */
static int open_by_parts(int box, const char *name)
{
	autoclose int at = fcntl(box, F_DUPFD_CLOEXEC, 3);

	while (at >= 0) {
		char part[256];
		size_t length = strcspn(name, "/");

		if (length >= sizeof(part)) {
			errno = ENAMETOOLONG;
			return -1;
		}
		memcpy(part, name, length);
		part[length] = 0;
		name += length + strspn(name + length, "/");
		if (!*name)
			return openat(at, part, OPEN_FLAGS);

		int next = openat(at, part, OPEN_FLAGS | O_DIRECTORY);

		close_fd(&at);
		at = next;
	}
	return -1;
}

/* Never out of the folder, through no link of any kind (openat2(2)). */
static int open_in_box(int box, const char *name)
{
	struct open_how how = { .flags = OPEN_FLAGS,
				.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS };
	int fd = (int)sys_openat2(box, name, &how, sizeof(how));

	return fd < 0 && errno == ENOSYS ? open_by_parts(box, name) : fd;
}

static ssize_t copy_bytes(int from, int to, uint64_t size)
{
	while (size) {
		ssize_t n = sendfile(to, from, NULL, size < (1 << 30) ? (size_t)size : 1 << 30);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n;
		size -= (uint64_t)n;
	}
	return 0;
}

/* The judge's own descriptors by the names the system gives them: written to, never replaced. */
static bool is_own_stream(const char *path)
{
	return !strcmp(path, "/dev/stdout") || !strcmp(path, "/dev/stderr") || !strncmp(path, "/dev/fd/", 8) ||
	       !strncmp(path, "/proc/self/fd/", 14);
}

/* A file that stands there is replaced and not written into: it may be a link, or have another name. What is
   no file, a FIFO or device or /dev/stdout, is what the caller wants to write to; one that nobody reads is an
   error, not a wait. */
static int open_dest(const char *path, mode_t mode)
{
	const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	struct stat st;

	if (is_own_stream(path))
		return open(path, flags);
	if (lstat(path, &st) == 0) {
		if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
			return open(path, flags | O_NOFOLLOW);
		if (unlink(path) < 0)
			return -1;
	}
	return open(path, flags | O_CREAT | O_EXCL, mode);
}

static int write_dest(int to, int from, uint64_t size)
{
	int flags = fcntl(to, F_GETFL);

	if (flags < 0 || fcntl(to, F_SETFL, flags & ~O_NONBLOCK) < 0 || copy_bytes(from, to, size) < 0) {
		close_fd(&to);
		return -1;
	}
	return close(to); /* some file systems tell of a full disk only here */
}

/* What is not whole is not left in the place of the caller's file. */
static int copy_to(const char *path, mode_t mode, int from, uint64_t size)
{
	int to = open_dest(path, mode), number;
	struct stat st;

	if (to < 0)
		return -1;
	bool is_file = fstat(to, &st) == 0 && S_ISREG(st.st_mode);

	if (write_dest(to, from, size) == 0)
		return 0;
	number = errno;
	if (is_file && !is_own_stream(path))
		(void)unlink(path); /* the error that counts is told */
	errno = number;
	return -1;
}

static int collect_one(const struct request_copy *c, int box, uint64_t *budget, enum collected *ret,
		       struct err *e)
{
	struct stat st;
	autoclose int from = open_in_box(box, c->name);

	*ret = from < 0 && errno == ENOENT ? COLLECTED_ABSENT : COLLECTED_REFUSED;
	if (from < 0 && errno == EACCES)
		*ret = COLLECTED_UNREADABLE;
	if (from < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EIO))
		return fail(e, errno, "--copy-out %s: cannot open it", c->name);
	if (from < 0 || fstat(from, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	*ret = COLLECTED_TOO_BIG;
	if ((uint64_t)st.st_size > *budget)
		return 0;
	if (copy_to(c->dest, st.st_mode & 0111 ? 0755 : 0644, from, (uint64_t)st.st_size) < 0)
		return fail(e, errno, "--copy-out %s: cannot write %s", c->name, c->dest);
	*budget -= (uint64_t)st.st_size;
	*ret = COLLECTED_FILE;
	return 0;
}

int collect_files(const struct request *r, int box, uint64_t budget, enum collected *ret, struct err *e)
{
	for (size_t i = 0; i < r->copy_count; i++)
		if (collect_one(&r->copies[i], box, &budget, &ret[i], e) < 0)
			return -1;
	return 0;
}
