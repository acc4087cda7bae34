/* Streams between the box and the caller. Runs in the judge, in the watch loop. */
#include "sandbox/stream.h"

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK ((size_t)256 * 1024)	/* at most at once, so that the watch is never kept long */
#define HOLD ((size_t)64 * 1024)	/* buffer where data cannot be spliced */
#define TAIL_HEAD ((size_t)1024)	/* of what is kept, so much is the beginning */
#define WRITE_SAFE ((size_t)128)	/* to another user's terminal, which cannot be opened again: what surely
					   fits when poll says there is room */

enum moved { MOVED, SOURCE_EMPTY, SINK_FULL, ENDED, GONE, BROKEN };

void stream_none(struct stream *s)
{
	*s = (struct stream){ .source = -1, .sink = -1, .name = "" };
}

void stream_close(struct stream *s)
{
	if (s->own_source)
		close_fd(&s->source);
	if (s->own_sink)
		close_fd(&s->sink);
	free(s->held);
	s->held = NULL;
	s->held_size = 0;
	s->source = s->sink = -1;
}

/* An own open file description, so that O_NONBLOCK does not reach the shell and its other programs; and without
   O_APPEND, which a pipe may have and splice does not take. */
static bool open_again(int *fd, bool *own, int access)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", *fd);
	int again = open(path, access | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (again < 0)
		return false;
	*fd = again;
	*own = true;
	return true;
}

void stream_open_out(struct stream *s, const char *name, int sink, uint64_t limit)
{
	struct stat st;

	*s = (struct stream){ .name = name, .source = -1, .sink = sink, .own_source = true,
			      .limit = limit, .can_splice = true, .write_most = HOLD };
	if (fstat(sink, &st) < 0) {
		s->error = errno;
		s->discard = true;
		return;
	}
	s->is_socket = S_ISSOCK(st.st_mode);
	s->is_terminal = S_ISCHR(st.st_mode) && isatty(sink);
	/* splice(2): EINVAL for files open for appending; terminals want their bytes one by one. */
	if (s->is_socket || s->is_terminal || (fcntl(sink, F_GETFL) & O_APPEND))
		s->can_splice = false;
	if (s->is_terminal || S_ISFIFO(st.st_mode)) {
		if (!open_again(&s->sink, &s->own_sink, O_WRONLY))
			s->write_most = s->is_terminal ? WRITE_SAFE : PIPE_BUF;
		else if (S_ISFIFO(st.st_mode))
			s->can_splice = true;
	}
}

void stream_open_in(struct stream *s, int source)
{
	struct stat st;

	*s = (struct stream){ .name = "standard input", .source = source, .sink = -1, .own_sink = true,
			      .is_input = true,
			      .limit = UINT64_MAX, .write_most = HOLD };
	if (fstat(source, &st) < 0)
		return;
	s->can_splice = S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode);
	s->is_socket = S_ISSOCK(st.st_mode);
	/* Somebody else may take the bytes between poll and read. */
	if (S_ISCHR(st.st_mode))
		(void)open_again(&s->source, &s->own_source, O_RDONLY); /* else it may wait a little, for a reader */
}

void stream_poll(const struct stream *s, struct pollfd *ret)
{
	*ret = (struct pollfd){ .fd = -1 };
	if (!stream_is_open(s))
		return;
	if (s->sink_full && !s->discard)
		*ret = (struct pollfd){ .fd = s->sink, .events = POLLOUT };
	else
		*ret = (struct pollfd){ .fd = s->source, .events = POLLIN };
}

static bool has_more(const struct stream *s)
{
	struct pollfd p = { .fd = s->source, .events = POLLIN };

	return poll(&p, 1, 0) > 0 && (p.revents & POLLIN);
}

static enum moved after_failed_write(struct stream *s)
{
	if (errno == EAGAIN || errno == EINTR)
		return SINK_FULL;
	if (errno == EPIPE || errno == ECONNRESET)
		return GONE;
	if (errno == EIO && s->is_terminal)
		return GONE;	/* a terminal that was closed */
	s->error = errno;
	return BROKEN;
}

static enum moved splice_some(struct stream *s, size_t size)
{
	ssize_t n = splice(s->source, NULL, s->sink, NULL, size, SPLICE_F_NONBLOCK | SPLICE_F_MOVE);

