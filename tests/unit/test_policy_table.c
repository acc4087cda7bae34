/*
 * The whitelists: every call against a table, by an interpreter for both architectures and natively by real
 * calls (also i386 and x32 ones) that never reach the kernel's code; and arguments at their bounds.
 */
#include "base/array.h"
#include "seccomp/filter.h"
#include "seccomp/filter_table.h"
#include "tests/unit/bpf_run.h"
#include "tests/unit/policy_table.h"

#include <linux/audit.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define NEWEST 469
#define BEYOND 520		/* so far beyond the newest is looked */
#define HIGH (1ull << 32)
#define ONES UINT64_MAX
#define X32 0x40000000

static const char *const names[WHITELISTS] = { "native", "runtime", "compile" };
/* To a number that has no row. */
static const int initial[WHITELISTS] = { KILL, ENOSYS, ENOSYS };

enum { X86_64, AARCH64, ARCHS };

static const struct {
	const char *name;
	const struct filter *filters;
	uint32_t audit;
} archs[ARCHS] = {
	[X86_64] = { "x86_64", filters_x86_64, AUDIT_ARCH_X86_64 },
	[AARCH64] = { "aarch64", filters_aarch64, AUDIT_ARCH_AARCH64 },
};

/* Calls whose arguments matter, and their numbers. */
enum { CLONE, MMAP, MPROTECT, MADVISE, FCNTL, IOCTL, PRCTL, PRLIMIT64, PERSONALITY, MKNODAT, SOCKET, SOCKETPAIR,
       SENDTO, SETSOCKOPT, SCHED_SETSCHEDULER, ARCH_PRCTL, CHMOD, FCHMOD, FCHMODAT, FCHMODAT2, CREAT, OPEN, OPENAT, MKNOD, MKDIR,
       MKDIRAT, CALLS };

static const int numbers[CALLS][ARCHS] = {
	[CLONE] = { 56, 220 }, [MMAP] = { 9, 222 }, [MPROTECT] = { 10, 226 }, [MADVISE] = { 28, 233 },
	[FCNTL] = { 72, 25 }, [IOCTL] = { 16, 29 }, [PRCTL] = { 157, 167 }, [PRLIMIT64] = { 302, 261 },
	[PERSONALITY] = { 135, 92 }, [MKNODAT] = { 259, 33 }, [SOCKET] = { 41, 198 },
	[SOCKETPAIR] = { 53, 199 }, [SENDTO] = { 44, 206 }, [SETSOCKOPT] = { 54, 208 },
	[SCHED_SETSCHEDULER] = { 144, 119 }, [ARCH_PRCTL] = { 158, -1 },
	[CHMOD] = { 90, -1 }, [FCHMOD] = { 91, 52 }, [FCHMODAT] = { 268, 53 }, [FCHMODAT2] = { 452, 452 },
	[CREAT] = { 85, -1 }, [OPEN] = { 2, -1 }, [OPENAT] = { 257, 56 }, [MKNOD] = { 133, -1 },
	[MKDIR] = { 83, -1 }, [MKDIRAT] = { 258, 34 },
};

