/*
 * sandbox/cgroup.c, _kill.c and _read.c on this kernel's own cgroups: v1 and v2 each where this
 * process may make cgroups, which is root natively and any user in a delegated scope. All that is
 * made is below the own cgroup and removed again; what a kernel does not offer is a printed skip.
 */
#include "sandbox/cgroup_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd.h"
#include "base/sys.h"

#include <cmocka.h>
#undef fail /* cmocka has one that takes nothing */

#define NOBODY 65534
#define JUDGES 20
#define ROUNDS 25
#define NO_PLACE 77

/* `outer` is what a judge finds; `place` a folder of these tests alone in it, away from the sweeping of
   judges that run meanwhile. */
struct home {
	enum cgroup_mode mode;
	const char *name;
	struct cgroup_place outer, place;
};

struct kind {
	const char *name;
	void (*test)(const struct cgroup_place *p);
	bool needs[CONTROLLER_COUNT];
	bool root;
};

struct native_row {
	char name[128];
	const struct kind *kind;
	struct home *home;
};

/* ---- help */

static struct limits no_limits(void)
{
	struct limits l;

	for (int i = 0; i < LIMIT_COUNT; i++)
		l.value[i] = LIMIT_NONE;
	return l;
}

static struct cgroup make(const struct cgroup_place *p, const struct limits *l)
{
	struct cgroup c;
	uint8_t enforced[LIMIT_COUNT] = { 0 };
	struct err e = { 0 };

	if (cgroup_make(p, l, &c, enforced, &e) < 0)
		print_error("%s; %s\n", e.text, e.cure);
	assert_int_equal(e.kind, ERR_NONE);
	return c;
}

static void removed(struct cgroup *c)
{
	struct err e = { 0 };

	if (cgroup_remove(c, &e) < 0)
		print_error("%s\n", e.text);
	assert_int_equal(e.kind, ERR_NONE);
}

/* How many folders in the place begin with `prefix`. */
static int count_folders(const struct cgroup_place *p, const char *prefix)
{
	int count = 0;

	for (int c = 0; c < CONTROLLER_COUNT; c++) {
		if (!cgroup_first_owner(p->folder, c))
			continue;

		DIR *dir = fdopendir(openat(p->folder[c], ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));

		assert_non_null(dir);
		for (struct dirent *entry; (entry = readdir(dir)); )
			count += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
		closedir(dir);
	}
	return count;
}

static int own_boxes(const struct cgroup_place *p)
{
	char prefix[64];

	snprintf(prefix, sizeof(prefix), CGROUP_BOX "%d-", (int)getpid());
	return count_folders(p, prefix);
}

static void join(const struct cgroup *c)
{
	for (int i = 0; i < CONTROLLER_COUNT; i++)
		if (c->procs[i] >= 0 && write(c->procs[i], "0", 1) != 1)
			_exit(99);
}

static pid_t start(const struct cgroup *c, void (*work)(void))
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);	/* a failed test leaves nothing */
		join(c);
		work();
		_exit(0);
	}
	return pid;
}

static int status_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void sleep_on(void)
{
	for (;;)
		pause();
}

/* Children that are not waited for, as many as the limit lets. */
static void sleep_in_crowd(void)
{
	for (int i = 0; i < 7; i++)
		if (fork() == 0)
			sleep_on();
	sleep_on();
}

static void nap_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL);
}

static int count_inside(const struct cgroup *c)
{
	char text[4096];
	int folder = c->folder[0], count = 0;

	for (int i = CONTROLLER_COUNT - 1; i >= 0; i--)
		if (c->folder[i] >= 0)
			folder = c->folder[i];
	assert_true(read_text_at(folder, "cgroup.procs", text, sizeof(text)) >= 0);
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		count++;
	return count;
}

static void wait_inside(const struct cgroup *c, int count)
{
	for (int i = 0; i < 5000 && count_inside(c) != count; i++)
		nap_ms(1);
	assert_int_equal(count_inside(c), count);
}

static uint64_t file_number(const struct cgroup *c, enum controller which, const char *file)
{
	char text[64];

	assert_true(read_text_at(c->folder[c->version == 2 ? 0 : which], file, text, sizeof(text)) > 0);
	return strtoull(text, NULL, 10);
}

/* ---- what a box's cgroup does */

