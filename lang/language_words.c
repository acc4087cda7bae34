/* A line of a .lang file, taken apart. Pure; runs in the judge. */
#include "lang/language_words.h"

#include "base/array.h"

#include <string.h>

static const char *const placeholders[] = {
	"{source}", "{sources}", "{artifact}", "{main}", "{std}", "{level}", "{memory_mb}", "{stack_kb}", "{given}",
};

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

/* One word from line[*at], without its quotes, into `ret_word` of at least `length` + 1 bytes. False: a quote
   is not closed. */
static bool take_word(const char *line, size_t length, size_t *at, char *ret_word)
{
	bool quoted = false;
	size_t n = 0;

	for (; *at < length && (quoted || !blank(line[*at])); ++*at) {
		if (line[*at] == '"')
			quoted = !quoted;
		else
			ret_word[n++] = line[*at];
	}
	ret_word[n] = '\0';
	return !quoted;
}

static const char *control_character(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)line[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return "a control character";
	}
	return NULL;
}

int lang_words(struct arena *a, const char *line, size_t length, const char *ret_words[LANG_WORDS_MOST],
	       const char **ret_why)
{
	int count = 0;

	if (length > 0 && line[length - 1] == '\r')
		length--;
	*ret_why = control_character(line, length);
	for (size_t at = 0; !*ret_why; count++) {
		char *word;

		while (at < length && blank(line[at]))
			at++;
		if (at == length || line[at] == '#')
			return count;
		if (count == LANG_WORDS_MOST) {
			*ret_why = "too many words";
			break;
		}
		word = arena_alloc(a, length - at + 1);
		if (!take_word(line, length, &at, word))
			*ret_why = "a quotation mark without its other half";
		ret_words[count] = word;
	}
	return -1;
}

size_t lang_placeholder(const char *text)
{
	size_t n;

	if (text[0] != '{')
		return 0;
	n = strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_");
	return n > 0 && text[1 + n] == '}' ? n + 2 : 0;
}

bool lang_placeholder_known(const char *text, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(placeholders); i++)
		if (strlen(placeholders[i]) == length && memcmp(placeholders[i], text, length) == 0)
			return true;
	return false;
}
