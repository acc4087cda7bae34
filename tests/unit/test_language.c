/*
 * lang/language: the reader of .lang files, and the files that judge ships. Each row is a test of its own, named by
 * its sentence.
 */
#include "base/array.h"
#include "base/fd.h"
#include "lang/embedded.h"
#include "lang/language.h"
#include "sandbox/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define SIZED(text) (text), sizeof(text) - 1
#define HEAD "name x\ntitle X\n"
#define RUN "run /bin/x\n"

struct read_row {
	const char *name;
	const char *text;
	size_t size;
	const char *error;	/* how it begins; NULL: it reads */
};

static const struct read_row read_rows[] = {
	{ "the smallest language", SIZED(HEAD RUN), NULL },
	{ "no newline at the end, CRLF, blanks and tabs", SIZED("name x\r\n\ttitle\tX \r\n  run /bin/x"), NULL },
	{ "comments and empty lines", SIZED("# a\n\n  # b\n" HEAD RUN "env run A=b # c\n"), NULL },
	{ "all statements", SIZED(HEAD "also y z\nextension .x .y\nstandard 1 2\nneeds /bin/x\npackage apt:x\n"
	  "version /bin/x -v\nsource main.x\nmain java-class\ncompile /bin/x {sources} {std} {given}\n"
	  "artifact out/\nrun /box/{artifact}{main} {memory_mb} {stack_kb} {level}\npolicy compile compile\n"
	  "policy run native\nenv run A=\nlimit compile memory 1G\nextra memory 1M\nextra processes 3\n"
	  "exec run /bin/y /bin/z\ngive run boot.py\nscan source c\nsays memory \"no memory\"\n"), NULL },
	{ "a run line at each level", SIZED(HEAD "[off] run /a\n[contest,strict] run /b\n"), NULL },
	{ "braces that hold no name", SIZED(HEAD "run /bin/x \"{ print }\" {1} {\n"), NULL },

	{ "nothing at all", SIZED(""), "x.lang:0: name is missing" },
	{ "no title", SIZED("name x\n" RUN), "x.lang:2: title is missing" },
	{ "no run line", SIZED(HEAD), "x.lang:2: 0 run lines at level off" },
	{ "no run line at one level", SIZED(HEAD "[off,strict] run /a\n"), "x.lang:3: 0 run lines at level contest" },
	{ "two run lines at one level", SIZED(HEAD RUN "[strict] run /a\n"), "x.lang:4: 2 run lines at level strict" },
	{ "two policies at one level", SIZED(HEAD RUN "policy run a\n[strict] policy run b\n"),
	  "x.lang:5: several policies for run at level strict" },
	{ "another name than the file's", SIZED("name y\ntitle X\n" RUN), "x.lang:3: the language y has to be in" },
	{ "a name twice", SIZED(HEAD "name x\n" RUN), "x.lang:3: name is set already" },
	{ "a name with a slash", SIZED("name x/y\n"), "x.lang:1: 'x/y' is no name" },
	{ "a name that looks like an option", SIZED(HEAD "also -x\n"), "x.lang:3: '-x' is no name" },
	{ "an unknown statement", SIZED(HEAD "runs /a\n"), "x.lang:3: unknown statement 'runs'" },
	{ "an unknown placeholder", SIZED(HEAD "run /a {mian}\n"), "x.lang:3: unknown placeholder {mian}" },
	{ "{sources} as a part of a word", SIZED(HEAD "run /a x{sources}\n"), "x.lang:3: {sources} has to be" },
	{ "{artifact} without one", SIZED(HEAD "run /box/{artifact}\n"), "x.lang:3: {artifact} is used" },
	{ "{std} without one", SIZED(HEAD "run /a {std}\n"), "x.lang:3: {std} is used" },
	{ "an artifact that nothing makes", SIZED(HEAD RUN "artifact a\n"), "x.lang:4: there is an artifact" },
	{ "an artifact outside of /box", SIZED(HEAD "artifact ../a\n"), "x.lang:3: '../a' is no path below /box" },
	{ "an absolute artifact", SIZED(HEAD "artifact /a\n"), "x.lang:3: '/a' is no path below /box" },
	{ "a program without its path", SIZED(HEAD "run x\n"), "x.lang:3: 'x': name the program by its path" },
	{ "an unknown level", SIZED(HEAD "[strikt] run /a\n"), "x.lang:3: '[strikt]': write levels" },
	{ "levels that do not end", SIZED(HEAD "[strict run /a\n"), "x.lang:3: '[strict': write levels" },
	{ "levels without a blank behind", SIZED(HEAD "[strict]run /a\n"), "x.lang:3: '[strict]run': a blank" },
	{ "no level", SIZED(HEAD "[] run /a\n"), "x.lang:3: '[]': write levels" },
	{ "levels alone", SIZED(HEAD "[strict]\n"), "x.lang:3: a statement is missing" },
	{ "levels where they make no difference", SIZED("[off] name x\n"), "x.lang:1: name is the same at every" },
	{ "a phase that is none", SIZED(HEAD "policy runs x\n"), "x.lang:3: write: policy compile|run NAME" },
	{ "a policy without a name", SIZED(HEAD "policy run\n"), "x.lang:3: write: policy compile|run NAME" },
	{ "two policies in one line", SIZED(HEAD "policy run a b\n"), "x.lang:3: write: policy compile|run NAME" },
	{ "a statement alone", SIZED(HEAD "run\n"), "x.lang:3: write: run COMMAND" },
	{ "an environment without =", SIZED(HEAD "env run A\n"), "x.lang:3: env: 'A': write NAME=VALUE" },
	{ "an environment without a name", SIZED(HEAD "env run =A\n"), "x.lang:3: env: '=A'" },
	{ "extra memory that is no size", SIZED(HEAD "extra memory x\n"), "x.lang:3: extra memory: 'x': use bytes" },
	{ "extra of something else", SIZED(HEAD "extra time 1\n"), "x.lang:3: write: extra memory|processes" },
	{ "a guard that is not there", SIZED(HEAD "give run nothing.py\n"), "x.lang:3: give: judge carries no file" },
	{ "a scan that is not there", SIZED(HEAD "scan source nothing\n"), "x.lang:3: scan: there is no scan of source" },
	{ "a scan at another stage", SIZED(HEAD "scan classes c\n"), "x.lang:3: scan: there is no scan of classes" },
	{ "an empty text to be said", SIZED(HEAD "says memory \"\"\n"), "x.lang:3: says: an empty text" },
	{ "an extension without a dot", SIZED(HEAD "extension x\n"), "x.lang:3: 'x' is no extension" },
	{ "a dot alone", SIZED(HEAD "extension .\n"), "x.lang:3: '.' is no extension" },
	{ "a program by its name", SIZED(HEAD "needs gcc\n"), "x.lang:3: 'gcc' is no path from the root" },
	{ "a main of another kind", SIZED(HEAD "main class\n"), "x.lang:3: main: 'class' is none" },
	{ "a quotation mark alone", SIZED(HEAD "run /a \"b\n"), "x.lang:3: a quotation mark without" },
	{ "a NUL byte", SIZED(HEAD "run /a\0b\n"), "x.lang:3: a control character" },
	{ "an escape in a comment", SIZED("# \x1b[2J\n"), "x.lang:1: a control character" },
	{ "two standards", SIZED(HEAD RUN "standard a\nstandard b\n"), "x.lang:5: standard and version" },
};

