/*
 * Programs that call what a submission never needs: other ABIs, namespaces, administration, and the
 * parts of the kernel from which exploits are built. Where arguments cannot succeed, EPERM, ENOSYS or
 * EACCES say that the call is refused; another errno says that it was let in.
 */
#include "hostile.h"

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <termios.h>

static void refused(const char *what, long result)
{
	if (result >= 0)
		breach("%s succeeded", what);
	else if (errno != EPERM && errno != ENOSYS && errno != EACCES)
		breach("%s was let in (errno %d)", what, errno);
}

static void io_uring(char **argv)
{
	char parameters[256] = { 0 };

	(void)argv;
	refused("io_uring_setup", syscall(425, 8, parameters));
	refused("io_uring_enter", syscall(426, -1, 0, 0, 0, 0, 0));
	refused("io_uring_register", syscall(427, -1, 0, 0, 0));
}

static void watchers(char **argv)
{
	struct perf_event_attr perf = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(perf), .exclude_kernel = 1 };
	union bpf_attr map = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1 };

	(void)argv;
	refused("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof(map)));
	refused("perf_event_open", syscall(SYS_perf_event_open, &perf, 0, -1, -1, 0));
	refused("userfaultfd", syscall(SYS_userfaultfd, 0));
	refused("userfaultfd for user mode", syscall(SYS_userfaultfd, 1));
	must_fail("/dev/userfaultfd", open("/dev/userfaultfd", O_RDWR));
}

static void keys(char **argv)
{
	(void)argv;
	refused("add_key", syscall(SYS_add_key, "user", "hostile", "x", 1, -3));
	refused("request_key", syscall(SYS_request_key, "user", "hostile", NULL, -3));
	refused("keyctl", syscall(SYS_keyctl, 0, -3, 1));
}

static void weaken(char **argv)
{
	unsigned long flags = ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC | MMAP_PAGE_ZERO;

	(void)argv;
	personality(flags);
	if (mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
		breach("page zero mapped");
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		breach("no_new_privs is not set");
	must_fail("PR_SET_MM", prctl(PR_SET_MM, PR_SET_MM_BRK, 0, 0, 0));
	must_fail("raising an ambient capability", prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0));
	must_fail("clearing no_new_privs", prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0));
	must_fail("securebits", prctl(PR_SET_SECUREBITS, 0));
	must_fail("seccomp switched off", prctl(PR_SET_SECCOMP, 0, NULL, 0, 0));
}

static void namespaces(char **argv)
{
	static const char *const kinds[] = { "user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time" };
	static const int flags[] = { CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS,
				     CLONE_NEWCGROUP, 0x80 /* CLONE_NEWTIME */ };

	(void)argv;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		char path[64];
		must_fail(kinds[i], unshare(flags[i]));
		must_fail(kinds[i], unshare(CLONE_NEWUSER | flags[i]));
		snprintf(path, sizeof(path), "/proc/1/ns/%s", kinds[i]);
		int fd = open(path, O_RDONLY);
		if (fd >= 0)
			must_fail(path, setns(fd, 0));
		struct clone_args args = { .flags = (unsigned long long)flags[i] | CLONE_NEWUSER, .exit_signal = SIGCHLD };
		long pid = flags[i] == 0x80 ? -1 : syscall(SYS_clone3, &args, sizeof(args));
		if (pid == 0)
			_exit(0);
		if (pid > 0)
			breach("clone3 with a new %s namespace", kinds[i]);
	}
	int pidfd = (int)syscall(434 /* pidfd_open */, 1, 0);
	if (pidfd >= 0)
		must_fail("setns by a pidfd of init", setns(pidfd, CLONE_NEWNS | CLONE_NEWNET));
}

