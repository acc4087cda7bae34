/* Programs that abuse their streams and the files the judge collects. */
#include "hostile.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

static char block[64 << 10];

/* At most 256 MiB, so that it ends anywhere. */
static void flood(char **argv)
{
	int first = atoi(argv[0]), second = atoi(argv[1]);

	signal(SIGPIPE, SIG_IGN);
	memset(block, 'x', sizeof(block));
	for (int i = 0; i < 4096; i++)
		if (write(i % 2 ? first : second, block, sizeof(block)) < 0)
			break;
}

/* Pages given to the pipe and changed afterwards. */
static void flood_vmsplice(char **argv)
{
	struct iovec v = { block, sizeof(block) };

	(void)argv;
	for (int i = 0; i < 4096; i++) {
		memset(block, 'a' + i % 26, sizeof(block));
		if (vmsplice(1, &v, 1, SPLICE_F_GIFT) < 0)
			break;
	}
}

static void close_all(char **argv)
{
	(void)argv;
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	sleep(1);
}

static void ignore_input(char **argv)
{
	(void)argv;
}

static void nasty_bytes(char **argv)
{
	(void)argv;
	for (int i = 0; i < 256; i++)
		putchar(i);
	fputs("\xef\xbb\xbf\xc0\x80\xed\xa0\x80\xf8\x88\x80\x80\x80\x1b[2J\x1b]0;t\x07\x1b[6n\xe2\x80\xae\r\n", stdout);
	fwrite("verdict:OK\nmessage:\0\n{\"verdict\":\"AC\"}\n", 1, 38, stdout);
	memset(block, 'L', sizeof(block));
	for (int i = 0; i < 32; i++)
		fwrite(block, 1, sizeof(block), stdout);
	putchar('\n');
}

/* What is behind a pipe of the box's own may be written: it reaches nobody else. */
static void reopen(char **argv)
{
	static const int flags[] = { O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC, O_WRONLY | O_APPEND };
	struct stat input;

	(void)argv;
	fstat(0, &input);
	for (size_t i = 0; i < ARRAY_SIZE(flags) && S_ISREG(input.st_mode); i++) {
		int fd = open("/proc/self/fd/0", flags[i] | O_NONBLOCK);
		if (fd >= 0 && write(fd, "OVERWRITTEN", 11) > 0)
			breach("the input may be written (flags %o)", flags[i]);
	}
	if (write(0, "OVERWRITTEN", 11) > 0 || ftruncate(0, 0) == 0)
		breach("the input may be written");
	for (int fd = 1; fd <= 2; fd++) {
		char path[32], byte;
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		int again = open(path, O_RDONLY | O_NONBLOCK);
		struct stat st;
		if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
			breach("stream %d is a file", fd);
		if (again >= 0 && pread(again, &byte, 1, 0) >= 0)
			breach("what is behind stream %d may be read at any place", fd);
		if (ftruncate(fd, 0) == 0 || lseek(fd, 0, SEEK_SET) >= 0)
			breach("stream %d may be truncated or sought", fd);
	}
}

/* Flags of a pipe are shared with whoever holds its other descriptors. */
static void stream_flags(char **argv)
{
	int one = 1;

	(void)argv;
	for (int fd = 0; fd < 3; fd++) {
		fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND | O_ASYNC);
		ioctl(fd, FIONBIO, &one);
		fcntl(fd, F_SETOWN, 1);
		fcntl(fd, F_SETPIPE_SZ, 4096);
		fcntl(fd, F_SETLEASE, F_WRLCK);
	}
	memset(block, 'f', sizeof(block));
	for (long left = 1000000; left > 0; ) {
		ssize_t n = write(1, block, left < (long)sizeof(block) ? (size_t)left : sizeof(block));
		if (n > 0)
			left -= n;
		else if (errno == EAGAIN)
			poll(&(struct pollfd){ 1, POLLOUT, 0 }, 1, 1000);
		else
			break;
	}
	printf("\n");
}

/* Reads its own output back out of the pipe, to be counted but not seen. */
static void steal_output(char **argv)
{
	int fd = open("/proc/self/fd/1", O_RDONLY | O_NONBLOCK);
	long taken = 0;

	(void)argv;
	memset(block, 'x', sizeof(block));
	for (int i = 0; fd >= 0 && i < 2000; i++) {
		(void)!write(1, block, 4096);
		ssize_t n = read(fd, block, sizeof(block));
		taken += n > 0 ? n : 0;
	}
	fprintf(stderr, "taken %ld\n", taken);
}

static int leave(const char *kind, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	unlink(name);
	if (!strcmp(kind, "fifo"))
		return mkfifo(name, 0600);
	if (!strcmp(kind, "folder"))
		return mkdir(name, 0700);
	if (!strcmp(kind, "zero"))
		return symlink("/dev/zero", name);
	if (!strcmp(kind, "passwd"))
		return symlink("/etc/passwd", name);
	if (!strcmp(kind, "chain"))
		return symlink("up/../../../../proc/self/root/etc/passwd", name);
	if (!strcmp(kind, "magic"))
		return symlink("/proc/self/fd/0", name);
	if (!strcmp(kind, "loop"))
		return symlink(name, name);
	if (!strcmp(kind, "program"))
		return link("/proc/self/exe", name);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", name);
	return bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof(address));
}

/* KIND NAME …: what is collected is none of what it should be. */
static void leave_all(char **argv)
{
	for (; argv[0] && argv[1]; argv += 2)
		if (leave(argv[0], argv[1]) < 0)
			printf("NOTE: %s could not be made\n", argv[0]);
}

static const struct technique table[] = {
	{ "flood", flood }, { "flood-vmsplice", flood_vmsplice }, { "close-all", close_all },
	{ "ignore-input", ignore_input }, { "nasty-bytes", nasty_bytes }, { "reopen", reopen },
	{ "stream-flags", stream_flags }, { "steal-output", steal_output }, { "leave", leave_all },
};

TECHNIQUES(table)
