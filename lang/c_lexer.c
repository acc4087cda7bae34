/*
 * Tokens of C and C++. Runs in the judge, on a contestant's text; linear, no recursion.
 *
 * A character is read through three layers: trigraphs, then line splices, then the token. Each layer looks ahead
 * only over what it will consume, so that no byte is looked at more than a few times.
 */
#include "lang/c_lexer.h"

#include "base/array.h"

#include <string.h>

#define END (-1)	/* of the text, as a character */
#define DELIMITER_MOST 16

static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* Bytes of other alphabets count as letters; gcc takes $ for one. */
static bool is_word(int c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
}

static int trigraph(int c)
{
	static const char from[] = "=/'()!<>-", to[] = "#\\^[]|{}~";
	const char *found = c > 0 ? strchr(from, c) : NULL;

	return found ? to[found - from] : 0;
}

/* Trigraphs: the character at `p` and, in *ret_next, where the next is. */
static int phase1(const struct c_lexer *l, const char *p, const char **ret_next)
{
	int c;

	if (p == l->end)
		return END;
	*ret_next = p + 1;
	if (*p != '?' || !(l->reading & C_TRIGRAPHS) || l->end - p < 3 || p[1] != '?')
		return (unsigned char)*p;
	c = trigraph(p[2]);
	if (c == 0)
		return '?';
	*ret_next = p + 3;
	return c;
}

/* Where the line end at `p` ends, or NULL. */
static const char *line_end(const struct c_lexer *l, const char *p)
{
	if (p < l->end && *p == '\n')
		return p + 1;
	if (p == l->end || *p != '\r')
		return NULL;
	if (p + 1 < l->end && p[1] == '\n')
		return p + 2;
	return l->reading & C_LONE_CR ? p + 1 : NULL;
}

/* A backslash, blanks and a line end join two lines, as often as they stand there. */
static const char *skip_splices(const struct c_lexer *l, const char *p, int *line)
{
	const char *next = p, *q;

	while (phase1(l, p, &next) == '\\') {
		while (next < l->end && is_blank((unsigned char)*next))
			next++;
		q = line_end(l, next);
		if (!q)
			return p;
		*line += q[-1] == '\n';
		p = q;
	}
	return p;
}

/* The next character without taking it; line ends are '\n' whatever they were. */
static int peek(struct c_lexer *l)
{
	const char *next = l->at;

	l->at = skip_splices(l, l->at, &l->line);
	return line_end(l, l->at) ? '\n' : phase1(l, l->at, &next);
}

static int take(struct c_lexer *l)
{
	const int c = peek(l);
	const char *next = l->at;

	if (c == '\n') {
		next = line_end(l, l->at);
		l->line += next[-1] == '\n';
	} else {
		(void)phase1(l, l->at, &next);
	}
	l->at = next;
	return c;
}

/* The character behind the next. */
static int peek2(struct c_lexer *l)
{
	struct c_lexer ahead = *l;

	(void)take(&ahead);
	return peek(&ahead);
}

static void keep(struct c_token *t, int c)
{
	if (t->length + 1 < sizeof(t->text)) {
		t->text[t->length++] = (char)c;
		t->text[t->length] = '\0';
	} else {
		t->cut = true;
	}
}

static void skip_line_comment(struct c_lexer *l)
{
	while (peek(l) != '\n' && peek(l) != END)
		(void)take(l);
}

static void skip_block_comment(struct c_lexer *l)
{
	int last = 0;

	(void)take(l);
	(void)take(l);
	for (int c = take(l); c != END && !(last == '*' && c == '/'); c = take(l))
		last = c;
}

static void skip_blanks(struct c_lexer *l)
{
	l->blank_before = false;
	for (;; l->blank_before = true) {
		const int c = peek(l);

		if (is_blank(c) || c == '\r' || c == '\0')
			(void)take(l);
		else if (c == '/' && peek2(l) == '/')
			skip_line_comment(l);
		else if (c == '/' && peek2(l) == '*')
			skip_block_comment(l);
		else
			return;
	}
}

/* Behind the opening quote, up to the closing one or, where that is missing, the end of the line. */
static void lex_quoted(struct c_lexer *l, struct c_token *t, int quote, bool escapes)
{
	for (int c = peek(l); c != END && c != '\n'; c = peek(l)) {
		(void)take(l);
		if (c == quote)
			return;
		keep(t, c);
		if (escapes && c == '\\' && peek(l) != '\n' && peek(l) != END)
			keep(t, take(l));
	}
}

/* Behind R": splices and trigraphs count no longer, the bytes are what they are. */
static void lex_raw(struct c_lexer *l, struct c_token *t)
{
	const char *const delimiter = l->at;
	size_t n = 0, left = (size_t)(l->end - l->at);

	while (n < left && n <= DELIMITER_MOST && delimiter[n] != '(' && !strchr(" )\\\t\v\f\n\r\"", delimiter[n]))
		n++;
	if (n == left || n > DELIMITER_MOST || delimiter[n] != '(') {
		t->raw_broken = true;
		return;
	}
	for (l->at += n + 1; l->at < l->end; l->at++) {
		left = (size_t)(l->end - l->at);
		if (*l->at == ')' && left >= n + 2 && l->at[n + 1] == '"' && memcmp(l->at + 1, delimiter, n) == 0) {
			l->at += n + 2;
			return;
		}
		l->line += *l->at == '\n';
		keep(t, (unsigned char)*l->at);
	}
	t->raw_broken = true;
}

