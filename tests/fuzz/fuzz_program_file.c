/* Fuzzes the reader of a program's head: ELF and scripts, from a file in memory. */
#include "tests/fuzz/input.h"

#include "base/fd.h"
#include "sandbox/program_file.h"

#include <sys/mman.h>

/* execve(2): #!, blanks, a name up to a blank or the line's end. */
static void check_script(const struct program_file *f, const char *head)
{
	size_t length;

	HOLDS(f->is_script && !f->is_elf && !f->machine[0] && f->writable_bytes == 0);
	head += 2;
	while (*head == ' ' || *head == '\t')
		head++;
	length = strlen(f->runs_it);
	HOLDS(memcmp(head, f->runs_it, length) == 0);
	HOLDS(length == sizeof(f->runs_it) - 1 || !head[length] || strchr(" \t\n", head[length]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	autoclose int fd = memfd_create("program", MFD_CLOEXEC);
	struct program_file f = { .is_elf = true };
	struct input in = { data, size };
	char path[40], *head;

	HOLDS(fd >= 0 && write_all(fd, data, size) == 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	HOLDS(program_file_read(path, &f) == 0);
	HOLDS(memchr(f.runs_it, '\0', sizeof(f.runs_it)) && memchr(f.machine, '\0', sizeof(f.machine)));
	HOLDS(!f.is_script || !f.is_elf);
	HOLDS(!f.is_elf || size >= 64);
	HOLDS(!f.machine[0] || (f.is_elf && !f.runs_it[0] && !f.writable_bytes));
	head = input_rest(&in);
	if (size >= 2 && memcmp(head, "#!", 2) == 0 && size < 4096)
		check_script(&f, head);
	else if (size < 4 || memcmp(head, "\177ELF", 4))
		HOLDS((size >= 4096 && f.is_script) || (!f.is_elf && !f.is_script && !f.runs_it[0]));
	free(head);
	return 0;
}
