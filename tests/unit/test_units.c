/*
 * base/units: numbers read and written. Each row is a test of its own, named by its sentence.
 */
#include "base/array.h"
#include "base/fd.h"
#include "base/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MILLION 1000000
#define REFUSED UINT64_MAX

struct parse_row {
	const char *name;
	enum unit unit;
	const char *text;
	uint64_t value;
};

static const struct parse_row parse_rows[] = {
	{ "time: whole seconds", UNIT_TIME, "2", 2000000 },
	{ "time: a tenth is exact", UNIT_TIME, "0.1", 100000 },
	{ "time: 1.5 is one and a half", UNIT_TIME, "1.5", 1500000 },
	{ "time: one microsecond", UNIT_TIME, "0.000001", 1 },
	{ "time: a seventh decimal that is zero", UNIT_TIME, "0.0000010", 1 },
	{ "time: a seventh decimal that is not", UNIT_TIME, "0.0000011", REFUSED },
	{ "time: with s", UNIT_TIME, "2s", 2000000 },
	{ "time: decimals with s", UNIT_TIME, "0.25s", 250000 },
	{ "time: milliseconds", UNIT_TIME, "1500ms", 1500000 },
	{ "time: three decimals of a millisecond", UNIT_TIME, "1.001ms", 1001 },
	{ "time: four decimals of a millisecond", UNIT_TIME, "1.0011ms", REFUSED },
	{ "time: microseconds", UNIT_TIME, "250us", 250 },
	{ "time: half a microsecond", UNIT_TIME, "0.5us", REFUSED },
	{ "time: a microsecond with a point", UNIT_TIME, "1.0us", REFUSED },
	{ "time: zero", UNIT_TIME, "0", 0 },
	{ "time: leading zeros are decimal", UNIT_TIME, "010", 10000000 },
	{ "time: most that fits", UNIT_TIME, "9223372036854.775807", INT64_MAX },
	{ "time: one microsecond past what fits", UNIT_TIME, "9223372036854.775808", REFUSED },
	{ "time: wraps 64 bits by its decimals", UNIT_TIME, "18446744073709.551616", REFUSED },
	{ "time: wraps 64 bits", UNIT_TIME, "18446744073709551617", REFUSED },
	{ "time: hours", UNIT_TIME, "2h", REFUSED },
	{ "time: two suffixes", UNIT_TIME, "2ss", REFUSED },
	{ "time: a size's suffix", UNIT_TIME, "2K", REFUSED },
	{ "time: a suffix alone", UNIT_TIME, "s", REFUSED },
	{ "time: upper case", UNIT_TIME, "2S", REFUSED },
	{ "time: empty", UNIT_TIME, "", REFUSED },
	{ "time: minus", UNIT_TIME, "-1", REFUSED },
	{ "time: minus zero", UNIT_TIME, "-0", REFUSED },
	{ "time: plus", UNIT_TIME, "+1", REFUSED },
	{ "time: exponent", UNIT_TIME, "1e3", REFUSED },
	{ "time: hex", UNIT_TIME, "0x10", REFUSED },
	{ "time: nan", UNIT_TIME, "nan", REFUSED },
	{ "time: inf", UNIT_TIME, "inf", REFUSED },
	{ "time: space in front", UNIT_TIME, " 1", REFUSED },
	{ "time: space behind", UNIT_TIME, "1 ", REFUSED },
	{ "time: space before the suffix", UNIT_TIME, "1 s", REFUSED },
	{ "time: newline behind", UNIT_TIME, "1\n", REFUSED },
	{ "time: a control character inside", UNIT_TIME, "1\x01" "5", REFUSED },
	{ "time: an Arabic one", UNIT_TIME, "١", REFUSED },
	{ "time: a full-width one", UNIT_TIME, "１", REFUSED },
	{ "time: a comma", UNIT_TIME, "1,5", REFUSED },
	{ "time: nothing before the point", UNIT_TIME, ".5", REFUSED },
	{ "time: nothing after the point", UNIT_TIME, "1.", REFUSED },
	{ "time: a point alone", UNIT_TIME, ".", REFUSED },
	{ "time: two points", UNIT_TIME, "1.5.5", REFUSED },
	{ "bytes: plain", UNIT_BYTES, "4096", 4096 },
	{ "bytes: K", UNIT_BYTES, "64K", 65536 },
	{ "bytes: M", UNIT_BYTES, "256M", 268435456 },
	{ "bytes: G", UNIT_BYTES, "4G", 4294967296 },
	{ "bytes: MB is M", UNIT_BYTES, "1MB", 1048576 },
	{ "bytes: KiB is K", UNIT_BYTES, "1KiB", 1024 },
	{ "bytes: GiB is G", UNIT_BYTES, "1GiB", 1073741824 },
	{ "bytes: B", UNIT_BYTES, "12B", 12 },
	{ "bytes: most that fits", UNIT_BYTES, "9223372036854775807", INT64_MAX },
	{ "bytes: one past what fits", UNIT_BYTES, "9223372036854775808", REFUSED },
	{ "bytes: largest number of G that fits", UNIT_BYTES, "8589934591G", INT64_MAX - 1073741823 },
	{ "bytes: one G past what fits", UNIT_BYTES, "8589934592G", REFUSED },
	{ "bytes: wraps to a small number by G", UNIT_BYTES, "17179869185G", REFUSED },
	{ "bytes: decimals", UNIT_BYTES, "1.5G", REFUSED },
	{ "bytes: T", UNIT_BYTES, "1T", REFUSED },
	{ "bytes: lower case", UNIT_BYTES, "1m", REFUSED },
	{ "bytes: a letter behind the suffix", UNIT_BYTES, "1Kx", REFUSED },
	{ "bytes: a time's suffix", UNIT_BYTES, "1s", REFUSED },
	{ "bytes: minus", UNIT_BYTES, "-1M", REFUSED },
	{ "bytes: exponent", UNIT_BYTES, "1e3", REFUSED },
	{ "bytes: hex", UNIT_BYTES, "0x10", REFUSED },
	{ "bytes: empty", UNIT_BYTES, "", REFUSED },
	{ "count: plain", UNIT_COUNT, "64", 64 },
	{ "count: zero", UNIT_COUNT, "0", 0 },
	{ "count: decimals", UNIT_COUNT, "1.0", REFUSED },
	{ "count: a suffix", UNIT_COUNT, "1K", REFUSED },
	{ "count: most that fits", UNIT_COUNT, "9223372036854775807", INT64_MAX },
	{ "count: one past what fits", UNIT_COUNT, "9223372036854775808", REFUSED },
	{ "count: 2^64", UNIT_COUNT, "18446744073709551616", REFUSED },
	{ "cpus: one", UNIT_CPUS, "1", 1000 },
	{ "cpus: a half", UNIT_CPUS, "0.5", 500 },
	{ "cpus: three decimals", UNIT_CPUS, "2.251", 2251 },
	{ "cpus: four decimals", UNIT_CPUS, "2.2511", REFUSED },
	{ "cpus: four decimals, the last zero", UNIT_CPUS, "2.2510", 2251 },
	{ "cpus: a suffix", UNIT_CPUS, "1s", REFUSED },
};

