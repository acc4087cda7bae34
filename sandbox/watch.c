/*
 * The poll loop. Runs in the judge.
 *
 * What init says is read before anything else is looked at, so that a timer which fires while a finished
 * box is taken down changes nothing.
 */
#include "sandbox/watch.h"

#include "base/array.h"
#include "base/fd.h"
#include "sandbox/learn.h"
#include "sandbox/refusal.h"
#include "sandbox/watch_limits.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

uint64_t now_us(void)
{
	struct timespec t = { 0, 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void program_is_ready(struct watch *w, const struct wire_record *r)
{
	int64_t at = (int64_t)r->now_us;

	if (r->shifted)
		at -= w->plan->time_offset_us;
	w->ready_us = (uint64_t)at;
	w->child_cpu_us = r->cpu_us;
	w->o->started = true;
	w->o->time_namespace = r->time_namespace;
	w->o->setup_us = w->ready_us - w->start_us;
	w->program = processes_first_child(w->init);
	watch_limits_start(w);
}

static void take_figures(struct watch *w, const struct wire_record *r)
{
	w->init_cpu_us = r->init_cpu_us;
	w->done_user_us = r->user_us;
	w->done_sys_us = r->sys_us;
	w->done = true;
}

/* A program that ended before the judge's kill reached it ended by itself. */
static void program_has_ended(struct watch *w, const struct wire_record *r)
{
	struct outcome *o = w->o;

	w->ended = true;
	w->end_us = r->now_us;
	w->take_down_us = w->end_us + TAKE_DOWN_US;
	o->wait_status = r->status;
	o->has_status = true;
	o->max_rss_bytes = r->max_rss_kib * 1024;
	o->csw_voluntary = r->csw_voluntary;
	o->csw_forced = r->csw_forced;
	if (!(WIFSIGNALED(r->status) && WTERMSIG(r->status) == SIGKILL) && o->ended_by != ENDED_SIGNAL)
		o->ended_by = ENDED_ITSELF;
	if (r->done)
		take_figures(w, r);
}

static void step_failed(struct watch *w, const struct wire_record *r)
{
	if (r->step == STEP_EXEC) {
		w->o->exec_errno = r->number;
		w->o->started = false;
		return;
	}
	if (!w->o->error.kind)
		wire_explain(w->plan, r, &w->o->error);
	watch_end(w, ENDED_ITSELF);
}

static void take_descriptors(struct watch *w, struct msghdr *m)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(m);
	int fds[WIRE_FDS] = { -1, -1 };

	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
		return;
	memcpy(fds, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
	close_fd(&w->box_folder);
	w->box_folder = fds[0];
	close_fd(&w->listener);
	w->listener = fds[1];
}

/* A program that learns would wait for ever. */
static void nobody_listens(struct watch *w)
{
	if (!w->o->error.kind)
		fail(&w->o->error, ETOOMANYREFS, "cannot listen to the program's calls");
	watch_end(w, ENDED_ITSELF);
}

static bool read_wire(struct watch *w)
{
	struct wire_record r = { 0 };
	struct iovec data = { &r, sizeof(r) };
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(WIRE_FDS * sizeof(int))];
	} control;
	struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
			    .msg_controllen = sizeof(control) };
	ssize_t n = recvmsg(w->wire, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	if (n == 0)
		close_fd(&w->wire);
	if (n != sizeof(r))
		return false;
	switch ((enum wire_kind)r.kind) {
	case WIRE_FAILED:
		step_failed(w, &r);
		break;
	case WIRE_BUILT:
		w->init_cpu_us = r.cpu_us;
		take_descriptors(w, &m);
		if (w->plan->request->learn && w->listener < 0)
			nobody_listens(w);
		break;
	case WIRE_READY:
		program_is_ready(w, &r);
		break;
	case WIRE_ENDED:
		program_has_ended(w, &r);
		break;
	case WIRE_DONE:
		take_figures(w, &r);
		break;
	}
	return true;
}

/* A pidfd is readable when the process is gone with all its threads; init goes last in its namespace. */
static void init_is_dead(struct watch *w)
{
	struct rusage usage;
	int status = 0;

	while (w->wire >= 0 && read_wire(w))
		;
	while (wait4(w->init, &status, 0, &usage) < 0 && errno == EINTR)
		;
	w->dead = true;
	w->init_status = status;
	if (!w->end_us)
		w->end_us = now_us();
	if (!w->ended) {
		w->o->max_rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
		w->o->csw_voluntary = (uint64_t)usage.ru_nvcsw;
		w->o->csw_forced = (uint64_t)usage.ru_nivcsw;
	}
	stream_close(&w->in);
}

