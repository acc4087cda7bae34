/*
 * The shipped filters against a table written by hand: for both architectures by an interpreter, and
 * natively by real calls under the filter.
 */
#include "base/array.h"
#include "seccomp/filter.h"
#include "seccomp/filter_table.h"
#include "tests/unit/bpf_run.h"

#include <errno.h>
#include <linux/audit.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define NEWEST 469
#ifdef __x86_64__
#define NATIVE_AUDIT AUDIT_ARCH_X86_64
#else
#define NATIVE_AUDIT AUDIT_ARCH_AARCH64
#endif
#define HIGH (1ull << 32)
#define ONES UINT64_MAX
#define KILL (-1)	/* beside errnos; 0 is allowed */

enum { X86_64, AARCH64, ARCHS };

static const struct {
	const char *name;
	const struct filter *filters;
	uint32_t audit;
} archs[ARCHS] = {
	[X86_64] = { "x86_64", filters_x86_64, AUDIT_ARCH_X86_64 },
	[AARCH64] = { "aarch64", filters_aarch64, AUDIT_ARCH_AARCH64 },
};

/* Refused whatever the arguments are. -1: there is no such call. */
static const struct refused_row {
	const char *name;
	int number[ARCHS];
	int answer;
} refused_rows[] = {
	{ "clone3", { 435, 435 }, ENOSYS },
	{ "setns", { 308, 268 }, EPERM },
	{ "mount", { 165, 40 }, EPERM },
	{ "umount2", { 166, 39 }, EPERM },
	{ "pivot_root", { 155, 41 }, EPERM },
	{ "chroot", { 161, 51 }, EPERM },
	{ "open_tree", { 428, 428 }, EPERM },
	{ "open_tree_attr", { 467, 467 }, EPERM },
	{ "move_mount", { 429, 429 }, EPERM },
	{ "fsopen", { 430, 430 }, EPERM },
	{ "fsconfig", { 431, 431 }, EPERM },
	{ "fsmount", { 432, 432 }, EPERM },
	{ "fspick", { 433, 433 }, EPERM },
	{ "mount_setattr", { 442, 442 }, EPERM },
	{ "statmount", { 457, 457 }, ENOSYS },
	{ "listmount", { 458, 458 }, ENOSYS },
	{ "ptrace", { 101, 117 }, EPERM },
	{ "process_vm_readv", { 310, 270 }, EPERM },
	{ "process_vm_writev", { 311, 271 }, EPERM },
	{ "process_madvise", { 440, 440 }, EPERM },
	{ "kcmp", { 312, 272 }, EPERM },
	{ "pidfd_getfd", { 438, 438 }, EPERM },
	{ "add_key", { 248, 217 }, EPERM },
	{ "request_key", { 249, 218 }, EPERM },
	{ "keyctl", { 250, 219 }, EPERM },
	{ "bpf", { 321, 280 }, EPERM },
	{ "perf_event_open", { 298, 241 }, EPERM },
	{ "userfaultfd", { 323, 282 }, EPERM },
	{ "io_uring_setup", { 425, 425 }, ENOSYS },
	{ "io_uring_enter", { 426, 426 }, ENOSYS },
	{ "io_uring_register", { 427, 427 }, ENOSYS },
	{ "memfd_secret", { 447, 447 }, ENOSYS },
	{ "init_module", { 175, 105 }, EPERM },
	{ "finit_module", { 313, 273 }, EPERM },
	{ "delete_module", { 176, 106 }, EPERM },
	{ "kexec_load", { 246, 104 }, EPERM },
	{ "kexec_file_load", { 320, 294 }, EPERM },
	{ "reboot", { 169, 142 }, EPERM },
	{ "swapon", { 167, 224 }, EPERM },
	{ "swapoff", { 168, 225 }, EPERM },
	{ "clock_settime", { 227, 112 }, EPERM },
	{ "settimeofday", { 164, 170 }, EPERM },
	{ "adjtimex", { 159, 171 }, EPERM },
	{ "clock_adjtime", { 305, 266 }, EPERM },
	{ "acct", { 163, 89 }, EPERM },
	{ "quotactl", { 179, 60 }, EPERM },
	{ "quotactl_fd", { 443, 443 }, EPERM },
	{ "sethostname", { 170, 161 }, EPERM },
	{ "setdomainname", { 171, 162 }, EPERM },
	{ "syslog", { 103, 116 }, EPERM },
	{ "vhangup", { 153, 58 }, EPERM },
	{ "iopl", { 172, -1 }, EPERM },
	{ "ioperm", { 173, -1 }, EPERM },
	{ "name_to_handle_at", { 303, 264 }, EPERM },
	{ "open_by_handle_at", { 304, 265 }, EPERM },
	{ "fanotify_init", { 300, 262 }, EPERM },
	{ "fanotify_mark", { 301, 263 }, EPERM },
	{ "set_mempolicy", { 238, 237 }, EPERM },
	{ "set_mempolicy_home_node", { 450, 450 }, EPERM },
	{ "mbind", { 237, 235 }, EPERM },
	{ "migrate_pages", { 256, 238 }, EPERM },
	{ "move_pages", { 279, 239 }, EPERM },
	{ "_sysctl", { 156, -1 }, ENOSYS },
	{ "create_module", { 174, -1 }, ENOSYS },
	{ "get_kernel_syms", { 177, -1 }, ENOSYS },
	{ "lookup_dcookie", { 212, 18 }, ENOSYS },
	{ "modify_ldt", { 154, -1 }, ENOSYS },
	{ "nfsservctl", { 180, 42 }, ENOSYS },
	{ "query_module", { 178, -1 }, ENOSYS },
	{ "sysfs", { 139, -1 }, ENOSYS },
	{ "uselib", { 134, -1 }, ENOSYS },
	{ "ustat", { 136, -1 }, ENOSYS },
	{ "sched_setattr", { 314, 274 }, EPERM },
	{ "sched_setaffinity", { 203, 122 }, EPERM },
	{ "ioprio_set", { 251, 30 }, EPERM },
	{ "sync", { 162, 81 }, EPERM },
	{ "syncfs", { 306, 267 }, EPERM },
	{ "io_setup", { 206, 0 }, ENOSYS },
	{ "msgget", { 68, 186 }, ENOSYS },
	{ "semget", { 64, 190 }, ENOSYS },
	{ "shmget", { 29, 194 }, ENOSYS },
	{ "openat2", { 437, 437 }, ENOSYS },
	{ "cachestat", { 451, 451 }, ENOSYS },
	{ "lsm_get_self_attr", { 459, 459 }, ENOSYS },
	{ "lsm_set_self_attr", { 460, 460 }, ENOSYS },
	{ "lsm_list_modules", { 461, 461 }, ENOSYS },
};

