/* Effective ids of the judge. Runs in the judge, before and after the box. */
#include "sandbox/privilege.h"

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_FOLDER "/run/judge"
#define LOCK_FILE LOCK_FOLDER "/uids"

/* In a user namespace uid 0 is somebody else outside: a range of ids is not mapped there, and being that
   somebody is what an ordinary user has too. */
static bool is_root_outside(void)
{
	char map[256] = "";
	unsigned inside, outside;

	if (read_text_at(AT_FDCWD, "/proc/self/uid_map", map, sizeof(map)) < 0)
		return true;	/* nobody denies it */
	return sscanf(map, "%u %u", &inside, &outside) != 2 || (inside == 0 && outside == 0);
}

static int root_can_become(uid_t uid, bool *ret_can, struct err *e)
{
	*ret_can = seteuid(uid) == 0;
	if (*ret_can)
		return seteuid(0) < 0 ? fail(e, errno, "cannot become root again") : 0;
	if ((errno == EINVAL || errno == EPERM) && !is_root_outside())
		return 0;
	fail(e, errno, "root cannot become uid %u, and judge never runs a program as root", uid);
	return fail_cure(e, "give it CAP_SETUID and CAP_SETGID, or run judge as an ordinary user");
}

static bool is_roots_alone(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_uid == 0 && !(st.st_mode & 022);
}

/* A folder or file that somebody else could hold locks in, or put another in the place of, is not used. */
static int open_lock(struct err *e)
{
	if (mkdir(LOCK_FOLDER, 0755) < 0 && errno != EEXIST)
		return fail(e, errno, "cannot make %s", LOCK_FOLDER);
	autoclose int folder = open(LOCK_FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	autoclose int fd = folder < 0 ? -1 : openat(folder, "uids", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
						    0600);

	if (fd < 0) {
		fail(e, errno, "cannot open %s, which keeps the uids of boxes apart", LOCK_FILE);
		return fail_cure(e, "run judge as an ordinary user, or make /run writable for root");
	}
	if (!is_roots_alone(folder) || !is_roots_alone(fd)) {
		fail(e, EPERM, "%s is not root's alone", LOCK_FILE);
		return fail_cure(e, "find out who made it, then: rm -r %s", LOCK_FOLDER);
	}
	return take_fd(&fd);
}

/* One byte of the file per uid: open file description locks (fcntl(2), F_OFD_SETLK) go with this process,
   however it ends. The file is root's, so nobody else can hold one. */
static int take_uid(const struct limits_site *site, struct privilege *p, struct err *e)
{
	autoclose int fd = open_lock(e);

	if (fd < 0)
		return -1;
	for (uid_t uid = site->first_uid; uid <= site->last_uid; uid++) {
		struct flock byte = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1,
				      .l_start = uid - site->first_uid };

		if (!fcntl(fd, F_OFD_SETLK, &byte)) {
			p->uid = uid;
			p->gid = uid;
			p->lock = take_fd(&fd);
			return 0;
		}
		if (errno != EAGAIN && errno != EACCES)
			return fail(e, errno, "cannot lock %s", LOCK_FILE);
	}
	fail(e, 0, "all uids from %u to %u are in use by other boxes", site->first_uid, site->last_uid);
	return fail_cure(e, "run fewer judges at once, or widen `uids` in the limits file");
}

int privilege_find(const struct limits_site *site, struct privilege *ret, struct err *e)
{
	*ret = (struct privilege){ .uid = geteuid(), .gid = getegid(), .lock = -1 };
	if (ret->uid != 0)
		return 0;
	if (root_can_become(site->first_uid, &ret->by_root, e) < 0)
		return -1;
	if (!ret->by_root)
		return 0;
	if (take_uid(site, ret, e) < 0)
		return -1;
	if (setgroups(0, NULL) < 0)
		return fail(e, errno, "cannot give up root's supplementary groups");
	return 0;
}

void privilege_release(struct privilege *p)
{
	close_fd(&p->lock);
}

/* A change of the effective uid makes /proc/self root's, and init has to write its maps there. */
static int change(uid_t uid, gid_t gid, struct err *e)
{
	if (seteuid(0) == 0 && setegid(gid) == 0 && seteuid(uid) == 0 &&
	    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0)
		return 0;
	fail(e, errno, "cannot become uid %u", uid);
	if (seteuid(0) < 0 || setegid(0) < 0)	/* to end as the caller, who the meta file belongs to */
		_exit(3);
	return -1;
}

int privilege_enter_box(const struct privilege *p, struct err *e)
{
	return p->by_root ? change(p->uid, p->gid, e) : 0;
}

int privilege_leave_box(const struct privilege *p, struct err *e)
{
	return p->by_root ? change(0, 0, e) : 0;
}