static void test_parse(void **state)
{
	const struct parse_row *row = *state;
	const uint64_t untouched = 4711;
	uint64_t value = untouched;
	const int result = unit_parse(row->unit, row->text, &value);

	assert_int_equal(result, row->value == REFUSED ? -1 : 0);
	assert_true(value == (row->value == REFUSED ? untouched : row->value));
}

/* A million of `c`, then `tail`. */
static char *million(char c, const char *tail)
{
	char *text = malloc(MILLION + strlen(tail) + 1);

	assert_non_null(text);
	memset(text, c, MILLION);
	strcpy(text + MILLION, tail);
	return text;
}

static void test_parse_million_digits(void **state)
{
	autofree char *nines = million('9', ""), *zeros = million('0', "7");
	uint64_t value = 1;

	(void)state;
	assert_int_equal(unit_parse(UNIT_TIME, nines, &value), -1);
	assert_int_equal(unit_parse(UNIT_BYTES, nines, &value), -1);
	assert_true(value == 1);
	assert_int_equal(unit_parse(UNIT_COUNT, zeros, &value), 0);
	assert_true(value == 7);
}

struct format_row {
	const char *name;
	enum unit unit;
	uint64_t value;
	const char *text;
};

static const struct format_row format_rows[] = {
	{ "format: whole seconds", UNIT_TIME, 2000000, "2 s" },
	{ "format: a quarter of a second", UNIT_TIME, 250000, "0.25 s" },
	{ "format: a microsecond", UNIT_TIME, 1, "0.000001 s" },
	{ "format: no time", UNIT_TIME, 0, "0 s" },
	{ "format: ten seconds keep their zero", UNIT_TIME, 10000000, "10 s" },
	{ "format: mebibytes", UNIT_BYTES, 256 * MIB, "256 MiB" },
	{ "format: gibibytes", UNIT_BYTES, 4 * GIB, "4 GiB" },
	{ "format: kibibytes", UNIT_BYTES, 64 * KIB, "64 KiB" },
	{ "format: one byte over a unit is not rounded", UNIT_BYTES, 4 * GIB + 1, "4294967297 bytes" },
	{ "format: a byte", UNIT_BYTES, 1, "1 byte" },
	{ "format: no bytes", UNIT_BYTES, 0, "0 bytes" },
	{ "format: a count", UNIT_COUNT, 64, "64" },
	{ "format: CPUs", UNIT_CPUS, 1500, "1.5" },
	{ "format: one CPU", UNIT_CPUS, 1000, "1" },
	{ "format: a thousandth of a CPU", UNIT_CPUS, 1, "0.001" },
	{ "format: the largest time", UNIT_TIME, UINT64_MAX, "18446744073709.551615 s" },
};

static void test_format(void **state)
{
	const struct format_row *row = *state;
	char text[64];

	assert_string_equal(unit_format(row->unit, row->value, text, sizeof(text)), row->text);
}

static void test_seconds(void **state)
{
	char text[32];

	(void)state;
	assert_string_equal(seconds_format(1999999, 3, text, sizeof(text)), "1.999");
	assert_string_equal(seconds_format(999, 3, text, sizeof(text)), "0.000");
	assert_string_equal(seconds_format(1000, 3, text, sizeof(text)), "0.001");
	assert_string_equal(seconds_format(1000001, 6, text, sizeof(text)), "1.000001");
	assert_string_equal(seconds_format(0, 6, text, sizeof(text)), "0.000000");
}

static const struct CMUnitTest single_tests[] = {
	cmocka_unit_test(test_parse_million_digits),
	cmocka_unit_test(test_seconds),
};

/* One cmocka test per row; a row's first member is its name. */
#define ADD_ROWS(rows, function)                                              \
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)                         \
		tests[count++] = (struct CMUnitTest){ .name = (rows)[i].name, \
			.test_func = (function), .initial_state = (void *)(uintptr_t)&(rows)[i] }

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(parse_rows) + ARRAY_SIZE(format_rows) + ARRAY_SIZE(single_tests)];
	size_t count = 0;

	ADD_ROWS(parse_rows, test_parse);
	ADD_ROWS(format_rows, test_format);
	memcpy(tests + count, single_tests, sizeof(single_tests));
	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
