/*
 * A build tool, no part of judge: writes files into the table of lang/embedded.h.
 *
 *	embed OUT.c FILES…
 *
 * A file is found again by the last part of its path, so no two may share it.
 */
#include "base/err.h"
#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#define FILE_MOST ((size_t)4 * 1024 * 1024)
#define COLUMNS 24		/* bytes of a file per line of C */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A name goes into a C string as it is, and must be what a line of a .lang file can hold. */
static int check_name(const char *name, char **others, int count, struct err *e)
{
	if (!*name || strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-") !=
		      strlen(name))
		return fail_usage(e, "'%s' is no name for a file to embed", name);
	for (int i = 0; i < count; i++)
		if (strcmp(last_part(others[i]), name) == 0)
			return fail_usage(e, "two files are called %s", name);
	return 0;
}

/* Three octal digits each: no byte runs into the next, no trigraph comes about. */
static void write_bytes(FILE *to, const char *data, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (i % COLUMNS == 0)
			fputs(i ? "\"\n\t\"" : "\n\t\"", to);
		fprintf(to, "\\%03o", (unsigned)(unsigned char)data[i]);
	}
	fputs(size ? "\"" : " \"\"", to);
}

static int write_row(FILE *to, const char *path, struct err *e)
{
	autofree char *text = NULL;
	size_t size;

	if (read_file_at(AT_FDCWD, path, FILE_MOST, &text, &size) < 0)
		return fail(e, errno, "cannot read %s", path);
	fprintf(to, "\t{ \"%s\",", last_part(path));
	write_bytes(to, text, size);
	fprintf(to, ", %zu },\n", size);
	return 0;
}

static int write_table(FILE *to, char **paths, int count, struct err *e)
{
	fputs("/* Written by base/embed.c from the files it names. */\n"
	      "#include \"lang/embedded.h\"\n\n"
	      "const struct embedded embedded_files[] = {\n", to);
	for (int i = 0; i < count; i++)
		if (check_name(last_part(paths[i]), paths, i, e) < 0 || write_row(to, paths[i], e) < 0)
			return -1;
	fputs("\t{ NULL, NULL, 0 },\n};\n", to);
	return 0;
}

static int embed(const char *out, char **paths, int count, struct err *e)
{
	FILE *to = fopen(out, "we");
	int r;

	if (!to)
		return fail(e, errno, "cannot write %s", out);
	r = write_table(to, paths, count, e);
	if (ferror(to))
		r = fail(e, errno, "cannot write %s", out);
	if (fclose(to) != 0 && r == 0)
		r = fail(e, errno, "cannot write %s", out);
	return r;
}

int main(int argc, char **argv)
{
	struct err e;

	if (argc < 2) {
		fputs("usage: embed OUT.c FILES…\n", stderr);
		return 2;
	}
	if (embed(argv[1], argv + 2, argc - 2, &e) == 0)
		return 0;
	fprintf(stderr, "embed: %s\n", e.text);
	(void)remove(argv[1]); /* half a table would compile */
	return 1;
}