/* Calls whose arguments matter. */
enum { CLONE, UNSHARE, PERSONALITY, SOCKET, SOCKETPAIR, IOCTL, PRLIMIT64, SCHED_SETSCHEDULER, MMAP,
       MEMFD_CREATE, MADVISE, SECCOMP, PRCTL, CHMOD, FCHMOD, FCHMODAT, FCHMODAT2, CREAT, OPEN, OPENAT, MKNOD, MKNODAT,
       CHECKED_CALLS,
       MKDIR = CHECKED_CALLS, MKDIRAT, ARGUMENT_CALLS };

static const struct {
	const char *name;
	int number[ARCHS];
} checked_calls[ARGUMENT_CALLS] = {
	[CLONE] = { "clone", { 56, 220 } },
	[UNSHARE] = { "unshare", { 272, 97 } },
	[PERSONALITY] = { "personality", { 135, 92 } },
	[SOCKET] = { "socket", { 41, 198 } },
	[SOCKETPAIR] = { "socketpair", { 53, 199 } },
	[IOCTL] = { "ioctl", { 16, 29 } },
	[PRLIMIT64] = { "prlimit64", { 302, 261 } },
	[SCHED_SETSCHEDULER] = { "sched_setscheduler", { 144, 119 } },
	[MMAP] = { "mmap", { 9, 222 } },
	[MEMFD_CREATE] = { "memfd_create", { 319, 279 } },
	[MADVISE] = { "madvise", { 28, 233 } },
	[SECCOMP] = { "seccomp", { 317, 277 } },
	[PRCTL] = { "prctl", { 157, 167 } },
	[CHMOD] = { "chmod", { 90, -1 } },
	[FCHMOD] = { "fchmod", { 91, 52 } },
	[FCHMODAT] = { "fchmodat", { 268, 53 } },
	[FCHMODAT2] = { "fchmodat2", { 452, 452 } },
	[CREAT] = { "creat", { 85, -1 } },
	[OPEN] = { "open", { 2, -1 } },
	[OPENAT] = { "openat", { 257, 56 } },
	[MKNOD] = { "mknod", { 133, -1 } },
	[MKNODAT] = { "mknodat", { 259, 33 } },
	[MKDIR] = { "mkdir", { 83, -1 } },	/* these two are allowed in any case */
	[MKDIRAT] = { "mkdirat", { 258, 34 } },
};

