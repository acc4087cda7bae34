/*
 * The names that a policy's text may use for numbers. Runs in the build tool.
 *
 * Only constants with one value on every architecture may stand here, since a build on one architecture
 * makes the filters of all: no O_ flag, for one.
 */
#include "seccomp/constants.h"

#include "base/array.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>

/* Younger than the oldest headers judge is built with. */
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif
#ifndef PR_SCHED_CORE
#define PR_SCHED_CORE 62
#endif
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
	ROW(CLONE_FILES), ROW(CLONE_FS), ROW(CLONE_NEWCGROUP), ROW(CLONE_NEWIPC), ROW(CLONE_NEWNET),
	ROW(CLONE_NEWNS), ROW(CLONE_NEWPID), ROW(CLONE_NEWTIME), ROW(CLONE_NEWUSER), ROW(CLONE_NEWUTS),
	ROW(CLONE_SIGHAND), ROW(CLONE_SYSVSEM), ROW(CLONE_THREAD), ROW(CLONE_VM),
	ROW(FIOCLEX), ROW(FIONBIO), ROW(FIONREAD), ROW(TCGETS), ROW(TIOCCONS), ROW(TIOCGWINSZ),
	ROW(TIOCLINUX), ROW(TIOCSCTTY), ROW(TIOCSETD), ROW(TIOCSTI),
	ROW(MAP_HUGETLB), ROW(MFD_HUGETLB), ROW(SHM_HUGETLB), ROW(PROT_EXEC),
	ROW(MADV_MERGEABLE),
	ROW(PR_SCHED_CORE), ROW(PR_SET_MM), ROW(PR_SET_NAME),
	ROW(SCHED_BATCH), ROW(SCHED_IDLE), ROW(SCHED_OTHER), ROW(SCHED_RESET_ON_FORK),
	ROW(SECCOMP_FILTER_FLAG_NEW_LISTENER), ROW(SECCOMP_SET_MODE_FILTER),
};

static const struct constant errnos[] = {
	ROW(EACCES), ROW(EAFNOSUPPORT), ROW(EAGAIN), ROW(EINVAL), ROW(ENODEV), ROW(ENOMEM), ROW(ENOSYS),
	ROW(ENOTTY), ROW(EOPNOTSUPP), ROW(EPERM), ROW(EPROTONOSUPPORT),
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

int errno_find(const char *name, int *ret_number)
{
	uint64_t value = 0;

	if (find(errnos, ARRAY_SIZE(errnos), name, &value) < 0)
		return -1;
	*ret_number = (int)value;
	return 0;
}
