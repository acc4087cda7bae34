/*
 * For User-mode Linux on processors with AMX: preloaded by tests/vm/rig into the guest's kernel.
 *
 * User-mode Linux (6.1 and others) restores a process's vector registers from a buffer of 2696
 * bytes, enough up to AVX-512. The host takes a whole register set only (xstateregs_set in
 * arch/x86/kernel/fpu/regset.c), which has 11008 bytes with AMX, and says EFAULT: the guest's
 * init is killed before its first instruction. Here the rest is filled in: no process of the
 * guest can have asked for AMX, so its part of the set is what the host itself has there.
 */
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { XSTATE_MOST = 64 * 1024 };

/* What the libc's own does: the kernel's PEEK requests return their word through a pointer. */
static long ptrace_plain(long request, long pid, void *address, void *data)
{
	long word, status;

	if (request < PTRACE_PEEKTEXT || request > PTRACE_PEEKUSER)
		return syscall(SYS_ptrace, request, pid, address, data);
	status = syscall(SYS_ptrace, request, pid, address, &word);
	if (status < 0)
		return status;
	errno = 0;
	return word;
}

/* The buffer is static because the guest kernel's stacks are small; that kernel has one thread. */
static long set_whole_xstate(long pid, void *regset, const struct iovec *given)
{
	static char whole[XSTATE_MOST];
	struct iovec iov = { .iov_base = whole, .iov_len = sizeof(whole) };

	if (syscall(SYS_ptrace, PTRACE_GETREGSET, pid, regset, &iov) < 0)
		return -1;
	if (iov.iov_len < given->iov_len) {
		errno = EFAULT;
		return -1;
	}
	memcpy(whole, given->iov_base, given->iov_len);
	return syscall(SYS_ptrace, PTRACE_SETREGSET, pid, regset, &iov);
}

long ptrace(enum __ptrace_request request, ...)
{
	va_list arguments;
	va_start(arguments, request);
	long pid = va_arg(arguments, pid_t);
	void *address = va_arg(arguments, void *);
	void *data = va_arg(arguments, void *);
	va_end(arguments);

	long status = ptrace_plain(request, pid, address, data);
	if (status < 0 && errno == EFAULT && request == PTRACE_SETREGSET &&
	    (long)address == NT_X86_XSTATE)
		return set_whole_xstate(pid, address, data);
	return status;
}
