/*
 * Runs a program as on a kernel that lacks some system calls, to test what is done without them.
 *
 *	mask CALL[=ERRNO][,CALL[=ERRNO]…] PROGRAM [ARGS]
 *	mask clone3,openat2=EPERM,unshare-newtime ./judge run ./a.out
 *
 * A seccomp filter answers the named calls with ENOSYS, or the given errno, in PROGRAM and in all
 * that it starts. A name with a dash is one use of a call, recognized by a flag in a register
 * (the flags of clone3 are in memory, where no filter sees them). Sets no_new_privs, which an
 * unprivileged filter needs. Exit status 2: a name that is not in the tables; 127: no PROGRAM.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#if defined(__x86_64__)
enum { THIS_ARCH = (int)AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { THIS_ARCH = (int)AUDIT_ARCH_AARCH64 };
#else
#error "a row for this architecture is missing"
#endif

/* The same numbers everywhere since Linux 5.1; older headers lack the newest. */
enum {
	NR_PIDFD_SEND_SIGNAL = 424, NR_IO_URING_SETUP = 425, NR_OPEN_TREE = 428, NR_MOVE_MOUNT = 429,
	NR_FSOPEN = 430, NR_FSMOUNT = 432, NR_PIDFD_OPEN = 434, NR_CLONE3 = 435, NR_CLOSE_RANGE = 436,
	NR_OPENAT2 = 437, NR_PIDFD_GETFD = 438, NR_FACCESSAT2 = 439, NR_MOUNT_SETATTR = 442,
	NR_LANDLOCK_CREATE_RULESET = 444, NR_LANDLOCK_ADD_RULE = 445, NR_LANDLOCK_RESTRICT_SELF = 446,
};

struct call_row {
	const char *name;
	int number;
	unsigned int flag;	/* refused only with this bit in argument 0; 0: always */
	int answer;		/* what kernels without it say; 0: ENOSYS */
};

static const struct call_row call_rows[] = {
	{ "clone", SYS_clone, 0, 0 },
	{ "clone-newuser", SYS_clone, CLONE_NEWUSER, EPERM },
	{ "clone3", NR_CLONE3, 0, 0 },
	{ "close_range", NR_CLOSE_RANGE, 0, 0 },
	{ "copy_file_range", SYS_copy_file_range, 0, 0 },
	{ "eventfd2", SYS_eventfd2, 0, 0 },
	{ "execveat", SYS_execveat, 0, 0 },
	{ "faccessat2", NR_FACCESSAT2, 0, 0 },
	{ "fsmount", NR_FSMOUNT, 0, 0 },
	{ "fsopen", NR_FSOPEN, 0, 0 },
	{ "io_uring_setup", NR_IO_URING_SETUP, 0, 0 },
	{ "kcmp", SYS_kcmp, 0, 0 },
	{ "landlock_add_rule", NR_LANDLOCK_ADD_RULE, 0, 0 },
	{ "landlock_create_ruleset", NR_LANDLOCK_CREATE_RULESET, 0, 0 },
	{ "landlock_restrict_self", NR_LANDLOCK_RESTRICT_SELF, 0, 0 },
	{ "memfd_create", SYS_memfd_create, 0, 0 },
	{ "mount", SYS_mount, 0, EPERM },
	{ "mount_setattr", NR_MOUNT_SETATTR, 0, 0 },
	{ "move_mount", NR_MOVE_MOUNT, 0, 0 },
	{ "open_tree", NR_OPEN_TREE, 0, 0 },
	{ "openat2", NR_OPENAT2, 0, 0 },
	{ "pidfd_getfd", NR_PIDFD_GETFD, 0, 0 },
	{ "pidfd_open", NR_PIDFD_OPEN, 0, 0 },
	{ "pidfd_send_signal", NR_PIDFD_SEND_SIGNAL, 0, 0 },
	{ "pivot_root", SYS_pivot_root, 0, EPERM },
	{ "prlimit64", SYS_prlimit64, 0, 0 },
	{ "process_vm_readv", SYS_process_vm_readv, 0, 0 },
	{ "sched_setaffinity", SYS_sched_setaffinity, 0, 0 },
	{ "seccomp", SYS_seccomp, 0, 0 },
	{ "sendfile", SYS_sendfile, 0, 0 },
	{ "setgroups", SYS_setgroups, 0, EPERM },
	{ "setns", SYS_setns, 0, 0 },
	{ "signalfd4", SYS_signalfd4, 0, 0 },
	{ "splice", SYS_splice, 0, 0 },
	{ "statx", SYS_statx, 0, 0 },
	{ "tee", SYS_tee, 0, 0 },
	{ "timerfd_create", SYS_timerfd_create, 0, 0 },
	{ "umount2", SYS_umount2, 0, EPERM },
	{ "unshare", SYS_unshare, 0, 0 },
	{ "unshare-newtime", SYS_unshare, 0x80 /* CLONE_NEWTIME */, EINVAL },
	{ "unshare-newuser", SYS_unshare, CLONE_NEWUSER, EPERM },
	{ "vmsplice", SYS_vmsplice, 0, 0 },
};

