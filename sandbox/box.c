/*
 * One box from top to bottom. Runs in the judge; box_run, at the end, is the story: make the cgroup, connect
 * the streams, clone, let go, watch, collect.
 */
#include "sandbox/box.h"

#include "base/fd.h"
#include "sandbox/clone.h"
#include "sandbox/exec_why.h"
#include "sandbox/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHARED ((size_t)128 * 1024)	/* bytes */

struct box {
	const struct plan *plan;
	struct outcome *o;
	struct cgroup cgroup;
	struct inside_fds inside;	/* descriptors of the inside, closed here after the clone */
	struct watch watch;
};

static int failed(struct box *b, int number, const char *what)
{
	if (!b->o->error.kind)
		fail(&b->o->error, number, "%s", what);
	return -1;
}

static int make_pipe(struct box *b, int *ret_read, int *ret_write)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return failed(b, errno, "cannot make a pipe for the program's streams");
	*ret_read = ends[0];
	*ret_write = ends[1];
	return 0;
}

static int connect_stdin(struct box *b)
{
	autoclose int write_end = -1;

	if (b->plan->in.kind != STDIN_RELAY)
		return 0;
	if (make_pipe(b, &b->inside.in, &write_end) < 0)
		return -1;
	if (fcntl(write_end, F_SETFL, O_NONBLOCK) < 0)
		return failed(b, errno, "cannot make the input pipe");
	b->watch.in.sink = take_fd(&write_end);
	return 0;
}

static int connect_out(struct box *b, struct stream *s, int *ret_inside)
{
	return make_pipe(b, &s->source, ret_inside);
}

/* Must: be done with the caller's ids, whose terminals and pipes these are. */
static void open_outside(struct box *b)
{
	const struct plan *p = b->plan;
	const uint64_t limit = p->limits.value[LIMIT_OUTPUT];

	if (p->in.kind == STDIN_RELAY)
		stream_open_in(&b->watch.in, p->in.fd);
	stream_open_out(&b->watch.out, "standard output", p->out.fd, limit);
	if (p->err.fd >= 0)
		stream_open_out(&b->watch.err, "standard error", p->err.fd, limit);
	if (p->request->keep_stderr_tail) {
		struct stream *s = p->err.fd >= 0 ? &b->watch.err : &b->watch.out;

		s->can_splice = false;
		s->tail = b->o->stderr_tail;
		s->tail_size = sizeof(b->o->stderr_tail);
	}
}

/* Must: be done with the ids of the box, which own the pipes then, so that /dev/stdin can be opened. */
static int connect_streams(struct box *b)
{
	int wire[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, wire) < 0)
		return failed(b, errno, "cannot make the wire into the box");
	b->watch.wire = wire[0];
	b->inside.wire = wire[1];
	if (connect_stdin(b) < 0 ||
	    connect_out(b, &b->watch.out, &b->inside.out) < 0)
		return -1;
	if (b->plan->err.fd >= 0)
		return connect_out(b, &b->watch.err, &b->inside.err);
	b->inside.err = fcntl(b->inside.out, F_DUPFD_CLOEXEC, 3);
	return b->inside.err < 0 ? failed(b, errno, "cannot join standard error to standard output") : 0;
}

static void close_inside(struct box *b)
{
	if (b->inside.listener)
		munmap(b->inside.listener, SHARED);
	b->inside.listener = NULL;
	close_fd(&b->inside.wire);
	close_fd(&b->inside.in);
	close_fd(&b->inside.out);
	close_fd(&b->inside.err);
}

static void close_watch(struct box *b)
{
	stream_close(&b->watch.in);
	stream_close(&b->watch.out);
	stream_close(&b->watch.err);
	close_fd(&b->watch.wire);
	close_fd(&b->watch.pidfd);
	close_fd(&b->watch.box_folder);
	close_fd(&b->watch.listener);
	processes_free(&b->watch.processes);
}

/* One number that init and the program's process have in common, whether they share their other memory or
   not; and, far above it, a stack for the latter. */
