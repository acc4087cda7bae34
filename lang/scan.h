/*
 * Checks of what a contestant handed in, by judge's own reading of it: policy, not the boundary, which the kernel
 * is. Pure and total: any bytes in, a finding out; no allocation that grows with nesting, linear time.
 */
#ifndef LANG_SCAN_H
#define LANG_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct scan_finding {
	int line;		/* from 1; 0: none to name */
	char rule[160];		/* "inline assembly (asm)": printable ASCII, what is refused and what names it */
};

/* A scan: true when something is refused. `name` is the file's name, for languages that care. */
typedef bool scan_function(const char *name, const char *text, size_t size, struct scan_finding *ret);

enum scan_stage { SCAN_SOURCE, SCAN_ASSEMBLY, SCAN_CLASSES };

struct scan_row {
	enum scan_stage stage;
	const char *name;	/* as a .lang file's `scan STAGE NAME` has it */
	scan_function *scan;
	const char *guard;	/* what the receipt says: "token-scan" */
};

/* The row of that stage and name, or NULL. */
const struct scan_row *scan_find(enum scan_stage stage, const char *name);

/* One per file: scan_c.c, scan_asm.c, scan_rust.c, scan_go.c, scan_java.c. */
scan_function scan_c_tokens, scan_c_assembly, scan_rust_tokens, scan_go_imports, scan_java_classes;

#endif