static void test_read(void **state)
{
	const struct read_row *row = *state;
	struct languages l = { 0 };
	struct err e = { 0 };
	/* A copy without a NUL behind it, for the sanitizer to see a read past the end. */
	autofree char *text = malloc(row->size ? row->size : 1);

	assert_non_null(text);
	memcpy(text, row->text, row->size);
	if (language_read(&l, "x.lang", text, row->size, &e) == 0) {
		assert_null(row->error);
		assert_int_equal(l.count, 1);
	} else {
		assert_int_equal(e.kind, ERR_USAGE);
		assert_int_equal(l.count, 0);
		if (!row->error || strncmp(e.text, row->error, strlen(row->error)) != 0)
			assert_string_equal(e.text, row->error ? row->error : "no error");
	}
	arena_free(&l.arena);
}

static void read_good(struct languages *l, const char *file, const char *text)
{
	struct err e = { 0 };

	if (language_read(l, file, text, strlen(text), &e) < 0)
		fail_msg("%s", e.text);
}

static void read_bad(struct languages *l, const char *file, const char *text, const char *error)
{
	struct err e = { 0 };

	assert_int_equal(language_read(l, file, text, strlen(text), &e), -1);
	assert_string_equal(e.text, error);
}

/* What is read is what was written. */
static void test_table(void **state)
{
	struct languages l = { 0 };
	const struct language *x;
	const struct lang_line *line;

	(void)state;
	read_good(&l, "/dir/x.lang", "name x\ntitle The X  language\nextension .x .xx\n"
		  "[off] run /a\n[contest,strict] run /b \"c d\" \"\" e\"f g\"h # i\nenv run A=1\nenv compile \"B=2 3\"\n");
	x = language_find(&l, "x");
	assert_non_null(x);
	assert_string_equal(x->title, "The X language");
	assert_string_equal(x->main, "file");
	assert_null(x->source);
	assert_null(x->artifact);
	assert_int_equal(x->counts[LANG_EXTENSION], 1);
	assert_int_equal(x->lines[LANG_EXTENSION][0].count, 2);
	assert_int_equal(x->counts[LANG_RUN], 2);
	assert_true(lang_counts(&x->lines[LANG_RUN][0], LEVEL_OFF));
	assert_false(lang_counts(&x->lines[LANG_RUN][0], LEVEL_STRICT));
	line = &x->lines[LANG_RUN][1];
	assert_false(lang_counts(line, LEVEL_OFF));
	assert_true(lang_counts(line, LEVEL_CONTEST) && lang_counts(line, LEVEL_STRICT));
	assert_null(line->word);
	assert_int_equal(line->count, 4);
	assert_string_equal(line->words[0], "/b");
	assert_string_equal(line->words[1], "c d");
	assert_string_equal(line->words[2], "");
	assert_string_equal(line->words[3], "ef gh");
	assert_null(line->words[4]);
	line = &x->lines[LANG_ENV][1];
	assert_string_equal(line->word, "compile");
	assert_int_equal(line->count, 1);
	assert_string_equal(line->words[0], "B=2 3");
	assert_int_equal(line->levels, 7);
	arena_free(&l.arena);
}

