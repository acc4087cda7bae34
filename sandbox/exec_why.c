/* Explains a failing start by the program's file. Runs in the judge, after the box. */
#include "sandbox/exec_why.h"

#include "sandbox/program_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static bool died_at_start(const struct outcome *o)
{
	return o->has_status && WIFSIGNALED(o->wait_status) && o->ended_by == ENDED_ITSELF &&
	       o->cpu_us < 100000;
}

void exec_why(const struct plan *p, struct outcome *o)
{
	struct program_file f;

	if (!p->outside || (!o->exec_errno && !died_at_start(o)) || program_file_read(p->outside, &f) < 0)
		return;
	memcpy(o->exec_machine, f.machine, sizeof(o->exec_machine));
	if (f.writable_bytes > p->limits.value[LIMIT_MEMORY])
		o->memory_refused = true;
	if (*f.runs_it && !box_has(p, f.runs_it) && (o->exec_errno == ENOENT || !f.is_script))
		memcpy(o->exec_missing, f.runs_it, sizeof(o->exec_missing));
}