/* The caller wants an end: the box dies, and what is known is still written down. */
static void take_signal(struct watch *w)
{
	struct signalfd_siginfo info;

	if (read(w->signals, &info, sizeof(info)) != sizeof(info))
		return;
	w->o->judge_signal = (int)info.ssi_signo;
	watch_end(w, ENDED_SIGNAL);
	if (w->dead) {	/* only a stalled reader is left: it waits no longer */
		stream_close(&w->out);
		stream_close(&w->err);
	}
}

static void check_output(struct watch *w, struct stream *s)
{
	if (s->over)
		watch_end(w, ENDED_OUTPUT);
	if (s->error && !w->o->error.kind) {
		fail(&w->o->error, s->error, "cannot %s the program's %s", s == &w->in ? "read" : "write",
		     s->name);
		watch_end(w, ENDED_ITSELF);
	}
}

static void pump(struct watch *w, struct stream *s, short revents)
{
	if (!revents || !stream_is_open(s))
		return;
	stream_pump(s);
	check_output(w, s);
}

/* v2 kills the whole box at once (memory.oom.group); v1 only one process, and the rest would go on. */
static void look_at_oom(struct watch *w)
{
	uint64_t peak, kills;

	if (cgroup_memory(w->cgroup, &peak, &kills) == 0 && kills > 0)
		watch_end(w, ENDED_MEMORY);
}

/* For `judge policy learn`: calls that wait to be written down, until the box is dead. */
static void look_at_call(struct watch *w, short revents)
{
	struct err *e = &w->o->error, ignored;

	if (revents & POLLIN && learn_serve(w->plan->request->learn, w->listener, e->kind ? &ignored : e) < 0)
		watch_end(w, ENDED_ITSELF);
}

/* A call that the filter kills for waits here for its answer, which is the end of the box. It is never let
   through, and what it points to is never read. */
static void look_at_refusal(struct watch *w, short revents)
{
	if (w->plan->request->learn)
		look_at_call(w, revents);
	else if (revents & POLLIN && refusal_read(w->listener, w->o->refused, sizeof(w->o->refused)) == 0)
		watch_end(w, ENDED_REFUSED);
	if (revents & (POLLHUP | POLLERR))
		close_fd(&w->listener); /* nobody is left under the filter */
}

enum { WIRE, PIDFD, SIGNALS, OOM, LISTENER, IN, OUT, ERR, WATCHED };

static void list_events(const struct watch *w, struct pollfd polls[WATCHED])
{
	polls[WIRE] = (struct pollfd){ .fd = w->wire, .events = POLLIN };
	polls[PIDFD] = (struct pollfd){ .fd = w->dead ? -1 : w->pidfd, .events = POLLIN };
	polls[SIGNALS] = (struct pollfd){ .fd = w->signals, .events = POLLIN };
	/* v2's memory.events can always be read, and says a change by POLLPRI; v1's is an eventfd. */
	polls[OOM] = (struct pollfd){ .fd = w->dead ? -1 : w->cgroup->oom,
				      .events = w->cgroup->version == 2 ? POLLPRI : POLLIN };
	polls[LISTENER] = (struct pollfd){ .fd = w->listener, .events = POLLIN };
	stream_poll(&w->in, &polls[IN]);
	stream_poll(&w->out, &polls[OUT]);
	stream_poll(&w->err, &polls[ERR]);
}

static void wait_for_events(struct watch *w, struct pollfd polls[WATCHED])
{
	uint64_t next = watch_next(w), now = now_us();
	uint64_t left = next > now ? next - now : 0;
	struct timespec timeout = { (time_t)(left / 1000000), (long)(left % 1000000) * 1000 };

	if (ppoll(polls, WATCHED, next == UINT64_MAX ? NULL : &timeout, NULL) < 0)
		memset(polls, 0, WATCHED * sizeof(*polls));
}

void watch_box(struct watch *w)
{
	struct pollfd polls[WATCHED];

	while (!w->dead || stream_is_open(&w->out) || stream_is_open(&w->err)) {
		list_events(w, polls);
		wait_for_events(w, polls);
		while (w->wire >= 0 && polls[WIRE].revents && read_wire(w))
			;
		if (polls[SIGNALS].revents)
			take_signal(w);
		pump(w, &w->in, polls[IN].revents);
		pump(w, &w->out, polls[OUT].revents);
		pump(w, &w->err, polls[ERR].revents);
		if (polls[OOM].revents & (POLLPRI | POLLIN))
			look_at_oom(w);
		if (polls[LISTENER].revents)
			look_at_refusal(w, polls[LISTENER].revents);
		if (polls[PIDFD].revents && !w->dead)
			init_is_dead(w);
		watch_limits(w, now_us());
	}
}
