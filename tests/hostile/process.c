/* Programs that multiply, survive, or reach for processes that are not theirs. */
#include "hostile.h"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

static void fork_many(char **argv)
{
	int n = 0;

	(void)argv;
	for (pid_t pid; n < 400 && (pid = fork()) >= 0; n++)
		if (pid == 0) {
			sleep(5);
			_exit(0);
		}
	if (n >= 64)
		breach("%d children at once", n);
}

/* Every child forks too; all end after a while. */
static void fork_tree(char **argv)
{
	(void)argv;
	for (int depth = 0; depth < 10; depth++)
		(void)!fork();
	usleep(200000);
}

static void *idle(void *unused)
{
	sleep(5);
	return unused;
}

static void thread_many(char **argv)
{
	pthread_attr_t attr;
	pthread_t id;
	int n = 0;

	(void)argv;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32 << 10);
	while (n < 500 && pthread_create(&id, &attr, idle, NULL) == 0)
		n++;
	if (n >= 64)
		breach("%d threads at once", n);
}

static void zombies(char **argv)
{
	int n = 0;

	(void)argv;
	for (pid_t pid; n < 400 && (pid = fork()) >= 0; n++)
		if (pid == 0)
			_exit(n % 200);
	if (n >= 64)
		breach("%d zombies at once", n);
}

static void orphans(char **argv)
{
	(void)argv;
	for (int i = 0; i < 300; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			(void)!fork();
			_exit(0);
		}
		if (pid > 0)
			waitpid(pid, NULL, 0);
		usleep(1000);
	}
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	if (pid < 0)
		breach("orphans are not reaped: no process can be made any more");
}

/* Adopts what it can, hides below a sibling of itself, and forks on while it is being killed. */
static void survive(char **argv)
{
	(void)argv;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (syscall(SYS_clone, CLONE_PARENT, 0, 0, 0, 0) == 0 || fork() == 0) {
		setsid();
		for (int i = 0; i < 2000; i++) {
			if (fork() > 0)
				_exit(0);
			usleep(2000);
		}
		_exit(0);
	}
	usleep(50000);
}

static void vfork_hold(char **argv)
{
	(void)argv;
	pid_t pid = (pid_t)syscall(SYS_vfork);
	if (pid == 0) {
		syscall(SYS_setsid);
		for (;;)
			syscall(SYS_pause);
	}
}

static void kill_all(char **argv)
{
	(void)argv;
	if (fork() == 0) {
		kill(-1, SIGKILL);
		_exit(0);
	}
	sleep(1);
}

/* Signals that cross the pid namespace through a group or a session. */
static void signal_group(char **argv)
{
	(void)argv;
	kill(0, SIGCONT);
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	kill(-getpgrp(), SIGTERM);
	if (getpgid(0) == 0 || getsid(0) == 0)
		breach("the group or session is the outside's (pid 0 here)");
	kill(getppid(), SIGKILL);
	kill(1, SIGKILL);
	kill(1, SIGSTOP);
	usleep(100000);
}

static void default_action(char **argv)
{
	raise(atoi(argv[0]));
	breach("signal %s did nothing: this is pid %d", argv[0], getpid());
}

static void inspect_pid(pid_t pid, const char *who)
{
	static const char *const files[] = { "mem", "environ", "maps", "exe", "root", "cwd", "fd", "syscall", "stack" };
	char byte, path[64], text[64];
	struct iovec mine = { &byte, 1 }, theirs = { (void *)0x400000, 1 };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", pid, files[i]);
		int fd = open(path, O_RDONLY);
		if (fd >= 0 && (i >= 4 || pread(fd, &byte, 1, 0x400000) >= 0 || read(fd, &byte, 1) > 0))
			breach("%s of %s opened", files[i], who);
		if (fd >= 0)
			close(fd);
		if (i >= 3 && i <= 5 && readlink(path, text, sizeof(text)) > 0)
			breach("%s of %s read", files[i], who);
	}
	if (process_vm_readv(pid, &mine, 1, &theirs, 1, 0) >= 0 || errno == EFAULT)
		breach("memory of %s may be read", who);
	if (process_vm_writev(pid, &mine, 1, &theirs, 1, 0) >= 0 || errno == EFAULT)
		breach("memory of %s may be written", who);
	if (ptrace(PTRACE_SEIZE, pid, 0, 0) == 0)
		breach("%s traced", who);
	int fd = (int)syscall(434 /* pidfd_open */, pid, 0);
	for (int n = 0; fd >= 0 && n < 16; n++)
		if (syscall(438 /* pidfd_getfd */, fd, n, 0) >= 0)
			breach("descriptor %d of %s taken", n, who);
	must_fail("kcmp", syscall(SYS_kcmp, getpid(), pid, 0, 0, 0));
}

