/*
 * sandbox/cgroup_mounts.c, _find.c, _place.c, _v2.c and _read.c on fake trees in a temporary folder:
 * what /proc says, which folder is chosen, and what is made of counters that are cut short or lie.
 * Started by root, the tests look with euid 65534, and the rows for root with 0.
 */
#include "sandbox/cgroup_private.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd.h"

#include <cmocka.h>
#undef fail /* cmocka has one that takes nothing */

#define NOBODY 65534

/* ---- trees */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static int open_up(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)ftw;
	return type == FTW_D || type == FTW_DNR ? chmod(path, 0755) : 0;
}

static int give_away(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return lchown(path, NOBODY, NOBODY);
}

static void tree_make(char root[64])
{
	strcpy(root, "/tmp/judge-cgroup-XXXXXX");
	assert_non_null(mkdtemp(root));
}

static void tree_remove(const char *root)
{
	assert_int_equal(nftw(root, open_up, 16, FTW_PHYS), 0);
	assert_int_equal(nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static void make_parents(char *path)
{
	for (char *at = path + 1; (at = strchr(at, '/')); *at++ = '/') {
		*at = '\0';
		assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
	}
}

static void put(const char *root, const char *path, const char *text)
{
	char full[PATH_MAX];
	FILE *file;

	assert_true(snprintf(full, sizeof(full), "%s%s", root, path) < (int)sizeof(full));
	make_parents(full);
	file = fopen(full, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void put_in(const char *root, const char *folder, const char *file, const char *text)
{
	char path[PATH_MAX];

	assert_true(snprintf(path, sizeof(path), "%s/%s", folder, file) < (int)sizeof(path));
	put(root, path, text);
}

/* ---- finding */

/* A cgroup of the fake tree. v2: `controllers` are offered, `on` is its subtree_control. */
struct fake {
	const char *path, *controllers, *on, *procs;
	const char *type;	/* NULL: cgroup.type is "domain"; "": there is none, as in the root */
	const char *swap;	/* a swap limit file to be there */
	mode_t mode;		/* 0: 0755 */
	const char *mark;	/* xattr */
};

struct find_row {
	const char *name;
	enum cgroup_mode mode;
	const char *path;
	const char *own, *mounts, *swaps;
	struct fake cgroups[7];
	bool root;
	int version;		/* -1: an error */
	const char *has;	/* of "mpca" */
	const char *place;	/* path below the fake root */
	const char *says[3];	/* in the error and its cure, or in `why` */
	bool nsdelegate;
};

#define MOUNT2(root, point, options) "30 24 0:26 " root " " point " rw,nosuid shared:4 - cgroup2 cgroup2 rw" options "\n"
#define MOUNT1(root, set) "33 31 0:30 " root " /sys/fs/cgroup/" set " rw - cgroup cgroup rw," set "\n"
#define V1_ALL MOUNT1("/", "memory") MOUNT1("/", "pids") MOUNT1("/", "cpu,cpuacct")
#define V1_OWN "5:memory:/job\n4:pids:/job\n3:cpu,cpuacct:/job\n1:name=systemd:/x\n"
#define V1_CGROUPS { .path = "/sys/fs/cgroup/memory/job", .swap = "memory.memsw.limit_in_bytes" }, \
	{ .path = "/sys/fs/cgroup/pids/job" }, { .path = "/sys/fs/cgroup/cpu,cpuacct/job" }
#define SWAP_ON "Filename Type Size Used Priority\n/dev/sda2 partition 8 0 -2\n"
#define SWAP_OFF "Filename Type Size Used Priority\n"

static const struct find_row find_rows[] = {
	{ .name = "find: v2 delegated, controllers already on", .mode = CGROUP_AUTO, .own = "0::/u/a.scope\n",
	  .mounts = "22 1 0:20 / /proc rw - proc proc rw\n" MOUNT2("/", "/sys/fs/cgroup", ",nsdelegate"),
	  .cgroups = { { .path = "/sys/fs/cgroup/u/a.scope", .controllers = "cpu io memory pids\n", .on = "cpu memory pids\n" } },
	  .version = 2, .has = "mpca", .place = "/sys/fs/cgroup/u/a.scope", .nsdelegate = true },
	{ .name = "find: v2 delegated, controllers turned on here", .mode = CGROUP_V2, .own = "0::/a\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "cpuset cpu io memory pids\n", .on = "" } },
	  .version = 2, .has = "mpca", .place = "/sys/fs/cgroup/a" },
	{ .name = "find: v2 without the cpu controller says how to get it", .mode = CGROUP_AUTO,
	  .own = "0::/a\n", .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "memory pids\n", .on = "memory pids\n" } },
	  .version = 2, .has = "mpa", .place = "/sys/fs/cgroup/a", .says = { "the cpu controller", "Delegate=" } },
	{ .name = "find: a judge inside judge-leaf uses the parent", .mode = CGROUP_AUTO,
	  .own = "0::/a/judge-leaf\n", .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "memory pids cpu\n", .on = "memory pids cpu\n" },
		       { .path = "/sys/fs/cgroup/a/judge-leaf", .controllers = "memory pids cpu\n", .on = "" } },
	  .version = 2, .has = "mpca", .place = "/sys/fs/cgroup/a" },
	{ .name = "find: v2 not writable is none, with a cure", .mode = CGROUP_AUTO, .own = "0::/a\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "memory pids cpu\n", .on = "memory\n", .mode = 0555 } },
	  .version = 0, .has = "", .says = { "not delegated", "systemd-run --user --scope -p Delegate=yes" } },
	{ .name = "find: v2 not writable is an error when v2 is asked for", .mode = CGROUP_V2, .own = "0::/a\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "memory pids cpu\n", .on = "memory\n", .mode = 0555 } },
	  .version = -1, .says = { "not delegated", "systemd-run --user --scope -p Delegate=yes" } },
	{ .name = "find: a threaded v2 cgroup cannot hold boxes", .mode = CGROUP_V2, .own = "0::/a\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "cpu\n", .on = "", .type = "domain threaded\n" } },
	  .version = -1, .says = { "domain threaded" } },
	{ .name = "find: the root of a cgroup namespace", .mode = CGROUP_AUTO, .own = "0::/\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ",nsdelegate"),
	  .cgroups = { { .path = "/sys/fs/cgroup", .controllers = "memory pids cpu\n", .on = "memory pids cpu\n" } },
	  .version = 2, .has = "mpca", .place = "/sys/fs/cgroup", .nsdelegate = true },
	{ .name = "find: a mount from outside the cgroup namespace", .mode = CGROUP_V2, .own = "0::/\n",
	  .mounts = MOUNT2("/../..", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup", .controllers = "memory\n", .on = "memory\n" } },
	  .version = -1, .says = { "cannot be found", "mount -t cgroup2" } },
	{ .name = "find: a process outside its cgroup namespace", .mode = CGROUP_V2, .own = "0::/../b\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup", .controllers = "memory\n", .on = "memory\n" }, { .path = "/sys/fs/b", .controllers = "memory\n", .on = "memory\n" } },
	  .version = -1, .says = { "cannot be found" } },
	{ .name = "find: both above the namespace's root", .mode = CGROUP_V2, .own = "0::/../b\n",
	  .mounts = MOUNT2("/..", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/b", .controllers = "memory\n", .on = "memory\n" } },
	  .version = 2, .has = "ma", .place = "/sys/fs/cgroup/b" },
	{ .name = "find: a container's bind of its own v2 folder", .mode = CGROUP_V2, .own = "0::/docker/12/x\n",
	  .mounts = MOUNT2("/docker/12", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/x", .controllers = "memory\n", .on = "memory\n" } },
	  .version = 2, .has = "ma", .place = "/sys/fs/cgroup/x" },
	{ .name = "find: a root that only begins like the own path", .mode = CGROUP_V2, .own = "0::/docker/123\n",
	  .mounts = MOUNT2("/docker/12", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/3", .controllers = "memory\n", .on = "memory\n" } }, .version = -1, .says = { "cannot be found" } },
	{ .name = "find: a deleted cgroup", .mode = CGROUP_V2, .own = "0::/gone (deleted)\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""), .version = -1, .says = { "cannot be found" } },
	{ .name = "find: escapes in mountinfo", .mode = CGROUP_V2, .own = "0::/a b\n",
	  .mounts = MOUNT2("/a\\040b", "/mnt/c\\011d\\134e", ""),
	  .cgroups = { { .path = "/mnt/c\td\\e", .controllers = "pids\n", .on = "pids\n" } },
	  .version = 2, .has = "pa", .place = "/mnt/c\td\\e" },
	{ .name = "find: colons in the own path", .mode = CGROUP_V2, .own = "0::/a:b:c\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/a:b:c", .controllers = "pids\n", .on = "pids\n" } },
	  .version = 2, .has = "pa", .place = "/sys/fs/cgroup/a:b:c" },
	{ .name = "find: a mount that is covered shows nothing; the one beside it does", .mode = CGROUP_V2,
	  .own = "0::/a\n", .mounts = MOUNT2("/", "/sys/fs/cgroup", "") MOUNT2("/", "/mnt/covered", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "pids\n", .on = "pids\n" } },
	  .version = 2, .has = "pa", .place = "/sys/fs/cgroup/a" },
	{ .name = "find: mountinfo with rubbish between", .mode = CGROUP_V2, .own = "x\n::\n0:\n0::a\n:::/\n0::/a\n",
	  .mounts = "\n \n1\n1 2 3 4 5 6 7\n30 24 0:26 / /x rw - cgroup2\n30 24 0:26 / x rw - cgroup2 c rw\n"
	  MOUNT2("/", "/sys/fs/cgroup", "") "30 24 0:26 / /y rw -",
	  .cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "pids\n", .on = "pids\n" } },
	  .version = 2, .has = "pa", .place = "/sys/fs/cgroup/a" },
	{ .name = "find: empty files", .mode = CGROUP_AUTO, .own = "", .mounts = "", .version = 0, .has = "",
	  .says = { "no cgroup v2 is mounted", "no cgroup v1 memory controller is mounted" } },
	{ .name = "find: a kernel without cgroups", .mode = CGROUP_AUTO, .own = NULL, .mounts = "", .version = 0,
	  .has = "", .says = { "no cgroup v2 is mounted" } },
	{ .name = "find: a masked /proc", .mode = CGROUP_AUTO, .own = "", .mounts = NULL, .version = -1,
	  .says = { "/proc/self/mountinfo", "mount -t proc" } },
	{ .name = "find: hybrid, v1 goes before v2 without controllers", .mode = CGROUP_AUTO,
	  .own = V1_OWN "0::/job\n", .mounts = V1_ALL MOUNT2("/", "/sys/fs/cgroup/unified", ""),
	  .cgroups = { V1_CGROUPS, { .path = "/sys/fs/cgroup/unified/job", .controllers = "hugetlb\n", .on = "" } },
	  .version = 1, .has = "mpca", .place = "/sys/fs/cgroup/memory/job" },
	{ .name = "find: hybrid, v2 without controllers on demand", .mode = CGROUP_V2,
	  .own = V1_OWN "0::/job\n", .mounts = V1_ALL MOUNT2("/", "/sys/fs/cgroup/unified", ""),
	  .cgroups = { V1_CGROUPS, { .path = "/sys/fs/cgroup/unified/job", .controllers = "hugetlb\n", .on = "" } },
	  .version = 2, .has = "a", .place = "/sys/fs/cgroup/unified/job", .says = { "no memory and no pids" } },
	{ .name = "find: hybrid, v2 without controllers when v1 is closed", .mode = CGROUP_AUTO,
	  .own = V1_OWN "0::/job\n", .mounts = V1_ALL MOUNT2("/", "/sys/fs/cgroup/unified", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/memory/job", .mode = 0555 },
		       { .path = "/sys/fs/cgroup/unified/job", .controllers = "hugetlb\n", .on = "" } },
	  .version = 2, .has = "a", .place = "/sys/fs/cgroup/unified/job", .says = { "no memory and no pids" } },
	{ .name = "find: hybrid, v2 without controllers before v1 with cpu only", .mode = CGROUP_AUTO,
	  .own = V1_OWN "0::/job\n", .mounts = V1_ALL MOUNT2("/", "/sys/fs/cgroup/unified", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/cpu,cpuacct/job" }, { .path = "/sys/fs/cgroup/unified/job", .controllers = "", .on = "" } },
	  .version = 2, .has = "a", .place = "/sys/fs/cgroup/unified/job" },
	{ .name = "find: v1 co-mounted", .mode = CGROUP_V1, .own = V1_OWN, .mounts = V1_ALL,
	  .cgroups = { V1_CGROUPS }, .version = 1, .has = "mpca", .place = "/sys/fs/cgroup/memory/job" },
	{ .name = "find: v1, part of the controllers, and what is missing", .mode = CGROUP_V1, .own = V1_OWN,
	  .mounts = V1_ALL, .cgroups = { { .path = "/sys/fs/cgroup/pids/job" }, { .path = "/sys/fs/cgroup/memory/job", .mode = 0555 } },
	  .version = 1, .has = "p", .place = "/sys/fs/cgroup/pids/job",
	  .says = { "no writable memory cgroup", "mkdir -p $d && chown" } },
	{ .name = "find: v1 closed is an error with the chown lines", .mode = CGROUP_V1, .own = V1_OWN,
	  .mounts = V1_ALL, .cgroups = { { .path = "/sys/fs/cgroup/memory/job", .mode = 0555 } },
	  .version = -1, .says = { "no writable memory cgroup", "/sys/fs/cgroup/pids/judge" } },
	{ .name = "find: v1 not mounted", .mode = CGROUP_V1, .own = "0::/\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""), .version = -1, .says = { "no cgroup v1 memory" } },
	{ .name = "find: v1 cpu beside cpuset is left alone", .mode = CGROUP_V1, .own = "3:cpuset,cpu:/job\n2:pids:/job\n",
	  .mounts = MOUNT1("/", "cpuset,cpu") MOUNT1("/", "pids"),
	  .cgroups = { { .path = "/sys/fs/cgroup/cpuset,cpu/job" }, { .path = "/sys/fs/cgroup/pids/job" } },
	  .version = 1, .has = "p", .place = "/sys/fs/cgroup/pids/job" },
	{ .name = "find: v1 without swap accounting on a host with swap", .mode = CGROUP_V1, .own = V1_OWN,
	  .mounts = MOUNT1("/", "memory"), .swaps = SWAP_ON, .cgroups = { { .path = "/sys/fs/cgroup/memory/job" } },
	  .version = 1, .has = "m", .place = "/sys/fs/cgroup/memory/job", .says = { "swap is not limited", "swapoff" } },
	{ .name = "find: v1 without swap accounting where there is no swap", .mode = CGROUP_V1, .own = V1_OWN,
	  .mounts = V1_ALL, .swaps = SWAP_OFF,
	  .cgroups = { { .path = "/sys/fs/cgroup/memory/job" }, { .path = "/sys/fs/cgroup/pids/job" },
		       { .path = "/sys/fs/cgroup/cpu,cpuacct/job" } },
	  .version = 1, .has = "mpca", .place = "/sys/fs/cgroup/memory/job" },
	{ .name = "find: v2 without swap accounting on a host with swap", .mode = CGROUP_V2, .own = "0::/a\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""), .swaps = SWAP_ON,
	  .cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "memory pids cpu\n", .on = "memory pids cpu\n" } },
	  .version = 2, .has = "mpca", .place = "/sys/fs/cgroup/a", .says = { "swap is not limited" } },
	{ .name = "find: none", .mode = CGROUP_NONE, .own = NULL, .mounts = NULL, .version = 0, .has = "" },
	{ .name = "find: PATH is a v2 cgroup", .mode = CGROUP_PATH, .path = "/sys/fs/cgroup/j", .own = "0::/j/x\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/j", .controllers = "memory pids cpu\n", .on = "memory pids cpu\n" } },
	  .version = 2, .has = "mpca", .place = "/sys/fs/cgroup/j" },
	{ .name = "find: PATH in v2, the judge outside it, the way there closed", .mode = CGROUP_PATH,
	  .path = "/sys/fs/cgroup/j", .own = "0::/jx\n", .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/j", .controllers = "memory\n", .on = "memory\n" },
		       { .path = "/sys/fs/cgroup", .controllers = "memory\n", .on = "memory\n", .mode = 0555 } },
	  .version = -1, .says = { "outside the cgroup", "/sys/fs/cgroup/j/cgroup.procs" } },
	{ .name = "find: PATH in v2, the judge outside it, the way there open", .mode = CGROUP_PATH,
	  .path = "/sys/fs/cgroup/j", .own = "0::/jx\n", .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/j", .controllers = "memory\n", .on = "memory\n" }, { .path = "/sys/fs/cgroup", .controllers = "memory\n", .on = "memory\n" } },
	  .version = 2, .has = "ma", .place = "/sys/fs/cgroup/j" },
	{ .name = "find: PATH in v2 that is not there", .mode = CGROUP_PATH, .path = "/sys/fs/cgroup/j",
	  .own = "0::/\n", .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .version = -1, .says = { "cannot open", "mkdir" } },
	{ .name = "find: PATH relative is below each v1 mount", .mode = CGROUP_PATH, .path = "job", .own = "2:pids:/\n",
	  .mounts = V1_ALL, .cgroups = { V1_CGROUPS }, .version = 1, .has = "mpca", .place = "/sys/fs/cgroup/memory/job" },
	{ .name = "find: PATH absolute in one v1 mount means the same below each", .mode = CGROUP_PATH,
	  .path = "/sys/fs/cgroup/pids/job", .own = "2:pids:/\n", .mounts = V1_ALL,
	  .cgroups = { V1_CGROUPS }, .version = 1, .has = "mpca", .place = "/sys/fs/cgroup/memory/job" },
	{ .name = "find: PATH absolute that names no mount is below each", .mode = CGROUP_PATH, .path = "/job",
	  .own = "2:pids:/\n", .mounts = V1_ALL, .cgroups = { V1_CGROUPS }, .version = 1, .has = "mpca",
	  .place = "/sys/fs/cgroup/memory/job" },
	{ .name = "find: PATH relative on a host with v2 only", .mode = CGROUP_PATH, .path = "j", .own = "0::/j\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/j", .controllers = "pids\n", .on = "pids\n" } }, .version = 2, .has = "pa",
	  .place = "/sys/fs/cgroup/j" },
	{ .name = "find: PATH that is nowhere, with the lines that make it", .mode = CGROUP_PATH, .path = "me",
	  .own = V1_OWN, .mounts = V1_ALL, .version = -1, .says = { "memory/me", "/sys/fs/cgroup/pids/me", "--cgroup /me" } },
	{ .name = "find: PATH must not climb", .mode = CGROUP_PATH, .path = "/sys/fs/cgroup/../x", .own = "",
	  .mounts = V1_ALL, .version = -1, .says = { "--cgroup" } },
	{ .name = "find: PATH must not be empty", .mode = CGROUP_PATH, .path = "", .own = "", .mounts = V1_ALL,
	  .version = -1, .says = { "--cgroup" } },
	{ .name = "find: root leaves a cgroup with strangers alone", .mode = CGROUP_V2, .root = true, .own = "0::/a\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "memory\n", .on = "", .procs = "1\n2\n" } },
	  .version = -1, .says = { "holds other processes", "systemd-run --scope -p Delegate=yes" } },
	{ .name = "find: root uses one marked trusted.delegate", .mode = CGROUP_V2, .root = true, .own = "0::/a\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "memory\n", .on = "", .procs = "1\n2\n", .mark = "trusted.delegate" } },
	  .version = 2, .has = "ma", .place = "/sys/fs/cgroup/a" },
	{ .name = "find: root uses one marked user.delegate", .mode = CGROUP_V2, .root = true, .own = "0::/a\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "memory\n", .on = "", .procs = "1\n2\n", .mark = "user.delegate" } },
	  .version = 2, .has = "ma", .place = "/sys/fs/cgroup/a" },
	{ .name = "find: root uses one with nobody in it", .mode = CGROUP_V2, .root = true, .own = "0::/a\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""), .cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "memory\n", .on = "", .procs = "" } },
	  .version = 2, .has = "ma", .place = "/sys/fs/cgroup/a" },
	{ .name = "find: root uses the root of the hierarchy", .mode = CGROUP_V2, .root = true, .own = "0::/\n",
	  .mounts = MOUNT2("/", "/sys/fs/cgroup", ""),
	  .cgroups = { { .path = "/sys/fs/cgroup", .controllers = "memory\n", .on = "", .procs = "1\n2\n", .type = "" } },
	  .version = 2, .has = "ma", .place = "/sys/fs/cgroup" },
};

