/*
 * Runs a judge and makes one of its system calls fail, or lists them all. Runs outside the box, as a tracer
 * (ptrace(2)), with the rights of the judge's caller.
 *
 *	inject REPORT list COMMAND...
 *	inject REPORT ROLE NUMBER NTH ERRNO before|after COMMAND...
 *
 * ROLE is who makes the call: judge, init (its child, pid 1 of the box), program (init's child until its
 * execve; from there on it is traced no more) or other. NTH counts the calls of that NUMBER in that role,
 * from 0; those that a C library makes before main are left out. `before`: the call is not made at all.
 * `after`: it is made and its answer is replaced, which is how close(2) fails.
 *
 * REPORT gets a line per fact: `call ROLE NUMBER RESULT TEXT`, `hit TEXT`, `left N` (processes that outlive
 * the judge), and at the end `exit N` or `signal N`. All that is traced dies with this process.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/ptrace.h>

enum { MOST_TRACEES = 256, MOST_CALLS = 512, LEFT_WAIT_MS = 3000 };
enum role { JUDGE, INIT, PROGRAM, OTHER, ROLES };

static const char *const role_names[ROLES] = { "judge", "init", "program", "other" };

/* What static C libraries do before main, and what they do only there or cannot survive without. */
static const long startup_calls[] = {
	SYS_brk, SYS_set_tid_address, SYS_set_robust_list, SYS_prlimit64, SYS_readlinkat, SYS_getrandom,
	SYS_mprotect, SYS_mmap, SYS_rseq,
#ifdef SYS_arch_prctl
	SYS_arch_prctl,
#endif
#ifdef SYS_readlink
	SYS_readlink,
#endif
};

struct tracee {
	pid_t pid;
	enum role role;
	bool known;	/* its parent's event has come, so the role is right */
	bool waits;	/* stopped before that */
	bool counts;	/* past what the C library does */
	bool inside;	/* in a call */
	bool replace;	/* this call's answer */
	long number;
	char text[80];
};

struct fault {
	bool list, hit, after;
	enum role role;
	long number, error;
	int nth;
};

struct tracer {
	struct tracee tracees[MOST_TRACEES];
	struct fault fault;
	FILE *report;
	pid_t judge;
	bool judge_ended, has_init, has_program;
	int status;
	int counts[ROLES][MOST_CALLS];
};

#if defined(__x86_64__)
static void call_replace(pid_t pid, long number)
{
	ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, regs.orig_rax), number);
}

static void answer_replace(pid_t pid, long answer)
{
	ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, regs.rax), answer);
}
#elif defined(__aarch64__)
static void call_replace(pid_t pid, long number)
{
	int n = (int)number;
	struct iovec data = { &n, sizeof(n) };

	ptrace(PTRACE_SETREGSET, pid, 0x404 /* NT_ARM_SYSTEM_CALL */, &data);
}

static void answer_replace(pid_t pid, long answer)
{
	struct user_regs_struct regs;
	struct iovec data = { &regs, sizeof(regs) };

	if (ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &data) < 0)
		return;
	regs.regs[0] = (unsigned long long)answer;
	ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &data);
}
#else
#error "how a system call is replaced here"
#endif

static struct tracee *tracee_find(struct tracer *t, pid_t pid)
{
	for (int i = 0; i < MOST_TRACEES; i++)
		if (t->tracees[i].pid == pid)
			return &t->tracees[i];
	return NULL;
}

static struct tracee *tracee_get(struct tracer *t, pid_t pid)
{
	struct tracee *found = tracee_find(t, pid);

	if (found)
		return found;
	found = tracee_find(t, 0);
	if (!found) {
		fputs("inject: too many processes\n", stderr);
		exit(125);
	}
	*found = (struct tracee){ .pid = pid, .role = OTHER };
	return found;
}

