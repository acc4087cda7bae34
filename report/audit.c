/*
 * The audit line and the log that it goes to. Runs in the judge, outside the box.
 *
 * O_APPEND makes one write land whole at the end, whoever else appends. Only a write that the disk cuts short
 * needs more: its half line must be gone before another line lands behind it. So a judge holds the file's lock
 * while it writes. It never waits long for that: whoever may read the log could hold it for ever.
 */
#include "report/audit.h"

#include "base/fd.h"
#include "report/escape.h"
#include "report/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK_TRIES 1000
#define LOCK_PAUSE_NS (100 * 1000)

static void timestamp_format(const struct timespec *when, char *ret_text, size_t size)
{
	struct tm tm = { 0 };
	char seconds[64];

	(void)gmtime_r(&when->tv_sec, &tm);
	strftime(seconds, sizeof(seconds), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(ret_text, size, "%s.%03dZ", seconds, (int)(when->tv_nsec / 1000000 % 1000));
}

static void add_exact(void *into, const struct field *f)
{
	json_add_field(into, f, escape_bytes);
}

char *audit_line(const struct result *r)
{
	json_t *object = need_memory(json_object());
	char text[80];
	const struct field when = { .key = "timestamp", .kind = FIELD_TEXT, .text = text };

	timestamp_format(&r->when, text, sizeof(text));
	add_exact(object, &when);
	service_fields(r, true, add_exact, object);
	return json_line(object, JSON_PRESERVE_ORDER | JSON_COMPACT | JSON_ENSURE_ASCII);
}

int audit_open(const char *path, struct err *e)
{
	/* O_NONBLOCK: a FIFO without a reader is an error, not a wait. */
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0640);

	if (fd >= 0)
		return fd;
	fail_usage(e, "cannot open the audit file %s: %s", path, strerror(errno));
	if (errno == ENXIO)
		fail_cure(e, "start what reads this FIFO first");
	return -1;
}

/* Tries for some tenths of a second. Whether it is held; a file system without locks is one where it is not. */
static bool lock(int fd)
{
	const struct timespec pause = { .tv_nsec = LOCK_PAUSE_NS };

	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return true;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return false;
		(void)nanosleep(&pause, NULL);
	}
	return false;
}

/* Takes the `n` bytes that were just written away again, if they are the last. Whether they are gone. */
static bool take_back(int fd, off_t n)
{
	const off_t end = lseek(fd, 0, SEEK_CUR); /* behind what this descriptor wrote last */
	struct stat st;

	return end >= n && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == end &&
	       ftruncate(fd, end - n) == 0;
}

int audit_write(int fd, const char *path, const char *line, struct err *e)
{
	const size_t size = strlen(line);
	const bool locked = lock(fd); /* without it the write is as whole; only taking back is not safe */
	ssize_t n;
	int r = 0;

	do
		n = write(fd, line, size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		r = fail(e, errno, "cannot append to the audit file %s", path);
	else if ((size_t)n < size)
		r = fail(e, 0, "cannot append to the audit file %s: %zd of %zu bytes went in (full disk, or a "
			 "size limit), %s", path, n, size, locked && take_back(fd, n) ?
			 "and were taken out again" : "and are still there");
	if (locked)
		(void)flock(fd, LOCK_UN);
	return r;
}

int audit_append(const char *path, const char *line, struct err *e)
{
	autoclose int fd = audit_open(path, e);

	return fd < 0 ? -1 : audit_write(fd, path, line, e);
}