/* Numbers, not the names of headers: the policies' own names must be right too. */
static const struct argument_row {
	const char *what;
	int call;
	uint64_t args[6];
	int answer[WHITELISTS];
} argument_rows[] = {
	{ "a thread of glibc", CLONE, { 0x3d0f00 }, { OK, OK, OK } },
	{ "a thread of musl", CLONE, { 0x7d0f00 }, { OK, OK, OK } },
	{ "a thread of Go", CLONE, { 0x50f00 }, { OK, OK, OK } },
	{ "fork", CLONE, { 0x1200011 }, { OK, OK, OK } },
	{ "posix_spawn", CLONE, { 0x4111 }, { OK, OK, OK } },
	{ "Go's child with a pidfd", CLONE, { 0x5111 }, { OK, OK, OK } },
	{ "a mount namespace", CLONE, { 0x20011 }, { KILL, KILL, KILL } },
	{ "a cgroup namespace", CLONE, { 0x02000011 }, { KILL, KILL, KILL } },
	{ "a UTS namespace", CLONE, { 0x04000011 }, { KILL, KILL, KILL } },
	{ "an IPC namespace", CLONE, { 0x08000011 }, { KILL, KILL, KILL } },
	{ "a user namespace", CLONE, { 0x10000011 }, { KILL, KILL, KILL } },
	{ "a PID namespace", CLONE, { 0x20000011 }, { KILL, KILL, KILL } },
	{ "a network namespace", CLONE, { 0x40000011 }, { KILL, KILL, KILL } },
	{ "a thread in a user namespace, high bits", CLONE, { 0x103d0f00 | HIGH }, { KILL, KILL, KILL } },
	{ "high bits alone", CLONE, { 0x11 | HIGH }, { KILL, KILL, KILL } },
	{ "a traced child", CLONE, { 0x2011 }, { KILL, KILL, KILL } },
	{ "another's child", CLONE, { 0x8011 }, { KILL, KILL, KILL } },
	{ "an untraced child", CLONE, { 0x800011 }, { KILL, KILL, KILL } },
	{ "flags in another argument", CLONE, { 0x11, 0x10000000 }, { OK, OK, OK } },

	{ "memory", MMAP, { 0, 4096, 3, 0x22, ONES }, { OK, OK, OK } },
	{ "code", MMAP, { 0, 4096, 5, 0x22, ONES }, { KILL, OK, OK } },
	{ "code alone", MMAP, { 0, 4096, 4, 0x22, ONES }, { KILL, OK, OK } },
	{ "every right but to execute", MMAP, { 0, 4096, ~4ull, 0x22, ONES }, { OK, OK, OK } },
	{ "code, high bits", MMAP, { 0, 4096, 7 | HIGH, 0x22, ONES }, { KILL, OK, OK } },
	{ "huge pages", MMAP, { 0, 4096, 3, 0x40022, ONES }, { ENOMEM, ENOMEM, ENOMEM } },
	{ "huge pages of code", MMAP, { 0, 4096, 7, 0x40022, ONES }, { KILL, ENOMEM, ENOMEM } },
	{ "every flag but MAP_HUGETLB", MMAP, { 0, 4096, 3, ~0x40000ull, ONES }, { OK, OK, OK } },
	{ "a length like PROT_EXEC", MMAP, { 4, 4, 3, 4, 4, 4 }, { OK, OK, OK } },
	{ "a guard page", MPROTECT, { 4, 4096, 0 }, { OK, OK, OK } },
	{ "read and write", MPROTECT, { 0, 4, 3 }, { OK, OK, OK } },
	{ "code", MPROTECT, { 0, 4096, 5 }, { KILL, OK, OK } },
	{ "code, high bits", MPROTECT, { 0, 4096, 4 | HIGH }, { KILL, OK, OK } },
	{ "MADV_FREE", MADVISE, { 0, 4096, 8 }, { OK, OK, OK } },
	{ "MADV_HUGEPAGE", MADVISE, { 0, 4096, 14 }, { OK, OK, OK } },
	{ "MADV_MERGEABLE", MADVISE, { 0, 4096, 12 | HIGH }, { EINVAL, EINVAL, EINVAL } },
	{ "MADV_HWPOISON", MADVISE, { 0, 4096, 100 }, { EINVAL, EINVAL, EINVAL } },

	{ "F_DUPFD", FCNTL, { 0, 0 }, { OK, OK, OK } },
	{ "F_SETFL", FCNTL, { 0, 4 }, { OK, OK, OK } },
	{ "F_DUPFD_CLOEXEC, high bits", FCNTL, { 0, 1030 | HIGH }, { OK, OK, OK } },
	{ "F_GETLK", FCNTL, { 0, 5 }, { ENOLCK, ENOLCK, OK } },
	{ "F_SETLK", FCNTL, { 0, 6 }, { ENOLCK, ENOLCK, OK } },
	{ "F_SETLKW, high bits", FCNTL, { 0, 7 | HIGH }, { ENOLCK, ENOLCK, OK } },
	{ "F_OFD_GETLK", FCNTL, { 0, 36 }, { ENOLCK, ENOLCK, OK } },
	{ "F_OFD_SETLK", FCNTL, { 0, 37 }, { ENOLCK, ENOLCK, OK } },
	{ "F_OFD_SETLKW", FCNTL, { 0, 38 }, { ENOLCK, ENOLCK, OK } },
	{ "one beyond F_OFD_SETLKW", FCNTL, { 0, 39 }, { KILL, ENOSYS, ENOSYS } },
	{ "F_SETLEASE", FCNTL, { 0, 1024 }, { KILL, EINVAL, EINVAL } },
	{ "F_SETLEASE, high bits", FCNTL, { 0, 1024 | HIGH }, { KILL, EINVAL, EINVAL } },
	{ "F_NOTIFY", FCNTL, { 0, 1026 }, { KILL, EINVAL, EINVAL } },
	{ "F_SETPIPE_SZ", FCNTL, { 0, 1031 }, { EPERM, OK, OK } },
	{ "F_SETOWN", FCNTL, { 0, 8 }, { KILL, OK, OK } },
	{ "F_SETSIG", FCNTL, { 0, 10 }, { KILL, ENOSYS, ENOSYS } },

	{ "TCGETS", IOCTL, { 0, 0x5401 }, { OK, OK, OK } },
	{ "TCGETS2", IOCTL, { 0, 0x802c542a }, { OK, OK, OK } },
	{ "FIONREAD, high bits", IOCTL, { 0, 0x541b | HIGH }, { OK, OK, OK } },
	{ "TCSETS", IOCTL, { 0, 0x5402 }, { ENOTTY, ENOTTY, ENOTTY } },
	{ "TIOCSTI", IOCTL, { 0, 0x5412 }, { KILL, KILL, KILL } },
	{ "TIOCSTI, high bits", IOCTL, { 0, 0x5412 | HIGH }, { KILL, KILL, KILL } },
	{ "TIOCLINUX", IOCTL, { 0, 0x541c | HIGH }, { KILL, KILL, KILL } },
	{ "TIOCSCTTY", IOCTL, { 0, 0x540e }, { KILL, KILL, KILL } },
	{ "TIOCCONS", IOCTL, { 0, 0x541d }, { KILL, KILL, KILL } },
	{ "TIOCSETD", IOCTL, { 0, 0x5423 }, { KILL, KILL, KILL } },
	{ "a network device", IOCTL, { 0, 0x8912 }, { ENOTTY, ENOTTY, ENOTTY } },
	{ "FICLONE", IOCTL, { 0, 0x40049409 }, { ENOTTY, ENOTTY, ENOTTY } },

	{ "PR_SET_NAME", PRCTL, { 15 }, { OK, OK, OK } },
	{ "PR_SET_VMA", PRCTL, { 0x53564d41 }, { OK, OK, OK } },
	{ "PR_SET_NO_NEW_PRIVS", PRCTL, { 38, 1 }, { OK, OK, OK } },
	{ "PR_SET_SECCOMP", PRCTL, { 22, 2 }, { EINVAL, EINVAL, EINVAL } },
	{ "PR_CAP_AMBIENT", PRCTL, { 47, 2 }, { EINVAL, EINVAL, EINVAL } },
	{ "PR_SET_MM, high bits", PRCTL, { 35 | HIGH }, { EINVAL, EINVAL, EINVAL } },
	{ "PR_SET_PTRACER", PRCTL, { 0x59616d61 }, { EINVAL, EINVAL, EINVAL } },
	{ "PR_SET_SPECULATION_CTRL", PRCTL, { 53 }, { EINVAL, EINVAL, EINVAL } },
	{ "PR_SCHED_CORE", PRCTL, { 62 }, { EINVAL, EINVAL, EINVAL } },
	{ "ARCH_SET_FS", ARCH_PRCTL, { 0x1002 }, { OK, OK, OK } },
	{ "ARCH_SET_CPUID", ARCH_PRCTL, { 0x1012 }, { EINVAL, EINVAL, EINVAL } },

	{ "pid 0, high bits", PRLIMIT64, { HIGH, 7 }, { OK, OK, OK } },
	{ "pid 1", PRLIMIT64, { 1, 7 }, { EPERM, EPERM, EPERM } },
	{ "PER_LINUX", PERSONALITY, { 0 }, { KILL, OK, OK } },
	{ "ADDR_NO_RANDOMIZE", PERSONALITY, { 0x40000 }, { KILL, EPERM, EPERM } },
	{ "READ_IMPLIES_EXEC, high bits", PERSONALITY, { 0x400000 | HIGH }, { KILL, EPERM, EPERM } },
	{ "the question as -1", PERSONALITY, { ONES }, { OK, OK, OK } },
	{ "SCHED_BATCH", SCHED_SETSCHEDULER, { 0, 3 }, { OK, OK, OK } },
	{ "SCHED_FIFO, high bits", SCHED_SETSCHEDULER, { 0, 1 | HIGH }, { EPERM, EPERM, EPERM } },
	{ "a FIFO", MKNODAT, { 0, 0, 010644 }, { OK, OK, OK } },
	{ "a file", MKNODAT, { 0, 0, 0100644 | HIGH }, { OK, OK, OK } },
	{ "a character device", MKNODAT, { 0, 0, 020644, 0x103 }, { EPERM, EPERM, EPERM } },
	{ "a block device, bit 16 set", MKNODAT, { 0, 0, 0260644, 0x801 }, { EPERM, EPERM, EPERM } },

	{ "every bit but set-id", CHMOD, { 0, ~06000ull }, { OK, OK, OK } },
	{ "set-user-ID", CHMOD, { 0, 04755 }, { EPERM, EPERM, EPERM } },
	{ "set-group-ID, high bits", CHMOD, { 0, 02755 | HIGH }, { EPERM, EPERM, EPERM } },
	{ "set-ids in the high half only", CHMOD, { 0, 06000 * HIGH }, { OK, OK, OK } },
	{ "the descriptor 06000", FCHMOD, { 06000, 0755 }, { OK, OK, OK } },
	{ "set-user-ID", FCHMOD, { 3, 0104755 }, { EPERM, EPERM, EPERM } },
	{ "set-group-ID", FCHMODAT, { 3, 0, 02070 }, { EPERM, EPERM, EPERM } },
	{ "plain", FCHMODAT, { 3, 0, 01777, 06000 }, { OK, OK, OK } },
	{ "set-user-ID", FCHMODAT2, { 3, 0, 04000, 0x100 }, { EPERM, EPERM, EPERM } },
	{ "set-user-ID", CREAT, { 0, 04644 }, { EPERM, EPERM, EPERM } },
	{ "plain", CREAT, { 0, 0666 }, { OK, OK, OK } },
	{ "to read, with a mode of garbage", OPEN, { 0, 0, 06777 }, { OK, OK, OK } },
	{ "O_DIRECTORY of x86, with a mode of garbage", OPEN, { 0, 0200000, 06777 }, { OK, OK, OK } },
	{ "O_CREAT, plain", OPEN, { 0, 0101, 0644 }, { OK, OK, OK } },
	{ "O_CREAT, set-user-ID", OPEN, { 0, 0101, 04755 }, { EPERM, EPERM, EPERM } },
	{ "O_TMPFILE, set-group-ID", OPEN, { 0, 020200002, 02755 }, { EPERM, EPERM, EPERM } },
	{ "to read, with a mode of garbage", OPENAT, { 3, 0, 02000000, ONES }, { OK, OK, OK } },
	{ "O_CREAT, every bit but set-id", OPENAT, { 3, 0, 0100 | HIGH, ~06000ull }, { OK, OK, OK } },
	{ "O_CREAT, set-group-ID, high bits", OPENAT, { 3, 0, 0101 | HIGH, 02644 | HIGH }, { EPERM, EPERM, EPERM } },
	{ "O_TMPFILE of aarch64, set-user-ID", OPENAT, { 3, 0, 020040002, 04700 }, { EPERM, EPERM, EPERM } },
	{ "O_CREAT in the high half only", OPENAT, { 3, 0, 0100 * HIGH, 04700 }, { OK, OK, OK } },
	{ "a file with set-user-ID", MKNOD, { 0, 0104755 }, { EPERM, EPERM, EPERM } },
	{ "a file", MKNOD, { 0, 0100755 }, { OK, OK, OK } },
	{ "a FIFO with set-group-ID", MKNODAT, { 3, 0, 012644 }, { EPERM, EPERM, EPERM } },
	{ "set-group-ID, which the kernel leaves out", MKDIR, { 0, 02755 }, { OK, OK, OK } },
	{ "set-group-ID, which the kernel leaves out", MKDIRAT, { 3, 0, 02755 }, { OK, OK, OK } },

	{ "AF_UNIX", SOCKET, { 1, 1 }, { EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT } },
	{ "AF_INET", SOCKET, { 2, 1 }, { KILL, EAFNOSUPPORT, EAFNOSUPPORT } },
	{ "AF_INET, high bits", SOCKET, { 2 | HIGH, 1 }, { KILL, EAFNOSUPPORT, EAFNOSUPPORT } },
	{ "AF_ALG", SOCKET, { 38, 5 }, { KILL, EAFNOSUPPORT, EAFNOSUPPORT } },
	{ "a stream pair", SOCKETPAIR, { 1, 1 }, { KILL, OK, OK } },
	{ "a stream pair, high bits", SOCKETPAIR, { 1 | HIGH, 1 | HIGH }, { KILL, OK, OK } },
	{ "a packet pair, CLOEXEC, NONBLOCK", SOCKETPAIR, { 1, 0x80805 }, { KILL, OK, OK } },
	{ "a datagram pair", SOCKETPAIR, { 1, 0x80002 }, { KILL, EAFNOSUPPORT, EAFNOSUPPORT } },
	{ "a pair of TIPC", SOCKETPAIR, { 30, 1 }, { KILL, EAFNOSUPPORT, EAFNOSUPPORT } },
	{ "to the other end", SENDTO, { 3, 1, 1, 0x4000, 0, 0 }, { OK, OK, OK } },
	{ "to an address", SENDTO, { 3, 1, 1, 0, 0x1000, 16 }, { KILL, EPERM, EPERM } },
	{ "to an address of high bits only", SENDTO, { 3, 1, 1, 0, HIGH, 16 }, { KILL, EPERM, EPERM } },
	{ "SO_SNDBUF", SETSOCKOPT, { 3, 1, 7 }, { KILL, OK, OK } },
	{ "SO_ATTACH_FILTER, high bits", SETSOCKOPT, { 3, 1 | HIGH, 26 | HIGH }, { KILL, EPERM, EPERM } },
	{ "SO_ATTACH_BPF", SETSOCKOPT, { 3, 1, 50 }, { KILL, EPERM, EPERM } },
	{ "its number at another level", SETSOCKOPT, { 3, 6, 50 }, { KILL, OK, OK } },
};

