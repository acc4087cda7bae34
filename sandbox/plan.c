/* From a request to a plan. Runs in the judge, before the clone. */
#include "sandbox/plan.h"

#include "base/array.h"
#include "base/fd.h"
#include "sandbox/learn.h"
#include "sandbox/plan_parts.h"
#include "sandbox/weaken.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

void plan_notice(struct plan *p, const char *format, ...)
{
	char sentence[512];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	p->notice = arena_printf(&p->arena, "%s%s%s", p->notice ? p->notice : "", p->notice ? "; " : "",
				 sentence);
}

static size_t name_length(const char *assignment)
{
	return strcspn(assignment, "=");
}

const char *plan_env(const struct plan *p, const char *name)
{
	for (char *const *at = p->envp; *at; at++)
		if (name_length(*at) == strlen(name) && !strncmp(*at, name, strlen(name)))
			return *at + strlen(name) + 1;
	return NULL;
}

static void set_variable(char **env, size_t *count, char *assignment)
{
	size_t length = name_length(assignment);

	for (size_t i = 0; i < *count; i++)
		if (name_length(env[i]) == length && !strncmp(env[i], assignment, length)) {
			env[i] = assignment;
			return;
		}
	env[(*count)++] = assignment;
}

/* Copies: init wipes the judge's command line, where the originals are. */
static char **copy_arguments(struct plan *p, char **argv)
{
	size_t count = 0;
	char **copy;

	while (argv[count])
		count++;
	copy = arena_alloc(&p->arena, (count + 1) * sizeof(*copy));
	for (size_t i = 0; i < count; i++)
		copy[i] = arena_strdup(&p->arena, argv[i]);
	return copy;
}

/* Nothing of the judge's own environment: inherited PYTHON*, JAVA_TOOL_OPTIONS, LD_* and the like change
   results and tell secrets. */
void plan_environment(struct plan *p)
{
	static const char *const always[] = {
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8",
	};
	const struct request *r = p->request;
	size_t count = 0;
	char **env = arena_alloc(&p->arena, (ARRAY_SIZE(always) + r->env_count + 1) * sizeof(*env));

	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		env[count++] = arena_strdup(&p->arena, always[i]);
	for (size_t i = 0; i < r->env_count; i++)
		set_variable(env, &count, arena_strdup(&p->arena, r->env[i]));
	p->argv = copy_arguments(p, r->argv);
	p->envp = env;
}

static void plan_ids(struct plan *p)
{
	p->uid_map = arena_printf(&p->arena, "65534 %u 1\n", p->privilege.uid);
	p->gid_map = arena_printf(&p->arena, "65534 %u 1\n", p->privilege.gid);
}

/* Offsets are counted from the first time namespace, and the judge may be in another (time_namespaces(7):
   CLOCK seconds nanoseconds). */
static long long own_offset(const char *offsets, const char *clock)
{
	const char *line = strstr(offsets, clock);
	long long seconds = 0;

	if (line)
		(void)sscanf(line + strlen(clock), "%lld", &seconds); /* else as in the first namespace */
	return seconds;
}

/* The box's clocks begin near zero; whole seconds, never past the present, since a clock must not be negative.
   This keeps programs from depending on the host's up-time; who looks for it finds it in sysinfo(2). */
static int plan_clocks(struct plan *p, struct err *e)
{
	struct timespec up = { 0, 0 }, boot = { 0, 0 };
	char offsets[256] = "";

	p->time_namespace = p->host.time_namespace;
	if (!p->time_namespace)
		return 0;
	if (read_text_at(AT_FDCWD, "/proc/self/timens_offsets", offsets, sizeof(offsets)) < 0)
		return fail(e, errno, "cannot read /proc/self/timens_offsets");
	clock_gettime(CLOCK_MONOTONIC, &up);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	p->time_offset_us = -(int64_t)up.tv_sec * 1000000;
	p->time_offsets = arena_printf(&p->arena, "monotonic %lld 0\nboottime %lld 0\n",
				       own_offset(offsets, "monotonic") - (long long)up.tv_sec,
				       own_offset(offsets, "boottime") - (long long)boot.tv_sec);
	return 0;
}