static int set_mark(const char *root, const struct fake *f)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", root, f->path);
	return f->mark ? setxattr(full, f->mark, "1", 1, 0) : 0;
}

static void fake_make(const char *root, const struct fake *f)
{
	put_in(root, f->path, "cgroup.procs", f->procs ? f->procs : "");
	if (f->controllers) {
		put_in(root, f->path, "cgroup.controllers", f->controllers);
		put_in(root, f->path, "cgroup.subtree_control", f->on);
		if (!f->type || *f->type)
			put_in(root, f->path, "cgroup.type", f->type ? f->type : "domain\n");
	}
	if (f->swap)
		put_in(root, f->path, f->swap, "0\n");
}

static void fake_close(const char *root, const struct fake *f)
{
	char full[PATH_MAX];

	if (!f->mode)
		return;
	snprintf(full, sizeof(full), "%s%s", root, f->path);
	assert_int_equal(chmod(full, f->mode), 0);
	strcat(full, "/cgroup.procs");
	assert_int_equal(chmod(full, f->mode & 0666), 0);
}

/* -1: the file system keeps no such extended attribute. */
static int find_tree(const char *root, const struct find_row *row)
{
	int marked = 0;

	if (row->mounts)
		put(root, "/proc/self/mountinfo", row->mounts);
	if (row->own)
		put(root, "/proc/self/cgroup", row->own);
	if (row->swaps)
		put(root, "/proc/swaps", row->swaps);
	for (size_t i = 0; i < ARRAY_SIZE(row->cgroups) && row->cgroups[i].path; i++)
		fake_make(root, &row->cgroups[i]);
	if (geteuid() == 0 && !row->root)
		assert_int_equal(nftw(root, give_away, 16, FTW_PHYS), 0);
	for (size_t i = 0; i < ARRAY_SIZE(row->cgroups) && row->cgroups[i].path; i++) {
		marked |= set_mark(root, &row->cgroups[i]);
		fake_close(root, &row->cgroups[i]);
	}
	return marked;
}

