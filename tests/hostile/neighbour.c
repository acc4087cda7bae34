/* Programs that look for another box, for the host behind it, or for a channel between the two. */
#include "hostile.h"

#include <mqueue.h>
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/utsname.h>

#define KEY 0x6a756467
#define NAME "/hostile-channel"

static int abstract_socket(struct sockaddr_un *ret, socklen_t *ret_length)
{
	*ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
	memcpy(ret->sun_path + 1, "hostile-channel", 15);
	*ret_length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 16);
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

/* Leaves something of every kind and stays a while, for `look` in another box. */
static void leave(char **argv)
{
	struct sockaddr_un address;
	socklen_t length;

	(void)argv;
	shmget(KEY, 4096, IPC_CREAT | 0666);
	semget(KEY, 1, IPC_CREAT | 0666);
	msgget(KEY, IPC_CREAT | 0666);
	shm_open(NAME, O_CREAT | O_RDWR, 0666);
	mq_open(NAME, O_CREAT | O_RDWR, 0666, NULL);
	int fd = abstract_socket(&address, &length);
	if (bind(fd, (struct sockaddr *)&address, length) == 0)
		listen(fd, 1);
	close(open("/tmp/hostile-channel", O_CREAT | O_WRONLY, 0666));
	puts("left");
	fflush(stdout);
	char byte;
	while (read(0, &byte, 1) > 0)
		;
}

static void look(char **argv)
{
	struct sockaddr_un address;
	socklen_t length;

	(void)argv;
	must_fail("the neighbour's shared memory", shmget(KEY, 4096, 0));
	must_fail("the neighbour's semaphores", semget(KEY, 1, 0));
	must_fail("the neighbour's message queue", msgget(KEY, 0));
	must_fail("the neighbour's POSIX memory", shm_open(NAME, O_RDWR, 0));
	must_fail("the neighbour's POSIX queue", mq_open(NAME, O_RDWR));
	must_fail("the neighbour's file in /tmp", open("/tmp/hostile-channel", O_RDONLY));
	int fd = abstract_socket(&address, &length);
	must_fail("the neighbour's abstract socket", connect(fd, (struct sockaddr *)&address, length));
	for (pid_t pid = 1; pid < 100000; pid++)
		if (pid != getpid() && pid != 1 && kill(pid, 0) == 0)
			breach("process %d", pid);
}

/* Facts about the host and its load. WORDS that must not show anywhere follow. */
static void identity(char **argv)
{
	static const char *const files[] = { "/proc/stat", "/proc/loadavg", "/proc/meminfo", "/proc/vmstat", "/proc/uptime",
		"/proc/version", "/proc/cmdline", "/proc/cpuinfo", "/proc/interrupts", "/proc/pressure/cpu", "/proc/modules",
		"/proc/kallsyms", "/proc/partitions", "/proc/diskstats", "/proc/sysvipc/shm", "/proc/keys", "/proc/locks",
		"/proc/sys/kernel/random/boot_id", "/sys/class/dmi/id/product_uuid", "/etc/machine-id", "/etc/hostname",
		"/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "/sys/class/thermal/thermal_zone0/temp" };
	static const char *const own[] = { "/proc/self/mountinfo", "/proc/self/cgroup", "/proc/self/environ", "/proc/self/maps",
		"/proc/self/status", "/proc/self/net/tcp", "/proc/self/net/unix", "/proc/self/net/dev", "/etc/passwd",
		"/etc/hosts", "/proc/self/uid_map" };
	static char text[1 << 18];
	struct utsname name;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		int fd = open(files[i], O_RDONLY);
		ssize_t n = fd >= 0 ? read(fd, text, 64) : 0;
		if (n > 0 && !(strstr(files[i], "hostname") && n <= 4))
			breach("%s may be read", files[i]);
		if (fd >= 0)
			close(fd);
	}
	for (char **word = argv; *word; word++)
		for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
			int fd = open(own[i], O_RDONLY);
			ssize_t n = 0, all = 0;
			while (fd >= 0 && (n = read(fd, text + all, sizeof(text) - 1 - (size_t)all)) > 0)
				all += n;
			if (fd >= 0)
				close(fd);
			if (all > 0 && memmem(text, (size_t)all, *word, strlen(*word)))
				breach("%s shows \"%s\"", own[i], *word);
		}
	uname(&name);
	if (strcmp(name.nodename, "box"))
		breach("the host's name: %s", name.nodename);
}

/* Dies with a full memory and asks for a core. */
static void core(char **argv)
{
	struct rlimit l = { RLIM_INFINITY, RLIM_INFINITY };

	(void)argv;
	char *p = memset(malloc(100 * MIB), 1, 100 * MIB);
	__asm__ volatile("" : : "r"(p) : "memory");
	setrlimit(RLIMIT_CORE, &l);
	abort();
}

static void noise(char **argv)
{
	size_t size = 128 * MIB;
	char *p = malloc(size);

	(void)argv;
	puts("noise");
	fflush(stdout);
	for (double end = seconds_of(CLOCK_PROCESS_CPUTIME_ID) + 1.5; p && seconds_of(CLOCK_PROCESS_CPUTIME_ID) < end; )
		for (size_t at = 0; at < size; at += 64)
			((volatile char *)p)[at]++;
}

/* A fixed amount of work; says what it cost. */
static void probe(char **argv)
{
	size_t count = 4 * MIB / sizeof(unsigned), at = 0;
	unsigned *next = malloc(count * sizeof(unsigned));

	(void)argv;
	for (size_t i = 0; next && i < count; i++)
		next[i] = (unsigned)((i * 7919 + 12345) % count);
	for (int i = 0; next && i < 4000000; i++)
		at = next[at];
	printf("used %.6f\nend %zu\n", seconds_of(CLOCK_PROCESS_CPUTIME_ID), at);
}

static const struct technique table[] = {
	{ "leave", leave }, { "look", look }, { "identity", identity }, { "core", core }, { "noise", noise },
	{ "probe", probe },
};

TECHNIQUES(table)
