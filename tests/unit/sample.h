/* What the tests of report/ share: a result to write, a folder to write to, a child to change in. */
#ifndef TESTS_UNIT_SAMPLE_H
#define TESTS_UNIT_SAMPLE_H

#include "report/result.h"

/* A run that went well under a v2 cgroup, with the built-in limits. */
struct result sample_result(void);

/* A new empty folder, which becomes the current one. Returns its path, for folder_remove. */
char *folder_make(void);
/* Leaves it, removes it with what is in it (one level), and frees the path. */
void folder_remove(char *path);
/* How many names the current folder holds. */
int folder_count(void);

/* The whole file, malloc'ed; "(none)" where there is none. */
char *file_text(const char *path);
/* Makes a file of that text and mode. */
void file_make(const char *path, const char *text, unsigned mode);

/* Runs `body` in a child process and returns what it returned: 0 is success, -1 stands for a child that a
   signal ended. Inside, CHECK says on stderr what did not hold and returns 1. */
int in_child(int (*body)(void));
#define CHECK(condition)                                                                   \
	do {                                                                               \
		if (!(condition)) {                                                        \
			dprintf(2, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
			return 1;                                                          \
		}                                                                          \
	} while (0)

/* A small tmpfs over the current folder's "disk", in a mount namespace of the calling process' own. 0, or -1
   where that is not possible. */
int small_disk_mount(void);

#endif
