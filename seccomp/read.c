/*
 * The reader of policy texts: policy.h says what may stand in one. Runs in the build tool.
 *
 * A line is cut into words first; everything after works on words, so that no message has to count
 * columns: a file and a line are enough to find a mistake in lines this short.
 */
#include "seccomp/reader.h"

#include <string.h>

static int read_default(struct reader *r)
{
	if (r->policy->has_default)
		return complain(r, "a second default");
	r->policy->has_default = true;
	return reader_action(r, &r->policy->initial);
}

static int read_above(struct reader *r)
{
	uint64_t number = 0;

	if (r->policy->has_above)
		return complain(r, "a second \"above\"");
	if (reader_number(r, POLICY_NUMBER_MOST, "the newest call", &number) < 0)
		return -1;
	r->policy->has_above = true;
	r->policy->above = (uint32_t)number;
	return reader_action(r, &r->policy->above_action);
}

static int read_exec(struct reader *r)
{
	if (r->policy->has_exec)
		return complain(r, "a second exec");
	r->policy->has_exec = true;
	r->policy->exec_program = reader_take(r, "program");
	if (!r->policy->exec_program && !reader_take(r, "any"))
		return complain(r, "expected program or any, not \"%s\"", reader_seen(r));
	return reader_end(r);
}

static int read_like(struct reader *r)
{
	if (r->policy->like.name)
		return complain(r, "a second \"like\"");
	if (!reader_is_name(r->words[r->at]))
		return complain(r, "expected the name of a policy, not \"%s\"", reader_seen(r));
	r->policy->like.name = r->words[r->at++];
	r->policy->like.place = r->place;
	return reader_end(r);
}

static int read_policy_line(struct reader *r)
{
	if (reader_take(r, "default"))
		return read_default(r);
	if (reader_take(r, "above"))
		return read_above(r);
	if (reader_take(r, "exec"))
		return read_exec(r);
	if (reader_take(r, "like"))
		return read_like(r);
	return reader_rule(r);
}

static int read_members(struct reader *r)
{
	struct policy_group *g = r->group;

	while (r->words[r->at]) {
		struct policy_target member;

		if (reader_target(r, &member) < 0)
			return -1;
		for (size_t i = 0; i < g->count; i++)
			if (g->members[i].is_group == member.is_group &&
			    strcmp(g->members[i].name, member.name) == 0)
				return complain(r, "%s is in this group already", member.name);
		*(struct policy_target *)arena_grow(&r->set->arena, (void **)&g->members, &g->capacity,
						    g->count, sizeof(member)) = member;
		g->count++;
	}
	return 0;
}

static int read_new_name(struct reader *r, const char *what, const char **ret_name)
{
	if (!reader_is_name(r->words[r->at]))
		return complain(r, "expected a name for the %s, not \"%s\"", what, reader_seen(r));
	*ret_name = r->words[r->at++];
	return 0;
}

static int complain_twice(struct reader *r, const char *what, const char *name,
			  const struct policy_place *earlier)
{
	return complain(r, "a second %s %s: the first stands at %s:%d", what, name, earlier->file,
			earlier->line);
}

static int open_group(struct reader *r)
{
	struct policy_set *set = r->set;
	struct policy_group group = { .place = r->place };
	const struct policy_group *earlier;

	if (read_new_name(r, "group", &group.name) < 0 || reader_end(r) < 0)
		return -1;
	earlier = policy_group_find(set, group.name);
	if (earlier)
		return complain_twice(r, "group", group.name, &earlier->place);
	r->group = arena_grow(&set->arena, (void **)&set->groups, &set->group_capacity,
			      set->group_count++, sizeof(group));
	*r->group = group;
	return 0;
}

static int open_policy(struct reader *r)
{
	struct policy_set *set = r->set;
	struct policy policy = { .place = r->place };
	const struct policy *earlier;

	if (read_new_name(r, "policy", &policy.name) < 0 || reader_end(r) < 0)
		return -1;
	earlier = policy_find(set, policy.name);
	if (earlier)
		return complain_twice(r, "policy", policy.name, &earlier->place);
	r->policy = arena_grow(&set->arena, (void **)&set->policies, &set->policy_capacity,
			       set->policy_count++, sizeof(policy));
	*r->policy = policy;
	return 0;
}

static int read_stated_number(struct reader *r)
{
	struct policy_set *set = r->set;
	struct policy_number number = { .place = r->place };
	const struct policy_number *earlier;
	uint64_t value = 0;

	if (read_new_name(r, "number", &number.name) < 0 ||
	    reader_number(r, POLICY_NUMBER_MOST, number.name, &value) < 0 || reader_end(r) < 0)
		return -1;
	if (value < POLICY_NUMBER_SHARED)
		return complain(r, "numbers below %d differ between architectures", POLICY_NUMBER_SHARED);
	number.number = (int)value;
	earlier = policy_number_find(set, number.name);
	if (earlier)
		return complain_twice(r, "number", number.name, &earlier->place);
	*(struct policy_number *)arena_grow(&set->arena, (void **)&set->numbers, &set->number_capacity,
					    set->number_count++, sizeof(number)) = number;
	return 0;
}

static int read_statement(struct reader *r)
{
	if (reader_take(r, "number"))
		return read_stated_number(r);
	if (reader_take(r, "group"))
		return open_group(r);
	if (reader_take(r, "policy"))
		return open_policy(r);
	return complain(r, "expected number, group or policy, not \"%s\"", reader_seen(r));
}

static int read_words(struct reader *r)
{
	if (r->count == 0)
		return 0;
	if (!r->group && !r->policy)
		return read_statement(r);
	if (reader_take(r, "end")) {
		r->group = NULL;
		r->policy = NULL;
		return reader_end(r);
	}
	return r->group ? read_members(r) : read_policy_line(r);
}

/* Cuts the line into words; a comma is a word of its own. */
static int split_line(struct reader *r, const char *line, size_t length)
{
	const char *end = memchr(line, '#', length);
	char *text = arena_strndup(&r->set->arena, line, end ? (size_t)(end - line) : length);

	r->count = r->at = 0;
	for (text += strspn(text, " \t\r"); *text; text += strspn(text, " \t\r")) {
		const size_t n = *text == ',' ? 1 : strcspn(text, " \t\r,");

		if (r->count == READER_WORDS)
			return complain(r, "more than %d words", READER_WORDS);
		r->words[r->count++] = arena_strndup(&r->set->arena, text, n);
		text += n;
	}
	r->words[r->count] = NULL;
	return 0;
}

int policy_read(struct policy_set *set, const char *file, const char *text, size_t size, struct err *e)
{
	struct reader r = { .set = set, .place = { .file = arena_strdup(&set->arena, file) }, .e = e };
	const char *end = text + size;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;

		r.place.line++;
		if (memchr(text, '\0', (size_t)(stop - text)))
			return complain(&r, "a NUL byte");
		if (split_line(&r, text, (size_t)(stop - text)) < 0 || read_words(&r) < 0)
			return -1;
		text = newline ? newline + 1 : end;
	}
	if (r.group)
		return complain(&r, "no \"end\" of group %s", r.group->name);
	if (r.policy)
		return complain(&r, "no \"end\" of policy %s", r.policy->name);
	return 0;
}
