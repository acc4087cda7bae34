/*
 * Runs inside the box: init, which is pid 1 of the box, and the process that becomes the program.
 * Raw system calls on data prepared outside: no malloc, no stdio, no message text. A test compares the
 * undefined symbols of this file with a reviewed list.
 *
 * inside_main is the box from top to bottom: each step is named in sandbox/wire.h, and the first that
 * fails ends it.
 */
#include "sandbox/inside.h"

#include "base/sys.h"
#include "sandbox/inside_step.h"
#include "sandbox/weaken.h"

#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static uint64_t clock_us(clockid_t clock)
{
	struct timespec t = { 0, 0 };

	syscall(SYS_clock_gettime, clock, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, text, strlen(text));
	close(fd);
	return n < 0 ? -1 : 0;
}

/* close_range(2) is Linux 5.9; before, and where it is masked, one by one as far as the limit goes. */
static int close_between(unsigned first, unsigned last)
{
	struct rlimit limit;

	if (first > last || !sys_close_range(first, last, 0))
		return 0;
	if (errno != ENOSYS || getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return -1;
	for (unsigned fd = first; fd <= last && fd < limit.rlim_max && fd < 1U << 20; fd++)
		close((int)fd);
	return 0;
}

/* Must: come first. Nothing of the judge's or its caller's may be open inside but what the plan keeps.
   0, 1 and 2 stay until the fork: they are replaced in the program and closed in init. */
static void close_the_rest(const struct inside *x)
{
	unsigned next = 3;

	if (WEAK("fds"))
		return;
	for (unsigned i = 0; i < x->fds->keep_count; i++) {
		unsigned fd = (unsigned)x->fds->keep[i];

		if (fd < next)
			continue;
		must(x, STEP_CLOSE_FDS, 0, fd > next ? close_between(next, fd - 1) : 0);
		next = fd + 1;
	}
	must(x, STEP_CLOSE_FDS, 0, close_between(next, ~0U));
}

/* Must: be before anything takes memory or CPU time, and before the cgroup namespace is made, whose root
   is the cgroup this process is in (cgroup_namespaces(7)). */
static void join_cgroup(const struct inside *x)
{
	for (unsigned i = 0; i < x->fds->join_count; i++)
		must(x, STEP_JOIN_CGROUP, i, (int)write(x->fds->join[i], "0", 1));
	for (unsigned i = 0; i < x->fds->join_count; i++)
		close(x->fds->join[i]);
	if (x->fds->cgroup_namespace)
		must(x, STEP_CGROUP_NAMESPACE, 0, unshare(CLONE_NEWCGROUP));
}

/* user_namespaces(7): an ordinary user must deny setgroups before it may write a gid map. */
static void map_ids(const struct inside *x)
{
	const struct plan *p = x->plan;

	must(x, STEP_SETGROUPS, 0, write_text("/proc/self/setgroups", "deny"));
	must(x, STEP_GID_MAP, 0, write_text("/proc/self/gid_map", p->gid_map));
	must(x, STEP_UID_MAP, 0, write_text("/proc/self/uid_map", p->uid_map));
	/* The judge of root has uid 0 as its real and saved uid: none of it may stay. */
	must(x, STEP_SWITCH_IDS, 0, (int)syscall(SYS_setresgid, 65534, 65534, 65534));
	must(x, STEP_SWITCH_IDS, 0, (int)syscall(SYS_setresuid, 65534, 65534, 65534));
	/* A change of ids made /proc/self root's; inside_drop takes this back for good. */
	must(x, STEP_SWITCH_IDS, 0, prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
}

/* Must: be after the last change of ids, which would clear it (prctl(2)). A judge that died before it was
   set has closed its end of the wire. */
static void die_with_judge(const struct inside *x)
{
	struct pollfd wire = { .fd = x->fds->wire, .events = 0 };

	must(x, STEP_DIE_WITH_JUDGE, 0, prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
	if (poll(&wire, 1, 0) > 0 && (wire.revents & (POLLHUP | POLLERR)))
		_exit(1);
	/* Signals to process groups and terminals do not stop at a pid namespace; sessions do. */
	must(x, STEP_SESSION, 0, setsid());
}

/* /proc/1/cmdline and comm are for all to read: they tell nothing of the judge's caller. */
static void set_up_names(const struct inside *x)
{
	const struct request *r = x->plan->request;

	if (r->own_arguments)
		memset(r->own_arguments, 0, r->own_arguments_size);
	(void)prctl(PR_SET_NAME, "init", 0, 0, 0); /* a nicety */
	must(x, STEP_HOSTNAME, 0, sethostname("box", 3));
	must(x, STEP_HOSTNAME, 0, setdomainname("(none)", 6));
}

static void set_up_loopback(const struct inside *x)
{
	struct ifreq request = { .ifr_name = "lo" };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	must(x, STEP_LOOPBACK, 0, fd);
	request.ifr_flags = IFF_UP | IFF_RUNNING;
	must(x, STEP_LOOPBACK, 0, ioctl(fd, SIOCSIFFLAGS, &request));
	close(fd);
}

/* A second user namespace would give the program capabilities again, and with them most of the kernel's
   attack surface. The sysctl is per user namespace (namespaces(7)). Where /proc/sys is read-only, as in
   containers, the system call filter holds alone. */
static void forbid_nesting(const struct inside *x)
{
	int r = WEAK("userns-nesting") ? 0 : write_text("/proc/sys/user/max_user_namespaces", "0");

	if (r < 0 && errno != EROFS && errno != ENOENT && errno != EACCES)
		inside_fail(x, STEP_NO_NESTING, 0);
	if (r < 0 && !x->plan->filter)
		inside_fail(x, STEP_NO_NESTING, 0);
	/* The caller's account of inotify instances is one for all his boxes and editors: each box gets a few. */
	(void)write_text("/proc/sys/user/max_inotify_instances", "8"); /* where it cannot be had, it is shared */
}

/* The descriptor of /box lives on when the box is dead: --copy-out, and how much of the disk was used. The
   listener tells the judge which call the filter refused. */
static void report_built(const struct inside *x, int box, uint64_t cpu_us)
{
	struct wire_record r = { .kind = WIRE_BUILT, .cpu_us = cpu_us };
	int fds[WIRE_FDS] = { box, *x->fds->listener };
	const size_t size = (fds[1] < 0 ? 1 : 2) * sizeof(int);
	struct iovec data = { &r, sizeof(r) };
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(fds))];
	} control;
	struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
			    .msg_controllen = CMSG_SPACE(size) };

	memset(&control, 0, sizeof(control));
	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(size);
	memcpy(CMSG_DATA(&control.header), fds, size);
	/* Descriptors on their way are counted per user of the host, so other boxes can use the count up
	   (ETOOMANYREFS): then the record goes without. */
	if (sendmsg(x->fds->wire, &m, MSG_NOSIGNAL) >= 0)
		return;
	if (errno != ETOOMANYREFS)
		inside_fail(x, STEP_BOX_FOLDER, 0);
	inside_send(x, &r);
}

