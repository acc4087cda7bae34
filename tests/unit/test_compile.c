/*
 * From policies to BPF: random policies, compiled, run by an interpreter and compared with a reading of the
 * rules one after the other; and the mistakes only the compiler can see.
 */
#include "base/array.h"
#include "seccomp/compile.h"
#include "tests/unit/bpf_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ABOVE 469

/* Calls are named c0, c1, … here; "elsewhere" and "unknown" are what they say. */
static int number_of(const struct policy_set *set, const char *name, enum filter_arch arch)
{
	(void)set;
	(void)arch;
	if (strcmp(name, "elsewhere") == 0)
		return CALL_ELSEWHERE;
	return name[0] == 'c' ? (int)strtol(name + 1, NULL, 10) : CALL_UNKNOWN;
}

static void warn(const struct policy_row *row, void *context)
{
	(void)context;
	check_expected(row->place.line);
	check_expected_ptr(row->call);
}

static const struct policy_names names = { .number = number_of, .warn = warn };

static uint64_t random_bits(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u); /* splitmix64 */

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static unsigned below(uint64_t *state, unsigned n)
{
	return (unsigned)(random_bits(state) % n);
}

/* Values near to those that rules compare with, so that both answers come up. */
static uint64_t some_value(uint64_t *state)
{
	static const uint64_t values[] = { 0, 1, 2, 3, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
					   0x100000001, 0xffffffff00000000, 0x8000000000000000, UINT64_MAX };

	return values[below(state, ARRAY_SIZE(values))];
}

static const char *some_action(uint64_t *state)
{
	static const char *const actions[] = { "allow", "kill", "errno EPERM", "errno ENOSYS", "errno EINVAL" };

	return actions[below(state, ARRAY_SIZE(actions))];
}

static void write_condition(FILE *f, uint64_t *state)
{
	static const char *const signs[] = { "==", "!=", "<", "<=", ">", ">=", "in" };
	static const char *const bits[] = { "any", "all", "only" };
	const bool narrow = below(state, 2);
	const uint64_t width = narrow ? UINT32_MAX : UINT64_MAX;
	uint64_t mask = width;

	fprintf(f, "%s%u ", narrow ? "int" : "long", below(state, POLICY_ARGUMENTS));
	if (below(state, 3) == 0) {
		while ((mask = some_value(state) & width) == 0 || mask == width)
			continue;
		fprintf(f, "%s %llu", bits[below(state, 3)], (unsigned long long)mask);
		return;
	}
	if (below(state, 3) == 0) {
		while ((mask = (some_value(state) | some_value(state)) & width) == 0)
			continue;
		fprintf(f, "& 0x%llx ", (unsigned long long)mask);
	}
	const char *sign = signs[below(state, ARRAY_SIZE(signs))];

	fprintf(f, "%s %llu", sign, (unsigned long long)(some_value(state) & mask));
	for (unsigned more = strcmp(sign, "in") == 0 ? below(state, 4) : 0; more > 0; more--)
		fprintf(f, ", 0x%llx", (unsigned long long)(some_value(state) & mask));
}

/* `dense`: long enough for jumps over more than 255 instructions. */
static char *write_policy(uint64_t *state, bool dense)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	const unsigned calls = dense ? 200 : 1 + below(state, 40);

	assert_non_null(f);
	fprintf(f, "policy p\ndefault %s\nabove %d %s\n", some_action(state), ABOVE, some_action(state));
	for (unsigned i = 0; i < calls; i++) {
		const unsigned call = dense ? i * 2 : i * (ABOVE / 41) + below(state, ABOVE / 41);

		for (unsigned rules = below(state, 3); rules > 0; rules--) {
			fprintf(f, "c%u if ", call);
			write_condition(f, state);
			if (below(state, 2)) {
				fputs(" and ", f);
				write_condition(f, state);
			}
			fprintf(f, " %s\n", some_action(state));
		}
		if (below(state, 2))
			fprintf(f, "c%u %s\n", call, some_action(state));
	}
	fputs("end\n", f);
	fclose(f);
	return text;
}

static bool holds(const struct policy_condition *c, const struct seccomp_data *d)
{
	const uint64_t a = d->args[c->argument] & c->mask;
	bool found = false;

	for (size_t i = 0; i < c->count; i++) {
		const uint64_t v = c->values[i];
		const bool answers[] = { [POLICY_EQ] = a == v, [POLICY_NE] = a != v, [POLICY_LT] = a < v,
					 [POLICY_LE] = a <= v, [POLICY_GT] = a > v, [POLICY_GE] = a >= v };

		found |= answers[c->compare];
	}
	return found;
}

static uint32_t answer(const struct policy_action *action)
{
	return action->kind == POLICY_ALLOW ? SECCOMP_RET_ALLOW :
	       action->kind == POLICY_KILL  ? SECCOMP_RET_KILL_PROCESS :
					      SECCOMP_RET_ERRNO | (uint32_t)action->number;
}