static int find_as(bool root_row, enum cgroup_mode mode, const char *path, const char *root,
		   struct cgroup_place *p, struct err *e)
{
	bool lower = geteuid() == 0 && !root_row;
	int found;

	assert_int_equal(lower ? seteuid(NOBODY) : 0, 0);
	found = cgroup_find(mode, path, root, p, e);
	assert_int_equal(lower ? seteuid(0) : 0, 0);
	return found;
}

static void check_place(const struct find_row *row, const char *root, const struct cgroup_place *p)
{
	char has[8] = "", expected[PATH_MAX];

	for (int c = 0, used = 0; c < CONTROLLER_COUNT; c++)
		if (p->has[c])
			has[used++] = "mpca"[c];
	snprintf(expected, sizeof(expected), "%s%s", row->place ? root : "", row->place ? row->place : "");
	assert_int_equal(p->version, row->version);
	assert_string_equal(has, row->has);
	assert_string_equal(p->path, expected);
	assert_int_equal(p->nsdelegate, row->nsdelegate);
	assert_int_equal(p->folder[0] >= 0, p->version == 2 || p->has[0]);
	if (p->version == 1 && p->has[CONTROLLER_CPUACCT])
		assert_int_equal(p->folder[CONTROLLER_CPU], p->folder[CONTROLLER_CPUACCT]);
	if (!row->says[0])	/* a reason exactly where something is missing */
		assert_int_equal(p->why[0] == '\0', strcmp(has, "mpca") == 0);
}

