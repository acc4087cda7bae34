/*
 * Finds where this judge may make cgroups for boxes. Runs in the judge, outside, once; by root's
 * judge with euid 0.
 *
 * A way that does not lead to a place fills an error that names the obstacle and its cure. With
 * --cgroup v2, v1 or PATH that error is the answer; with auto it becomes the place's `why`.
 */
#include "sandbox/cgroup_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"

static void search_free(struct cgroup_search *s)
{
	free(s->mounts_text);
	free(s->own_text);
}

static int read_proc(const struct cgroup_search *s, const char *file, char **ret_text, struct err *e)
{
	char path[PATH_MAX];
	size_t size;

	snprintf(path, sizeof(path), "%s/proc/self/%s", s->prefix, file);
	if (read_file_at(AT_FDCWD, path, 16 * MIB, ret_text, &size) == 0)
		return 0;
	fail(e, errno, "cannot read %s", path);
	return fail_cure(e, "mount -t proc proc /proc");
}

/* A kernel without cgroups has no /proc/self/cgroup: no error, nothing is found then. */
static int search_start(struct cgroup_search *s, const char *prefix, struct err *e)
{
	memset(s, 0, sizeof(*s));
	s->prefix = prefix;
	if (read_proc(s, "mountinfo", &s->mounts_text, e) < 0)
		return -1;
	if (read_proc(s, "cgroup", &s->own_text, e) < 0 && e->number != ENOENT)
		return -1;
	s->mounts = cgroup_mounts_read(s->mounts_text, s->mount, CGROUP_MOUNTS);
	if (s->own_text)
		cgroup_own_read(s->own_text, &s->own);
	return 0;
}

static void place_blank(struct cgroup_place *p)
{
	memset(p, 0, sizeof(*p));
	for (int c = 0; c < CONTROLLER_COUNT; c++)
		p->folder[c] = -1;
}

void cgroup_place_close(struct cgroup_place *p)
{
	for (int c = CONTROLLER_COUNT - 1; c >= 0; c--) {
		if (cgroup_first_owner(p->folder, c))
			close_fd(&p->folder[c]);
		p->folder[c] = -1;
	}
	p->version = 0;
}

/* Whether the host has swap: a line after the heading. */
static bool has_swap(const char *prefix)
{
	char path[PATH_MAX], text[4096];

	snprintf(path, sizeof(path), "%s/proc/swaps", prefix);
	if (read_text_at(AT_FDCWD, path, text, sizeof(text)) < 0)
		return errno == EFBIG;

	const char *line = strchr(text, '\n');

	return line && line[1] != '\0';
}

/* Without swap accounting a box may use its memory limit and the host's swap besides. The root of a v2
   hierarchy never has the file, so there it is not known. */
static void note_swap(const char *prefix, struct cgroup_place *p)
{
	const char *file = p->version == 2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes";
	int folder = p->folder[p->version == 2 ? 0 : CONTROLLER_MEMORY];
	size_t length = strlen(p->why);

	if (!p->has[CONTROLLER_MEMORY] || faccessat(folder, file, F_OK, AT_EACCESS) == 0)
		return;
	if (p->version == 2 && faccessat(folder, "cgroup.type", F_OK, AT_EACCESS) < 0)
		return;
	if (has_swap(prefix))
		snprintf(p->why + length, sizeof(p->why) - length, "%sswap is not limited: boot with "
			 "swapaccount=1, or as root: swapoff -a", length ? "; " : "");
}

/* A place where the kernel limits something for us, rather than only counts and kills. */
static bool limits_much(const struct cgroup_place *p)
{
	return p->version != 0 && (p->has[CONTROLLER_MEMORY] || p->has[CONTROLLER_PIDS]);
}

/* Takes `from` over into *to. */
static void place_take(struct cgroup_place *to, struct cgroup_place *from)
{
	cgroup_place_close(to);
	*to = *from;
	place_blank(from);
}

