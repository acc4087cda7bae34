/* The reader of system call policies: what it understands, and the sentence for each mistake. */
#include "base/array.h"
#include "seccomp/constants.h"
#include "seccomp/policy.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FRAME "policy p\n\tdefault allow\n\tabove 469 errno ENOSYS\n"	/* lines 1 to 3 */

static int read_text(struct policy_set *set, const char *text, struct err *e)
{
	*set = (struct policy_set){ .group_count = 0 };
	*e = (struct err){ .kind = ERR_NONE };
	if (policy_read(set, "p.policy", text, strlen(text), e) < 0)
		return -1;
	return policy_check(set, e);
}

struct bad_row {
	const char *text;
	const char *error;	/* after "p.policy:" */
};

static const struct bad_row bad_rows[] = {
	/* statements */
	{ "hello\n", "1: expected number, group or policy, not \"hello\"" },
	{ "\n# end\n\nend\n", "4: expected number, group or policy, not \"end\"" },
	{ "number\n", "1: expected a name for the number, not \"end of line\"" },
	{ "number Openat 500\n", "1: expected a name for the number, not \"Openat\"" },
	{ "number a b\n", "1: a is a number up to 4095, not \"b\"" },
	{ "number a 4096\n", "1: a is a number up to 4095, not \"4096\"" },
	{ "number a 423\n", "1: numbers below 424 differ between architectures" },
	{ "number a 424 x\n", "1: unexpected \"x\"" },
	{ "number a 424\nnumber a 425\n", "2: a second number a: the first stands at p.policy:1" },
	/* groups */
	{ "group\n", "1: expected a name for the group, not \"end of line\"" },
	{ "group @a\n", "1: expected a name for the group, not \"@a\"" },
	{ "group a b\n", "1: unexpected \"b\"" },
	{ "group a\n\topen\n", "2: no \"end\" of group a" },
	{ "group a\nend\ngroup a\nend\n", "3: a second group a: the first stands at p.policy:1" },
	{ "group a\n\topen, read\nend\n", "2: expected the name of a call or @GROUP, not \",\"" },
	{ "group a\n\topen read\n\topen\nend\n", "3: open is in this group already" },
	{ "group a\n\t@\nend\n", "2: expected the name of a call or @GROUP, not \"@\"" },
	{ "group a\nend of\n", "2: unexpected \"of\"" },
	{ "group a\n\t@b\nend\n", "2: there is no group b" },
	{ "group a\n\t@a\nend\n", "2: group a contains itself" },
	{ "group a\n@b\nend\ngroup b\n@c\nend\ngroup c\n@a\nend\n", "8: group a contains itself" },
	/* policies */
	{ "policy\n", "1: expected a name for the policy, not \"end of line\"" },
	{ "policy p\nend\n", "1: policy p has no \"default\"" },
	{ "policy p\ndefault kill\nend\n", "1: policy p has no \"above\"" },
	{ FRAME, "3: no \"end\" of policy p" },
	{ FRAME "end\npolicy p\n", "5: a second policy p: the first stands at p.policy:1" },
	{ FRAME "default kill\nend\n", "4: a second default" },
	{ FRAME "above 1 kill\nend\n", "4: a second \"above\"" },
	{ "policy p\nabove x kill\nend\n", "2: the newest call is a number up to 4095, not \"x\"" },
	{ "policy p\nabove 4096 kill\nend\n", "2: the newest call is a number up to 4095, not \"4096\"" },
	{ "policy p\nabove 469\nend\n", "2: expected allow, errno NAME or kill, not \"end of line\"" },
	{ FRAME "exec\nend\n", "4: expected program or any, not \"end of line\"" },
	{ FRAME "exec none\nend\n", "4: expected program or any, not \"none\"" },
	{ FRAME "exec program any\nend\n", "4: unexpected \"any\"" },
	{ FRAME "exec any\nexec program\nend\n", "5: a second exec" },
	{ "policy p\nlike\nend\n", "2: expected the name of a policy, not \"end of line\"" },
	{ "policy p\nlike q\nend\n", "2: there is no policy q" },
	{ "policy p\nlike p\nend\n", "2: policy p is like itself" },
	{ "policy p\nlike q\nend\npolicy q\nlike p\nend\n", "2: policy q is like itself" },
	{ FRAME "like q\nlike q\nend\n", "5: a second \"like\"" },
	/* rules */
	{ FRAME "\tOPEN kill\nend\n", "4: expected the name of a call or @GROUP, not \"OPEN\"" },
	{ FRAME "\t@x kill\nend\n", "4: there is no group x" },
	{ FRAME "\topen\nend\n", "4: expected allow, errno NAME or kill, not \"end of line\"" },
	{ FRAME "\topen deny\nend\n", "4: expected allow, errno NAME or kill, not \"deny\"" },
	{ FRAME "\topen errno\nend\n", "4: \"end of line\" is no known errno" },
	{ FRAME "\topen errno 1\nend\n", "4: \"1\" is no known errno" },
	{ FRAME "\topen errno EBOGUS\nend\n", "4: \"EBOGUS\" is no known errno" },
	{ FRAME "\topen kill now\nend\n", "4: unexpected \"now\"" },
	{ FRAME "\topen kill\n\topen kill\nend\n", "5: never reached: line 4 decides open always" },
	{ FRAME "\topen kill\n\topen if int0 == 1 allow\nend\n",
	  "5: never reached: line 4 decides open always" },
	{ "group g\nopen\nend\n" FRAME "\t@g kill\n\topen allow\nend\n",
	  "8: never reached: line 7 decides open always" },
	/* conditions */
	{ FRAME "\topen if kill\nend\n", "4: expected int0 to int5 or long0 to long5, not \"kill\"" },
	{ FRAME "\topen if\nend\n", "4: expected int0 to int5 or long0 to long5, not \"end of line\"" },
	{ FRAME "\topen if int6 == 0 kill\nend\n", "4: expected int0 to int5 or long0 to long5, not \"int6\"" },
	{ FRAME "\topen if int == 0 kill\nend\n", "4: expected int0 to int5 or long0 to long5, not \"int\"" },
	{ FRAME "\topen if long01 == 0 kill\nend\n",
	  "4: expected int0 to int5 or long0 to long5, not \"long01\"" },
	{ FRAME "\topen if int0 kill\nend\n", "4: expected a comparison, not \"kill\"" },
	{ FRAME "\topen if int0 = 1 kill\nend\n", "4: expected a comparison, not \"=\"" },
	{ FRAME "\topen if int0 ==\nend\n", "4: a number or a constant is missing" },
	{ FRAME "\topen if int0 == kill\nend\n", "4: \"kill\" is neither a number nor a known constant" },
	{ FRAME "\topen if int0 == -1 kill\nend\n", "4: \"-1\" is neither a number nor a known constant" },
	{ FRAME "\topen if int0 == 010 kill\nend\n", "4: \"010\" is neither a number nor a known constant" },
	{ FRAME "\topen if int0 == 0x kill\nend\n", "4: \"0x\" is neither a number nor a known constant" },
	{ FRAME "\topen if int0 == 0xg kill\nend\n", "4: \"0xg\" is neither a number nor a known constant" },
	{ FRAME "\topen if int0 == 1a kill\nend\n", "4: \"1a\" is neither a number nor a known constant" },
	{ FRAME "\topen if int0 == 1| kill\nend\n", "4: \"\" is neither a number nor a known constant" },
	{ FRAME "\topen if long0 == 18446744073709551616 kill\nend\n",
	  "4: \"18446744073709551616\" is neither a number nor a known constant" },
	{ FRAME "\topen if long0 == 0x10000000000000000 kill\nend\n",
	  "4: \"0x10000000000000000\" is neither a number nor a known constant" },
	{ FRAME "\topen if int0 == 0x100000000 kill\nend\n", "4: the argument is never \"0x100000000\"" },
	{ FRAME "\topen if int0 & 6 == 1 kill\nend\n", "4: the argument is never \"1\"" },
	{ FRAME "\topen if int0 & 0 == 0 kill\nend\n", "4: no mask for this argument: \"0\"" },
	{ FRAME "\topen if int0 & 0x100000000 == 0 kill\nend\n",
	  "4: no mask for this argument: \"0x100000000\"" },
	{ FRAME "\topen if int0 any 0 kill\nend\n", "4: no bits of the argument: \"0\"" },
	{ FRAME "\topen if int0 all 0x100000000 kill\nend\n", "4: no bits of the argument: \"0x100000000\"" },
	{ FRAME "\topen if int0 only 0xffffffff kill\nend\n", "4: always true: \"only\" every bit" },
	{ FRAME "\topen if int0 in 1, kill\nend\n", "4: \"kill\" is neither a number nor a known constant" },
	{ FRAME "\topen if int0 == 1, 2 kill\nend\n", "4: expected allow, errno NAME or kill, not \",\"" },
	{ FRAME "\topen if int0 == 1 and kill\nend\n",
	  "4: expected int0 to int5 or long0 to long5, not \"kill\"" },
	{ FRAME "\topen if int0 == 1 int1 == 2 kill\nend\n",
	  "4: expected allow, errno NAME or kill, not \"int1\"" },
};

