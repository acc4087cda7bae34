/* Reads back what report/ writes. Part of fuzz_report. */
#include "tests/fuzz/reader.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Unicode 15, table 3-7: what the second byte may be after each first one. */
static int character(const unsigned char *s, uint32_t *ret)
{
	static const struct {
		unsigned char first, last, low, high;
		int length;
	} rows[] = {
		{ 0x01, 0x7f, 0, 0, 1 },	{ 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 },	{ 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 },	{ 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 },	{ 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (*s < rows[i].first || *s > rows[i].last)
			continue;
		*ret = rows[i].length == 1 ? *s : *s & (0x3fU >> (rows[i].length - 1));
		for (int k = 1; k < rows[i].length; k++) {
			if (s[k] < (k == 1 ? rows[i].low : 0x80) || s[k] > (k == 1 ? rows[i].high : 0xbf))
				return 0;
			*ret = *ret << 6 | (s[k] & 0x3f);
		}
		return rows[i].length;
	}
	return 0;
}

static bool moves(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

bool is_utf8(const char *text, bool shown)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t c = 0;

	while (*s) {
		const int n = character(s, &c);

		if (n == 0 || (shown && moves(c)))
			return false;
		s += n;
	}
	return true;
}

bool is_escaped(const char *raw, const char *escaped)
{
	char hex[5];

	for (; *raw; raw++) {
		snprintf(hex, sizeof(hex), "\\x%02x", (unsigned char)*raw);
		if (*raw == '\n' && strncmp(escaped, "\\n", 2) == 0)
			escaped += 2;
		else if (*escaped == *raw)
			escaped++;
		else if (strncmp(escaped, hex, 4) == 0)
			escaped += 4;
		else
			return false;
	}
	return *escaped == '\0';
}

static const char *json_text(const char *s)
{
	if (*s++ != '"')
		return NULL;
	for (; *s != '"'; s++) {
		if ((unsigned char)*s < 0x20)
			return NULL;
		if (*s != '\\')
			continue;
		s++;
		if (*s == 'u' && strspn(s + 1, "0123456789abcdefABCDEF") >= 4)
			s += 4;
		else if (!*s || !strchr("\"\\/bfnrt", *s))
			return NULL;
	}
	return s + 1;
}

static const char *json_digits(const char *s)
{
	const size_t n = s ? strspn(s, "0123456789") : 0;

	return n ? s + n : NULL;
}

static const char *json_number(const char *s)
{
	s += *s == '-';
	s = *s == '0' ? s + 1 : json_digits(s);
	if (s && *s == '.')
		s = json_digits(s + 1);
	if (s && (*s == 'e' || *s == 'E'))
		s = json_digits(s + 1 + (s[1] == '+' || s[1] == '-'));
	return s;
}

/* Blanks are of one line: a newline is for the end. */
static const char *blanks(const char *s)
{
	return s ? s + strspn(s, " ") : NULL;
}

static const char *json_scalar(const char *s)
{
	static const char *const words[] = { "null", "true", "false" };

	for (size_t i = 0; i < 3; i++)
		if (strncmp(s, words[i], strlen(words[i])) == 0)
			return s + strlen(words[i]);
	return *s == '"' ? json_text(s) : json_number(s);
}

bool is_json_line(const char *text)
{
	const char *s = text;

	if (*s != '{' || !is_utf8(text, false))
		return false;
	do {
		s = blanks(json_text(blanks(s + 1)));
		if (!s || *s != ':')
			return false;
		s = blanks(json_scalar(blanks(s + 1)));
	} while (s && *s == ',');
	return s && strcmp(s, "}\n") == 0;
}