static void test_find(void **state)
{
	const struct find_row *row = *state;
	char root[64], said[2048];
	struct cgroup_place p = { .version = 77 };
	struct err e = { 0 };
	int found;

	if (row->root && geteuid() != 0) {
		print_message("SKIP %s: needs root\n", row->name);
		skip();
	}
	tree_make(root);
	if (find_tree(root, row) < 0) {
		tree_remove(root);
		print_message("SKIP %s: no such extended attribute on /tmp\n", row->name);
		skip();
	}
	found = find_as(row->root, row->mode, row->path, root, &p, &e);
	if (row->version < 0) {
		assert_int_equal(found, -1);
		assert_int_equal(p.version, 77);
		snprintf(said, sizeof(said), "%s\n%s", e.text, e.cure);
	} else {
		assert_int_equal(found, 0);
		assert_int_equal(e.kind, ERR_NONE);
		check_place(row, root, &p);
		snprintf(said, sizeof(said), "%s", p.why);
		cgroup_place_close(&p);
	}
	for (size_t i = 0; i < ARRAY_SIZE(row->says) && row->says[i]; i++)
		if (!strstr(said, row->says[i])) {
			print_error("\"%s\" is not in \"%s\"\n", row->says[i], said);
			assert_true(false);
		}
	tree_remove(root);
}

