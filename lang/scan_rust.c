/*
 * The tokens of a Rust source. Runs in the judge. The compiler itself refuses unsafe code (-F unsafe_code); refused here
 * is what it lets through: assembly outside functions, attributes that name symbols and sections, foreign blocks,
 * files and variables of the machine that compiles.
 */
#include "lang/scan.h"

#include "base/array.h"

#include <stdio.h>
#include <string.h>

enum kind { RS_END, RS_WORD, RS_STRING, RS_OTHER };

struct token {
	enum kind kind;
	int line, punct;
	const char *text;	/* a word without r#, or what is between a string's quotes */
	size_t length;
};

struct lexer {
	const char *at, *end;
	int line;
};

struct state {
	struct lexer lexer;
	struct token token, last, before;	/* this one, and the two before it */
	int attribute;				/* open brackets of #[…]; 0: outside */
	struct scan_finding *ret;
};

struct word {
	const char *text, *why;
};

/* Wherever they stand. */
static const struct word words[] = {
	{ "unsafe", "unsafe code" },
	{ "global_asm", "inline assembly" },
	{ "naked_asm", "inline assembly" },
	{ "llvm_asm", "inline assembly" },
};

/* In an attribute. */
static const struct word attributes[] = {
	{ "no_mangle", "attribute" },	  { "export_name", "attribute" }, { "link", "attribute" },
	{ "link_section", "attribute" },  { "link_name", "attribute" },	  { "link_args", "attribute" },
	{ "link_ordinal", "attribute" },  { "naked", "attribute" },	  { "no_main", "attribute" },
	{ "ffi_const", "attribute" },	  { "ffi_pure", "attribute" },	  { "linkage", "attribute" },
	{ "used", "attribute" },	  { "no_core", "attribute" },	  { "proc_macro", "attribute" },
	{ "panic_handler", "attribute" }, { "crate_type", "attribute" },
};

static const char *const includes[] = { "include", "include_str", "include_bytes" };

/* Crates that come with every compiler and are what `extern crate` may name. */
static const char *const crates[] = { "std", "core", "alloc", "self" };