static void plan_namespaces(struct plan *p)
{
	p->clone_flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
	if (WEAK("pidns"))
		p->clone_flags &= ~(unsigned long)CLONE_NEWPID;
	if (p->request->net != NET_HOST && !WEAK("net"))
		p->clone_flags |= CLONE_NEWNET;
}

static int plan_filter(struct plan *p, struct err *e)
{
	const char *name = p->request->policy;

	if (!name)
		name = p->request->net == NET_NONE ? "default" : "network";
	if (strpbrk(name, "/.")) {
		if (filter_load(name, &p->loaded, e) < 0)
			return -1;
		p->filter = &p->loaded.filter;
		if (p->loaded.library.warnings)
			plan_notice(p, "%.*s", (int)strcspn(p->loaded.library.warnings, "\n"),
				    p->loaded.library.warnings);
	} else if (!(p->filter = filter_find(name))) {
		fail_usage(e, "--policy %s: no such policy", name);
		return fail_cure(e, "judge policy lists them; a file of your own is named with its path: ./%s", name);
	}
	p->exec_program = p->request->exec_allow_count > 0 || p->filter->exec_program;
	if (!p->filter->code)
		p->filter = NULL;
	if (p->request->learn)
		return learn_plan(p, name, e);
	if (!p->filter)
		return 0;
	struct sock_filter *code = arena_alloc(&p->arena, p->filter->length * sizeof(*code));

	filter_copy_notifying(p->filter, code);
	p->notifying = code;
	p->notifying_length = p->filter->length;
	return 0;
}

static int check_required(const struct plan *p, const struct cgroup_place *place, struct err *e)
{
	unsigned require = p->request->require;

	if (require & REQUIRE_CGROUP &&
	    !(place->has[CONTROLLER_MEMORY] && place->has[CONTROLLER_PIDS])) {
		fail(e, 0, "--require cgroup: no cgroup here limits memory and processes");
		return fail_cure(e, "%s", place->why);
	}
	if (require & REQUIRE_LANDLOCK && !p->host.landlock_abi)
		return fail(e, 0, "--require landlock: this kernel has none (Linux 5.13, with landlock in "
				  "its lsm= list)");
	if (require & REQUIRE_TIME_NAMESPACE && !p->host.time_namespace)
		return fail(e, 0, "--require time-namespace: this kernel has none (Linux 5.6)");
	return 0;
}

int plan_build(struct plan *ret, const struct request *r, const struct cgroup_place *place,
	       const struct privilege *privilege, struct err *e)
{
	*ret = (struct plan){ .request = r, .limits = r->limits, .privilege = *privilege,
			      .in.fd = -1, .out.fd = -1, .err.fd = -1 };
	host_probe(&ret->host);
	plan_environment(ret);
	plan_ids(ret);
	plan_namespaces(ret);
	if (plan_clocks(ret, e) < 0 || plan_filter(ret, e) < 0 || check_required(ret, place, e) < 0 || plan_root(ret, e) < 0 ||
	    plan_limits(ret, place, e) < 0 || plan_streams(ret, e) < 0)
		return -1;
	plan_landlock(ret);
	if (place->version == 2 && !place->nsdelegate && place->has[CONTROLLER_MEMORY])
		plan_notice(ret, "cgroup2 is mounted without nsdelegate, a weaker wall; as root: "
			    "mount -o remount,nsdelegate /sys/fs/cgroup");
	return 0;
}

void plan_free(struct plan *p)
{
	for (size_t i = 0; i < p->root.count; i++)
		close_fd(&p->root.ops[i].fd);
	if (p->request && p->request->stdin_path)
		close_fd(&p->in.fd);
	if (p->out.owned)
		close_fd(&p->out.fd);
	if (p->err.owned)
		close_fd(&p->err.fd);
	filter_loaded_free(&p->loaded);
	arena_free(&p->arena);
	*p = (struct plan){ .in.fd = -1, .out.fd = -1, .err.fd = -1 };
}