/* Sorted; a later one of the same name replaces; what two would share is refused and changes nothing. */
static void test_several(void **state)
{
	struct languages l = { 0 };

	(void)state;
	read_good(&l, "m.lang", "name m\ntitle M\nalso mm\nextension .m .a.m\n" RUN);
	read_good(&l, "z.lang", "name z\ntitle Z\nextension .z\n" RUN);
	read_good(&l, "a.lang", "name a\ntitle A\n" RUN);
	assert_int_equal(l.count, 3);
	assert_string_equal(l.list[0].name, "a");
	assert_string_equal(l.list[1].name, "m");
	assert_string_equal(l.list[2].name, "z");
	read_bad(&l, "b.lang", "name b\ntitle B\nextension .b .m\n" RUN,
		 "b.lang:4: '.m' is of the language m already");
	read_bad(&l, "b.lang", "name b\ntitle B\nalso z\n" RUN, "b.lang:4: 'z' is the name of another language");
	read_bad(&l, "b.lang", "name b\ntitle B\nalso mm\n" RUN, "b.lang:4: 'mm' is of the language m already");
	read_bad(&l, "mm.lang", "name mm\ntitle B\n" RUN, "mm.lang:3: 'mm' is of the language m already");
	assert_int_equal(l.count, 3);
	read_good(&l, "other/m.lang", "name m\ntitle N\nalso mm\nextension .m .n\n" RUN);
	assert_int_equal(l.count, 3);
	assert_string_equal(l.list[1].title, "N");
	assert_ptr_equal(language_find(&l, "mm"), &l.list[1]);
	assert_null(language_find(&l, "M"));
	assert_ptr_equal(language_of_file(&l, "/dir.z/b.n"), &l.list[1]);
	assert_ptr_equal(language_of_file(&l, "b.x.z"), &l.list[2]);
	assert_null(language_of_file(&l, "/dir.z/b"));
	assert_null(language_of_file(&l, "b.Z"));
	assert_null(language_of_file(&l, "b.zz"));
	arena_free(&l.arena);
}