/* By hand, and not from the table: in no whitelist allowed, whatever the arguments are. */
static const char *const never[] = {
	"unshare", "setns", "clone3", "mount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr",
	"move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "ptrace", "process_vm_readv",
	"process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd", "add_key", "request_key", "keyctl", "bpf",
	"perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "init_module",
	"finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff",
	"clock_settime", "settimeofday", "adjtimex", "clock_adjtime", "name_to_handle_at", "open_by_handle_at",
	"fanotify_init", "fanotify_mark", "inotify_init1", "inotify_add_watch", "acct", "quotactl", "quotactl_fd",
	"sethostname", "setdomainname", "syslog", "vhangup", "setuid", "setgid", "setreuid", "setregid",
	"setresuid", "setresgid", "setfsuid", "setfsgid", "setgroups", "capset", "msgget", "msgsnd", "msgrcv",
	"semget", "semop", "semtimedop", "shmget", "shmat", "mq_open", "mq_timedsend", "mq_timedreceive",
	"socket", "connect", "bind", "listen", "accept", "accept4", "memfd_create", "memfd_secret", "execveat",
	"sched_setaffinity", "sched_setattr", "ioprio_set", "mbind", "set_mempolicy", "move_pages",
	"migrate_pages", "seccomp", "sync", "syncfs", "io_setup", "io_submit", "modify_ldt", "iopl", "ioperm",
	"remap_file_pages", "vmsplice", "tee", "splice", "cachestat", "lookup_dcookie", "uselib",
};

