/* Policies from what a program called: what is allowed, narrowed, refused, and read again. */
#include "base/array.h"
#include "cli/learnt.h"
#include "tests/unit/bpf_run.h"
#include "tests/unit/sample.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include <cmocka.h>

#ifdef __x86_64__
#define AUDIT_HERE AUDIT_ARCH_X86_64
#else
#define AUDIT_HERE AUDIT_ARCH_AARCH64
#endif
#define HIGH (1ull << 32)
#define ONES UINT64_MAX
#define KILL (-1)
#define NEWEST 469

static const uint64_t zeros[6];

/* What was seen in every case below. */
static const struct learn_row seen_rows[] = {
	{ .number = SYS_read, .count = 12 },
	{ .number = SYS_openat, .count = 3 },
	{ .number = SYS_prlimit64, .count = 1 },
	{ .number = SYS_clone, .value = 0x3d0f00, .count = 2 },		/* a thread */
	{ .number = SYS_clone, .value = 0x1200011, .count = 1 },	/* fork */
	{ .number = SYS_socket, .value = 1, .count = 1 },		/* AF_UNIX */
	{ .number = SYS_ioctl, .value = 0x5401, .count = 4 },		/* TCGETS */
	{ .number = SYS_ioctl, .value = 0x1234, .count = 1 },
	{ .number = SYS_fcntl, .value = 3, .count = 1 },		/* F_GETFL */
	{ .number = SYS_mmap, .value = 0, .count = 9 },
	{ .number = SYS_mprotect, .value = 0, .count = 2 },
	{ .number = SYS_mprotect, .value = 1, .count = 2 },		/* PROT_EXEC */
	{ .number = SYS_personality, .value = 0xffffffff, .count = 1 },
	{ .number = SYS_sendto, .value = 0, .count = 1 },		/* no address */
};

static void see(struct learn *l, const struct learn_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		learn_note(l, &rows[i]);
}

static int make_folder(void **state)
{
	*state = folder_make();
	return 0;
}

static int remove_folder(void **state)
{
	folder_remove(*state);
	return 0;
}

/* Writes what was seen as a policy and reads that: it must be one. */
static void learn_policy(const struct learn *l, const char *base, struct filter_loaded *ret)
{
	struct shown b;
	struct err e = { 0 };
	char *text;

	assert_int_equal(shown_open(&b, base, FILTER_NATIVE, &e), 0);
	text = learnt_text(l, &b, "./a\nb", true);
	(void)remove("learnt.policy"); /* the first time it is not there */
	file_make("learnt.policy", text, 0600);
	if (filter_load("learnt.policy", ret, &e) < 0)
		fail_msg("%s in\n%s", e.text, text);
	assert_null(ret->library.warnings);
	free(text);
	shown_close(&b);
}

static int answer(const struct filter *f, int number, const uint64_t args[6])
{
	struct seccomp_data d = { .nr = number, .arch = AUDIT_HERE };
	uint32_t value;

	memcpy(d.args, args, sizeof(d.args));
	value = bpf_run(f->code, f->length, &d, NULL);
	return value == SECCOMP_RET_ALLOW ? 0 : value == SECCOMP_RET_KILL_PROCESS ? KILL : (int)(value & SECCOMP_RET_DATA);
}