/* Numbers, not the names of headers: the filters' own names must be right too. */
static const struct argument_row {
	const char *what;
	int call;
	uint64_t args[6];
	int answer;
} argument_rows[] = {
	{ "fork", CLONE, { 0x1200011 }, 0 },
	{ "a thread", CLONE, { 0x3d0f00 }, 0 },
	{ "vfork", CLONE, { 0x4111 }, 0 },
	{ "every flag but namespaces", CLONE, { 0x81fdffff }, 0 },
	{ "a mount namespace", CLONE, { 0x00020000 }, EPERM },
	{ "a cgroup namespace", CLONE, { 0x02000000 }, EPERM },
	{ "a UTS namespace", CLONE, { 0x04000000 }, EPERM },
	{ "an IPC namespace", CLONE, { 0x08000000 }, EPERM },
	{ "a user namespace", CLONE, { 0x10000011 }, EPERM },
	{ "a PID namespace", CLONE, { 0x20000000 }, EPERM },
	{ "a network namespace", CLONE, { 0x40000000 }, EPERM },
	{ "a user namespace, high bits", CLONE, { 0x10000011 | HIGH }, EPERM },
	{ "high bits alone", CLONE, { 0x11 | HIGH }, 0 },
	{ "flags in another argument", CLONE, { 0x11, 0x7e020000, 0x7e020000 }, 0 },

	{ "nothing", UNSHARE, { 0 }, 0 },
	{ "files, fs, semaphores", UNSHARE, { 0x40600 }, 0 },
	{ "memory, handlers, threads", UNSHARE, { 0x10900 }, 0 },
	{ "a user namespace", UNSHARE, { 0x10000000 }, EPERM },
	{ "a mount namespace and fs", UNSHARE, { 0x20200 }, EPERM },
	{ "a time namespace", UNSHARE, { 0x80 }, EPERM },
	{ "a flag of the future", UNSHARE, { 0x200 | HIGH }, EPERM },

	{ "PER_LINUX", PERSONALITY, { 0 }, 0 },
	{ "the query", PERSONALITY, { 0xffffffff }, 0 },
	{ "the query as -1", PERSONALITY, { ONES }, 0 },
	{ "ADDR_NO_RANDOMIZE", PERSONALITY, { 0x40000 }, EPERM },
	{ "READ_IMPLIES_EXEC, high bits", PERSONALITY, { 0x400000 | HIGH }, EPERM },
	{ "one less than the query", PERSONALITY, { 0xfffffffe }, EPERM },
	{ "one", PERSONALITY, { 1 }, EPERM },

	{ "AF_UNIX", SOCKET, { 1, 0x80001, 0 }, 0 },
	{ "AF_UNIX, high bits", SOCKET, { 1 | HIGH, 1 }, 0 },
	{ "AF_UNSPEC", SOCKET, { 0 }, EAFNOSUPPORT },
	{ "AF_INET", SOCKET, { 2, 1 }, EAFNOSUPPORT },
	{ "AF_INET, high bits", SOCKET, { 2 | HIGH, 1 }, EAFNOSUPPORT },
	{ "AF_INET6", SOCKET, { 10, 1 }, EAFNOSUPPORT },
	{ "AF_NETLINK", SOCKET, { 16, 3 }, EAFNOSUPPORT },
	{ "AF_ALG", SOCKET, { 38, 5 }, EAFNOSUPPORT },
	{ "AF_VSOCK", SOCKET, { 40, 1 }, EAFNOSUPPORT },
	{ "AF_UNIX in the high half only", SOCKET, { HIGH }, EAFNOSUPPORT },
	{ "a negative family", SOCKET, { ONES }, EAFNOSUPPORT },
	{ "AF_UNIX", SOCKETPAIR, { 1, 1 }, 0 },
	{ "AF_TIPC", SOCKETPAIR, { 30, 5 }, EAFNOSUPPORT },

	{ "TCGETS", IOCTL, { 0, 0x5401 }, 0 },
	{ "FIONREAD", IOCTL, { 0, 0x541b }, 0 },
	{ "TIOCSTI", IOCTL, { 0, 0x5412 }, EPERM },
	{ "TIOCSTI, high bits", IOCTL, { 0, 0x5412 | HIGH }, EPERM },
	{ "TIOCSTI, all high bits", IOCTL, { 0, 0x5412 | ~0xffffffffull }, EPERM },
	{ "TIOCLINUX", IOCTL, { 0, 0x541c }, EPERM },
	{ "TIOCSCTTY", IOCTL, { 0, 0x540e }, EPERM },
	{ "TIOCCONS", IOCTL, { 0, 0x541d }, EPERM },
	{ "TIOCSETD", IOCTL, { 0, 0x5423 }, EPERM },
	{ "the number on descriptor TIOCSTI", IOCTL, { 0x5412, 0x5401, 0x5412 }, 0 },

	{ "pid 0", PRLIMIT64, { 0, 7 }, 0 },
	{ "pid 0, high bits", PRLIMIT64, { HIGH, 7 }, 0 },
	{ "pid 1", PRLIMIT64, { 1, 7 }, EPERM },
	{ "pid 1, high bits", PRLIMIT64, { 1 | HIGH, 7 }, EPERM },
	{ "pid -1", PRLIMIT64, { ONES, 7 }, EPERM },

	{ "SCHED_OTHER", SCHED_SETSCHEDULER, { 0, 0 }, 0 },
	{ "SCHED_BATCH", SCHED_SETSCHEDULER, { 0, 3 }, 0 },
	{ "SCHED_IDLE, reset on fork", SCHED_SETSCHEDULER, { 0, 0x40000005 }, 0 },
	{ "SCHED_FIFO", SCHED_SETSCHEDULER, { 0, 1 }, EPERM },
	{ "SCHED_RR, reset on fork", SCHED_SETSCHEDULER, { 0, 0x40000002 }, EPERM },
	{ "SCHED_DEADLINE", SCHED_SETSCHEDULER, { 0, 6 }, EPERM },
	{ "SCHED_EXT", SCHED_SETSCHEDULER, { 0, 7 }, EPERM },
	{ "SCHED_FIFO, high bits", SCHED_SETSCHEDULER, { 0, 1 | HIGH }, EPERM },

	{ "private, anonymous", MMAP, { 0, 4096, 3, 0x22, ONES, 0 }, 0 },
	{ "every flag but MAP_HUGETLB", MMAP, { 0, 4096, 3, ~0x40000ull, ONES, 0 }, 0 },
	{ "MAP_HUGETLB", MMAP, { 0, 4096, 3, 0x40022, ONES, 0 }, ENOMEM },
	{ "MAP_HUGETLB of 1 GB pages", MMAP, { 0, 4096, 3, 0x78040022 | HIGH, ONES, 0 }, ENOMEM },
	{ "a length like MAP_HUGETLB", MMAP, { 0, 0x40000, 3, 0x22, ONES, 0x40000 }, 0 },
	{ "MFD_CLOEXEC and sealing", MEMFD_CREATE, { 0, 3 }, 0 },
	{ "MFD_HUGETLB", MEMFD_CREATE, { 0, 4 }, EPERM },
	{ "MFD_HUGETLB, high bits", MEMFD_CREATE, { 0, 5 | HIGH }, EPERM },

	{ "MADV_DONTNEED", MADVISE, { 0, 4096, 4 }, 0 },
	{ "MADV_HUGEPAGE", MADVISE, { 0, 4096, 14 }, 0 },
	{ "MADV_MERGEABLE", MADVISE, { 0, 4096, 12 }, EINVAL },
	{ "MADV_MERGEABLE, high bits", MADVISE, { 0, 4096, 12 | HIGH }, EINVAL },

	{ "strict mode", SECCOMP, { 0, 0 }, 0 },
	{ "a filter", SECCOMP, { 1, 1 }, 0 },
	{ "a filter with a listener", SECCOMP, { 1, 8 }, EPERM },
	{ "a filter with a listener and more, high bits", SECCOMP, { 1 | HIGH, 0x29 | HIGH }, EPERM },
	{ "asking for an action", SECCOMP, { 2, 0 }, 0 },
	{ "a bit of another operation", SECCOMP, { 3, 8 }, 0 },

	{ "PR_SET_NAME", PRCTL, { 15 }, 0 },
	{ "PR_SET_DUMPABLE", PRCTL, { 4 }, 0 },
	{ "PR_SET_CHILD_SUBREAPER", PRCTL, { 36, 1 }, 0 },
	{ "PR_SET_NO_NEW_PRIVS", PRCTL, { 38, 1 }, 0 },
	{ "PR_SET_MM", PRCTL, { 35 }, EINVAL },
	{ "PR_SCHED_CORE", PRCTL, { 62 }, EINVAL },
	{ "PR_SET_MM, high bits", PRCTL, { 35 | HIGH }, EINVAL },

	{ "every bit but set-id", CHMOD, { 0, ~06000ull }, 0 },
	{ "set-user-ID", CHMOD, { 0, 04755 }, EPERM },
	{ "set-group-ID, high bits", CHMOD, { 0, 02755 | HIGH }, EPERM },
	{ "set-ids in the high half only", CHMOD, { 0, 06000 * HIGH }, 0 },
	{ "the descriptor 06000", FCHMOD, { 06000, 0755 }, 0 },
	{ "set-user-ID", FCHMOD, { 3, 0104755 }, EPERM },
	{ "set-group-ID", FCHMODAT, { 3, 0, 02070 }, EPERM },
	{ "plain", FCHMODAT, { 3, 0, 01777, 06000 }, 0 },
	{ "set-user-ID", FCHMODAT2, { 3, 0, 04000, 0x100 }, EPERM },
	{ "set-user-ID", CREAT, { 0, 04644 }, EPERM },
	{ "plain", CREAT, { 0, 0666 }, 0 },
	{ "to read, with a mode of garbage", OPEN, { 0, 0, 06777 }, 0 },
	{ "O_DIRECTORY of x86, with a mode of garbage", OPEN, { 0, 0200000, 06777 }, 0 },
	{ "O_CREAT, plain", OPEN, { 0, 0101, 0644 }, 0 },
	{ "O_CREAT, set-user-ID", OPEN, { 0, 0101, 04755 }, EPERM },
	{ "O_TMPFILE, set-group-ID", OPEN, { 0, 020200002, 02755 }, EPERM },
	{ "to read, with a mode of garbage", OPENAT, { 3, 0, 02000000, ONES }, 0 },
	{ "O_CREAT, every bit but set-id", OPENAT, { 3, 0, 0100 | HIGH, ~06000ull }, 0 },
	{ "O_CREAT, set-group-ID, high bits", OPENAT, { 3, 0, 0101 | HIGH, 02644 | HIGH }, EPERM },
	{ "O_TMPFILE of aarch64, set-user-ID", OPENAT, { 3, 0, 020040002, 04700 }, EPERM },
	{ "O_CREAT in the high half only", OPENAT, { 3, 0, 0100 * HIGH, 04700 }, 0 },
	{ "a file with set-user-ID", MKNOD, { 0, 0104755 }, EPERM },
	{ "a file", MKNOD, { 0, 0100755 }, 0 },
	{ "a FIFO with set-group-ID", MKNODAT, { 3, 0, 012644 }, EPERM },
	{ "set-group-ID, which the kernel leaves out", MKDIR, { 0, 02755 }, 0 },
	{ "set-group-ID, which the kernel leaves out", MKDIRAT, { 3, 0, 02755 }, 0 },
};