/* The kernel's per-call cache takes only what is allowed without a look at an argument. */
static const char *const constant[] = {
	"read", "write", "readv", "writev", "pread64", "pwrite64", "lseek", "brk", "munmap", "mremap", "futex",
	"clock_gettime", "gettimeofday", "getppid", "getpid", "gettid", "sched_yield", "rt_sigprocmask",
	"rt_sigreturn", "ppoll", "epoll_pwait", "nanosleep", "clock_nanosleep", "getrandom", "close", "fstat",
	"newfstatat",
};

static const struct filter *find(int arch, int policy)
{
	const struct filter *f = archs[arch].filters;

	while (f->name && strcmp(f->name, names[policy]) != 0)
		f++;
	assert_non_null(f->name);
	return f;
}

static int run(const struct filter *f, uint32_t audit, uint32_t number, const uint64_t args[6])
{
	struct seccomp_data d = { .nr = (int)number, .arch = audit };
	uint32_t value;

	memcpy(d.args, args, sizeof(d.args));
	value = bpf_run(f->code, f->length, &d, NULL);
	if (value == SECCOMP_RET_ALLOW)
		return OK;
	if (value == SECCOMP_RET_KILL_PROCESS)
		return KILL;
	assert_int_equal(value & SECCOMP_RET_ACTION_FULL, SECCOMP_RET_ERRNO);
	return (int)(value & SECCOMP_RET_DATA);
}

