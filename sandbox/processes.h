/*
 * The processes of one box seen from outside: which there are, what CPU time they used, what memory they
 * hold. For hosts without a cgroup, and to sharpen a cgroup's CPU figure, which lags a running process by up
 * to a tick. Runs in the judge; asks only /proc and clocks.
 */
#ifndef SANDBOX_PROCESSES_H
#define SANDBOX_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process {
	pid_t pid;		/* as the host numbers it */
	uint64_t cpu_us;	/* when last seen */
	bool seen;		/* in the last look */
};

struct processes {
	pid_t init;
	struct process *list;	/* without init; NULL until first needed */
	size_t count, most;
	uint64_t gone_us;	/* CPU time of those that are no more, as last seen */
	size_t peak;		/* most alive at once, as far as was seen */
};

/* `most`: the box's limit of processes; some that are going are looked at too. */
void processes_init(struct processes *p, pid_t init, size_t most);
void processes_free(struct processes *p);

/* Looks again: who is there, and each one's CPU clock. 0, or -1 without memory. */
int processes_look(struct processes *p);

/*
 * A lower bound of the CPU time of all processes the box ever had, exact for those alive: the larger of
 * two accounts, since a process whose parent ignores SIGCHLD is missing in the kernel's, and one that lived
 * between two looks is missing in ours. Microseconds. To be called after processes_look.
 */
uint64_t processes_cpu(const struct processes *p);

/* Bytes in use now: of one process its resident set, of several their shares (Pss), so that pages shared
   after a fork count once; and their page tables. `distinct`: processes that have one memory together count once
   too, which takes longer to find out. To be called after processes_look. */
uint64_t processes_memory(const struct processes *p, bool distinct);

/* CPU time of one process, microseconds; 0 when it is gone. */
uint64_t process_cpu(pid_t pid);

/* The child of init that is the program, right after it started, or -1. */
pid_t processes_first_child(pid_t init);

#endif
