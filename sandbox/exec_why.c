/* Reads a program file to explain its failing start. Runs in the judge, after the box. */
#include "sandbox/exec_why.h"

#include "base/array.h"
#include "base/fd.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEAD 4096	/* elf(5) program headers of ordinary programs lie in the first page */

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#else
#error "judge knows x86-64 and aarch64"
#endif

static const struct {
	unsigned machine;
	const char *name;
} machines[] = {
	{ EM_386, "i386" },	{ EM_X86_64, "x86-64" }, { EM_ARM, "arm" },	{ EM_AARCH64, "aarch64" },
	{ EM_RISCV, "riscv" },	{ EM_PPC64, "ppc64" },	 { EM_S390, "s390" },	{ EM_MIPS, "mips" },
};

static const char *machine_name(unsigned machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].machine == machine)
			return machines[i].name;
	return "another cpu";
}

/* As far as the plan knows the box: what it makes, and what lies below a bound folder. */
static bool box_has(const struct plan *p, const char *path)
{
	char host[PATH_MAX];

	for (size_t i = 0; *path == '/' && i < p->root.count; i++) {
		const struct root_op *op = &p->root.ops[i];
		size_t length = strlen(op->path);

		if (strncmp(op->path, path + 1, length) || (path[1 + length] != '/' && path[1 + length]))
			continue;
		if (op->kind == ROOT_LINK && path[1 + length] == '/')	/* merged /usr: /bin is usr/bin */
			snprintf(host, sizeof(host), "/%s%s", op->source, path + 1 + length);
		else if (op->kind == ROOT_BIND)
			snprintf(host, sizeof(host), "%s%s", op->source, path + 1 + length);
		else if (path[1 + length])
			continue;
		else
			return true;
		if (access(host, F_OK) == 0)
			return true;
	}
	return false;
}

static void note_missing(const struct plan *p, struct outcome *o, const char *path, size_t length)
{
	char name[sizeof(o->exec_missing)];

	snprintf(name, sizeof(name), "%.*s", (int)length, path);
	if (*name && !box_has(p, name))
		memcpy(o->exec_missing, name, sizeof(name));
}

/* execve(2): #!, blanks, the interpreter up to a blank or the end of the line. A carriage return of Windows
   belongs to the name, which is why it is not found. */
static void read_script(const struct plan *p, const char *head, struct outcome *o)
{
	const char *at = head + 2 + strspn(head + 2, " \t");

	note_missing(p, o, at, strcspn(at, " \t\n"));
}

static void read_elf(const struct plan *p, const char *head, size_t size, struct outcome *o)
{
	const Elf64_Ehdr *elf = (const void *)head;
	uint64_t writable = 0;

	if (head[EI_CLASS] != ELFCLASS64 || elf->e_machine != OWN_MACHINE) {
		snprintf(o->exec_machine, sizeof(o->exec_machine), "%s", machine_name(elf->e_machine));
		return;
	}
	for (unsigned i = 0; i < elf->e_phnum; i++) {
		uint64_t at = elf->e_phoff + i * sizeof(Elf64_Phdr);
		Elf64_Phdr part;

		if (at > size || size - at < sizeof(part))
			break;
		memcpy(&part, head + at, sizeof(part));
		if (part.p_type == PT_LOAD && part.p_flags & PF_W)
			writable += part.p_memsz;
		if (part.p_type == PT_INTERP && part.p_offset < size)
			note_missing(p, o, head + part.p_offset, size - part.p_offset);
	}
	if (writable > p->limits.value[LIMIT_MEMORY])
		o->memory_refused = true;
}

static bool died_at_start(const struct outcome *o)
{
	return o->has_status && WIFSIGNALED(o->wait_status) && o->ended_by == ENDED_ITSELF &&
	       o->cpu_us < 100000;
}

void exec_why(const struct plan *p, struct outcome *o)
{
	char head[HEAD + 1];

	if (!p->outside || (!o->exec_errno && !died_at_start(o)))
		return;
	autoclose int fd = open(p->outside, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t size = fd < 0 ? -1 : read_full(fd, head, HEAD);

	if (size < 4)
		return;
	head[size] = 0;
	if (o->exec_errno == ENOENT && !strncmp(head, "#!", 2))
		read_script(p, head, o);
	else if (!strncmp(head, ELFMAG, SELFMAG) && (size_t)size >= sizeof(Elf64_Ehdr))
		read_elf(p, head, (size_t)size, o);
}
