/*
 * Makes a place for boxes of a folder that was found, or says what stands in the way and how to cure
 * it. Runs in the judge, outside; by root's judge with euid 0.
 *
 * Nothing is tried out by making and removing: faccessat(AT_EACCESS) asks the same questions of the
 * kernel, read-only mounts included.
 */
#include "sandbox/cgroup_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd.h"

#define CURE_SCOPE "systemd-run --user --scope -p Delegate=yes judge ..."
#define CURE_SCOPE_ROOT "systemd-run --scope -p Delegate=yes judge ..."
#define CURE_CONTROLLER "as root: mkdir -p /etc/systemd/system/user@.service.d && printf " \
	"'[Service]\\nDelegate=cpu memory pids\\n' " \
	"> /etc/systemd/system/user@.service.d/judge.conf && systemctl daemon-reload"

int cgroup_open_below(const struct cgroup_search *s, const struct cgroup_mount *m, const char *below,
		      char ret_path[PATH_MAX])
{
	int length = snprintf(ret_path, PATH_MAX, "%s%s%s%s", s->prefix, m->point, *below ? "/" : "", below);
	int folder;

	if (length >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	folder = open(ret_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0 && faccessat(folder, "cgroup.procs", F_OK, AT_EACCESS) < 0)
		close_fd(&folder);
	return folder;
}

/* A judge that was moved into the leaf by another one, or started there, uses the leaf's parent. */
static int leave_leaf(int *folder, char path[PATH_MAX])
{
	char *name = strrchr(path, '/');
	int parent;

	if (!name || strcmp(name + 1, CGROUP_LEAF) != 0)
		return 0;
	parent = openat(*folder, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (parent < 0)
		return -1;
	close_fd(folder);
	*folder = parent;
	*name = '\0';
	return 0;
}

/* What to do where a v2 folder is not ours: a scope where a user manager answers, else root's help. */
static int cure_delegation(const struct cgroup_mount *m, struct err *e)
{
	if (cgroup_scope_possible())
		return fail_cure(e, CURE_SCOPE);
	return fail_cure(e, "as root: cd %.100s && echo +memory +pids +cpu > cgroup.subtree_control; mkdir -p "
			    "judge && chown %d judge judge/cgroup.procs judge/cgroup.subtree_control && "
			    "echo %d > judge/cgroup.procs; or, with a user manager: " CURE_SCOPE,
			 m->point, (int)geteuid(), (int)getppid());
}

/* mkdir, a child's join (checked against cgroup.procs of the common ancestor), controllers. */
static int check_writable(const struct cgroup_mount *m, int folder, const char *path, struct err *e)
{
	static const char *const needed[] = { ".", "cgroup.procs", "cgroup.subtree_control" };

	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		if (faccessat(folder, needed[i], W_OK, AT_EACCESS) == 0)
			continue;
		if (errno == EROFS) {
			fail(e, errno, "the cgroup %s cannot be written", path);
			return fail_cure(e, "as root: mount -o remount,rw %s; or start the container with a "
					    "writable /sys/fs/cgroup", m->point);
		}
		fail(e, errno, "the cgroup %s is not delegated to uid %d", path, (int)geteuid());
		return cure_delegation(m, e);
	}
	return 0;
}

static bool is_marked(int folder, const char *name)
{
	char value[8];

	return fgetxattr(folder, name, value, sizeof(value)) == 1 && value[0] == '1';
}

/* Whether nobody but this process is in it. */
static bool is_alone(int folder)
{
	char text[64], own[32];

	if (read_text_at(folder, "cgroup.procs", text, sizeof(text)) < 0)
		return false;	/* larger: many */
	snprintf(own, sizeof(own), "%d\n", (int)getpid());
	return text[0] == '\0' || strcmp(text, own) == 0;
}

/* An ordinary user's writable cgroup is his own. Root can write to any: only the root of the
   hierarchy or of a container's cgroup namespace, one that systemd marked as delegated, or one with
   no other process in it may be rearranged. */
static bool may_rearrange(int folder, const char *below)
{
	return geteuid() != 0 || *below == '\0' || is_marked(folder, "trusted.delegate") ||
	       is_marked(folder, "user.delegate") || is_alone(folder);
}

static void say_missing_v2(struct cgroup_place *p)
{
	if (!p->has[CONTROLLER_MEMORY] && !p->has[CONTROLLER_PIDS])
		snprintf(p->why, sizeof(p->why), "the cgroup %.200s offers no memory and no pids controller "
			 "(a host with v1 controllers): boot with systemd.unified_cgroup_hierarchy=1", p->path);
	else if (!p->has[CONTROLLER_MEMORY] || !p->has[CONTROLLER_PIDS] || !p->has[CONTROLLER_CPU])
		snprintf(p->why, sizeof(p->why), "the %s controller is not delegated to %.160s: " CURE_CONTROLLER,
			 !p->has[CONTROLLER_MEMORY] ? "memory" :
			 !p->has[CONTROLLER_PIDS] ? "pids" : "cpu", p->path);
}

/* Makes a place of an open v2 folder, which is handed over. */
static int place_v2(const struct cgroup_mount *m, int *folder, const char *path, bool may_move,
		    struct cgroup_place *p, struct err *e)
{
	if (check_writable(m, *folder, path, e) < 0 ||
	    cgroup_delegate(*folder, path, may_move, p->has, e) < 0)
		return -1;
	p->version = 2;
	p->folder[0] = take_fd(folder);
	p->nsdelegate = m->nsdelegate;
	snprintf(p->path, sizeof(p->path), "%s", path);
	say_missing_v2(p);
	return 0;
}

static int no_own_v2(const struct cgroup_search *s, struct err *e)
{
	for (size_t i = 0; i < s->mounts; i++)
		if (s->mount[i].version == 2) {
			fail(e, 0, "the own cgroup %s cannot be found below the cgroup2 mount %s",
			     s->own.v2 ? s->own.v2 : "(none)", s->mount[i].point);
			return fail_cure(e, "mount it anew in this cgroup namespace: "
					    "mount -t cgroup2 cgroup2 %s", s->mount[i].point);
		}
	fail(e, 0, "no cgroup v2 is mounted");
	return fail_cure(e, "as root: mount -t cgroup2 -o nsdelegate cgroup2 /sys/fs/cgroup");
}

/* The last mount is on top of others, so it goes first. */
int cgroup_place_own_v2(const struct cgroup_search *s, struct cgroup_place *p, struct err *e)
{
	for (size_t i = s->mounts; i-- > 0 && s->own.v2; ) {
		char path[PATH_MAX];
		const struct cgroup_mount *m = &s->mount[i];
		const char *below = m->version == 2 ? cgroup_below(m->root, s->own.v2) : NULL;
		autoclose int folder = below ? cgroup_open_below(s, m, below, path) : -1;

		if (folder < 0 || leave_leaf(&folder, path) < 0)
			continue;
		if (!may_rearrange(folder, strcmp(below, CGROUP_LEAF) == 0 ? "" : below)) {
			fail(e, 0, "the cgroup %s holds other processes and is not delegated", path);
			return fail_cure(e, CURE_SCOPE_ROOT);
		}
		return place_v2(m, &folder, path, true, p, e);
	}
	return no_own_v2(s, e);
}

/* How many bytes of two paths are the same whole components. */
static size_t common_length(const char *a, const char *b)
{
	size_t common = 0;

	for (size_t i = 0;; i++) {
		bool end_a = a[i] == '/' || a[i] == '\0', end_b = b[i] == '/' || b[i] == '\0';

		if (end_a && end_b)
			common = i;
		if (a[i] != b[i] || a[i] == '\0')
			return common;
	}
}

/* A judge outside the folder needs write permission where the two ways meet (cgroup-v2.rst, "Delegation
   Containment"); inside it, check_writable has asked already. */
static int check_join(const struct cgroup_search *s, const struct cgroup_mount *m, const char *below,
		      const char *path, struct err *e)
{
	char common[PATH_MAX], common_path[PATH_MAX];
	const char *own = s->own.v2 ? cgroup_below(m->root, s->own.v2) : NULL;
	autoclose int folder = -1;

	if (!own || geteuid() == 0)
		return 0;
	snprintf(common, sizeof(common), "%.*s", (int)common_length(own, below), below);
	folder = cgroup_open_below(s, m, common, common_path);
	if (folder >= 0 && faccessat(folder, "cgroup.procs", W_OK, AT_EACCESS) == 0)
		return 0;
	fail(e, errno, "the judge is outside the cgroup %s and cannot put a process into it", path);
	return fail_cure(e, "as root: echo %d > %s/cgroup.procs", (int)getppid(), path);
}

int cgroup_place_v2_at(const struct cgroup_search *s, const struct cgroup_mount *m, const char *below,
		       struct cgroup_place *p, struct err *e)
{
	char path[PATH_MAX];
	autoclose int folder = cgroup_open_below(s, m, below, path);

	if (folder < 0) {
		fail(e, errno, "cannot open the cgroup %s", path);
		return fail_cure(e, "as root: mkdir %s && chown %d %s %s/cgroup.procs %s/cgroup.subtree_control",
				 path, (int)geteuid(), path, path, path);
	}
	if (check_join(s, m, below, path, e) < 0)
		return -1;
	return place_v2(m, &folder, path, may_rearrange(folder, below), p, e);
}

/* The lines by which root gives a user folders of his own, in the mounts that are there. */
static int cure_v1(const struct cgroup_search *s, const char *below, struct err *e)
{
	const char *name = below && *below ? below : "judge";
	char folders[500] = "";
	size_t length = 0;

	for (size_t i = 0; i < s->mounts; i++)
		if (s->mount[i].controllers && !s->mount[i].cpuset && length < sizeof(folders))
			length += (size_t)snprintf(folders + length, sizeof(folders) - length, " %.60s/%.60s",
						   s->mount[i].point, name);
	return fail_cure(e, "as root: for d in%s; do mkdir -p $d && chown %d $d; done; then judge "
			    "run --cgroup /%.60s ...", folders, (int)geteuid(), name);
}

/* The folder for one controller. */
static int open_v1(const struct cgroup_search *s, enum controller c, const char *below,
		   char path[PATH_MAX], struct err *e)
{
	const char *name = controller_names[c];

	fail(e, 0, "no cgroup v1 %s controller is mounted", name);
	for (size_t i = s->mounts; i-- > 0; ) {
		const struct cgroup_mount *m = &s->mount[i];
		const char *rest = below || !s->own.v1[c] ? below : cgroup_below(m->root, s->own.v1[c]);
		autoclose int folder = -1;

		if (!(m->controllers & 1U << c))
			continue;
		if (m->cpuset) {
			fail(e, 0, "the cgroup v1 %s controller shares %s with cpuset", name, m->point);
			continue;
		}
		folder = rest ? cgroup_open_below(s, m, rest, path) : -1;
		if (folder >= 0 && faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) == 0)
			return take_fd(&folder);
		fail(e, rest ? errno : 0, "no writable %s cgroup for uid %d at %s/%s", name, (int)geteuid(),
		     m->point, rest ? rest : "");
		cure_v1(s, below, e);
	}
	return -1;
}

