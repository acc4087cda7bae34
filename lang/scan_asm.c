/*
 * The second look at C and C++: the assembly that gcc or clang wrote, x86-64 and aarch64. Runs in the judge. Whatever
 * trick of the source led there, assembly of a contestant's own shows here: as an #APP block that names no system
 * header, or as a directive, a section, an operand or a line that no compiler writes by itself.
 *
 * What may stand is listed, all else is refused. The assembler's own reading is followed where it is the wider: a
 * semicolon or a comment's end counts even where one of the two machines would take it for a comment.
 */
#include "lang/scan.h"

#include "base/array.h"

#include <stdio.h>
#include <string.h>

enum form {
	FORM_PLAIN,	/* symbols and numbers */
	FORM_DATA,	/* the same, and never among instructions */
	FORM_STRING,	/* strings and numbers */
	FORM_SECTION,
	FORM_TEXT,	/* switches to instructions */
	FORM_OTHER,	/* switches away from them */
};

struct span {
	const char *at, *end;
};

struct state {
	struct scan_finding *ret;
	int line;
	bool in_text;
	enum { APP_NONE, APP_OPEN, APP_HEADER } app;	/* inside #APP: no header named yet, a system header's */
};

static const struct directive {
	const char *name;
	enum form form;
} directives[] = {
	{ "text", FORM_TEXT }, { "data", FORM_OTHER }, { "bss", FORM_OTHER }, { "section", FORM_SECTION },
	{ "byte", FORM_DATA }, { "2byte", FORM_DATA }, { "4byte", FORM_DATA }, { "8byte", FORM_DATA },
	{ "short", FORM_DATA }, { "value", FORM_DATA }, { "hword", FORM_DATA }, { "word", FORM_DATA },
	{ "long", FORM_DATA }, { "int", FORM_DATA }, { "quad", FORM_DATA }, { "xword", FORM_DATA },
	{ "dword", FORM_DATA }, { "octa", FORM_DATA }, { "float", FORM_DATA }, { "single", FORM_DATA },
	{ "double", FORM_DATA }, { "uleb128", FORM_DATA }, { "sleb128", FORM_DATA }, { "string", FORM_STRING },
	{ "ascii", FORM_STRING }, { "asciz", FORM_STRING }, { "base64", FORM_STRING }, { "file", FORM_STRING },
	{ "ident", FORM_STRING }, { "globl", FORM_PLAIN }, { "global", FORM_PLAIN }, { "weak", FORM_PLAIN },
	{ "weakref", FORM_PLAIN }, { "hidden", FORM_PLAIN }, { "protected", FORM_PLAIN },
	{ "internal", FORM_PLAIN }, { "local", FORM_PLAIN }, { "comm", FORM_PLAIN }, { "lcomm", FORM_PLAIN },
	{ "type", FORM_PLAIN }, { "size", FORM_PLAIN }, { "set", FORM_PLAIN }, { "align", FORM_PLAIN },
	{ "p2align", FORM_PLAIN }, { "balign", FORM_PLAIN }, { "zero", FORM_PLAIN }, { "skip", FORM_PLAIN },
	{ "space", FORM_PLAIN }, { "fill", FORM_DATA }, { "loc", FORM_PLAIN }, { "addrsig", FORM_PLAIN },
	{ "addrsig_sym", FORM_PLAIN }, { "arch", FORM_PLAIN }, { "cpu", FORM_PLAIN },
	{ "arch_extension", FORM_PLAIN }, { "tlsdesccall", FORM_PLAIN }, { "variant_pcs", FORM_PLAIN },
};

/* Sections by what their names begin with: at its end comes the name's end, a dot or, after a dot, anything. */
static const char *const sections[] = {
	".text", ".rodata", ".data", ".bss", ".tdata", ".tbss", ".lrodata", ".ldata", ".lbss", ".init_array",
	".fini_array", ".ctors", ".dtors", ".gcc_except_table", ".eh_frame", ".debug_", ".note.", ".comment",
	".linker-options", ".llvm.", ".tm_clone_table", ".stack_sizes", ".gnu.linkonce.",
};

