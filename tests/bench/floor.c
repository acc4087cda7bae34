/*
 * What the kernel itself takes for one box, whatever program asks for it: `floor PROGRAM` makes a box
 * as small as one can be that still is one, runs the static PROGRAM in it and ends. Only system calls,
 * no decision, no message; a step that fails ends it with the step's number as exit status.
 *
 * The same parts as judge's box: seven namespaces and a pidfd in one clone3, id maps, a tmpfs root with
 * /usr, the five devices and proc in it, two more tmpfs, pivot_root, no_new_privs, a seccomp filter,
 * and an init that reaps.
 */
#include "base/array.h"
#include "base/sys.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const devices[] = { "null", "zero", "full", "random", "urandom" };
static const char *const links[] = { "bin", "sbin", "lib", "lib64" };

/* Ends the process where a call failed: nothing after it would be a box. */
static void must(int step, long result)
{
	if (result < 0)
		_exit(step);
}

static void put(int step, const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	must(step, fd);
	must(step, write(fd, text, strlen(text)));
	close(fd);
}

static void map_ids(unsigned uid, unsigned gid)
{
	char text[32];

	put(10, "/proc/self/setgroups", "deny");
	snprintf(text, sizeof(text), "65534 %u 1", uid);
	put(11, "/proc/self/uid_map", text);
	snprintf(text, sizeof(text), "65534 %u 1", gid);
	put(12, "/proc/self/gid_map", text);
}

static void lock(int step, const char *path, unsigned recursive, uint64_t flags)
{
	struct sys_mount_attr attr = { .attr_set = flags };

	must(step, sys_mount_setattr(AT_FDCWD, path, recursive, &attr, sizeof(attr)));
}

static void bind_file(int step, const char *from, const char *to, uint64_t flags)
{
	int fd = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	must(step, fd);
	close(fd);
	must(step, mount(from, to, NULL, MS_BIND, NULL));
	lock(step, to, 0, flags);
}

static void bind_usr(void)
{
	must(20, mkdir("usr", 0755));
	must(21, mount("/usr", "usr", NULL, MS_BIND | MS_REC, NULL));
	lock(22, "usr", AT_RECURSIVE, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		char target[16];

		snprintf(target, sizeof(target), "usr/%s", links[i]);
		must(23, symlink(target, links[i]));
	}
}

static void bind_devices(void)
{
	must(30, mkdir("dev", 0755));
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++) {
		char from[16];

		snprintf(from, sizeof(from), "/dev/%s", devices[i]);
		bind_file(31, from, from + 1, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
	}
}

static void make_scratch(const char *name)
{
	must(40, mkdir(name, 0755));
	must(41, mount("tmpfs", name, "tmpfs", MS_NOSUID | MS_NODEV, "size=64M,nr_inodes=4096,mode=1777"));
}

static void make_root(const char *program)
{
	int file = open(program, O_PATH | O_CLOEXEC);
	char from[32];

	must(50, file);
	snprintf(from, sizeof(from), "/proc/self/fd/%d", file);
	must(51, mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	must(52, mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755"));
	must(53, chdir("/tmp"));
	bind_usr();
	bind_devices();
	make_scratch("tmp");
	make_scratch("box");
	bind_file(54, from, "box/program", MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	must(55, mkdir("proc", 0755));
	must(56, mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "subset=pid"));
	must(57, sys_pivot_root(".", "."));
	must(58, umount2(".", MNT_DETACH));
	must(59, chdir("/box"));
	lock(60, "/", 0, MOUNT_ATTR_RDONLY);
}

static void filter_calls(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mount, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { .len = ARRAY_SIZE(code), .filter = code };

	must(70, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	must(71, syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}

static void be_init(const char *program, unsigned uid, unsigned gid)
{
	char *argv[] = { (char[]){ "program" }, NULL }, *none[] = { NULL };
	int status;
	pid_t pid;

	map_ids(uid, gid);
	make_root(program);
	pid = fork();
	must(80, pid);
	if (pid == 0) {
		filter_calls();
		must(81, execve("/box/program", argv, none));
	}
	must(82, waitpid(pid, &status, 0));
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 83);
}

int main(int argc, char **argv)
{
	unsigned uid = getuid(), gid = getgid();
	int pidfd = -1;
	siginfo_t info;
	struct clone_args args = {
		.flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC
			| CLONE_NEWUTS | CLONE_NEWCGROUP | CLONE_PIDFD,
		.pidfd = (uintptr_t)&pidfd,
		.exit_signal = SIGCHLD,
	};
	long pid;

	if (argc != 2)
		return 2;
	pid = sys_clone3(&args, sizeof(args));
	must(1, pid);
	if (pid == 0)
		be_init(argv[1], uid, gid);
	must(3, waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED));
	return info.si_code == CLD_EXITED ? info.si_status : 4;
}
