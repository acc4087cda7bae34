/*
 * System calls that the C library does not wrap, or wraps with side effects, named like the calls.
 * Each returns as syscall(2) does: -1 with errno. Both sides of the clone use them.
 */
#ifndef BASE_SYS_H
#define BASE_SYS_H

#include <linux/openat2.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* Numbers are the same on x86-64 and aarch64 since 5.1; older headers lack some. */
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif
#ifndef CLONE_INTO_CGROUP
#define CLONE_INTO_CGROUP 0x200000000ULL
#endif
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif
#ifndef MOUNT_ATTR_RDONLY
#define MOUNT_ATTR_RDONLY 0x00000001
#define MOUNT_ATTR_NOSUID 0x00000002
#define MOUNT_ATTR_NODEV 0x00000004
#define MOUNT_ATTR_NOEXEC 0x00000008
#endif
#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

/* struct mount_attr of linux/mount.h, which cannot be included beside sys/mount.h everywhere. */
struct sys_mount_attr {
	uint64_t attr_set, attr_clr, propagation, userns_fd;
};

static inline long sys_clone3(struct clone_args *args, size_t size)
{
	return syscall(SYS_clone3, args, size);
}

/* clone(2) without a stack: returns twice, like fork. The order of the last two arguments differs
   between architectures; both are 0 here. */
static inline long sys_clone(unsigned long flags, int *parent_tid)
{
	return syscall(SYS_clone, flags, 0, parent_tid, 0, 0);
}

static inline long sys_close_range(unsigned first, unsigned last, unsigned flags)
{
	return syscall(SYS_close_range, first, last, flags);
}

static inline long sys_openat2(int dir, const char *path, struct open_how *how, size_t size)
{
	return syscall(SYS_openat2, dir, path, how, size);
}

static inline long sys_mount_setattr(int dir, const char *path, unsigned flags,
				     struct sys_mount_attr *attr, size_t size)
{
	return syscall(SYS_mount_setattr, dir, path, flags, attr, size);
}

static inline long sys_pivot_root(const char *new_root, const char *put_old)
{
	return syscall(SYS_pivot_root, new_root, put_old);
}

static inline long sys_pidfd_send_signal(int pidfd, int signal)
{
	return syscall(SYS_pidfd_send_signal, pidfd, signal, 0, 0);
}

/* struct landlock_ruleset_attr and landlock_path_beneath_attr of linux/landlock.h as of ABI 6; older headers
   lack fields, and older kernels take the longer struct when what they do not know is zero. */
struct sys_landlock_ruleset {
	uint64_t handled_fs, handled_net, scoped;
};
struct sys_landlock_path {
	uint64_t allowed;
	int32_t folder;
} __attribute__((packed));

static inline long sys_landlock_create_ruleset(const struct sys_landlock_ruleset *attr, size_t size)
{
	return syscall(SYS_landlock_create_ruleset, attr, size, 0U);
}

/* Rule type 1: LANDLOCK_RULE_PATH_BENEATH. */
static inline long sys_landlock_add_path(int ruleset, const struct sys_landlock_path *path)
{
	return syscall(SYS_landlock_add_rule, ruleset, 1U, path, 0U);
}

static inline long sys_landlock_restrict_self(int ruleset)
{
	return syscall(SYS_landlock_restrict_self, ruleset, 0U);
}

/* The Landlock ABI of this kernel, or -1 (ENOSYS, EOPNOTSUPP when switched off). */
static inline long sys_landlock_abi(void)
{
	return syscall(SYS_landlock_create_ruleset, 0, 0, 1U);
}

#endif
