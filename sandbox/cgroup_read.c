/*
 * What the kernel counted in a box's cgroup: CPU time, memory, processes. Runs in the judge,
 * outside, possibly with an euid that is not the maker's: everything here is readable by others.
 */
#include "sandbox/cgroup_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"

#define NO_NUMBER UINT64_MAX

/* A decimal number that stands alone ("max", a sign, a second word, overflow are none), or NO_NUMBER. */
static uint64_t parse_number(const char *text)
{
	char *end;

	if (*text < '0' || *text > '9')
		return NO_NUMBER;
	errno = 0;

	unsigned long long value = strtoull(text, &end, 10);

	if (errno || (*end != '\n' && *end != '\0'))
		return NO_NUMBER;
	return value;
}

static uint64_t read_number(int folder, const char *file)
{
	char text[64];

	if (read_text_at(folder, file, text, sizeof(text)) < 0)
		return NO_NUMBER;
	return parse_number(text);
}

/* "key N" in a file: N, or `otherwise`. */
static uint64_t read_key(int folder, const char *file, const char *key, uint64_t otherwise)
{
	char text[4096];
	unsigned long long value;

	if (read_text_at(folder, file, text, sizeof(text)) < 0 || text_key_u64(text, key, &value) < 0)
		return otherwise;
	return value;
}

/* The file behind c->cpu from its start. */
static int read_cpu(const struct cgroup *c, char *ret_text, size_t size)
{
	ssize_t length = c->version == 0 || c->cpu < 0 ? -1 : pread(c->cpu, ret_text, size - 1, 0);

	if (length <= 0)
		return -1;
	ret_text[length] = '\0';
	return 0;
}

static int cpu_v2(const char *text, const char *key, uint64_t *ret_us)
{
	unsigned long long value;

	if (text_key_u64(text, key, &value) < 0)
		return -1;
	*ret_us = value;
	return 0;
}

static int cpu_v1(uint64_t value_ns, uint64_t *ret_us)
{
	if (value_ns == NO_NUMBER)
		return -1;
	*ret_us = value_ns / 1000;
	return 0;
}

int cgroup_cpu_total(const struct cgroup *c, uint64_t *ret_total_us)
{
	char text[2048];

	if (read_cpu(c, text, sizeof(text)) < 0)
		return -1;
	if (c->version == 2)
		return cpu_v2(text, "usage_usec", ret_total_us);
	return cpu_v1(parse_number(text), ret_total_us);
}

/* v1 counts the parts in ticks but the whole exactly: they are scaled to it, as v2's own are. */
static void scale_parts(uint64_t total_us, uint64_t *user_us, uint64_t *sys_us)
{
	uint64_t parts = *user_us + *sys_us;

	*user_us = parts == 0 ? total_us : (uint64_t)((unsigned __int128)total_us * *user_us / parts);
	*sys_us = total_us - *user_us;
}

int cgroup_cpu(const struct cgroup *c, uint64_t *ret_total_us, uint64_t *ret_user_us,
	       uint64_t *ret_sys_us)
{
	char text[2048];
	uint64_t total_us, user_us, sys_us;

	if (read_cpu(c, text, sizeof(text)) < 0)
		return -1;
	if (c->version == 2) {
		if (cpu_v2(text, "usage_usec", &total_us) < 0 || cpu_v2(text, "user_usec", &user_us) < 0 ||
		    cpu_v2(text, "system_usec", &sys_us) < 0)
			return -1;
	} else {
		int folder = c->folder[CONTROLLER_CPUACCT];

		if (cpu_v1(parse_number(text), &total_us) < 0 ||
		    cpu_v1(read_number(folder, "cpuacct.usage_user"), &user_us) < 0 ||
		    cpu_v1(read_number(folder, "cpuacct.usage_sys"), &sys_us) < 0)
			return -1;
		scale_parts(total_us, &user_us, &sys_us);
	}
	*ret_total_us = total_us;
	*ret_user_us = user_us;
	*ret_sys_us = sys_us;
	return 0;
}

/* Reading from the polled descriptor arms it again; an eventfd is emptied. */
static uint64_t oom_kills(const struct cgroup *c, int folder)
{
	char text[4096];
	unsigned long long kills = 0, groups = 0;

	if (c->version == 1) {
		if (c->oom >= 0)
			(void)!read(c->oom, text, sizeof(uint64_t));
		return read_key(folder, "memory.oom_control", "oom_kill", 0); /* before 4.13 not told */
	}

	ssize_t length = c->oom < 0 ? read_text_at(folder, "memory.events", text, sizeof(text))
				    : pread(c->oom, text, sizeof(text) - 1, 0);

	if (length < 0)
		return NO_NUMBER;
	text[length] = '\0';
	if (text_key_u64(text, "oom_kill", &kills) < 0)
		return NO_NUMBER;
	(void)text_key_u64(text, "oom_group_kill", &groups);	/* kernel 5.17 */
	return kills ? kills : groups;
}

int cgroup_memory(const struct cgroup *c, uint64_t *ret_peak_bytes, uint64_t *ret_oom_kills)
{
	if (c->version == 0 || !c->place->has[CONTROLLER_MEMORY])
		return -1;

	int folder = c->folder[c->version == 2 ? 0 : CONTROLLER_MEMORY];
	uint64_t peak = read_number(folder, c->version == 2 ? "memory.peak" : "memory.max_usage_in_bytes");
	uint64_t kills = oom_kills(c, folder);

	if (peak == NO_NUMBER && c->version == 2)
		peak = read_number(folder, "memory.current");
	if (peak == NO_NUMBER || kills == NO_NUMBER)
		return -1;
	*ret_peak_bytes = peak;
	*ret_oom_kills = kills;
	return 0;
}

void cgroup_processes(const struct cgroup *c, uint64_t *ret_peak, uint64_t *ret_refused)
{
	*ret_peak = 0;
	*ret_refused = 0;
	if (c->version == 0 || !c->place->has[CONTROLLER_PIDS])
		return;

	int folder = c->folder[c->version == 2 ? 0 : CONTROLLER_PIDS];
	uint64_t peak = read_number(folder, "pids.peak");

	if (peak != NO_NUMBER && peak > 0)
		*ret_peak = peak - 1;
	*ret_refused = read_key(folder, "pids.events", "max", 0);
}
