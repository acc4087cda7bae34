/* Programs that try to compute longer than the CPU or wall limit allows. Each ends by itself after 20 s. */
#include "hostile.h"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timex.h>

#define LONG 20.0

static void deaf(void)
{
	sigset_t all;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
}

static void spin(char **argv)
{
	(void)argv;
	burn(LONG, CLOCK_PROCESS_CPUTIME_ID);
}

static void spin_deaf(char **argv)
{
	deaf();
	spin(argv);
}

static void sleep_deaf(char **argv)
{
	(void)argv;
	deaf();
	for (double end = seconds_of(CLOCK_MONOTONIC) + LONG; seconds_of(CLOCK_MONOTONIC) < end; )
		sleep(1);
}

static void stop_itself(char **argv)
{
	(void)argv;
	raise(SIGSTOP);
}

static void stop_family(char **argv)
{
	(void)argv;
	for (int i = 0; i < 5; i++)
		if (fork() == 0)
			raise(SIGSTOP), _exit(0);
	kill(0, SIGSTOP);
}

static void *spin_thread(void *unused)
{
	burn(LONG, CLOCK_THREAD_CPUTIME_ID);
	return unused;
}

static void threads(char **argv)
{
	pthread_t id[8];

	(void)argv;
	for (size_t i = 0; i < ARRAY_SIZE(id); i++)
		pthread_create(&id[i], NULL, spin_thread, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(id); i++)
		pthread_join(id[i], NULL);
}

/* The main thread ends, another goes on: the process's leader is a zombie meanwhile. */
static void leader_gone(char **argv)
{
	pthread_t id;

	(void)argv;
	pthread_create(&id, NULL, spin_thread, NULL);
	pthread_exit(NULL);
}

/* Each link uses little, starts the next and ends; nobody waits for it. */
static void relay(char **argv)
{
	double end = seconds_of(CLOCK_MONOTONIC) + LONG;

	(void)argv;
	if (fork() > 0) {
		sleep((unsigned)LONG);
		return;
	}
	while (seconds_of(CLOCK_MONOTONIC) < end) {
		burn(0.05, CLOCK_PROCESS_CPUTIME_ID);
		if (fork() > 0)
			_exit(0);
	}
	_exit(0);
}

/* As relay, with thousands of links that live shorter than any polling interval. */
static void relay_fast(char **argv)
{
	double end = seconds_of(CLOCK_MONOTONIC) + LONG;

	(void)argv;
	while (seconds_of(CLOCK_MONOTONIC) < end) {
		pid_t pid = fork();
		if (pid == 0) {
			burn(0.003, CLOCK_PROCESS_CPUTIME_ID);
			_exit(0);
		}
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
}

/* A daemon of an own session goes on after main's end, and would leave a file. */
static void daemon_stays(char **argv)
{
	(void)argv;
	if (fork() > 0) {
		usleep(100000);
		return;
	}
	setsid();
	if (fork() > 0)
		_exit(0);
	setpgid(0, 0);
	for (int fd = 0; fd < 64; fd++)
		close(fd);
	burn(1.0, CLOCK_PROCESS_CPUTIME_ID);
	close(open("daemon-was-here", O_CREAT | O_WRONLY, 0600));
	burn(LONG, CLOCK_PROCESS_CPUTIME_ID);
	_exit(0);
}

/* A name that a careless reader of /proc/PID/stat takes for the fields behind it. */
static void strange_name(char **argv)
{
	prctl(PR_SET_NAME, "a) Z 1 1\n0 0 (b");
	if (fork() == 0)
		spin(argv), _exit(0);
	spin(argv);
}

/* Short bursts between sleeps, to be asleep at each tick; says what it used. */
static void bursts(char **argv)
{
	(void)argv;
	while (seconds_of(CLOCK_PROCESS_CPUTIME_ID) < 0.4) {
		burn(0.0005, CLOCK_PROCESS_CPUTIME_ID);
		usleep(500);
	}
	printf("used %.6f\n", seconds_of(CLOCK_PROCESS_CPUTIME_ID));
}

static volatile sig_atomic_t ticks;

static void count(int number)
{
	ticks = ticks + (number > 0);
}

static void timer_storm(char **argv)
{
	struct itimerval each = { { 0, 50 }, { 0, 50 } };

	(void)argv;
	signal(SIGALRM, count);
	setitimer(ITIMER_REAL, &each, NULL);
	for (double end = seconds_of(CLOCK_MONOTONIC) + LONG; seconds_of(CLOCK_MONOTONIC) < end; )
		;
}

static void raise_limits(char **argv)
{
	static const int which[] = { RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_STACK, RLIMIT_NOFILE, RLIMIT_CORE,
				     RLIMIT_MEMLOCK, RLIMIT_NPROC, RLIMIT_AS, RLIMIT_DATA };

	(void)argv;
	for (size_t i = 0; i < ARRAY_SIZE(which); i++) {
		struct rlimit l, more;
		getrlimit(which[i], &l);
		more = (struct rlimit){ RLIM_INFINITY, RLIM_INFINITY };
		if (l.rlim_max != RLIM_INFINITY && setrlimit(which[i], &more) == 0)
			breach("limit %d lifted", which[i]);
		more = (struct rlimit){ 1, 1 };
		if (prlimit(1, which[i], &more, NULL) == 0)
			breach("limit %d of init set", which[i]);
		if (prlimit(getppid(), which[i], &more, NULL) == 0)
			breach("limit %d of the parent set", which[i]);
	}
}

static void priorities(char **argv)
{
	struct sched_param fifo = { .sched_priority = 1 };
	cpu_set_t before, all, after;

	(void)argv;
	must_fail("SCHED_FIFO", sched_setscheduler(0, SCHED_FIFO, &fifo));
	must_fail("SCHED_RR", sched_setscheduler(0, SCHED_RR, &fifo));
	errno = 0;
	must_fail("a negative nice value", setpriority(PRIO_PROCESS, 0, -5));
	must_fail("renicing init", setpriority(PRIO_PROCESS, 1, -1));
	must_fail("real-time I/O", syscall(SYS_ioprio_set, 1, 0, 1 << 13));
	sched_getaffinity(0, sizeof(before), &before);
	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
	sched_getaffinity(0, sizeof(after), &after);
	if (getenv("ONE_CPU") && CPU_COUNT(&after) > CPU_COUNT(&before))
		breach("%d CPUs became %d", CPU_COUNT(&before), CPU_COUNT(&after));
}

static void set_clock(char **argv)
{
	struct timespec now;
	struct timeval day;
	struct timex t = { .modes = ADJ_OFFSET_SINGLESHOT, .offset = 1 };

	(void)argv;
	clock_gettime(CLOCK_REALTIME, &now);
	must_fail("clock_settime", clock_settime(CLOCK_REALTIME, &now));
	gettimeofday(&day, NULL);
	must_fail("settimeofday", settimeofday(&day, NULL));
	must_fail("adjtimex", adjtimex(&t));
}

static const struct technique table[] = {
	{ "spin", spin }, { "spin-deaf", spin_deaf }, { "sleep-deaf", sleep_deaf }, { "stop-itself", stop_itself },
	{ "stop-family", stop_family }, { "threads", threads }, { "leader-gone", leader_gone },
	{ "relay", relay }, { "relay-fast", relay_fast }, { "daemon", daemon_stays },
	{ "strange-name", strange_name }, { "bursts", bursts }, { "timer-storm", timer_storm },
	{ "raise-limits", raise_limits }, { "priorities", priorities }, { "set-clock", set_clock },
};

TECHNIQUES(table)