/* Instructions that enter the kernel or another mode: no compiler writes them. */
static const char *const instructions[] = {
	"syscall", "sysenter", "sysexit", "sysret", "sysretq", "int", "int1", "into", "iret", "iretq", "lcall", "ljmp",
	"lret", "lretq", "svc", "hvc", "smc", "eret",
};

static const char *const prefixes[] = {
	"lock", "rep", "repe", "repz", "repne", "repnz", "notrack", "data16", "rex64", "xacquire", "xrelease", "bnd",
};

static size_t length(struct span t)
{
	return t.at < t.end ? (size_t)(t.end - t.at) : 0;
}

static bool equal(struct span t, const char *word)
{
	return strlen(word) == length(t) && memcmp(t.at, word, length(t)) == 0;
}

static bool begins(struct span t, const char *word)
{
	return strlen(word) <= length(t) && memcmp(t.at, word, strlen(word)) == 0;
}

static bool is_listed(struct span t, const char *const *list, size_t count)
{
	while (count > 0 && !equal(t, list[count - 1]))
		count--;
	return count > 0;
}

static bool is_symbol(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("_.$", c)) ||
	       (unsigned char)c >= 0x80;
}

static struct span skip_blanks(struct span t)
{
	while (t.at < t.end && (*t.at == ' ' || *t.at == '\t'))
		t.at++;
	return t;
}

static bool refuse(struct state *s, const char *why, struct span what)
{
	const struct span t = skip_blanks(what);

	s->ret->line = s->line;
	(void)snprintf(s->ret->rule, sizeof(s->ret->rule), "%s (%.*s)", why, (int)(length(t) < 80 ? length(t) : 80), t.at);
	for (char *c = s->ret->rule; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return true;
}

/* Takes the word that `t` begins with. */
static struct span take_word(struct span *t)
{
	struct span word = skip_blanks(*t);

	for (t->at = word.at; t->at < t->end && is_symbol(*t->at);)
		t->at++;
	word.end = t->at;
	return word;
}

/* From a comment's sign on, which is none on the other machine: nothing that would count there. */
static bool check_comment(struct state *s, struct span t)
{
	int quotes = 0;

	for (const char *c = t.at; c < t.end; c++) {
		quotes += *c == '"';
		const char after = c + 1 < t.end ? c[1] : '\0';

		if (*c == ';' || *c == '\r' || (*c == '\\' && after == '"') || (*c == '/' && after == '*'))
			return refuse(s, "a comment that is none", t);
	}
	return quotes % 2 ? refuse(s, "a comment that is none", t) : false;
}

static bool at_comment(struct span t)
{
	return t.at < t.end && (*t.at == '#' || begins(t, "//"));
}

/* Symbols, numbers, registers, addresses; a symbol in quotes. */
static bool check_plain(struct state *s, struct span t)
{
	const struct span all = t;
	const char *quote;

	for (; t.at < t.end && !at_comment(t); t.at++) {
		if (begins(t, "/*"))
			return refuse(s, "an operand no compiler writes", all);
		if (*t.at == '"') {
			quote = memchr(t.at + 1, '"', length(t) - 1);
			if (!quote || memchr(t.at, '\\', (size_t)(quote - t.at)))
				return refuse(s, "an operand no compiler writes", all);
			t.at = quote;
		} else if (!is_symbol(*t.at) && (!strchr(" \t%@(),+-*/:[]{}!<>~&|^", *t.at) || !*t.at)) {
			return refuse(s, "an operand no compiler writes", all);
		}
	}
	return check_comment(s, t);
}

/* Strings that end in their line, and what may stand beside them. */
static bool check_strings(struct state *s, struct span t)
{
	const struct span all = t;
	bool inside = false;

	for (; t.at < t.end && (inside || !at_comment(t)); t.at++) {
		if (*t.at == '"')
			inside = !inside;
		else if (inside && *t.at == '\\' && t.at + 1 < t.end)
			t.at++;
		else if (!inside && !is_symbol(*t.at) && (!strchr(" \t,-", *t.at) || !*t.at))
			return refuse(s, "an operand no compiler writes", all);
	}
	return inside ? refuse(s, "a string without an end", all) : check_comment(s, t);
}

static bool is_section_known(struct span name)
{
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		const size_t n = strlen(sections[i]);
		const char last = sections[i][n - 1];

		if (begins(name, sections[i]) &&
		    (length(name) == n || last == '.' || last == '_' || name.at[n] == '.'))
			return true;
	}
	return false;
}

