/* Finds the public type of a Java source. Pure; JLS 7.6. */
#include "lang/java_name.h"

#include <stdbool.h>
#include <string.h>

struct cursor {
	const char *at, *end;
};

static bool starts(const struct cursor *c, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(c->end - c->at) >= length && !memcmp(c->at, text, length);
}

static void skip_past(struct cursor *c, const char *mark)
{
	while (c->at < c->end && !starts(c, mark))
		c->at += *c->at == '\\' && *mark != '*' && *mark != '\n' && c->at + 1 < c->end ? 2 : 1;
	c->at += starts(c, mark) ? strlen(mark) : 0;
	if (c->at > c->end)
		c->at = c->end;
}

static bool is_letter(char c)
{
	return c == '_' || c == '$' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

/* Comments and literals. Whether something was passed over. */
static bool skip_other(struct cursor *c)
{
	static const struct {
		const char *begin, *end;
	} rows[] = {
		{ "//", "\n" }, { "/*", "*/" }, { "\"\"\"", "\"\"\"" }, { "\"", "\"" }, { "'", "'" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (starts(c, rows[i].begin)) {
			c->at += strlen(rows[i].begin);
			skip_past(c, rows[i].end);
			return true;
		}
	return false;
}

static size_t word(struct cursor *c, const char **ret)
{
	*ret = c->at;
	while (c->at < c->end && is_letter(*c->at))
		c->at++;
	return (size_t)(c->at - *ret);
}

static bool is(const char *text, size_t length, const char *want)
{
	return strlen(want) == length && !memcmp(text, want, length);
}

int java_public_name(const char *text, size_t size, char *ret_name, size_t room)
{
	struct cursor c = { text, text + size };
	bool is_public = false, is_type = false;
	int depth = 0;

	if (starts(&c, "\xef\xbb\xbf"))
		c.at += 3;	/* a byte order mark */
	while (c.at < c.end) {
		const char *at;
		size_t length;

		if (skip_other(&c))
			continue;
		if (!is_letter(*c.at)) {
			depth += *c.at == '{' ? 1 : *c.at == '}' ? -1 : 0;
			is_public = is_public && !strchr(";{}", *c.at);
			c.at++;
			continue;
		}
		length = word(&c, &at);
		if (depth)
			continue;
		if (is_public && is_type && length < room) {
			memcpy(ret_name, at, length);
			ret_name[length] = 0;
			return 0;
		}
		is_type = is(at, length, "class") || is(at, length, "interface") || is(at, length, "enum") ||
			  is(at, length, "record");
		is_public = is_public || is(at, length, "public");
	}
	return -1;
}