/* A word for people: the first of the two first arguments that is a text in the tracee. */
static void call_text(struct tracee *c, const __u64 *args)
{
	for (int i = 0; i < 2; i++) {
		long word[8];
		const char *text = (const char *)word;

		if (args[i] < 4096)
			continue;
		for (size_t at = 0; at < 8; at++) {
			errno = 0;
			word[at] = ptrace(PTRACE_PEEKDATA, c->pid, args[i] + at * sizeof(long), 0);
			if (errno)
				word[at] = 0;
		}
		size_t n = 0;
		while (n < sizeof(word) && text[n] > ' ' && text[n] < 127)
			n++;
		if (n > 1) {
			snprintf(c->text, sizeof(c->text), "%.*s", (int)n, text);
			return;
		}
	}
	snprintf(c->text, sizeof(c->text), "%#llx,%#llx", (unsigned long long)args[0], (unsigned long long)args[1]);
}

static bool is_startup(long number)
{
	for (size_t i = 0; i < sizeof(startup_calls) / sizeof(startup_calls[0]); i++)
		if (startup_calls[i] == number)
			return true;
	return false;
}

static void call_begins(struct tracer *t, struct tracee *c, const struct ptrace_syscall_info *info)
{
	struct fault *f = &t->fault;
	int nth;

	c->number = (long)info->entry.nr;
	c->inside = true;
	if (!c->counts && !is_startup(c->number))
		c->counts = true;
	if (!c->counts || c->number < 0 || c->number >= MOST_CALLS)
		return;
	nth = t->counts[c->role][c->number]++;
	if (f->list) {
		call_text(c, info->entry.args);
		return;
	}
	if (f->hit || f->role != c->role || f->number != c->number || f->nth != nth)
		return;
	call_text(c, info->entry.args);
	f->hit = c->replace = true;
	fprintf(t->report, "hit %s\n", c->text);
	/* One that every filter lets through. */
	if (!f->after)
		call_replace(c->pid, SYS_getpid);
}

static void call_ends(struct tracer *t, struct tracee *c, const struct ptrace_syscall_info *info)
{
	if (!c->inside)
		return;
	c->inside = false;
	if (c->replace)
		answer_replace(c->pid, -t->fault.error);
	c->replace = false;
	if (t->fault.list && c->counts)
		fprintf(t->report, "call %s %ld %lld %s\n", role_names[c->role], c->number,
			(long long)info->exit.rval, c->text);
}

static void call_stop(struct tracer *t, struct tracee *c)
{
	struct ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, c->pid, sizeof(info), &info) <= 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
		call_begins(t, c, &info);
	else if (info.op == PTRACE_SYSCALL_INFO_EXIT)
		call_ends(t, c, &info);
}

static void child_comes(struct tracer *t, const struct tracee *parent)
{
	unsigned long pid = 0;
	struct tracee *child;

	if (ptrace(PTRACE_GETEVENTMSG, parent->pid, 0, &pid) < 0 || !pid)
		return;
	child = tracee_get(t, (pid_t)pid);
	if (parent->role == JUDGE && !t->has_init) {
		child->role = INIT;
		t->has_init = true;
	} else if (parent->role == INIT && !t->has_program) {
		child->role = PROGRAM;
		t->has_program = true;
	}
	child->known = child->counts = true;
	if (child->waits)
		ptrace(PTRACE_SYSCALL, child->pid, 0, 0);
	child->waits = false;
}

/* What to continue a stopped tracee with: its signal, or -1 for "not now". */
static int event_stop(struct tracer *t, struct tracee *c, int event, int number)
{
	switch (event) {
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		child_comes(t, c);
		return 0;
	case PTRACE_EVENT_EXEC:
		c->known = true;
		if (c->role != PROGRAM)
			return 0;
		ptrace(PTRACE_DETACH, c->pid, 0, 0);
		c->pid = 0;
		return -1;
	case PTRACE_EVENT_STOP:
		if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU) {
			ptrace(PTRACE_LISTEN, c->pid, 0, 0);
			return -1;
		}
		c->waits = !c->known;
		return c->waits ? -1 : 0;
	}
	return 0;
}