/* .section NAME,"FLAGS",@TYPE,… */
static bool check_section(struct state *s, struct span t)
{
	struct span name = skip_blanks(t), flags = { "", "" }, rest;
	const char *end;

	if (name.at < name.end && *name.at == '"') {
		name.at++;
		end = memchr(name.at, '"', length(name));
		name.end = end ? end : name.end;
		rest = (struct span){ end ? end + 1 : name.end, t.end };
	} else {
		end = memchr(name.at, ',', length(name));
		rest = (struct span){ end ? end : name.end, t.end };
		name.end = rest.at;
		while (name.end > name.at && (name.end[-1] == ' ' || name.end[-1] == '\t'))
			name.end--;
	}
	if (begins(rest, ",\"") && (end = memchr(rest.at + 2, '"', length(rest) - 2)))
		flags = (struct span){ rest.at + 2, end };
	s->in_text = begins(name, ".text");
	if (!is_section_known(name) || memchr(name.at, '"', length(name)))
		return refuse(s, "a section no compiler makes", name);
	for (const char *f = flags.at; f < flags.end; f++)
		if (!strchr("awxeGMST", *f) || !*f || (*f == 'x' && !s->in_text && !begins(name, ".note.")) ||
		    (*f == 'w' && s->in_text))
			return refuse(s, "a section with odd flags", t);
	return check_plain(s, t);
}

/* The parts of a call for a thread's variable that are written as bytes. */
static bool is_padding(struct span t)
{
	t = skip_blanks(t);
	return equal(t, "0x66") || equal(t, "0x6666");
}

static bool check_directive(struct state *s, struct span word, struct span rest)
{
	const struct span name = { word.at + 1, word.end };
	const struct directive *d = NULL;

	if (begins(word, ".cfi_"))
		return check_plain(s, rest);
	for (size_t i = 0; i < ARRAY_SIZE(directives) && !d; i++)
		if (equal(name, directives[i].name))
			d = &directives[i];
	if (!d)
		return refuse(s, "a directive no compiler writes", word);
	if (d->form == FORM_SECTION)
		return check_section(s, rest);
	if (d->form == FORM_TEXT || d->form == FORM_OTHER)
		s->in_text = d->form == FORM_TEXT;
	if (s->in_text && !is_padding(rest) &&
	    (d->form == FORM_DATA || (d->form == FORM_STRING && !equal(name, "file") && !equal(name, "ident"))))
		return refuse(s, "data among instructions", word);
	return d->form == FORM_STRING ? check_strings(s, rest) : check_plain(s, rest);
}

static bool check_instruction(struct state *s, struct span word, struct span rest)
{
	while (is_listed(word, prefixes, ARRAY_SIZE(prefixes)))
		word = take_word(&rest);
	if (is_listed(word, instructions, ARRAY_SIZE(instructions)))
		return refuse(s, "an instruction no compiler writes", word);
	return check_plain(s, rest);
}

