/* Fuzzes the reader of a problem's overrides: an error changes nothing, and no value is over its ceiling. */
#include "tests/fuzz/input.h"

#include "sandbox/limits.h"

static bool may_change(int which)
{
	return which == LIMIT_TIME || which == LIMIT_WALL_TIME || which == LIMIT_MEMORY;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct limits_site site;
	struct limits l, before;
	struct err e = { 0 };

	limits_site_init(&site);
	l = before = site.initial[PHASE_RUN];
	if (limits_problem_read(&l, "problem", (const char *)data, size, &site, &e) < 0) {
		HOLDS(memcmp(&l, &before, sizeof(l)) == 0);
		HOLDS(e.kind == ERR_USAGE && strncmp(e.text, "problem:", 8) == 0);
		return 0;
	}
	for (int i = 0; i < LIMIT_COUNT; i++)
		HOLDS(l.value[i] == before.value[i] ||
		      (may_change(i) && l.value[i] >= limit_rows[i].least && l.value[i] <= site.most[i]));
	return 0;
}
