/*
 * Starts the judge again inside a delegated scope of the user's service manager, which is how an
 * ordinary login session gets a cgroup of its own. Runs in the judge, before anything else was made.
 *
 * systemd-run(1) --scope runs the command as its own process: same pid, terminal, working folder and
 * exit status. $JUDGE_SCOPE marks the second start, so that there is never a third.
 */
#include "sandbox/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd.h"

#define MARK "JUDGE_SCOPE"

/* The user's run-time folder: pam_systemd(8) sets it, cron and plain services do not. */
static void runtime_folder(char *ret_path, size_t size)
{
	const char *set = getenv("XDG_RUNTIME_DIR");

	if (set && *set == '/')
		snprintf(ret_path, size, "%s", set);
	else
		snprintf(ret_path, size, "/run/user/%d", (int)geteuid());
}

static bool manager_answers(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char folder[PATH_MAX] = "/run";
	autoclose int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int length;

	if (geteuid() != 0)
		runtime_folder(folder, sizeof(folder));
	length = snprintf(address.sun_path, sizeof(address.sun_path), "%s/systemd/private", folder);
	if (s < 0 || length >= (int)sizeof(address.sun_path))
		return false;
	return connect(s, (const struct sockaddr *)&address, sizeof(address)) == 0;
}

/* The program `name` in $PATH, as execvp would find it. 0 or -1. */
static int find_program(const char *name, char ret_path[PATH_MAX])
{
	const char *at = getenv("PATH");

	for (; at; at = strchr(at, ':')) {
		struct stat st;

		at += *at == ':';
		if (snprintf(ret_path, PATH_MAX, "%.*s/%s", (int)strcspn(at, ":"), at, name) < PATH_MAX &&
		    *ret_path == '/' && stat(ret_path, &st) == 0 && S_ISREG(st.st_mode) &&
		    access(ret_path, X_OK) == 0)
			return 0;
	}
	return -1;
}

bool cgroup_scope_possible(void)
{
	char path[PATH_MAX];

	return !getenv(MARK) && find_program("systemd-run", path) == 0 && manager_answers();
}

static bool is_this_program(const char *path)
{
	struct stat self, other;

	return stat("/proc/self/exe", &self) == 0 && stat(path, &other) == 0 &&
	       self.st_dev == other.st_dev && self.st_ino == other.st_ino;
}

/* This program by the name it was called with, which may matter ("isolate"): by the time that systemd-run
   looks, /proc/self/exe is systemd-run. */
static int own_path(const char *name, char ret_path[PATH_MAX])
{
	ssize_t length;

	if (strchr(name, '/') ? snprintf(ret_path, PATH_MAX, "%s", name) < PATH_MAX
			      : find_program(name, ret_path) == 0)
		if (is_this_program(ret_path))
			return 0;
	length = readlink("/proc/self/exe", ret_path, PATH_MAX - 1);
	if (length < 0)
		return -1;
	ret_path[length] = '\0';
	if (is_this_program(ret_path))
		return 0;
	errno = ENOENT;		/* replaced or removed since it was started */
	return -1;
}

static int set_environment(void)
{
	char folder[PATH_MAX];

	if (setenv(MARK, "1", 1) < 0)
		return -1;
	if (geteuid() == 0)
		return 0;
	runtime_folder(folder, sizeof(folder));
	return setenv("XDG_RUNTIME_DIR", folder, 1);
}

/* A scope for nothing: once the judge has become systemd-run it is too late for another way, and its exit
   status would be taken for the judge's. */
static int try_scope(const char *program, char *const *line, struct err *e)
{
	posix_spawn_file_actions_t quiet;
	int number, status = 0;
	pid_t pid;

	posix_spawn_file_actions_init(&quiet);
	for (int fd = 0; fd <= 2; fd++)
		posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_RDWR, 0);
	number = posix_spawn(&pid, program, &quiet, NULL, line, environ);
	posix_spawn_file_actions_destroy(&quiet);
	if (number)
		return fail(e, number, "cannot run %s", program);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return fail(e, errno, "cannot wait for %s", program);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	fail(e, 0, "the systemd manager gives no scope");
	return fail_cure(e, "see what it says: systemd-run %s--scope -p Delegate=yes true",
			 geteuid() == 0 ? "" : "--user ");
}

/* The same line with `true` in the place of the judge. */
static int try_once(const char *program, const char *const *line, size_t count, struct err *e)
{
	const char *trial[16];

	memcpy(trial, line, (count - 1) * sizeof(*line));
	trial[count - 1] = "true";
	trial[count] = NULL;
	return try_scope(program, (char *const *)trial, e);
}

int cgroup_scope_exec(char **argv, struct err *e)
{
	char program[PATH_MAX], self[PATH_MAX];
	const char *const options[] = { "systemd-run", "--user", "--scope", "--quiet", "-p", "Delegate=yes",
					"--", self };
	size_t given = 0, count = 0;
	autofree const char **line = NULL;

	while (argv[given])
		given++;
	line = calloc(ARRAY_SIZE(options) + given + 1, sizeof(*line));
	if (!line || given == 0)
		return fail(e, line ? EINVAL : ENOMEM, "cannot start again under systemd-run");
	if (own_path(argv[0], self) < 0)
		return fail(e, errno, "cannot start again under systemd-run: own program not found");
	if (find_program("systemd-run", program) < 0)
		return fail(e, ENOENT, "cannot find systemd-run in PATH");
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (geteuid() != 0 || i != 1)	/* root's scopes are the system manager's */
			line[count++] = options[i];
	memcpy(line + count, argv + 1, given * sizeof(*line));	/* with the NULL */
	if (set_environment() < 0)
		fail(e, errno, "cannot set the environment of systemd-run");
	else if (try_once(program, line, count, e) == 0) {
		(void)execv(program, (char *const *)line);
		fail(e, errno, "cannot run %s", program);
	}
	(void)unsetenv(MARK);
	return -1;
}
