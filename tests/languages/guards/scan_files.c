/* Prints what scan_java_classes refuses of the files named: a line each. Built and run by tests/languages/guards.py. */
#include "lang/scan.h"

#include <stdio.h>
#include <stdlib.h>

static void scan(const char *name)
{
	static char text[16 << 20];
	struct scan_finding finding;
	FILE *file = fopen(name, "rb");
	size_t size = file ? fread(text, 1, sizeof(text), file) : 0;

	if (!file || fclose(file) != 0) {
		perror(name);
		exit(2);
	}
	if (scan_java_classes(name, text, size, &finding))
		printf("%s: %s\n", name, finding.rule);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		scan(argv[i]);
	return 0;
}