/* Each judge finds the place by itself, with a child at its side that has to be moved too. */
static int start_judge(int ready, enum cgroup_mode mode)
{
	struct cgroup_place p;
	struct cgroup c;
	struct limits l = no_limits();
	struct err e = { 0 };
	uint8_t enforced[LIMIT_COUNT] = { 0 };
	char byte;
	int failed = 0;

	(void)!read(ready, &byte, 1);	/* all at once, when the other end is closed */
	l.value[LIMIT_PROCESSES] = 4;
	if (cgroup_find(mode, NULL, "", &p, &e) < 0)
		return NO_PLACE;
	for (int i = 0; i < 3 && !failed; i++)
		failed = cgroup_make(&p, &l, &c, enforced, &e) < 0 || cgroup_remove(&c, &e) < 0;
	if (failed)
		print_error("%s; %s\n", e.text, e.cure);
	cgroup_place_close(&p);
	return failed;
}

/* How many of them found no place. */
static int start_together(enum cgroup_mode mode)
{
	int ready[2], failed = 0, without = 0;
	pid_t pid[JUDGES];

	assert_int_equal(pipe(ready), 0);
	for (int i = 0; i < JUDGES; i++) {
		pid[i] = fork();
		assert_true(pid[i] >= 0);
		if (pid[i] == 0) {
			close(ready[1]);
			_exit(start_judge(ready[0], mode));
		}
	}
	close_fd(&ready[1]);
	for (int i = 0; i < JUDGES; i++) {
		int status = status_of(pid[i]);

		without += WIFEXITED(status) && WEXITSTATUS(status) == NO_PLACE;
		failed += status != 0;
	}
	close_fd(&ready[0]);
	assert_int_equal(failed, without);
	return without;
}

static void test_limits_set(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	uint8_t enforced[LIMIT_COUNT] = { 0 };
	enum mechanism by = p->version == 2 ? BY_CGROUP_V2 : BY_CGROUP_V1;
	struct cgroup c;
	char text[64];

	l.value[LIMIT_MEMORY] = 20 * MIB;
	l.value[LIMIT_PROCESSES] = 5;
	l.value[LIMIT_CPUS] = 500;
	assert_int_equal(cgroup_make(p, &l, &c, enforced, NULL), 0);
	assert_int_equal(enforced[LIMIT_MEMORY], p->has[CONTROLLER_MEMORY] ? by : BY_NOTHING);
	assert_int_equal(enforced[LIMIT_PROCESSES], p->has[CONTROLLER_PIDS] ? by : BY_NOTHING);
	assert_int_equal(enforced[LIMIT_CPUS], p->has[CONTROLLER_CPU] ? by : BY_NOTHING);
	assert_int_equal(enforced[LIMIT_TIME], BY_NOTHING);
	if (p->has[CONTROLLER_MEMORY])
		assert_int_equal(file_number(&c, CONTROLLER_MEMORY, by == BY_CGROUP_V2 ? "memory.max" :
					     "memory.limit_in_bytes"), 20 * MIB);
	if (p->has[CONTROLLER_PIDS])
		assert_int_equal(file_number(&c, CONTROLLER_PIDS, "pids.max"), 6);
	if (p->has[CONTROLLER_CPU] && by == BY_CGROUP_V1)
		assert_int_equal(file_number(&c, CONTROLLER_CPU, "cpu.cfs_quota_us"), 50000);
	if (p->has[CONTROLLER_CPU] && by == BY_CGROUP_V2) {
		assert_true(read_text_at(c.folder[0], "cpu.max", text, sizeof(text)) > 0);
		assert_string_equal(text, "50000 100000\n");
	}
	assert_int_equal(c.oom_group, by == BY_CGROUP_V2 && p->has[CONTROLLER_MEMORY]);
	assert_int_equal(cgroup_clone_fd(&c), by == BY_CGROUP_V2 ? c.folder[0] : -1);
	removed(&c);
}

static void test_no_limits(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	struct cgroup c = make(p, &l);

	if (p->has[CONTROLLER_PIDS])	/* "max" */
		assert_int_equal(file_number(&c, CONTROLLER_PIDS, "pids.max"), 0);
	removed(&c);
}

