/* Policies at run time: load.h. Runs in the judge, outside the box, before the clone. */
#include "seccomp/load.h"

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#define MOST_TEXT ((size_t)1 << 20)

static void warn(const struct policy_row *row, void *context)
{
	struct policy_library *library = context;
	const char *so_far = library->warnings ? library->warnings : "";

	library->warnings = arena_printf(&library->set.arena,
					 "%s%s:%d: no call \"%s\" is known here: left out\n", so_far,
					 row->place.file, row->place.line, row->call);
}

static int read_own(struct policy_library *library, const char *path, struct err *e)
{
	struct policy_set *set = &library->set;
	const size_t before = set->policy_count;
	autofree char *text = NULL;
	size_t size = 0;

	if (read_file_at(AT_FDCWD, path, MOST_TEXT, &text, &size) < 0)
		return fail_usage(e, "cannot read the policy %s: %s", path, strerror(errno));
	if (policy_read(set, path, text, size, e) < 0)
		return -1;
	if (set->policy_count == before)
		return fail_usage(e, "%s: no policy is in it", path);
	library->own.file = arena_strdup(&set->arena, path);
	library->own.text = arena_strndup(&set->arena, text, size);
	return 0;
}

static const struct policy *last_policy(const struct policy_library *library)
{
	return &library->set.policies[library->set.policy_count - 1];
}

int policy_library_read(struct policy_library *ret, const char *path, struct err *e)
{
	struct policy_set *set = &ret->set;

	*ret = (struct policy_library){ .policy = NULL };
	for (const struct policy_text *t = policy_texts; t->file; t++)
		if (policy_read(set, t->file, t->text, strlen(t->text), e) < 0)
			return -1;
	if ((path && read_own(ret, path, e) < 0) || policy_check(set, e) < 0)
		return -1;
	ret->policy = path ? last_policy(ret) : NULL;
	return 0;
}

void policy_library_free(struct policy_library *library)
{
	arena_free(&library->set.arena);
}

const char *policy_library_text(const struct policy_library *library, const char *file)
{
	if (library->own.file && strcmp(library->own.file, file) == 0)
		return library->own.text;
	for (const struct policy_text *t = policy_texts; t->file; t++)
		if (strcmp(t->file, file) == 0)
			return t->text;
	return NULL;
}

int policy_library_compile(struct policy_library *library, const struct policy *policy, enum filter_arch arch,
			   struct filter *ret, struct err *e)
{
	const struct policy_names names = { .number = call_number, .warn = warn, .context = library };
	struct sock_filter *code;
	unsigned short length;

	if (policy_compile(&library->set, policy, arch, &names, &library->set.arena, &code, &length, e) < 0)
		return -1;
	*ret = (struct filter){ .name = policy->name, .code = code, .length = length,
				.exec_program = policy->exec_program };
	return 0;
}

int filter_load(const char *path, struct filter_loaded *ret, struct err *e)
{
	*ret = (struct filter_loaded){ .filter = { .name = NULL } };
	if (policy_library_read(&ret->library, path, e) < 0)
		return -1;
	return policy_library_compile(&ret->library, last_policy(&ret->library), FILTER_NATIVE, &ret->filter, e);
}

void filter_loaded_free(struct filter_loaded *filter)
{
	policy_library_free(&filter->library);
}
