/* Looks names and numbers of system calls up: names.h. Runs in the judge, outside the box. */
#include "seccomp/names.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *name, const void *row)
{
	return strcmp(name, ((const struct call_row *)row)->name);
}

const struct call_row *call_find(const char *name)
{
	return bsearch(name, call_rows, call_row_count, sizeof(*call_rows), by_name);
}

const char *call_name(int number, enum filter_arch arch)
{
	for (size_t i = 0; number >= 0 && i < call_row_count; i++)
		if (call_rows[i].number[arch] == number)
			return call_rows[i].name;
	return NULL;
}

int call_number(const struct policy_set *set, const char *name, enum filter_arch arch)
{
	const struct call_row *row = call_find(name);
	const struct policy_number *stated = policy_number_find(set, name);

	if (row && row->number[arch] >= 0)
		return row->number[arch];
	if (stated)
		return stated->number;
	return row ? CALL_ELSEWHERE : CALL_UNKNOWN;
}