/* The smallest share: less than the kernel's least quota in the usual period. */
static void test_small_share(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	struct cgroup c;
	char text[64];

	l.value[LIMIT_CPUS] = 1;
	c = make(p, &l);
	if (p->version == 2) {
		assert_true(read_text_at(c.folder[0], "cpu.max", text, sizeof(text)) > 0);
		assert_string_equal(text, "1000 1000000\n");
	} else {
		assert_int_equal(file_number(&c, CONTROLLER_CPU, "cpu.cfs_quota_us"), 1000);
		assert_int_equal(file_number(&c, CONTROLLER_CPU, "cpu.cfs_period_us"), 1000000);
	}
	removed(&c);
}

static void take_64_mib(void)
{
	char *memory = mmap(NULL, 64 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		_exit(98);
	for (size_t i = 0; i < 64 * MIB; i += 4096)
		memory[i] = 1;
}

static void test_memory_limit(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	struct cgroup c;
	uint64_t peak, kills;
	int status;

	l.value[LIMIT_MEMORY] = 16 * MIB;
	c = make(p, &l);

	struct pollfd oom = { .fd = c.oom, .events = c.version == 2 ? POLLPRI : POLLIN };

	assert_true(c.oom >= 0);
	assert_int_equal(poll(&oom, 1, 0), 0);
	status = status_of(start(&c, take_64_mib));
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_int_equal(poll(&oom, 1, 1000), 1);
	assert_int_equal(cgroup_memory(&c, &peak, &kills), 0);
	assert_true(kills > 0);
	assert_in_range(peak, 12 * MIB, 16 * MIB);
	assert_int_equal(poll(&oom, 1, 0), 0);	/* taken; armed again */
	status_of(start(&c, take_64_mib));
	assert_int_equal(poll(&oom, 1, 1000), 1);
	removed(&c);
}

static void fork_to_the_limit(void)
{
	int made = 0;

	while (made < 50) {
		pid_t pid = fork();

		if (pid < 0)
			break;
		if (pid == 0)
			sleep_on();
		made++;
	}
	_exit(errno == EAGAIN ? made : 97);
}

static void test_processes_limit(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	struct cgroup c;
	uint64_t peak, refused;
	int status;

	l.value[LIMIT_PROCESSES] = 4;	/* and init, which the first one is here */
	c = make(p, &l);
	status = status_of(start(&c, fork_to_the_limit));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 4);
	cgroup_processes(&c, &peak, &refused);
	assert_true(peak == 4 || peak == 0);	/* no pids.peak before 6.1 */
	assert_int_equal(refused, 1);
	cgroup_kill(&c);
	removed(&c);
}

static void burn(void)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_nsec < 100 * 1000000);
}

/* Two ticks of 10 ms are let go: User-mode Linux counts in those. */
static void test_cpu(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	struct cgroup c = make(p, &l);
	uint64_t total, only, user, sys;

	assert_int_equal(cgroup_cpu_total(&c, &total), 0);
	assert_true(total < 20000);
	assert_int_equal(status_of(start(&c, burn)), 0);
	assert_int_equal(cgroup_cpu(&c, &total, &user, &sys), 0);
	assert_int_equal(cgroup_cpu_total(&c, &only), 0);
	assert_in_range(total, 80000, 400000);
	assert_int_equal(total, only);
	assert_in_range(user + sys, total - 1, total + 1);
	removed(&c);
}

static void test_kill(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	struct cgroup c;
	pid_t pid;

	l.value[LIMIT_PROCESSES] = 20;
	c = make(p, &l);
	pid = start(&c, sleep_in_crowd);
	wait_inside(&c, 8);
	cgroup_kill(&c);
	assert_int_equal(status_of(pid), SIGKILL);
	wait_inside(&c, 0);
	removed(&c);
}

/* Each process lives until it has made the next, which a list of pids is always too old for. */
static void run_away(void)
{
	for (;;) {
		pid_t pid = fork();

		if (pid > 0)
			_exit(0);
		if (pid < 0)
			nap_ms(1);
	}
}

static void test_kill_runner(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	struct cgroup c;

	l.value[LIMIT_PROCESSES] = 8;
	c = make(p, &l);
	for (int i = 0; i < 3; i++)
		assert_int_equal(status_of(start(&c, run_away)), 0);
	nap_ms(20);
	assert_true(count_inside(&c) > 0);
	cgroup_kill(&c);
	wait_inside(&c, 0);
	removed(&c);
}

