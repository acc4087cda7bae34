/* Programs that look for a way out: families of sockets, interfaces, listeners of the host. */
#include "hostile.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#define UNKNOWN_FAMILY_MOST 46

/* AF_UNIX is free; of AF_INET and AF_INET6 a socket may exist in a dead network; nothing else may. */
static void families(char **argv)
{
	static const int kinds[] = { SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET, SOCK_RDM };

	(void)argv;
	for (int family = 1; family < UNKNOWN_FAMILY_MOST; family++)
		for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
			if (family == AF_UNIX || ((family == AF_INET || family == AF_INET6) && kinds[i] != SOCK_RAW))
				continue;
			if (family == AF_NETLINK)
				continue;       /* see netlink */
			int fd = socket(family, kinds[i], 0);
			if (fd >= 0)
				breach("a socket of family %d, kind %d", family, kinds[i]);
		}
	for (int protocol = 0; protocol < 256; protocol++)
		if (socket(AF_INET, SOCK_RAW, protocol) >= 0 || socket(AF_PACKET, SOCK_RAW, htons((unsigned short)protocol)) >= 0)
			breach("a raw socket, protocol %d", protocol);
}

static void netlink(char **argv)
{
	(void)argv;
	for (int protocol = 1; protocol < 32; protocol++)
		if (protocol != NETLINK_ROUTE && socket(AF_NETLINK, SOCK_RAW, protocol) >= 0)
			breach("netlink protocol %d", protocol);
}

static void interfaces(char **argv)
{
	struct ifreq r;
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);

	(void)argv;
	for (int i = 1; i < 200; i++) {
		memset(&r, 0, sizeof(r));
		r.ifr_ifindex = i;
		if (ioctl(fd, SIOCGIFNAME, &r) == 0 && strcmp(r.ifr_name, "lo"))
			breach("interface %s", r.ifr_name);
	}
	memset(&r, 0, sizeof(r));
	strcpy(r.ifr_name, "lo");
	r.ifr_flags = IFF_UP;
	must_fail("bringing the loopback up", ioctl(fd, SIOCSIFFLAGS, &r));
	must_fail("making a tun device", open("/dev/net/tun", O_RDWR));
}

/* PORT: where the harness listens on the host's loopback. */
static void connect_host(char **argv)
{
	static const char *const hosts[] = { "127.0.0.1", "0.0.0.0", "10.0.0.1", "169.254.169.254", "172.17.0.1", "192.168.0.1",
					     "8.8.8.8" };

	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
		struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[0])) };
		inet_pton(AF_INET, hosts[i], &to.sin_addr);
		int tcp = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), udp = socket(AF_INET, SOCK_DGRAM, 0);
		if (tcp >= 0 && (connect(tcp, (struct sockaddr *)&to, sizeof(to)) == 0 || errno == EINPROGRESS))
			breach("a connection to %s", hosts[i]);
		if (udp >= 0 && connect(udp, (struct sockaddr *)&to, sizeof(to)) == 0)
			breach("a route to %s", hosts[i]);
		if (tcp >= 0)
			close(tcp);
		if (udp >= 0)
			close(udp);
	}
	struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_port = htons((unsigned short)atoi(argv[0])),
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	int fd = socket(AF_INET6, SOCK_STREAM, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&six, sizeof(six)) == 0)
		breach("a connection to ::1");
}

/* NAME PATH: the harness's abstract socket, and its socket in the caller's folder. */
static void connect_unix(char **argv)
{
	struct sockaddr_un abstract = { .sun_family = AF_UNIX }, path = { .sun_family = AF_UNIX };
	size_t length = strlen(argv[0]);

	memcpy(abstract.sun_path + 1, argv[0], length);
	snprintf(path.sun_path, sizeof(path.sun_path), "%s", argv[1]);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connect(fd, (struct sockaddr *)&abstract, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length)) == 0)
		breach("the host's abstract socket");
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connect(fd, (struct sockaddr *)&path, sizeof(path)) == 0)
		breach("the host's socket in the file system");
}

static const struct technique table[] = {
	{ "families", families }, { "netlink", netlink }, { "interfaces", interfaces },
	{ "connect-host", connect_host }, { "connect-unix", connect_unix },
};

TECHNIQUES(table)
