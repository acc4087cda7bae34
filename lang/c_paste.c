/* Whether tokens joined by ## could make asm. Runs in the judge, on a contestant's text. */
#include "lang/c_paste.h"

#include <stdio.h>
#include <string.h>

static bool is_punct(const struct c_token *t, int c)
{
	return t->kind == C_PUNCT && t->punct == c;
}

static bool spells_asm(const char *a, const char *b, const char *c)
{
	char text[sizeof(((struct c_paste *)0)->pieces)];

	(void)snprintf(text, sizeof(text), "%s%s%s", a, b, c);
	return strcmp(text, "asm") == 0 || strcmp(text, "__asm") == 0 || strcmp(text, "__asm__") == 0;
}

/* A name joins the chain: behind a comma or ##, or as the first. */
static void add(struct c_paste *p, const struct c_token *name)
{
	char (*const list)[sizeof(p->pieces[0])] = p->pieces;

	memmove(list[0], list[1], 2 * sizeof(list[0]));
	memcpy(list[2], name->text, name->length + 1);
	if (!p->open)
		return;
	if (p->line_two == 0 && (spells_asm(list[1], list[2], "") || spells_asm(list[2], list[1], "")))
		p->line_two = name->line;
	if (p->line_three == 0 && spells_asm(list[0], list[1], list[2]))
		p->line_three = name->line;
}

void c_paste_follow(struct c_paste *p, const struct c_token *token, const struct c_token *last)
{
	const bool paste = is_punct(token, C_PASTE), word = token->kind == C_WORD;
	const bool name = word && token->length < sizeof(p->pieces[0]);

	p->run = paste ? p->run + 1 : word ? p->run : 0;
	p->two = p->two || paste;
	p->three = p->three || p->run > 1;
	p->open = p->open || paste;
	if (paste || is_punct(token, ','))
		return;
	if (!name || last->kind != C_PUNCT) {
		memset(p->pieces, 0, sizeof(p->pieces));
		p->open = is_punct(token, '(');
	}
	if (name)
		add(p, token);
}

int c_paste_line(const struct c_paste *p)
{
	if (p->two && p->line_two > 0)
		return p->line_two;
	return p->three ? p->line_three : 0;
}
