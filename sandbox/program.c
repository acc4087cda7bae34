/* From sources to what a run needs. See program.h. Runs in the judge. */
#include "sandbox/program.h"

#include "base/fd.h"
#include "lang/embedded.h"
#include "sandbox/program_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOG_MOST (64 * KIB)
#define ARTIFACT_MOST (64 * MIB)

static int check_toolchain(const struct language *l, struct err *e)
{
	const char *missing = language_missing(l);

	if (!missing)
		return 0;
	fail_usage(e, "%s needs %s, which this machine does not have", l->title ? l->title : l->name, missing);
	return fail_cure(e, "judge lang %s says which package brings it", l->name);
}

static int check_standard(struct program *p, struct err *e)
{
	const struct lang_line *line = program_line(p, LANG_STANDARD, NULL, 0);
	char known[256] = "";

	if (!p->wish.standard)
		return 0;
	for (size_t i = 0; line && i < line->count; i++) {
		size_t length = strlen(known);

		if (!strcmp(line->words[i], p->wish.standard))
			return 0;
		snprintf(known + length, sizeof(known) - length, "%s%s", i ? ", " : "", line->words[i]);
	}
	if (!*known)
		return fail_usage(e, "--standard %s: %s has only one", p->wish.standard, p->wish.language->name);
	return fail_usage(e, "--standard %s: %s knows %s", p->wish.standard, p->wish.language->name, known);
}

static bool is_main(const char *name)
{
	const char *slash = strrchr(name, '/');

	name = slash ? slash + 1 : name;
	return !strncmp(name, "main.", 5) || !strncmp(name, "Main.", 5) || !strcmp(name, "__main__.py");
}

/* Among several files: --main, else the only one, else main.*, which is put first since {source} is the first. */
static int find_entry(struct program *p, struct err *e)
{
	struct program_source *sources = (struct program_source *)p->wish.sources;
	size_t at = 0;

	p->main = p->wish.main ? p->wish.main : sources[0].name;
	if (p->wish.source_count == 1 || (p->wish.language->main && strcmp(p->wish.language->main, "file")))
		return 0;
	while (at < p->wish.source_count &&
	       !(p->wish.main ? !strcmp(sources[at].name, p->wish.main) : is_main(sources[at].name)))
		at++;
	if (at == p->wish.source_count && p->steps && !p->wish.main)
		return 0;	/* a linker finds main by itself */
	if (at == p->wish.source_count)
		return fail_usage(e, "which of the %zu files is the entry point? give --main NAME",
				  p->wish.source_count);
	struct program_source first = sources[at];

	memmove(&sources[1], &sources[0], at * sizeof(*sources));
	sources[0] = first;
	p->main = first.name;
	return 0;
}

static int add_sources(struct program *p, struct err *e)
{
	p->file_count = 0;
	for (size_t i = 0; i < p->wish.source_count; i++)
		if (program_add_files(p, p->wish.sources[i].path, p->wish.sources[i].name, e) < 0)
			return -1;
	return 0;
}

static int scan_sources(struct program *p, struct err *e)
{
	for (size_t i = 0; i < p->wish.source_count && p->state != PROGRAM_REFUSED; i++)
		if (program_scan(p, "source", p->wish.sources[i].path, p->wish.sources[i].name, e) < 0)
			return -1;
	return 0;
}

/* What goes into the box of a run: the artifact, or where there is none the sources. */
static int take_artifact(struct program *p, struct err *e)
{
	const char *artifact = p->wish.language->artifact;

	if (!artifact)
		return add_sources(p, e);
	p->file_count = 0;

	char *name = arena_strndup(&p->arena, artifact, strcspn(artifact, "/"));

	if (program_add_files(p, arena_printf(&p->arena, "%s/%s", p->entry, name), name, e) < 0)
		return -1;
	if (p->wish.language->main && !strcmp(p->wish.language->main, "java-class") && !p->wish.main)
		p->main = program_java_main(p);
	if (!p->main)
		return fail_usage(e, "no class has a method `public static void main(String[])`");
	return 0;
}