static void test_missing(void **state)
{
	struct languages l = { 0 };

	(void)state;
	read_good(&l, "x.lang", HEAD "needs /bin/sh /bin/cat\n" RUN);
	assert_null(language_missing(&l.list[0]));
	read_good(&l, "x.lang", HEAD "needs /bin/sh\nneeds /nothing/there /bin/cat\n" RUN);
	assert_string_equal(language_missing(&l.list[0]), "/nothing/there");
	read_good(&l, "x.lang", HEAD "needs /etc/passwd\n" RUN); /* there, and no program */
	assert_string_equal(language_missing(&l.list[0]), "/etc/passwd");
	arena_free(&l.arena);
}

static void put_file(const char *folder, const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* A folder adds to the shipped ones and replaces them; what is no .lang file is not looked at. */
static void test_load_folder(void **state)
{
	char folder[] = "/tmp/judge-test-lang-XXXXXX", path[128];
	static const char *const files[] = { "cpp.lang", "mine.lang", "notes.txt" };
	struct languages l = { 0 };
	const struct language *cpp;
	struct err e = { 0 };
	size_t shipped;

	(void)state;
	assert_int_equal(languages_load(&l, NULL, &e), 0);
	shipped = l.count;
	arena_free(&l.arena);
	l = (struct languages){ 0 };
	assert_non_null(mkdtemp(folder));
	put_file(folder, "cpp.lang", "name cpp\ntitle Mine\nextension .cpp\n" RUN);
	put_file(folder, "mine.lang", "name mine\ntitle Mine\nextension .mine\n" RUN);
	put_file(folder, "notes.txt", "no language\n");
	assert_int_equal(languages_load(&l, folder, &e), 0);
	assert_int_equal(l.count, shipped + 1);
	cpp = language_find(&l, "cpp");
	assert_true(cpp && strcmp(cpp->title, "Mine") == 0 && cpp->counts[LANG_COMPILE] == 0);
	assert_ptr_equal(language_of_file(&l, "a.mine"), language_find(&l, "mine"));
	put_file(folder, "mine.lang", "name mine\ntitle Mine\nfoo\n");
	assert_int_equal(languages_load(&l, folder, &e), -1);
	snprintf(path, sizeof(path), "%s/mine.lang:3: unknown statement 'foo'", folder);
	assert_string_equal(e.text, path);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		assert_int_equal(unlink(path), 0);
	}
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(languages_load(&l, folder, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	assert_non_null(strstr(e.text, "No such file"));
	arena_free(&l.arena);
}

/* ---- the shipped files */

static void check_limits(const struct language *l)
{
	struct limits_site site;
	struct limits limits;
	struct err e;

	limits_site_init(&site);
	limits = site.initial[PHASE_COMPILE];
	for (size_t i = 0; i < l->counts[LANG_LIMIT]; i++) {
		const char *const *words = l->lines[LANG_LIMIT][i].words;
		const int which = limit_find(words[0], strlen(words[0]));

		if (which < 0)
			fail_msg("%s: limit %s", l->name, words[0]);
		if (limit_set(&limits, (enum limit)which, words[1], &site, l->name, &e) < 0)
			fail_msg("%s", e.text);
	}
}

/* At each level, what is compiled and run has a system call policy, and one that judge knows. */
static void check_policies(const struct language *l)
{
	static const char *const known[] = { "compile", "runtime", "native" };

	for (enum level level = LEVEL_OFF; level < LEVEL_COUNT; level++) {
		unsigned run = 0, compile = 0, steps = 0;

		for (size_t i = 0; i < l->counts[LANG_POLICY]; i++) {
			const struct lang_line *line = &l->lines[LANG_POLICY][i];
			size_t n = 0;

			while (n < ARRAY_SIZE(known) && strcmp(known[n], line->words[0]) != 0)
				n++;
			if (n == ARRAY_SIZE(known))
				fail_msg("%s: policy %s", l->name, line->words[0]);
			run += lang_counts(line, level) && strcmp(line->word, "run") == 0;
			compile += lang_counts(line, level) && strcmp(line->word, "compile") == 0;
		}
		for (size_t i = 0; i < l->counts[LANG_COMPILE]; i++)
			steps += lang_counts(&l->lines[LANG_COMPILE][i], level);
		if (run != 1 || compile != (steps > 0))
			fail_msg("%s: policies at level %s", l->name, level_names[level]);
	}
}

/* A guard that a line names as {given}/FILE is given in that phase and at that level. */
static void check_given(const struct language *l, enum lang_key key, const char *phase)
{
	for (size_t i = 0; i < l->counts[key]; i++)
		for (const char *const *word = l->lines[key][i].words; *word; word++) {
			const char *given = strstr(*word, "{given}/");
			unsigned levels = 0;

			if (!given)
				continue;
			for (size_t n = 0; n < l->counts[LANG_GIVE]; n++)
				if (strcmp(l->lines[LANG_GIVE][n].word, phase) == 0 &&
				    strcmp(l->lines[LANG_GIVE][n].words[0], given + strlen("{given}/")) == 0)
					levels |= l->lines[LANG_GIVE][n].levels;
			if (l->lines[key][i].levels & ~levels)
				fail_msg("%s: %s is not given to %s at every level", l->name, *word, phase);
		}
}

static void test_shipped(void **state)
{
	static const char *const names[] = {
		"awk", "c", "cpp", "csharp", "fortran", "go", "haskell", "java", "javascript", "kotlin", "lisp",
		"lua", "ocaml", "pascal", "perl", "php", "pypy", "python", "ruby", "rust",
	};
	struct languages l = { 0 };
	struct err e = { 0 };

	(void)state;
	for (const struct embedded *file = embedded_files; file->name; file++) {
		assert_int_equal(strlen(file->data), file->size);
		if (strstr(file->name, ".lang") && language_read(&l, file->name, file->data, file->size, &e) < 0)
			fail_msg("%s", e.text);
	}
	assert_int_equal(l.count, ARRAY_SIZE(names));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct language *one = &l.list[i];

		assert_string_equal(one->name, names[i]);
		assert_true(one->counts[LANG_NEEDS] > 0 && one->counts[LANG_VERSION] == 1);
		assert_true(one->counts[LANG_PACKAGE] > 0);
		check_limits(one);
		check_policies(one);
		check_given(one, LANG_COMPILE, "compile");
		check_given(one, LANG_RUN, "run");
	}
	arena_free(&l.arena);
}

static void test_which(void **state)
{
	static const struct {
		const char *file, *name;
	} which[] = {
		{ "a.c", "c" }, { "a.cpp", "cpp" }, { "a.cc", "cpp" }, { "a.C", "cpp" }, { "a.py", "python" },
		{ "A.java", "java" }, { "a.js", "javascript" }, { "a.mjs", "javascript" }, { "a.rs", "rust" },
		{ "a.go", "go" }, { "a.pas", "pascal" }, { "a.kt", "kotlin" }, { "a.hs", "haskell" },
	};
	struct languages l = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(languages_load(&l, NULL, &e), 0);
	for (size_t i = 0; i < ARRAY_SIZE(which); i++)
		assert_ptr_equal(language_of_file(&l, which[i].file), language_find(&l, which[i].name));
	assert_string_equal(language_find(&l, "c++")->name, "cpp");
	assert_string_equal(language_find(&l, "pypy3")->name, "pypy");
	assert_string_equal(language_find(&l, "node")->name, "javascript");
	assert_null(embedded_find("boot"));
	assert_string_equal(embedded_find("boot.py")->name, "boot.py");
	arena_free(&l.arena);
}

static const struct CMUnitTest single_tests[] = {
	cmocka_unit_test(test_table), cmocka_unit_test(test_several), cmocka_unit_test(test_missing),
	cmocka_unit_test(test_load_folder), cmocka_unit_test(test_shipped), cmocka_unit_test(test_which),
};

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(read_rows) + ARRAY_SIZE(single_tests)];
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(read_rows); i++)
		tests[count++] = (struct CMUnitTest){ .name = read_rows[i].name, .test_func = test_read,
						      .initial_state = (void *)(uintptr_t)&read_rows[i] };
	memcpy(tests + count, single_tests, sizeof(single_tests));
	return cmocka_run_group_tests_name("language", tests, NULL, NULL);
}