static void test_kill_one_by_one(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	struct cgroup c;

	l.value[LIMIT_PROCESSES] = 20;
	c = make(p, &l);
	close_fd(&c.kill);	/* as before kernel 5.14 */

	pid_t pid = start(&c, sleep_in_crowd);

	wait_inside(&c, 8);
	cgroup_kill(&c);
	assert_int_equal(status_of(pid), SIGKILL);
	wait_inside(&c, 0);
	removed(&c);
}

static void test_remove_kills(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	struct cgroup c = make(p, &l);
	pid_t pid = start(&c, sleep_on);
	char name[64];

	wait_inside(&c, 1);
	strcpy(name, c.name);
	removed(&c);
	assert_int_equal(count_folders(p, name), 0);
	assert_int_equal(status_of(pid), SIGKILL);
	removed(&c);	/* once more is nothing */
}

/* What is in the box and cannot go is named, not waited for without end. */
static void test_remove_fails(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	struct cgroup c = make(p, &l);
	struct err e = { 0 };
	char name[64], inner[128];
	int first = -1;

	for (int i = CONTROLLER_COUNT - 1; i >= 0; i--)
		first = p->folder[i] >= 0 ? p->folder[i] : first;
	strcpy(name, c.name);
	snprintf(inner, sizeof(inner), "%s/inner", name);
	assert_int_equal(mkdirat(first, inner, 0755), 0);
	assert_int_equal(cgroup_remove(&c, &e), -1);
	assert_non_null(strstr(e.text, name));
	assert_int_equal(e.number, EBUSY);
	assert_int_equal(unlinkat(first, inner, AT_REMOVEDIR), 0);
	cgroup_sweep(first, true);	/* its lock was let go */
	assert_int_equal(count_folders(p, name), 0);
}

/* A judge that makes a box with a process in it and stays, or dies of `number`. */
static pid_t other_judge(const struct cgroup_place *p, int number, char ret_name[64])
{
	int said[2];
	pid_t pid;

	assert_int_equal(pipe(said), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct limits l = no_limits();
		struct cgroup c;
		uint8_t enforced[LIMIT_COUNT] = { 0 };

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (cgroup_make(p, &l, &c, enforced, NULL) < 0)
			_exit(1);

		pid_t inside = fork();

		if (inside == 0) {
			join(&c);
			for (int i = 0; i < CONTROLLER_COUNT; i++)	/* as init closes all */
				close_fd(&c.folder[i]);
			(void)!write(said[1], c.name, sizeof(c.name));
			close(said[1]);
			sleep_on();
		}
		waitpid(inside, NULL, 0);
		_exit(0);
	}
	close_fd(&said[1]);
	assert_int_equal(read_full(said[0], ret_name, 64), 64);
	close_fd(&said[0]);
	if (number) {
		assert_int_equal(kill(pid, number), 0);
		assert_int_equal(status_of(pid), number);
	}
	return pid;
}

static void test_sweep(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	char dead[64], living[64];
	pid_t pid;

	pid = other_judge(p, 0, living);
	other_judge(p, SIGKILL, dead);
	assert_true(count_folders(p, dead) > 0);

	struct cgroup c = make(p, &l);

	assert_int_equal(count_folders(p, dead), 0);
	assert_true(count_folders(p, living) > 0);
	for (int i = 0; i < CONTROLLER_COUNT; i++)	/* a thorough sweep asks the lock */
		if (cgroup_first_owner(p->folder, i))
			cgroup_sweep(p->folder[i], true);
	assert_true(count_folders(p, living) > 0);
	assert_true(count_folders(p, c.name) > 0);
	assert_int_equal(kill(pid, SIGKILL), 0);
	status_of(pid);
	for (int i = 0; i < CONTROLLER_COUNT; i++)
		if (cgroup_first_owner(p->folder, i))
			cgroup_sweep(p->folder[i], true);
	assert_int_equal(count_folders(p, living), 0);
	removed(&c);
}

/* A box left by a judge that had this very pid (in a container each has the same). */
static void test_sweep_own_pid(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	struct cgroup c;
	char left[64];

	snprintf(left, sizeof(left), CGROUP_BOX "%d-left", (int)getpid());
	for (int i = 0; i < CONTROLLER_COUNT; i++)
		if (cgroup_first_owner(p->folder, i))
			assert_int_equal(mkdirat(p->folder[i], left, 0711), 0);
	c = make(p, &l);
	assert_int_equal(count_folders(p, left), 0);
	removed(&c);
}