	if (n > 0) {
		s->count += (uint64_t)n;
		return MOVED;
	}
	if (n == 0)
		return ENDED;
	if (errno == EINVAL || errno == ENOSYS) {
		s->can_splice = false;
		return MOVED;
	}
	if (errno == EAGAIN)	/* either side: ask which */
		return has_more(s) ? SINK_FULL : SOURCE_EMPTY;
	return after_failed_write(s);
}

static enum moved write_held(struct stream *s)
{
	const char *data = s->held + s->held_at;
	size_t size = s->held_size - s->held_at;
	if (size > s->write_most)
		size = s->write_most;
	ssize_t n = s->is_socket && !s->is_input ? send(s->sink, data, size, MSG_DONTWAIT | MSG_NOSIGNAL)
				 : write(s->sink, data, size);

	if (n < 0)
		return after_failed_write(s);
	s->held_at += (size_t)n;
	if (s->held_at < s->held_size)
		return SINK_FULL; /* or not: poll tells */
	s->held_at = s->held_size = 0;
	return MOVED;
}

/* The first bytes stay, since some run-times say what happened before a long trace; the rest are the last. */
static void keep_tail(struct stream *s, const char *data, size_t size)
{
	size_t head = s->tail_used < TAIL_HEAD ? TAIL_HEAD - s->tail_used : 0, room = s->tail_size - 1 - TAIL_HEAD;
	size_t used, drop;

	if (head > size)
		head = size;
	memcpy(s->tail + s->tail_used, data, head);
	s->tail_used += head;
	data += head;
	size -= head;
	if (size > room) {
		data += size - room;
		size = room;
	}
	used = s->tail_used > TAIL_HEAD ? s->tail_used - TAIL_HEAD : 0;
	drop = used + size > room ? used + size - room : 0;
	memmove(s->tail + TAIL_HEAD, s->tail + TAIL_HEAD + drop, used - drop);
	memcpy(s->tail + s->tail_used - drop, data, size);
	s->tail_used += size - drop;
	s->tail[s->tail_used] = 0;
}

/* Only when poll said that there is something: the source may be a descriptor that blocks. */
static enum moved read_some(struct stream *s, size_t size)
{
	ssize_t n;

	if (!s->held)
		s->held = malloc(HOLD);
	if (!s->held) {
		s->error = ENOMEM;
		return BROKEN;
	}
	if (!has_more(s)) {
		struct pollfd p = { .fd = s->source, .events = POLLIN };

		return poll(&p, 1, 0) > 0 ? ENDED : SOURCE_EMPTY;
	}
	if (size > HOLD)
		size = HOLD;
	n = s->is_input && s->is_socket ? recv(s->source, s->held, size, MSG_DONTWAIT)
					: read(s->source, s->held, size);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return SOURCE_EMPTY;
	if (n < 0 && errno == EIO && isatty(s->source))
		return ENDED;	/* a terminal that is gone, or not the judge's to read (background) */
	if (n < 0) {
		s->error = errno;
		return BROKEN;
	}
	if (n == 0)
		return ENDED;
	s->count += (uint64_t)n;
	s->held_size = (size_t)n;
	s->held_at = 0;
	s->last = s->held[n - 1];
	if (s->tail)
		keep_tail(s, s->held, (size_t)n);
	return s->discard ? (s->held_size = 0, MOVED) : write_held(s);
}

static enum moved move_some(struct stream *s)
{
	uint64_t left = s->limit - s->count;
	size_t size = left < CHUNK ? (size_t)left : CHUNK;

	if (s->held_size && !s->discard)
		return write_held(s);
	if (!size) {	/* at the limit: one byte more is too many, the end is not */
		s->over = has_more(s);
		return s->over ? BROKEN : read_some(s, 1);
	}
	return s->can_splice && !s->discard ? splice_some(s, size) : read_some(s, size);
}

/* A reader that went away: a program's output is counted on, an input has nobody to go to. */
static void reader_gone(struct stream *s)
{
	if (s->is_input) {
		stream_close(s);
		return;
	}
	s->discard = true;
	s->sink_full = false;
	s->held_size = s->held_at = 0;
}

void stream_pump(struct stream *s)
{
	if (!stream_is_open(s))
		return;
	switch (move_some(s)) {
	case MOVED:
	case SOURCE_EMPTY:
		s->sink_full = false;
		break;
	case SINK_FULL:
		s->sink_full = true;
		break;
	case ENDED:
		stream_close(s);
		break;
	case GONE:
		reader_gone(s);
		break;
	case BROKEN:
		stream_close(s);
		break;
	}
}