/* What differs in the policy for boxes with a network. */
static const struct argument_row network_rows[] = {
	{ "AF_UNIX", SOCKET, { 1, 1 }, 0 },
	{ "AF_INET", SOCKET, { 2, 1 }, 0 },
	{ "AF_INET, high bits", SOCKET, { 2 | HIGH, 1 }, 0 },
	{ "AF_INET6", SOCKET, { 10, 1 }, 0 },
	{ "AF_NETLINK, routes", SOCKET, { 16, 3, 0 }, 0 },
	{ "AF_NETLINK, netfilter", SOCKET, { 16, 3, 12 }, EAFNOSUPPORT },
	{ "AF_PACKET", SOCKET, { 17, 3 }, EAFNOSUPPORT },
	{ "AF_ALG", SOCKET, { 38, 5 }, EAFNOSUPPORT },
	{ "AF_INET", SOCKETPAIR, { 2, 1 }, EAFNOSUPPORT },
	{ "a user namespace", UNSHARE, { 0x10000000 }, EPERM },
};

static const struct filter *find(int arch, const char *name)
{
	const struct filter *f = archs[arch].filters;

	while (f->name && strcmp(f->name, name) != 0)
		f++;
	assert_non_null(f->name);
	return f;
}

static uint32_t raw_answer(int answer)
{
	return answer == 0    ? SECCOMP_RET_ALLOW :
	       answer == KILL ? SECCOMP_RET_KILL_PROCESS :
				SECCOMP_RET_ERRNO | (uint32_t)answer;
}

