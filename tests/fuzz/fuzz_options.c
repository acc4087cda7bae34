/*
 * Fuzzes the command line of a run: the words of the input, each ended by a NUL, are argv[2…]. What is understood is a
 * whole request; what is not is a usage error in one line. No file is opened.
 */
#include "tests/fuzz/input.h"

#include "cli/run_options.h"

#define WORDS_MOST 64

static bool is_line(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			return false;
	return true;
}

/* argv as the kernel lays it out: the words behind each other in one block. */
static int cut(char *block, size_t size, char **argv)
{
	int argc = 0;

	for (char *at = block; at < block + size && argc < WORDS_MOST; at += strlen(at) + 1)
		argv[argc++] = at;
	argv[argc] = NULL;
	return argc;
}

static void check_error(const struct err *e)
{
	HOLDS(e->kind == ERR_USAGE);
	HOLDS(e->text[0] && is_line(e->text) && is_line(e->cure));
}

static void check_request(const struct request *r, char *block, size_t size)
{
	for (size_t i = 0; i < r->file_count; i++)
		HOLDS(r->files[i].source[0] && strlen(r->files[i].name) < size);
	for (size_t i = 0; i < r->dir_count; i++)
		HOLDS(r->dirs[i].inside[0] && strlen(r->dirs[i].outside) < size);
	for (size_t i = 0; i < r->copy_count; i++) {
		const char *name = r->copies[i].name;

		HOLDS(name[0] && name[0] != '/' && strcmp(name, "..") && strncmp(name, "../", 3));
		HOLDS(!strstr(name, "/../"));
		HOLDS(strlen(name) < 3 || strcmp(name + strlen(name) - 3, "/.."));
	}
	for (size_t i = 0; i < r->env_count; i++)
		HOLDS(r->env[i][0] != '=' && strchr(r->env[i], '='));
	for (size_t i = 0; i < r->exec_allow_count; i++)
		HOLDS(r->exec_allow[i][0] == '/');
	for (size_t i = 0; i < r->output_count; i++)
		HOLDS(r->outputs[i].option && r->outputs[i].path);
	HOLDS(r->own_arguments == block && r->own_arguments_size == size - 1);
}

/* What the files would not change: built-in values, then the command line. */
static void check_limits(struct run_options *o)
{
	struct limits *l = &o->request.limits;
	struct err e = { 0 };

	limits_site_init(&o->site);
	*l = o->site.initial[PHASE_RUN];
	for (int i = 0; i < LIMIT_COUNT; i++)
		if (o->limit_texts[i] &&
		    limit_set(l, (enum limit)i, o->limit_texts[i], &o->site, limit_rows[i].name, &e) < 0)
			return check_error(&e);
	if (limits_finish(l, &e) < 0)
		return check_error(&e);
	for (int i = 0; i < LIMIT_COUNT; i++)
		HOLDS(l->value[i] >= limit_rows[i].least && l->value[i] <= o->site.most[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char head[] = "judge\0run";
	size_t whole = sizeof(head) + size + 1;
	char *block = calloc(1, whole), *argv[WORDS_MOST + 1];
	struct run_options options;
	struct err e = { 0 };
	int argc;

	HOLDS(block);
	memcpy(block, head, sizeof(head));
	memcpy(block + sizeof(head), data, size);
	argc = cut(block, whole - (size > 0 && data[size - 1] == 0), argv);
	if (run_options_read(&options, argc - 1, argv + 1, NULL, &e) < 0) {
		check_error(&e);
	} else {
		HOLDS(options.help || *options.request.argv);
		check_request(&options.request, block,
			      (size_t)(argv[argc - 1] - block) + strlen(argv[argc - 1]) + 1);
		check_limits(&options);
	}
	run_options_free(&options);
	free(block);
	return 0;
}
