/*
 * judge policy: the system call policies, as text, as code, call by call, one beside another, and why.
 * Runs in the judge; makes no box.
 */
#include "cli/cli.h"
#include "cli/policy_learn.h"
#include "cli/policy_show.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum view { VIEW_TEXT, VIEW_PSEUDO, VIEW_CALLS, VIEW_HELP };

struct request_policy {
	enum view view;
	enum filter_arch arch;
};

static int set_view(void *into, const struct option_row *row, const char *value, struct err *e)
{
	struct request_policy *r = into;

	(void)value;
	if (r->view != VIEW_TEXT && (enum view)row->key != VIEW_HELP)
		return fail_usage(e, "one view at a time");
	r->view = (enum view)row->key;
	return 0;
}

static int set_arch(void *into, const struct option_row *row, const char *value, struct err *e)
{
	struct request_policy *r = into;

	(void)row;
	for (int arch = 0; arch < FILTER_ARCHS; arch++)
		if (strcmp(filter_archs[arch].name, value) == 0) {
			r->arch = (enum filter_arch)arch;
			return 0;
		}
	return fail_usage(e, "'%s' is none of x86_64, aarch64", value);
}

static const struct option_row rows[] = {
	{ NULL, "pseudo", 0, NULL, "the filter's code in words", set_view, VIEW_PSEUDO },
	{ NULL, "calls", 0, NULL, "every call by number, and what becomes of it", set_view, VIEW_CALLS },
	{ NULL, "arch", 0, "x86_64|aarch64", "for another machine than this", set_arch, 0 },
	{ NULL, "help", 'h', NULL, "this text", set_view, VIEW_HELP },
};

static int help(void)
{
	puts("judge policy                       the policies there are\n"
	     "judge policy POLICY [options]      one of them: its text, unless an option says otherwise\n"
	     "judge policy diff A B              the calls that A and B answer differently\n"
	     "judge policy explain CALL [POLICY] what becomes of a call, and by which rule\n"
	     "judge policy learn -- PROGRAM      a policy from what a program calls: see learn --help\n\n"
	     "A POLICY is a name, or the path of a file with one of your own, as for `judge run --policy`.\n");
	print_options(rows, ARRAY_SIZE(rows));
	return EXIT_OK;
}

static int list(struct shown *s)
{
	const struct policy_set *set = &s->library.set;

	for (size_t i = 0; i < set->policy_count; i++) {
		s->policy = &set->policies[i];
		printf("%-10s ", s->policy->name);
		policy_show_purpose(s);
	}
	printf("%-10s No filter at all\n", "none");
	return EXIT_OK;
}

static int show_one(struct shown *s, enum view view, struct err *e)
{
	struct filter f;

	/* In any case: what is wrong with a policy of one's own is to be seen here. */
	if (policy_library_compile(&s->library, s->policy, s->arch, &f, e) < 0)
		return say_error(e);
	if (view == VIEW_PSEUDO)
		policy_show_pseudo(s, &f);
	if (view == VIEW_CALLS)
		policy_show_calls(s);
	if (view == VIEW_TEXT)
		fputs(policy_library_text(&s->library, s->policy->place.file), stdout);
	if (s->library.warnings)
		fputs(s->library.warnings, stderr);
	return EXIT_OK;
}

static void print_side(char sign, const char *call, const char *answer)
{
	for (const char *end; *answer; answer = *end ? end + 1 : end) {
		end = strchrnul(answer, '\n');
		printf("%c%s %.*s\n", sign, call, (int)(end - answer), answer);
	}
}

static void print_differences(struct shown *a, struct shown *b)
{
	printf("--- %s\n+++ %s\n", a->policy->name, b->policy->name);
	if (a->policy->exec_program != b->policy->exec_program)
		printf("-exec %s\n+exec %s\n", policy_exec(a->policy), policy_exec(b->policy));
	for (size_t i = 0; i < call_row_count; i++) {
		const char *name = call_rows[i].name, *left, *right;

		if (call_rows[i].number[a->arch] < 0)
			continue;
		left = policy_answer(a, name);
		right = policy_answer(b, name);
		if (strcmp(left, right) != 0) {
			print_side('-', name, left);
			print_side('+', name, right);
		}
	}
}

