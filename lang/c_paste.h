/*
 * Whether tokens joined by ## could make asm. A guess from the neighbours: names that stand together in an argument
 * list or in a chain of ## and would spell it, in a source where some macro pastes. Pure.
 */
#ifndef LANG_C_PASTE_H
#define LANG_C_PASTE_H

#include "lang/c_lexer.h"

struct c_paste {
	bool two, three;	/* some macro has a ## b, a ## b ## c */
	int run;		/* how many ## in this chain so far */
	int line_two, line_three;	/* where f(a, sm) and f(a, s, m) stand; 0: nowhere */
	char pieces[3][8];	/* the last names of the list or chain */
	bool open;		/* which began behind a bracket or has a ## */
};

/* Each token of the source but its line ends, with the one before it. {0} is the start. */
void c_paste_follow(struct c_paste *p, const struct c_token *token, const struct c_token *last);

/* At the end of the source: the line where asm could be pasted, or 0. */
int c_paste_line(const struct c_paste *p);

#endif
