/*
 * A stream between the box and the caller, passed on and counted by the judge as it comes. Runs in the judge.
 *
 * Nothing here blocks: a reader that stalls stalls its stream, never the watch over the limits.
 */
#ifndef SANDBOX_STREAM_H
#define SANDBOX_STREAM_H

#include "base/err.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream {
	const char *name;	/* "standard output": for messages */
	int source, sink;	/* -1: closed */
	bool own_source, own_sink;	/* closed by stream_close */
	bool can_splice;	/* data goes from pipe to sink without a copy */
	bool is_input;		/* towards the box */
	bool is_socket;		/* the caller's end: send(2) and recv(2) with MSG_DONTWAIT */
	bool is_terminal;	/* the sink */
	char *tail;		/* the first 1024 and the last bytes that came, NUL-terminated, `tail_size` of room; NULL: not kept */
	size_t tail_size, tail_used;
	char last;		/* byte that was passed on, where it is a terminal */
	size_t write_most;	/* bytes of one write */
	bool sink_full;		/* wait for the sink and not for the source */
	bool discard;		/* the reader is gone: count, pass on nothing */
	uint64_t limit;		/* bytes that may pass; UINT64_MAX: any number */
	uint64_t count;		/* bytes that came, within the limit */
	bool over;		/* there was a byte more than the limit */
	char *held;		/* read and not yet written (where it cannot be spliced) */
	size_t held_at, held_size;
	int error;		/* errno of a sink that failed otherwise than by a gone reader, or 0 */
};

/* To the caller's `sink` (borrowed); `source`, the box's pipe (owned), is set when it is made. Must: be called
   with the caller's ids, since a terminal or pipe is opened anew without blocking, so that its own flags stay as
   they are. */
void stream_open_out(struct stream *s, const char *name, int sink, uint64_t limit);

/* From the caller's `source` (borrowed), with the caller's ids; `sink`, the box's pipe (owned), is set when it is
   made. */
void stream_open_in(struct stream *s, int source);

/* A stream that is not there. */
void stream_none(struct stream *s);

static inline bool stream_is_open(const struct stream *s)
{
	return s->source >= 0;
}

/* What to poll for now: fills one pollfd. */
void stream_poll(const struct stream *s, struct pollfd *ret);

/* Passes on what can be passed on now. At the end of the source, and when an input's reader is gone, the
   stream closes itself. */
void stream_pump(struct stream *s);

void stream_close(struct stream *s);

#endif