int program_prepare(struct program *ret, const struct program_wish *wish, struct err *e)
{
	struct program_source *sources;
	struct err broken;

	*ret = (struct program){ .wish = *wish, .state = PROGRAM_TO_COMPILE };
	sources = arena_alloc(&ret->arena, wish->source_count * sizeof(*sources));
	memcpy(sources, wish->sources, wish->source_count * sizeof(*sources));
	ret->wish.sources = sources;
	while (program_line(ret, LANG_COMPILE, NULL, ret->steps))
		ret->steps++;
	program_note_guards(ret);
	if (check_toolchain(wish->language, e) < 0 || check_standard(ret, e) < 0 || find_entry(ret, e) < 0 || scan_sources(ret, e) < 0)
		return -1;
	if (ret->state == PROGRAM_REFUSED)
		return 0;
	if (!ret->steps) {
		ret->state = PROGRAM_READY;
		return take_artifact(ret, e);
	}
	if (program_check_cache(ret, e) < 0 || program_key(ret, e) < 0)
		return -1;
	if (program_cached(ret)) {
		ret->from_cache = true;
		ret->state = PROGRAM_READY;
		if (take_artifact(ret, &broken) == 0)
			return 0;
		program_forget(ret);	/* half of it is gone: as if it had never been there */
		ret->from_cache = false;
		ret->state = PROGRAM_TO_COMPILE;
		ret->main = wish->main ? wish->main : sources[0].name;
	}
	return program_work(ret, e) < 0 ? -1 : add_sources(ret, e);
}

static const char *log_path(struct program *p)
{
	return arena_printf(&p->arena, "%s/log", p->work);
}

/* Policy, environment, guards and programs that may be executed: what a phase's lines say. */
static void apply_phase(struct program *p, const char *phase, struct request *r)
{
	const struct lang_line *line;
	size_t n;

	line = program_line(p, LANG_POLICY, phase, 0);
	if (line && line->count && !r->policy)
		r->policy = line->words[0];
	const char **env = arena_alloc(&p->arena, (p->wish.language->counts[LANG_ENV] + r->env_count) *
					       sizeof(*env));
	size_t env_count = 0;

	for (n = 0; (line = program_line(p, LANG_ENV, phase, n)); n++)
		for (size_t i = 0; i < line->count; i++)
			env[env_count++] = line->words[i];
	for (size_t i = 0; i < r->env_count; i++)
		env[env_count++] = r->env[i];
	r->env = env;
	r->env_count = env_count;
	r->texts = arena_alloc(&p->arena, p->wish.language->counts[LANG_GIVE] * sizeof(*r->texts));
	for (n = 0; (line = program_line(p, LANG_GIVE, phase, n)); n++) {
		const struct embedded *file = line->count ? embedded_find(line->words[0]) : NULL;

		if (file)
			r->texts[r->text_count++] = (struct request_text){
				arena_printf(&p->arena, "/judge/%s", file->name), file->data };
	}
	const char **allow = arena_alloc(&p->arena, p->wish.language->counts[LANG_EXEC] * sizeof(*allow));
	size_t allowed = 0;

	for (n = 0; (line = program_line(p, LANG_EXEC, phase, n)); n++)
		for (size_t i = 0; i < line->count; i++)
			allow[allowed++] = line->words[i];
	if (allowed) {
		r->exec_allow = allow;
		r->exec_allow_count = allowed;
	}
}

/* The language's own limits of a phase: `limit compile memory 3G`. */
static int apply_limits(struct program *p, const char *phase, struct limits *l, struct err *e)
{
	const struct lang_line *line;

	for (size_t n = 0; (line = program_line(p, LANG_LIMIT, phase, n)); n++) {
		int which = limit_find(line->words[0], strlen(line->words[0]));

		if (which >= 0 && limit_set(l, (enum limit)which, line->words[1], p->wish.site,
					    p->wish.language->name, e) < 0)
			return -1;
	}
	return limits_finish(l, e);
}

int program_step_request(struct program *p, size_t i, const struct request *base, struct request *ret,
			 struct err *e)
{
	const struct lang_line *line = program_line(p, LANG_COMPILE, NULL, i);
	size_t count;
	char *left = arena_printf(&p->arena, "%s/step%zu", p->work, i);

	*ret = (struct request){ .cgroup = base->cgroup, .cgroup_path = base->cgroup_path, .require = base->require,
				 .own_arguments = base->own_arguments,
				 .own_arguments_size = base->own_arguments_size, .phase = PHASE_COMPILE,
				 .site = p->wish.site, .stdin_path = "/dev/null", .stderr_to_stdout = true };
	ret->limits = base->phase == PHASE_COMPILE ? base->limits : p->wish.site->initial[PHASE_COMPILE];
	if (mkdir(left, 0700) < 0)
		return fail(e, errno, "cannot make %s", left);
	ret->collect_all = left;
	ret->stdout_path = log_path(p);
	ret->files = p->files;
	ret->file_count = p->file_count;
	apply_phase(p, "compile", ret);
	if (base->phase != PHASE_COMPILE && apply_limits(p, "compile", &ret->limits, e) < 0)
		return -1;
	ret->argv = program_words(p, line, &ret->limits, 0, &count, e);
	return ret->argv ? 0 : -1;
}

