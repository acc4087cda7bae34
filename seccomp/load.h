/*
 * Policies at run time: the text of the shipped ones, which judge carries in itself, and a user's own from a
 * file (--policy FILE), which may name the groups and policies of the shipped ones.
 */
#ifndef SECCOMP_LOAD_H
#define SECCOMP_LOAD_H

#include "seccomp/filter.h"
#include "seccomp/names.h"

struct policy_text {
	const char *file;		/* "native.policy"; a user's: as it was given */
	const char *text;
};

/* The shipped ones; a row without a file ends them. Written by seccomp/generate.c. */
extern const struct policy_text policy_texts[];

/* Everything that has been read, checked. */
struct policy_library {
	struct policy_set set;		/* its arena holds all else */
	struct policy_text own;		/* the user's file; .file NULL: none */
	const struct policy *policy;	/* the last of the user's file: the one that is meant */
	char *warnings;			/* a line for each name that no architecture knows; or NULL */
};

struct filter_loaded {
	struct policy_library library;
	struct filter filter;		/* .code lives as long as this */
};

/* Reads the shipped policies, and those of a file (NULL: of none). 0, or -1 with an error: one that begins
   "FILE:LINE: " for what is wrong in the file. policy_library_free frees it in either case. */
int policy_library_read(struct policy_library *ret, const char *path, struct err *e);
void policy_library_free(struct policy_library *library);

/* The text of the file of that name, or NULL. */
const char *policy_library_text(const struct policy_library *library, const char *file);

/* Compiles one of its policies; the code lives in the library's arena, the names left out are added to
   its warnings. */
int policy_library_compile(struct policy_library *library, const struct policy *policy, enum filter_arch arch,
			   struct filter *ret, struct err *e);

/* A user's own policy, for this architecture. Not called inside the box. Frees nothing on failure:
   filter_loaded_free does, in either case. */
int filter_load(const char *path, struct filter_loaded *ret, struct err *e) __attribute__((nonnull(1, 2)));
void filter_loaded_free(struct filter_loaded *filter);

#endif
