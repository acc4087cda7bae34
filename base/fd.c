/*
 * File descriptors: owners, whole reads and writes. Runs in the judge, outside the box: what is
 * opened here is the judge's own, the host's or the caller's, never a path a box could have planted.
 */
#include "base/fd.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void close_fd(int *fd)
{
	const int saved = errno;

	if (*fd >= 0)
		(void)close(*fd); /* Linux frees the number whatever close returns: never again */
	*fd = -1;
	errno = saved;
}

int take_fd(int *fd)
{
	const int taken = *fd;

	*fd = -1;
	return taken;
}

void free_pointer(void *pointer_to_pointer)
{
	void **p = pointer_to_pointer;

	free(*p);
	*p = NULL;
}

int write_all(int fd, const void *data, size_t size)
{
	const char *p = data;

	while (size > 0) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		p += n;
		size -= (size_t)n;
	}
	return 0;
}

ssize_t read_full(int fd, void *ret_data, size_t size)
{
	char *p = ret_data;
	size_t got = 0;

	while (got < size) {
		ssize_t n = read(fd, p + got, size - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

ssize_t read_text_at(int dirfd, const char *path, char *ret_text, size_t size)
{
	autoclose int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read_full(fd, ret_text, size);
	if (n < 0)
		return -1;
	if ((size_t)n == size) {
		errno = EFBIG;
		return -1;
	}
	ret_text[n] = '\0';
	return n;
}

int write_text_at(int dirfd, const char *path, const char *text)
{
	autoclose int fd = openat(dirfd, path, O_WRONLY | O_CLOEXEC);
	const size_t size = strlen(text);
	ssize_t n;

	if (fd < 0)
		return -1;
	do
		n = write(fd, text, size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -1;
	if ((size_t)n != size) {
		/* The kernel's files take a text whole or not at all: the rest must not be a second one. */
		errno = EIO;
		return -1;
	}
	return 0;
}

int read_file_at(int dirfd, const char *path, size_t most, char **ret_text, size_t *ret_size)
{
	autoclose int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	autofree char *text = NULL;
	size_t room = 0, got = 0;
	ssize_t n;

	if (fd < 0)
		return -1;
	/* st_size says nothing of pipes and /proc, so the buffer grows until a read comes back short. */
	do {
		char *larger;

		room = room ? room * 2 : 4096;
		larger = realloc(text, room);
		if (!larger)
			return -1;
		text = larger;
		n = read_full(fd, text + got, room - got);
		if (n < 0)
			return -1;
		got += (size_t)n;
		if (got > most) {
			errno = EFBIG;
			return -1;
		}
	} while (got == room);
	text[got] = '\0';
	*ret_text = text;
	*ret_size = got;
	text = NULL;
	return 0;
}

/* The digits after "key ", "key:" and blanks at `line`. 0, or -1 when the line is not like that. */
static int line_u64(const char *line, const char *key, size_t key_length, unsigned long long *ret_value)
{
	const char *p = line + key_length;
	unsigned long long value = 0;

	if (strncmp(line, key, key_length) != 0 || (*p != ':' && *p != ' ' && *p != '\t'))
		return -1;
	p += *p == ':';
	p += strspn(p, " \t");
	if (!isdigit((unsigned char)*p))
		return -1;
	for (; isdigit((unsigned char)*p); p++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (unsigned)(*p - '0'), &value))
			return -1;
	*ret_value = value;
	return 0;
}

int text_key_u64(const char *text, const char *key, unsigned long long *ret_value)
{
	const size_t length = strlen(key);

	for (const char *line = text; *line; line++) {
		if (line_u64(line, key, length, ret_value) == 0)
			return 0;
		line = strchrnul(line, '\n');
		if (!*line)
			break;
	}
	return -1;
}
