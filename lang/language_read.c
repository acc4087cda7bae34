/*
 * One .lang file, from text to table. Pure; runs in the judge.
 *
 * A row for each statement there can be says how many words it has and what is looked at, so that a file that
 * reads needs no further doubt: its run line is one at every level, its guards and scans are there, its
 * placeholders have a meaning. What limits and policies are called is the sandbox's to know.
 */
#include "lang/language_read.h"

#include "base/array.h"
#include "lang/language_words.h"

#include <string.h>

#define ALL_LEVELS ((1u << LEVEL_COUNT) - 1)

const char *const level_names[LEVEL_COUNT] = { "off", "contest", "strict" };

/* "[contest,strict]" */
static int read_levels(struct reading *r, const char *word, unsigned *ret_levels)
{
	const char *at = word + 1;

	for (*ret_levels = 0;; at++) {
		const size_t length = strcspn(at, ",]");
		enum level level = LEVEL_OFF;

		while (level < LEVEL_COUNT && (strlen(level_names[level]) != length ||
					       memcmp(level_names[level], at, length) != 0))
			level++;
		if (level == LEVEL_COUNT || !at[length])
			return reading_fail(r, "'%s': write levels as in [contest,strict]: off, contest, strict", word);
		*ret_levels |= 1u << level;
		at += length;
		if (*at == ']')
			return at[1] ? reading_fail(r, "'%s': a blank behind the ]", word) : 0;
	}
}

static int set_text(struct reading *r, const struct statement *s, const struct lang_line *line)
{
	const char **text = (const char **)(void *)((char *)&r->language + s->text);
	const char *joined = line->words[0];

	if (*text)
		return reading_fail(r, "%s is set already", s->name);
	for (size_t i = 1; i < line->count; i++)
		joined = arena_printf(&r->all->arena, "%s %s", joined, line->words[i]);
	*text = joined;
	return 0;
}

/* Takes the first word off, where the statement has one of its own. */
static int take_first(struct reading *r, const struct statement *s, struct lang_line *line)
{
	if (!s->first)
		return 0;
	for (int i = 0; line->count > 0 && s->first[i]; i++)
		if (strcmp(s->first[i], line->words[0]) == 0)
			line->word = s->first[i];
	if (!line->word)
		return reading_fail(r, "write: %s", s->form);
	line->words++;
	line->count--;
	return 0;
}

static int add_line(struct reading *r, const struct statement *s, struct lang_line *line)
{
	struct language *language = &r->language;

	if (take_first(r, s, line) < 0)
		return -1;
	if (line->count < s->least || line->count > s->most)
		return reading_fail(r, "write: %s", s->form);
	if (s->check && s->check(r, line) < 0)
		return -1;
	if (s->key < 0)
		return set_text(r, s, line);
	*(struct lang_line *)arena_grow(&r->all->arena, (void **)&language->lines[s->key],
					&r->capacities[s->key], language->counts[s->key],
					sizeof(*line)) = *line;
	language->counts[s->key]++;
	return 0;
}

static int read_statement(struct reading *r, const char **words, size_t count)
{
	struct lang_line line = { .levels = ALL_LEVELS };
	const bool leveled = words[0][0] == '[';
	const struct statement *s;
	const char **kept;

	if (leveled && read_levels(r, *words, &line.levels) < 0)
		return -1;
	words += leveled;
	count -= leveled;
	if (count == 0)
		return reading_fail(r, "a statement is missing behind the levels");
	s = statement_find(*words);
	if (!s)
		return reading_fail(r, "unknown statement '%s'", *words);
	if (leveled && !s->leveled)
		return reading_fail(r, "%s is the same at every level", s->name);
	line.count = count - 1;
	kept = arena_alloc(&r->all->arena, count * sizeof(*kept)); /* and a NULL in the first one's place */
	memcpy(kept, words + 1, line.count * sizeof(*kept));
	line.words = kept;
	return add_line(r, s, &line);
}

static int read_lines(struct reading *r, const char *text, size_t size)
{
	for (size_t at = 0; at < size;) {
		const char *end = memchr(text + at, '\n', size - at), *why;
		const size_t length = end ? (size_t)(end - text) - at : size - at;
		const char *words[LANG_WORDS_MOST];
		int count;

		r->line++;
		count = lang_words(&r->all->arena, text + at, length, words, &why);
		if (count < 0)
			return reading_fail(r, "%s", why);
		if (count > 0 && read_statement(r, words, (size_t)count) < 0)
			return -1;
		at += length + 1;
	}
	return 0;
}

/* ---- what is looked at when all is read */

static bool uses(const struct language *language, const char *placeholder)
{
	static const enum lang_key commands[] = { LANG_COMPILE, LANG_RUN, LANG_VERSION };

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		for (size_t n = 0; n < language->counts[commands[i]]; n++)
			for (const char *const *word = language->lines[commands[i]][n].words; *word; word++)
				if (strstr(*word, placeholder))
					return true;
	return false;
}

