/*
 * Errors: filled where the cause is known, printed by cli/. Runs in the judge, outside the box.
 *
 * What a message quotes may come from a contestant (a file name, a language's output), so it
 * must not be able to move a terminal's cursor or to begin a line of a log: control characters
 * and bytes that are no UTF-8 leave here escaped, and a cut never falls inside a character.
 */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CUT_MARK "..."

/* Bytes of the UTF-8 character at `s`, or 0 when there is none that may be printed as it is.
   Refused: control characters (C0, DEL, C1), overlong forms, surrogates, beyond U+10FFFF (RFC 3629). */
static size_t printable_length(const unsigned char *s)
{
	size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;

	if (s[0] < 0x80)
		return s[0] >= 0x20 && s[0] != 0x7f;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xc2 && s[1] < 0xa0) || (s[0] == 0xe0 && s[1] < 0xa0) ||
	    (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
	    (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

/* Copies `raw` with escapes into out[size]; what does not fit ends in a cut mark. Returns the length. */
static size_t escape(char *out, size_t size, const char *raw)
{
	const unsigned char *s = (const unsigned char *)raw;
	const size_t room = size - sizeof(CUT_MARK);
	size_t used = 0, cut = 0;

	while (*s) {
		size_t n = printable_length(s);
		char escaped[5];
		size_t length = n ? n : 4;

		snprintf(escaped, sizeof(escaped), "\\x%02x", *s);
		if (used + length >= size) {
			memcpy(out + cut, CUT_MARK, sizeof(CUT_MARK));
			return cut + strlen(CUT_MARK);
		}
		memcpy(out + used, n ? (const char *)s : escaped, length);
		used += length;
		if (used <= room)
			cut = used;
		s += n ? n : 1;
	}
	out[used] = '\0';
	return used;
}

__attribute__((format(printf, 3, 0)))
static void fill(char *out, size_t size, const char *format, va_list args)
{
	/* First into a buffer of our own: an argument may well be the text that is replaced. */
	char raw[1024];

	if (vsnprintf(raw, sizeof(raw), format, args) < 0)
		raw[0] = '\0';
	escape(out, size, raw);
}

int fail(struct err *e, int number, const char *format, ...)
{
	const int saved = errno;
	const char *reason = number ? strerror(number) : "";
	const size_t tail = number ? strlen(": ") + strlen(reason) : 0;
	va_list args;

	if (e) {
		va_start(args, format);
		fill(e->text, sizeof(e->text) - tail, format, args);
		va_end(args);
		if (number) {
			strcat(e->text, ": ");
			strcat(e->text, reason);
		}
		e->kind = ERR_INTERNAL;
		e->number = number;
		e->cure[0] = '\0';
	}
	errno = saved;
	return -1;
}

int fail_usage(struct err *e, const char *format, ...)
{
	const int number = errno;
	va_list args;

	if (e) {
		va_start(args, format);
		fill(e->text, sizeof(e->text), format, args);
		va_end(args);
		e->kind = ERR_USAGE;
		e->number = 0;
		e->cure[0] = '\0';
	}
	errno = number;
	return -1;
}

int fail_cure(struct err *e, const char *format, ...)
{
	const int number = errno;
	va_list args;

	if (e) {
		va_start(args, format);
		fill(e->cure, sizeof(e->cure), format, args);
		va_end(args);
	}
	errno = number;
	return -1;
}
