/*
 * Numbers as people write them, and as they are printed. Pure; runs in the judge, outside the box.
 *
 * A number is digits, a point and digits, a suffix. Each suffix is a row: how many decimals it
 * can hold exactly, and by what the rest is multiplied.
 */
#include "base/units.h"

#include "base/array.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct suffix_row {
	enum unit unit;
	const char *suffix;
	int decimals;
	uint64_t factor;
};

static const struct suffix_row suffix_rows[] = {
	{ UNIT_TIME, "", 6, 1 },     { UNIT_TIME, "s", 6, 1 },
	{ UNIT_TIME, "ms", 3, 1 },   { UNIT_TIME, "us", 0, 1 },
	{ UNIT_BYTES, "", 0, 1 },    { UNIT_BYTES, "B", 0, 1 },
	{ UNIT_BYTES, "K", 0, KIB }, { UNIT_BYTES, "KB", 0, KIB }, { UNIT_BYTES, "KiB", 0, KIB },
	{ UNIT_BYTES, "M", 0, MIB }, { UNIT_BYTES, "MB", 0, MIB }, { UNIT_BYTES, "MiB", 0, MIB },
	{ UNIT_BYTES, "G", 0, GIB }, { UNIT_BYTES, "GB", 0, GIB }, { UNIT_BYTES, "GiB", 0, GIB },
	{ UNIT_COUNT, "", 0, 1 },    { UNIT_CPUS, "", 3, 1 },
};

static const char *const hints[] = {
	[UNIT_TIME] = "use seconds, as in 2 or 0.5",
	[UNIT_BYTES] = "use bytes or K, M, G, as in 64M",
	[UNIT_COUNT] = "use a whole number, as in 64",
	[UNIT_CPUS] = "use a number of CPUs, as in 1 or 0.5",
};

/* Not isdigit: no locale has a say in what a limit is. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* value = value * 10 + digit. -1 when that leaves 64 bits. */
static int push_digit(uint64_t *value, char digit)
{
	if (__builtin_mul_overflow(*value, 10, value))
		return -1;
	return __builtin_add_overflow(*value, (uint64_t)(digit - '0'), value) ? -1 : 0;
}

/* The end of the digits, or of digits, point and digits, at `text`; NULL when there are none. */
static const char *number_end(const char *text)
{
	const char *p = text;

	while (is_digit(*p))
		p++;
	if (p == text)
		return NULL;
	if (*p != '.')
		return p;
	if (!is_digit(p[1]))
		return NULL;
	for (p++; is_digit(*p); p++)
		;
	return p;
}

static const struct suffix_row *suffix_find(enum unit unit, const char *suffix)
{
	for (size_t i = 0; i < ARRAY_SIZE(suffix_rows); i++)
		if (suffix_rows[i].unit == unit && strcmp(suffix_rows[i].suffix, suffix) == 0)
			return &suffix_rows[i];
	return NULL;
}

/* text[…end) times 10^decimals. What does not fit, or has more decimals than that, is -1. */
static int read_scaled(const char *text, const char *end, int decimals, uint64_t *ret_value)
{
	uint64_t value = 0;
	const char *p = text;

	for (; p < end && *p != '.'; p++)
		if (push_digit(&value, *p) < 0)
			return -1;
	if (p < end && decimals == 0)
		return -1; /* "1.0" of something that has no parts is a mistake, not a one */
	if (p < end)
		p++;
	for (; decimals > 0; decimals--)
		if (push_digit(&value, p < end ? *p++ : '0') < 0)
			return -1;
	for (; p < end; p++)
		if (*p != '0')
			return -1;
	*ret_value = value;
	return 0;
}

int unit_parse(enum unit unit, const char *text, uint64_t *ret_value)
{
	const char *end = number_end(text);
	const struct suffix_row *row = end ? suffix_find(unit, end) : NULL;
	uint64_t value;

	if (!row || read_scaled(text, end, row->decimals, &value) < 0 ||
	    __builtin_mul_overflow(value, row->factor, &value) || value > INT64_MAX)
		return -1;
	*ret_value = value;
	return 0;
}

/* value / 10^decimals without trailing zeros, then `suffix`. */
static void format_trimmed(uint64_t value, int decimals, const char *suffix, char *ret_text, size_t size)
{
	uint64_t one = 1;

	for (int i = 0; i < decimals; i++)
		one *= 10;
	while (decimals > 0 && value % 10 == 0 && one > 1) {
		value /= 10;
		one /= 10;
		decimals--;
	}
	if (decimals == 0)
		snprintf(ret_text, size, "%" PRIu64 "%s", value, suffix);
	else
		snprintf(ret_text, size, "%" PRIu64 ".%0*" PRIu64 "%s", value / one, decimals,
			 value % one, suffix);
}

/* In the largest unit that loses nothing: two different limits never read the same. */
static void format_bytes(uint64_t value, char *ret_text, size_t size)
{
	if (value == 0 || value % KIB != 0)
		snprintf(ret_text, size, "%" PRIu64 " byte%s", value, value == 1 ? "" : "s");
	else if (value % MIB != 0)
		snprintf(ret_text, size, "%" PRIu64 " KiB", value / KIB);
	else if (value % GIB != 0)
		snprintf(ret_text, size, "%" PRIu64 " MiB", value / MIB);
	else
		snprintf(ret_text, size, "%" PRIu64 " GiB", value / GIB);
}

char *unit_format(enum unit unit, uint64_t value, char *ret_text, size_t size)
{
	switch (unit) {
	case UNIT_TIME:
		format_trimmed(value, 6, " s", ret_text, size);
		break;
	case UNIT_BYTES:
		format_bytes(value, ret_text, size);
		break;
	case UNIT_COUNT:
		snprintf(ret_text, size, "%" PRIu64, value);
		break;
	case UNIT_CPUS:
		format_trimmed(value, 3, "", ret_text, size);
		break;
	}
	return ret_text;
}

const char *unit_hint(enum unit unit)
{
	return hints[unit];
}

char *seconds_format(uint64_t value_us, int decimals, char *ret_text, size_t size)
{
	const uint64_t parts = decimals == 3 ? value_us % 1000000 / 1000 : value_us % 1000000;

	snprintf(ret_text, size, "%" PRIu64 ".%0*" PRIu64, value_us / 1000000, decimals == 3 ? 3 : 6,
		 parts);
	return ret_text;
}
