/*
 * What the root of a box is made of: a list of operations, complete before the clone, that init
 * executes in order on an empty tmpfs.
 */
#ifndef BOX_ROOT_LAYOUT_H
#define BOX_ROOT_LAYOUT_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum root_op_kind {
	ROOT_DIR,	/* a folder with `mode` */
	ROOT_TEXT,	/* a file with `mode` holding `source` */
	ROOT_LINK,	/* a symbolic link to `source` */
	ROOT_COPY,	/* a file with `mode` holding what can be read from `fd` at offset 0 */
	ROOT_NODE,	/* an empty file: what a file is bound on */
	ROOT_BIND,	/* the host's `source` here, with `attr`, submounts included */
	ROOT_REMOUNT,	/* sets `attr` on the mount at `path`, where mount_setattr(2) is missing */
	ROOT_WRITABLE,	/* the folder stays writable when the root is sealed */
	ROOT_PROC,	/* a new proc, only processes in it */
};

struct root_op {
	enum root_op_kind kind;
	mode_t mode;
	const char *path;	/* inside, without the leading slash */
	const char *source;	/* canonical host path with its leading slash, text, or link target */
	uint64_t attr;		/* MOUNT_ATTR_… */
	int fd;			/* of ROOT_COPY, owned by who made the list; -1 */
	uint64_t size;		/* of ROOT_COPY and ROOT_TEXT: bytes it takes of the tmpfs */
};

struct root_list {
	struct arena *arena;	/* owns the operations and their texts */
	struct root_op *ops;
	size_t count, capacity;
};

/* Appends one operation. Texts are not copied. */
struct root_op *root_add(struct root_list *l, enum root_op_kind kind, mode_t mode, const char *path,
			 const char *source);

/* Appends ROOT_DIR for each missing parent of `path` (all but its last part). */
void root_add_parents(struct root_list *l, const char *path);

/* Whether an operation makes `path` already. */
bool root_has(const struct root_list *l, const char *path);

/* The layout "host": the machine's own /usr and the merged links read-only, a generated /etc, five device
   nodes, /dev/fd and /dev/std*, /dev/shm, /proc, /tmp, /box and /workspace. Without `endless`, for compilers, /dev/null
   is the only device and /etc names no users: what a source may include is endless or tells nothing. 0, or -1 with `e`. */
int root_layout_host(struct root_list *l, bool endless, struct err *e);

/* A bind of the host's `source` (made canonical) on `path`, its mount point made too. `writable` false:
   read-only. 0, or -1: ENOENT and others, with `e`. */
int root_bind(struct root_list *l, const char *path, const char *source, uint64_t attr, struct err *e);

/* Adds a ROOT_REMOUNT for every ROOT_BIND and every mount of the host below its source: for kernels
   before 5.12, which have no mount_setattr(2). `mountinfo` is the text of /proc/self/mountinfo. */
void root_add_remounts(struct root_list *l, const char *mountinfo);

/* Bytes and inodes of the tmpfs that the operations themselves take: the box's limits come on top. */
void root_cost(const struct root_list *l, uint64_t *ret_bytes, uint64_t *ret_inodes);

#endif