/* Wherever a text ends, something is found or refused, and nothing is read beyond it. */
static void test_cut(void **state)
{
	static const struct find_row row = {
		.own = "0::/a\n" V1_OWN, .mounts = V1_ALL MOUNT2("/", "/sys/fs/cgroup", ",nsdelegate"),
		.cgroups = { { .path = "/sys/fs/cgroup/a", .controllers = "memory pids cpu\n", .on = "memory pids cpu\n" }, V1_CGROUPS },
	};
	char root[64], text[1024];
	size_t found = 0;

	(void)state;
	tree_make(root);
	assert_int_equal(find_tree(root, &row), 0);
	for (size_t i = 0; i < strlen(row.mounts) + strlen(row.own); i++) {
		bool cut_own = i >= strlen(row.mounts);
		struct cgroup_place p;
		struct err e = { 0 };

		snprintf(text, sizeof(text), "%.*s", (int)(cut_own ? strlen(row.mounts) : i), row.mounts);
		put(root, "/proc/self/mountinfo", text);
		snprintf(text, sizeof(text), "%.*s", (int)(cut_own ? i - strlen(row.mounts) : strlen(row.own)), row.own);
		put(root, "/proc/self/cgroup", text);
		assert_int_equal(find_as(false, CGROUP_AUTO, NULL, root, &p, &e), 0);
		found += p.version != 0;
		assert_true(p.version != 0 || p.why[0] != '\0');
		cgroup_place_close(&p);
	}
	assert_true(found > 100);
	tree_remove(root);
}

