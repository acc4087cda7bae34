/*
 * Fuzzes what is read of /proc/PID. The files are the input's: the reader of processes.c is made to read those. A stat
 * line whose name holds anything at all must still give the numbers that stand behind the name.
 */
#include "tests/fuzz/input.h"

#include "base/fd.h"

#include <errno.h>

/* Of the process that is read, in this order in the input, each up to a NUL. */
static const char *const file_names[] = { "stat", "status", "smaps_rollup", "children" };
enum { FILES = sizeof(file_names) / sizeof(file_names[0]) };

struct fake {
	const char *text[FILES];
};
static struct fake proc;

/* Stands for read_text_at, with its contract. */
static ssize_t fake_read(const char *path, char *ret_text, size_t size)
{
	const char *name = strrchr(path, '/') + 1;

	for (size_t i = 0; i < FILES; i++) {
		const size_t length = strcmp(name, file_names[i]) ? 0 : strlen(proc.text[i]);

		if (strcmp(name, file_names[i]))
			continue;
		if (length >= size) {
			errno = EFBIG;
			return -1;
		}
		memcpy(ret_text, proc.text[i], length + 1);
		return (ssize_t)length;
	}
	errno = ENOENT;
	return -1;
}

#define read_text_at(folder, path, text, size) ((void)(folder), fake_read(path, text, size))
#include "sandbox/processes.c"
#undef read_text_at

/* Anything the kernel may show as a name: 15 bytes of prctl(PR_SET_NAME), any but NUL (kernel threads have 63). */
static void known_numbers(struct input *in)
{
	char *name = input_text(in, input_byte(in) % 64), text[1024];
	const unsigned parent = (unsigned)input_number(in), user = (unsigned)input_number(in),
		       sys = (unsigned)input_number(in);
	unsigned long long value = 0;

	snprintf(text, sizeof(text), "42 (%s) S %u 5 5 0 -1 4194560 90 0 0 0 1 2 %u %u 20 0 1 0 77 1000 1\n", name,
		 parent, user, sys);
	HOLDS(stat_field(text, 4, &value) && value == parent);
	HOLDS(stat_field(text, 16, &value) && value == user);
	HOLDS(stat_field(text, 17, &value) && value == sys);
	HOLDS(!stat_field(text, 60, &value));
	proc.text[0] = text;
	HOLDS(waited_us(42) == ((uint64_t)user + sys) * (1000000 / (uint64_t)sysconf(_SC_CLK_TCK)));
	free(name);
}

static void any_files(struct input *in)
{
	struct processes p;
	unsigned long long value;
	char *text[FILES];

	for (size_t i = 0; i < FILES; i++) {
		const uint8_t *end = in->left ? memchr(in->at, '\0', in->left) : NULL;

		proc.text[i] = text[i] = input_text(in, end ? (size_t)(end - in->at) : in->left);
		(void)input_byte(in);
	}
	processes_init(&p, 42, 8);
	p.list = calloc(p.most, sizeof(*p.list));
	HOLDS(p.list);
	note_children(&p, 42, "42");
	HOLDS(p.count <= p.most);
	for (size_t i = 0; i < p.count; i++)
		for (size_t j = 0; j < i; j++)
			HOLDS(p.list[i].pid != p.list[j].pid);
	(void)processes_memory(&p, true);
	(void)processes_memory(&p, false);
	(void)processes_cpu(&p);
	(void)processes_first_child(42);
	for (int field = 4; field < 60; field++)
		(void)stat_field(proc.text[0], field, &value);
	processes_free(&p);
	for (size_t i = 0; i < FILES; i++)
		free(text[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };

	for (size_t i = 0; i < FILES; i++)
		proc.text[i] = "";
	if (input_byte(&in) & 1)
		known_numbers(&in);
	else
		any_files(&in);
	for (size_t i = 0; i < FILES; i++)
		proc.text[i] = "";
	return 0;
}