static const uint64_t zeros[6], ones[6] = { ONES, ONES, ONES, ONES, ONES, ONES };

static const struct table_row *row_of(int arch, int number)
{
	for (size_t i = 0; number >= 0 && i < ARRAY_SIZE(table_rows); i++)
		if (table_rows[i].number[arch] == number)
			return &table_rows[i];
	return NULL;
}

static const struct table_row *row_named(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(table_rows); i++)
		if (strcmp(table_rows[i].name, name) == 0)
			return &table_rows[i];
	fail_msg("no row for %s", name);
	return NULL;
}

/* `full`: all bits of the arguments are one. */
static int expected(int arch, int policy, int number, bool full)
{
	const struct table_row *row = row_of(arch, number);

	return row ? row->answer[policy][full] : number > NEWEST || number < 0 ? ENOSYS : initial[policy];
}

static void every_call_is_as_the_table_has_it(void **state)
{
	(void)state;
	for (int arch = 0; arch < ARCHS; arch++)
		for (int policy = 0; policy < WHITELISTS; policy++)
			for (int n = -1; n <= BEYOND; n++)
				for (int full = 0; full < 2; full++) {
					const int found = run(find(arch, policy), archs[arch].audit, (uint32_t)n,
							      full ? ones : zeros);

					if (found != expected(arch, policy, n, full))
						fail_msg("%s, %s, call %d, arguments %s: expected %d, found %d",
							 names[policy], archs[arch].name, n, full ? "ones" : "zeros",
							 expected(arch, policy, n, full), found);
				}
}

