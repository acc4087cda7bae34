/* What `judge policy` shows of one policy's rules: policy_show.h. Runs in the judge; makes no box. */
#include "cli/policy_show.h"

#include "seccomp/constants.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A line of a file that the library holds, without what surrounds it. */
struct line {
	const char *text;
	size_t length;
};

static struct line trim(struct line l)
{
	while (l.length > 0 && isspace((unsigned char)*l.text)) {
		l.text++;
		l.length--;
	}
	while (l.length > 0 && isspace((unsigned char)l.text[l.length - 1]))
		l.length--;
	return l;
}

/* Line `number` (from 1) of the text; of no length past its end. */
static struct line line_of(const char *text, int number)
{
	while (text && number > 1 && *text) {
		const char *end = strchrnul(text, '\n');

		text = *end ? end + 1 : end;
		number--;
	}
	return text && number == 1 ? trim((struct line){ text, strcspn(text, "\n") }) : (struct line){ "", 0 };
}

/* What a rule says after its call or group. */
static const char *rule_text(struct shown *s, const struct policy_rule *rule)
{
	const struct policy_place *place = &rule->target.place;
	struct line l = line_of(policy_library_text(&s->library, place->file), place->line);
	const char *comment = memchr(l.text, '#', l.length);
	const size_t word = strcspn(l.text, " \t\n");

	if (comment)
		l.length = (size_t)(comment - l.text);
	if (word > l.length)
		return "";
	l = trim((struct line){ l.text + word, l.length - word });
	return arena_strndup(&s->library.set.arena, l.text, l.length);
}

static const char *action_text(struct shown *s, const struct policy_action *action)
{
	const char *name = errno_name(action->number);

	switch (action->kind) {
	case POLICY_ALLOW:
		return "allow";
	case POLICY_ERRNO:
		return arena_printf(&s->library.set.arena, "errno %s", name ? name : "?");
	case POLICY_KILL:
		break;
	}
	return "kill";
}

const char *policy_exec(const struct policy *policy)
{
	return policy->exec_program ? "program" : "any";
}

static bool is_above(const struct shown *s, const char *call)
{
	return call_number(&s->library.set, call, s->arch) > (int)s->policy->above;
}

const char *policy_answer(struct shown *s, const char *call)
{
	struct arena *arena = &s->library.set.arena;
	struct policy_row *rows;
	const size_t count = policy_rows(&s->library.set, s->policy, arena, &rows);
	const char *so_far = "";

	if (is_above(s, call))
		return action_text(s, &s->policy->above_action);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(rows[i].call, call) != 0)
			continue;
		so_far = arena_printf(arena, "%s%s", so_far, rule_text(s, rows[i].rule));
		if (rows[i].rule->count == 0)
			return so_far;
		so_far = arena_printf(arena, "%s\n", so_far);
	}
	return arena_printf(arena, "%s%s", so_far, action_text(s, &s->policy->initial));
}

/* The first line of the paragraph in which a line stands. */
static int paragraph(const char *text, int number)
{
	while (number > 1 && line_of(text, number - 1).length > 0)
		number--;
	return number;
}

/* The comment at the head of that paragraph. */
static void print_comment(const char *text, int number)
{
	for (int first = paragraph(text, number); first < number; first++) {
		const struct line l = line_of(text, first);

		if (l.text[0] != '#')
			break;
		printf("    %.*s\n", (int)l.length, l.text);
	}
}

/* `before`: the rule printed before this one, or NULL; what stands below the same comment needs it once. */
static void print_rule(struct shown *s, const struct policy_row *row, const struct policy_row *before)
{
	const struct policy_place *place = &row->rule->target.place;
	const struct policy_place *last = before ? &before->rule->target.place : NULL;
	const char *text = policy_library_text(&s->library, place->file);
	const struct line l = line_of(text, place->line);

	if (!last || strcmp(last->file, place->file) != 0 ||
	    paragraph(text, last->line) != paragraph(text, place->line))
		print_comment(text, place->line);
	printf("    %.*s\n      %s:%d", (int)l.length, l.text, place->file, place->line);
	if (row->rule->target.is_group)
		printf(", of the group at %s:%d", row->place.file, row->place.line);
	putchar('\n');
}

void policy_show_rules(struct shown *s, const char *call)
{
	struct policy_row *rows;
	const size_t count = policy_rows(&s->library.set, s->policy, &s->library.set.arena, &rows);
	const struct policy_row *before = NULL;
	bool decided = is_above(s, call);

	if (decided)
		printf("    above %u: %s\n", s->policy->above, action_text(s, &s->policy->above_action));
	for (size_t i = 0; i < count && !decided; i++)
		if (strcmp(rows[i].call, call) == 0) {
			print_rule(s, &rows[i], before);
			before = &rows[i];
			decided = rows[i].rule->count == 0;
		}
	if (!decided)
		printf("    default %s\n", action_text(s, &s->policy->initial));
}

static void print_answer(const char *answer, int indent)
{
	for (const char *end; (end = strchr(answer, '\n')); answer = end + 1)
		printf("%.*s\n%*s", (int)(end - answer), answer, indent, "");
	printf("%s\n", answer);
}

void policy_show_calls(struct shown *s)
{
	printf("# policy %s on %s; another architecture%s: kill\n", s->policy->name, filter_archs[s->arch].name,
	       filter_archs[s->arch].x32 ? ", x32" : "");
	for (int number = 0; number <= POLICY_NUMBER_MOST; number++) {
		const char *name = call_name(number, s->arch);

		if (!name)
			continue;
		printf("%4d %-24s ", number, name);
		print_answer(policy_answer(s, name), 30);
	}
	printf("   above %-23u %s\n", s->policy->above, action_text(s, &s->policy->above_action));
	printf("   exec %-24s %s\n", "", policy_exec(s->policy));
}

void policy_show_purpose(const struct shown *s)
{
	const char *text = policy_library_text(&s->library, s->policy->place.file);

	for (int number = 1;; number++) {
		const struct line l = line_of(text, number);
		const size_t stop = strcspn(l.text, ".:\n");

		if (l.length < 2 || l.text[0] != '#')
			break;
		printf("%s%.*s", number > 1 ? " " : "", (int)(stop < l.length ? stop : l.length) - 2, l.text + 2);
		if (stop < l.length)
			break;
	}
	putchar('\n');
}

static bool is_path(const char *name)
{
	return strpbrk(name, "/.") != NULL;
}

int shown_open(struct shown *ret, const char *name, enum filter_arch arch, struct err *e)
{
	const char *path = name && is_path(name) ? name : NULL;

	ret->arch = arch;
	if (policy_library_read(&ret->library, path, e) < 0)
		return -1;
	if (!name)
		return 0;
	ret->policy = path ? ret->library.policy : policy_find(&ret->library.set, name);
	if (ret->policy)
		return 0;
	fail_usage(e, "there is no policy %s", name);
	return fail_cure(e, "`judge policy` lists them; a file of your own is named with its path");
}

void shown_close(struct shown *s)
{
	policy_library_free(&s->library);
}
