/*
 * The table of limits, and the values a box gets. Pure; runs in the judge, outside the box.
 */
#include "sandbox/limits.h"

#include "base/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MS ((uint64_t)1000)
#define SECOND (1000 * MS)
#define SHOWN_MOST 40	/* bytes of a refused text that a message repeats */

const struct limit_row limit_rows[] = {
	[LIMIT_TIME] = { .name = "time", .unit = UNIT_TIME, .follows = -1,
		.initial = 2 * SECOND, .initial_compile = 20 * SECOND,
		.least = MS, .most = 60 * SECOND,
		.exceeding = "TLE", .help = "CPU time of the whole box" },
	[LIMIT_WALL_TIME] = { .name = "wall-time", .unit = UNIT_TIME, .follows = -1,
		.initial = 30 * SECOND, .initial_compile = 60 * SECOND,
		.least = MS, .most = 300 * SECOND,
		.exceeding = "WTL", .help = "time on the clock, from start to end" },
	[LIMIT_EXTRA_TIME] = { .name = "extra-time", .unit = UNIT_TIME, .follows = -1,
		.initial = 0, .initial_compile = 0, .least = 0, .most = 60 * SECOND,
		.exceeding = "TLE", .help = "CPU time past the limit before the box is ended" },
	[LIMIT_MEMORY] = { .name = "memory", .unit = UNIT_BYTES, .follows = -1,
		.initial = 256 * MIB, .initial_compile = 2 * GIB, .least = MIB, .most = 4 * GIB,
		.exceeding = "MLE", .help = "memory of the whole box" },
	[LIMIT_PROCESSES] = { .name = "processes", .unit = UNIT_COUNT, .follows = -1,
		.initial = 64, .initial_compile = 64, .least = 1, .most = 1024,
		.exceeding = "fork fails (EAGAIN)", .help = "processes and threads at once" },
	[LIMIT_OPEN_FILES] = { .name = "open-files", .unit = UNIT_COUNT, .follows = -1,
		/* Less than the three standard streams is no program's lot. */
		.initial = 256, .initial_compile = 256, .least = 3, .most = 1024,
		.exceeding = "open fails (EMFILE)", .help = "open files of one process" },
	[LIMIT_DISK] = { .name = "disk", .unit = UNIT_BYTES, .follows = -1,
		/* A page: tmpfs(5) takes size=0 for no limit at all. */
		.initial = 64 * MIB, .initial_compile = 512 * MIB, .least = 4 * KIB, .most = GIB,
		.exceeding = "write fails (ENOSPC)", .help = "files of the box, in bytes" },
	[LIMIT_INODES] = { .name = "inodes", .unit = UNIT_COUNT, .follows = -1,
		/* The box's own folders are among them; nr_inodes=0 would be no limit. */
		.initial = 4096, .initial_compile = 4096, .least = 16, .most = MIB,
		.exceeding = "create fails (ENOSPC)", .help = "files of the box, in number" },
	[LIMIT_OUTPUT] = { .name = "output", .unit = UNIT_BYTES, .follows = -1,
		.initial = 10 * MIB, .initial_compile = MIB, .least = 0, .most = 100 * MIB,
		.exceeding = "OLE", .help = "bytes on standard output, and on standard error" },
	[LIMIT_CPUS] = { .name = "cpus", .unit = UNIT_CPUS, .follows = -1,
		/* The kernel's smallest quota is 1 ms of a 100 ms period. */
		.initial = 1000, .initial_compile = 1000, .least = 10, .most = LIMIT_NONE,
		.exceeding = "throttled", .help = "share of the CPUs" },
	[LIMIT_STACK] = { .name = "stack", .unit = UNIT_BYTES, .follows = LIMIT_MEMORY,
		.initial = LIMIT_FOLLOWS, .initial_compile = LIMIT_FOLLOWS,
		.least = 64 * KIB, .most = LIMIT_NONE,
		.exceeding = "RTE (SIGSEGV)", .help = "stack of the program's first thread" },
	[LIMIT_FILE_SIZE] = { .name = "file-size", .unit = UNIT_BYTES, .follows = LIMIT_DISK,
		.initial = LIMIT_FOLLOWS, .initial_compile = LIMIT_FOLLOWS,
		.least = 0, .most = LIMIT_NONE,
		.exceeding = "RTE (SIGXFSZ)", .help = "bytes of one file" },
};
_Static_assert(ARRAY_SIZE(limit_rows) == LIMIT_COUNT, "a row for each limit");

char *limit_format(enum limit which, uint64_t value, char *ret_text, size_t size)
{
	if (value == LIMIT_NONE)
		snprintf(ret_text, size, "unlimited");
	else
		unit_format(limit_rows[which].unit, value, ret_text, size);
	return ret_text;
}

/* The same as it can be typed: "60" for 60 s, "4GiB", "4096". */
static char *limit_spell(enum limit which, uint64_t value, char *ret_text, size_t size)
{
	char *space = strchr(limit_format(which, value, ret_text, size), ' ');

	if (!space)
		return ret_text;
	if (space[1] == 's' || space[1] == 'b')
		*space = '\0';
	else
		memmove(space, space + 1, strlen(space));
	return ret_text;
}

