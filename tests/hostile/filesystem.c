/* Programs that try to read, change or exhaust files outside what the box gives. */
#include "hostile.h"

#include <dirent.h>
#include <linux/mount.h>
#include <limits.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

static void device_nodes(char **argv)
{
	static const struct { const char *name; mode_t kind; int major, minor; } rows[] = {
		{ "mem", S_IFCHR, 1, 1 }, { "kmsg", S_IFCHR, 1, 11 }, { "disk", S_IFBLK, 8, 0 },
		{ "vda", S_IFBLK, 254, 0 }, { "tty", S_IFCHR, 5, 0 }, { "whiteout", S_IFCHR, 0, 0 }, { "fuse", S_IFCHR, 10, 229 },
	};

	(void)argv;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		dev_t device = makedev(rows[i].major, rows[i].minor);
		if (mknod(rows[i].name, rows[i].kind | 0666, device) == 0 && open(rows[i].name, O_RDONLY) >= 0)
			breach("device %s made and opened", rows[i].name);
	}
	must_fail("a hard link to a device", link("/dev/null", "null"));
	must_fail("a hard link to a file of the root", link("/usr/bin/env", "env"));
	must_fail("a hard link to passwd", link("/etc/passwd", "passwd"));
	must_fail("changing a device's mode", chmod("/dev/null", 0600));
	must_fail("removing a device", unlink("/dev/null"));
}

static void mount_calls(char **argv)
{
	(void)argv;
	mkdir("m", 0700);
	must_fail("mount tmpfs", mount("none", "m", "tmpfs", 0, NULL));
	must_fail("mount proc", mount("none", "m", "proc", 0, NULL));
	must_fail("mount sysfs", mount("none", "m", "sysfs", 0, NULL));
	must_fail("mount cgroup2", mount("none", "m", "cgroup2", 0, NULL));
	must_fail("bind", mount("/usr", "m", NULL, MS_BIND, NULL));
	must_fail("remount the root for writing", mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL));
	must_fail("remount /usr for writing", mount(NULL, "/usr", NULL, MS_REMOUNT | MS_BIND, NULL));
	must_fail("make shared", mount(NULL, "/", NULL, MS_SHARED | MS_REC, NULL));
	must_fail("umount /proc", umount2("/proc", MNT_DETACH));
	must_fail("umount the root", umount2("/", MNT_DETACH));
	must_fail("pivot_root", syscall(SYS_pivot_root, "/box", "/box/m"));
	must_fail("chroot", chroot("/box"));
	int tree = (int)must_fail("open_tree with a clone", syscall(428, AT_FDCWD, "/usr", 1 /* OPEN_TREE_CLONE */));
	must_fail("move_mount", syscall(429, tree, "", AT_FDCWD, "/box/m", 4));
	must_fail("fsopen tmpfs", syscall(430, "tmpfs", 0));
	must_fail("fspick", syscall(433, AT_FDCWD, "/", 0));
	struct { unsigned long long set, clear, propagation, userns; } attributes = { 0, 1, 0, 0 };
	must_fail("mount_setattr", syscall(442, AT_FDCWD, "/usr", 0, &attributes, sizeof(attributes)));
}

/* Nothing of the box leads above its root. */
static void above(char **argv)
{
	static const char *const ways[] = { "/..", "/../..", "/proc/self/root/..", "/proc/1/root", "/proc/1/cwd",
					    "/proc/self/cwd/../../..", "/box/../..", "/dev/fd/../../.." };
	struct stat root, st;

	stat("/", &root);
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		if (stat(ways[i], &st) == 0 && (st.st_dev != root.st_dev || st.st_ino != root.st_ino))
			if (strncmp(ways[i], "/proc", 5) || st.st_dev != root.st_dev)
				if (!strstr(ways[i], "fd"))
					breach("%s is another folder than the root", ways[i]);
	for (; *argv; argv++)
		if (access(*argv, F_OK) == 0)
			breach("the caller's %s is in reach", *argv);
	for (int fd = 3; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			breach("descriptor %d is open", fd);
	int handle = (int)syscall(SYS_open_by_handle_at, AT_FDCWD, &(struct { unsigned n; int t; char h[8]; }){ 8, 1, "" }, 0);
	if (handle >= 0 || errno == ESTALE)
		breach("open_by_handle_at passed its check");
}

static void secrets(char **argv)
{
	static const char *const files[] = { "/etc/shadow", "/etc/gshadow", "/etc/ssh/ssh_host_rsa_key", "/root/.ssh/id_rsa",
		"/etc/machine-id", "/proc/kcore", "/dev/mem", "/dev/kmsg", "/run/docker.sock", "/var/run/docker.sock",
		"/run/dbus/system_bus_socket", "/etc/judge/limits", "/proc/1/environ", "/proc/keys", "/proc/kallsyms",
		"/sys/kernel/security", "/sys/firmware", "/var/lib", "/home", "/root", "/opt", "/srv", "/boot",
		"/etc/ssl/private", "/etc/sudoers", "/etc/fstab", "/etc/krb5.keytab", "/run/secrets", "/lost+found" };

	(void)argv;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct stat st;
		int fd = open(files[i], O_RDONLY | O_NONBLOCK);
		if (fd < 0 || fstat(fd, &st) < 0)
			continue;
		DIR *d = S_ISDIR(st.st_mode) ? fdopendir(fd) : NULL;
		int entries = 0;
		while (d && readdir(d))
			entries++;
		if (!d || entries > 2)
			breach("%s may be read", files[i]);
	}
}