static bool refuse(struct state *s, const char *why, const char *what, size_t length)
{
	struct scan_finding *const f = s->ret;

	f->line = s->token.line;
	(void)snprintf(f->rule, sizeof(f->rule), "%s (%.*s)", why, (int)(length < 80 ? length : 80), what);
	for (char *c = f->rule; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return true;
}

static bool is_letter(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9') || c >= 0x80;
}

static bool is_word(const struct token *t, const char *word)
{
	return t->kind == RS_WORD && strlen(word) == t->length && memcmp(t->text, word, t->length) == 0;
}

static bool is_punct(const struct token *t, int c)
{
	return t->kind == RS_OTHER && t->punct == c;
}

static bool at(const struct lexer *l, size_t offset, char c)
{
	return (size_t)(l->end - l->at) > offset && l->at[offset] == c;
}

static void advance(struct lexer *l)
{
	l->line += *l->at == '\n';
	l->at++;
}

/* Block comments nest. */
static void skip_block(struct lexer *l)
{
	size_t depth = 0;

	do {
		const bool opens = at(l, 0, '/') && at(l, 1, '*'), closes = at(l, 0, '*') && at(l, 1, '/');

		depth = opens ? depth + 1 : closes ? depth - 1 : depth;
		l->at += opens || closes;
		advance(l);
	} while (depth > 0 && l->at < l->end);
}

static void skip_blanks(struct lexer *l)
{
	while (l->at < l->end) {
		if (strchr(" \t\r\n\f\v", *l->at) && *l->at)
			advance(l);
		else if (at(l, 0, '/') && at(l, 1, '*'))
			skip_block(l);
		else if (at(l, 0, '/') && at(l, 1, '/'))
			while (l->at < l->end && *l->at != '\n')
				l->at++;
		else
			return;
	}
}

/* Behind the opening quote. */
static void lex_string(struct lexer *l, struct token *t, char quote)
{
	t->kind = quote == '"' ? RS_STRING : RS_OTHER;
	t->text = l->at;
	while (l->at < l->end && *l->at != quote) {
		if (*l->at == '\\' && l->end - l->at > 1)
			advance(l);
		advance(l);
	}
	t->length = (size_t)(l->at - t->text);
	l->at += l->at < l->end;
}

/* r"…", r#"…"#, at the first # or quote: false where neither is the start of a string. */
static bool lex_raw(struct lexer *l, struct token *t)
{
	size_t hashes = 0, n;

	while (at(l, hashes, '#'))
		hashes++;
	if (!at(l, hashes, '"'))
		return false;
	l->at += hashes + 1;
	t->kind = RS_STRING;
	t->text = l->at;
	while (l->at < l->end) {
		t->length = (size_t)(l->at - t->text);
		for (n = 0; *l->at == '"' && n < hashes && at(l, n + 1, '#');)
			n++;
		if (*l->at == '"' && n == hashes) {
			l->at += n + 1;
			break;
		}
		l->at += n;
		advance(l);
	}
	return true;
}

/* 'a' and '\n' are characters, 'a alone is a lifetime; behind the quote. */
static void lex_quote(struct lexer *l, struct token *t)
{
	size_t n = 1;

	while ((size_t)(l->end - l->at) > n && n < 4 && ((unsigned char)l->at[n] & 0xc0) == 0x80)
		n++;
	if (at(l, 0, '\\') || at(l, n, '\'')) {
		lex_string(l, t, '\'');
		return;
	}
	while (l->at < l->end && is_letter((unsigned char)*l->at))
		l->at++;
}

static void lex_word(struct lexer *l, struct token *t)
{
	static const char *const raw[] = { "r", "br" }, *const plain[] = { "b", "c" };

	t->kind = RS_WORD;
	while (l->at < l->end && is_letter((unsigned char)*l->at))
		l->at++;
	t->length = (size_t)(l->at - t->text);
	for (size_t i = 0; i < ARRAY_SIZE(raw); i++)
		if (is_word(t, raw[i]) && lex_raw(l, t))
			return;
	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		if (is_word(t, plain[i]) && at(l, 0, '"')) {
			l->at++;
			lex_string(l, t, '"');
			return;
		}
	if (is_word(t, "r") && at(l, 0, '#') && l->end - l->at > 1 && is_letter((unsigned char)l->at[1])) {
		t->text = ++l->at;
		while (l->at < l->end && is_letter((unsigned char)*l->at))
			l->at++;
		t->length = (size_t)(l->at - t->text);
	}
}

static void lex(struct lexer *l, struct token *t)
{
	skip_blanks(l);
	*t = (struct token){ .kind = RS_END, .line = l->line, .text = l->at };
	if (l->at == l->end)
		return;
	if (is_letter((unsigned char)*l->at)) {
		lex_word(l, t);
		return;
	}
	t->kind = RS_OTHER;
	t->punct = (unsigned char)*l->at++;
	t->length = 1;
	if (t->punct == '"')
		lex_string(l, t, '"');
	else if (t->punct == '\'')
		lex_quote(l, t);
}

static void next(struct state *s)
{
	s->before = s->last;
	s->last = s->token;
	lex(&s->lexer, &s->token);
}

/* The token behind this one. */
static struct token peek(const struct state *s)
{
	struct lexer ahead = s->lexer;
	struct token t;

	lex(&ahead, &t);
	return t;
}

static bool is_path_outside(const struct token *t)
{
	const char *const end = t->text + t->length;

	if (t->length && t->text[0] == '/')
		return true;
	for (const char *c = t->text; c + 1 < end; c++)
		if (c[0] == '\\' || (c[0] == '.' && c[1] == '.'))
			return true;
	return false;
}

static bool opens(const struct token *t)
{
	return is_punct(t, '(') || is_punct(t, '[') || is_punct(t, '{');
}

/* include_str!("relative") may be; of a macro's making, absolute, upwards or renamed it may not. */
static bool check_include(struct state *s)
{
	const struct token name = s->token;
	struct token after = peek(s);

	if (!is_punct(&after, '!'))
		return (name.length > strlen("include") || is_punct(&s->last, ':')) &&
		       refuse(s, "a file of the compiling machine", name.text, name.length);
	next(s);
	after = peek(s);
	if (!opens(&after))	/* include != 3 */
		return false;
	next(s);
	next(s);
	if (s->token.kind != RS_STRING)
		return refuse(s, "a file named by a macro", name.text, name.length);
	return is_path_outside(&s->token) && refuse(s, "a file outside the folder", s->token.text, s->token.length);
}

/* extern "C" { … }, extern { … }, extern crate X; extern "C" fn is a function of Rust. */
static bool check_extern(struct state *s)
{
	struct token t = peek(s);

	if (t.kind == RS_STRING) {
		next(s);
		t = peek(s);
	}
	if (is_punct(&t, '{'))
		return refuse(s, "foreign functions", "extern", strlen("extern"));
	if (!is_word(&t, "crate"))
		return false;
	next(s);
	next(s);
	for (size_t i = 0; i < ARRAY_SIZE(crates); i++)
		if (is_word(&s->token, crates[i]))
			return false;
	return refuse(s, "extern crate", s->token.text, s->token.length);
}

static bool check_attribute(struct state *s)
{
	const struct token after = peek(s);

	for (size_t i = 0; i < ARRAY_SIZE(attributes); i++)
		if (is_word(&s->token, attributes[i].text))
			return refuse(s, attributes[i].why, s->token.text, s->token.length);
	if (is_word(&s->token, "feature") && is_punct(&after, '('))
		return refuse(s, "unstable feature", "#![feature]", strlen("#![feature]"));
	if (!is_word(&s->token, "path") || !is_punct(&after, '='))
		return false;
	next(s);
	next(s);
	if (s->token.kind != RS_STRING)
		return refuse(s, "a file named by a macro", "path", strlen("path"));
	return is_path_outside(&s->token) && refuse(s, "a file outside the folder", s->token.text, s->token.length);
}

static bool check_word(struct state *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (is_word(&s->token, words[i].text))
			return refuse(s, words[i].why, s->token.text, s->token.length);
	for (size_t i = 0; i < ARRAY_SIZE(includes); i++)
		if (is_word(&s->token, includes[i]))
			return check_include(s);
	if (is_word(&s->token, "extern"))
		return check_extern(s);
	/* Raw only since edition 2021, so that its end cannot be known. */
	if (is_word(&s->token, "cr") && (at(&s->lexer, 0, '"') || at(&s->lexer, 0, '#')))
		return refuse(s, "raw C string", "cr", strlen("cr"));
	return s->attribute > 0 && check_attribute(s);
}

/* A macro's call, seen at its exclamation mark. */
static bool check_call(struct state *s)
{
	const struct token after = peek(s);

	if (!opens(&after))
		return false;
	if (is_word(&s->last, "asm"))
		return refuse(s, "inline assembly", "asm!", 4);
	return (is_word(&s->last, "env") || is_word(&s->last, "option_env")) &&
	       refuse(s, "a variable of the compiling machine", s->last.text, s->last.length);
}

static bool step(struct state *s)
{
	const bool inner = is_punct(&s->last, '!') && is_punct(&s->before, '#');

	if (s->attribute > 0)
		s->attribute += is_punct(&s->token, '[') - is_punct(&s->token, ']');
	else if (is_punct(&s->token, '[') && (inner || is_punct(&s->last, '#')))
		s->attribute = 1;
	if (s->token.kind == RS_WORD)
		return check_word(s);
	return is_punct(&s->token, '!') && check_call(s);
}

bool scan_rust_tokens(const char *name, const char *text, size_t size, struct scan_finding *ret)
{
	struct state s = { .lexer = { .at = text, .end = text + size, .line = 1 }, .ret = ret };

	(void)name;
	for (next(&s); s.token.kind != RS_END; next(&s))
		if (step(&s))
			return true;
	return false;
}