static void test_many_mounts(void **state)
{
	char text[CGROUP_MOUNTS * 160] = "";
	struct cgroup_mount mounts[CGROUP_MOUNTS];

	(void)state;
	for (int i = 0; i < CGROUP_MOUNTS + 9; i++)
		strcat(text, MOUNT2("/", "/x", ""));
	assert_true(strlen(text) < sizeof(text));
	assert_int_equal(cgroup_mounts_read(text, mounts, CGROUP_MOUNTS), CGROUP_MOUNTS);
}

struct below_row {
	const char *name, *root, *path, *rest;
};

static const struct below_row below_rows[] = {
	{ "below: the root itself", "/", "/", "" },
	{ "below: one down", "/", "/a", "a" },
	{ "below: the mounted folder itself", "/a/b", "/a/b", "" },
	{ "below: under the mounted folder", "/a/b", "/a/b/c/d", "c/d" },
	{ "below: a longer name beside it", "/a/b", "/a/bc", NULL },
	{ "below: above it", "/a/b", "/a", NULL },
	{ "below: out of the namespace", "/", "/../a", NULL },
	{ "below: out in the middle", "/", "/a/../b", NULL },
	{ "below: out at the end", "/", "/a/..", NULL },
	{ "below: names with dots are names", "/", "/..a/b../...", "..a/b../..." },
	{ "below: both outside, the same way", "/../..", "/../../a", "a" },
	{ "below: an empty path", "/", "", "" },
};

static void test_below(void **state)
{
	const struct below_row *row = *state;
	const char *rest = cgroup_below(row->root, row->path);

	if (!row->rest)
		assert_null(rest);
	else
		assert_string_equal(rest, row->rest);
}

/* ---- reading */

struct read_row {
	const char *name;
	int version;
	const char *cpu, *user, *sys;		/* cpu.stat, or the three of cpuacct; NULL: no such file */
	const char *peak, *current, *events;	/* v1: max_usage_in_bytes, -, oom_control */
	const char *pids_peak, *pids_events;
	long total_us, user_us, sys_us;		/* -1: no source */
	long bytes, kills;
	long processes, refused;
};

#define NONE .total_us = -1, .bytes = -1

