/* Which scans there are, by the names that .lang files use. Pure; runs in the judge. */
#include "lang/scan.h"

#include "base/array.h"

#include <string.h>

static const struct scan_row rows[] = {
	{ SCAN_SOURCE, "c", scan_c_tokens, "token-scan" },
	{ SCAN_SOURCE, "rust", scan_rust_tokens, "token-scan" },
	{ SCAN_SOURCE, "go", scan_go_imports, "import-scan" },
	{ SCAN_CLASSES, "java", scan_java_classes, "class-scan" },
	{ SCAN_ASSEMBLY, "c", scan_c_assembly, "assembly-scan" },
};

const struct scan_row *scan_find(enum scan_stage stage, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].stage == stage && strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}