static void every_mistake_is_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad_rows); i++) {
		struct policy_set set;
		struct err e;
		char expected[256];

		snprintf(expected, sizeof(expected), "p.policy:%s", bad_rows[i].error);
		if (read_text(&set, bad_rows[i].text, &e) == 0)
			fail_msg("accepted:\n%s", bad_rows[i].text);
		if (strcmp(e.text, expected) != 0)
			fail_msg("%s\nexpected: %s\nfound:    %s", bad_rows[i].text, expected, e.text);
		assert_int_equal(e.kind, ERR_USAGE);
		arena_free(&set.arena);
	}
}

/* Writes a checked policy as one line a row: call, conditions, action, place. */
static void print_policy(const struct policy_set *set, const char *name, char *out, size_t size)
{
	static const char *const signs[] = { "==", "!=", "<", "<=", ">", ">=" };
	struct arena arena = { .last = NULL };
	struct policy_row *rows;
	const size_t count = policy_rows(set, policy_find(set, name), &arena, &rows);
	FILE *f = fmemopen(out, size, "w");

	assert_non_null(f);
	for (size_t i = 0; i < count; i++) {
		const struct policy_rule *r = rows[i].rule;

		fprintf(f, "%d %s", rows[i].place.line, rows[i].call);
		for (size_t k = 0; k < r->count; k++) {
			const struct policy_condition *c = &r->conditions[k];

			fprintf(f, " %d&%llx%s", c->argument, (unsigned long long)c->mask,
				signs[c->compare]);
			for (size_t v = 0; v < c->count; v++)
				fprintf(f, "%s%llx", v ? "," : "", (unsigned long long)c->values[v]);
		}
		fprintf(f, " %d:%d\n", (int)r->action.kind, r->action.number);
	}
	fclose(f);
	arena_free(&arena);
}