__attribute__((nonnull)) static int diff(const char *left, const char *right, enum filter_arch arch)
{
	struct shown a = { .policy = NULL }, b = { .policy = NULL };
	struct err e = { 0 };
	int status = EXIT_OK;

	if (shown_open(&a, left, arch, &e) < 0 || shown_open(&b, right, arch, &e) < 0)
		status = say_error(&e);
	else
		print_differences(&a, &b);
	shown_close(&a);
	shown_close(&b);
	return status;
}

/* A call by its name or its number on that architecture. */
static const struct call_row *find_call(const char *text, enum filter_arch arch)
{
	char *end;
	const long number = strtol(text, &end, 10);
	const char *name = *text && !*end && number <= POLICY_NUMBER_MOST ? call_name((int)number, arch) : NULL;

	return call_find(name ? name : text);
}

static int explain(struct shown *s, const char *text, struct err *e)
{
	const struct call_row *call = find_call(text, s->arch);
	const struct policy *only = s->policy;
	const struct policy_set *set = &s->library.set;

	if (!call) {
		fail_usage(e, "no system call '%s' is known here", text);
		return say_error(e);
	}
	printf("%s:", call->name);
	for (int arch = 0; arch < FILTER_ARCHS; arch++)
		if (call->number[arch] >= 0)
			printf(" %d on %s", call->number[arch], filter_archs[arch].name);
	putchar('\n');
	for (size_t i = 0; i < set->policy_count; i++) {
		if (only && only != &set->policies[i])
			continue;
		s->policy = &set->policies[i];
		printf("\n  %s\n", s->policy->name);
		policy_show_rules(s, call->name);
	}
	return EXIT_OK;
}

/* What works on one library: the list, one policy, one call. */
static int answer(const struct request_policy *r, int argc, char **argv)
{
	const bool explains = argc > 0 && strcmp(argv[0], "explain") == 0;
	const char *name = explains ? (argc > 2 ? argv[2] : NULL) : (argc > 0 ? argv[0] : NULL);
	struct shown s = { .policy = NULL };
	struct err e = { 0 };
	int status;

	if (name && strcmp(name, "none") == 0)
		status = puts("none: no filter at all; the other walls must hold alone") < 0;
	else if (shown_open(&s, name, r->arch, &e) < 0)
		status = say_error(&e);
	else if (explains)
		status = explain(&s, argv[1], &e);
	else
		status = name ? show_one(&s, r->view, &e) : list(&s);
	shown_close(&s);
	return status;
}

static int usage(const char *what)
{
	struct err e = { 0 };

	fail_usage(&e, "%s", what);
	fail_cure(&e, "judge policy --help tells more");
	return say_error(&e);
}

/* Options may stand before the words and behind them. */
static int read_words(struct request_policy *r, int argc, char **argv, int *ret_count, struct err *e)
{
	int count = 0, rest = 0;

	for (int at = 0; at < argc; at += rest) {
		if (options_parse(rows, ARRAY_SIZE(rows), argc - at, argv + at, r, &rest, e) < 0)
			return -1;
		if (at + rest < argc)
			argv[++count] = argv[at + rest];
	}
	*ret_count = count;
	return 0;
}

int command_policy(int argc, char **argv)
{
	struct request_policy r = { .arch = FILTER_NATIVE };
	struct err e = { 0 };
	int count = 0;

	if (argc > 1 && strcmp(argv[1], "learn") == 0)
		return policy_learn(argc - 1, argv + 1);
	if (read_words(&r, argc, argv, &count, &e) < 0)
		return say_error(&e);
	if (r.view == VIEW_HELP)
		return help();
	if (count > 0 && strcmp(argv[1], "diff") == 0)
		return count == 3 ? diff(argv[2], argv[3], r.arch) : usage("diff takes two policies");
	if (count > 0 && strcmp(argv[1], "explain") == 0 && (count < 2 || count > 3))
		return usage("explain takes a call, and a policy if you like");
	if (count > 1 && strcmp(argv[1], "explain") != 0)
		return usage("one policy at a time");
	return answer(&r, count, argv + 1);
}
