/* The option table of a run. Runs in the judge, before anything else. */
#include "cli/run_options.h"

#include "base/array.h"
#include "base/fd.h"
#include "sandbox/learn.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int set_limit(void *into, const struct option_row *row, const char *value, struct err *e)
{
	struct run_options *o = into;

	(void)e;
	o->limit_texts[row->key] = value;
	return 0;
}

/* Rows whose value is kept as it is: `key` is where in struct run_options. */
static int set_text(void *into, const struct option_row *row, const char *value, struct err *e)
{
	(void)e;
	memcpy((char *)into + row->key, &value, sizeof(value));
	return 0;
}

/* "-" is the judge's own stream, as without the option. */
static int set_stream(void *into, const struct option_row *row, const char *value, struct err *e)
{
	return set_text(into, row, strcmp(value, "-") ? value : NULL, e);
}

static int set_flag(void *into, const struct option_row *row, const char *value, struct err *e)
{
	bool yes = true;

	(void)value;
	(void)e;
	memcpy((char *)into + row->key, &yes, sizeof(yes));
	return 0;
}

static int set_env(void *into, const struct option_row *row, const char *value, struct err *e)
{
	struct run_options *o = into;
	struct request *r = &o->request;
	const char **slot;

	(void)row;
	if (!*value || *value == '=')
		return fail_usage(e, "'%s': use NAME or NAME=VALUE", value);
	if (!strchr(value, '=')) {
		const char *own = getenv(value);

		if (!own)
			return 0;	/* not set here: not set there */
		value = arena_printf(&o->arena, "%s=%s", value, own);
	}
	slot = arena_grow(&o->arena, (void **)&r->env, &o->env_capacity, r->env_count, sizeof(*slot));
	*slot = value;
	r->env_count++;
	return 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int add_file(void *into, const struct option_row *row, const char *value, struct err *e)
{
	struct run_options *o = into;
	struct request *r = &o->request;
	const char *equals = strrchr(value, '=');
	struct request_file *f;

	(void)row;
	if (!*value || equals == value)
		return fail_usage(e, "'%s': use SOURCE or SOURCE=NAME", value);
	f = arena_grow(&o->arena, (void **)&r->files, &o->file_capacity, r->file_count, sizeof(*f));
	f->source = equals ? arena_strndup(&o->arena, value, (size_t)(equals - value)) : value;
	f->name = equals ? equals + 1 : base_name(value);
	r->file_count++;
	return 0;
}

static int dir_flags(struct request_dir *d, const char *text, struct err *e)
{
	static const struct {
		const char *name;
		size_t at;
	} flags[] = {
		{ "rw", offsetof(struct request_dir, writable) },
		{ "noexec", offsetof(struct request_dir, noexec) },
		{ "maybe", offsetof(struct request_dir, maybe) },
	};

	do {
		size_t length = strcspn(text, ","), i = 0;

		while (i < ARRAY_SIZE(flags) && (strlen(flags[i].name) != length ||
						 strncmp(flags[i].name, text, length)))
			i++;
		if (i == ARRAY_SIZE(flags))
			return fail_usage(e, "'%.*s': use rw, noexec or maybe", (int)length, text);
		*((bool *)((char *)d + flags[i].at)) = true;
		text += length;
	} while (*text++ == ',');
	return 0;
}

static int add_dir(void *into, const struct option_row *row, const char *value, struct err *e)
{
	struct run_options *o = into;
	struct request *r = &o->request;
	char *inside = arena_strdup(&o->arena, value), *outside = strchr(inside, '='), *flags;
	struct request_dir *d;

	(void)row;
	if (!outside || outside == inside || !outside[1])
		return fail_usage(e, "'%s': use INSIDE=OUTSIDE or INSIDE=OUTSIDE:rw,noexec,maybe", value);
	*outside++ = 0;
	flags = strchr(outside, ':');
	d = arena_grow(&o->arena, (void **)&r->dirs, &o->dir_capacity, r->dir_count, sizeof(*d));
	*d = (struct request_dir){ .inside = inside, .outside = outside };
	r->dir_count++;
	if (!flags)
		return 0;
	*flags = 0;
	return dir_flags(d, flags + 1, e);
}

static bool has_dots(const char *path)
{
	for (const char *at = path; *at; at += strcspn(at, "/"), at += *at == '/')
		if (!strncmp(at, "..", 2) && (at[2] == '/' || !at[2]))
			return true;
	return false;
}

static int add_copy(void *into, const struct option_row *row, const char *value, struct err *e)
{
	struct run_options *o = into;
	struct request *r = &o->request;
	const char *equals = strchr(value, '=');
	struct request_copy *c;
	struct stat st;

	(void)row;
	if (!*value || *value == '/' || equals == value || (equals && !equals[1]))
		return fail_usage(e, "'%s': use NAME or NAME=DEST, NAME relative to /box", value);
	c = arena_grow(&o->arena, (void **)&r->copies, &o->copy_capacity, r->copy_count, sizeof(*c));
	c->name = equals ? arena_strndup(&o->arena, value, (size_t)(equals - value)) : value;
	c->dest = equals ? equals + 1 : base_name(value);
	if (has_dots(c->name))
		return fail_usage(e, "'%s': no \"..\" in a path of the box", c->name);
	if (stat(c->dest, &st) == 0 && S_ISDIR(st.st_mode))
		return fail_usage(e, "'%s': %s is a folder; name the file in it", value, c->dest);
	r->copy_count++;
	return 0;
}

static int set_net(void *into, const struct option_row *row, const char *value, struct err *e)
{
	static const char *const modes[] = {
		[NET_NONE] = "none", [NET_LOOPBACK] = "loopback", [NET_HOST] = "host",
	};
	struct run_options *o = into;

	(void)row;
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (!strcmp(modes[i], value)) {
			o->request.net = (enum net_mode)i;
			return 0;
		}
	return fail_usage(e, "'%s': use none, loopback or host", value);
}

static int set_cgroup(void *into, const struct option_row *row, const char *value, struct err *e)
{
	static const char *const modes[] = {
		[CGROUP_AUTO] = "auto", [CGROUP_V2] = "v2", [CGROUP_V1] = "v1", [CGROUP_NONE] = "none",
	};
	struct request *r = &((struct run_options *)into)->request;

	(void)row;
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (!strcmp(modes[i], value)) {
			r->cgroup = (enum cgroup_mode)i;
			return 0;
		}
	if (*value != '/')
		return fail_usage(e, "'%s': use auto, v2, v1, none or an absolute path", value);
	r->cgroup = CGROUP_PATH;
	r->cgroup_path = value;
	return 0;
}

static int set_require(void *into, const struct option_row *row, const char *value, struct err *e)
{
	static const struct {
		const char *name;
		enum require bit;
	} rows[] = {
		{ "cgroup", REQUIRE_CGROUP },
		{ "landlock", REQUIRE_LANDLOCK },
		{ "time-namespace", REQUIRE_TIME_NAMESPACE },
	};
	struct request *r = &((struct run_options *)into)->request;

	(void)row;
	do {
		size_t length = strcspn(value, ","), i = 0;

		while (i < ARRAY_SIZE(rows) && (strlen(rows[i].name) != length ||
						strncmp(rows[i].name, value, length)))
			i++;
		if (i == ARRAY_SIZE(rows))
			return fail_usage(e, "'%.*s': use cgroup, landlock or time-namespace", (int)length,
					  value);
		r->require |= rows[i].bit;
		value += length;
	} while (*value++ == ',');
	return 0;
}

static int add_exec(void *into, const struct option_row *row, const char *value, struct err *e)
{
	struct run_options *o = into;
	struct request *r = &o->request;
	const char **slot;

	(void)row;
	if (*value != '/')
		return fail_usage(e, "'%s': use an absolute path of the box, as in /usr/bin/env", value);
	slot = arena_grow(&o->arena, (void **)&r->exec_allow, &o->exec_capacity, r->exec_allow_count,
			  sizeof(*slot));
	*slot = value;
	r->exec_allow_count++;
	return 0;
}

static int set_chdir(void *into, const struct option_row *row, const char *value, struct err *e)
{
	(void)row;
	if (*value != '/')
		return fail_usage(e, "'%s': use an absolute path of the box", value);
	((struct run_options *)into)->request.chdir = value;
	return 0;
}

static int set_exit_code(void *into, const struct option_row *row, const char *value, struct err *e)
{
	(void)row;
	if (strcmp(value, "program") && strcmp(value, "verdict"))
		return fail_usage(e, "'%s': use program or verdict", value);
	((struct run_options *)into)->program_status = !strcmp(value, "program");
	return 0;
}

#define AT(member) (long)offsetof(struct run_options, member)

static const struct option_row rows[] = {
	{ "Limits", "time", 't', "S", "CPU time of the whole box: 2, 0.5, 1500ms", set_limit, LIMIT_TIME },
	{ NULL, "wall-time", 'w', "S", "time from start to end", set_limit, LIMIT_WALL_TIME },
	{ NULL, "extra-time", 'x', "S", "let a program past its CPU limit live this much longer; still TLE",
	  set_limit, LIMIT_EXTRA_TIME },
	{ NULL, "memory", 'm', "SIZE", "memory of the whole box, without swap: 256M", set_limit,
	  LIMIT_MEMORY },
	{ NULL, "processes", 'p', "N", "processes and threads at once", set_limit, LIMIT_PROCESSES },
	{ NULL, "open-files", 0, "N", "descriptors of one process", set_limit, LIMIT_OPEN_FILES },
	{ NULL, "disk", 0, "SIZE", "what the program may write to /box, /tmp and /dev/shm", set_limit,
	  LIMIT_DISK },
	{ NULL, "inodes", 0, "N", "files there", set_limit, LIMIT_INODES },
	{ NULL, "output", 0, "SIZE", "bytes of standard output, and of standard error", set_limit,
	  LIMIT_OUTPUT },
	{ NULL, "cpus", 0, "N", "share of the machine's CPUs: 1, 0.5, 2", set_limit, LIMIT_CPUS },
	{ NULL, "stack", 0, "SIZE", "stack of a process; the memory limit unless given", set_limit,
	  LIMIT_STACK },
	{ NULL, "file-size", 0, "SIZE", "one file; the disk limit unless given", set_limit,
	  LIMIT_FILE_SIZE },
	{ NULL, "limits", 0, "FILE", "the installation's: not $JUDGE_LIMITS or /etc/judge/limits",
	  set_text, AT(limits_file) },
	{ NULL, "problem", 0, "FILE", "a problem's overrides, a JSON object (see below)", set_text, AT(problem_file) },

	{ "Streams", "stdin", 'i', "FILE", "the program's standard input", set_stream,
	  AT(request.stdin_path) },
	{ NULL, "stdout", 'o', "FILE", "its standard output", set_stream, AT(request.stdout_path) },
	{ NULL, "stderr", 0, "FILE", "its standard error", set_stream, AT(request.stderr_path) },
	{ NULL, "stderr-to-stdout", 0, NULL, "both into standard output, in order", set_flag,
	  AT(request.stderr_to_stdout) },

	{ "Files", "file", 'f', "SRC[=NAME]", "put a copy of a file into /box", add_file, 0 },
	{ NULL, "dir", 'd', "IN=OUT[:rw,noexec,maybe]", "the host's OUT as IN in the box; maybe: if there is one",
	  add_dir, 0 },
	{ NULL, "copy-out", 0, "NAME[=DEST]", "bring a file of /box back afterwards, if it is there", add_copy, 0 },

	{ "Inside", "env", 'e', "NAME[=VALUE]", "set a variable, or pass on the judge's own", set_env, 0 },
	{ NULL, "chdir", 'c', "DIR", "start there instead of /box", set_chdir, 0 },
	{ NULL, "net", 0, "none|loopback|host", "no network at all unless given", set_net, 0 },

	{ "Enforcement", "policy", 0, "NAME|FILE", "system call policy, see judge policy; none: no filter",
	  set_text, AT(request.policy) },
	{ NULL, "exec-allow", 0, "PATH", "nothing may be executed but PROGRAM and this", add_exec, 0 },
	{ NULL, "cgroup", 0, "auto|v2|v1|none|PATH", "where the box's cgroup is made; PATH: of cgroup2, or in each v1 tree", set_cgroup, 0 },
	{ NULL, "require", 0, "LIST", "run only with these: cgroup,landlock,time-namespace",
	  set_require, 0 },

	{ "Results", "meta", 'M', "FILE", "write what happened as key:value lines (-: behind the output)",
	  set_text, AT(meta) },
	{ NULL, "json", 0, NULL, "the same as a JSON object; without --meta, on standard error", set_flag,
	  AT(json) },
	{ NULL, "audit", 0, "FILE", "append one JSON line to an audit log", set_text, AT(audit) },
	{ NULL, "user", 0, "TEXT", "the audit line's user", set_text, AT(user) },
	{ NULL, "task", 0, "TEXT", "the audit line's task_id", set_text, AT(task) },
	{ NULL, "exit-code", 0, "program|verdict", "exit with the program's own status (128+N for signal N)",
	  set_exit_code, 0 },
	{ NULL, "quiet", 'q', NULL, "no line about the verdict on standard error", set_flag, AT(quiet) },
	{ NULL, "verbose", 'v', NULL, "and all that is known of the run", set_flag, AT(verbose) },
	{ NULL, "help", 'h', NULL, "this text", set_flag, AT(help) },
};

const struct option_row *run_option_rows(size_t *ret_count)
{
	*ret_count = ARRAY_SIZE(rows);
	return rows;
}

/* Where the judge itself writes: nothing of it may lie where the program can put a link in its place. */
void run_options_outputs(struct run_options *o)
{
	struct request *r = &o->request;
	const struct request_output all[] = {
		{ "--meta", o->meta }, { "--audit", o->audit },
		{ "--stdout", r->stdout_path }, { "--stderr", r->stderr_path },
		{ "--save", r->learn ? r->learn->output : NULL },
	};

	r->outputs = arena_alloc(&o->arena, (ARRAY_SIZE(all) + r->copy_count) * sizeof(*r->outputs));
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i].path)
			r->outputs[r->output_count++] = all[i];
	for (size_t i = 0; i < r->copy_count; i++)
		r->outputs[r->output_count++] = (struct request_output){ "--copy-out", r->copies[i].dest };
}

void run_options_begin(struct run_options *ret, int argc, char **argv)
{
	*ret = (struct run_options){ .request.phase = PHASE_RUN };
	ret->request.site = &ret->site;
	ret->request.own_arguments = argv[-1];
	ret->request.own_arguments_size = (size_t)(argv[argc - 1] + strlen(argv[argc - 1]) - argv[-1]);
}

int run_options_read(struct run_options *ret, int argc, char **argv, struct learn *learn, struct err *e)
{
	int rest;

	run_options_begin(ret, argc, argv);
	ret->request.learn = learn;
	if (options_parse(rows, ARRAY_SIZE(rows), argc, argv, ret, &rest, e) < 0)
		return -1;
	ret->request.argv = argv + rest;
	run_options_outputs(ret);
	if (!ret->help && rest == argc)
		return fail_usage(e, "which program? judge run [options] [--] PROGRAM [ARGS]");
	return 0;
}

void run_options_free(struct run_options *o)
{
	arena_free(&o->arena);
}
