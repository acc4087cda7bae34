/*
 * From a policy to the BPF of a seccomp filter. Pure; needs no libseccomp: whoever calls it says which
 * number a call has. The build tool asks libseccomp, the judge the table that it wrote.
 *
 * Why not libseccomp's own rules: they have no order, so an exception (personality(0) but nothing
 * else, in a policy that allows by default) cannot be written; they take one comparison for each
 * argument; they know no ceiling on numbers; and what comes out depends on the library's version.
 */
#ifndef SECCOMP_COMPILE_H
#define SECCOMP_COMPILE_H

#include "seccomp/policy.h"

#include <linux/filter.h>

enum filter_arch { FILTER_X86_64, FILTER_AARCH64, FILTER_ARCHS };

struct filter_arch_row {
	const char *name;		/* "x86_64", as the compiler's macro has it */
	uint32_t audit;			/* AUDIT_ARCH_… in struct seccomp_data */
	bool x32;			/* numbers with bit 30 set belong to a second ABI */
};

extern const struct filter_arch_row filter_archs[FILTER_ARCHS];

#define CALL_ELSEWHERE (-1)	/* a call of other architectures only: its rules are left out */
#define CALL_UNKNOWN (-2)	/* a name nobody knows: left out, with a warning */

/* The number of a call on that architecture, or one of the two above. */
typedef int call_number_fn(const struct policy_set *set, const char *name, enum filter_arch arch);

/* Told of each row left out as CALL_UNKNOWN. */
typedef void policy_warn_fn(const struct policy_row *row, void *context);

struct policy_names {
	call_number_fn *number;
	policy_warn_fn *warn;
	void *context;			/* for `warn` */
};

/* Compiles a policy of a checked set. *ret_code lives in `arena`. 0, or -1: a call's number lies above the
   policy's `above`, or the filter is longer than the kernel takes (BPF_MAXINSNS). */
int policy_compile(const struct policy_set *set, const struct policy *policy, enum filter_arch arch,
		   const struct policy_names *names, struct arena *arena, struct sock_filter **ret_code,
		   unsigned short *ret_length, struct err *e);

#endif