static void expect_answer(int arch, const char *policy, uint32_t number, const uint64_t args[6], int answer,
			  const char *call, const char *what)
{
	const struct filter *f = find(arch, policy);
	struct seccomp_data d = { .nr = (int)number, .arch = archs[arch].audit };
	uint32_t found;

	memcpy(d.args, args, sizeof(d.args));
	found = bpf_run(f->code, f->length, &d, NULL);
	if (found != raw_answer(answer))
		fail_msg("%s, %s: %s (%u), %s: expected %#x, found %#x", policy, archs[arch].name, call, number,
			 what, raw_answer(answer), found);
}

/* Its address is the argument list that learning lets start. */
static const char *const passing_argv[] = { "a", NULL };

static const uint64_t zeros[6], ones[6] = { ONES, ONES, ONES, ONES, ONES, ONES },
		      halves[6] = { HIGH, HIGH, HIGH, HIGH, HIGH, HIGH };

static void expect_any_arguments(int arch, const char *policy, uint32_t number, int answer, const char *call)
{
	expect_answer(arch, policy, number, zeros, answer, call, "zeros");
	expect_answer(arch, policy, number, ones, answer, call, "ones");
	expect_answer(arch, policy, number, halves, answer, call, "high bits");
}

static void refused_calls(void **state)
{
	(void)state;
	for (int arch = 0; arch < ARCHS; arch++)
		for (size_t i = 0; i < ARRAY_SIZE(refused_rows); i++) {
			const struct refused_row *row = &refused_rows[i];

			if (row->number[arch] < 0)
				continue;
			expect_any_arguments(arch, "default", (uint32_t)row->number[arch], row->answer, row->name);
			expect_any_arguments(arch, "network", (uint32_t)row->number[arch], row->answer, row->name);
		}
}

