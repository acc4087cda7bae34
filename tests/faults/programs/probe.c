/*
 * Looks at its own box and prints it, as `NAME VALUE` lines that are the same in every whole box of one
 * request; the test compares them with those of a run without a fault. Runs inside.
 *
 *	probe			the box, then "processes N": how many children it was given
 *	probe memory MIB	touches that much, then prints "touched"
 *	probe spin		computes for ever
 *	probe sleep		prints "asleep", then sleeps for ever, as does a child of it
 *	probe nap MS WORD...	sleeps, then goes on as `probe WORD...`
 *	probe print KIB		writes that much
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

enum { MOST_CHILDREN = 100 };

extern char **environ;

static void print_ids(void)
{
	uid_t r, e, s;
	char host[65] = "", folder[4096] = "";

	getresuid(&r, &e, &s);
	printf("uid %u %u %u\n", r, e, s);
	getresgid(&r, &e, &s);
	printf("gid %u %u %u\n", r, e, s);
	printf("groups %d\n", getgroups(0, NULL));
	printf("parent %d session %d own %d\n", getppid(), getsid(0) == getpid(), getpid() < 4);
	gethostname(host, sizeof(host));
	printf("host %s\nfolder %s\n", host, getcwd(folder, sizeof(folder)) ? folder : "?");
	for (char **v = environ; *v; v++)
		printf("env %s\n", *v);
}

static void print_status(void)
{
	static const char *const names[] = { "NoNewPrivs:", "Seccomp:", "Seccomp_filters:", "CapInh:", "CapPrm:",
		"CapEff:", "CapBnd:", "CapAmb:", "SigBlk:", "SigIgn:", "SigCgt:", "Umask:", "Cpus_allowed:" };
	char line[256];
	FILE *f = fopen("/proc/self/status", "re");

	while (f && fgets(line, sizeof(line), f))
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			if (strncmp(line, names[i], strlen(names[i])) == 0)
				printf("status-%s", line);
	if (f)
		fclose(f);
	printf("securebits %d\n", prctl(PR_GET_SECUREBITS));
	printf("new-privileges %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
}

static void print_namespaces(void)
{
	static const char *const kinds[] = { "user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		char path[64], to[128] = "";
		snprintf(path, sizeof(path), "/proc/self/ns/%s", kinds[i]);
		if (readlink(path, to, sizeof(to) - 1) > 0)
			printf("ns-%s %s\n", kinds[i], to);
	}
}

/* What is mounted where, with the options of the mount and of the file system; no device numbers. */
static void print_mounts(void)
{
	char line[4096], root[1024], point[1024], own[512], kind[64], source[1024], options[512];
	FILE *f = fopen("/proc/self/mountinfo", "re");

	while (f && fgets(line, sizeof(line), f)) {
		char *rest = strstr(line, " - ");
		if (rest && sscanf(line, "%*d %*d %*s %1023s %1023s %511s", root, point, own) == 3 &&
		    sscanf(rest, " - %63s %1023s %511s", kind, source, options) == 3)
			printf("mount-%s %s %s %s %s\n", point, root, own, kind, strcmp(kind, "tmpfs") ? "" : options);
	}
	if (f)
		fclose(f);
}