/* How many lines of a kind count at that level; `word` NULL: with any first word. */
static unsigned count_at(const struct language *language, enum lang_key key, enum level level, const char *word)
{
	unsigned count = 0;

	for (size_t i = 0; i < language->counts[key]; i++) {
		const struct lang_line *line = &language->lines[key][i];

		count += lang_counts(line, level) && (!word || strcmp(line->word, word) == 0);
	}
	return count;
}

static const char *const phases[] = { "compile", "run" };

static int check_levels(struct reading *r)
{
	for (enum level level = LEVEL_OFF; level < LEVEL_COUNT; level++) {
		if (count_at(&r->language, LANG_RUN, level, NULL) != 1)
			return reading_fail(r, "%u run lines at level %s: there has to be one",
					 count_at(&r->language, LANG_RUN, level, NULL), level_names[level]);
		for (size_t i = 0; i < ARRAY_SIZE(phases); i++)
			if (count_at(&r->language, LANG_POLICY, level, phases[i]) > 1)
				return reading_fail(r, "several policies for %s at level %s", phases[i],
						 level_names[level]);
	}
	return 0;
}

/* "cpp" of "/etc/judge/lang/cpp.lang" */
static bool named_like_file(const char *name, const char *file)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	const size_t length = strlen(name);

	return strncmp(base, name, length) == 0 && strcmp(base + length, ".lang") == 0;
}

static int check_whole(struct reading *r)
{
	const struct language *language = &r->language;

	if (!language->name || !language->title)
		return reading_fail(r, "%s is missing", language->name ? "title" : "name");
	if (!named_like_file(language->name, r->file))
		return reading_fail(r, "the language %s has to be in a file %s.lang", language->name, language->name);
	if (language->counts[LANG_STANDARD] > 1 || language->counts[LANG_VERSION] > 1)
		return reading_fail(r, "standard and version can be there once");
	if (!language->artifact && uses(language, "{artifact}"))
		return reading_fail(r, "{artifact} is used, and no artifact line says what it is");
	if (!language->counts[LANG_STANDARD] && uses(language, "{std}"))
		return reading_fail(r, "{std} is used, and no standard line says what it can be");
	if (language->artifact && !language->counts[LANG_COMPILE])
		return reading_fail(r, "there is an artifact, and no compile line that makes it");
	return check_levels(r);
}

/* Two languages of one name, or with one extension, could not be told apart. */
static int check_others(struct reading *r, enum lang_key key, const char *word)
{
	for (size_t i = 0; i < r->all->count; i++) {
		const struct language *other = &r->all->list[i];

		if (strcmp(other->name, r->language.name) == 0) // NOLINT(*NonNullParam*): check_whole saw it
			continue; /* it is replaced */
		if (key == LANG_ALSO && strcmp(other->name, word) == 0)
			return reading_fail(r, "'%s' is the name of another language", word);
		for (size_t n = 0; n < other->counts[key]; n++)
			for (const char *const *at = other->lines[key][n].words; *at; at++)
				if (strcmp(*at, word) == 0)
					return reading_fail(r, "'%s' is of the language %s already", word, other->name);
	}
	return 0;
}

static int check_all_others(struct reading *r)
{
	static const enum lang_key keys[] = { LANG_ALSO, LANG_EXTENSION };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		for (size_t n = 0; n < r->language.counts[keys[i]]; n++)
			for (const char *const *at = r->language.lines[keys[i]][n].words; *at; at++)
				if (check_others(r, keys[i], *at) < 0)
					return -1;
	return check_others(r, LANG_ALSO, r->language.name);
}

/* Puts it in the place of the one of that name, or where it belongs in the order. */
static void place(struct languages *l, const struct language *language)
{
	size_t at = 0;

	while (at < l->count && strcmp(l->list[at].name, language->name) < 0)
		at++;
	if (at == l->count || strcmp(l->list[at].name, language->name) != 0) {
		(void)arena_grow(&l->arena, (void **)&l->list, &l->capacity, l->count, sizeof(*l->list));
		memmove(&l->list[at + 1], &l->list[at], (l->count - at) * sizeof(*l->list));
		l->count++;
	}
	l->list[at] = *language;
}

int language_read(struct languages *l, const char *file, const char *text, size_t size, struct err *e)
{
	struct reading r = { .all = l, .file = file, .e = e, .language.main = NULL };

	if (read_lines(&r, text, size) < 0 || check_whole(&r) < 0 || check_all_others(&r) < 0)
		return -1;
	if (!r.language.main)
		r.language.main = "file";
	place(l, &r.language);
	return 0;
}
