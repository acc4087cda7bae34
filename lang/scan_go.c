/*
 * What a Go source imports and tells its compiler. Runs in the judge. The compiler is given only the packages that are
 * allowed (lang/guards/go-build.sh), so this scan is the sentence with a line number; the directives it refuses are
 * those that reach the linker, the assembler or other files.
 */
#include "lang/scan.h"

#include "base/array.h"

#include <stdio.h>
#include <string.h>

struct lexer {
	const char *at, *end;
	int line;
};

enum kind { GO_END, GO_NEWLINE, GO_WORD, GO_STRING, GO_PUNCT, GO_REFUSED };

struct token {
	enum kind kind;
	int line, punct;
	const char *text;	/* a word, or what is between a string's quotes */
	size_t length;
};

/* A package, or with a slash at the end all below it. */
static const char *const packages[] = {
	"C", "unsafe", "syscall", "plugin", "embed", "net", "net/", "os/exec", "os/user", "os/signal", "log/syslog",
	"runtime/cgo", "runtime/race", "runtime/msan", "runtime/asan", "runtime/metrics", "runtime/coverage",
	"runtime/pprof", "runtime/trace", "internal/", "vendor/", "cmd/", "debug/", "go/", "testing", "testing/",
	"database/", "crypto/tls", "crypto/x509", "expvar",
};

/* //go: directives that only tune the code of the function below. */
static const char *const tuning[] = { "noinline", "nosplit", "norace" };

