/*
 * lang/scan_java: class files built here byte by byte. Each row is one constant pool of up to three members; then every
 * prefix and every changed byte of a good file, for which no answer is demanded but that there is one.
 */
#include "base/array.h"
#include "lang/scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct bytes {
	unsigned char at[4096];
	size_t size;
};

struct row {
	const char *name;
	const char *class_name;	/* of a class entry */
	const char *member;	/* of a method of it, or NULL */
	unsigned method_flags;	/* of the file's only method */
	const char *rule;	/* NULL: nothing is refused */
};

static const struct row rows[] = {
	{ "a class of the program's", "Main", NULL, 0, NULL },
	{ "System.exit", "java/lang/System", "exit", 0, NULL },
	{ "System.load", "java/lang/System", "load", 0, "use of java.lang.System.load" },
	{ "System.loadLibrary", "java/lang/System", "loadLibrary", 0, "use of java.lang.System.loadLibrary" },
	{ "Runtime.exec", "java/lang/Runtime", "exec", 0, "use of java.lang.Runtime.exec" },
	{ "Runtime.totalMemory", "java/lang/Runtime", "totalMemory", 0, NULL },
	{ "exec of another class", "java/lang/Runtimes", "exec", 0, NULL },
	{ "ProcessBuilder", "java/lang/ProcessBuilder", NULL, 0, "class java.lang.ProcessBuilder" },
	{ "an array of sockets", "[[Ljava/net/Socket;", NULL, 0, "class java.net.Socket" },
	{ "an array of int", "[[I", NULL, 0, NULL },
	{ "an array of nothing", "[", NULL, 0, NULL },
	{ "an array with no end", "[L", NULL, 0, NULL },
	{ "a name that is empty", "", NULL, 0, NULL },
	{ "the lambda factory", "java/lang/invoke/LambdaMetafactory", "metafactory", 0, NULL },
	{ "a name that begins like the lambda factory's", "java/lang/invoke/LambdaMetafactoryX", NULL, 0,
		"class java.lang.invoke.LambdaMetafactoryX" },
	{ "Lookup as an inner class that is named", "java/lang/invoke/MethodHandles$Lookup", NULL, 0, NULL },
	{ "a method of Lookup", "java/lang/invoke/MethodHandles$Lookup", "defineClass", 0,
		"use of java.lang.invoke.MethodHandles$Lookup.defineClass" },
	{ "joined strings", "java/lang/invoke/StringConcatFactory", "makeConcatWithConstants", 0, NULL },
	{ "records", "java/lang/runtime/ObjectMethods", "bootstrap", 0, NULL },
	{ "reflection", "java/lang/reflect/Method", "invoke", 0, "class java.lang.reflect.Method" },
	{ "a generic array", "java/lang/reflect/Array", "newInstance", 0, NULL },
	{ "Unsafe", "sun/misc/Unsafe", NULL, 0, "class sun.misc.Unsafe" },
	{ "a package that only begins like sun", "sunny/Day", NULL, 0, NULL },
	{ "a native method", "Main", NULL, 0x0109, "native method f" },
	{ "a static method", "Main", NULL, 0x0009, NULL },
	{ "control characters do not reach the message", "sun/\x1b[2J\n", NULL, 0, "class sun.?[2J?" },
};

static void put_2(struct bytes *b, unsigned value)
{
	b->at[b->size++] = (unsigned char)(value >> 8);
	b->at[b->size++] = (unsigned char)value;
}

static void put_utf8(struct bytes *b, const char *text)
{
	size_t size = strlen(text);

	b->at[b->size++] = 1;
	put_2(b, (unsigned)size);
	memcpy(b->at + b->size, text, size);
	b->size += size;
}

static void put_pair(struct bytes *b, unsigned char tag, unsigned first, unsigned second)
{
	b->at[b->size++] = tag;
	put_2(b, first);
	put_2(b, second);
}

