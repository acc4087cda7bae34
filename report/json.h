/* Fields as JSON: what the result object and the audit line share. */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "report/fields.h"

#include <jansson.h>

/* Adds a field to the object: numbers as numbers, FIELD_ABSENT as null. A text goes through `escape`
   (escape_text or escape_bytes). */
void json_add_field(json_t *object, const struct field *f, char *(*escape)(const char *text));

/* The object on one line with its newline, malloc'ed. Frees the object. */
char *json_line(json_t *object, size_t flags);

#endif