/* Makers against sweepers that ask each lock: nobody fails, nothing stays. */
static void test_race(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	pid_t pid[JUDGES];
	int failed = 0;

	for (int j = 0; j < JUDGES; j++) {
		pid[j] = fork();
		assert_true(pid[j] >= 0);
		if (pid[j] > 0)
			continue;
		for (int round = 0; round < ROUNDS; round++) {
			struct cgroup c;
			uint8_t enforced[LIMIT_COUNT] = { 0 };
			struct err e = { 0 };

			for (int i = 0; i < CONTROLLER_COUNT; i++)
				if (cgroup_first_owner(p->folder, i))
					cgroup_sweep(p->folder[i], true);
			if (cgroup_make(p, &l, &c, enforced, &e) < 0 || count_inside(&c) != 0 ||
			    cgroup_remove(&c, &e) < 0) {
				print_error("%s\n", e.text);
				_exit(1);
			}
		}
		_exit(own_boxes(p) != 0);
	}
	for (int j = 0; j < JUDGES; j++)
		failed += status_of(pid[j]) != 0;
	assert_int_equal(failed, 0);
}

/* Made by root with a closed umask; joined, read and killed by somebody else. */
static void test_other_euid(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	struct cgroup c;
	uint64_t a, b, d;
	mode_t mask = umask(0777);
	pid_t pid;
	struct stat st;

	l.value[LIMIT_PROCESSES] = 20;
	c = make(p, &l);
	umask(mask);
	assert_int_equal(fstat(c.procs[0] >= 0 ? c.folder[0] : c.folder[1], &st), 0);
	assert_int_equal(st.st_mode & 07777, 0711);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
			_exit(96);
		join(&c);
		sleep_in_crowd();
	}
	assert_int_equal(seteuid(NOBODY), 0);
	wait_inside(&c, 8);
	assert_int_equal(cgroup_cpu_total(&c, &a), 0);
	assert_int_equal(cgroup_cpu(&c, &a, &b, &d), 0);
	assert_int_equal(cgroup_memory(&c, &a, &b), p->has[CONTROLLER_MEMORY] ? 0 : -1);
	cgroup_processes(&c, &a, &b);
	cgroup_kill(&c);
	assert_int_equal(status_of(pid), SIGKILL);
	wait_inside(&c, 0);
	assert_int_equal(seteuid(0), 0);
	removed(&c);
}

static void test_clone_into(const struct cgroup_place *p)
{
	struct limits l = no_limits();
	struct cgroup c = make(p, &l);
	struct clone_args args = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD,
				   .cgroup = (uint64_t)cgroup_clone_fd(&c) };
	pid_t pid;

	if (p->version == 1) {
		assert_int_equal(cgroup_clone_fd(&c), -1);
		removed(&c);
		return;
	}
	pid = (pid_t)sys_clone3(&args, sizeof(args));
	if (pid == 0)
		sleep_on();
	assert_true(pid > 0);
	assert_int_equal(count_inside(&c), 1);
	cgroup_kill(&c);
	assert_int_equal(status_of(pid), SIGKILL);
	removed(&c);
}

/* ---- rows */

static const struct kind kinds[] = {
	{ "the limits are set and named", test_limits_set, { false }, false },
	{ "no limits", test_no_limits, { false }, false },
	{ "the smallest CPU share", test_small_share, { [CONTROLLER_CPU] = true }, false },
	{ "memory over the limit is killed, counted and announced", test_memory_limit,
	  { [CONTROLLER_MEMORY] = true }, false },
	{ "forks over the limit are refused and counted", test_processes_limit, { [CONTROLLER_PIDS] = true }, false },
	{ "CPU time is counted", test_cpu, { [CONTROLLER_CPUACCT] = true }, false },
	{ "kill ends all", test_kill, { false }, false },
	{ "kill ends what forks and exits without end", test_kill_runner, { [CONTROLLER_PIDS] = true }, false },
	{ "kill without cgroup.kill", test_kill_one_by_one, { false }, false },
	{ "remove kills what is left", test_remove_kills, { false }, false },
	{ "remove names what it cannot remove", test_remove_fails, { false }, false },
	{ "a dead judge's box is swept, a living one's is not", test_sweep, { false }, false },
	{ "a box of an earlier judge with the same pid is swept", test_sweep_own_pid, { false }, false },
	{ "twenty makers and sweepers at once", test_race, { false }, false },
	{ "made by root, used by another", test_other_euid, { [CONTROLLER_CPUACCT] = true }, true },
	{ "cloned into", test_clone_into, { false }, false },
};

