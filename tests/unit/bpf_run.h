/* A classic BPF interpreter over struct seccomp_data, as strict as the kernel's checker. For tests. */
#ifndef TESTS_UNIT_BPF_RUN_H
#define TESTS_UNIT_BPF_RUN_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

/* What a filter answers that the kernel would not load, or that does something seccomp's filters may not:
   no SECCOMP_RET_… value. */
#define BPF_RUN_BROKEN 0x5eccbad0u

/* The filter's answer. *ret_steps (may be NULL) is the count of instructions executed. */
uint32_t bpf_run(const struct sock_filter *code, size_t length, const struct seccomp_data *data,
		 size_t *ret_steps);

#endif
