"""Which errno each system call may plausibly fail with, and in which case of cases_inject.py it is tried. A call
without a row is tried with those of DEFAULT in the group `others`, so new code of the judge needs no change here."""

ROWS = [    # group, names, errnos
    ("descriptors", "open openat openat2 creat", "EMFILE ENFILE ENOMEM EACCES ENOENT EINTR"),
    ("descriptors", "close", "EIO EINTR"),
    ("descriptors", "dup2 dup3 fcntl", "EMFILE EBUSY EPERM EAGAIN"),
    ("descriptors", "close_range", "ENOMEM ENOSYS EPERM"),
    ("descriptors", "flock", "EWOULDBLOCK ENOLCK EINTR"),
    ("descriptors", "pipe pipe2 socketpair socket eventfd2 signalfd4 timerfd_create memfd_create pidfd_open "
                    "epoll_create1 inotify_init1", "EMFILE ENFILE ENOMEM"),
    ("transfers", "read pread64 readv", "EIO EINTR ENOMEM"),
    ("transfers", "write pwrite64 writev", "EIO ENOSPC EINTR EPERM ENOMEM"),
    ("transfers", "sendfile splice copy_file_range tee", "EIO EINTR ENOMEM EINVAL ENOSPC"),
    ("transfers", "sendto sendmsg", "ENOBUFS ENOMEM EINTR EPIPE"),
    ("transfers", "recvmsg recvfrom", "EINTR ENOMEM"),
    ("transfers", "poll ppoll select pselect6 epoll_wait epoll_pwait", "EINTR ENOMEM"),
    ("files", "stat lstat fstat newfstatat statx access faccessat faccessat2 readlink readlinkat",
     "EACCES ENOENT ENOMEM EIO"),
    ("files", "statfs fstatfs", "EIO ENOMEM ENOSYS"),
    ("files", "mkdir mkdirat symlink symlinkat mknodat", "EACCES ENOSPC EEXIST ENOMEM EROFS"),
    ("files", "unlink unlinkat rmdir", "EACCES EBUSY EIO"),
    ("files", "rename renameat renameat2 link linkat", "EACCES ENOSPC EXDEV ENOENT EIO"),
    ("files", "chmod fchmod fchmodat chown fchown fchownat ftruncate fallocate lseek", "EPERM EIO EINVAL"),
    ("files", "getdents64", "EIO ENOMEM"),
    ("files", "chdir fchdir getcwd", "EACCES ENOENT ENOMEM"),
    ("mounts", "mount umount umount2 pivot_root open_tree move_mount fsopen fsmount fsconfig",
     "EPERM ENOMEM EACCES EINVAL ENOENT EBUSY"),
    ("mounts", "mount_setattr", "EPERM EINVAL ENOSYS ENOMEM"),
    ("rights", "prctl capset capget", "EPERM EINVAL"),
    ("rights", "setuid setgid setreuid setregid setresuid setresgid setgroups", "EPERM EAGAIN ENOMEM"),
    ("rights", "seccomp", "ENOMEM EINVAL EACCES ENOSYS"),
    ("rights", "landlock_create_ruleset landlock_add_rule landlock_restrict_self", "ENOSYS EOPNOTSUPP ENOMEM EPERM"),
    ("rights", "setrlimit prlimit64 getrlimit", "EPERM EINVAL"),
    ("rights", "unshare setns", "EPERM ENOMEM ENOSPC EINVAL ENOSYS"),
    ("rights", "sethostname setdomainname setsid setpgid", "EPERM"),
    ("processes", "clone clone3 fork vfork", "EAGAIN ENOMEM EPERM ENOSPC ENOSYS EINVAL"),
    ("processes", "execve execveat", "ENOMEM EACCES ENOENT ETXTBSY ENOEXEC E2BIG"),
    ("processes", "wait4 waitid", "EINTR ECHILD"),
    ("processes", "kill tgkill pidfd_send_signal", "EPERM ESRCH ENOSYS"),
    ("processes", "sched_setaffinity sched_getaffinity", "EINVAL EPERM ENOMEM"),
    ("processes", "nanosleep clock_nanosleep", "EINTR"),
    ("others", "ioctl", "ENOTTY EINVAL ENOMEM"),
    ("others", "mmap mremap mprotect", "ENOMEM"),
]
DEFAULT = "EPERM ENOMEM EINVAL ENOSYS"

# These cannot fail as they are used: no argument of theirs can be wrong, and the kernel takes nothing for them.
# brk tells of failure by another break, not by an errno, and libc goes on with mmap.
CANNOT_FAIL = set("""getpid getppid gettid getuid geteuid getgid getegid umask exit exit_group rt_sigreturn
    restart_syscall set_tid_address set_robust_list rseq brk munmap clock_gettime gettimeofday rt_sigaction
    rt_sigprocmask getrusage times uname getrandom arch_prctl getresuid getresgid madvise sched_yield""".split())

# The kernel frees the descriptor whatever close(2) answers, so the call is made and its answer replaced.
AFTER = {"close"}

GROUPS = sorted({row[0] for row in ROWS})
BY_NAME = {name: (group, errnos.split()) for group, names, errnos in ROWS for name in names.split()}


def plan_of(name):
    """(group, errnos) of a call; no errno: it cannot fail."""
    if name in CANNOT_FAIL:
        return "others", []
    return BY_NAME.get(name, ("others", DEFAULT.split()))
