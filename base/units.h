/*
 * Numbers as people write them, and as they are printed. Pure: no file, clock or process.
 *
 * Nothing here goes through floating point: a time is read as decimal digits into
 * microseconds. A sign, a stray suffix, hex, an exponent, "nan", "inf", an empty text,
 * surrounding space and overflow are all refused.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#define KIB ((uint64_t)1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

enum unit {
	UNIT_TIME,	/* microseconds; written 1.5, 2s, 1500ms, 250us */
	UNIT_BYTES,	/* bytes; written 4096, 64K, 256M, 4G (powers of 1024; KiB, MB … too) */
	UNIT_COUNT,	/* a whole number */
	UNIT_CPUS,	/* thousandths of a CPU; written 1, 0.5, 2.25 */
};

/* Reads `text` in `unit`. At most 6 decimals for times (more must be zero), 3 for CPUs.
   0, or -1: the text is no such number (nothing is written then). Values over INT64_MAX fail. */
int unit_parse(enum unit unit, const char *text, uint64_t *ret_value);

/* Writes the value as a person reads it: "2 s", "0.25 s", "256 MiB", "64", "1.5". Returns ret_text. */
char *unit_format(enum unit unit, uint64_t value, char *ret_text, size_t size);

/* How to write a value of that unit: "use seconds, as in 2 or 0.5". */
const char *unit_hint(enum unit unit);

/* `value` microseconds as seconds with a point and `decimals` (3 or 6) digits, cut, not rounded. */
char *seconds_format(uint64_t value_us, int decimals, char *ret_text, size_t size);

#endif