/* "name:" at the start, quoted or not, as often as it stands there. */
static struct span skip_labels(struct span t)
{
	for (;;) {
		struct span rest = skip_blanks(t);
		const char *quote = NULL;

		if (rest.at < rest.end && *rest.at == '"')
			quote = memchr(rest.at + 1, '"', length(rest) - 1);
		if (quote)
			rest.at = quote + 1;
		else
			(void)take_word(&rest);
		if (rest.at == rest.end || *rest.at != ':')
			return t;
		t = (struct span){ rest.at + 1, t.end };
	}
}

/* Below /usr or /opt, and never above them on its way. */
static bool is_system_path(struct span path)
{
	int depth = 0;

	if (!begins(path, "/usr/") && !begins(path, "/opt/"))
		return false;
	while (path.at < path.end) {
		struct span part = { path.at + 1, path.end };
		const char *slash = memchr(part.at, '/', length(part));

		part.end = slash ? slash : part.end;
		depth += equal(part, "..") ? -1 : length(part) > 0;
		if (depth < 1)
			return false;
		path.at = part.end;
	}
	return true;
}

/* A line that begins with #: the marks of inline assembly, or a comment. */
static bool check_hash(struct state *s, struct span t)
{
	struct span rest = { t.at + 1, t.end }, path;
	const char *quote;

	if (begins(t, "#APP") || begins(t, "#NO_APP")) {
		s->app = begins(t, "#APP") ? APP_OPEN : APP_NONE;
		return check_plain(s, (struct span){ t.at + (s->app ? 4 : 7), t.end });
	}
	if (s->app == APP_NONE)
		return false;
	(void)take_word(&rest);
	path = skip_blanks(rest);
	if (path.at == path.end || *path.at != '"')
		return false;
	path.at++;
	quote = memchr(path.at, '"', length(path));
	path.end = quote ? quote : path.end;
	if (s->app == APP_OPEN && !is_system_path(path))
		return refuse(s, "inline assembly", path);
	s->app = length(path) ? APP_HEADER : APP_OPEN;	/* # 0 "" 2 ends one */
	return false;
}

/* In a system header's block: several instructions in a line may be, directives may not. */
static bool check_header(struct state *s, struct span t)
{
	while (t.at < t.end) {
		const char *const end = memchr(t.at, ';', length(t));
		struct span part = { t.at, end ? end : t.end }, word;

		part = skip_labels(part);
		word = take_word(&part);
		if (begins(word, "."))
			return refuse(s, "a directive in inline assembly", word);
		if (check_instruction(s, word, part))
			return true;
		t.at = end ? end + 1 : t.end;
	}
	return false;
}

/* Between #APP and a header's block, or behind that, the compiler puts its own marks for the debugger. */
static bool check_between(struct state *s, struct span t)
{
	struct span rest = skip_labels(t), word;

	if (begins(t, ".L") && skip_blanks(rest).at == t.end)
		return false;
	word = take_word(&rest);
	return equal(word, ".loc") ? check_plain(s, rest) : refuse(s, "inline assembly", t);
}

static bool check_line(struct state *s, struct span t)
{
	struct span word;

	t = skip_blanks(t);
	if (t.at == t.end)
		return false;
	if (*t.at == '#')
		return check_hash(s, t);
	if (s->app == APP_OPEN)
		return check_between(s, t);
	if (s->app == APP_HEADER)
		return check_header(s, t);
	t = skip_labels(t);
	word = take_word(&t);
	if (word.at == word.end)
		return check_plain(s, t);
	return *word.at == '.' ? check_directive(s, word, t) : check_instruction(s, word, t);
}

bool scan_c_assembly(const char *name, const char *text, size_t size, struct scan_finding *ret)
{
	struct state s = { .ret = ret, .in_text = true };
	const char *const end = text + size;

	(void)name;
	for (const char *at = text, *stop; at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop)
			stop = end;
		s.line++;
		if (check_line(&s, (struct span){ at, stop }))
			return true;
	}
	return false;
}