static const struct read_row read_rows[] = {
	{ "read v2: all there", 2, "usage_usec 30\nuser_usec 20\nsystem_usec 10\n", .peak = "4096\n",
	  .events = "low 0\noom 1\noom_kill 2\noom_group_kill 1\n", .pids_peak = "5\n", .pids_events = "max 3\n",
	  .total_us = 30, .user_us = 20, .sys_us = 10, .bytes = 4096, .kills = 2, .processes = 4, .refused = 3 },
	{ "read v2: nothing there", 2, NONE },
	{ "read v2: empty files", 2, "", .peak = "", .events = "", .pids_peak = "", .pids_events = "", NONE },
	{ "read v2: no memory.peak, as before 5.19", 2, .current = "77\n", .events = "oom_kill 0\n",
	  .total_us = -1, .bytes = 77 },
	{ "read v2: a group kill alone counts", 2, .peak = "1\n", .events = "oom_kill 0\noom_group_kill 1\n",
	  .total_us = -1, .bytes = 1, .kills = 1 },
	{ "read v2: cut inside the words", 2, "usage_us", .peak = "4096\n", .events = "oom_ki", NONE },
	{ "read v2: total without the parts", 2, "usage_usec 30\n", NONE, .user_us = -1 },
	{ "read v2: words for numbers", 2, "usage_usec max\nuser_usec x\nsystem_usec -1\n", .peak = "max\n",
	  .events = "oom_kill max\n", .pids_peak = "max\n", .pids_events = "max max\n", NONE },
	{ "read v2: numbers too large", 2, "usage_usec 99999999999999999999999\n", .peak = "99999999999999999999999\n",
	  .events = "oom_kill 99999999999999999999999\n", NONE },
	{ "read v2: signs and second words", 2, .peak = "-1\n", .events = "oom_kill 0\n", .pids_peak = "+5\n", NONE },
	{ "read v2: a key in the middle of a line is none", 2, "x usage_usec 30\nuser_usec 1\nsystem_usec 1\n",
	  .peak = "1 2\n", .events = "oom_kill 0\n", NONE },
	{ "read v1: all there", 1, "30500\n", "20900\n", "10000\n", .peak = "4096\n",
	  .events = "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n", .pids_peak = "5\n", .pids_events = "max 3\n",
	  .total_us = 30, .user_us = 20, .sys_us = 10, .bytes = 4096, .kills = 2, .processes = 4, .refused = 3 },
	{ "read v1: parts in ticks are scaled to the whole", 1, "30000\n", "80000\n", "40000\n",
	  .total_us = 30, .user_us = 20, .sys_us = 10, .bytes = -1 },
	{ "read v1: parts too short for a tick", 1, "30000\n", "0\n", "0\n",
	  .total_us = 30, .user_us = 30, .sys_us = 0, .bytes = -1 },
	{ "read v1: parts of any size", 1, "30000\n", "18446744073709551614\n", "0\n",
	  .total_us = 30, .user_us = 30, .sys_us = 0, .bytes = -1 },
	{ "read v1: nothing there", 1, NONE },
	{ "read v1: no parts of the CPU time", 1, "30500\n", NONE, .user_us = -1 },
	{ "read v1: oom_kill_disable is no count, and before 4.13 there was none", 1, .peak = "1\n",
	  .events = "oom_kill_disable 1\nunder_oom 1\n", .total_us = -1, .bytes = 1, .kills = 0 },
	{ "read v1: words for numbers", 1, "x\n", "y\n", "z\n", .peak = "w\n", .events = "oom_kill v\n", NONE },
	{ "read: init alone ran", 2, .pids_peak = "1\n", NONE },
	{ "read: a peak of zero", 2, .pids_peak = "0\n", NONE },
};

static void put_if(const char *root, const char *path, const char *text)
{
	if (text)
		put(root, path, text);
}

static void read_tree(const char *root, const struct read_row *row)
{
	bool v2 = row->version == 2;

	put_if(root, v2 ? "/cpu.stat" : "/cpuacct.usage", row->cpu);
	put_if(root, "/cpuacct.usage_user", row->user);
	put_if(root, "/cpuacct.usage_sys", row->sys);
	put_if(root, v2 ? "/memory.peak" : "/memory.max_usage_in_bytes", row->peak);
	put_if(root, "/memory.current", row->current);
	put_if(root, v2 ? "/memory.events" : "/memory.oom_control", row->events);
	put_if(root, "/pids.peak", row->pids_peak);
	put_if(root, "/pids.events", row->pids_events);
}

static void check_reads(const struct read_row *row, const struct cgroup *c)
{
	uint64_t a = 7, b = 7, d = 7, peak = 7, refused = 7;
	bool parts = row->total_us >= 0;

	assert_int_equal(cgroup_cpu(c, &a, &b, &d), parts ? 0 : -1);
	assert_true(a == (parts ? (uint64_t)row->total_us : 7));
	assert_true(b == (parts ? (uint64_t)row->user_us : 7));
	assert_true(d == (parts ? (uint64_t)row->sys_us : 7));
	a = 7;
	/* user_us -1: the total can be had, its parts cannot. */
	assert_int_equal(cgroup_cpu_total(c, &a), parts || row->user_us < 0 ? 0 : -1);
	assert_true(a == (parts || row->user_us < 0 ? 30 : 7));
	a = b = 7;
	assert_int_equal(cgroup_memory(c, &a, &b), row->bytes >= 0 ? 0 : -1);
	assert_true(a == (row->bytes >= 0 ? (uint64_t)row->bytes : 7));
	assert_true(b == (row->bytes >= 0 ? (uint64_t)row->kills : 7));
	cgroup_processes(c, &peak, &refused);
	assert_int_equal(peak, row->processes);
	assert_int_equal(refused, row->refused);
}

