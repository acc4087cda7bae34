/*
 * The layout "host": the machine's own programs, nothing else of the machine. Runs in the judge.
 *
 * What is generated is as small as programs need: names for uid and gid 65534, localhost, a resolver
 * that only reads files. What is bound from /etc are files that dynamic linkers and run-times read and
 * that say nothing of the host's people.
 */
#include "box-root/layout.h"

#include "base/array.h"
#include "base/sys.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_ONLY (MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)
/* A device node needs no other right than to be a device; writing to it is not writing to its mount. */
#define DEVICE (MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC)

/* Folders and links of the machine's root that hold programs: links stay links (merged /usr), folders
   are bound. hier(7). */
static const char *const program_folders[] = {
	"usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32",
};

#define ETC_USERS 2

static const struct {
	const char *path, *text;
} etc_texts[] = {	/* the first two name users: compilers get none, since a source may include them */
	{ "etc/passwd", "root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:box:/tmp:/bin/sh\n" },
	{ "etc/group", "root:x:0:\nnogroup:x:65534:\n" },
	{ "etc/hosts", "127.0.0.1 localhost box\n::1 localhost\n" },
	{ "etc/nsswitch.conf", "passwd: files\ngroup: files\nshadow: files\nhosts: files\n"
			       "services: files\nprotocols: files\n" },
};

/* Read by dynamic linkers and run-times; one that is missing is no error. */
static const char *const etc_bound[] = {
	"/etc/ld.so.cache", "/etc/alternatives", "/etc/mono",
	"/etc/ld-musl-x86_64.path", "/etc/ld-musl-aarch64.path",
};

/* The JDKs of Debian keep java.security and others in /etc/java-N-openjdk: found by the JDKs themselves, since
   reading all of /etc takes as long as making the namespaces' mounts. */
#define JDKS "/usr/lib/jvm"
#define JDK "java-[0-9]*-openjdk-*"

/* The first is all that a compiler gets, without the links to its streams: the others are endless to read, and a
   source may include them. */
static const char *const devices[] = { "null", "zero", "full", "random", "urandom" };

static const struct {
	const char *path, *to;
} dev_links[] = {
	{ "dev/fd", "/proc/self/fd" },
	{ "dev/stdin", "/proc/self/fd/0" },
	{ "dev/stdout", "/proc/self/fd/1" },
	{ "dev/stderr", "/proc/self/fd/2" },
};

static int add_programs(struct root_list *l, struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(program_folders); i++) {
		const char *name = program_folders[i];
		char *host = arena_printf(l->arena, "/%s", name);
		char target[PATH_MAX];
		struct stat st;

		if (lstat(host, &st) < 0) {
			if (errno == ENOENT)
				continue;
			return fail(e, errno, "cannot examine %s", host);
		}
		if (S_ISDIR(st.st_mode)) {
			if (root_bind(l, name, host, READ_ONLY, e) < 0)
				return -1;
			continue;
		}
		if (!S_ISLNK(st.st_mode))
			continue;
		ssize_t n = readlink(host, target, sizeof(target));

		if (n <= 0 || n == (ssize_t)sizeof(target))
			return fail(e, errno, "cannot read the link %s", host);
		root_add(l, ROOT_LINK, 0, name, arena_strndup(l->arena, target, (size_t)n));
	}
	return 0;
}

/* The time zone is a link into /usr/share/zoneinfo on every distribution that has it as a link. */
static int add_localtime(struct root_list *l, struct err *e)
{
	char target[PATH_MAX];
	ssize_t n = readlink("/etc/localtime", target, sizeof(target));

	if (n < 0 && errno != ENOENT && errno != EINVAL)
		return fail(e, errno, "cannot read the link /etc/localtime");
	if (n > 0 && n < (ssize_t)sizeof(target))
		root_add(l, ROOT_LINK, 0, "etc/localtime", arena_strndup(l->arena, target, (size_t)n));
	return 0;
}

static int add_bound(struct root_list *l, const char *path, struct err *e)
{
	if (root_has(l, path + 1))
		return 0;
	if (access(path, R_OK) < 0) {
		if (errno == ENOENT || errno == ENOTDIR || errno == EACCES)
			return 0;
		return fail(e, errno, "cannot examine %s", path);
	}
	return root_bind(l, path + 1, path, READ_ONLY, e);
}

/* "java-17-openjdk-amd64" has "/etc/java-17-openjdk". */
static int add_jdk(struct root_list *l, const char *name, struct err *e)
{
	if (fnmatch(JDK, name, 0))
		return 0;
	return add_bound(l, arena_printf(l->arena, "/etc/%.*s", (int)(strrchr(name, '-') - name), name), e);
}

static int add_jdks(struct root_list *l, struct err *e)
{
	DIR *folder = opendir(JDKS);
	struct dirent *d;
	int r = 0;

	if (!folder)
		return errno == ENOENT || errno == EACCES ? 0 : fail(e, errno, "cannot read %s", JDKS);
	for (errno = 0; !r && (d = readdir(folder)); errno = 0)
		r = add_jdk(l, d->d_name, e);
	if (!r && errno)
		r = fail(e, errno, "cannot read %s", JDKS);
	closedir(folder);
	return r;
}

static int add_etc(struct root_list *l, bool users, struct err *e)
{
	root_add(l, ROOT_DIR, 0755, "etc", NULL);
	for (size_t i = users ? 0 : ETC_USERS; i < ARRAY_SIZE(etc_texts); i++)
		root_add(l, ROOT_TEXT, 0644, etc_texts[i].path, etc_texts[i].text);
	if (add_localtime(l, e) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(etc_bound); i++)
		if (add_bound(l, etc_bound[i], e) < 0)
			return -1;
	if (!users && add_bound(l, "/var/lib/ghc", e) < 0)	/* GHC's packages: only the compiler reads them */
		return -1;
	return add_jdks(l, e);
}

static void add_dev(struct root_list *l, size_t count)
{
	root_add(l, ROOT_DIR, 0755, "dev", NULL);
	for (size_t i = 0; i < count; i++) {
		const char *host = arena_printf(l->arena, "/dev/%s", devices[i]), *path = host + 1;

		root_add(l, ROOT_NODE, 0644, path, NULL);
		root_add(l, ROOT_BIND, 0, path, host)->attr = DEVICE;
	}
	for (size_t i = 0; count > 1 && i < ARRAY_SIZE(dev_links); i++)
		root_add(l, ROOT_LINK, 0, dev_links[i].path, dev_links[i].to);
}

static void add_writable(struct root_list *l)
{
	static const struct {
		const char *path;
		mode_t mode;
	} folders[] = { { "box", 0755 }, { "tmp", 01777 }, { "dev/shm", 01777 } };

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		root_add(l, ROOT_DIR, folders[i].mode, folders[i].path, NULL);
		root_add(l, ROOT_WRITABLE, 0, folders[i].path, NULL);
	}
	root_add(l, ROOT_LINK, 0, "workspace", "box");
}

int root_layout_host(struct root_list *l, bool endless, struct err *e)
{
	if (add_programs(l, e) < 0 || add_etc(l, endless, e) < 0)
		return -1;
	add_dev(l, endless ? ARRAY_SIZE(devices) : 1);
	root_add(l, ROOT_DIR, 0555, "proc", NULL);
	root_add(l, ROOT_PROC, 0, "proc", NULL);
	add_writable(l);
	return 0;
}
