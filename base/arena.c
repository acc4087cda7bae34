/*
 * Memory that lives as long as one plan. Runs in the judge, outside the box, before the clone.
 *
 * Blocks in a chain, each filled from its start; a piece larger than a block gets one of its own.
 * Running out of memory here means that the host is out of memory, and no caller could do better
 * than to stop: so no caller has to look.
 */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_SIZE ((size_t)16 * 1024)
#define ALIGNMENT _Alignof(max_align_t)
#define EXIT_INTERNAL 3 /* as for every fault of the judge's own */

struct arena_block {
	struct arena_block *before;
	size_t used, size;
	_Alignas(max_align_t) char data[];
};

static _Noreturn void out_of_memory(size_t size)
{
	dprintf(STDERR_FILENO, "judge: out of memory (asked for %zu bytes)\n", size);
	exit(EXIT_INTERNAL);
}

static struct arena_block *block_make(struct arena *a, size_t size)
{
	struct arena_block *b = calloc(1, sizeof(*b) + size);

	if (!b)
		out_of_memory(size);
	b->size = size;
	b->before = a->last;
	a->last = b;
	return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_block *b = a->last;
	char *piece;

	if (size > PTRDIFF_MAX - BLOCK_SIZE)
		out_of_memory(size);
	size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (size == 0)
		size = ALIGNMENT; /* two pieces never share an address */
	if (!b || b->size - b->used < size)
		b = block_make(a, size > BLOCK_SIZE ? size : BLOCK_SIZE);
	piece = b->data + b->used;
	b->used += size;
	return piece;
}

char *arena_strndup(struct arena *a, const char *text, size_t n)
{
	char *copy;

	if (n == SIZE_MAX)
		out_of_memory(n);
	copy = arena_alloc(a, n + 1);
	memcpy(copy, text, n);
	return copy;
}

char *arena_strdup(struct arena *a, const char *text)
{
	return arena_strndup(a, text, strlen(text));
}

char *arena_printf(struct arena *a, const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n < 0)
		out_of_memory(SIZE_MAX); /* longer than INT_MAX: glibc has no other reason here */
	text = arena_alloc(a, (size_t)n + 1);
	va_start(args, format);
	vsnprintf(text, (size_t)n + 1, format, args);
	va_end(args);
	return text;
}

void arena_free(struct arena *a)
{
	while (a->last) {
		struct arena_block *before = a->last->before;

		free(a->last);
		a->last = before;
	}
}

void *arena_grow(struct arena *a, void **items, size_t *capacity, size_t count, size_t item_size)
{
	size_t larger, bytes;
	void *moved;

	if (count == *capacity) {
		larger = count ? count * 2 : 8;
		if (__builtin_mul_overflow(larger, item_size, &bytes))
			out_of_memory(SIZE_MAX);
		moved = arena_alloc(a, bytes);
		if (count)
			memcpy(moved, *items, count * item_size);
		*items = moved;
		*capacity = larger;
	}
	return (char *)*items + count * item_size;
}