struct good_row {
	const char *text;
	const char *rows;	/* of policy p; action kinds: 0 allow, 1 errno, 2 kill */
};

static const struct good_row good_rows[] = {
	{ FRAME "end", "" },
	{ FRAME "# nothing\n\n \t\r\nend # of it\r\n", "" },
	{ FRAME "open kill\nread allow # why\nend\n", "4 open 2:0\n5 read 0:0\n" },
	{ FRAME "open if int0 == 1 kill\nopen errno EPERM\nend\n",
	  "4 open 0&ffffffff==1 2:0\n5 open 1:1\n" },
	{ FRAME "open if long5 != 0xFFFFffffFFFFffff kill\nend\n",
	  "4 open 5&ffffffffffffffff!=ffffffffffffffff 2:0\n" },
	{ FRAME "open if int1 & 0xf0 <= 0x10 and long2 > 18446744073709551614 kill\nend\n",
	  "4 open 1&f0<=10 2&ffffffffffffffff>fffffffffffffffe 2:0\n" },
	{ FRAME "open if int1 < 5 and int1 >= 3 allow\nend\n",
	  "4 open 1&ffffffff<5 1&ffffffff>=3 0:0\n" },
	{ FRAME "open if int1 in 1,2 , AF_UNIX|6 allow\nend\n", "4 open 1&ffffffff==1,2,7 0:0\n" },
	{ FRAME "open if int1 any 6 allow\nread if long1 all 6 allow\nwrite if int1 only 6 allow\nend\n",
	  "4 open 1&6!=0 0:0\n5 read 1&6==6 0:0\n6 write 1&fffffff9==0 0:0\n" },
	{ FRAME "open if long1 only 6 allow\nend\n", "4 open 1&fffffffffffffff9==0 0:0\n" },
	/* a group may come later, be met twice, and hold others */
	{ FRAME "@g kill\nend\ngroup g\n@h open\n@i\nend\ngroup h\n@i\nend\ngroup i\nread write\nend\n",
	  "14 read 2:0\n14 write 2:0\n7 open 2:0\n" },
	/* an exception before its group */
	{ FRAME "open allow\n@g kill\nend\ngroup g\nopen read\nend\n", "4 open 0:0\n8 open 2:0\n8 read 2:0\n" },
	/* another policy's rules come after one's own, wherever `like` stands */
	{ "policy p\nlike q\nopen allow\nend\npolicy q\ndefault kill\nabove 9 kill\nopen kill\nend\n",
	  "3 open 0:0\n8 open 2:0\n" },
};

