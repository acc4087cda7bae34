/*
 * The names that a policy's text may use for numbers. Runs in the build tool and in the judge.
 *
 * Only constants with one value on every architecture may stand here, since a build on one architecture
 * makes the filters of all: no O_ flag, for one, but the two that x86-64 and aarch64 have in common.
 */
#include "seccomp/constants.h"

#include "base/array.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* Younger than the oldest headers judge is built with. */
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif
#ifndef PR_SCHED_CORE
#define PR_SCHED_CORE 62
#endif
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif
#ifndef MADV_SOFT_OFFLINE
#define MADV_SOFT_OFFLINE 101
#endif
/* Not in the C library's headers, and numbers that a macro makes of a struct only the kernel's have. */
#ifndef CLONE_DETACHED
#define CLONE_DETACHED 0x00400000
#endif
/* The kernel's own bit of O_TMPFILE; the other is O_DIRECTORY, which glibc has in __O_TMPFILE too. */
#define TMPFILE_BIT 020000000
#define TCGETS2_NUMBER 0x802c542a
/* x86 only: elsewhere the call they belong to is not there. */
#define ARCH_SET_GS 0x1001
#define ARCH_SET_FS 0x1002
#define ARCH_GET_FS 0x1003
#define ARCH_GET_GS 0x1004
#ifndef SCHED_BATCH
#define SCHED_BATCH 3
#endif
#ifndef SCHED_IDLE
#define SCHED_IDLE 5
#endif

struct constant {
	const char *name;
	uint64_t value;
};

#define ROW(name) { #name, (uint64_t)(name) }

static const struct constant constants[] = {
	ROW(AF_INET), ROW(AF_INET6), ROW(AF_NETLINK), ROW(AF_UNIX),
	ROW(ARCH_GET_FS), ROW(ARCH_GET_GS), ROW(ARCH_SET_FS), ROW(ARCH_SET_GS),
	ROW(CLONE_CHILD_CLEARTID), ROW(CLONE_CHILD_SETTID), ROW(CLONE_DETACHED), ROW(CLONE_FILES),
	ROW(CLONE_FS), ROW(CLONE_IO), ROW(CLONE_NEWCGROUP), ROW(CLONE_NEWIPC), ROW(CLONE_NEWNET),
	ROW(CLONE_NEWNS), ROW(CLONE_NEWPID), ROW(CLONE_NEWTIME), ROW(CLONE_NEWUSER), ROW(CLONE_NEWUTS),
	ROW(CLONE_PARENT), ROW(CLONE_PARENT_SETTID), ROW(CLONE_PIDFD), ROW(CLONE_PTRACE), ROW(CLONE_SETTLS),
	ROW(CLONE_SIGHAND), ROW(CLONE_SYSVSEM), ROW(CLONE_THREAD), ROW(CLONE_UNTRACED), ROW(CLONE_VFORK),
	ROW(CLONE_VM),
	ROW(F_ADD_SEALS), ROW(F_DUPFD), ROW(F_DUPFD_CLOEXEC), ROW(F_GETFD), ROW(F_GETFL), ROW(F_GETLEASE),
	ROW(F_GETLK), ROW(F_GETOWN), ROW(F_GETPIPE_SZ), ROW(F_GET_SEALS), ROW(F_NOTIFY), ROW(F_OFD_GETLK),
	ROW(F_OFD_SETLK), ROW(F_OFD_SETLKW), ROW(F_SETFD), ROW(F_SETFL), ROW(F_SETLEASE), ROW(F_SETLK),
	ROW(F_SETLKW), ROW(F_SETOWN), ROW(F_SETPIPE_SZ),
	ROW(FIOCLEX), ROW(FIONBIO), ROW(FIONCLEX), ROW(FIONREAD), ROW(TCGETS), { "TCGETS2", TCGETS2_NUMBER }, ROW(TIOCCONS),
	ROW(TIOCGPGRP), ROW(TIOCGWINSZ), ROW(TIOCLINUX), ROW(TIOCSCTTY), ROW(TIOCSETD), ROW(TIOCSTI),
	ROW(MAP_HUGETLB), ROW(MFD_HUGETLB), ROW(SHM_HUGETLB), ROW(PROT_EXEC),
	ROW(MADV_HWPOISON), ROW(MADV_MERGEABLE), ROW(MADV_SOFT_OFFLINE), ROW(MADV_UNMERGEABLE),
	ROW(PR_CAPBSET_READ), ROW(PR_GET_DUMPABLE), ROW(PR_GET_NAME), ROW(PR_GET_NO_NEW_PRIVS),
	ROW(PR_GET_PDEATHSIG), ROW(PR_GET_SECCOMP), ROW(PR_GET_THP_DISABLE), ROW(PR_GET_TIMERSLACK),
	ROW(PR_SCHED_CORE), ROW(PR_SET_DUMPABLE), ROW(PR_SET_MM), ROW(PR_SET_NAME), ROW(PR_SET_NO_NEW_PRIVS),
	ROW(PR_SET_PDEATHSIG), ROW(PR_SET_SECCOMP), ROW(PR_SET_THP_DISABLE), ROW(PR_SET_VMA),
	ROW(O_CREAT), { "__O_TMPFILE", TMPFILE_BIT }, ROW(S_IFIFO), ROW(S_IFMT), ROW(S_IFREG), ROW(S_ISGID), ROW(S_ISUID),
	ROW(SCHED_BATCH), ROW(SCHED_IDLE), ROW(SCHED_OTHER), ROW(SCHED_RESET_ON_FORK),
	ROW(SECCOMP_FILTER_FLAG_NEW_LISTENER), ROW(SECCOMP_SET_MODE_FILTER),
	ROW(SO_ATTACH_BPF), ROW(SO_ATTACH_FILTER), ROW(SO_ATTACH_REUSEPORT_CBPF),
	ROW(SO_ATTACH_REUSEPORT_EBPF), ROW(SOCK_DGRAM), ROW(SOCK_SEQPACKET), ROW(SOCK_STREAM), ROW(SOL_SOCKET),
};