static void what_was_seen_is_allowed_and_no_more(void **state)
{
	static const struct { const char *what; int number; uint64_t args[6]; int answer; } rows[] = {
		{ "seen", SYS_read, { ONES, ONES, ONES }, 0 },
		{ "not seen", SYS_getppid, { 0 }, KILL },
		{ "every policy's", SYS_write, { 1, 2, 3 }, 0 },
		{ "every policy's", SYS_execve, { 1, 2, 3 }, 0 },
		{ "by chance", SYS_futex, { 0 }, 0 },
		{ "not seen, and refused as usual", SYS_mount, { 0 }, EPERM },
		{ "not seen, and refused as usual", SYS_clone3, { 0 }, ENOSYS },
		{ "seen, but refused as usual", SYS_prlimit64, { 1 }, EPERM },
		{ "seen", SYS_prlimit64, { 0 }, 0 },
		{ "seen, but refused as usual", SYS_openat, { 0, 0, 0100, 04755 }, EPERM },
		{ "a thread", SYS_clone, { 0x3d0f00 }, 0 },
		{ "fork with another signal", SYS_clone, { 0x120000a }, 0 },
		{ "a flag that was not seen", SYS_clone, { 0x4111 }, KILL },
		{ "high bits", SYS_clone, { 0x3d0f00 | HIGH }, KILL },
		{ "a namespace", SYS_clone, { 0x10000011 }, EPERM },
		{ "AF_UNIX, high bits", SYS_socket, { 1 | HIGH, 5 }, 0 },
		{ "AF_INET", SYS_socket, { 2 }, EAFNOSUPPORT },
		{ "not seen, with a family that is allowed as usual", SYS_socketpair, { 1 }, KILL },
		{ "not seen, with one that is not", SYS_socketpair, { 2 }, EAFNOSUPPORT },
		{ "TCGETS, high bits", SYS_ioctl, { 0, 0x5401 | HIGH }, 0 },
		{ "a number without a name", SYS_ioctl, { 0, 0x1234 }, 0 },
		{ "TCSETS", SYS_ioctl, { 0, 0x5402 }, KILL },
		{ "TIOCSTI", SYS_ioctl, { 0, 0x5412 | HIGH }, EPERM },
		{ "F_GETFL", SYS_fcntl, { 0, 3 }, 0 },
		{ "F_SETFL", SYS_fcntl, { 0, 4 }, KILL },
		{ "memory", SYS_mmap, { 0, 4096, 3, 0x22 }, 0 },
		{ "code", SYS_mmap, { 0, 4096, 7, 0x22 }, KILL },
		{ "huge pages", SYS_mmap, { 0, 4096, 3, 0x40022 }, ENOMEM },
		{ "code, which was seen", SYS_mprotect, { 0, 4096, 5 }, 0 },
		{ "the question", SYS_personality, { ONES }, 0 },
		{ "0, which was not seen", SYS_personality, { 0 }, KILL },
		{ "ADDR_NO_RANDOMIZE", SYS_personality, { 0x40000 }, EPERM },
		{ "no address", SYS_sendto, { 3, 1, 1 }, 0 },
		{ "an address", SYS_sendto, { 3, 1, 1, 0, HIGH }, KILL },
		{ "above the newest", NEWEST + 1, { 0 }, ENOSYS },
	};
	struct learn l = { .count = 0 };
	struct filter_loaded own;

	(void)state;
	see(&l, seen_rows, ARRAY_SIZE(seen_rows));
	learn_policy(&l, "default", &own);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const int found = answer(&own.filter, rows[i].number, rows[i].args);

		if (found != rows[i].answer)
			fail_msg("call %d, %s: expected %d, found %d", rows[i].number, rows[i].what, rows[i].answer, found);
	}
	filter_loaded_free(&own);
	learn_free(&l);
}

/* Whatever the base says, and whatever is asked: where it refuses, so does what was learnt under it. Numbers
   that no call has are not in the text: what the base's default refuses of them, kills. */
