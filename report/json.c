/* Fields to JSON through jansson. Pure; runs in the judge, outside the box. */
#include "report/json.h"

#include "base/fd.h"
#include "base/units.h"
#include "report/escape.h"

#include <stdlib.h>
#include <string.h>

/* Enough for a µs in 30 years; the 17 of jansson's default would print 2.001 as 2.0009999999999999. */
#define DIGITS 15

static json_t *field_value(const struct field *f, char *(*escape)(const char *text))
{
	autofree char *text = NULL;

	switch (f->kind) {
	case FIELD_ABSENT:
		return json_null();
	case FIELD_TEXT:
		text = escape(f->text);
		return json_string(text);
	case FIELD_NUMBER:
		return json_integer((json_int_t)f->number);
	case FIELD_BOOL:
		return json_boolean(f->number);
	case FIELD_SECONDS:	/* cut as in the lines */
		return json_real((double)(f->number / 1000) / 1e3);
	case FIELD_SETUP:
		return json_real((double)f->number / 1e6);
	case FIELD_MS:
		return json_real((double)f->number / 1e3);
	case FIELD_MIB:		/* three decimals: about a KiB */
		return json_real((double)(f->number / KIB * 1000 / KIB) / 1e3);
	}
	return NULL;
}

void json_add_field(json_t *object, const struct field *f, char *(*escape)(const char *text))
{
	if (json_object_set_new(object, f->key, field_value(f, escape)) < 0)
		need_memory(NULL);
}

char *json_line(json_t *object, size_t flags)
{
	char *text = need_memory(json_dumps(object, flags | JSON_REAL_PRECISION(DIGITS)));
	const size_t length = strlen(text);

	json_decref(object);
	text = need_memory(realloc(text, length + 2));
	memcpy(text + length, "\n", 2);
	return text;
}