/* time_namespaces(7): children of this process get it; the offsets are written before the first one. A
   kernel that refuses the namespace leaves the host's clock visible, which READY tells. */
static void enter_time_namespace(struct inside *x)
{
	if (!x->plan->time_namespace || unshare(CLONE_NEWTIME) < 0)
		return;
	must(x, STEP_TIME_OFFSETS, 0,
	     write_text("/proc/self/timens_offsets", x->plan->time_offsets));
	x->time_namespace = true;
}

/* What the judge's caller ignored or blocked is no concern of the program. The raw call, since the C
   library's refuses its own two signals. */
static void reset_signals(void)
{
	struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} by_default = { SIG_DFL, 0, NULL, 0 };
	uint64_t empty = 0;

	for (int signal = 1; signal <= 64; signal++)
		syscall(SYS_rt_sigaction, signal, &by_default, NULL, sizeof(empty));
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &empty, NULL, sizeof(empty));
}

static void take_stdio(const struct inside *x)
{
	int in = x->in;

	if (in < 0)
		in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	must(x, STEP_STDIO, 0, dup2(in, 0));
	must(x, STEP_STDIO, 1, dup2(x->fds->out, 1));
	must(x, STEP_STDIO, 2, dup2(x->fds->err, 2));
}

static void __attribute__((noreturn)) become_program(const struct inside *x)
{
	const struct plan *p = x->plan;
	struct wire_record ready = { .kind = WIRE_READY, .time_namespace = x->time_namespace,
				     .shifted = x->time_namespace && !p->host.exec_enters_time_namespace };

	must(x, STEP_SESSION, 1, setsid());
	umask(022);
	reset_signals();
	take_stdio(x);
	must(x, STEP_CHDIR, 0, chdir(p->chdir));
	inside_set_limits(x);
	inside_restrict_paths(x);
	ready.now_us = clock_us(CLOCK_MONOTONIC);
	ready.cpu_us = clock_us(CLOCK_PROCESS_CPUTIME_ID);
	inside_load_filter(x);
	inside_send(x, &ready);
	execve(p->program, p->argv, p->envp);
	inside_fail(x, STEP_EXEC, 0);
}