static bool has_row(int arch, int number)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused_rows); i++)
		if (refused_rows[i].number[arch] == number)
			return true;
	for (size_t i = 0; i < CHECKED_CALLS; i++)
		if (checked_calls[i].number[arch] == number)
			return true;
	return false;
}

/* A refusal that strays to a neighbour would break some program or other. */
static void all_other_calls_are_allowed(void **state)
{
	(void)state;
	for (int arch = 0; arch < ARCHS; arch++)
		for (int number = 0; number <= NEWEST; number++)
			if (!has_row(arch, number)) {
				expect_any_arguments(arch, "default", (uint32_t)number, 0, "another call");
				expect_any_arguments(arch, "network", (uint32_t)number, 0, "another call");
			}
}

static void arguments_decide(void **state)
{
	(void)state;
	for (int arch = 0; arch < ARCHS; arch++) {
		for (size_t i = 0; i < ARRAY_SIZE(argument_rows); i++) {
			const struct argument_row *row = &argument_rows[i];

			if (checked_calls[row->call].number[arch] < 0)
				continue;
			expect_answer(arch, "default", (uint32_t)checked_calls[row->call].number[arch], row->args,
				      row->answer, checked_calls[row->call].name, row->what);
		}
		for (size_t i = 0; i < ARRAY_SIZE(network_rows); i++) {
			const struct argument_row *row = &network_rows[i];

			expect_answer(arch, "network", (uint32_t)checked_calls[row->call].number[arch], row->args,
				      row->answer, checked_calls[row->call].name, row->what);
		}
	}
}

static void numbers_outside_the_table(void **state)
{
	static const struct { uint32_t number; int answer[ARCHS]; } rows[] = {
		{ NEWEST, { 0, 0 } },
		{ NEWEST + 1, { ENOSYS, ENOSYS } },
		{ 600, { ENOSYS, ENOSYS } },
		{ 0x3fffffff, { ENOSYS, ENOSYS } },
		{ 0x40000000, { KILL, ENOSYS } },
		{ 0x40000001, { KILL, ENOSYS } },
		{ 0x40000000 + 547, { KILL, ENOSYS } },
		{ 0x7fffffff, { KILL, ENOSYS } },
		{ 0x80000000, { ENOSYS, ENOSYS } },
		{ 0xffffffff, { ENOSYS, ENOSYS } },
	};

	(void)state;
	for (int arch = 0; arch < ARCHS; arch++)
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			expect_any_arguments(arch, "default", rows[i].number, rows[i].answer[arch], "no call");
}

static void other_architectures_are_killed(void **state)
{
	static const uint32_t audits[] = { AUDIT_ARCH_I386, AUDIT_ARCH_ARM, AUDIT_ARCH_X86_64,
					   AUDIT_ARCH_AARCH64, 0, UINT32_MAX };

	(void)state;
	for (int arch = 0; arch < ARCHS; arch++)
		for (size_t i = 0; i < ARRAY_SIZE(audits); i++)
			for (int number = -1; number <= NEWEST + 1; number++) {
				const struct filter *f = find(arch, "default");
				struct seccomp_data d = { .nr = number, .arch = audits[i] };

				if (audits[i] != archs[arch].audit)
					assert_int_equal(bpf_run(f->code, f->length, &d, NULL),
							 SECCOMP_RET_KILL_PROCESS);
			}
}