static const struct constant errnos[] = {
	ROW(EACCES), ROW(EAFNOSUPPORT), ROW(EAGAIN), ROW(EINVAL), ROW(ENODEV), ROW(ENOENT), ROW(ENOLCK),
	ROW(ENOMEM), ROW(ENOSYS), ROW(ENOTTY), ROW(EOPNOTSUPP), ROW(EPERM), ROW(EPROTONOSUPPORT),
};

static int find(const struct constant *rows, size_t count, const char *name, uint64_t *ret_value)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].name, name) == 0) {
			*ret_value = rows[i].value;
			return 0;
		}
	return -1;
}

int constant_find(const char *name, uint64_t *ret_value)
{
	return find(constants, ARRAY_SIZE(constants), name, ret_value);
}

static bool begins_with_one(const char *name, const char *prefixes)
{
	for (const char *p = prefixes; *p; p += strspn(p, " ")) {
		const size_t length = strcspn(p, " ");

		if (strncmp(name, p, length) == 0)
			return true;
		p += length;
	}
	return false;
}

const char *constant_name(const char *prefixes, uint64_t value)
{
	for (size_t i = 0; i < ARRAY_SIZE(constants); i++)
		if (constants[i].value == value && begins_with_one(constants[i].name, prefixes))
			return constants[i].name;
	return NULL;
}

int errno_find(const char *name, int *ret_number)
{
	uint64_t value = 0;

	if (find(errnos, ARRAY_SIZE(errnos), name, &value) < 0)
		return -1;
	*ret_number = (int)value;
	return 0;
}

const char *errno_name(int number)
{
	for (size_t i = 0; i < ARRAY_SIZE(errnos); i++)
		if (errnos[i].value == (uint64_t)number)
			return errnos[i].name;
	return NULL;
}
