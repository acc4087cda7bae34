/* Bringing files out of a dead box. */
#ifndef SANDBOX_COLLECT_H
#define SANDBOX_COLLECT_H

#include "base/err.h"
#include "sandbox/request.h"

#include <stdint.h>

enum collected {
	COLLECTED_NOT,		/* nothing was tried: the program did not run */
	COLLECTED_FILE,		/* copied */
	COLLECTED_ABSENT,	/* there is no such file */
	COLLECTED_REFUSED,	/* a link, FIFO, socket, device or folder, or a path through a link */
	COLLECTED_UNREADABLE,	/* its mode permits nobody to read it */
	COLLECTED_TOO_BIG,	/* more bytes than the budget has left */
};
extern const char *const collected_words[];

/*
 * Copies request->copies out of the folder `box` (a descriptor of the box's /box), in order, into the
 * caller's files, which are created (0644, or 0755 for what may be executed) or replaced, never written
 * through a link, with the caller's rights. Only regular files reached without
 * a link are read; all together at most `budget` bytes. Must: be called when everything in the box is dead.
 * ret: request->copy_count results. 0, or -1 with `e` when a file of the caller's cannot be written.
 */
int collect_files(const struct request *r, int box, uint64_t budget, enum collected *ret, struct err *e);

/*
 * Copies every regular file below the folder `box` into the host's folder `dest`, which is empty, with the same
 * names and folders, 0644 or 0755. Links, FIFOs and the like are passed over; at most 4096 files, 16 folders deep and
 * `budget` bytes: more is an error. 0, or -1 with `e`.
 */
int collect_all(int box, const char *dest, uint64_t budget, struct err *e);

#endif