static int share_memory(struct box *b)
{
	char *memory = mmap(NULL, SHARED, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return failed(b, errno, "cannot make the box");
	b->inside.listener = (int *)(void *)memory;
	*b->inside.listener = -1;
	b->inside.stack_top = memory + SHARED;
	return 0;
}

static int start_and_watch(struct box *b)
{
	struct watch *w = &b->watch;

	w->start_us = now_us();
	if (connect_streams(b) < 0 || share_memory(b) < 0)
		return -1;
	w->init = clone_box(b->plan, &b->cgroup, &b->inside, &w->pidfd, &b->o->error);
	close_inside(b);
	if (w->init < 0)
		return -1;
	processes_init(&w->processes, w->init, b->plan->limits.value[LIMIT_PROCESSES]);
	watch_box(w);
	return 0;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static void set_cpu(struct outcome *o, uint64_t total, uint64_t user, uint64_t sys, uint64_t setup)
{
	o->cpu_us = minus(total, setup);
	o->sys_us = minus(sys, setup);
	o->user_us = minus(user, minus(setup, sys));
}

/* At the end, when nothing runs, the cgroup's figure is exact, and so is what the kernel tells init of all it
   waited for; only children are missing there whose parent ignored SIGCHLD, and a box that was killed. */
static void measure_cpu(struct box *b)
{
	const struct watch *w = &b->watch;
	uint64_t setup = w->init_cpu_us + w->child_cpu_us, total, user, sys;
	struct outcome *o = b->o;

	if (!cgroup_cpu(&b->cgroup, &total, &user, &sys)) {
		set_cpu(o, total, user, sys, setup);
		o->measured[FIGURE_CPU] = b->cgroup.version == 2 ? BY_CGROUP_V2 : BY_CGROUP_V1;
		return;
	}
	if (w->done)
		set_cpu(o, w->done_user_us + w->done_sys_us, w->done_user_us, w->done_sys_us,
			w->child_cpu_us);
	o->measured[FIGURE_CPU] = BY_RUSAGE;
	if (w->cpu_seen_us > o->cpu_us) {
		o->cpu_us = w->cpu_seen_us;
		o->user_us = minus(o->cpu_us, o->sys_us);
		o->measured[FIGURE_CPU] = BY_CLOCKS;
	}
}

static void measure_disk(struct box *b)
{
	struct statfs fs;

	if (b->watch.box_folder < 0 || fstatfs(b->watch.box_folder, &fs) < 0)
		return;
	b->o->disk_bytes = minus((uint64_t)(fs.f_blocks - fs.f_bfree) * (uint64_t)fs.f_bsize,
				 b->plan->tmpfs_own_bytes);
}

static void measure_memory(struct box *b)
{
	struct outcome *o = b->o;
	uint64_t peak;

	if (b->cgroup.version && b->cgroup.place->has[CONTROLLER_MEMORY]) {
		if (cgroup_memory(&b->cgroup, &peak, &o->oom_kills) < 0) {
			failed(b, errno, errno == ENOENT || errno == ENODEV
			       ? "the box's cgroup was taken away during the run"
			       : "cannot read the memory figures of the box's cgroup");
			return;
		}
		if (peak > o->mem_peak_bytes)	/* what was seen on the way, where the kernel keeps no peak */
			o->mem_peak_bytes = peak;
		o->measured[FIGURE_MEMORY] = b->cgroup.version == 2 ? BY_CGROUP_V2 : BY_CGROUP_V1;
		return;
	}
	o->measured[FIGURE_MEMORY] = o->mem_peak_bytes > o->max_rss_bytes ? BY_POLLING : BY_RUSAGE;
	if (o->max_rss_bytes > o->mem_peak_bytes)
		o->mem_peak_bytes = o->max_rss_bytes;
	if (o->mem_peak_bytes > b->plan->limits.value[LIMIT_MEMORY])	/* however it ended, and also when nobody looked in time */
		o->memory_over = true;
}

static void measure_processes(struct box *b)
{
	struct outcome *o = b->o;

	cgroup_processes(&b->cgroup, &o->processes_peak, &o->processes_refused);
	if (!o->processes_peak)
		o->processes_peak = b->watch.processes.peak;
}

static void measure(struct box *b)
{
	const struct watch *w = &b->watch;
	struct outcome *o = b->o;

	measure_cpu(b);
	measure_memory(b);
	measure_processes(b);
	measure_disk(b);
	o->measured[FIGURE_WALL] = BY_TIMER;
	o->wall_us = w->ready_us ? minus(w->end_us, w->ready_us) : 0;
	o->stdout_bytes = w->out.count;
	o->stderr_bytes = w->err.count;
	o->line_open = w->out.is_terminal && w->out.count && w->out.last != '\n';
	o->stdout_over = w->out.over;
	o->stderr_over = w->err.over;
	exec_why(b->plan, o);
}

/* Init gone without a word, and neither the judge nor the OOM killer did it: somebody else, or a bug. */
static void check_end(struct box *b)
{
	struct outcome *o = b->o;

	if (b->watch.ended || o->error.kind || o->ended_by || o->oom_kills)
		return;
	failed(b, 0, WIFEXITED(b->watch.init_status)
	       ? "the box's first process could not tell how the program ended"
	       : "the box's first process was killed from outside");
}

static void receipt(struct box *b)
{
	struct outcome *o = b->o;

	o->cgroup_version = b->cgroup.version;
	o->landlock_abi = b->plan->landlock.abi;
	for (int i = 0; i < LIMIT_COUNT; i++)
		if (!o->enforced[i])
			o->enforced[i] = b->plan->enforced[i];
	if (b->cgroup.version && b->cgroup.place->has[CONTROLLER_CPUACCT])
		o->enforced[LIMIT_TIME] = b->cgroup.version == 2 ? BY_CGROUP_V2 : BY_CGROUP_V1;
}

static void collect(struct box *b, enum collected *ret)
{
	const struct plan *p = b->plan;

	if ((!p->request->copy_count && !p->request->collect_all) || b->o->error.kind || !b->o->started)
		return;
	if (b->watch.box_folder < 0) {
		failed(b, ETOOMANYREFS, "cannot get at the box's files for --copy-out");
		return;
	}
	uint64_t budget = p->limits.value[LIMIT_DISK] + p->tmpfs_own_bytes;

	if (collect_files(p->request, b->watch.box_folder, budget, ret, &b->o->error) == 0 &&
	    p->request->collect_all)
		collect_all(b->watch.box_folder, p->request->collect_all, budget, &b->o->error);
}

static void run_in_cgroup(struct box *b, enum collected *ret_collected)
{
	struct err *e = &b->o->error;

	open_outside(b);
	if (privilege_enter_box(&b->plan->privilege, e) < 0)
		return;
	bool ran = start_and_watch(b) == 0;

	if (privilege_leave_box(&b->plan->privilege, e) < 0 || !ran)
		return;
	measure(b);
	check_end(b);
	collect(b, ret_collected);
}

void box_run(const struct plan *p, const struct cgroup_place *place, int signals, struct outcome *ret,
	     enum collected *ret_collected)
{
	struct box b = {
		.plan = p, .o = ret,
		.inside = { .wire = -1, .in = -1, .out = -1, .err = -1 },
		.watch = { .plan = p, .cgroup = &b.cgroup, .o = ret, .init = -1, .pidfd = -1, .wire = -1,
			   .signals = signals, .box_folder = -1, .listener = -1, .program = -1 },
	};

	*ret = (struct outcome){ .cgroup_version = 0 };
	snprintf(ret->program, sizeof(ret->program), "%s", p->argv[0]);
	if (p->notice)
		snprintf(ret->notice, sizeof(ret->notice), "%s", p->notice);
	stream_none(&b.watch.in);
	stream_none(&b.watch.out);
	stream_none(&b.watch.err);
	if (cgroup_make(place, &p->limits, &b.cgroup, ret->enforced, &ret->error) < 0)
		return;
	receipt(&b);
	run_in_cgroup(&b, ret_collected);
	close_inside(&b);
	close_watch(&b);
	if (cgroup_remove(&b.cgroup, ret->error.kind ? NULL : &ret->error) < 0 && !ret->error.kind)
		failed(&b, 0, "the box's cgroup cannot be removed");
	ret->teardown_us = b.watch.end_us ? now_us() - b.watch.end_us : 0;
}