static int hex_value(int c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* \u0061, \U00000061, \u{61} or \N{…} inside a word, the backslash being next. False: it is none. */
static bool lex_universal(struct c_lexer *l, struct c_token *t)
{
	const int kind = peek2(l);
	unsigned long value = 0;
	int digits = kind == 'u' ? 4 : 8, c;

	if (kind != 'u' && kind != 'U' && kind != 'N')
		return false;
	(void)take(l);
	(void)take(l);
	if (peek(l) == '{' || kind == 'N') {
		t->escaped = true;
		return true;
	}
	for (; digits > 0 && (c = hex_value(peek(l))) >= 0; digits--) {
		value = value << 4 | (unsigned)c;
		(void)take(l);
	}
	t->escaped = t->escaped || value < 0x80;
	keep(t, value < 0x80 ? (int)value : '?');
	return true;
}

static void lex_word(struct c_lexer *l, struct c_token *t)
{
	static const char *const raw[] = { "R", "LR", "uR", "UR", "u8R" };

	t->kind = C_WORD;
	for (;;) {
		if (is_word(peek(l)))
			keep(t, take(l));
		else if (peek(l) != '\\' || !lex_universal(l, t))
			break;
	}
	if (peek(l) != '"' || l->reading & C_NO_RAW)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(raw); i++)
		if (strcmp(t->text, raw[i]) == 0) {
			(void)take(l);
			t->kind = C_STRING;
			t->length = 0;
			t->text[0] = '\0';
			lex_raw(l, t);
			return;
		}
}

static void lex_number(struct c_lexer *l, struct c_token *t)
{
	t->kind = C_NUMBER;
	for (;;) {
		const int c = peek(l);

		if (c == '\'' && !(l->reading & C_NO_SEPARATORS) && is_word(peek2(l)))
			(void)take(l);
		else if (!is_word(c) && c != '.')
			return;
		keep(t, take(l));
		if ((c == 'e' || c == 'E' || c == 'p' || c == 'P') && (peek(l) == '+' || peek(l) == '-'))
			keep(t, take(l));
	}
}

/* # and ##, [ and ], also as digraphs; else the character. */
static int lex_punct(struct c_lexer *l)
{
	const int c = take(l), next = peek(l);
	struct c_lexer ahead;

	if ((c == '<' && next == ':') || (c == ':' && next == '>'))
		return (void)take(l), c == '<' ? '[' : ']';
	if (c == '%' && next == ':') {
		(void)take(l);
		ahead = *l;
		if (take(&ahead) != '%' || peek(&ahead) != ':')
			return '#';
		(void)take(&ahead);
		*l = ahead;
		return C_PASTE;
	}
	if (c == '#' && next == '#')
		return (void)take(l), C_PASTE;
	return c;
}

static void start(struct c_lexer *l, struct c_token *t)
{
	memset(t, 0, offsetof(struct c_token, text) + 1);
	skip_blanks(l);
	t->line = l->line;
}

static bool has_trigraph(const char *text, size_t size)
{
	const char *p = size ? memchr(text, '?', size) : NULL;

	for (; p; p = memchr(p + 1, '?', (size_t)(text + size - p - 1)))
		if (text + size - p > 2 && p[1] == '?')
			return true;
	return false;
}

static bool has_lone_cr(const char *text, size_t size)
{
	const char *p = size ? memchr(text, '\r', size) : NULL;

	for (; p; p = memchr(p + 1, '\r', (size_t)(text + size - p - 1)))
		if (p + 1 == text + size || p[1] != '\n')
			return true;
	return false;
}

static bool has_raw(const char *text, size_t size)
{
	return size && memmem(text, size, "R\"", 2);
}

static bool is_c(const char *name)
{
	const size_t n = strlen(name);

	return n > 2 && strcmp(name + n - 2, ".c") == 0;
}

unsigned c_readings(const char *name, const char *text, size_t size)
{
	return (has_trigraph(text, size) ? C_TRIGRAPHS : 0u) | (has_lone_cr(text, size) ? C_LONE_CR : 0u) |
	       (is_c(name) && has_raw(text, size) ? C_NO_RAW : 0u) | (is_c(name) ? C_NO_SEPARATORS : 0u);
}

void c_lexer_init(struct c_lexer *l, const char *text, size_t size, unsigned reading)
{
	*l = (struct c_lexer){ .at = text, .end = text + size, .line = 1, .reading = reading };
	if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		l->at += 3;
}

void c_lexer_next(struct c_lexer *l, struct c_token *ret)
{
	int c;

	start(l, ret);
	c = peek(l);
	if (c == END) {
		ret->kind = C_END;
	} else if (c == '\n') {
		ret->kind = C_NEWLINE;
		(void)take(l);
	} else if (is_digit(c) || (c == '.' && is_digit(peek2(l)))) {
		lex_number(l, ret);
	} else if (is_word(c) || (c == '\\' && (peek2(l) == 'u' || peek2(l) == 'U' || peek2(l) == 'N'))) {
		lex_word(l, ret);
	} else if (c == '"' || c == '\'') {
		ret->kind = C_STRING;
		(void)take(l);
		lex_quoted(l, ret, c, true);
	} else {
		ret->kind = C_PUNCT;
		ret->punct = lex_punct(l);
	}
}

void c_lexer_header(struct c_lexer *l, struct c_token *ret)
{
	int c;

	start(l, ret);
	c = peek(l);
	if (c != '"' && c != '<') {
		c_lexer_next(l, ret);
		return;
	}
	ret->kind = C_HEADER;
	(void)take(l);
	lex_quoted(l, ret, c == '<' ? '>' : '"', false);
}
