/* A result in one line for a terminal. Pure; runs in the judge, outside the box. */
#include "report/human.h"

#include "base/array.h"
#include "base/fd.h"
#include "report/escape.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

/* The limits that a cgroup enforces for the box as a whole, and anything else less well. */
static const enum limit by_cgroup[] = { LIMIT_TIME, LIMIT_MEMORY, LIMIT_PROCESSES, LIMIT_CPUS };

static bool is_weak(unsigned mechanism)
{
	switch (mechanism) {
	case BY_NOTHING:
	case BY_RLIMIT:
	case BY_POLLING:
	case BY_CLOCKS:
	case BY_AFFINITY:
		return true;
	default:
		return false;
	}
}

/* The figure with what separates it from the one before. */
static void write_time(FILE *to, const char **separator, uint64_t us, const char *name)
{
	char text[32];

	fprintf(to, "%s%s s %s", *separator, seconds_format(us, 3, text, sizeof(text)), name);
	*separator = ", ";
}

static void write_memory(FILE *to, const char *separator, uint64_t bytes)
{
	if (bytes < MIB)
		fprintf(to, "%s%" PRIu64 " KiB", separator, bytes / KIB);
	else if (bytes < GIB)
		fprintf(to, "%s%.1f MiB", separator, (double)bytes / (double)MIB);
	else
		fprintf(to, "%s%.2f GiB", separator, (double)bytes / (double)GIB);
}

static void write_figures(FILE *to, const char *separator, const struct outcome *o)
{
	if (o->measured[FIGURE_CPU] != BY_NOTHING)
		write_time(to, &separator, o->cpu_us, "CPU");
	if (o->measured[FIGURE_WALL] != BY_NOTHING)
		write_time(to, &separator, o->wall_us, "wall");
	if (o->measured[FIGURE_MEMORY] != BY_NOTHING)
		write_memory(to, separator, o->mem_peak_bytes);
}

/* " [cgroup v1: cpus by affinity]": which cgroup when it is no v2, and each limit that had none. */
static void write_enforcement(FILE *to, const struct result *r)
{
	const struct outcome *o = &r->outcome;
	const int version = o->cgroup_version;
	const char *separator = version == 2 ? " [" : version == 1 ? " [cgroup v1" : " [no cgroup";
	bool any = version != 2;

	if (any)
		fputs(separator, to);
	separator = any ? ": " : separator;
	for (size_t i = 0; i < ARRAY_SIZE(by_cgroup); i++) {
		const enum limit l = by_cgroup[i];

		if (r->limits.value[l] >= LIMIT_FOLLOWS || !is_weak(o->enforced[l]))
			continue;
		fprintf(to, "%s%s by %s", separator, limit_rows[l].name, mechanism_name(o->enforced[l]));
		separator = ", ";
		any = true;
	}
	if (any)
		fputc(']', to);
}

static void write_escaped(FILE *to, const char *before, const char *raw)
{
	autofree char *text = escape_text(raw);

	fprintf(to, "%s%s", before, text);
}

char *human_line(const struct result *r)
{
	char *text = NULL;
	size_t length;
	FILE *to = need_memory(open_memstream(&text, &length));
	const char *separator = "  ";

	fprintf(to, "%-3s", verdict_rows[r->judgement.verdict].code);
	if (r->judgement.message[0]) {
		write_escaped(to, separator, r->judgement.message);
		separator = ": ";
	}
	/* A program from the cache: no box, no figures. */
	if (r->outcome.started && r->outcome.measured[FIGURE_WALL]) {
		write_figures(to, separator, &r->outcome);
		write_enforcement(to, r);
	}
	if (fclose(to) != 0)
		need_memory(NULL); /* a stream into memory fails in no other way */
	return need_memory(text);
}