static bool refuse(struct scan_finding *f, int line, const char *why, const char *what, size_t length)
{
	f->line = line;
	(void)snprintf(f->rule, sizeof(f->rule), "%s (%.*s)", why, (int)(length < 100 ? length : 100), what);
	for (char *c = f->rule; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return true;
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9') || c >= 0x80;
}

static bool equal(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool begins(const char *text, size_t length, const char *word)
{
	return strlen(word) <= length && memcmp(text, word, strlen(word)) == 0;
}

/* A comment that tells the compiler or the build something; `text` is what follows the two slashes. */
static bool check_comment(const char *text, size_t length, int line, struct scan_finding *ret)
{
	size_t blanks = 0, word = 3;

	while (blanks < length && (text[blanks] == ' ' || text[blanks] == '\t'))
		blanks++;
	if (begins(text + blanks, length - blanks, "+build"))
		return refuse(ret, line, "build constraint", "+build", 6);
	if (begins(text, length, "line "))
		return refuse(ret, line, "line marker", "//line", 6);
	if (begins(text, length, "export ") || begins(text, length, "extern "))
		return refuse(ret, line, "directive", text, 6);
	if (!begins(text, length, "go:"))
		return false;
	while (word < length && is_letter((unsigned char)text[word]))
		word++;
	for (size_t i = 0; i < ARRAY_SIZE(tuning); i++)
		if (equal(text + 3, word - 3, tuning[i]))
			return false;
	return refuse(ret, line, equal(text + 3, word - 3, "build") ? "build constraint" : "directive", text, word);
}

/* At "//" or "/ *". True: refused. */
static bool skip_comment(struct lexer *l, struct scan_finding *ret)
{
	const char *const text = l->at + 2, *end;
	const int line = l->line;

	if (l->at[1] == '/') {
		end = memchr(text, '\n', (size_t)(l->end - text));
		l->at = end ? end : l->end;
		return check_comment(text, (size_t)(l->at - text), line, ret);
	}
	if (begins(text, (size_t)(l->end - text), "line "))
		return refuse(ret, line, "line marker", "/*line", 6);
	for (l->at = text; l->at < l->end; l->at++) {
		l->line += *l->at == '\n';
		if (*l->at == '*' && l->end - l->at > 1 && l->at[1] == '/') {
			l->at += 2;
			return false;
		}
	}
	return false;
}

/* Behind the opening quote. An interpreted string ends with its line at the latest. */
static void lex_string(struct lexer *l, struct token *t, char quote)
{
	t->kind = quote == '\'' ? GO_PUNCT : GO_STRING;
	t->punct = '\'';
	t->text = l->at;
	for (; l->at < l->end && *l->at != quote; l->at++) {
		if (*l->at == '\n' && quote != '`')
			break;
		l->line += *l->at == '\n';
		if (*l->at == '\\' && quote != '`' && l->end - l->at > 1 && l->at[1] != '\n')
			l->at++;
	}
	t->length = (size_t)(l->at - t->text);
	l->at += l->at < l->end && *l->at == quote;
}

static void lex(struct lexer *l, struct token *t, struct scan_finding *ret)
{
	*t = (struct token){ .kind = GO_END };
	for (;; l->at++) {
		while (l->end - l->at > 1 && *l->at == '/' && (l->at[1] == '/' || l->at[1] == '*'))
			if (skip_comment(l, ret)) {
				t->kind = GO_REFUSED;
				return;
			}
		if (l->at == l->end || !strchr(" \t\r", *l->at) || *l->at == '\0')
			break;
	}
	t->line = l->line;
	t->text = l->at;
	if (l->at == l->end)
		return;
	t->punct = (unsigned char)*l->at++;
	t->length = 1;
	t->kind = t->punct == '\n' ? GO_NEWLINE : GO_PUNCT;
	l->line += t->punct == '\n';
	if (strchr("\"'`", t->punct) && t->punct != '\0') {
		lex_string(l, t, (char)t->punct);
	} else if (is_letter(t->punct)) {
		while (l->at < l->end && is_letter((unsigned char)*l->at))
			l->at++;
		t->kind = GO_WORD;
		t->length = (size_t)(l->at - t->text);
	}
}

static bool is_package_refused(const char *path, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(packages); i++) {
		const char *const p = packages[i];

		if (p[strlen(p) - 1] == '/' ? begins(path, length, p) : equal(path, length, p))
			return true;
	}
	return false;
}

/* A path that is none of the standard library's: a host's name, a file's, or spelt with escapes. */
static bool is_path_odd(const char *path, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_", path[i]) || !path[i])
			return true;
	return length == 0 || path[0] == '/';
}

static bool check_import(const struct token *t, struct scan_finding *ret)
{
	if (is_package_refused(t->text, t->length))
		return refuse(ret, t->line, "import of a package that is not allowed", t->text, t->length);
	if (is_path_odd(t->text, t->length))
		return refuse(ret, t->line, "import from outside the standard library", t->text, t->length);
	return false;
}

/* Behind the word import, which is a keyword wherever it stands: "x", name "x", ( "x"; name "y" ). */
static bool scan_import(struct lexer *l, struct token *t, struct scan_finding *ret)
{
	bool list = false;

	for (lex(l, t, ret); t->kind != GO_END && t->kind != GO_REFUSED; lex(l, t, ret)) {
		if (t->kind == GO_STRING && check_import(t, ret))
			return true;
		if (t->kind == GO_PUNCT && t->punct == '(')
			list = true;
		else if ((t->kind == GO_STRING && !list) || (t->kind == GO_PUNCT && t->punct == ')'))
			return false;
	}
	return t->kind == GO_REFUSED;
}

bool scan_go_imports(const char *name, const char *text, size_t size, struct scan_finding *ret)
{
	struct lexer l = { .at = text, .end = text + size, .line = 1 };
	struct token t;

	(void)name;
	if (size == 0)
		return false;
	if (memchr(text, '\0', size))
		return refuse(ret, 0, "source that is no text", "a NUL byte", 10);
	for (lex(&l, &t, ret); t.kind != GO_END && t.kind != GO_REFUSED; lex(&l, &t, ret))
		if (t.kind == GO_WORD && equal(t.text, t.length, "import") && scan_import(&l, &t, ret))
			return true;
	return t.kind == GO_REFUSED;
}
