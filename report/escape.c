/* Escapes for what is written for readers. Pure; runs in the judge, outside the box. */
#include "report/escape.h"

#include "base/array.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_INTERNAL 3

/* Well-formed UTF-8 that must not be shown as it is, inclusive. */
static const struct {
	uint32_t first, last;
} hidden[] = {
	{ 0x00, 0x1f }, { 0x7f, 0x9f },		/* C0, DEL, C1 */
	{ 0x061c, 0x061c },			/* Arabic letter mark */
	{ 0x200e, 0x200f },			/* left-to-right, right-to-left mark */
	{ 0x2028, 0x202e },			/* line, paragraph separator; embeddings and overrides */
	{ 0x2066, 0x2069 },			/* isolates */
};

void *need_memory(void *p)
{
	if (p)
		return p;
	dprintf(STDERR_FILENO, "judge: out of memory while writing the report\n");
	exit(EXIT_INTERNAL);
}

/* The character at `s` and its length in bytes; 0 for what is no UTF-8 (RFC 3629: overlong forms,
   surrogates and what lies beyond U+10FFFF are none). */
static size_t utf8_decode(const unsigned char *s, uint32_t *ret_character)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	uint32_t c = n == 1 ? s[0] : s[0] & (0x7fU >> n);

	if (n == 0 || s[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*ret_character = c;
	return n;
}

static bool is_hidden(uint32_t c)
{
	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++)
		if (c >= hidden[i].first && c <= hidden[i].last)
			return true;
	return false;
}

/* Writes `n` bytes escaped and returns the place behind them. */
static char *put_escaped(char *to, const unsigned char *s, size_t n)
{
	if (n == 1 && s[0] == '\n')
		return stpcpy(to, "\\n");
	for (size_t i = 0; i < n; i++)
		to += sprintf(to, "\\x%02x", s[i]);
	return to;
}

static char *escape(const char *text, bool hide)
{
	const unsigned char *s = (const unsigned char *)text;
	char *copy = need_memory(malloc(strlen(text) * strlen("\\xNN") + 1));
	char *to = copy;
	uint32_t c = 0;

	while (*s) {
		const size_t n = utf8_decode(s, &c);

		if (n && !(hide && is_hidden(c)))
			to = mempcpy(to, s, n);
		else
			to = put_escaped(to, s, n ? n : 1);
		s += n ? n : 1;
	}
	*to = '\0';
	return copy;
}

char *escape_text(const char *text)
{
	return escape(text, true);
}

char *escape_bytes(const char *text)
{
	return escape(text, false);
}
