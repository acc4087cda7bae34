/*
 * The first look at C and C++: the tokens of the source as it was handed in, before any compiler sees it. Runs in the
 * judge. Refuses inline assembly, what reaches the assembler unread (attribute strings, #ident), what lets a file
 * pretend to be another (line markers), and includes of anything but plain relative names.
 *
 * It sees no macro's expansion. What a macro makes in a roundabout way is left to the second look, at the generated
 * assembly (scan_asm.c), which in turn cannot tell what an attribute's string forged: neither does alone.
 */
#include "lang/scan.h"

#include "base/array.h"
#include "lang/c_lexer.h"
#include "lang/c_paste.h"

#include <stdio.h>
#include <string.h>

enum directive { DIRECTIVE_NONE, DIRECTIVE_DEFINE, DIRECTIVE_PRAGMA, DIRECTIVE_OTHER };

struct state {
	struct c_lexer lexer;
	struct c_token token, last;	/* line ends are not kept as last */
	enum directive directive;
	bool line_start;
	int attribute;			/* open brackets of __attribute__((…)) or [[…]]; 0: outside */
	char opener;			/* '(' or '[' */
	bool attribute_next;		/* behind __attribute__ */
	bool macro_attributes;		/* some #define holds the words of an attribute */
	struct scan_finding loose;	/* section("…") outside attributes: counts if macros hold them */
	struct c_paste paste;
	bool refused;
	struct scan_finding *ret;
};

/* Words that are refused wherever they stand. */
static const struct word {
	const char *text, *why;
} words[] = {
	{ "asm", "inline assembly" },
	{ "__asm", "inline assembly" },
	{ "__asm__", "inline assembly" },
	{ "redefine_extname", "renamed symbol" },
	{ "pch_preprocess", "precompiled header" },
	/* The C library's macros that make labels for the assembler. */
	{ "__REDIRECT", "renamed symbol" },
	{ "__REDIRECT_NTH", "renamed symbol" },
	{ "__REDIRECT_NTHNL", "renamed symbol" },
	{ "__REDIRECT_LDBL", "renamed symbol" },
	{ "__REDIRECT_NTH_LDBL", "renamed symbol" },
	{ "__REDIRECT_FORTIFY", "renamed symbol" },
	{ "__REDIRECT_FORTIFY_NTH", "renamed symbol" },
	{ "__LDBL_REDIR", "renamed symbol" },
	{ "__LDBL_REDIR1", "renamed symbol" },
	{ "__LDBL_REDIR1_NTH", "renamed symbol" },
	{ "__ASMNAME", "renamed symbol" },
	{ "__ASMNAME2", "renamed symbol" },
};

/* Attributes whose argument is written into the assembly as it is, or that run code before main. */
static const char *const attributes[] = {
	"section", "alias", "weakref", "symver", "ifunc", "constructor", "destructor", "patchable_function_entry",
	"code_seg",
};

/* Pragmas by the words they begin with; the GCC or clang before them is left out. */
static const struct word pragmas[] = {
	{ "redefine_extname", "renamed symbol" },
	{ "pch_preprocess", "precompiled header" },
	{ "include_alias", "another name for a header" },
	{ "ident", "text for the assembler" },
	{ "section", "section by pragma" },
	{ "bss_seg", "section by pragma" },
	{ "data_seg", "section by pragma" },
	{ "const_seg", "section by pragma" },
	{ "code_seg", "section by pragma" },
	{ "init_seg", "section by pragma" },
	{ "dependency", "question about a file" },
};

static void say(struct scan_finding *f, int line, const char *why, const char *what)
{
	f->line = line;
	(void)snprintf(f->rule, sizeof(f->rule), "%s (%s)", why, what);
	for (char *c = f->rule; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
}

static void refuse(struct state *s, const char *why, const char *what)
{
	if (!s->refused)
		say(s->ret, s->token.line, why, what);
	s->refused = true;
}

static const char *lookup(const struct word *list, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].text, text) == 0)
			return list[i].why;
	return NULL;
}

static bool is_word(const struct c_token *t, const char *text)
{
	return t->kind == C_WORD && strcmp(t->text, text) == 0;
}

static bool is_punct(const struct c_token *t, int c)
{
	return t->kind == C_PUNCT && t->punct == c;
}

/* section and __section__ are one attribute. */
static bool is_attribute(const char *text, bool *ret_reserved)
{
	const size_t n = strlen(text);

	*ret_reserved = n > 4 && memcmp(text, "__", 2) == 0 && memcmp(text + n - 2, "__", 2) == 0;
	for (size_t i = 0; i < ARRAY_SIZE(attributes); i++)
		if (*ret_reserved ? strlen(attributes[i]) == n - 4 && memcmp(attributes[i], text + 2, n - 4) == 0
				  : strcmp(attributes[i], text) == 0)
			return true;
	return false;
}

