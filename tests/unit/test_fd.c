/*
 * base/fd: whole reads and writes, and owners. Each row is a test of its own, named by its sentence.
 */
#include "base/array.h"
#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define MILLION 1000000

/* A million of `c`, then `tail`. */
static char *million(char c, const char *tail)
{
	char *text = malloc(MILLION + strlen(tail) + 1);

	assert_non_null(text);
	memset(text, c, MILLION);
	strcpy(text + MILLION, tail);
	return text;
}

struct key_row {
	const char *name, *text, *key;
	int found;
	unsigned long long value;
};

static const struct key_row key_rows[] = {
	{ "key: the first line", "oom 1\noom_kill 2\n", "oom", 1, 1 },
	{ "key: a later line", "oom 1\noom_kill 2\n", "oom_kill", 1, 2 },
	{ "key: one that begins another is not it", "oom_kill 2\n", "oom", 0, 0 },
	{ "key: one that ends another is not it", "hierarchical_x 2\n", "x", 0, 0 },
	{ "key: /proc/PID/status", "Name:\ta\nVmRSS:\t  12 kB\n", "VmRSS", 1, 12 },
	{ "key: without a number", "memory max\n", "memory", 0, 0 },
	{ "key: no final newline", "a 1\nb 22", "b", 1, 22 },
	{ "key: at the end of the text", "a", "a", 0, 0 },
	{ "key: an empty text", "", "a", 0, 0 },
	{ "key: the number is on the next line", "a \n5\n", "a", 0, 0 },
	{ "key: largest number", "a 18446744073709551615\n", "a", 1, ULLONG_MAX },
	{ "key: one past the largest number", "a 18446744073709551616\n", "a", 0, 0 },
	{ "key: negative", "a -1\n", "a", 0, 0 },
};

static void test_key(void **state)
{
	const struct key_row *row = *state;
	unsigned long long value = 99;

	assert_int_equal(text_key_u64(row->text, row->key, &value), row->found ? 0 : -1);
	assert_true(value == (row->found ? row->value : 99));
}

