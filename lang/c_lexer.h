/*
 * Tokens of C and C++ as a compiler's first phases see them: line splices, trigraphs, comments, strings, raw strings,
 * digraphs. Pure; no allocation. What is not agreed between compilers, language versions and flags is a way of
 * reading, chosen by the caller, who may try them all.
 */
#ifndef LANG_C_LEXER_H
#define LANG_C_LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum c_reading {
	C_TRIGRAPHS = 1,	/* -std=c11, not gnu11 */
	C_LONE_CR = 2,		/* a carriage return alone ends a line: clang, not gcc */
	C_NO_RAW = 4,		/* R"(…)" is a name and a string: clang in C */
	C_NO_SEPARATORS = 8,	/* 1'000 is a number and a quote: C before C23 */
	C_READINGS = 16
};

enum c_token_kind { C_END, C_NEWLINE, C_WORD, C_NUMBER, C_STRING, C_HEADER, C_PUNCT };

struct c_token {
	enum c_token_kind kind;
	int line;
	int punct;		/* of C_PUNCT: the character, digraphs as what they stand for; C_PASTE */
	bool raw_broken;	/* a raw string without an end, or a delimiter that is none */
	bool escaped;		/* of C_WORD: spelt with an ASCII character's universal name, or by \N{…} */
	bool cut;		/* text is not all of it */
	size_t length;
	char text[200];		/* of words, strings (what is between the quotes, escapes kept), headers */
};

#define C_PASTE 256	/* ## */

struct c_lexer {
	const char *at, *end;
	int line;
	unsigned reading;	/* of enum c_reading */
	bool blank_before;	/* the last token had a blank or comment before it */
};

/* The ways in which compilers may differ about this text, as a set of enum c_reading; `name` tells C from C++. */
unsigned c_readings(const char *name, const char *text, size_t size);

void c_lexer_init(struct c_lexer *l, const char *text, size_t size, unsigned reading);

/* The next token; C_END for ever at the end. */
void c_lexer_next(struct c_lexer *l, struct c_token *ret);

/* The next token where a header's name may stand: "…" without escapes, or <…>, in which nothing begins a comment. */
void c_lexer_header(struct c_lexer *l, struct c_token *ret);

#endif
