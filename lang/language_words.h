/* The lines of a .lang file as words. Pure. */
#ifndef LANG_LANGUAGE_WORDS_H
#define LANG_LANGUAGE_WORDS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

#define LANG_WORDS_MOST 96	/* of one line */

/* Splits one line at blanks; "…" keeps what is in it, `#` before a word begins a comment. Words are copied into
   the arena. The number of words; or -1 with *ret_why, a text. */
int lang_words(struct arena *a, const char *line, size_t length, const char *ret_words[LANG_WORDS_MOST],
	       const char **ret_why);

/* The placeholder that begins at text[0], "{artifact}", and its length with the braces; 0: none begins there. What
   is in braces and is no name (`{ print }`) is no placeholder. */
size_t lang_placeholder(const char *text);

/* Whether `text`, `length` bytes with the braces, is a placeholder that language.h names. */
bool lang_placeholder_known(const char *text, size_t length);

#endif
