/* Files that judge carries in itself: lang/NAME.lang, and the guards of lang/guards that are put into boxes. Written by
   base/embed.c (a build tool) into one table. */
#ifndef LANG_EMBEDDED_H
#define LANG_EMBEDDED_H

#include <stddef.h>

struct embedded {
	const char *name;	/* "cpp.lang", "boot.py" */
	const char *data;	/* NUL-terminated behind its size */
	size_t size;
};

/* A row without a name ends them. */
extern const struct embedded embedded_files[];

/* The file of that name, or NULL. */
const struct embedded *embedded_find(const char *name);

#endif
