/*
 * The stopwatch of the benchmarks: `spawn ROUNDS , COMMAND… , COMMAND…` runs every command once a
 * round, in turn, so that a busy moment of the machine hits all alike, and prints a line per run:
 *
 *	WHICH MICROSECONDS PEAK-KIB
 *
 * from before the spawn until the command is reaped; the peak is the larger of the command's own and
 * that of its children. Their stdin and stdout are /dev/null. A command that fails ends it all.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { MOST_COMMANDS = 8 };

static long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

static void quit(const char *what, int number)
{
	fprintf(stderr, "spawn: %s: %s\n", what, strerror(number));
	exit(1);
}

static void run(int which, char **command, const posix_spawn_file_actions_t *streams)
{
	struct rusage used;
	long begin = now_us(), us;
	int status, number;
	pid_t pid;

	if (!command[0])
		quit("a command", EINVAL);
	number = posix_spawn(&pid, command[0], streams, NULL, command, environ);
	if (number)
		quit(command[0], number);
	if (wait4(pid, &status, 0, &used) < 0)
		quit("wait4", errno);
	us = now_us() - begin;
	if (status) {
		fprintf(stderr, "spawn: %s ended with wait status 0x%x\n", command[0], (unsigned)status);
		exit(1);
	}
	printf("%d %ld %ld\n", which, us, used.ru_maxrss);
}

/* Cuts the arguments at each "," and returns how many commands there are. */
static int split(char **args, char **commands[MOST_COMMANDS])
{
	int count = 0;

	for (; *args; args++) {
		if (strcmp(*args, ","))
			continue;
		*args = NULL;
		if (count == MOST_COMMANDS)
			return 0;
		commands[count++] = args + 1;
	}
	return count;
}

int main(int argc, char **argv)
{
	posix_spawn_file_actions_t streams;
	char **commands[MOST_COMMANDS];
	int rounds = argc > 2 ? (int)strtol(argv[1], NULL, 10) : 0;
	int count = argc > 2 ? split(argv + 2, commands) : 0;

	if (rounds < 1 || count < 1) {
		fprintf(stderr, "usage: spawn ROUNDS , COMMAND... [, COMMAND...]...\n");
		return 2;
	}
	posix_spawn_file_actions_init(&streams);
	posix_spawn_file_actions_addopen(&streams, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&streams, 1, "/dev/null", O_WRONLY, 0);
	for (int round = 0; round < rounds; round++)
		for (int i = 0; i < count; i++)
			run(i, commands[i], &streams);
	return 0;
}