static const char *missing(const struct native_row *row)
{
	const struct cgroup_place *p = &row->home->place;

	if (p->version == 0)
		return p->why;
	for (int c = 0; c < CONTROLLER_COUNT; c++)
		if (row->kind->needs[c] && !p->has[c])
			return controller_names[c];
	return row->kind->root && geteuid() != 0 ? "root" : NULL;
}

static void test_row(void **state)
{
	const struct native_row *row = *state;
	const char *lacks = missing(row);

	if (lacks) {
		print_message("SKIP %s: needs %s\n", row->name, lacks);
		skip();
	}
	int before = own_boxes(&row->home->place);	/* what a failed test left */

	row->kind->test(&row->home->place);
	assert_int_equal(own_boxes(&row->home->place), before);
}

static void home_name(char ret_name[64])
{
	snprintf(ret_name, 64, "judge-test-%d", (int)getpid());
}

static void home_make(struct home *home)
{
	char name[64];
	struct cgroup_place *p = &home->place;

	home_name(name);
	*p = home->outer;
	p->version = 0;
	for (int c = 0; c < CONTROLLER_COUNT; c++)
		if (cgroup_first_owner(home->outer.folder, c)) {
			assert_int_equal(mkdirat(home->outer.folder[c], name, 0755), 0);
			p->folder[c] = openat(home->outer.folder[c], name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		} else {
			for (int first = 0; first < c; first++)
				if (home->outer.folder[first] == home->outer.folder[c])
					p->folder[c] = p->folder[first];
		}
	if (home->outer.version == 2)
		assert_int_equal(cgroup_delegate(p->folder[0], name, false, p->has, NULL), 0);
	p->version = home->outer.version;
}

static void home_remove(struct home *home)
{
	char name[64];

	home_name(name);
	cgroup_place_close(&home->place);
	for (int c = 0; c < CONTROLLER_COUNT; c++)
		if (cgroup_first_owner(home->outer.folder, c))
			(void)unlinkat(home->outer.folder[c], name, AT_REMOVEDIR);
	cgroup_place_close(&home->outer);
}

/* Before anything else: it is the judges that turn the controllers on. */
static void test_together(void **state)
{
	struct home *home = *state;
	int without = start_together(home->mode);

	if (without == JUDGES) {
		print_message("SKIP %s: twenty judges start at once: needs a writable cgroup\n", home->name);
		skip();
	}
	assert_int_equal(without, 0);
	assert_int_equal(cgroup_find(home->mode, NULL, "", &home->outer, NULL), 0);
	home_make(home);
}

int main(void)
{
	struct home homes[] = { { .mode = CGROUP_V2, .name = "v2" }, { .mode = CGROUP_V1, .name = "v1" } };
	struct native_row rows[ARRAY_SIZE(homes) * ARRAY_SIZE(kinds)];
	struct CMUnitTest tests[ARRAY_SIZE(homes) + ARRAY_SIZE(rows)];
	size_t count = 0, row = 0;
	int failed;

	for (size_t h = 0; h < ARRAY_SIZE(homes); h++) {
		homes[h].place = (struct cgroup_place){ .folder = { -1, -1, -1, -1 }, .why = "a writable cgroup" };
		homes[h].outer = homes[h].place;
		tests[count++] = (struct CMUnitTest){ .name = h ? "v1: twenty judges start at once" :
						      "v2: twenty judges start at once",
						      .test_func = test_together, .initial_state = &homes[h] };
		for (size_t k = 0; k < ARRAY_SIZE(kinds); k++, row++) {
			rows[row] = (struct native_row){ .kind = &kinds[k], .home = &homes[h] };
			snprintf(rows[row].name, sizeof(rows[row].name), "%s: %s", homes[h].name, kinds[k].name);
			tests[count++] = (struct CMUnitTest){ .name = rows[row].name, .test_func = test_row,
							      .initial_state = &rows[row] };
		}
	}
	failed = cmocka_run_group_tests_name("cgroup on this kernel", tests, NULL, NULL);
	for (size_t h = 0; h < ARRAY_SIZE(homes); h++)
		home_remove(&homes[h]);
	return failed;
}
