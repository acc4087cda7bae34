/*
 * Runs inside the box: what takes rights away, in init and in the process that becomes the program. Raw system
 * calls on data prepared outside: no malloc, no stdio, no message text.
 */
#include "sandbox/inside.h"

#include "base/sys.h"
#include "sandbox/inside_step.h"
#include "sandbox/weaken.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/*
 * Must: be the last step that needs a capability; empty all five sets and lock them so.
 * Must not: leave init attachable: ptrace, /proc/1/mem and pidfd_getfd ask for dumpable.
 */
void inside_drop(const struct inside *x)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2];

	must(x, STEP_NOT_DUMPABLE, 0, WEAK("dumpable") ? 0 : prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
	must(x, STEP_BOUNDING_SET, 0, prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0));
	for (unsigned long cap = WEAK("caps") ? 64 : 0; cap < 64; cap++)
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0) {
			if (errno == EINVAL && prctl(PR_CAPBSET_READ, cap, 0, 0, 0) < 0)
				break;	/* past the last capability of this kernel */
			inside_fail(x, STEP_BOUNDING_SET, (unsigned)cap);
		}
	must(x, STEP_SECUREBITS, 0, WEAK("caps") ? 0 :
	     prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
		   SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
		   SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED, 0, 0, 0));
	memset(none, WEAK("caps") ? 0xff : 0, sizeof(none));
	must(x, STEP_CAPABILITIES, 0, (int)syscall(SYS_capset, &header, none));
	for (unsigned long cap = 0; WEAK("caps") && cap < 64; cap++)
		(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0); /* kept over execve */
	must(x, STEP_NO_NEW_PRIVS, 0, WEAK("nnp") ? 0 : prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
}

/* Beginning with the CPU this runs on now: the scheduler put it where there was room, and no move is needed. */
static void bind_to_cpus(const struct inside *x)
{
	const struct plan *p = x->plan;
	unsigned cpu = 0, left = p->pin;
	cpu_set_t set;

	CPU_ZERO(&set);
	must(x, STEP_AFFINITY, 0, (int)syscall(SYS_getcpu, &cpu, NULL, NULL));
	for (unsigned i = 0; i < CPU_SETSIZE && left; i++) {
		unsigned at = (cpu + i) % CPU_SETSIZE;

		if (!CPU_ISSET(at, &p->may_use))
			continue;
		CPU_SET(at, &set);
		left--;
	}
	must(x, STEP_AFFINITY, 0, sched_setaffinity(0, sizeof(set), &set));
}

void inside_set_limits(const struct inside *x)
{
	const struct plan *p = x->plan;

	if (p->pin)
		bind_to_cpus(x);
	for (unsigned i = 0; i < p->rlimit_count; i++)
		must(x, STEP_RLIMIT, i, setrlimit(p->rlimits[i].resource, &p->rlimits[i].limit));
}

/* Must: be after no_new_privs, and when everything the program needs is open. */
void inside_restrict_paths(const struct inside *x)
{
	const struct landlock *l = &x->plan->landlock;
	int ruleset;

	if (!l->abi || WEAK("landlock"))
		return;
	ruleset = (int)sys_landlock_create_ruleset(&l->ruleset, sizeof(l->ruleset));
	must(x, STEP_LANDLOCK, 0, ruleset);
	for (unsigned i = 0; i < l->count; i++) {
		struct sys_landlock_path path = { .allowed = l->rules[i].allowed };

		path.folder = open(l->rules[i].path, O_PATH | O_CLOEXEC);
		if (path.folder < 0 && errno == ENOENT && !(path.allowed & LANDLOCK_WRITE))
			continue; /* a program that is not there: execve tells */
		must(x, STEP_LANDLOCK, i, path.folder);
		must(x, STEP_LANDLOCK, i, (int)sys_landlock_add_path(ruleset, &path));
		close(path.folder);
	}
	/* The input file lies on a mount of its own, beneath none of these: /dev/stdin opens it again. */
	if (x->plan->in.kind == STDIN_FILE) {
		struct sys_landlock_path in = { .allowed = l->input, .folder = STDIN_FILENO };

		must(x, STEP_LANDLOCK, l->count, (int)sys_landlock_add_path(ruleset, &in));
	}
	must(x, STEP_LANDLOCK, 0, (int)sys_landlock_restrict_self(ruleset));
	close(ruleset);
}

/* Must: be the last step before execve, since it forbids what the others need; what comes after it is allowed
   in every policy: write and execve. A kernel before 5.0, or a box in a box, has no listener to give: then
   the filter kills by itself, and nobody can say for which call. */
void inside_load_filter(const struct inside *x)
{
	const struct plan *p = x->plan;
	struct sock_fprog program;
	long listener;

	if (!p->filter || WEAK("seccomp"))
		return;
	program.len = p->notifying_length;
	program.filter = (struct sock_filter *)p->notifying;
	listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
	*x->fds->listener = (int)listener;
	if (listener >= 0)
		return;
	must(x, STEP_FILTER, 0, p->request->learn ? -1 : 0);
	program.len = p->filter->length;
	program.filter = (struct sock_filter *)p->filter->code;
	must(x, STEP_FILTER, 0, (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}
