/*
 * Fuzzes the scans of sources and assembly: any bytes are read to their end, and what is refused is named in printable
 * words, with a line that the text has. The first byte says which scan, and what the file is called.
 */
#include "tests/fuzz/input.h"

#include "base/array.h"
#include "lang/scan.h"

#include <limits.h>

static int lines(const char *text, size_t size)
{
	int count = 1;

	for (size_t i = 0; i < size; i++)
		count += text[i] == '\n';
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static scan_function *const scans[] = { scan_c_tokens, scan_c_tokens, scan_c_assembly, scan_rust_tokens,
						scan_go_imports };
	static const char *const names[] = { "main.c", "main.cpp", "main.s", "main.rs", "main.go" };
	struct input in = { data, size };
	const size_t which = input_byte(&in) % ARRAY_SIZE(scans), length = in.left;
	struct scan_finding finding = { .line = INT_MAX };
	char *text = malloc(length ? length : 1);	/* no NUL behind it: a read of one more byte is found */

	HOLDS(text);
	memcpy(text, in.at, length);
	if (scans[which](names[which], text, length, &finding)) {
		HOLDS(finding.line >= 0 && finding.line <= lines(text, length));
		HOLDS(memchr(finding.rule, '\0', sizeof(finding.rule)) && finding.rule[0] != '\0');
		for (const char *c = finding.rule; *c; c++)
			HOLDS(*c >= ' ' && *c <= '~');
	}
	free(text);
	return 0;
}