static const struct { const char *name; int number; } errno_rows[] = {
	{ "EACCES", EACCES }, { "EAGAIN", EAGAIN }, { "EBUSY", EBUSY }, { "EINVAL", EINVAL },
	{ "EMFILE", EMFILE }, { "ENOMEM", ENOMEM }, { "ENOSPC", ENOSPC }, { "ENOSYS", ENOSYS },
	{ "EOPNOTSUPP", EOPNOTSUPP }, { "EPERM", EPERM }, { "EUSERS", EUSERS },
};

enum { PER_CALL = 5, MOST_CALLS = 40 };

struct program {
	struct sock_filter code[4 + PER_CALL * MOST_CALLS + 1];
	size_t length;
	int calls;
};

static void emit(struct program *p, unsigned short code, unsigned int k, int yes, int no)
{
	p->code[p->length++] = (struct sock_filter){
		.code = code, .k = k, .jt = (unsigned char)yes, .jf = (unsigned char)no,
	};
}

static void emit_load(struct program *p, size_t offset)
{
	emit(p, BPF_LD | BPF_W | BPF_ABS, (unsigned int)offset, 0, 0);
}

static void emit_start(struct program *p)
{
	emit_load(p, offsetof(struct seccomp_data, arch));
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)THIS_ARCH, 1, 0);
	emit(p, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	emit_load(p, offsetof(struct seccomp_data, nr));
}

/* Comes and goes with the call's number loaded. Both architectures are little endian. */
static void emit_call(struct program *p, const struct call_row *row, int answer)
{
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)row->number, 0, row->flag ? 4 : 1);
	if (row->flag) {
		emit_load(p, offsetof(struct seccomp_data, args[0]));
		emit(p, BPF_JMP | BPF_JSET | BPF_K, row->flag, 0, 1);
	}
	emit(p, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned int)answer, 0, 0);
	if (row->flag)
		emit_load(p, offsetof(struct seccomp_data, nr));
}

static const struct call_row *call_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(call_rows); i++)
		if (strcmp(call_rows[i].name, name) == 0)
			return &call_rows[i];
	return NULL;
}

static int errno_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(errno_rows); i++)
		if (strcmp(errno_rows[i].name, name) == 0)
			return errno_rows[i].number;
	return -1;
}

/* CALL or CALL=ERRNO, changed in place. */
static bool add_call(struct program *p, char *word)
{
	char *equals = strchr(word, '=');
	if (equals)
		*equals = '\0';

	const struct call_row *row = call_find(word);
	if (!row || p->calls++ == MOST_CALLS) {
		fprintf(stderr, "mask: %s: %s\n", word, row ? "too many calls" :
			"no row for this call in mask.c");
		return false;
	}
	int answer = equals ? errno_find(equals + 1) : row->answer ? row->answer : ENOSYS;
	if (answer < 0) {
		fprintf(stderr, "mask: %s: no row for this errno in mask.c\n", equals + 1);
		return false;
	}
	emit_call(p, row, answer);
	return true;
}

/* prctl, not seccomp(2): the latter may be one of those that are masked already, by a mask outside. */
static int install(const struct program *p)
{
	struct sock_fprog filter = {
		.len = (unsigned short)p->length, .filter = (struct sock_filter *)p->code,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

int main(int argc, char **argv)
{
	struct program p = { .length = 0 };
	char *rest = NULL;

	if (argc < 3) {
		fputs("usage: mask CALL[=ERRNO][,CALL[=ERRNO]...] PROGRAM [ARGS]\n", stderr);
		return 2;
	}
	emit_start(&p);
	for (char *word = strtok_r(argv[1], ",", &rest); word; word = strtok_r(NULL, ",", &rest))
		if (!add_call(&p, word))
			return 2;
	emit(&p, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	if (install(&p) < 0) {
		perror("mask: cannot install the filter");
		return 126;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
