/*
 * The text of a learnt policy: learnt.h. Runs in the judge; makes no box.
 *
 * It is the policy that held while learning, narrowed: where that one allows, only what was seen is
 * allowed; where it refuses, nobody has seen anything, and it refuses here too, in the same way. So a
 * program finds the same answers under it as before, and never more than before.
 */
#include "cli/learnt.h"

#include "base/array.h"
#include "seccomp/constants.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VALUES 12		/* in one rule: a line has READER_WORDS words at most */
#define MOST_CONDITIONS (LEARN_VALUES_MOST / MOST_VALUES + 1)
#define MOST_ERRNOS 16

/* In every policy, seen or not: what the start itself needs, and the end; and what chance decides, since threads
   meet at a lock, and malloc asks for memory, in one run and not in the next. */
static const struct { const char *call, *comment; } always[] = {
	{ "execve", "the start's" },
	{ "exit", "not looked at" }, { "exit_group", "not looked at" }, { "rt_sigreturn", "not looked at" },
	{ "write", "not looked at" },
	{ "brk", "by chance" }, { "futex", "by chance" }, { "madvise", "by chance" }, { "mmap", "by chance" },
	{ "mprotect", "by chance" }, { "munmap", "by chance" }, { "restart_syscall", "by chance" },
	{ "sched_yield", "by chance" },
};

struct writer {
	FILE *out;
	const struct learn *learn;
	struct shown *base;
	struct arena *arena;
	const char *comment;	/* for the next line that is written of a call; then "" */
	const char *errnos[MOST_ERRNOS];	/* "errno EPERM": of which there is a group */
	size_t errno_count;
};

/* Why it is in every policy; NULL: it is not. */
static const char *why_always(const char *call)
{
	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		if (strcmp(always[i].call, call) == 0)
			return always[i].comment;
	return NULL;
}

/* How often it was seen; -1: never. */
static int64_t times_seen(const struct learn *l, int number)
{
	int64_t times = -1;

	for (size_t i = 0; i < l->count; i++)
		if (l->rows[i].number == number)
			times = (times < 0 ? 0 : times) + (int64_t)l->rows[i].count;
	return times;
}

static const char *value_name(const struct writer *w, const char *prefixes, uint64_t value)
{
	const char *name = prefixes ? constant_name(prefixes, value) : NULL;

	return name ? name : arena_printf(w->arena, "%#" PRIx64, value);
}

static size_t write_values(const struct writer *w, const struct learn_detail *d, const char **ret)
{
	size_t count = 0, in_rule = 0;
	const char *so_far = "";

	for (size_t i = 0; i < w->learn->count; i++) {
		const struct learn_row *row = &w->learn->rows[i];

		if (row->number != d->number)
			continue;
		so_far = arena_printf(w->arena, "%s%s%s", so_far, in_rule ? ", " : "",
				      value_name(w, d->prefixes, row->value));
		ret[count] = arena_printf(w->arena, in_rule ? "int%d in %s" : "int%d == %s", d->argument, so_far);
		if (++in_rule == MOST_VALUES) {
			count++;
			in_rule = 0;
			so_far = "";
		}
	}
	return count + (in_rule > 0);
}

/* The signal at the end of a child is none of the flags. */
static const char *bits_text(const struct writer *w, const struct learn_detail *d)
{
	const char *so_far = "0xff";
	uint64_t bits = 0;

	for (size_t i = 0; i < w->learn->count; i++)
		if (w->learn->rows[i].number == d->number)
			bits |= w->learn->rows[i].value;
	for (int bit = 8; bit < 64; bit++)
		if (bits >> bit & 1)
			so_far = arena_printf(w->arena, "%s|%s", so_far,
					      value_name(w, d->prefixes, (uint64_t)1 << bit));
	return arena_printf(w->arena, "long%d only %s", d->argument, so_far);
}

static const char *never_text(const struct writer *w, const struct learn_detail *d)
{
	if (d->mask == UINT64_MAX)
		return arena_printf(w->arena, "long%d == 0", d->argument);
	return arena_printf(w->arena, "long%d & %s == 0", d->argument, value_name(w, d->prefixes, d->mask));
}

