/*
 * A program that does one thing with its streams, its children or its own end: `act WHAT ARGUMENT…`.
 * Runs inside the box.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static int act_exit(char **argv)
{
	_exit(atoi(argv[0]));
}

static int act_kill(char **argv)
{
	kill(getpid(), atoi(argv[0]));
	pause();
	return 0;
}

/* FD BYTES: letters, in pieces of at most 64 KiB; says on the other stream when a write fails. */
static int act_write(char **argv)
{
	static char block[64 << 10];
	int fd = atoi(argv[0]);
	long long left = atoll(argv[1]);

	for (size_t i = 0; i < sizeof(block); i++)
		block[i] = (char)('a' + i % 26);
	while (left > 0) {
		ssize_t n = write(fd, block, left < (long long)sizeof(block) ? (size_t)left : sizeof(block));
		if (n < 0)
			return dprintf(3 - fd, "errno %d\n", errno), 3;
		left -= n;
	}
	return 0;
}

static int copy(int from)
{
	static char block[64 << 10];
	ssize_t n;

	while ((n = read(from, block, sizeof(block))) > 0)
		for (ssize_t done = 0, w; done < n; done += w)
			if ((w = write(1, block + done, (size_t)(n - done))) < 0)
				return 3;
	return n < 0 ? dprintf(2, "read: errno %d\n", errno), 4 : 0;
}

/* [FILE]: standard input, or the file, to standard output. */
static int act_copy(char **argv)
{
	int fd = argv[0] ? open(argv[0], O_RDONLY) : 0;

	if (fd < 0)
		return dprintf(2, "%s: errno %d\n", argv[0], errno), 5;
	return copy(fd);
}

/* Every way to change the file behind standard input; prints the ways that worked. */
static int act_attack_stdin(char **argv)
{
	static const struct { const char *path; int flags; } opens[] = {
		{ "/proc/self/fd/0", O_WRONLY }, { "/proc/self/fd/0", O_RDWR },
		{ "/proc/self/fd/0", O_WRONLY | O_TRUNC }, { "/dev/stdin", O_RDWR | O_TRUNC },
		{ "/dev/stdin", O_WRONLY | O_APPEND }, { "/dev/fd/0", O_RDWR },
	};
	struct timespec times[2] = { { 1, 0 }, { 1, 0 } };
	(void)argv;

	for (size_t i = 0; i < ARRAY_SIZE(opens); i++) {
		int fd = open(opens[i].path, opens[i].flags | O_NONBLOCK);
		if (fd >= 0 && write(fd, "overwritten", 11) > 0)
			printf("write through %s\n", opens[i].path);
	}
	if (write(0, "overwritten", 11) > 0)
		puts("write");
	if (ftruncate(0, 0) == 0)
		puts("truncate");
	(void)!fchmod(0, 0777);
	(void)!chmod("/proc/self/fd/0", 0777);
	(void)!fchown(0, getuid(), getgid());
	(void)!futimens(0, times);
	char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 0);
	if (p != MAP_FAILED)
		puts("writable mapping");
	return 0;
}

/* Lines on both streams in turn. */
static int act_alternate(char **argv)
{
	for (int i = 0, n = atoi(argv[0]); i < n; i++)
		dprintf(1 + i % 2, "%d\n", i);
	return 0;
}

/* SECONDS: a child of an own session keeps the streams and writes later; main ends at once. */
static int act_background(char **argv)
{
	if (fork() == 0) {
		setsid();
		usleep((useconds_t)(atof(argv[0]) * 1e6));
		puts("late");
		return 0;
	}
	puts("main");
	return 0;
}

/* COUNT children that are never waited for. */
static int act_zombies(char **argv)
{
	int made = 0;

	for (int i = 0, n = atoi(argv[0]); i < n; i++) {
		pid_t pid = fork();
		if (pid == 0)
			_exit(i % 256);
		made += pid > 0;
	}
	usleep(50000);
	printf("made %d\n", made);
	return 0;
}

static int make_orphan(void)
{
	int status = 1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(fork() < 0);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* COUNT orphans, one after the other; each must be reaped by init, or the limit is soon reached for good. A
   kernel may count a dead process a moment longer (Linux 6.18), so a refusal is tried again. */
static int act_orphans(char **argv)
{
	int made = 0;

	for (int i = 0, n = atoi(argv[0]); i < n; i++) {
		int tries = 0;

		while (!make_orphan() && ++tries < 100)
			usleep(2000);
		made += tries < 100;
		usleep(200);
	}
	printf("made %d\n", made);
	return 0;
}

/* KIND NAME: leaves something to be collected. */
static int act_leave(char **argv)
{
	const char *kind = argv[0], *name = argv[1];
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	if (!strcmp(kind, "symlink"))
		return symlink("/etc/passwd", name) < 0;
	if (!strcmp(kind, "fifo"))
		return mkfifo(name, 0600) < 0;
	if (!strcmp(kind, "folder"))
		return mkdir(name, 0700) < 0;
	if (!strcmp(kind, "socket")) {
		snprintf(address.sun_path, sizeof(address.sun_path), "%s", name);
		return bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof(address)) < 0;
	}
	int fd = open(name, O_CREAT | O_WRONLY, !strcmp(kind, "unreadable") ? 0 : 0640);
	if (fd < 0)
		return 1;
	if (!strcmp(kind, "sparse"))
		return ftruncate(fd, atoll(argv[2])) < 0;
	return write(fd, "left\0behind\n", 12) != 12;
}

static int act_ignore_signals(char **argv)
{
	sigset_t all;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	if (!strcmp(argv[0], "spin"))
		for (;;)
			;
	while (pause() < 0)
		;
	return 0;
}

/* Says it runs, then waits to be ended; a child waits too. */
static int act_wait(char **argv)
{
	(void)argv;
	if (fork() > 0)
		puts("waiting"), fflush(stdout);
	while (pause() < 0)
		;
	return 0;
}

/* Ends only when the caller closes its end: for tests that look from outside meanwhile. */
static int act_until_eof(char **argv)
{
	char byte;
	(void)argv;
	puts("waiting");
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	return 0;
}

/* Executes the rest. */
static int act_exec(char **argv)
{
	execv(argv[0], argv);
	printf("errno %d\n", errno);
	return 6;
}

static const struct { const char *name; int needs; int (*act)(char **argv); } acts[] = {
	{ "exit", 1, act_exit }, { "kill", 1, act_kill }, { "write", 2, act_write },
	{ "copy", 0, act_copy }, { "attack-stdin", 0, act_attack_stdin },
	{ "alternate", 1, act_alternate }, { "background", 1, act_background },
	{ "zombies", 1, act_zombies }, { "orphans", 1, act_orphans }, { "leave", 2, act_leave },
	{ "ignore-signals", 1, act_ignore_signals }, { "wait", 0, act_wait },
	{ "until-eof", 0, act_until_eof }, { "exec", 1, act_exec },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < ARRAY_SIZE(acts); i++)
		if (!strcmp(argv[1], acts[i].name) && argc - 2 >= acts[i].needs)
			return acts[i].act(argv + 2);
	fprintf(stderr, "act: no such act\n");
	return 64;
}