/* v2 with controllers, v1 with controllers, v2 without, v1 with what there is, none. */
static void find_auto(const struct cgroup_search *s, struct cgroup_place *p)
{
	struct err no_v2 = { 0 }, no_v1 = { 0 };
	struct cgroup_place v1;

	(void)cgroup_place_own_v2(s, p, &no_v2);
	if (limits_much(p))
		return;
	place_blank(&v1);
	(void)cgroup_place_v1(s, NULL, &v1, &no_v1);
	if (limits_much(&v1) || p->version == 0)
		place_take(p, &v1);
	else
		cgroup_place_close(&v1);
	if (p->version == 0)
		snprintf(p->why, sizeof(p->why), "%.130s; %.80s: %.280s", no_v2.text, no_v1.text,
			 no_v1.cure[0] && s->own.v1[CONTROLLER_MEMORY] ? no_v1.cure : no_v2.cure);
}

/* The mount that `path` lies in, and the rest of the path below its mount point. */
static const struct cgroup_mount *mount_of(const struct cgroup_search *s, const char *path,
					   const char **ret_below)
{
	const struct cgroup_mount *found = NULL;

	for (size_t i = 0; i < s->mounts; i++) {
		const char *below = cgroup_below(s->mount[i].point, path);

		if (below && (!found || strlen(s->mount[i].point) >= strlen(found->point))) {
			found = &s->mount[i];
			*ret_below = below;
		}
	}
	return found;
}

/* Below every v1 mount; where no such folder is, below the v2 mount. */
static int find_below(const struct cgroup_search *s, const char *below, struct cgroup_place *p,
		      struct err *e)
{
	struct err no_v2 = { 0 };
	bool v1_mounted = false;

	if (cgroup_place_v1(s, below, p, e) == 0)
		return 0;
	for (size_t i = s->mounts; i-- > 0; ) {
		v1_mounted |= s->mount[i].controllers != 0;
		if (s->mount[i].version == 2 && cgroup_place_v2_at(s, &s->mount[i], below, p, &no_v2) == 0)
			return 0;
	}
	if (!v1_mounted && no_v2.text[0])
		*e = no_v2;
	return -1;
}

/* Symbolic links (cpu -> cpu,cpuacct) are followed before the path is compared with mount points. */
static int find_path(const struct cgroup_search *s, const char *path, struct cgroup_place *p,
		     struct err *e)
{
	char full[PATH_MAX], real[PATH_MAX];
	const struct cgroup_mount *m = NULL;
	const char *below = NULL;

	snprintf(full, sizeof(full), "/%s", path);
	if (!*path || !cgroup_below("/", full) || strlen(path) >= PATH_MAX / 2)
		return fail_usage(e, "--cgroup: '%s': use auto, v2, v1, none or a path without ..", path);
	if (*path == '/') {
		snprintf(full, sizeof(full), "%s%s", s->prefix, path);
		m = mount_of(s, realpath(full, real) ? real + strlen(s->prefix) : path, &below);
	}
	if (m && m->version == 2)
		return cgroup_place_v2_at(s, m, below, p, e);
	return find_below(s, m ? below : path + strspn(path, "/"), p, e);
}

static int find(const struct cgroup_search *s, enum cgroup_mode mode, const char *path,
		struct cgroup_place *p, struct err *e)
{
	switch (mode) {
	case CGROUP_AUTO:	find_auto(s, p); return 0;
	case CGROUP_V2:		return cgroup_place_own_v2(s, p, e);
	case CGROUP_V1:		return cgroup_place_v1(s, NULL, p, e);
	case CGROUP_PATH:	return find_path(s, path, p, e);
	case CGROUP_NONE:	break;
	}
	snprintf(p->why, sizeof(p->why), "--cgroup none was asked for");
	return 0;
}

int cgroup_find(enum cgroup_mode mode, const char *path, const char *prefix,
		struct cgroup_place *ret_place, struct err *e)
{
	struct cgroup_search s = { 0 };
	struct cgroup_place p;
	struct err obstacle = { 0 };
	int failed;

	place_blank(&p);
	failed = mode == CGROUP_NONE ? 0 : search_start(&s, prefix, &obstacle);
	if (failed == 0)
		failed = find(&s, mode, path, &p, &obstacle);
	search_free(&s);
	if (failed < 0) {
		if (e)
			*e = obstacle;
		return -1;
	}
	note_swap(prefix, &p);
	for (int c = 0; c < CONTROLLER_COUNT; c++)
		if (cgroup_first_owner(p.folder, c))
			cgroup_sweep(p.folder[c], true);
	*ret_place = p;
	return 0;
}