static void administration(char **argv)
{
	(void)argv;
	refused("reboot", syscall(SYS_reboot, 0xfee1dead, 672274793, 0, 0));
	refused("swapon", syscall(SYS_swapon, "/none", 0));
	refused("swapoff", syscall(SYS_swapoff, "/none"));
	refused("init_module", syscall(SYS_init_module, NULL, 0, ""));
	refused("finit_module", syscall(SYS_finit_module, -1, "", 0));
	refused("delete_module", syscall(SYS_delete_module, "none", 0));
	refused("kexec_load", syscall(SYS_kexec_load, 0, 0, NULL, 0));
	refused("acct", syscall(SYS_acct, "/none"));
	refused("quotactl", syscall(SYS_quotactl, 0x800002, "/none", 0, NULL));
	refused("sethostname", sethostname("x", 1));
	refused("setdomainname", setdomainname("x", 1));
	refused("syslog", syscall(SYS_syslog, 3, (char[8]){ 0 }, 8));
	refused("vhangup", syscall(SYS_vhangup));
	refused("lookup_dcookie", syscall(SYS_lookup_dcookie, 0, NULL, 0));
#ifdef __x86_64__
	refused("iopl", syscall(SYS_iopl, 3));
	refused("ioperm", syscall(SYS_ioperm, 0x80, 1, 1));
	refused("modify_ldt", syscall(SYS_modify_ldt, 1, (int[4]){ 0 }, 16));
#endif
}

#ifdef __x86_64__
/* The 32-bit table has other numbers: 5 is open there, 20 getpid. */
static void abi_i386(char **argv)
{
	long result;

	(void)argv;
	char *path = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (path == MAP_FAILED)
		return;
	strcpy(path, "/etc/passwd");
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
	if (result == getpid())
		breach("a 32-bit getpid answered");
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(5), "b"(path), "c"(0), "d"(0) : "memory", "r8", "r9", "r10", "r11");
	if (result >= 0)
		breach("a 32-bit open answered");
}

static void abi_x32(char **argv)
{
	(void)argv;
	if (syscall(0x40000000 | SYS_getpid) == getpid())
		breach("an x32 getpid answered");
	if (syscall(0x40000000 | SYS_open, "/etc/passwd", O_RDONLY) >= 0)
		breach("an x32 open answered");
}

static void vsyscall(char **argv)
{
	time_t (*call)(time_t *) = (time_t (*)(time_t *))0xffffffffff600400;

	(void)argv;
	time_t now = call(NULL);
	if (now > 0 && labs((long)(now - time(NULL))) > 2)
		breach("the vsyscall page has another time");
}
#endif

static void terminal(char **argv)
{
	(void)argv;
	for (int fd = 0; fd < 3; fd++) {
		char c = '#', line[] = { 3 };
		must_fail("TIOCSTI", ioctl(fd, TIOCSTI, &c));
		must_fail("TIOCSTI with high bits", syscall(SYS_ioctl, fd, 0x100000000UL | TIOCSTI, &c));
		must_fail("TIOCLINUX", ioctl(fd, TIOCLINUX, line));
		must_fail("TIOCSCTTY", ioctl(fd, TIOCSCTTY, 1));
		must_fail("TIOCCONS", ioctl(fd, TIOCCONS));
	}
	must_fail("/dev/tty", open("/dev/tty", O_RDWR));
	must_fail("/dev/ptmx", open("/dev/ptmx", O_RDWR));
	must_fail("/dev/console", open("/dev/console", O_RDWR));
}

/* Every number with useless arguments, each in a child that may die; none may hang or hurt the box. */
static void sweep(char **argv)
{
	int died = 0, answered = 0;

	(void)argv;
	for (int number = 0; number < 600; number++) {
		if (number == SYS_pause || number == SYS_rt_sigsuspend || number == SYS_select)
			continue;
		pid_t pid = fork();
		if (pid == 0) {
			alarm(1);
			syscall(number, -1L, -1L, -1L, -1L, -1L, -1L);
			_exit(errno == ENOSYS || errno == EPERM);
		}
		int status = 0;
		if (pid > 0 && waitpid(pid, &status, 0) == pid) {
			died += WIFSIGNALED(status);
			answered += WIFEXITED(status) && WEXITSTATUS(status) == 0;
		}
	}
	printf("swept: %d answered, %d died\n", answered, died);
}

static const struct technique table[] = {
	{ "io-uring", io_uring }, { "watchers", watchers }, { "keys", keys }, { "weaken", weaken },
	{ "namespaces", namespaces }, { "administration", administration }, { "terminal", terminal }, { "sweep", sweep },
#ifdef __x86_64__
	{ "abi-i386", abi_i386 }, { "abi-x32", abi_x32 }, { "vsyscall", vsyscall },
#endif
};

TECHNIQUES(table)
