/* The names that a policy's text may use for numbers. Pure. */
#ifndef SECCOMP_CONSTANTS_H
#define SECCOMP_CONSTANTS_H

#include <stdint.h>

/* The value of a constant that has the same value on every architecture: "AF_UNIX". 0, or -1. */
int constant_find(const char *name, uint64_t *ret_value);

/* The name of a value, among constants whose names begin with one of the prefixes: "TC TIOC"; or NULL. */
const char *constant_name(const char *prefixes, uint64_t value);

/* The errno of that name: "EPERM". 0, or -1. */
int errno_find(const char *name, int *ret_number);

/* The other way round, or NULL. */
const char *errno_name(int number);

#endif