static void arguments_decide(void **state)
{
	(void)state;
	for (int arch = 0; arch < ARCHS; arch++)
		for (int policy = 0; policy < WHITELISTS; policy++)
			for (size_t i = 0; i < ARRAY_SIZE(argument_rows); i++) {
				const struct argument_row *row = &argument_rows[i];
				const int number = numbers[row->call][arch];
				int found;

				if (number < 0)
					continue;
				found = run(find(arch, policy), archs[arch].audit, (uint32_t)number, row->args);
				if (found != row->answer[policy])
					fail_msg("%s, %s, call %d, %s: expected %d, found %d", names[policy],
						 archs[arch].name, number, row->what, row->answer[policy], found);
			}
}

/* Every combination of plain and telling values that few conditions would see through. */
static void no_argument_opens_what_is_closed(void **state)
{
	static const uint64_t values[] = { 0, 1, 2, 8, 0x10000, 0xffffffff, HIGH, ONES };

	(void)state;
	for (int arch = 0; arch < ARCHS; arch++)
		for (size_t i = 0; i < ARRAY_SIZE(never); i++)
			for (int policy = 0; policy < WHITELISTS; policy++)
				for (unsigned mix = 0; mix < 512 * 8; mix++) {
					const struct table_row *row = row_named(never[i]);
					const uint64_t args[6] = { values[mix & 7], values[mix >> 3 & 7],
								   values[mix >> 6 & 7], values[mix >> 9 & 7] };

					if (row->number[arch] >= 0 &&
					    run(find(arch, policy), archs[arch].audit, (uint32_t)row->number[arch],
						args) == OK)
						fail_msg("%s allows %s on %s", names[policy], never[i],
							 archs[arch].name);
				}
}

