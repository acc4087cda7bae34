/* What the tests of report/ share. */
#include "tests/unit/sample.h"

#include "base/fd.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void give_up(const char *what)
{
	perror(what);
	exit(1);
}

struct result sample_result(void)
{
	struct result r = {
		.when = { .tv_sec = 1700000000, .tv_nsec = 123999999 },
		.task_id = "t-1", .user = "u-1", .language = "cpp", .policy = "default", .root = "host",
		.outcome = {
			.started = true, .has_status = true, .cpu_us = 12999, .user_us = 8001,
			.sys_us = 4998, .wall_us = 1015499, .mem_peak_bytes = 2000000,
			.max_rss_bytes = 1536000, .csw_voluntary = 3, .csw_forced = 4,
			.processes_peak = 2, .stdout_bytes = 6, .setup_us = 3004, .teardown_us = 1000007,
			.cgroup_version = 2, .landlock_abi = 7,
			.measured = { BY_CGROUP_V2, BY_TIMER, BY_CGROUP_V2 },
		},
		.judgement = { .verdict = VERDICT_OK, .limit = -1 },
	};

	for (int i = 0; i < LIMIT_COUNT; i++) {
		r.limits.value[i] = limit_rows[i].initial;
		r.outcome.enforced[i] = BY_RLIMIT;
	}
	r.outcome.enforced[LIMIT_TIME] = BY_CGROUP_V2;
	r.outcome.enforced[LIMIT_MEMORY] = BY_CGROUP_V2;
	r.outcome.enforced[LIMIT_PROCESSES] = BY_CGROUP_V2;
	r.outcome.enforced[LIMIT_CPUS] = BY_CGROUP_V2;
	return r;
}

char *folder_make(void)
{
	char *path = strdup("/tmp/judge-test-XXXXXX");

	if (!path || !mkdtemp(path) || chdir(path) < 0)
		give_up("a folder for the test");
	return path;
}

void folder_remove(char *path)
{
	DIR *d = opendir(path);
	struct dirent *entry;

	while (d && (entry = readdir(d)))
		(void)unlinkat(dirfd(d), entry->d_name, entry->d_type == DT_DIR ? AT_REMOVEDIR : 0);
	if (d)
		closedir(d);
	if (chdir("/") < 0 || rmdir(path) < 0)
		give_up(path);
	free(path);
}

int folder_count(void)
{
	DIR *d = opendir(".");
	int count = -2; /* . and .. */

	while (d && readdir(d))
		count++;
	if (d)
		closedir(d);
	return count;
}

char *file_text(const char *path)
{
	char *text;
	size_t size;

	if (read_file_at(AT_FDCWD, path, 1 << 24, &text, &size) < 0)
		return strdup("(none)");
	return text;
}

void file_make(const char *path, const char *text, unsigned mode)
{
	autoclose int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0 || fchmod(fd, mode) < 0 || write_all(fd, text, strlen(text)) < 0)
		give_up(path);
}

int in_child(int (*body)(void))
{
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child < 0)
		give_up("fork");
	if (child == 0) {
		(void)alarm(60); /* what hangs is a failure */
		_exit(body());
	}
	if (waitpid(child, &status, 0) != child)
		give_up("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Gives the caller's ids to the new user namespace: a tmpfs there takes no files of ids it does not know. */
static int map_own_ids(uid_t uid, gid_t gid)
{
	char uids[64], gids[64];

	snprintf(uids, sizeof(uids), "%u %u 1", uid, uid);
	snprintf(gids, sizeof(gids), "%u %u 1", gid, gid);
	return write_text_at(AT_FDCWD, "/proc/self/setgroups", "deny") < 0 ||
	       write_text_at(AT_FDCWD, "/proc/self/uid_map", uids) < 0 ||
	       write_text_at(AT_FDCWD, "/proc/self/gid_map", gids) < 0 ? -1 : 0;
}

int small_disk_mount(void)
{
	const uid_t uid = geteuid();
	const gid_t gid = getegid();

	if (mkdir("disk", 0777) < 0)
		return -1;
	/* Root needs no user namespace for it. */
	if (unshare(CLONE_NEWNS | (uid ? CLONE_NEWUSER : 0)) < 0 || (uid && map_own_ids(uid, gid) < 0))
		return -1;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -1;
	return mount("judge-test", "disk", "tmpfs", 0, "size=64k");
}