/* The conditions under which the call was seen, each for a rule of its own; none: under all. */
static size_t seen_conditions(const struct writer *w, int number, const char **ret)
{
	const struct learn_detail *d = learn_detail(number);

	for (size_t i = 0; d && i < w->learn->count; i++) {
		const struct learn_row *row = &w->learn->rows[i];

		if (row->number == number && (row->any || (d->kind == LEARN_WHETHER && row->value)))
			return 0;
	}
	if (!d)
		return 0;
	if (d->kind == LEARN_VALUES)
		return write_values(w, d, ret);
	ret[0] = d->kind == LEARN_BITS ? bits_text(w, d) : never_text(w, d);
	return 1;
}

static void write_rule(struct writer *w, const char *call, const char *condition, const char *action)
{
	const char *rule = arena_printf(w->arena, *condition ? "%s if %s %s" : "%s%s %s", call, condition, action);

	if (*w->comment)
		fprintf(w->out, "\t%-40s # %s\n", rule, w->comment);
	else
		fprintf(w->out, "\t%s\n", rule);
	w->comment = "";
}

/* One line of what the base answers: "allow", "errno EPERM", "if int0 == 1 allow". */
struct base_rule {
	const char *condition;	/* "": always */
	const char *action;
	bool allows;
};

static struct base_rule cut_rule(const struct writer *w, const char *line, size_t length)
{
	static const char *const actions[] = { " allow", " kill", " errno " };
	const char *text = arena_printf(w->arena, " %.*s", (int)length, line);
	const char *action = text;

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		const char *found = strstr(text, actions[i]);

		action = found ? found : action;
	}
	return (struct base_rule){
		.condition = action == text ? "" : arena_strndup(w->arena, text + 4, (size_t)(action - text) - 4),
		.action = action + 1,
		.allows = strcmp(action, " allow") == 0,
	};
}

/* Where the base allows: what was seen, and of the rest nothing. */
static void narrow(struct writer *w, const char *call, const struct base_rule *rule, const char *const *seen,
		   size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const bool same = strcmp(seen[i], rule->condition) == 0;

		write_rule(w, call, *rule->condition && !same ?
			   arena_printf(w->arena, "%s and %s", rule->condition, seen[i]) : seen[i], "allow");
		if (same)
			return;
	}
	if (*rule->condition)
		write_rule(w, call, rule->condition, "kill");
}

static void write_call(struct writer *w, const char *call, int number, bool seen)
{
	const char *conditions[MOST_CONDITIONS], *answer = policy_answer(w->base, call);
	const size_t count = seen ? seen_conditions(w, number, conditions) : 0;

	for (const char *line = answer; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const struct base_rule rule = cut_rule(w, line, strcspn(line, "\n"));

		if (rule.allows && (count > 0 || !seen))
			narrow(w, call, &rule, conditions, count);
		else
			write_rule(w, call, rule.condition, rule.action);
	}
}

static const char *seen_comment(const struct writer *w, const char *call, int64_t times)
{
	if (times <= 0 && why_always(call))
		return why_always(call);
	if (times == 0)
		return "not this time";
	return arena_printf(w->arena, times == 1 ? "%" PRId64 " time" : "%" PRId64 " times", times);
}

static void write_seen(struct writer *w)
{
	for (size_t i = 0; i < call_row_count; i++) {
		const char *call = call_rows[i].name;
		const int number = call_rows[i].number[w->base->arch];
		const int64_t times = number < 0 ? -1 : times_seen(w->learn, number);

		if (number < 0 || (times < 0 && !why_always(call)))
			continue;
		w->comment = seen_comment(w, call, times);
		write_call(w, call, number, true);
	}
}

/* A call that was not seen: what the base refuses of it. */
static bool is_unseen(const struct writer *w, const struct call_row *row, const char **ret_answer)
{
	const int number = row->number[w->base->arch];

	if (number < 0 || (uint32_t)number > w->base->policy->above || why_always(row->name) ||
	    times_seen(w->learn, number) >= 0)
		return false;
	*ret_answer = policy_answer(w->base, row->name);
	return strstr(*ret_answer, "errno ") != NULL;
}

