/* Command lines of languages. Pure but for the arena. */
#include "sandbox/program_parts.h"

#include <stdio.h>
#include <string.h>

const struct lang_line *program_line(const struct program *p, enum lang_key key, const char *word, size_t n)
{
	const struct language *l = p->wish.language;

	for (size_t i = 0; i < l->counts[key]; i++) {
		const struct lang_line *line = &l->lines[key][i];

		if (!lang_counts(line, p->wish.level) || (word && (!line->word || strcmp(line->word, word))))
			continue;
		if (n-- == 0)
			return line;
	}
	return NULL;
}

static const char *standard(const struct program *p)
{
	const struct lang_line *line = program_line(p, LANG_STANDARD, NULL, 0);

	if (p->wish.standard)
		return p->wish.standard;
	return line && line->count ? line->words[0] : "";
}

static const char *value_of(struct program *p, const char *name, size_t length, const struct limits *limits)
{
	const struct {
		const char *name, *value;
	} rows[] = {
		{ "source", p->wish.sources[0].name },
		{ "artifact", p->wish.language->artifact },
		{ "main", p->main },
		{ "std", standard(p) },
		{ "given", "/judge" },
		{ "level", level_names[p->wish.level] },
		{ "memory_mb", arena_printf(&p->arena, "%llu",
					    (unsigned long long)(limits->value[LIMIT_MEMORY] / MIB)) },
		{ "stack_kb", arena_printf(&p->arena, "%llu",
					   (unsigned long long)(limits->value[LIMIT_STACK] / KIB)) },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strlen(rows[i].name) == length && !strncmp(rows[i].name, name, length))
			return rows[i].value ? rows[i].value : "";
	return NULL;
}

/* Braces that enclose no placeholder's name stay: awk programs have them. */
static char *fill(struct program *p, const char *word, const struct limits *limits)
{
	char *text = arena_strdup(&p->arena, "");

	while (*word) {
		const char *end = *word == '{' ? strchr(word, '}') : NULL;
		const char *value = end ? value_of(p, word + 1, (size_t)(end - word - 1), limits) : NULL;

		if (value) {
			text = arena_printf(&p->arena, "%s%s", text, value);
			word = end + 1;
			continue;
		}
		size_t plain = 1 + strcspn(word + 1, "{");

		text = arena_printf(&p->arena, "%s%.*s", text, (int)plain, word);
		word += plain;
	}
	return text;
}

/* Headers and data lie beside, they are not handed to the compiler. */
static bool has_extension(const struct program *p, const char *name)
{
	const struct lang_line *line;
	size_t length = strlen(name);

	for (size_t n = 0; (line = program_line(p, LANG_EXTENSION, NULL, n)); n++)
		for (size_t i = 0; i < line->count; i++) {
			size_t end = strlen(line->words[i]);

			if (length > end && !strcmp(name + length - end, line->words[i]))
				return true;
		}
	return false;
}

char **program_words(struct program *p, const struct lang_line *line, const struct limits *limits, size_t more,
		     size_t *ret_count, struct err *e)
{
	char **words = arena_alloc(&p->arena, (line->count + p->wish.source_count + more + 2) * sizeof(*words));
	size_t count = 0;

	(void)e;
	if (line->word)
		words[count++] = fill(p, line->word, limits);
	for (size_t i = 0; i < line->count; i++) {
		if (strcmp(line->words[i], "{sources}")) {
			words[count++] = fill(p, line->words[i], limits);
			continue;
		}
		for (size_t j = 0; j < p->wish.source_count; j++)
			if (p->wish.source_count == 1 || has_extension(p, p->wish.sources[j].name))
				words[count++] = arena_strdup(&p->arena, p->wish.sources[j].name);
	}
	*ret_count = count;
	return words;
}
