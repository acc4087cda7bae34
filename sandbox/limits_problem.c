/*
 * A problem's override of limits: a JSON object. Pure; runs in the judge, outside the box.
 *
 * The file comes from whoever wrote the problem: it may ask for anything, and gets no more than
 * the installation's ceilings.
 */
#include "sandbox/limits.h"

#include "base/array.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct override_row {
	const char *key;
	enum limit limit;
	uint64_t factor;	/* of the number in the file, to the limit's unit */
	const char *hint;
};

/* Where two rows set one limit the later wins, in whatever order the file has them. */
static const struct override_row override_rows[] = {
	{ "time_limit", LIMIT_TIME, 1000000, "a number of seconds" },
	{ "timeout_override", LIMIT_WALL_TIME, 1000000, "a number of seconds" },
	{ "memory_limit", LIMIT_MEMORY, MIB, "a number of MiB" },
	{ "memory_override", LIMIT_MEMORY, MIB, "a number of MiB" },
};

static const char *const type_names[] = {
	[JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
	[JSON_INTEGER] = "an integer", [JSON_REAL] = "a number", [JSON_TRUE] = "true",
	[JSON_FALSE] = "false", [JSON_NULL] = "null",
};

static const struct override_row *override_find(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(override_rows); i++)
		if (strcmp(override_rows[i].key, key) == 0)
			return &override_rows[i];
	return NULL;
}

/* The number times the factor, to the nearest whole. -1 for what is negative or beyond INT64_MAX. */
static int scale(const json_t *number, uint64_t factor, uint64_t *ret_value)
{
	uint64_t value;
	double real;

	if (json_is_integer(number)) {
		if (json_integer_value(number) < 0 ||
		    __builtin_mul_overflow((uint64_t)json_integer_value(number), factor, &value) ||
		    value > INT64_MAX)
			return -1;
		*ret_value = value;
		return 0;
	}
	/* The double nearest to 0.1 is not 0.1, but its product is within half a microsecond of it. */
	real = json_real_value(number) * (double)factor;
	if (!(real >= 0) || signbit(real) || real >= 0x1p62)
		return -1;
	*ret_value = (uint64_t)(real + 0.5);
	return 0;
}

static int read_override(struct limits *l, const char *file, const struct override_row *row,
			 const json_t *number, const struct limits_site *site, struct err *e)
{
	uint64_t value;
	char by[256];

	if (!json_is_number(number))
		return fail_usage(e, "%s: %s: use %s, not %s", file, row->key, row->hint,
				  type_names[json_typeof(number)]);
	if (scale(number, row->factor, &value) < 0)
		return fail_usage(e, "%s: %s: negative or too large, use %s", file, row->key, row->hint);
	snprintf(by, sizeof(by), "%.200s: %s", file, row->key);
	if (limit_check(row->limit, value, site->most[row->limit], by, e) < 0)
		return -1;
	l->value[row->limit] = value;
	return 0;
}

static int check_keys(const char *file, json_t *object, struct err *e)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
		if (!override_find(key))
			return fail_usage(e, "%s: unknown key '%.60s' (known: time_limit, memory_limit, "
					  "timeout_override, memory_override)", file, key);
	return 0;
}

static int read_object(struct limits *l, const char *file, json_t *object,
		       const struct limits_site *site, struct err *e)
{
	struct limits changed = *l;

	if (!json_is_object(object))
		return fail_usage(e, "%s: must be a JSON object, as in {\"time_limit\": 1.5}", file);
	if (check_keys(file, object, e) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(override_rows); i++) {
		const json_t *value = json_object_get(object, override_rows[i].key);

		if (value && read_override(&changed, file, &override_rows[i], value, site, e) < 0)
			return -1;
	}
	*l = changed;
	return 0;
}

int limits_problem_read(struct limits *l, const char *file, const char *text, size_t size,
			const struct limits_site *site, struct err *e)
{
	json_error_t why;
	json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);
	int result;

	if (!root)
		return fail_usage(e, "%s:%d: %s", file, why.line, why.text);
	result = read_object(l, file, root, site, e);
	json_decref(root);
	return result;
}
