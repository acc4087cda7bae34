/* Errors and help texts for people. */
#include "cli/cli.h"

#include <string.h>

int say_error(const struct err *e)
{
	fprintf(stderr, "judge: %s\n", e->text);
	if (*e->cure)
		fprintf(stderr, "       %s\n", e->cure);
	return e->kind == ERR_USAGE ? EXIT_USAGE : EXIT_INTERNAL;
}

void print_options(const struct option_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct option_row *row = &rows[i];
		char form[64];

		if (row->group)
			printf("\n%s:\n", row->group);
		snprintf(form, sizeof(form), "%c%c%s--%s%s%s", row->letter ? '-' : ' ',
			 row->letter ? row->letter : ' ', row->letter ? ", " : "  ", row->name,
			 row->argument ? " " : "", row->argument ? row->argument : "");
		if (strlen(form) > 28)
			printf("  %s\n  %-28s %s\n", form, "", row->help);
		else
			printf("  %-28s %s\n", form, row->help);
	}
}
