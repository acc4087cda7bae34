/*
 * Second readers of what report/ writes, which share no code with it: one for UTF-8 that may be shown, one that finds
 * a raw text again in its escaped form, one for strict JSON (RFC 8259).
 */
#ifndef TESTS_FUZZ_READER_H
#define TESTS_FUZZ_READER_H

#include <stdbool.h>
#include <stddef.h>

/* Well-formed UTF-8; with `shown`, without control characters, separators of lines and marks of direction. */
bool is_utf8(const char *text, bool shown);

/* `escaped` is `raw` with some of its bytes written as \n or \xNN, and nothing more or less. */
bool is_escaped(const char *raw, const char *escaped);

/* One JSON object, then a newline, then nothing. */
bool is_json_line(const char *text);

#endif