static void test_read(void **state)
{
	const struct read_row *row = *state;
	struct cgroup_place place = { .version = row->version, .has = { true, true, true, true } };
	struct cgroup c = { .version = row->version, .place = &place, .kill = -1, .oom = -1, .pids_max = -1 };
	char root[64];

	tree_make(root);
	read_tree(root, row);
	for (int i = 0; i < CONTROLLER_COUNT; i++)
		c.folder[i] = i && row->version == 2 ? -1 : open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	c.cpu = openat(c.folder[0], row->version == 2 ? "cpu.stat" : "cpuacct.usage", O_RDONLY | O_CLOEXEC);
	check_reads(row, &c);
	if (row->version == 2) {	/* the same through the descriptor that is polled */
		c.oom = openat(c.folder[0], "memory.events", O_RDONLY | O_CLOEXEC);
		check_reads(row, &c);
	}
	for (int i = 0; i < CONTROLLER_COUNT; i++)
		close_fd(&c.folder[i]);
	close_fd(&c.cpu);
	close_fd(&c.oom);
	tree_remove(root);
}

struct pid_row {
	const char *name, *line;
	pid_t pid;
};

static const struct pid_row pid_rows[] = {
	{ "pid: a process", "4711\nx", 4711 },
	{ "pid: the first after init", "2\n", 2 },
	{ "pid: the largest", "2147483647\n", 2147483647 },
	{ "pid: one past it", "2147483648\n", 0 },
	{ "pid: one that would wrap to 2", "4294967298\n", 0 },
	{ "pid: init", "1\n", 0 },
	{ "pid: a process of another pid namespace", "0\n", 0 },
	{ "pid: all processes", "-1\n", 0 },
	{ "pid: a process group", "-4711\n", 0 },
	{ "pid: nothing", "\n", 0 },
	{ "pid: a word", "x\n", 0 },
	{ "pid: a number with a tail", "12x\n", 0 },
	{ "pid: a number that was cut", "47", 0 },
	{ "pid: far too long", "99999999999999999999999999\n", 0 },
};

static void test_pid(void **state)
{
	const struct pid_row *row = *state;
	char own[32];

	assert_int_equal(cgroup_pid(row->line), row->pid);
	snprintf(own, sizeof(own), "%d\n", (int)getpid());
	assert_int_equal(cgroup_pid(own), 0);
}

/* A place without cgroups is a box without one. */
static void test_none(void **state)
{
	struct cgroup_place p;
	struct cgroup c;
	struct limits l = { .value = { 0 } };
	uint8_t enforced[LIMIT_COUNT] = { [LIMIT_MEMORY] = BY_RLIMIT };
	uint64_t a, b, d;

	(void)state;
	assert_int_equal(cgroup_find(CGROUP_NONE, NULL, "", &p, NULL), 0);
	assert_int_equal(cgroup_make(&p, &l, &c, enforced, NULL), 0);
	assert_int_equal(enforced[LIMIT_MEMORY], BY_RLIMIT);
	assert_int_equal(cgroup_clone_fd(&c), -1);
	assert_int_equal(cgroup_cpu(&c, &a, &b, &d), -1);
	assert_int_equal(cgroup_cpu_total(&c, &a), -1);
	assert_int_equal(cgroup_memory(&c, &a, &b), -1);
	cgroup_processes(&c, &a, &b);
	assert_int_equal(a + b, 0);
	cgroup_kill(&c);
	assert_int_equal(cgroup_remove(&c, NULL), 0);
	cgroup_place_close(&p);
}

/* A folder that cannot be a cgroup (no cgroup.procs appears in it): an error, and nothing left. */
static void test_make_fails(void **state)
{
	struct cgroup_place place = { .version = 2, .folder = { -1, -1, -1, -1 }, .path = "fake" };
	struct cgroup c;
	struct limits l = { .value = { 0 } };
	uint8_t enforced[LIMIT_COUNT] = { 0 };
	struct err e = { 0 };
	struct stat st;
	char root[64];

	(void)state;
	tree_make(root);
	place.folder[0] = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(cgroup_make(&place, &l, &c, enforced, &e), -1);
	assert_non_null(strstr(e.text, "cannot make the cgroup judge-box-"));
	assert_int_equal(fstat(place.folder[0], &st), 0);
	assert_true(st.st_nlink <= 2);
	close_fd(&place.folder[0]);
	tree_remove(root);
}

static const struct CMUnitTest single_tests[] = {
	cmocka_unit_test(test_cut),
	cmocka_unit_test(test_many_mounts),
	cmocka_unit_test(test_none),
	cmocka_unit_test(test_make_fails),
};

/* One cmocka test per row; a row's first member is its name. */
#define ADD_ROWS(rows, function)                                              \
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)                         \
		tests[count++] = (struct CMUnitTest){ .name = (rows)[i].name, \
			.test_func = (function), .initial_state = (void *)(uintptr_t)&(rows)[i] }

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(find_rows) + ARRAY_SIZE(below_rows) + ARRAY_SIZE(read_rows) + ARRAY_SIZE(pid_rows) +
				ARRAY_SIZE(single_tests)];
	size_t count = 0;

	ADD_ROWS(find_rows, test_find);
	ADD_ROWS(below_rows, test_below);
	ADD_ROWS(read_rows, test_read);
	ADD_ROWS(pid_rows, test_pid);
	memcpy(tests + count, single_tests, sizeof(single_tests));
	return cmocka_run_group_tests_name("cgroup", tests, NULL, NULL);
}