/* Pool: 1 class text, 2 the class, 3 member text, 4 "()V", 5 name and type, 6 method, 7-8 a long, 9 "f". */
static void build(struct bytes *b, const struct row *row)
{
	static const unsigned char start[] = { 0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0, 10 };

	memcpy(b->at, start, sizeof start);
	b->size = sizeof start;
	put_utf8(b, row->class_name);
	b->at[b->size++] = 7;
	put_2(b, 1);
	put_utf8(b, row->member ? row->member : "hashCode");
	put_utf8(b, "()V");
	put_pair(b, 12, 3, 4);
	if (row->member)
		put_pair(b, 10, 2, 5);
	else
		put_pair(b, 12, 3, 4);
	b->at[b->size++] = 5;
	for (int i = 0; i < 4; i++)
		put_2(b, 0xffff);
	put_utf8(b, "f");
	for (int i = 0; i < 5; i++)	/* flags, this, super; no interface, no field */
		put_2(b, 0);
	put_2(b, 1);
	put_2(b, row->method_flags);
	put_2(b, 9);
	put_2(b, 4);
	put_2(b, 0);
	put_2(b, 0);
}

static void test_row(void **state)
{
	const struct row *row = *state;
	struct bytes b;
	struct scan_finding finding = { .line = -1 };

	build(&b, row);
	bool refused = scan_java_classes("Main.class", (const char *)b.at, b.size, &finding);

	assert_int_equal(refused, row->rule != NULL);
	if (refused) {
		assert_string_equal(finding.rule, row->rule);
		assert_int_equal(finding.line, 0);
	}
}

/* A copy of just that size, so that the sanitizer sees a read behind it. */
static bool scan_exactly(const unsigned char *at, size_t size, struct scan_finding *ret)
{
	char *copy = malloc(size ? size : 1);
	bool refused;

	assert_non_null(copy);
	memcpy(copy, at, size);
	refused = scan_java_classes("x", copy, size, ret);
	free(copy);
	return refused;
}

static void test_prefixes(void **state)
{
	struct bytes b;
	struct scan_finding finding;

	(void)state;
	build(&b, &rows[0]);
	assert_false(scan_exactly(b.at, b.size, &finding));
	for (size_t size = 0; size < b.size; size++) {
		assert_true(scan_exactly(b.at, size, &finding));
		assert_string_equal(finding.rule, "not a class file");
	}
	b.at[b.size] = 0;
	assert_true(scan_exactly(b.at, b.size + 1, &finding));
}

static void test_changed_bytes(void **state)
{
	struct bytes b;
	struct scan_finding finding;
	unsigned refused = 0;

	(void)state;
	build(&b, &rows[1]);
	for (size_t i = 0; i < b.size; i++)
		for (unsigned value = 0; value < 256; value++) {
			unsigned char before = b.at[i];

			b.at[i] = (unsigned char)value;
			refused += scan_exactly(b.at, b.size, &finding);
			b.at[i] = before;
		}
	assert_in_range(refused, 1, b.size * 256 - b.size);
}

static void test_long_name(void **state)
{
	char name[1024] = "sun/";
	struct row row = { .class_name = name };
	struct bytes b;
	struct scan_finding finding;

	(void)state;
	memset(name + 4, 'a', sizeof name - 5);
	build(&b, &row);
	assert_true(scan_exactly(b.at, b.size, &finding));
	assert_int_equal(strlen(finding.rule), sizeof finding.rule - 1);
}

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(rows) + 3];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		tests[i] = (struct CMUnitTest){ rows[i].name, test_row, NULL, NULL, (void *)&rows[i] };
	tests[ARRAY_SIZE(rows)] = (struct CMUnitTest)cmocka_unit_test(test_prefixes);
	tests[ARRAY_SIZE(rows) + 1] = (struct CMUnitTest)cmocka_unit_test(test_changed_bytes);
	tests[ARRAY_SIZE(rows) + 2] = (struct CMUnitTest)cmocka_unit_test(test_long_name);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
