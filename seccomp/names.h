/*
 * Names and numbers of system calls, as they were known where judge was built: seccomp/generate.c asks
 * libseccomp and writes the table, so that judge itself needs no libseccomp.
 */
#ifndef SECCOMP_NAMES_H
#define SECCOMP_NAMES_H

#include "seccomp/compile.h"

#if defined(__x86_64__) && defined(__LP64__)
#define FILTER_NATIVE FILTER_X86_64
#elif defined(__aarch64__) && defined(__LP64__)
#define FILTER_NATIVE FILTER_AARCH64
#else
#error "no system call filters for this architecture"
#endif

struct call_row {
	const char *name;
	int16_t number[FILTER_ARCHS];	/* CALL_ELSEWHERE where the architecture has no such call */
};

/* Sorted by name. Written by seccomp/generate.c. */
extern const struct call_row call_rows[];
extern const size_t call_row_count;

/* The row of that name, or NULL. */
const struct call_row *call_find(const char *name);

/* The name of a number, or NULL: for the result of a program that was refused it. */
const char *call_name(int number, enum filter_arch arch);

/* For policy_compile: what the table knows, else what the set's text states. */
int call_number(const struct policy_set *set, const char *name, enum filter_arch arch);

#endif