/* As the kernel finds it out (seccomp_is_const_allow): by running the filter with no arguments to look at. */
static bool constant_allow(const struct filter *f, int number, uint32_t audit)
{
	const struct seccomp_data d = { .nr = number, .arch = audit };
	uint32_t a = 0;

	for (size_t at = 0; at < f->length; at++) {
		const struct sock_filter *i = &f->code[at];
		bool taken;

		switch (i->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			if (i->k > offsetof(struct seccomp_data, arch))
				return false;
			memcpy(&a, (const char *)&d + i->k, sizeof(a));
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= i->k;
			break;
		case BPF_RET | BPF_K:
			return i->k == SECCOMP_RET_ALLOW;
		case BPF_JMP | BPF_JA:
			at += i->k;
			break;
		default:
			taken = BPF_OP(i->code) == BPF_JEQ ? a == i->k : BPF_OP(i->code) == BPF_JGE ? a >= i->k :
				BPF_OP(i->code) == BPF_JGT ? a > i->k : (a & i->k) != 0;
			at += taken ? i->jt : i->jf;
		}
	}
	return false;
}

static void hot_calls_are_allowed_at_constant_cost(void **state)
{
	(void)state;
	for (int arch = 0; arch < ARCHS; arch++)
		for (int policy = 0; policy < WHITELISTS; policy++)
			for (size_t i = 0; i < ARRAY_SIZE(constant); i++) {
				const int number = row_named(constant[i])->number[arch];

				if (number >= 0 && !constant_allow(find(arch, policy), number, archs[arch].audit))
					fail_msg("%s, %s: the kernel would not cache %s", names[policy],
						 archs[arch].name, constant[i]);
			}
}

static void other_architectures_and_x32_are_killed(void **state)
{
	static const uint32_t audits[] = { AUDIT_ARCH_I386, AUDIT_ARCH_ARM, AUDIT_ARCH_X86_64,
					   AUDIT_ARCH_AARCH64, 0, UINT32_MAX };

	(void)state;
	for (int arch = 0; arch < ARCHS; arch++)
		for (int policy = 0; policy < WHITELISTS; policy++)
			for (int n = -1; n <= BEYOND; n++) {
				const struct filter *f = find(arch, policy);

				for (size_t i = 0; i < ARRAY_SIZE(audits); i++)
					if (audits[i] != archs[arch].audit)
						assert_int_equal(run(f, audits[i], (uint32_t)n, zeros), KILL);
				if (arch == X86_64 && n >= 0)
					assert_int_equal(run(f, archs[arch].audit, (uint32_t)n | X32, zeros), KILL);
			}
}

static void notices_take_the_place_of_kills(void **state)
{
	(void)state;
	for (int arch = 0; arch < ARCHS; arch++)
		for (const struct filter *f = archs[arch].filters; f->name; f++) {
			struct sock_filter *code = calloc(f->length, sizeof(*code));
			size_t notices = 0;

			assert_non_null(code);
			filter_copy_notifying(f, code);
			for (size_t i = 0; i < f->length; i++) {
				const bool kill = f->code[i].code == (BPF_RET | BPF_K) &&
						  f->code[i].k == SECCOMP_RET_KILL_PROCESS;

				assert_int_equal(code[i].k, kill ? SECCOMP_RET_USER_NOTIF : f->code[i].k);
				assert_int_equal(code[i].code, f->code[i].code);
				assert_int_equal(code[i].jt, f->code[i].jt);
				assert_int_equal(code[i].jf, f->code[i].jf);
				notices += kill;
			}
			assert_in_range(notices, 1, f->length);
			free(code);
		}
}

/* ---- the real kernel: under the policy's filter lies an older one that answers REACHED where the policy allows,
   since of two errnos the newer filter's counts (seccomp_run_filters). So no call is carried out. */

#define REACHED 3999
#define LET_THROUGH 0x1e7ull	/* as the sixth argument: the sweep's own calls */
#define UNSEEN (-2)

enum abi { ABI_NATIVE, ABI_X32, ABI_I386 };

struct sweep {
	const char *policy;
	enum abi abi;
	bool full;
	int next;			/* the call being made */
	int answer[BEYOND + 1];
};

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))

static bool load(struct sock_filter *code, unsigned short length)
{
	struct sock_fprog program = { .len = length, .filter = code };

	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program, 0, 0, LET_THROUGH) == 0;
}

static bool load_both(const char *policy)
{
	const struct filter *f = filter_find(policy);
	struct sock_filter probe[] = {
		LOAD(args[5]),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, LET_THROUGH, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | REACHED),
	};

	return f && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && load(probe, ARRAY_SIZE(probe)) &&
	       load((struct sock_filter *)(uintptr_t)f->code, f->length);
}