static void texts_are_understood(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good_rows); i++) {
		char found[1024] = "";
		struct policy_set set;
		struct err e;

		if (read_text(&set, good_rows[i].text, &e) < 0)
			fail_msg("%s\n%s", good_rows[i].text, e.text);
		print_policy(&set, "p", found, sizeof(found));
		if (strcmp(found, good_rows[i].rows) != 0)
			fail_msg("%s\nexpected:\n%s\nfound:\n%s", good_rows[i].text, good_rows[i].rows, found);
		arena_free(&set.arena);
	}
}

static void like_brings_default_and_ceiling(void **state)
{
	struct policy_set set;
	struct err e;
	const struct policy *p;

	(void)state;
	assert_int_equal(read_text(&set, "policy p\nlike q\nend\npolicy q\nabove 7 kill\nlike r\nend\n"
					 "policy r\ndefault errno ENOSYS\nabove 9 allow\nend\n", &e), 0);
	p = policy_find(&set, "p");
	assert_int_equal(p->initial.kind, POLICY_ERRNO);
	assert_int_equal(p->initial.number, ENOSYS);
	assert_int_equal(p->above, 7);
	assert_int_equal(p->above_action.kind, POLICY_KILL);
	arena_free(&set.arena);
}

static void exec_is_said_or_inherited(void **state)
{
	static const struct { const char *own, *other, *third; bool program; } rows[] = {
		{ "", "", "", false },
		{ "exec program\n", "", "", true },
		{ "exec any\n", "", "", false },
		{ "", "exec program\n", "", true },
		{ "", "", "exec program\n", true },
		{ "", "exec any\n", "exec program\n", false },
		{ "exec any\n", "exec program\n", "", false },
		{ "exec program\n", "exec any\n", "exec any\n", true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct policy_set set;
		struct err e;
		char text[256];

		snprintf(text, sizeof(text),
			 "policy p\nlike q\n%send\npolicy q\n%slike r\nend\n"
			 "policy r\ndefault kill\nabove 9 kill\n%send\n",
			 rows[i].own, rows[i].other, rows[i].third);
		assert_int_equal(read_text(&set, text, &e), 0);
		if (policy_find(&set, "p")->exec_program != rows[i].program)
			fail_msg("row %zu", i);
		arena_free(&set.arena);
	}
}

static void names_reach_across_files(void **state)
{
	const char *first = FRAME "@g kill\nend\n", *second = "group g\nopen\nend\n";
	struct policy_set set = { .group_count = 0 };
	struct err e = { .kind = ERR_NONE };

	(void)state;
	assert_int_equal(policy_read(&set, "1", first, strlen(first), &e), 0);
	assert_int_equal(policy_check(&set, &e), -1);
	assert_string_equal(e.text, "1:4: there is no group g");
	assert_int_equal(policy_read(&set, "2", second, strlen(second), &e), 0);
	assert_int_equal(policy_check(&set, &e), 0);
	assert_int_equal(policy_read(&set, "3", second, strlen(second), &e), -1);
	assert_string_equal(e.text, "3:1: a second group g: the first stands at 2:1");
	arena_free(&set.arena);
}

static void bytes_that_are_no_text(void **state)
{
	static const char nul[] = "policy p\n\0\n";
	struct policy_set set = { .group_count = 0 };
	struct err e;
	char words[1024];

	(void)state;
	assert_int_equal(policy_read(&set, "n", nul, sizeof(nul) - 1, &e), -1);
	assert_string_equal(e.text, "n:2: a NUL byte");
	memset(words, ',', sizeof(words));
	assert_int_equal(policy_read(&set, "w", words, 65, &e), -1);
	assert_string_equal(e.text, "w:1: more than 64 words");
	assert_int_equal(policy_read(&set, "w", words, 64, &e), -1);
	assert_string_equal(e.text, "w:1: expected number, group or policy, not \",\"");
	assert_int_equal(policy_read(&set, "w", words, 0, &e), 0);
	arena_free(&set.arena);
}

/* Each group holds the next two: 2^40 ways from the first to the last. */
static void groups_do_not_explode(void **state)
{
	struct policy_set set = { .group_count = 0 };
	struct policy_row *rows;
	struct err e;
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	assert_non_null(f);
	for (int i = 0; i < 40; i++)
		fprintf(f, "group a%d\n@a%d @b%d\nend\ngroup b%d\n@a%d @b%d\nend\n", i, i + 1, i + 1, i,
			i + 1, i + 1);
	fputs("group a40\nopen\nend\ngroup b40\nread\nend\n" FRAME "@a0 kill\nend\n", f);
	fclose(f);
	assert_int_equal(policy_read(&set, "g", text, size, &e), 0);
	assert_int_equal(policy_check(&set, &e), 0);
	assert_int_equal(policy_rows(&set, policy_find(&set, "p"), &set.arena, &rows), 2);
	arena_free(&set.arena);
	free(text);
}

/* Any prefix and any one-byte change of a good text ends in 0 or in a sentence with file and line. */
static void damaged_texts_are_survived(void **state)
{
	static const char good[] = "number x 450\ngroup g\n\t@h open\nend\ngroup h\nend\npolicy p\ndefault allow\n"
				   "above 469 errno ENOSYS\n@g if int0 & 7 in 1, AF_UNIX and long1 only 3 kill\n"
				   "read allow # so\nend\n";
	static const char bytes[] = { '\0', '\n', ' ', '#', ',', '@', '|', '0', 'a', (char)0xff };

	(void)state;
	for (size_t at = 0; at < sizeof(good) - 1; at++)
		for (size_t b = 0; b <= sizeof(bytes); b++) {
			struct policy_set set = { .group_count = 0 };
			struct err e = { .kind = ERR_NONE };
			char text[sizeof(good)];
			size_t size = b < sizeof(bytes) ? sizeof(good) - 1 : at;

			memcpy(text, good, sizeof(good));
			if (b < sizeof(bytes))
				text[at] = bytes[b];
			if (policy_read(&set, "f", text, size, &e) < 0 || policy_check(&set, &e) < 0)
				assert_int_equal(strncmp(e.text, "f:", 2), 0);
			arena_free(&set.arena);
		}
}

static void constants_have_their_values(void **state)
{
	uint64_t value = 0;
	int number = 0;

	(void)state;
	assert_int_equal(constant_find("TIOCSTI", &value), 0);
	assert_int_equal(value, 0x5412);
	assert_int_equal(constant_find("CLONE_NEWNS", &value), 0);
	assert_int_equal(value, 0x20000);
	assert_int_equal(constant_find("MAP_HUGETLB", &value), 0);
	assert_int_equal(value, 0x40000);
	assert_int_equal(constant_find("SHM_HUGETLB", &value), 0);
	assert_int_equal(value, 0x800);
	assert_int_equal(constant_find("tiocsti", &value), -1);
	assert_int_equal(errno_find("EAFNOSUPPORT", &number), 0);
	assert_int_equal(number, 97);
	assert_int_equal(errno_find("AF_UNIX", &number), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_mistake_is_named),
		cmocka_unit_test(texts_are_understood),
		cmocka_unit_test(like_brings_default_and_ceiling),
		cmocka_unit_test(exec_is_said_or_inherited),
		cmocka_unit_test(names_reach_across_files),
		cmocka_unit_test(bytes_that_are_no_text),
		cmocka_unit_test(groups_do_not_explode),
		cmocka_unit_test(damaged_texts_are_survived),
		cmocka_unit_test(constants_have_their_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