static void add_figures(struct wire_record *r)
{
	struct rusage all;

	getrusage(RUSAGE_CHILDREN, &all);
	r->user_us = (uint64_t)all.ru_utime.tv_sec * 1000000 + (uint64_t)all.ru_utime.tv_usec;
	r->sys_us = (uint64_t)all.ru_stime.tv_sec * 1000000 + (uint64_t)all.ru_stime.tv_usec;
	r->init_cpu_us = clock_us(CLOCK_PROCESS_CPUTIME_ID);
}

/* The moment that counts: what is left of the box is taken down afterwards, on nobody's clock. Whether
   nothing is left, which is the rule. */
static bool report_end(const struct inside *x, int status, const struct rusage *program)
{
	struct wire_record ended = { .kind = WIRE_ENDED, .status = status };

	ended.now_us = clock_us(CLOCK_MONOTONIC);
	ended.max_rss_kib = (uint64_t)program->ru_maxrss;
	ended.csw_voluntary = (uint64_t)program->ru_nvcsw;
	ended.csw_forced = (uint64_t)program->ru_nivcsw;
	ended.done = wait4(-1, NULL, WNOHANG | __WALL, NULL) < 0 && errno == ECHILD;
	if (ended.done)
		add_figures(&ended);
	inside_send(x, &ended);
	return ended.done;
}

/* What the program left behind is ended and waited for here: what dies with init is counted nowhere. One
   round may miss a child that is being born, so until nobody is left. */
static void end_the_rest(const struct inside *x)
{
	struct wire_record done = { .kind = WIRE_DONE };
	pid_t pid;

	do {
		if (!WEAK("pidns"))	/* where -1 is all of the caller's processes */
			kill(-1, SIGKILL);
		pid = wait4(-1, NULL, __WALL, NULL);
	} while (pid > 0 || (pid < 0 && errno == EINTR));
	add_figures(&done);
	inside_send(x, &done);
}

/* Reaps everything; ends with the program, and with it all that is left in the pid namespace. */
static void __attribute__((noreturn)) be_init(const struct inside *x, pid_t program)
{
	struct rusage usage;
	int status;
	pid_t pid;

	must(x, STEP_CLOSE_FDS, 1, close_between(0, (unsigned)x->fds->wire - 1));
	must(x, STEP_CLOSE_FDS, 1, close_between((unsigned)x->fds->wire + 1, ~0U));
	do {
		pid = wait4(-1, &status, __WALL, &usage);
		if (pid < 0 && errno != EINTR)
			inside_fail(x, STEP_WAIT, 0);
	} while (pid != program);
	if (!report_end(x, status, &usage))
		end_the_rest(x);
	_exit(0);
}

static int run_program(void *x)
{
	become_program(x);
}

/*
 * The program's process shares the descriptors until its execve, for which init waits: so what the kernel
 * gives the one as the filter's listener the other has too, and can hand out, which the filter would forbid.
 * It shares the memory too, which saves copying it, where execve enters the time namespace (Linux 6.3):
 * before, only a fork without CLONE_VM did.
 */
static pid_t start_program(const struct inside *x, int box)
{
	const uint64_t cpu_us = clock_us(CLOCK_PROCESS_CPUTIME_ID);
	long program;

	if (x->plan->host.exec_enters_time_namespace)
		program = clone(run_program, x->fds->stack_top, CLONE_VM | CLONE_FILES | CLONE_VFORK | SIGCHLD,
				(void *)x);
	else
		program = sys_clone(CLONE_FILES | CLONE_VFORK | SIGCHLD, NULL);
	must(x, STEP_FORK, 0, (int)program);
	if (!program)
		become_program(x);
	report_built(x, box, cpu_us);
	return (pid_t)program;
}

void inside_main(const struct plan *p, const struct inside_fds *f)
{
	struct inside x = { .plan = p, .fds = f, .in = f->in };
	int box;

	close_the_rest(&x);
	join_cgroup(&x);
	map_ids(&x);
	die_with_judge(&x);
	set_up_names(&x);
	if (p->request->net == NET_LOOPBACK)
		set_up_loopback(&x);
	forbid_nesting(&x);
	inside_build_root(&x);
	box = open("/box", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	must(&x, STEP_BOX_FOLDER, 0, box);
	enter_time_namespace(&x);
	inside_drop(&x);
	be_init(&x, start_program(&x, box));
}
