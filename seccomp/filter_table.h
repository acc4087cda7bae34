/*
 * What seccomp/generate.c writes: the filters of each architecture. filter.c takes those of its own; the
 * linker leaves the others out, but the tests look at them all.
 */
#ifndef SECCOMP_FILTER_TABLE_H
#define SECCOMP_FILTER_TABLE_H

#include "seccomp/filter.h"

/* A row for each policy; a row without a name ends them. */
extern const struct filter filters_x86_64[];
extern const struct filter filters_aarch64[];

#endif