static uint32_t expected(const struct policy *p, const struct seccomp_data *d, bool x32)
{
	const uint32_t n = (uint32_t)d->nr;

	if (x32 && n >= 0x40000000 && n < 0x80000000)
		return SECCOMP_RET_KILL_PROCESS;
	if (n > p->above)
		return answer(&p->above_action);
	for (size_t i = 0; i < p->count; i++) {
		const struct policy_rule *rule = &p->rules[i];
		bool all = number_of(NULL, rule->target.name, FILTER_X86_64) == d->nr;

		for (size_t k = 0; k < rule->count && all; k++)
			all = holds(&rule->conditions[k], d);
		if (all)
			return answer(&rule->action);
	}
	return answer(&p->initial);
}

static void compare(const struct policy *p, enum filter_arch arch, const struct sock_filter *code,
		    unsigned short length, const char *text, uint64_t *state)
{
	static const uint32_t others[] = { ABOVE + 1, 0x3fffffff, 0x40000000, 0x40000001, 0x7fffffff,
					   0x80000000, 0xffffffff };

	for (unsigned i = 0; i < 3 * (ABOVE + 1 + ARRAY_SIZE(others)); i++) {
		struct seccomp_data d = { .arch = filter_archs[arch].audit };
		uint32_t found, right;

		d.nr = (int)(i / 3 <= ABOVE ? i / 3 : others[i / 3 - (ABOVE + 1)]);
		d.instruction_pointer = random_bits(state);
		for (int k = 0; k < POLICY_ARGUMENTS; k++)
			d.args[k] = some_value(state);
		found = bpf_run(code, length, &d, NULL);
		right = expected(p, &d, filter_archs[arch].x32);
		if (found != right)
			fail_msg("%s\nnumber %d: expected %#x, found %#x", text, d.nr, right, found);
		d.arch ^= 1;
		assert_int_equal(bpf_run(code, length, &d, NULL), SECCOMP_RET_KILL_PROCESS);
	}
}

static void check_random_policy(uint64_t seed, bool dense)
{
	uint64_t state = seed;
	char *text = write_policy(&state, dense);

	for (int arch = 0; arch < FILTER_ARCHS; arch++) {
		struct policy_set set = { .group_count = 0 };
		struct sock_filter *code;
		unsigned short length;
		struct err e;

		if (policy_read(&set, "p", text, strlen(text), &e) < 0 || policy_check(&set, &e) < 0 ||
		    policy_compile(&set, policy_find(&set, "p"), (enum filter_arch)arch, &names,
				   &set.arena, &code, &length, &e) < 0)
			fail_msg("%s\n%s", text, e.text);
		if (dense)
			assert_in_range(length, 800, BPF_MAXINSNS);
		compare(policy_find(&set, "p"), (enum filter_arch)arch, code, length, text, &state);
		arena_free(&set.arena);
	}
	free(text);
}

static void random_policies(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 300; seed++)
		check_random_policy(seed * 1000, false);
}

static void random_policies_with_long_jumps(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 30; seed++)
		check_random_policy(seed * 1001, true);
}

static int compile_text(const char *text, unsigned short *ret_length, struct err *e)
{
	struct policy_set set = { .group_count = 0 };
	struct sock_filter *code;
	int result = -1;

	if (policy_read(&set, "p", text, strlen(text), e) == 0 && policy_check(&set, e) == 0)
		result = policy_compile(&set, policy_find(&set, "p"), FILTER_AARCH64, &names, &set.arena, &code, ret_length, e);
	arena_free(&set.arena);
	return result;
}

static void unknown_calls_are_warned_of(void **state)
{
	unsigned short length = 0;
	struct err e;

	(void)state;
	expect_value(warn, row->place.line, 7);
	expect_string(warn, row->call, "unknown");
	assert_int_equal(compile_text("policy p\ndefault allow\nabove 9 kill\n@g kill\nend\n"
				      "group g\nunknown\nelsewhere c1\nend\n", &length, &e), 0);
	/* arch, jump, number, jump, one call, and a return each for kill and allow */
	assert_int_equal(length, 7);
}

static void calls_above_the_ceiling_are_refused(void **state)
{
	unsigned short length;
	struct err e;

	(void)state;
	assert_int_equal(compile_text("policy p\ndefault allow\nabove 9 kill\nc9 kill\nend\n", &length, &e), 0);
	assert_int_equal(compile_text("policy p\ndefault allow\nabove 9 kill\nc10 kill\nend\n", &length, &e), -1);
	assert_string_equal(e.text, "p:4: c10 is number 10, above the newest call of policy p (9)");
}

static void filters_have_an_end(void **state)
{
	unsigned short length;
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	struct err e;

	(void)state;
	assert_non_null(f);
	fputs("policy p\ndefault allow\nabove 4095 kill\n", f);
	for (int i = 0; i < 4095; i++)
		fprintf(f, "c%d if int0 in 1, 2, 3 errno EPERM\n", i);
	fputs("end\n", f);
	fclose(f);
	assert_int_equal(compile_text(text, &length, &e), -1);
	assert_string_equal(e.text, "p:1: policy p needs more than the 4096 instructions a filter may have");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_policies),
		cmocka_unit_test(random_policies_with_long_jumps),
		cmocka_unit_test(unknown_calls_are_warned_of),
		cmocka_unit_test(calls_above_the_ceiling_are_refused),
		cmocka_unit_test(filters_have_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
