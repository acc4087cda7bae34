/* Memory that lives as long as one plan and is freed at once. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_block;
struct arena {
	struct arena_block *last;	/* {0} is an empty arena */
};

/* Zeroed memory aligned for any type. Never NULL: out of memory ends the process with a sentence. */
void *arena_alloc(struct arena *a, size_t size) __attribute__((malloc, returns_nonnull));

/* Copies of a text, of `n` bytes as a text, of formatted text. */
char *arena_strdup(struct arena *a, const char *text);
char *arena_strndup(struct arena *a, const char *text, size_t n);
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Frees all of it; the arena is empty again. */
void arena_free(struct arena *a);

/* Room for one more element of a growing array (*items of `*capacity`, `count` in use): doubles it
   inside the arena when full. Returns the address of element `count`. */
void *arena_grow(struct arena *a, void **items, size_t *capacity, size_t count, size_t item_size);

#endif
