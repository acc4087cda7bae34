/* Between the files of sandbox/program*.c. */
#ifndef SANDBOX_PROGRAM_PARTS_H
#define SANDBOX_PROGRAM_PARTS_H

#include "sandbox/program.h"

/* The words of a compile or run line with their placeholders filled, NULL-terminated, with room for `more` behind.
   `limits`: for {memory_mb} and {stack_kb}. */
char **program_words(struct program *p, const struct lang_line *line, const struct limits *limits, size_t more,
		     size_t *ret_count, struct err *e);

/* The n-th line of a key that counts at the program's level and has `word` first (NULL: any), or NULL. */
const struct lang_line *program_line(const struct program *p, enum lang_key key, const char *word, size_t n);

/* The key of the cache: everything that decides what the steps leave. 0 or -1. */
int program_key(struct program *p, struct err *e);
/* Looks the key up; fills p->entry and says whether it is there. */
bool program_cached(struct program *p);
/* Whether the cache's folder can be made and is the caller's alone. 0 or -1 (usage). */
int program_check_cache(struct program *p, struct err *e);
/* An entry that is not whole: away with it. */
void program_forget(struct program *p);
/* Makes p->work, in the cache's folder or in $TMPDIR. 0 or -1. */
int program_work(struct program *p, struct err *e);
/* Moves work/entry into the cache, where another judge may have been first; keeps the cache within its bounds. */
void program_store(struct program *p);

/* Runs the scans of a stage over a file or over all files below a folder. May make p->state PROGRAM_REFUSED. */
int program_scan(struct program *p, const char *stage, const char *path, const char *name, struct err *e);

/* Fills p->guards: the scans of the level, and what is given to the run. */
void program_note_guards(struct program *p);

/* Appends one file, or all files below the folder `path`, as /box/NAME…. */
int program_add_files(struct program *p, const char *path, const char *name, struct err *e);

/* The class with a main method among the class files that go into /box, or NULL. */
const char *program_java_main(struct program *p);

#endif