static void nothing_is_opened_and_no_refusal_lost(void **state)
{
	static const char *const bases[] = { "default", "network", "native", "runtime", "compile" };
	static const uint64_t values[] = { 0, 1, 2, 4, 0x11, 0x5401, 0x5412, 04755, 0x40022, 0x10000011, 0xffffffff,
					   HIGH, HIGH | 1, ONES };

	(void)state;
	for (size_t b = 0; b < ARRAY_SIZE(bases); b++) {
		struct learn l = { .count = 0 };
		struct filter_loaded own;

		see(&l, seen_rows, ARRAY_SIZE(seen_rows));
		learn_policy(&l, bases[b], &own);
		for (int number = -1; number <= NEWEST + 2; number++)
			for (size_t mix = 0; mix < ARRAY_SIZE(values) * ARRAY_SIZE(values); mix++) {
				const uint64_t v = values[mix % ARRAY_SIZE(values)], w = values[mix / ARRAY_SIZE(values)];
				const uint64_t args[6] = { v, w, v, w, v, w };
				const int usual = answer(filter_find(bases[b]), number, args);
				const int found = answer(&own.filter, number, args);

				if (!call_name(number, FILTER_NATIVE) && found == KILL)
					continue;
				if (usual ? found != usual : found != 0 && found != KILL)
					fail_msg("%s, call %d, %#llx, %#llx: usually %d, found %d", bases[b], number,
						 (unsigned long long)v, (unsigned long long)w, usual, found);
			}
		filter_loaded_free(&own);
		learn_free(&l);
	}
}

static uint64_t times(const struct learn *l, int number)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < l->count; i++)
		if (l->rows[i].number == number)
			sum += l->rows[i].count;
	return sum;
}

/* --add: what was learnt, read back and written again, is the same policy, and its counts are there. */
static void what_was_learnt_is_read_back(void **state)
{
	struct learn first = { .count = 0 }, second = { .count = 0 };
	struct filter_loaded one, two;
	struct shown s;
	struct err e = { 0 };

	(void)state;
	see(&first, seen_rows, ARRAY_SIZE(seen_rows));
	learn_policy(&first, "default", &one);
	assert_int_equal(shown_open(&s, "./learnt.policy", FILTER_NATIVE, &e), 0);
	learnt_add(&second, &s);
	shown_close(&s);
	for (size_t i = 0; i < ARRAY_SIZE(seen_rows); i++)
		assert_int_equal(times(&second, seen_rows[i].number), times(&first, seen_rows[i].number));
	learn_policy(&second, "default", &two);
	assert_int_equal(one.filter.length, two.filter.length);
	assert_memory_equal(one.filter.code, two.filter.code, one.filter.length * sizeof(*one.filter.code));
	filter_loaded_free(&one);
	filter_loaded_free(&two);
	learn_free(&first);
	learn_free(&second);
}

/* A policy that knows no lists: what it allows is asked by trial. */
static void any_policy_can_be_added(void **state)
{
	static const struct { int number; uint64_t args[6]; int answer; } rows[] = {
		{ SYS_getppid, { 0 }, 0 }, { SYS_gettid, { 0 }, KILL }, { SYS_mount, { 0 }, EPERM },
		{ SYS_ioctl, { 0, 7 }, 0 }, { SYS_ioctl, { 0, 0x5401 }, KILL }, { SYS_ioctl, { 0, 0x5412 }, EPERM },
		{ SYS_mmap, { 0, 0, 4 }, KILL }, { SYS_mprotect, { 0, 0, 4 }, 0 },
		{ SYS_fcntl, { 0, 8 }, 0 }, { SYS_fcntl, { 0, 9 }, KILL }, { SYS_clone, { 0x111 }, 0 },
		{ SYS_clone, { 0x211 }, KILL },
	};
	struct learn l = { .count = 0 };
	struct filter_loaded own;
	struct shown s;
	struct err e = { 0 };

	(void)state;
	file_make("own.policy",
		  "policy own\n\tdefault kill\n\tabove 469 kill\n\tgetppid if int1 == 5 kill\n\tgetppid allow\n"
		  "\tmount allow\n\tioctl if int1 == 0x5401 kill\n\tioctl allow\n\tmmap if long2 any PROT_EXEC kill\n"
		  "\tmmap allow\n\tmprotect allow\n\tfcntl if int1 in 7, 8 allow\n\tfcntl if int1 > 8 kill\n"
		  "\tclone if long0 all 0x200 kill\n\tclone if long0 only 0x3ff allow\nend\n", 0600);
	assert_int_equal(shown_open(&s, "./own.policy", FILTER_NATIVE, &e), 0);
	learnt_add(&l, &s);
	shown_close(&s);
	/* Any value but one cannot be told from any value: so much is wider than the file. */
	learn_policy(&l, "default", &own);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const bool wider = rows[i].number == SYS_ioctl && rows[i].answer == KILL;

		if (answer(&own.filter, rows[i].number, rows[i].args) != (wider ? 0 : rows[i].answer))
			fail_msg("row %zu", i);
	}
	filter_loaded_free(&own);
	learn_free(&l);
}