static void stopped(struct tracer *t, pid_t pid, int status)
{
	struct tracee *c = tracee_get(t, pid);
	int event = status >> 16, number = WSTOPSIG(status), deliver = 0;

	if (event)
		deliver = event_stop(t, c, event, number);
	else if (number == (SIGTRAP | 0x80))
		call_stop(t, c);
	else
		deliver = number;
	if (deliver >= 0)
		ptrace(PTRACE_SYSCALL, pid, 0, deliver);
}

static void take(struct tracer *t, pid_t pid, int status)
{
	if (WIFSTOPPED(status)) {
		stopped(t, pid, status);
		return;
	}
	if (pid == t->judge) {
		t->judge_ended = true;
		t->status = status;
	}
	struct tracee *c = tracee_find(t, pid);
	if (c)
		c->pid = 0;
}

static int tracees_left(const struct tracer *t)
{
	int count = 0;

	for (int i = 0; i < MOST_TRACEES; i++)
		count += t->tracees[i].pid != 0;
	return count;
}

static void trace(struct tracer *t)
{
	int waited = 0;

	for (;;) {
		int status;
		pid_t pid = waitpid(-1, &status, __WALL | (t->judge_ended ? WNOHANG : 0));

		if (pid > 0)
			take(t, pid, status);
		else if (pid < 0 && errno != EINTR)
			return;
		else if (pid == 0 && (tracees_left(t) == 0 || ++waited > LEFT_WAIT_MS))
			return;
		else if (pid == 0)
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
}

static pid_t start(struct tracer *t, char **command)
{
	long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		       PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	int go[2];
	char byte;

	if (pipe2(go, O_CLOEXEC) < 0)
		return -1;
	pid_t pid = fork();
	if (pid == 0) {
		close(go[1]);
		if (read(go[0], &byte, 1) == 1)
			execvp(command[0], command);
		_exit(126);
	}
	close(go[0]);
	if (pid > 0 && ptrace(PTRACE_SEIZE, pid, 0, options) == 0 && write(go[1], "g", 1) == 1) {
		/* Its calls are seen from the execve on. */
		struct tracee *c = tracee_get(t, pid);
		c->role = JUDGE;
		c->known = true;
	} else {
		perror("inject: cannot trace");
		pid = -1;
	}
	close(go[1]);
	return pid;
}

static bool read_fault(struct fault *f, char **words)
{
	for (f->role = JUDGE; f->role < ROLES && strcmp(role_names[f->role], words[0]) != 0; f->role++)
		;
	f->number = strtol(words[1], NULL, 10);
	f->nth = (int)strtol(words[2], NULL, 10);
	f->error = strtol(words[3], NULL, 10);
	f->after = strcmp(words[4], "after") == 0;
	return f->role < ROLES;
}

int main(int argc, char **argv)
{
	static struct tracer t;
	char **command = argv + 3;

	if (argc < 4)
		return 125;
	t.fault.list = strcmp(argv[2], "list") == 0;
	if (!t.fault.list && (argc < 8 || !read_fault(&t.fault, argv + 2)))
		return 125;
	if (!t.fault.list)
		command = argv + 7;
	t.report = fopen(argv[1], "we");
	if (!t.report)
		return 125;
	t.judge = start(&t, command);
	if (t.judge < 0)
		return 125;
	trace(&t);
	fprintf(t.report, "left %d\n", tracees_left(&t));
	if (WIFSIGNALED(t.status))
		fprintf(t.report, "signal %d\n", WTERMSIG(t.status));
	else
		fprintf(t.report, "exit %d\n", WEXITSTATUS(t.status));
	return fclose(t.report) ? 125 : WIFSIGNALED(t.status) ? 128 + WTERMSIG(t.status) : WEXITSTATUS(t.status);
}
