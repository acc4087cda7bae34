/*
 * The text of the meta file: `key:value` lines, or one JSON object. Pure; runs in the judge, outside
 * the box.
 */
#include "report/meta.h"

#include "base/fd.h"
#include "base/units.h"
#include "report/escape.h"
#include "report/fields.h"
#include "report/json.h"

#include <inttypes.h>
#include <stdio.h>

static void write_value(FILE *to, const struct field *f)
{
	char number[32];
	autofree char *text = NULL;

	switch (f->kind) {
	case FIELD_TEXT:
		text = escape_text(f->text);
		fputs(text, to);
		break;
	case FIELD_SECONDS:
		fputs(seconds_format(f->number, 3, number, sizeof(number)), to);
		break;
	case FIELD_SETUP:
		fputs(seconds_format(f->number, 6, number, sizeof(number)), to);
		break;
	default:
		fprintf(to, "%" PRIu64, f->number);
		break;
	}
}

static void write_line(void *into, const struct field *f)
{
	FILE *to = into;

	fprintf(to, "%s:", f->key);
	write_value(to, f);
	fputc('\n', to);
}

char *meta_lines(const struct result *r)
{
	char *text = NULL;
	size_t length;
	FILE *to = need_memory(open_memstream(&text, &length));

	meta_fields(r, write_line, to);
	if (fclose(to) != 0)
		need_memory(NULL); /* a stream into memory fails in no other way */
	return need_memory(text);
}

static void add_escaped(void *into, const struct field *f)
{
	json_add_field(into, f, escape_text);
}

char *meta_json(const struct result *r)
{
	json_t *object = need_memory(json_object());

	meta_fields(r, add_escaped, object);
	service_fields(r, false, add_escaped, object);
	return json_line(object, JSON_PRESERVE_ORDER);
}