/* Loading costs by length, a call by steps; what grows past this wants a look. */
static void filters_are_short(void **state)
{
	(void)state;
	for (int arch = 0; arch < ARCHS; arch++)
		for (const struct filter *f = archs[arch].filters; f->name; f++) {
			assert_in_range(f->length, 10, 330);
			for (int number = 0; number <= NEWEST; number++) {
				struct seccomp_data d = { .nr = number, .arch = archs[arch].audit };
				size_t steps = 0;

				(void)bpf_run(f->code, f->length, &d, &steps);
				assert_in_range(steps, 5, 32);
			}
		}
}

static void filters_have_names(void **state)
{
	(void)state;
	assert_non_null(filter_find("default")->code);
	assert_non_null(filter_find("network")->code);
	assert_null(filter_find("none")->code);
	assert_null(filter_find("Default"));
	assert_null(filter_find(""));
}

static void programs_alone_are_executed_under(void **state)
{
	(void)state;
	assert_true(filter_find("native")->exec_program);
	assert_true(filter_find("runtime")->exec_program);
	assert_false(filter_find("compile")->exec_program);
	assert_false(filter_find("default")->exec_program);
	assert_false(filter_find("network")->exec_program);
	assert_false(filter_find("none")->exec_program);
}

/* The shipped filter's answer, where that is not to allow; else the supervisor's, but for what the start needs
   and what tells nothing. */
static uint32_t learning_answer(const struct filter *f, const struct seccomp_data *d)
{
	static const int passing[] = { SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn };
	const uint32_t plain = bpf_run(f->code, f->length, d, NULL);

	for (size_t i = 0; i < ARRAY_SIZE(passing); i++)
		if (d->nr == passing[i])
			return plain;
	if (plain != SECCOMP_RET_ALLOW || (d->nr == SYS_execve && d->args[1] == (uintptr_t)&passing_argv))
		return plain;
	return SECCOMP_RET_USER_NOTIF;
}

static void learning_asks_where_the_filter_allows(void **state)
{
	static const char *const names[] = { "default", "network", "native", "runtime", "compile" };
	static const uint32_t others[] = { AUDIT_ARCH_I386, AUDIT_ARCH_ARM, 0 };
	const uint64_t argv = (uintptr_t)&passing_argv;
	const uint64_t lists[] = { 0, argv, argv ^ 1, argv ^ HIGH, argv + HIGH, (uint32_t)argv, ONES };
	static struct sock_filter code[BPF_MAXINSNS];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct filter *f = filter_find(names[i]);
		const size_t length = filter_learning_length(f);

		assert_in_range(length, 2 * f->length, BPF_MAXINSNS);
		filter_copy_learning(f, &passing_argv, code);
		for (int number = -1; number <= NEWEST + 2; number++)
			for (size_t k = 0; k < ARRAY_SIZE(lists); k++) {
				struct seccomp_data d = { .nr = number, .arch = NATIVE_AUDIT,
							  .args = { 0, lists[k] } };

				assert_int_equal(bpf_run(code, length, &d, NULL), learning_answer(f, &d));
				d.arch = others[k % ARRAY_SIZE(others)];
				assert_int_equal(bpf_run(code, length, &d, NULL), SECCOMP_RET_KILL_PROCESS);
			}
	}
}

/* ---- the real kernel */