/* How much of a refused text to repeat, cut between two characters. */
static int shown_length(const char *text)
{
	size_t n = strnlen(text, SHOWN_MOST + 1);

	if (n <= SHOWN_MOST)
		return (int)n;
	for (n = SHOWN_MOST; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
		;
	return (int)n;
}

/* A usage error behind the origin's name, if there is one. */
__attribute__((format(printf, 3, 4)))
static int refuse(struct err *e, const char *by, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return by ? fail_usage(e, "%s: %s", by, text) : fail_usage(e, "%s", text);
}

/* "--time: '2h': use seconds, as in 2 or 0.5 (at most 60)" */
static int refuse_text(enum limit which, const char *text, uint64_t most, const char *by, struct err *e)
{
	const int shown = shown_length(text);
	const char *dots = text[shown] ? "..." : "";
	const char *hint = unit_hint(limit_rows[which].unit);
	char ceiling[32];

	if (most == LIMIT_NONE)
		return refuse(e, by, "'%.*s%s': %s", shown, text, dots, hint);
	return refuse(e, by, "'%.*s%s': %s (at most %s)", shown, text, dots, hint,
		      limit_spell(which, most, ceiling, sizeof(ceiling)));
}

int limit_find(const char *name, size_t length)
{
	for (int i = 0; i < LIMIT_COUNT; i++)
		if (strlen(limit_rows[i].name) == length && memcmp(limit_rows[i].name, name, length) == 0)
			return i;
	return -1;
}

int limit_check(enum limit which, uint64_t value, uint64_t most, const char *by, struct err *e)
{
	const struct limit_row *row = &limit_rows[which];
	char asked[32], bound[32];

	if (value < row->least)
		return refuse(e, by, "%s is too little: at least %s",
			      limit_format(which, value, asked, sizeof(asked)),
			      limit_format(which, row->least, bound, sizeof(bound)));
	if (value <= most)
		return 0;
	refuse(e, by, "%s is over this installation's ceiling of %s",
	       limit_format(which, value, asked, sizeof(asked)),
	       limit_format(which, most, bound, sizeof(bound)));
	return fail_cure(e, "an administrator can raise it in the limits file: %s most %s", row->name,
			 limit_spell(which, value, asked, sizeof(asked)));
}

int limit_parse(enum limit which, const char *text, uint64_t most, const char *by, uint64_t *ret_value,
		struct err *e)
{
	const struct limit_row *row = &limit_rows[which];
	uint64_t value;

	if (row->most == LIMIT_NONE && strcmp(text, "unlimited") == 0)
		value = LIMIT_NONE;
	else if (unit_parse(row->unit, text, &value) < 0)
		return refuse_text(which, text, most, by, e);
	if (limit_check(which, value, LIMIT_NONE, by, e) < 0)
		return -1;
	*ret_value = value;
	return 0;
}

void limits_site_init(struct limits_site *ret_site)
{
	*ret_site = (struct limits_site){
		/* Nobody's: systemd's list of uid ranges leaves these out, and they exist in a container
		   whose id map has only 65536 ids. */
		.first_uid = 60600, .last_uid = 61183,
	};
	for (int i = 0; i < LIMIT_COUNT; i++) {
		ret_site->initial[PHASE_RUN].value[i] = limit_rows[i].initial;
		ret_site->initial[PHASE_COMPILE].value[i] = limit_rows[i].initial_compile;
		ret_site->most[i] = limit_rows[i].most;
	}
}

int limit_set(struct limits *l, enum limit which, const char *text, const struct limits_site *site,
	      const char *by, struct err *e)
{
	uint64_t value;

	if (limit_parse(which, text, site->most[which], by, &value, e) < 0 ||
	    limit_check(which, value, site->most[which], by, e) < 0) // NOLINT(*core.CallAndMessage): -1 came before
		return -1;
	l->value[which] = value;
	return 0;
}

/* "unlimited" is the same as not set here: such a limit has no bound but the one it follows. */
static int finish_row(struct limits *l, enum limit which, struct err *e)
{
	const enum limit followed = (enum limit)limit_rows[which].follows;
	uint64_t *value = &l->value[which];
	char asked[32], bound[32];

	if (*value == LIMIT_FOLLOWS || *value == LIMIT_NONE)
		*value = l->value[followed];
	if (*value <= l->value[followed])
		return 0;
	return fail_usage(e, "the %s limit of %s is over the %s limit of %s", limit_rows[which].name,
			  limit_format(which, *value, asked, sizeof(asked)), limit_rows[followed].name,
			  limit_format(followed, l->value[followed], bound, sizeof(bound)));
}

int limits_finish(struct limits *l, struct err *e)
{
	for (int i = 0; i < LIMIT_COUNT; i++)
		if (limit_rows[i].follows >= 0 && finish_row(l, (enum limit)i, e) < 0)
			return -1;
	return 0;
}
