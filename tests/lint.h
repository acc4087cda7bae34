/*
 * What the analyzers of `make lint` cannot see, as they read one file at a time: fail() returns -1, so
 * that after it no caller goes on with an output that was not written. Included before each file but
 * base/err.c, which defines them.
 */
#include "base/err.h"

#define fail(...) ({ (void)fail(__VA_ARGS__); -1; })
#define fail_usage(...) ({ (void)fail_usage(__VA_ARGS__); -1; })
#define fail_cure(...) ({ (void)fail_cure(__VA_ARGS__); -1; })
