/* Probes of the kernel and the session. Runs in the judge; leaves nothing behind. */
#include "sandbox/host.h"

#include "base/array.h"
#include "base/fd.h"
#include "base/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static bool kernel_is_at_least(unsigned major, unsigned minor)
{
	struct utsname name;
	unsigned is_major, is_minor;

	if (uname(&name) < 0 || sscanf(name.release, "%u.%u", &is_major, &is_minor) != 2)
		return false;
	return is_major > major || (is_major == major && is_minor >= minor);
}

void host_probe(struct host *ret)
{
	struct sys_mount_attr nothing = { .attr_set = MOUNT_ATTR_RDONLY };
	cpu_set_t mine;
	long abi;

	/* An invalid descriptor: EBADF where the call exists, ENOSYS where not. Without an attribute the call
	   succeeds and says nothing. */
	ret->mount_setattr = sys_mount_setattr(-1, "x", 0, &nothing, sizeof(nothing)) < 0 &&
			     errno != ENOSYS;
	ret->time_namespace = access("/proc/self/ns/time", F_OK) == 0;
	ret->exec_enters_time_namespace = kernel_is_at_least(6, 3);
	abi = sys_landlock_abi();
	ret->landlock_abi = abi > 0 ? (int)abi : 0;
	ret->cpus = sched_getaffinity(0, sizeof(mine), &mine) < 0 ? 1 : (unsigned)CPU_COUNT(&mine);
}

static long read_number(const char *path)
{
	char text[32];

	return read_text_at(AT_FDCWD, path, text, sizeof(text)) <= 0 ? -1 : strtol(text, NULL, 10);
}

/* Switches that forbid user namespaces, in the order in which they are likely. */
static const struct {
	const char *path;
	long forbids;
	const char *cure;
} switches[] = {
	{ "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 1,
	  "AppArmor lets no program make user namespaces without a profile "
	  "(kernel.apparmor_restrict_unprivileged_userns=1): install a profile with `userns,` for judge, "
	  "or run once: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0" },
	{ "/proc/sys/kernel/unprivileged_userns_clone", 0,
	  "user namespaces are switched off for ordinary users: "
	  "sudo sysctl kernel.unprivileged_userns_clone=1" },
	{ "/proc/sys/user/max_user_namespaces", 0,
	  "user namespaces are switched off: sudo sysctl user.max_user_namespaces=15000" },
};

static const char *const namespace_limits[] = {
	"user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time",
};

/* ENOSPC is a count that is used up: any of the sysctls, or nesting deeper than 32. */
static int explain_count(struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(namespace_limits); i++) {
		char path[64];

		snprintf(path, sizeof(path), "/proc/sys/user/max_%s_namespaces", namespace_limits[i]);
		if (read_number(path) == 0) {
			fail_cure(e, "sudo sysctl user.max_%s_namespaces=15000", namespace_limits[i]);
			return -1;
		}
	}
	return fail_cure(e, "as many namespaces as user.max_*_namespaces allows are in use, or namespaces "
			    "are nested too deeply (a box inside a box is refused)");
}

void host_explain_namespaces(int number, struct err *e)
{
	for (size_t i = 0; number != EAGAIN && number != ENOMEM && i < ARRAY_SIZE(switches); i++)
		if (read_number(switches[i].path) == switches[i].forbids) {
			fail_cure(e, "%s", switches[i].cure);
			return;
		}
	if (number == ENOSPC)
		explain_count(e);
	else if (number == EPERM)
		fail_cure(e, "a container's seccomp profile or a security module forbids it: allow "
			     "clone and unshare with namespace flags there (docker: --security-opt "
			     "seccomp=unconfined)");
	else if (number == EAGAIN)
		fail_cure(e, "the limit of processes of this user or cgroup is reached "
			     "(ulimit -u, pids.max)");
	else if (number == EINVAL)
		fail_cure(e, "this kernel was built without one of the namespaces user, mount, pid, net, "
			     "ipc, uts, cgroup");
}
