/*
 * What the fuzz targets share: reading values out of an input, and stating what must hold of them. A target reads
 * its input to the end and then gets zeros, so that each input, however short, means something.
 */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What libFuzzer and replay.c call. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken promise ends the target, which is what a fuzzer looks for. */
#define HOLDS(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			dprintf(2, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);  \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

struct input {
	const uint8_t *at;
	size_t left;
};

static inline uint8_t input_byte(struct input *in)
{
	if (in->left == 0)
		return 0;
	in->left--;
	return *in->at++;
}

/* A number of any size: its bytes' count comes first, so that small ones are short. */
static inline uint64_t input_number(struct input *in)
{
	uint64_t value = 0;

	for (int bytes = input_byte(in) % 9; bytes > 0; bytes--)
		value = value << 8 | input_byte(in);
	return value;
}

/* The next `n` bytes, or what there is, as a text of their own: malloc'ed, exactly as long as it must be so that
   a read behind its end is found. */
static inline char *input_text(struct input *in, size_t n)
{
	char *text;

	n = n < in->left ? n : in->left;
	text = malloc(n + 1);
	HOLDS(text);
	memcpy(text, in->at, n);
	text[n] = '\0';
	in->at += n;
	in->left -= n;
	return text;
}

static inline char *input_rest(struct input *in)
{
	return input_text(in, in->left);
}

#endif
