/* Names refused calls. Runs in the judge. */
#include "sandbox/refusal.h"

#include "base/array.h"
#include "seccomp/names.h"

#include <errno.h>
#include <linux/audit.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

struct word {
	uint64_t value;
	const char *name;
};

static const struct word families[] = {
	{ AF_UNIX, "AF_UNIX" },	    { AF_INET, "AF_INET" },	{ AF_INET6, "AF_INET6" },
	{ AF_NETLINK, "AF_NETLINK" }, { AF_PACKET, "AF_PACKET" }, { AF_ALG, "AF_ALG" },
	{ AF_VSOCK, "AF_VSOCK" },   { AF_KEY, "AF_KEY" },	{ AF_XDP, "AF_XDP" },
};

static const struct word clone_flags[] = {
	{ CLONE_NEWUSER, "CLONE_NEWUSER" }, { CLONE_NEWNS, "CLONE_NEWNS" },   { CLONE_NEWPID, "CLONE_NEWPID" },
	{ CLONE_NEWNET, "CLONE_NEWNET" },   { CLONE_NEWIPC, "CLONE_NEWIPC" }, { CLONE_NEWUTS, "CLONE_NEWUTS" },
	{ CLONE_NEWCGROUP, "CLONE_NEWCGROUP" },
};

static const struct word protections[] = { { 4, "PROT_EXEC" } };

/* Calls whose argument says what was wrong: it is the word itself, or one of its bits. */
static const struct detail {
	const char *call;
	int argument;
	bool bits;
	const struct word *words;
	size_t count;
} details[] = {
	{ "socket", 0, false, families, ARRAY_SIZE(families) },
	{ "socketpair", 0, false, families, ARRAY_SIZE(families) },
	{ "clone", 0, true, clone_flags, ARRAY_SIZE(clone_flags) },
	{ "unshare", 0, true, clone_flags, ARRAY_SIZE(clone_flags) },
	{ "mmap", 2, true, protections, ARRAY_SIZE(protections) },
	{ "mprotect", 2, true, protections, ARRAY_SIZE(protections) },
};

/* Calls of which the number of one argument tells enough. */
static const struct {
	const char *call;
	int argument;
} numbers[] = { { "ioctl", 1 }, { "prctl", 0 }, { "fcntl", 1 }, { "arch_prctl", 0 } };

static const char *detail_of(const struct seccomp_data *call, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(details); i++) {
		const struct detail *d = &details[i];
		uint64_t value = (uint32_t)call->args[d->argument];

		for (size_t j = 0; j < d->count && !strcmp(d->call, name); j++)
			if (d->bits ? value & d->words[j].value : value == d->words[j].value)
				return d->words[j].name;
	}
	return NULL;
}

static void name_native(const struct seccomp_data *call, char *ret_name, size_t size)
{
	const char *name = call_name(call->nr, FILTER_NATIVE), *detail = name ? detail_of(call, name) : NULL;

	if (!name) {
		snprintf(ret_name, size, "system call %d", call->nr);
		return;
	}
	snprintf(ret_name, size, detail ? "%s(%s)" : "%s", name, detail);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (!strcmp(numbers[i].call, name))
			snprintf(ret_name, size, "%s(%#x)", name, (unsigned)call->args[numbers[i].argument]);
}

void refusal_name(const struct seccomp_data *call, char *ret_name, size_t size)
{
#if defined(__x86_64__)
	const uint32_t own = AUDIT_ARCH_X86_64;
	const char *other = call->arch == AUDIT_ARCH_I386 ? "i386" : "foreign";

	if (call->arch == own && call->nr >= 0x40000000) {
		snprintf(ret_name, size, "x32 system call %d", call->nr - 0x40000000);
		return;
	}
#else
	const uint32_t own = AUDIT_ARCH_AARCH64;
	const char *other = call->arch == AUDIT_ARCH_ARM ? "arm" : "foreign";
#endif
	if (call->arch == own)
		name_native(call, ret_name, size);
	else
		snprintf(ret_name, size, "%s system call %d", other, call->nr);
}

int refusal_read(int listener, char *ret_name, size_t size)
{
	union {
		struct seccomp_notif notice;
		char room[256];	/* a later kernel's may be longer */
	} buffer;

	memset(&buffer, 0, sizeof(buffer)); /* the kernel insists */
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &buffer) < 0)
		return -1;
	refusal_name(&buffer.notice.data, ret_name, size);
	return 0;
}