static void next(struct state *s)
{
	if (s->token.kind != C_NEWLINE)
		memcpy(&s->last, &s->token, offsetof(struct c_token, text) + s->token.length + 1);
	c_lexer_next(&s->lexer, &s->token);
}

/* What #include and its like may name: a relative path that never goes up. */
static void check_header(struct state *s, const char *directive)
{
	const char *const path = s->token.text;
	char what[sizeof(s->token.text) + 32];

	(void)snprintf(what, sizeof(what), "%s %s", directive, path);
	if (s->token.kind != C_HEADER && s->token.kind != C_STRING)
		refuse(s, "a file named by a macro", directive);
	else if (path[0] == '/')
		refuse(s, "a file by its absolute path", what);
	else if (strcmp(path, "..") == 0 || strncmp(path, "../", 3) == 0 || strstr(path, "/../") ||
		 (strlen(path) > 3 && strcmp(path + strlen(path) - 3, "/..") == 0))
		refuse(s, "a file outside the folder", what);
	else if (s->token.cut)
		refuse(s, "a file with an overlong name", what);
}

static void read_header(struct state *s, const char *directive)
{
	c_lexer_header(&s->lexer, &s->token);
	check_header(s, directive);
}

static void check_pragma_word(struct state *s, const char *text)
{
	const char *const why = lookup(pragmas, ARRAY_SIZE(pragmas), text);

	if (why && strcmp(text, "dependency") != 0)
		refuse(s, why, text);
}

/* #pragma, its first words: the rest of the line is read as any other. */
static void begin_pragma(struct state *s)
{
	s->directive = DIRECTIVE_PRAGMA;
	next(s);
	if (is_word(&s->token, "GCC") || is_word(&s->token, "clang"))
		next(s);
	if (is_word(&s->token, "dependency"))
		read_header(s, "#pragma GCC dependency");
	else if (s->token.kind == C_WORD)
		check_pragma_word(s, s->token.text);
}

/* Behind the # that begins a line. Leaves the directive's last token read in s->token. */
static void begin_directive(struct state *s)
{
	static const char *const files[] = { "include", "include_next", "import", "embed" };

	next(s);
	s->directive = is_word(&s->token, "define") ? DIRECTIVE_DEFINE : DIRECTIVE_OTHER;
	if (s->token.kind == C_NUMBER || is_word(&s->token, "line"))
		refuse(s, "line marker", "#line");
	else if (is_word(&s->token, "ident") || is_word(&s->token, "sccs"))
		refuse(s, "text for the assembler", s->token.text);
	else if (is_word(&s->token, "pragma"))
		begin_pragma(s);
	else
		for (size_t i = 0; i < ARRAY_SIZE(files); i++)
			if (is_word(&s->token, files[i])) {
				read_header(s, files[i]);
				return;
			}
}

/* _Pragma("…"): the text within is a pragma's line, its own quotes escaped. */
static void check_pragma_text(struct state *s)
{
	struct state inner = { .ret = s->ret };
	char text[sizeof(s->token.text)];
	size_t n = 0;

	if (s->token.cut) {
		refuse(s, "pragma too long to read", "_Pragma");
		return;
	}
	for (const char *c = s->token.text; *c; c++) {
		c += *c == '\\' && (c[1] == '"' || c[1] == '\\');
		text[n++] = *c;
	}
	c_lexer_init(&inner.lexer, text, n, 0);
	begin_pragma(&inner);
	while (inner.token.kind != C_END) {
		if (inner.token.kind == C_WORD && lookup(words, ARRAY_SIZE(words), inner.token.text))
			refuse(&inner, "pragma", inner.token.text);
		next(&inner);
	}
	if (inner.refused && !s->refused) {
		s->ret->line = s->token.line;
		s->refused = true;
	}
}

/* __has_include("…"), asked of a file that is none of the contestant's; not where it is itself defined. */
static bool read_oracle(struct state *s)
{
	static const char *const oracles[] = { "__has_include", "__has_include_next", "__has_embed" };
	struct c_lexer ahead = s->lexer;
	struct c_token t;

	for (size_t i = 0; i < ARRAY_SIZE(oracles); i++) {
		if (!is_word(&s->token, oracles[i]))
			continue;
		c_lexer_next(&ahead, &t);
		if (!is_punct(&t, '(') || (s->directive == DIRECTIVE_DEFINE && is_word(&s->last, "define")))
			return false;
		next(s);
		read_header(s, oracles[i]);
		return true;
	}
	return false;
}

