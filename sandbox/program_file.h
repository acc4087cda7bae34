/* What the head of a program's file says: which machine it is for, and what runs it. Pure reading. */
#ifndef SANDBOX_PROGRAM_FILE_H
#define SANDBOX_PROGRAM_FILE_H

#include "sandbox/limits.h"

#include <stdbool.h>
#include <stdint.h>

struct program_file {
	bool is_script, is_elf;
	char runs_it[256];	/* interpreter of a script (execve(2)) or loader of an ELF file (elf(5),
				   PT_INTERP); "" for a static one */
	char machine[16];	/* of an ELF file that is not this machine's, else "" */
	uint64_t writable_bytes;	/* static data of an ELF file */
};

/* Reads the first page of the host's file. 0, or -1 with errno: it cannot be read. A file that is neither
   script nor ELF gives an empty result. */
int program_file_read(const char *path, struct program_file *ret);

#endif
