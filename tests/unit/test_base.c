/*
 * base/err and base/arena. Each row is a test of its own, named by its sentence.
 */
#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#undef fail /* cmocka has one that takes nothing */

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

struct escape_row {
	const char *name, *raw, *text;
};

static const struct escape_row escape_rows[] = {
	{ "error: plain text stays", "cannot open a b", "cannot open a b" },
	{ "error: a newline", "a\nb", "a\\x0ab" },
	{ "error: a tab and a carriage return", "a\tb\r", "a\\x09b\\x0d" },
	{ "error: a terminal's escape", "\x1b[2J", "\\x1b[2J" },
	{ "error: DEL", "\x7f", "\\x7f" },
	{ "error: UTF-8 of two, three and four bytes stays", "é١１😀", "é١１😀" },
	{ "error: a C1 control in UTF-8", "\xc2\x9b" "2J", "\\xc2\\x9b2J" },
	{ "error: the first character after C1", "\xc2\xa0", "\xc2\xa0" },
	{ "error: a byte that is no UTF-8", "a\xff" "b", "a\\xffb" },
	{ "error: a UTF-8 character cut short", "a\xe2\x82", "a\\xe2\\x82" },
	{ "error: an overlong slash", "\xc0\xaf", "\\xc0\\xaf" },
	{ "error: a surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80" },
	{ "error: beyond Unicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
	{ "error: per cent signs stay", "100 %s", "100 %s" },
	{ "error: empty", "", "" },
};

static void test_escape(void **state)
{
	const struct escape_row *row = *state;
	struct err e;

	assert_int_equal(fail_usage(&e, "%s", row->raw), -1);
	assert_string_equal(e.text, row->text);
	assert_int_equal(fail_cure(&e, "%s", row->raw), -1);
	assert_string_equal(e.cure, row->text);
}

static void test_fail_fields(void **state)
{
	struct err e;

	(void)state;
	errno = EBADF;
	assert_int_equal(fail(&e, EACCES, "cannot set %s to %d", "pids.max", 3), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(e.kind, ERR_INTERNAL);
	assert_int_equal(e.number, EACCES);
	assert_string_equal(e.text, "cannot set pids.max to 3: Permission denied");
	assert_string_equal(e.cure, "");
	fail_cure(&e, "run it as %s", "root");
	assert_string_equal(e.cure, "run it as root");
	assert_int_equal(fail_usage(&e, "%s again", e.text), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	assert_int_equal(e.number, 0);
	assert_string_equal(e.text, "cannot set pids.max to 3: Permission denied again");
	assert_string_equal(e.cure, "");
	assert_int_equal(fail(&e, 0, "odd"), -1);
	assert_string_equal(e.text, "odd");
	assert_int_equal(fail(NULL, EIO, "nobody listens"), -1);
	assert_int_equal(fail_usage(NULL, "nobody listens"), -1);
	assert_int_equal(fail_cure(NULL, "nobody listens"), -1);
}

static void test_fail_long(void **state)
{
	autofree char *letters = million('x', ""), *controls = million('\x01', "");
	struct err e;

	(void)state;
	fail(&e, ENOENT, "%s", letters);
	assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
	assert_non_null(strstr(e.text, "xxx...: No such file or directory"));
	fail_usage(&e, "%s", controls);
	assert_true(strlen(e.text) >= sizeof(e.text) - 8 && strlen(e.text) < sizeof(e.text));
	assert_string_equal(strstr(e.text, "..."), "...");
	assert_memory_equal(strstr(e.text, "...") - 4, "\\x01", 4);
}

/* At each offset: a cut falls between two characters. */
static void test_fail_cut(void **state)
{
	(void)state;
	for (int shift = 0; shift < 4; shift++) {
		const char *dots;
		char raw[900];
		struct err e;

		memset(raw, 'a', (size_t)shift);
		for (size_t at = (size_t)shift; at + 5 < sizeof(raw); at += 4)
			strcpy(raw + at, "😀");
		fail_usage(&e, "%s", raw);
		dots = strstr(e.text, "...");
		assert_non_null(dots);
		assert_int_equal((dots - e.text - shift) % 4, 0);
		assert_true(strlen(e.text) > sizeof(e.text) - 8);
	}
}

/* A text of exactly the room there is stays whole; one letter more is cut. */
static void test_fail_edge(void **state)
{
	char raw[sizeof(((struct err *)0)->text) + 1];
	struct err e;

	(void)state;
	memset(raw, 'x', sizeof(raw));
	raw[sizeof(e.text) - 1] = '\0';
	fail_usage(&e, "%s", raw);
	assert_string_equal(e.text, raw);
	raw[sizeof(e.text) - 1] = 'x';
	raw[sizeof(e.text)] = '\0';
	fail_usage(&e, "%s", raw);
	assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
	assert_string_equal(e.text + sizeof(e.text) - 5, "x...");
}

static void test_arena_pieces(void **state)
{
	static const size_t sizes[] = { 1, 0, 3, 16, 100, 16384, 16385, 1, 1000000, 5 };
	struct arena a = { 0 };
	char *before = NULL;

	(void)state;
	for (int round = 0; round < 100; round++)
		for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
			char *piece = arena_alloc(&a, sizes[i]);

			assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
			assert_ptr_not_equal(piece, before);
			for (size_t j = 0; j < sizes[i]; j++)
				assert_int_equal(piece[j], 0);
			memset(piece, 0xaa, sizes[i]);
			before = piece;
		}
	arena_free(&a);
	assert_null(a.last);
	arena_free(&a);
	assert_string_equal(arena_strdup(&a, "again"), "again");
	arena_free(&a);
}

static void test_arena_texts(void **state)
{
	autofree char *letters = million('x', "");
	struct arena a = { 0 };

	(void)state;
	assert_string_equal(arena_strdup(&a, ""), "");
	assert_string_equal(arena_strndup(&a, "abcdef", 3), "abc");
	assert_memory_equal(arena_strndup(&a, "a\0b", 3), "a\0b", 4);
	assert_string_equal(arena_printf(&a, "%s-%d", "box", 7), "box-7");
	assert_string_equal(arena_printf(&a, "%s", letters), letters);
	arena_free(&a);
}

static void test_arena_grow(void **state)
{
	struct arena a = { 0 };
	size_t capacity = 0;
	void *items = NULL;

	(void)state;
	for (size_t count = 0; count < 10000; count++) {
		size_t *item = arena_grow(&a, &items, &capacity, count, sizeof(*item));

		assert_ptr_equal(item, (size_t *)items + count);
		assert_true(count < capacity);
		*item = count * 3;
	}
	for (size_t i = 0; i < 10000; i++)
		assert_int_equal(((size_t *)items)[i], i * 3);
	arena_free(&a);
}

/* More than there can be ends the process with status 3 and a sentence. */
static void test_arena_out_of_memory(void **state)
{
	char said[128];
	int ends[2], status;
	ssize_t n;
	pid_t child;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct arena a = { 0 };

		dup2(ends[1], STDERR_FILENO);
		arena_alloc(&a, SIZE_MAX);
		_exit(0);
	}
	close_fd(&ends[1]);
	n = read_full(ends[0], said, sizeof(said) - 1);
	assert_true(n > 0);
	said[n] = '\0';
	assert_non_null(strstr(said, "out of memory"));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 3);
	close_fd(&ends[0]);
}

static const struct CMUnitTest single_tests[] = {
	cmocka_unit_test(test_fail_fields),
	cmocka_unit_test(test_fail_long),
	cmocka_unit_test(test_fail_cut),
	cmocka_unit_test(test_fail_edge),
	cmocka_unit_test(test_arena_pieces),
	cmocka_unit_test(test_arena_texts),
	cmocka_unit_test(test_arena_grow),
	cmocka_unit_test(test_arena_out_of_memory),
};

/* One cmocka test per row; a row's first member is its name. */
#define ADD_ROWS(rows, function)                                              \
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)                         \
		tests[count++] = (struct CMUnitTest){ .name = (rows)[i].name, \
			.test_func = (function), .initial_state = (void *)(uintptr_t)&(rows)[i] }

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(escape_rows) + ARRAY_SIZE(single_tests)];
	size_t count = 0;

	ADD_ROWS(escape_rows, test_escape);
	memcpy(tests + count, single_tests, sizeof(single_tests));
	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
