/*
 * What a report tells of one run, field by field: one table, walked by the line writer, the JSON writer
 * and the audit line, so that they cannot disagree.
 */
#ifndef REPORT_FIELDS_H
#define REPORT_FIELDS_H

#include "report/result.h"

#include <stdbool.h>
#include <stdint.h>

enum field_kind {
	FIELD_ABSENT,	/* not known, or does not apply */
	FIELD_TEXT,
	FIELD_NUMBER,
	FIELD_BOOL,
	FIELD_SECONDS,	/* µs, told in seconds with three decimals, cut */
	FIELD_SETUP,	/* µs, told in seconds with six */
	FIELD_MS,	/* µs, told in milliseconds */
	FIELD_MIB,	/* bytes, told in MiB */
};

struct field {
	const char *key;
	enum field_kind kind;
	uint64_t number;	/* at most INT64_MAX, which is what JSON readers can hold */
	const char *text;	/* FIELD_TEXT: raw, the writer escapes */
};

typedef void (*field_visit)(void *into, const struct field *f);

/* The fields of the meta file, in order; those that do not apply are left out. */
void meta_fields(const struct result *r, field_visit visit, void *into);

/* What services read: the fields that the JSON object has beyond the meta file's, and, with `audit`, all of
   the audit line's. Those that are not known are visited as FIELD_ABSENT. */
void service_fields(const struct result *r, bool audit, field_visit visit, void *into);

#endif