static int call_i386(int number)
{
#ifdef __x86_64__
	long result = number;

	__asm__ volatile("int $0x80" : "+a"(result) : "b"(0), "c"(0), "d"(0), "S"(0), "D"(0)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)result < 0 ? -(int)result : OK;
#else
	return number < 0;
#endif
}

/* uretprobe and uprobe of x86_64: since 6.14 the kernel asks no filter about them, and ends whoever makes
   them without a probe (its commit cf6cb56ef244). */
static bool beside_filters(const struct sweep *s, int number)
{
	return s->abi == ABI_NATIVE && (number == 335 || number == 336);
}

static int call(const struct sweep *s, int number)
{
	const unsigned long a = s->full ? ~0ul : 0;
	const long n = s->abi == ABI_X32 ? number | X32 : number;

	if (s->abi == ABI_I386)
		return call_i386(number);
	return syscall(n, a, a, a, a, a, a) < 0 ? errno : UNSEEN;
}

/* One child until it is killed; the next goes on behind that call. */
static void sweep_once(struct sweep *s)
{
	int status = 0;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		if (!load_both(s->policy))
			_exit(1);
		for (; s->next <= BEYOND; s->next++) {
			int answer;

			if (beside_filters(s, s->next))
				continue;
			answer = call(s, s->next);
			s->answer[s->next] = answer == REACHED ? OK : answer;
		}
		syscall(SYS_exit_group, 0, 0, 0, 0, 0, LET_THROUGH);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
		s->answer[s->next++] = KILL;
	else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("%s: call %d: wait status %#x", s->policy, s->next, (unsigned)status);
}

static void sweep(const char *policy, enum abi abi, bool full, struct sweep *s)
{
	*s = (struct sweep){ .policy = policy, .abi = abi, .full = full };
	for (int n = 0; n <= BEYOND; n++)
		s->answer[n] = UNSEEN;
	while (s->next <= BEYOND)
		sweep_once(s);
}

static struct sweep *sweep_new(void)
{
	struct sweep *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(s, MAP_FAILED);
	return s;
}

#ifdef __x86_64__
#define ARCH_HERE X86_64
#else
#define ARCH_HERE AARCH64
#endif

static void a_native_sweep_is_as_the_table_has_it(void **state)
{
	struct sweep *s = sweep_new();

	(void)state;
	for (int policy = 0; policy < WHITELISTS; policy++)
		for (int full = 0; full < 2; full++) {
			sweep(names[policy], ABI_NATIVE, full, s);
			for (int n = 0; n <= BEYOND; n++)
				if (!beside_filters(s, n) && s->answer[n] != expected(ARCH_HERE, policy, n, full))
					fail_msg("%s, call %d, arguments %s: expected %d, found %d", names[policy], n,
						 full ? "ones" : "zeros", expected(ARCH_HERE, policy, n, full),
						 s->answer[n]);
		}
	munmap(s, sizeof(*s));
}

#ifdef __x86_64__
static int try_i386(void)
{
	const pid_t child = fork();
	int status = -1;

	if (child == 0)
		_exit(call_i386(20) == 0);	/* getpid */
	return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static void a_native_sweep_of_other_abis_is_killed(void **state)
{
	struct sweep *s = sweep_new();
	const bool i386 = try_i386();

	(void)state;
	if (!i386)
		print_message("no i386 system calls on this kernel: x32 only\n");
	for (int policy = 0; policy < WHITELISTS; policy++)
		for (int abi = ABI_X32; abi <= (i386 ? ABI_I386 : ABI_X32); abi++) {
			sweep(names[policy], (enum abi)abi, false, s);
			for (int n = 0; n <= BEYOND; n++)
				if (s->answer[n] != KILL)
					fail_msg("%s, ABI %d, call %d: found %d", names[policy], abi, n, s->answer[n]);
		}
	munmap(s, sizeof(*s));
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_is_as_the_table_has_it),
		cmocka_unit_test(arguments_decide),
		cmocka_unit_test(no_argument_opens_what_is_closed),
		cmocka_unit_test(hot_calls_are_allowed_at_constant_cost),
		cmocka_unit_test(other_architectures_and_x32_are_killed),
		cmocka_unit_test(notices_take_the_place_of_kills),
		cmocka_unit_test(a_native_sweep_is_as_the_table_has_it),
#ifdef __x86_64__
		cmocka_unit_test(a_native_sweep_of_other_abis_is_killed),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