/* Co-mounted controllers have one folder: they share the fd of the first. */
static int share_folder(const struct cgroup_place *p, int *folder)
{
	struct stat st, other;

	for (int c = 0; c < CONTROLLER_COUNT && fstat(*folder, &st) == 0; c++)
		if (p->folder[c] >= 0 && fstat(p->folder[c], &other) == 0 &&
		    other.st_dev == st.st_dev && other.st_ino == st.st_ino) {
			close_fd(folder);
			return p->folder[c];
		}
	return take_fd(folder);
}

/* Out of descriptors or memory is no answer to whether a folder is there. */
static bool is_passing(int number)
{
	return number == EMFILE || number == ENFILE || number == ENOMEM || number == EINTR || number == EIO;
}

int cgroup_place_v1(const struct cgroup_search *s, const char *below, struct cgroup_place *p,
		    struct err *e)
{
	struct err missing = { 0 }, obstacle = { 0 };

	for (int c = 0; c < CONTROLLER_COUNT; c++) {
		char path[PATH_MAX];
		autoclose int folder = open_v1(s, (enum controller)c, below, path, &obstacle);

		if (folder < 0 && is_passing(obstacle.number)) {
			*e = obstacle;
			return -1;
		}
		if (folder < 0) {
			if (!missing.text[0])
				missing = obstacle;
			obstacle = (struct err){ 0 };
			continue;
		}
		if (p->version == 0)
			memcpy(p->path, path, sizeof(p->path));
		p->version = 1;
		p->has[c] = true;
		p->folder[c] = share_folder(p, &folder);
	}
	if (p->version == 0) {
		*e = missing;
		return -1;
	}
	if (missing.text[0])
		snprintf(p->why, sizeof(p->why), "%.250s%s%.250s", missing.text, missing.cure[0] ? ": " : "",
			 missing.cure);
	return 0;
}