static const char *group_name(const struct writer *w, const char *refusal)
{
	char *name = arena_printf(w->arena, "learnt-%s", refusal + strlen("errno "));

	for (char *c = name; *c; c++)
		*c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 32) : *c;
	return name;
}

static void write_group(struct writer *w, const char *refusal)
{
	size_t on_line = 0;

	fprintf(w->out, "group %s\n", group_name(w, refusal));
	for (size_t i = 0; i < call_row_count; i++) {
		const char *answer;

		if (is_unseen(w, &call_rows[i], &answer) && strcmp(answer, refusal) == 0)
			fprintf(w->out, "%s%s", on_line++ % 8 ? " " : on_line > 1 ? "\n\t" : "\t",
				call_rows[i].name);
	}
	fputs("\nend\n\n", w->out);
}

/* A group for each errno that the base answers with, whatever the arguments. */
static void write_groups(struct writer *w)
{
	for (size_t i = 0; i < call_row_count && w->errno_count < MOST_ERRNOS; i++) {
		const char *answer;
		size_t k = 0;

		if (!is_unseen(w, &call_rows[i], &answer) || strncmp(answer, "errno ", 6) != 0)
			continue;
		while (k < w->errno_count && strcmp(w->errnos[k], answer) != 0)
			k++;
		if (k < w->errno_count)
			continue;
		w->errnos[w->errno_count++] = answer;
		write_group(w, answer);
	}
}

static void write_refused(struct writer *w)
{
	fprintf(w->out, "\n\t# As %s refuses it: not to be seen while learning.\n", w->base->policy->name);
	for (size_t i = 0; i < call_row_count; i++) {
		const char *answer;

		if (is_unseen(w, &call_rows[i], &answer) && strncmp(answer, "errno ", 6) != 0)
			write_call(w, call_rows[i].name, call_rows[i].number[w->base->arch], false);
	}
	for (size_t i = 0; i < w->errno_count; i++)
		fprintf(w->out, "\t@%s %s\n", group_name(w, w->errnos[i]), w->errnos[i]);
}

static void write_nameless(struct writer *w)
{
	for (size_t i = 0; i < w->learn->count; i++)
		if (!call_name(w->learn->rows[i].number, w->base->arch))
			fprintf(w->out, "\t# Left out: system call %d, which has no name here.\n",
				w->learn->rows[i].number);
	if (w->learn->over)
		fprintf(w->out, "\t# Incomplete: more than %d different calls were seen.\n", LEARN_ROWS);
}

/* A name from outside, in a comment: nothing of it may end the line. */
static const char *plain(const struct writer *w, const char *name)
{
	char *copy = arena_printf(w->arena, "%.100s", name);

	for (char *c = copy; *c; c++)
		*c = *c < ' ' || *c > '~' ? '?' : *c;
	return copy;
}

static void write_policy(struct writer *w, const char *program, bool exec_any)
{
	const struct policy *base = w->base->policy;
	const char *refusal = errno_name(base->above_action.number);

	fprintf(w->out, "# What %s called while `judge policy learn` looked on, of what policy %s allows.\n\n",
		plain(w, program), base->name);
	write_groups(w);
	fprintf(w->out, "policy learnt\n\tdefault kill\n\tabove %u %s%s\n\texec %s\n\n", base->above,
		base->above_action.kind == POLICY_ERRNO ? "errno " :
		base->above_action.kind == POLICY_ALLOW ? "allow" : "kill",
		base->above_action.kind == POLICY_ERRNO && refusal ? refusal : "", exec_any ? "any" : "program");
	write_seen(w);
	write_nameless(w);
	write_refused(w);
	fputs("end\n", w->out);
}

char *learnt_text(const struct learn *l, struct shown *base, const char *program, bool exec_any)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct writer w = { .out = out, .learn = l, .base = base, .arena = &base->library.set.arena,
			    .comment = "" };

	if (!out)
		abort();
	write_policy(&w, program, exec_any);
	if (fclose(out) != 0)
		abort();
	return text;
}