static void print_files(void)
{
	static const char *const folders[] = { "/", "/usr", "/etc", "/dev", "/proc", "/box", "/tmp", "/dev/shm" };
	static const char *const closed[] = { "/proc/1/mem", "/proc/1/environ", "/proc/1/root/etc", "/dev/kmsg",
		"/dev/mem", "/root", "/home", "/proc/kcore", "/proc/sys/kernel/core_pattern", "/old-root", "/sys" };

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		char path[64];
		snprintf(path, sizeof(path), "%s/probe-file", folders[i]);
		int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
		printf("create-%s %d\n", folders[i], fd < 0 ? errno : 0);
		if (fd >= 0) {
			close(fd);
			unlink(path);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(closed); i++) {
		int fd = open(closed[i], O_RDONLY | O_CLOEXEC);
		printf("open-%s %d\n", closed[i], fd < 0 ? errno : 0);
		if (fd >= 0)
			close(fd);
	}
	for (int fd = 0; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("fd-%d %d\n", fd, fcntl(fd, F_GETFL) & O_ACCMODE);
}

static void print_folder(const char *path)
{
	DIR *d = opendir(path);

	for (struct dirent *f; d && (f = readdir(d)); )
		if (f->d_name[0] > '9')
			printf("entry-%s/%s .\n", path, f->d_name);
	if (d)
		closedir(d);
}

static void print_network(void)
{
	struct ifreq request;
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	for (int i = 1; i < 64; i++) {
		memset(&request, 0, sizeof(request));
		request.ifr_ifindex = i;
		if (ioctl(fd, SIOCGIFNAME, &request) == 0 && ioctl(fd, SIOCGIFFLAGS, &request) == 0)
			printf("interface-%s %d\n", request.ifr_name, !!(request.ifr_flags & IFF_UP));
	}
	if (fd >= 0)
		close(fd);
}

static void print_limits(void)
{
	for (int i = 0; i < 16; i++) {
		struct rlimit l;
		if (getrlimit((__rlimit_resource_t)i, &l) == 0)
			printf("rlimit-%d %lld %lld\n", i, (long long)l.rlim_cur, (long long)l.rlim_max);
	}
}

static void print_cgroup(void)
{
	char line[512];
	FILE *f = fopen("/proc/self/cgroup", "re");

	while (f && fgets(line, sizeof(line), f))
		printf("cgroup-%s", line);
	if (f)
		fclose(f);
}

static void print_children(void)
{
	pid_t children[MOST_CHILDREN];
	int count = 0;

	while (count < MOST_CHILDREN && (children[count] = fork()) >= 0) {
		if (children[count] == 0)
			for (;;)
				pause();
		count++;
	}
	for (int i = 0; i < count; i++) {
		kill(children[i], SIGKILL);
		waitpid(children[i], NULL, 0);
	}
	printf("processes %d\n", count);
}

static void print_box(void)
{
	print_ids();
	print_status();
	print_namespaces();
	print_mounts();
	print_files();
	print_folder("/");
	print_folder("/dev");
	print_folder("/box");
	print_folder("/proc");
	print_network();
	print_limits();
	print_cgroup();
	fflush(stdout);
	print_children();
	printf("input %d\n", getchar());
	printf("end .\n");
}

static int touch(size_t mib)
{
	for (size_t i = 0; i < mib; i++) {
		char *block = malloc(1 << 20);
		if (!block)
			return 9;
		for (size_t at = 0; at < 1 << 20; at += 4096)
			block[at] = (char)(i + 1);
		*(char *volatile *)&block = block;
	}
	puts("touched");
	return 0;
}

static int print(size_t kib)
{
	char block[1024];

	memset(block, 'x', sizeof(block));
	for (size_t i = 0; i < kib; i++)
		if (write(1, block, sizeof(block)) != (ssize_t)sizeof(block))
			return 9;
	return 0;
}

int main(int argc, char **argv)
{
	int fd;

	if (argc > 2 && !strcmp(argv[1], "memory"))
		return touch((size_t)atoi(argv[2]));
	if (argc > 1 && !strcmp(argv[1], "spin"))
		for (volatile unsigned long i = 0; ; i++)
			;
	if (argc > 1 && !strcmp(argv[1], "sleep"))
		for (fork(), puts("asleep"), fflush(stdout); ; )
			pause();
	if (argc > 2 && !strcmp(argv[1], "nap")) {
		usleep((useconds_t)atoi(argv[2]) * 1000);
		argv[2] = argv[0];
		return main(argc - 2, argv + 2);
	}
	if (argc > 2 && !strcmp(argv[1], "print"))
		return print((size_t)atoi(argv[2]));
	print_box();
	fd = open("/box/made", O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
	return fd >= 0 && write(fd, "made\n", 5) == 5 ? 0 : 1;
}