/* A hostile program is not to fill the judge's memory, nor the filter, nor to keep other calls from being seen. */
static void floods_are_bounded(void **state)
{
	struct learn l = { .count = 0 };
	struct filter_loaded own;

	(void)state;
	for (uint64_t i = 0; i < LEARN_VALUES_MOST; i++)
		learn_note(&l, &(struct learn_row){ .number = SYS_ioctl, .value = i * 7919, .count = 1 });
	learn_policy(&l, "default", &own);
	assert_int_equal(answer(&own.filter, SYS_ioctl, (const uint64_t[6]){ 0, 63 * 7919 }), 0);
	assert_int_equal(answer(&own.filter, SYS_ioctl, (const uint64_t[6]){ 0, 64 * 7919 }), KILL);
	filter_loaded_free(&own);
	for (uint64_t i = 0; i < 2 * LEARN_ROWS; i++) {
		learn_note(&l, &(struct learn_row){ .number = SYS_ioctl, .value = i * 7919, .count = 1 });
		learn_note(&l, &(struct learn_row){ .number = SYS_clone, .value = i << 8, .count = 1 });
	}
	learn_note(&l, &(struct learn_row){ .number = SYS_getppid, .count = 1 });
	assert_int_equal(l.count, LEARN_VALUES_MOST + 2);
	assert_int_equal(times(&l, SYS_ioctl), LEARN_VALUES_MOST + 2 * LEARN_ROWS);
	learn_policy(&l, "default", &own);
	assert_int_equal(answer(&own.filter, SYS_ioctl, (const uint64_t[6]){ 0, 64 * 7919 }), 0);
	assert_int_equal(answer(&own.filter, SYS_ioctl, (const uint64_t[6]){ 0, 0x5412 }), EPERM);
	assert_int_equal(answer(&own.filter, SYS_clone, (const uint64_t[6]){ 0x1dff11 }), 0);
	assert_int_equal(answer(&own.filter, SYS_clone, (const uint64_t[6]){ 0x200011 }), KILL);
	assert_int_equal(answer(&own.filter, SYS_getppid, zeros), 0);
	filter_loaded_free(&own);
	for (int i = 0; i < 2 * LEARN_ROWS; i++)
		learn_note(&l, &(struct learn_row){ .number = 10000 + i, .count = 1 });
	assert_int_equal(l.count, LEARN_ROWS);
	assert_true(l.over);
	learn_free(&l);
}

/* Names from outside end no line, and a number without a name is told. */
static void comments_hold_what_they_are_given(void **state)
{
	struct learn l = { .count = 0 };
	struct shown base;
	struct err e = { 0 };
	char *text;

	(void)state;
	see(&l, &(struct learn_row){ .number = 400, .count = 1 }, 1);
	assert_int_equal(shown_open(&base, "default", FILTER_NATIVE, &e), 0);
	text = learnt_text(&l, &base, "a\nread allow\033", false);
	assert_non_null(strstr(text, "# What a?read allow? called "));
	assert_non_null(strstr(text, "# Left out: system call 400, which has no name here.\n"));
	assert_non_null(strstr(text, "\texec program\n"));
	free(text);
	shown_close(&base);
	learn_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_seen_is_allowed_and_no_more, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(nothing_is_opened_and_no_refusal_lost, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(what_was_learnt_is_read_back, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(any_policy_can_be_added, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(floods_are_bounded, make_folder, remove_folder),
		cmocka_unit_test(comments_hold_what_they_are_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
