/* Fuzzes the reader of an installation's limits file: a file that is not understood changes nothing, one that is gives
   defaults that its own ceilings permit. */
#include "tests/fuzz/input.h"

#include "sandbox/limits.h"

static void check_site(const struct limits_site *site)
{
	for (int phase = PHASE_RUN; phase <= PHASE_COMPILE; phase++) {
		struct limits finished = site->initial[phase];
		struct err e = { 0 };

		HOLDS(limits_finish(&finished, &e) == 0);
		for (int i = 0; i < LIMIT_COUNT; i++)
			HOLDS(finished.value[i] >= limit_rows[i].least &&
			      (finished.value[i] <= site->most[i] || limit_rows[i].follows >= 0));
	}
	HOLDS(site->first_uid != 0 && site->first_uid <= site->last_uid && site->last_uid != (uid_t)-1);
	HOLDS(memchr(site->audit, '\0', sizeof(site->audit)));
	HOLDS(site->audit[0] == '\0' || site->audit[0] == '/');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct limits_site site, before;
	struct err e = { 0 };

	memset(&site, 0, sizeof(site));
	limits_site_init(&site);
	memcpy(&before, &site, sizeof(site));
	if (limits_site_read(&site, "limits", (const char *)data, size, &e) == 0) {
		check_site(&site);
		return 0;
	}
	HOLDS(memcmp(&site, &before, sizeof(site)) == 0);
	HOLDS(e.kind == ERR_USAGE && strncmp(e.text, "limits:", 7) == 0);
	for (const char *c = e.text; *c; c++)
		HOLDS((unsigned char)*c >= 0x20 && *c != 0x7f);
	return 0;
}