static void skip_newlines(struct c_lexer *l, struct c_token *ret)
{
	do
		c_lexer_next(l, ret);
	while (ret->kind == C_NEWLINE);
}

/* _Pragma("…") or _Pragma(L"…"). */
static bool read_pragma_text(struct state *s)
{
	struct c_lexer ahead = s->lexer;
	struct c_token t;

	if (!is_word(&s->token, "_Pragma"))
		return false;
	skip_newlines(&ahead, &t);
	if (is_punct(&t, '('))
		skip_newlines(&ahead, &t);
	if (t.kind == C_WORD)
		skip_newlines(&ahead, &t);
	if (t.kind != C_STRING)
		return false;
	while (s->token.kind != C_STRING)
		next(s);
	check_pragma_text(s);
	return true;
}

/* An attribute's name, in an attribute; section("…") elsewhere is remembered. */
static void check_attribute(struct state *s)
{
	struct c_lexer ahead;
	struct c_token t;
	bool reserved;

	if (!is_attribute(s->token.text, &reserved))
		return;
	if (s->attribute > 0 || reserved) {
		refuse(s, "attribute", s->token.text);
		return;
	}
	ahead = s->lexer;
	skip_newlines(&ahead, &t);
	if (!is_punct(&t, '('))
		return;
	skip_newlines(&ahead, &t);
	if (t.kind == C_STRING && s->loose.line == 0)
		say(&s->loose, s->token.line, "attribute", s->token.text);
}

static void follow_attributes(struct state *s)
{
	const int c = s->token.kind == C_PUNCT ? s->token.punct : 0;
	const bool word = is_word(&s->token, "__attribute__") || is_word(&s->token, "__attribute");

	if (s->attribute > 0) {
		s->attribute += c == s->opener;
		s->attribute -= c == (s->opener == '(' ? ')' : ']');
	} else if ((c == '(' && s->attribute_next) || (c == '[' && is_punct(&s->last, '['))) {
		s->attribute = c == '(' ? 1 : 2;
		s->opener = (char)c;
	}
	if (s->directive == DIRECTIVE_DEFINE && (word || (s->attribute > 0 && s->opener == '[')))
		s->macro_attributes = true;
	s->attribute_next = word;
}

static void check_word(struct state *s)
{
	const char *const why = s->token.cut ? NULL : lookup(words, ARRAY_SIZE(words), s->token.text);

	if (why)
		refuse(s, why, s->token.text);
	else if (s->token.escaped)
		refuse(s, "a letter by its universal name", s->token.text);
	else
		check_attribute(s);
}

static void step(struct state *s)
{
	if (s->token.raw_broken)
		refuse(s, "raw string", "no end or no delimiter");
	follow_attributes(s);
	c_paste_follow(&s->paste, &s->token, &s->last);
	if (s->token.kind == C_WORD && !read_oracle(s) && !read_pragma_text(s))
		check_word(s);
}

/* What was seen in passing and counts now that the whole of the source is known. */
static bool conclude(struct state *s)
{
	const int pasted = c_paste_line(&s->paste);

	if (!s->refused && s->macro_attributes && s->loose.line > 0) {
		*s->ret = s->loose;
		return true;
	}
	if (!s->refused && pasted > 0) {
		say(s->ret, pasted, "inline assembly", "pasted by ##");
		return true;
	}
	return s->refused;
}

static bool scan(const char *text, size_t size, unsigned reading, struct scan_finding *ret)
{
	struct state s = { .line_start = true, .ret = ret };

	c_lexer_init(&s.lexer, text, size, reading);
	for (next(&s); s.token.kind != C_END && !s.refused; next(&s)) {
		if (s.line_start && is_punct(&s.token, '#'))
			begin_directive(&s);
		s.line_start = s.token.kind == C_NEWLINE;
		if (s.line_start)
			s.directive = DIRECTIVE_NONE;
		else
			step(&s);
	}
	return conclude(&s);
}

/* Every way a compiler could read these bytes. */
bool scan_c_tokens(const char *name, const char *text, size_t size, struct scan_finding *ret)
{
	const unsigned ways = c_readings(name, text, size);

	if (size && memchr(text, '\0', size))
		return say(ret, 0, "source that is no text", "a NUL byte"), true;
	for (unsigned reading = 0; reading < C_READINGS; reading++)
		if ((reading & ~ways) == 0 && scan(text, size, reading, ret))
			return true;
	return false;
}