int program_step_done(struct program *p, size_t i, struct err *e)
{
	const char *left = arena_printf(&p->arena, "%s/step%zu", p->work, i);

	p->file_count = 0;
	if (program_add_files(p, left, "", e) < 0 || program_scan(p, "assembly", left, "", e) < 0 ||
	    program_scan(p, "classes", left, "", e) < 0)
		return -1;
	return 0;
}

/* A few bytes of source can be gigabytes of program. */
static int check_size(struct program *p, const char *path, const char *name)
{
	struct stat st;

	if (lstat(path, &st) < 0 || st.st_size <= (off_t)ARTIFACT_MOST)
		return 0;
	p->state = PROGRAM_REFUSED;
	snprintf(p->finding, sizeof(p->finding), "%s: %lld MiB of program are more than the %d that are allowed", name,
		 (long long)(st.st_size >> 20), (int)(ARTIFACT_MOST / MIB));
	return 0;
}

int program_finish(struct program *p, struct err *e)
{
	const char *artifact = p->wish.language->artifact;

	if (artifact) {
		char *name = arena_strndup(&p->arena, artifact, strcspn(artifact, "/"));
		const char *from = arena_printf(&p->arena, "%s/step%zu/%s", p->work, p->steps - 1, name);

		if (check_size(p, from, name) < 0 || p->state == PROGRAM_REFUSED)
			return p->state == PROGRAM_REFUSED ? 0 : -1;
		if (rename(from, arena_printf(&p->arena, "%s/%s", p->entry, name)) < 0)
			return fail_usage(e, "the compiler left no %s", name);
	}
	program_store(p);
	p->state = PROGRAM_READY;
	return take_artifact(p, e);
}

char *program_log(const struct program *p, size_t *ret_size)
{
	char path[4200], *text;
	autoclose int fd = -1;
	ssize_t size;

	snprintf(path, sizeof(path), "%s/log", p->work);
	fd = *p->work ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	text = fd < 0 ? NULL : malloc(LOG_MOST + 1);
	size = text ? read_full(fd, text, LOG_MOST) : -1;
	if (size <= 0) {
		free(text);
		return NULL;
	}
	text[size] = 0;
	*ret_size = (size_t)size;
	return text;
}

/* The run-time's own need comes on top of what the contestant may use. */
static int add_extra(struct program *p, struct limits *l, struct err *e)
{
	const struct lang_line *line = program_line(p, LANG_EXTRA, "memory", 0);
	uint64_t value;

	if (line && line->count) {
		if (unit_parse(UNIT_BYTES, line->words[0], &value) < 0)
			return fail(e, 0, "language %s: extra memory %s", p->wish.language->name, line->words[0]);
		l->value[LIMIT_MEMORY] += value;
	}
	line = program_line(p, LANG_EXTRA, "processes", 0);
	if (line && line->count && unit_parse(UNIT_COUNT, line->words[0], &value) == 0)
		l->value[LIMIT_PROCESSES] += value;
	return 0;
}

int program_run_request(struct program *p, const struct request *base, char *const *args, struct request *ret,
			struct err *e)
{
	const struct lang_line *line = program_line(p, LANG_RUN, NULL, 0);
	size_t given = 0, count;
	struct request_file *files;

	while (args && args[given])
		given++;
	if (!line)
		return fail(e, 0, "language %s has no run line", p->wish.language->name);
	*ret = *base;
	apply_phase(p, "run", ret);
	ret->argv = program_words(p, line, &base->limits, given, &count, e);
	if (!ret->argv)
		return -1;
	for (size_t i = 0; i < given; i++)
		ret->argv[count + i] = args[i];
	files = arena_alloc(&p->arena, (p->file_count + base->file_count) * sizeof(*files));
	for (size_t i = 0; i < p->file_count; i++)
		files[i] = p->files[i];
	for (size_t i = 0; i < base->file_count; i++)
		files[p->file_count + i] = base->files[i];
	ret->files = files;
	ret->file_count = p->file_count + base->file_count;
	ret->keep_stderr_tail = program_line(p, LANG_SAYS, NULL, 0) != NULL;
	return add_extra(p, &ret->limits, e);
}

bool program_says(const struct program *p, const char *what, const char *stderr_tail)
{
	const struct lang_line *line;

	for (size_t n = 0; (line = program_line(p, LANG_SAYS, what, n)); n++)
		for (size_t i = 0; i < line->count; i++)
			if (strstr(stderr_tail, line->words[i]))
				return true;
	return false;
}