static bool load(const char *name)
{
	const struct filter *f = filter_find(name);
	struct sock_fprog program = { .len = f->length, .filter = (struct sock_filter *)(uintptr_t)f->code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

/* Runs `act` in a child under the default filter, or under none; returns its wait status. */
static int under_filter(bool filtered, int (*act)(const void *), const void *argument)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(filtered && !load("default") ? 250 : act(argument));
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

struct real_row {
	const char *what;
	long number;
	uint64_t args[6];
	int answer;	/* errno, or 0 for success */
};

/* Chosen so that root's right to do them would show where the filter did not. */
static const struct real_row real_rows[] = {
	{ "unshare a user namespace", SYS_unshare, { CLONE_NEWUSER }, EPERM },
	{ "unshare a mount namespace", SYS_unshare, { CLONE_NEWNS }, EPERM },
	{ "unshare fs", SYS_unshare, { CLONE_FS }, 0 },
	{ "clone a user namespace", SYS_clone, { CLONE_NEWUSER | SIGCHLD }, EPERM },
	{ "clone3", 435, { 0 }, ENOSYS },
	{ "io_uring_setup", 425, { 8 }, ENOSYS },
	{ "a number of the future", NEWEST + 1, { 0 }, ENOSYS },
	{ "number -1", -1, { 0 }, ENOSYS },
	{ "an AF_UNIX socket", SYS_socket, { AF_UNIX, SOCK_STREAM }, 0 },
	{ "an AF_UNIX socket, high bits", SYS_socket, { AF_UNIX | HIGH, SOCK_STREAM }, 0 },
	{ "an AF_INET socket", SYS_socket, { AF_INET, SOCK_STREAM }, EAFNOSUPPORT },
	{ "an AF_INET socket, high bits", SYS_socket, { AF_INET | HIGH, SOCK_STREAM }, EAFNOSUPPORT },
	{ "TIOCSTI, high bits", SYS_ioctl, { 0, TIOCSTI | HIGH }, EPERM },
	{ "limits of pid 1", SYS_prlimit64, { 1, 7 }, EPERM },
	{ "one's own limits", SYS_prlimit64, { 0, 7 }, 0 },
	{ "the personality", SYS_personality, { 0xffffffff }, 0 },
	{ "another personality", SYS_personality, { 0x40000 }, EPERM },
	{ "SCHED_BATCH", SYS_sched_setscheduler, { 0, SCHED_BATCH, (uint64_t)(uintptr_t)zeros }, 0 },
	{ "SCHED_FIFO", SYS_sched_setscheduler, { 0, SCHED_FIFO, (uint64_t)(uintptr_t)zeros }, EPERM },
	{ "memory", SYS_mmap, { 0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, ONES }, 0 },
	{ "huge pages", SYS_mmap, { 0, 1 << 21, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, ONES },
	  ENOMEM },
	{ "sync", SYS_sync, { 0 }, EPERM },
	{ "a host name", SYS_sethostname, { 0, ONES }, EPERM },
	{ "getppid", SYS_getppid, { 0 }, 0 },
};

static int make_call(const void *argument)
{
	const struct real_row *row = argument;
	const uint64_t *a = row->args;

	return syscall(row->number, a[0], a[1], a[2], a[3], a[4], a[5]) < 0 ? errno : 0;
}

static void real_calls(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(real_rows); i++) {
		const int status = under_filter(true, make_call, &real_rows[i]);

		if (!WIFEXITED(status) || WEXITSTATUS(status) != real_rows[i].answer)
			fail_msg("%s: expected errno %d, found wait status %#x", real_rows[i].what,
				 real_rows[i].answer, (unsigned)status);
	}
}

static void *thread(void *argument)
{
	return argument;
}

static int start_thread(const void *argument)
{
	pthread_t id;

	(void)argument;
	return pthread_create(&id, NULL, thread, NULL) || pthread_join(id, NULL);
}

static int execute(const void *argument)
{
	execl("/bin/sh", "sh", "-c", "exit $(echo 7 | cat)", (char *)NULL);
	return *(const char *)argument;
}

static void threads_and_programs_start(void **state)
{
	int status = under_filter(true, start_thread, NULL);

	(void)state;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	status = under_filter(true, execute, "x");
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
}

#ifdef __x86_64__
static int call_i386_getpid(const void *argument)
{
	long result = 20;

	(void)argument;
	__asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
	return (int)result == getpid() ? 0 : 1;
}

static void i386_calls_kill(void **state)
{
	int status = under_filter(false, call_i386_getpid, NULL);

	(void)state;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		print_message("no i386 system calls on this kernel\n");
		skip();
	}
	status = under_filter(true, call_i386_getpid, NULL);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSYS);
}

static void x32_calls_kill(void **state)
{
	static const struct real_row getpid_of_x32 = { .number = 0x40000000 + SYS_getpid };
	const int status = under_filter(true, make_call, &getpid_of_x32);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSYS);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused_calls),
		cmocka_unit_test(all_other_calls_are_allowed),
		cmocka_unit_test(arguments_decide),
		cmocka_unit_test(numbers_outside_the_table),
		cmocka_unit_test(other_architectures_are_killed),
		cmocka_unit_test(filters_are_short),
		cmocka_unit_test(filters_have_names),
		cmocka_unit_test(programs_alone_are_executed_under),
		cmocka_unit_test(learning_asks_where_the_filter_allows),
		cmocka_unit_test(real_calls),
		cmocka_unit_test(threads_and_programs_start),
#ifdef __x86_64__
		cmocka_unit_test(i386_calls_kill),
		cmocka_unit_test(x32_calls_kill),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
