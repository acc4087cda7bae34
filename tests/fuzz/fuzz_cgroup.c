/*
 * Fuzzes what is read of cgroups. The first byte says what the rest is: a mountinfo text, a /proc/self/cgroup text, two
 * paths, or the files of a box's cgroup, which a folder in memory then holds.
 */
#include "tests/fuzz/input.h"

#include "base/fd.h"
#include "sandbox/cgroup_private.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define FILES_MOST 16

static bool is_inside(const char *text, size_t size, const char *p)
{
	return p >= text && p <= text + size;
}

static void mounts(struct input *in)
{
	struct cgroup_mount row[8];
	const size_t size = in->left;
	char *text = input_rest(in);
	size_t count = cgroup_mounts_read(text, row, 8);

	HOLDS(count <= 8);
	for (size_t i = 0; i < count; i++) {
		HOLDS(row[i].version == 1 || row[i].version == 2);
		HOLDS(row[i].version == 1 ? !row[i].nsdelegate : !row[i].controllers && !row[i].cpuset);
		HOLDS(row[i].controllers < 1U << CONTROLLER_COUNT);
		HOLDS(is_inside(text, size, row[i].root) && row[i].root[0] == '/');
		HOLDS(is_inside(text, size, row[i].point) && row[i].point[0] == '/');
	}
	free(text);
}

static void own(struct input *in)
{
	struct cgroup_own o;
	const size_t size = in->left;
	char *text = input_rest(in);

	cgroup_own_read(text, &o);
	HOLDS(!o.v2 || (is_inside(text, size, o.v2) && o.v2[0] == '/'));
	for (int c = 0; c < CONTROLLER_COUNT; c++)
		HOLDS(!o.v1[c] || (is_inside(text, size, o.v1[c]) && o.v1[c][0] == '/'));
	free(text);
}

/* What is below never leads out again, and is the tail of the path. */
static void below(struct input *in)
{
	char *root = input_text(in, input_byte(in)), *path = input_rest(in);
	const char *rest = cgroup_below(root, path);

	if (rest) {
		HOLDS(is_inside(path, strlen(path), rest) && rest[0] != '/');
		HOLDS(strcmp(rest, "..") && strncmp(rest, "../", 3) && !strstr(rest, "/../"));
		HOLDS(strlen(rest) < 3 || strcmp(rest + strlen(rest) - 3, "/.."));
	}
	(void)cgroup_pid(path);
	HOLDS(cgroup_pid(path) >= 0 && cgroup_pid(path) != 1 && cgroup_pid(path) != getpid());
	free(root);
	free(path);
}

/* The text of the input up to the next NUL, as a file of that name. */
static void put_file(struct input *in, int folder, const char *name)
{
	const uint8_t *end = in->left ? memchr(in->at, '\0', in->left) : NULL;
	const size_t n = end ? (size_t)(end - in->at) : in->left;
	autoclose int fd = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	HOLDS(fd >= 0 && write_all(fd, in->at, n) == 0);
	in->at += n + (end != NULL);
	in->left -= n + (end != NULL);
}

static void read_all(const struct cgroup *c)
{
	uint64_t total = 7, user = 7, sys = 7, peak = 7, kills = 7;

	if (cgroup_cpu(c, &total, &user, &sys) < 0)
		HOLDS(total == 7 && user == 7 && sys == 7);
	else
		HOLDS(c->version == 2 || user + sys == total);
	(void)cgroup_cpu_total(c, &total);
	if (cgroup_memory(c, &peak, &kills) < 0)
		HOLDS(peak == 7 && kills == 7);
	cgroup_processes(c, &peak, &kills);
}

static void files(struct input *in, int version)
{
	static const char *const names[2][FILES_MOST] = {
		{ "cpuacct.usage", "cpuacct.usage_user", "cpuacct.usage_sys", "memory.max_usage_in_bytes",
		  "memory.oom_control", "pids.peak", "pids.events" },
		{ "cpu.stat", "memory.events", "memory.peak", "memory.current", "pids.peak", "pids.events" },
	};
	char path[] = "/dev/shm/judge-fuzz-XXXXXX";
	struct cgroup_place place = { .version = version };
	struct cgroup c = { .version = version, .place = &place, .oom = -1, .cpu = -1 };
	const bool polled = input_byte(in) & 1;
	int folder;

	HOLDS(mkdtemp(path));
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	HOLDS(folder >= 0);
	for (int i = 0; i < CONTROLLER_COUNT; i++) {
		place.has[i] = true;
		c.folder[i] = folder;
	}
	for (int i = 0; names[version - 1][i]; i++)
		put_file(in, folder, names[version - 1][i]);
	c.cpu = openat(folder, names[version - 1][0], O_RDONLY | O_CLOEXEC);
	if (version == 2 && polled)
		c.oom = openat(folder, "memory.events", O_RDONLY | O_CLOEXEC);
	read_all(&c);
	for (int i = 0; names[version - 1][i]; i++)
		(void)unlinkat(folder, names[version - 1][i], 0);
	close_fd(&c.cpu);
	close_fd(&c.oom);
	close_fd(&folder);
	HOLDS(rmdir(path) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };

	switch (input_byte(&in) % 5) {
	case 0: mounts(&in); break;
	case 1: own(&in); break;
	case 2: below(&in); break;
	case 3: files(&in, 1); break;
	case 4: files(&in, 2); break;
	}
	return 0;
}