static int open_count(void)
{
	int count = 0;

	for (int fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* A file of `size` bytes "0123456789012…" in a new folder; its fd and the fd of the folder. */
static int scratch_file(size_t size, int *ret_folder)
{
	char folder[] = "/tmp/judge-test-base-XXXXXX";
	int fd;

	assert_non_null(mkdtemp(folder));
	*ret_folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_true(*ret_folder >= 0);
	fd = openat(*ret_folder, "f", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	for (size_t i = 0; i < size; i++)
		assert_int_equal(write_all(fd, &"0123456789"[i % 10], 1), 0);
	return fd;
}

static void scratch_remove(int folder)
{
	char link[32], path[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", folder);
	n = readlink(link, path, sizeof(path) - 1);
	assert_true(n > 0);
	path[n] = '\0';
	assert_int_equal(unlinkat(folder, "f", 0), 0);
	assert_int_equal(rmdir(path), 0);
}

static void test_read_text(void **state)
{
	const int before = open_count();
	char text[16];

	(void)state;
	{
		autoclose int folder = -1;
		autoclose int fd = scratch_file(15, &folder);

		assert_int_equal(read_text_at(folder, "f", text, sizeof(text)), 15);
		assert_string_equal(text, "012345678901234");
		assert_int_equal(write_all(fd, "5", 1), 0);
		assert_int_equal(read_text_at(folder, "f", text, sizeof(text)), -1);
		assert_int_equal(errno, EFBIG);
		assert_int_equal(read_text_at(folder, "none", text, sizeof(text)), -1);
		assert_int_equal(errno, ENOENT);
		assert_int_equal(read_text_at(folder, ".", text, sizeof(text)), -1);
		assert_int_equal(errno, EISDIR);
		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(read_text_at(folder, "f", text, sizeof(text)), 0);
		assert_string_equal(text, "");
		scratch_remove(folder);
	}
	assert_int_equal(open_count(), before);
}

static void test_write_text(void **state)
{
	autoclose int folder = -1;
	int fd = scratch_file(4, &folder);
	char text[16];

	(void)state;
	close_fd(&fd);
	assert_int_equal(write_text_at(folder, "f", "abc"), 0);
	assert_int_equal(read_text_at(folder, "f", text, sizeof(text)), 4);
	assert_string_equal(text, "abc3"); /* not truncated: the kernel's files need no O_TRUNC */
	assert_int_equal(write_text_at(folder, "none", "abc"), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(faccessat(folder, "none", F_OK, 0), -1);
	assert_int_equal(write_text_at(AT_FDCWD, "/dev/full", "abc"), -1);
	assert_int_equal(errno, ENOSPC);
	scratch_remove(folder);
}

static void test_read_file(void **state)
{
	static const size_t sizes[] = { 0, 1, 4095, 4096, 4097, 8192, 20000 };
	const int before = open_count();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		autoclose int folder = -1;
		int fd = scratch_file(sizes[i], &folder);
		autofree char *text = NULL, *untouched = NULL;
		size_t size = 7;

		close_fd(&fd);
		assert_int_equal(read_file_at(folder, "f", sizes[i], &text, &size), 0);
		assert_int_equal(size, sizes[i]);
		assert_int_equal(strlen(text), sizes[i]);
		if (sizes[i]) {
			assert_int_equal(text[size - 1], "0123456789"[(size - 1) % 10]);
			size = 7;
			assert_int_equal(read_file_at(folder, "f", sizes[i] - 1, &untouched, &size), -1);
			assert_int_equal(errno, EFBIG);
			assert_null(untouched);
			assert_int_equal(size, 7);
		}
		scratch_remove(folder);
	}
	assert_int_equal(open_count(), before);
}

static void test_read_file_without_size(void **state)
{
	autofree char *text = NULL;
	size_t size;

	(void)state;
	assert_int_equal(read_file_at(AT_FDCWD, "/proc/self/status", MILLION, &text, &size), 0);
	assert_memory_equal(text, "Name:", 5);
	assert_int_equal(strlen(text), size);
}

static void test_fd_owners(void **state)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const int number = fd;
	int taken = take_fd(&fd);

	(void)state;
	assert_int_equal(taken, number);
	assert_int_equal(fd, -1);
	assert_true(fcntl(number, F_GETFD) >= 0);
	errno = EXDEV;
	close_fd(&fd); /* nothing to close */
	close_fd(&taken);
	assert_int_equal(errno, EXDEV);
	assert_int_equal(taken, -1);
	assert_int_equal(fcntl(number, F_GETFD), -1);
	taken = 10000; /* close fails: errno is still the caller's */
	errno = EXDEV;
	close_fd(&taken);
	assert_int_equal(errno, EXDEV);
}

static void on_alarm(int signal)
{
	(void)signal;
}

/* Reads a million bytes from fd and ends: 0 when they were the right ones. */
static _Noreturn void read_slowly(int fd)
{
	static unsigned char piece[1000];
	long sum = 0;

	for (int i = 0; i < MILLION / 1000; i++) {
		const struct timespec pause = { .tv_nsec = 20000 };

		nanosleep(&pause, NULL);
		if (read_full(fd, piece, sizeof(piece)) != sizeof(piece))
			_exit(1);
		for (size_t j = 0; j < sizeof(piece); j++)
			sum += piece[j] == 'x';
	}
	_exit(sum == MILLION && read_full(fd, piece, 1) == 0 ? 0 : 2);
}

/* A pipe takes 64 KiB at a time, and a timer interrupts: all of it arrives all the same. */
static void test_write_all_interrupted(void **state)
{
	const struct sigaction action = { .sa_handler = on_alarm }; /* no SA_RESTART */
	const struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { { 0, 0 }, { 0, 0 } };
	autofree char *letters = million('x', "");
	int ends[2], status, result;
	pid_t reader;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	fflush(NULL);
	reader = fork();
	assert_true(reader >= 0);
	if (reader == 0) {
		close(ends[1]);
		read_slowly(ends[0]);
	}
	close_fd(&ends[0]);
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	setitimer(ITIMER_REAL, &often, NULL);
	result = write_all(ends[1], letters, MILLION);
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_DFL);
	close_fd(&ends[1]);
	assert_int_equal(waitpid(reader, &status, 0), reader);
	assert_int_equal(result, 0);
	assert_int_equal(status, 0);
	assert_int_equal(write_all(-1, "x", 1), -1);
	assert_int_equal(errno, EBADF);
}

static const struct CMUnitTest single_tests[] = {
	cmocka_unit_test(test_read_text),
	cmocka_unit_test(test_write_text),
	cmocka_unit_test(test_read_file),
	cmocka_unit_test(test_read_file_without_size),
	cmocka_unit_test(test_fd_owners),
	cmocka_unit_test(test_write_all_interrupted),
};

/* One cmocka test per row; a row's first member is its name. */
#define ADD_ROWS(rows, function)                                              \
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)                         \
		tests[count++] = (struct CMUnitTest){ .name = (rows)[i].name, \
			.test_func = (function), .initial_state = (void *)(uintptr_t)&(rows)[i] }

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(key_rows) + ARRAY_SIZE(single_tests)];
	size_t count = 0;

	ADD_ROWS(key_rows, test_key);
	memcpy(tests + count, single_tests, sizeof(single_tests));
	return cmocka_run_group_tests_name("fd", tests, NULL, NULL);
}