static void inspect(char **argv)
{
	(void)argv;
	inspect_pid(1, "init");
	if (getppid() > 1)
		inspect_pid(getppid(), "the parent");
}

static void foreign(char **argv)
{
	int seen = 0;

	(void)argv;
	for (pid_t pid = 1; pid < 5000; pid++)
		if (kill(pid, 0) == 0 || errno == EPERM)
			seen++;
	if (seen > 3)
		breach("%d processes may be seen", seen);
	for (pid_t pid = 1; pid < 5000; pid++) {
		char path[64];
		snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
		if (access(path, F_OK) == 0 && pid != getpid() && pid != 1 && pid != getppid())
			breach("%s is there", path);
	}
}

/* A copy of itself made set-uid, and every set-uid program of the root: none may change the ids. */
static void set_uid(char **argv)
{
	static const char *const programs[] = { "/usr/bin/su", "/usr/bin/mount", "/usr/bin/passwd", "/usr/bin/newgrp",
						"/usr/bin/sudo", "/usr/bin/chsh" };
	struct stat st;

	if (argv[0]) {
		if (geteuid() != getuid() || getegid() != getgid() || geteuid() == 0)
			breach("effective uid %u by a set-uid bit", geteuid());
		return;
	}
	must_fail("setuid(0)", setuid(0));
	must_fail("setresgid(0)", setresgid(0, 0, 0));
	must_fail("setgroups", syscall(SYS_setgroups, 1, &(gid_t){ 0 }));
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		if (stat(programs[i], &st) == 0 && fork() == 0) {
			close(0);
			execl(programs[i], programs[i], "--version", NULL);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	if (link("/proc/self/exe", "mine") < 0 && symlink("/proc/self/exe", "mine") < 0)
		return;
	(void)!chmod("mine", 06755);
	if (fork() == 0)
		execl("./mine", "mine", "set-uid", "again", NULL), _exit(0);
	wait(NULL);
}

static void cgroups(char **argv)
{
	static const char *const roots[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/memory", "/sys/fs/cgroup/pids",
					     "/sys/fs/cgroup/unified", "/box/cg" };
	char path[128], text[512] = "";

	(void)argv;
	mkdir("/box/cg", 0700);
	(void)!syscall(SYS_mount, "none", "/box/cg", "cgroup2", 0, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(roots); i++) {
		static const char *const files[] = { "memory.max", "memory.limit_in_bytes", "pids.max", "cgroup.procs",
						     "cgroup.kill", "../cgroup.procs", "tasks" };
		for (size_t j = 0; j < ARRAY_SIZE(files); j++) {
			snprintf(path, sizeof(path), "%s/%s", roots[i], files[j]);
			if (open(path, O_WRONLY) >= 0)
				breach("%s may be written", path);
		}
	}
	int fd = open("/proc/self/cgroup", O_RDONLY);
	if (fd >= 0 && read(fd, text, sizeof(text) - 1) > 0 && strstr(text, "judge"))
		breach("the cgroup's path shows: %.60s", text);
}

static const struct technique table[] = {
	{ "fork-many", fork_many }, { "fork-tree", fork_tree }, { "thread-many", thread_many },
	{ "zombies", zombies }, { "orphans", orphans }, { "survive", survive }, { "vfork-hold", vfork_hold },
	{ "kill-all", kill_all }, { "signal-group", signal_group }, { "default-action", default_action },
	{ "inspect", inspect }, { "foreign", foreign }, { "set-uid", set_uid }, { "cgroups", cgroups },
};

TECHNIQUES(table)
