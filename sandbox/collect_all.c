/* Copies all of a dead box's files out: what a compile step left. Runs in the judge, with the caller's rights. The
   names are the program's: links are never followed, and nothing leaves the two folders. */
#include "sandbox/collect.h"

#include "base/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_MOST 4096
#define DEPTH_MOST 16

struct harvest {
	uint64_t budget;	/* bytes left */
	unsigned files;
	struct err *e;
};

static int copy_one(struct harvest *h, int from, int dest, const char *name, const struct stat *st)
{
	autoclose int to = openat(dest, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
				  st->st_mode & 0111 ? 0755 : 0644);
	uint64_t left = (uint64_t)st->st_size;
	ssize_t n = 1;

	if (left > h->budget || ++h->files > FILES_MOST)
		return fail(h->e, 0, "the step left more files than %d, or more bytes than the disk limit", FILES_MOST);
	h->budget -= left;
	while (to >= 0 && left && n > 0) {
		n = sendfile(to, from, NULL, left);
		left -= n > 0 ? (uint64_t)n : 0;
	}
	return to < 0 || n < 0 ? fail(h->e, errno, "cannot bring %s out of the box", name) : 0;
}

static int harvest_folder(struct harvest *h, int from, int dest, int depth);

static int harvest_one(struct harvest *h, int folder, int dest, const char *name, int depth)
{
	autoclose int from = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (from < 0 || fstat(from, &st) < 0 || st.st_nlink == 0)
		return 0;	/* a link, or unreadable by its own will */
	if (S_ISREG(st.st_mode))
		return copy_one(h, from, dest, name, &st);
	if (!S_ISDIR(st.st_mode) || depth == DEPTH_MOST)
		return 0;
	if (mkdirat(dest, name, 0755) < 0)
		return fail(h->e, errno, "cannot make the folder %s", name);
	autoclose int below = openat(dest, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return below < 0 ? fail(h->e, errno, "cannot open the folder %s", name)
			 : harvest_folder(h, from, below, depth + 1);
}

static int harvest_folder(struct harvest *h, int from, int dest, int depth)
{
	int again = fcntl(from, F_DUPFD_CLOEXEC, 3), r = 0;
	DIR *list = again < 0 ? NULL : fdopendir(again);

	if (!list) {
		close_fd(&again);
		return fail(h->e, errno, "cannot read a folder of the box");
	}
	for (struct dirent *d; !r && (d = readdir(list));)
		if (strcmp(d->d_name, ".") && strcmp(d->d_name, ".."))
			r = harvest_one(h, from, dest, d->d_name, depth);
	closedir(list);
	return r;
}

int collect_all(int box, const char *dest, uint64_t budget, struct err *e)
{
	struct harvest h = { .budget = budget, .e = e };
	autoclose int to = open(dest, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (to < 0)
		return fail(e, errno, "cannot open %s", dest);
	return harvest_folder(&h, box, to, 0);
}