static void write_outside(char **argv)
{
	static const char *const folders[] = { "/", "/usr", "/usr/bin", "/usr/lib", "/etc", "/dev", "/proc", "/sys", "/run",
					       "/var", "/opt" };
	char path[128];

	(void)argv;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		snprintf(path, sizeof(path), "%s/new", folders[i]);
		if (open(path, O_CREAT | O_RDONLY, 0600) >= 0 || creat(path, 0600) >= 0)
			breach("%s made", path);
		if (open(folders[i], O_TMPFILE | O_RDWR, 0600) >= 0)
			breach("an unnamed file in %s", folders[i]);
		if (mkdir(path, 0700) == 0 || symlink("x", path) == 0 || mkfifo(path, 0600) == 0)
			breach("%s made", path);
	}
	static const char *const files[] = { "/usr/bin/env", "/etc/passwd", "/etc/hosts", "/proc/self/exe", "/proc/1/exe" };
	struct timespec now[2] = { { 1, 0 }, { 1, 0 } };
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (open(files[i], O_WRONLY) >= 0 && strcmp(files[i], "/proc/self/exe"))
			breach("%s opened for writing", files[i]);
		if (strcmp(files[i], "/proc/self/exe")) {
			must_fail(files[i], truncate(files[i], 0));
			must_fail(files[i], chmod(files[i], 0777));
			must_fail(files[i], utimensat(AT_FDCWD, files[i], now, 0));
			must_fail(files[i], setxattr(files[i], "user.x", "y", 1, 0));
			must_fail(files[i], rename(files[i], "/box/taken"));
			must_fail(files[i], unlink(files[i]));
		}
	}
}

static void inodes(char **argv)
{
	char name[32];
	int n = 0;

	(void)argv;
	for (; n < 100000; n++) {
		snprintf(name, sizeof(name), "f%d", n);
		int fd = open(name, O_CREAT | O_WRONLY, 0600);
		if (fd < 0 && symlink("x", name) < 0 && mkdir(name, 0700) < 0)
			break;
		if (fd >= 0)
			close(fd);
	}
	if (n > 4096)
		breach("%d files", n);
}

static void sparse(char **argv)
{
	int made = 0;

	(void)argv;
	signal(SIGXFSZ, SIG_IGN);
	must_fail("a file of 1 TiB", ftruncate(open("output.txt", O_CREAT | O_RDWR, 0600), 1L << 40));
	for (int i = 0; i < 200; i++) {
		char name[32];
		snprintf(name, sizeof(name), "sparse%d", i);
		int fd = open(name, O_CREAT | O_RDWR, 0600);
		made += fd >= 0 && ftruncate(fd, 60L * MIB) == 0;
		if (fd >= 0)
			close(fd);
	}
	printf("made %d\n", made);
}

/* Folders so deep that no path reaches the end, with odd names: a trap for what cleans up. */
static void deep(char **argv)
{
	static const char *const names[] = { "a\nb", " ", "-rf", "\xff\xfe", "*", "..x", "$(id)" };
	int depth = 0;

	(void)argv;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		close(open(names[i], O_CREAT | O_WRONLY, 0));
	while (depth < 3000 && mkdir("dddddddddddddddddddd", 0700) == 0 && chdir("dddddddddddddddddddd") == 0)
		depth++;
	chmod(".", 0);
	printf("depth %d\n", depth);
}

/* Another thread swaps a file for a link while the judge may be collecting: only before the end, or not at all. */
static void swap(char **argv)
{
	(void)argv;
	close(open("output.txt", O_CREAT | O_WRONLY, 0600));
	(void)!symlink("/etc/passwd", "link");
	if (fork() > 0)
		return;
	setsid();
	for (int i = 0; i < 2000000; i++) {
		(void)!rename("output.txt", "kept");
		(void)!rename("link", "output.txt");
		(void)!rename("output.txt", "link");
		(void)!rename("kept", "output.txt");
	}
	_exit(0);
}

static void watch_host(char **argv)
{
	char text[4096];

	(void)argv;
	int fd = inotify_init1(IN_NONBLOCK);
	if (fd >= 0 && inotify_add_watch(fd, "/usr/bin", IN_OPEN | IN_ACCESS) >= 0) {
		usleep(200000);
		if (read(fd, text, sizeof(text)) > 0)
			puts("NOTE: accesses of others to /usr/bin show through inotify");
	}
	must_fail("fanotify_init", syscall(SYS_fanotify_init, 0, O_RDONLY));
	int env = open("/usr/bin/env", O_RDONLY);
	must_fail("a lease on a file of the root", fcntl(env, F_SETLEASE, F_WRLCK));
}

static const struct technique table[] = {
	{ "device-nodes", device_nodes }, { "mount-calls", mount_calls }, { "above", above }, { "secrets", secrets },
	{ "write-outside", write_outside }, { "inodes", inodes }, { "sparse", sparse }, { "deep", deep },
	{ "swap", swap }, { "watch-host", watch_host },
};

TECHNIQUES(table)
