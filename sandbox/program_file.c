/* The head of a program's file. Runs in the judge. */
#include "sandbox/program_file.h"

#include "base/array.h"
#include "base/fd.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#define HEAD 4096	/* program headers of ordinary programs lie in the first page */

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

/* execve(2): #!, blanks, the interpreter up to a blank or the end of the line. A carriage return of Windows
   belongs to the name, which is why such a script is not found. */
static void read_script(const char *head, struct program_file *ret)
{
	const char *at = head + 2 + strspn(head + 2, " \t");

	ret->is_script = true;
	snprintf(ret->runs_it, sizeof(ret->runs_it), "%.*s", (int)strcspn(at, " \t\n"), at);
}

static void read_part(const Elf64_Phdr *part, const char *head, size_t size, struct program_file *ret)
{
	if (part->p_type == PT_LOAD && part->p_flags & PF_W)
		ret->writable_bytes += part->p_memsz;
	if (part->p_type == PT_INTERP && part->p_offset < size)
		snprintf(ret->runs_it, sizeof(ret->runs_it), "%.*s", (int)(size - part->p_offset),
			 head + part->p_offset);
}

static void read_elf(const char *head, size_t size, struct program_file *ret)
{
	Elf64_Ehdr elf;

	memcpy(&elf, head, sizeof(elf));
	ret->is_elf = true;
	if (head[EI_CLASS] != ELFCLASS64 || elf.e_machine != OWN_MACHINE) {
		snprintf(ret->machine, sizeof(ret->machine), "%s", machine_name(elf.e_machine));
		return;
	}
	for (unsigned i = 0; i < elf.e_phnum; i++) {
		uint64_t at = elf.e_phoff + i * sizeof(Elf64_Phdr);
		Elf64_Phdr part;

		if (at > size || size - at < sizeof(part))
			break;
		memcpy(&part, head + at, sizeof(part));
		read_part(&part, head, size, ret);
	}
}

int program_file_read(const char *path, struct program_file *ret)
{
	char head[HEAD + 1];
	autoclose int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t size = fd < 0 ? -1 : read_full(fd, head, HEAD);

	if (size < 0)
		return -1;
	*ret = (struct program_file){ .is_elf = false };
	head[size] = 0;
	if (!strncmp(head, "#!", 2))
		read_script(head, ret);
	else if (!strncmp(head, ELFMAG, SELFMAG) && (size_t)size >= sizeof(Elf64_Ehdr))
		read_elf(head, (size_t)size, ret);
	return 0;
}
