/* File descriptors: who owns them, and whole reads and writes. Every fd made here is O_CLOEXEC. */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* Closes *fd when it is not negative and makes it -1. Keeps errno. */
void close_fd(int *fd);

/* Hands the descriptor over: returns *fd and leaves -1 there. */
int take_fd(int *fd);

/* `autoclose int fd = open(…);` is closed when the scope ends. */
#define autoclose __attribute__((cleanup(close_fd)))

/* `autofree char *p` is freed when the scope ends. */
void free_pointer(void *pointer_to_pointer);
#define autofree __attribute__((cleanup(free_pointer)))

/* Writes all of it, going on after EINTR and short writes. 0, or -1 with errno. */
int write_all(int fd, const void *data, size_t size);

/* Reads until end of file or until `size` bytes are there. The count, or -1 with errno. */
ssize_t read_full(int fd, void *ret_data, size_t size);

/* Reads a small text file whole, NUL-terminated, relative to dirfd (AT_FDCWD for the current
   folder). A file that does not fit in size - 1 bytes is EFBIG. The length, or -1 with errno. */
ssize_t read_text_at(int dirfd, const char *path, char *ret_text, size_t size);

/* Writes text in one write to a file that exists. 0, or -1 with errno. */
int write_text_at(int dirfd, const char *path, const char *text);

/* Reads a whole file of any kind into malloc'ed, NUL-terminated memory that the caller frees.
   More than `most` bytes is EFBIG. 0, or -1 with errno; outputs are set on success only. */
int read_file_at(int dirfd, const char *path, size_t most, char **ret_text, size_t *ret_size);

/* The first number after "key " at the start of a line of `text`, as in cpu.stat,
   memory.events or /proc/PID/status ("key:\t12 kB" too). 0, or -1 where there is none. */
int text_key_u64(const char *text, const char *key, unsigned long long *ret_value);

#endif
