/* Fuzzes the reader of numbers: what it takes is what it prints, and nothing but digits, a point and a suffix. */
#include "tests/fuzz/input.h"

#include "base/array.h"
#include "base/units.h"

/* "4096 bytes" and "2 s" are for people; the reader's own words have no blank. */
static void respell(char *text)
{
	char *blank = strchr(text, ' ');

	if (blank && strncmp(blank, " byte", 5) == 0)
		strcpy(blank, "B");
	else if (blank)
		memmove(blank, blank + 1, strlen(blank));
}

static void round_trip(enum unit unit, uint64_t value)
{
	char text[64], small[8];
	uint64_t again = 0;

	unit_format(unit, value, text, sizeof(text));
	respell(text);
	HOLDS(unit_parse(unit, text, &again) == 0 && again == value);
	unit_format(unit, value, small, sizeof(small));
	HOLDS(memchr(small, '\0', sizeof(small)));
}

static void seconds(uint64_t us)
{
	char text[64];
	uint64_t again = 0;

	HOLDS(unit_parse(UNIT_TIME, seconds_format(us, 6, text, sizeof(text)), &again) == 0 && again == us);
	HOLDS(unit_parse(UNIT_TIME, seconds_format(us, 3, text, sizeof(text)), &again) == 0 &&
	      again == us / 1000 * 1000);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	const enum unit unit = (enum unit)(input_byte(&in) % (UNIT_CPUS + 1));
	char *text = input_rest(&in);
	uint64_t value = 42;

	if (unit_parse(unit, text, &value) < 0) {
		HOLDS(value == 42);
	} else {
		HOLDS(value <= INT64_MAX);
		HOLDS(text[0] >= '0' && text[0] <= '9');
		HOLDS(strspn(text, "0123456789.smuKMGiB") == strlen(text));
		HOLDS(strspn(text, "0.smuKMGiB") < strlen(text) || value == 0);
		round_trip(unit, value);
		seconds(value);
	}
	free(text);
	return 0;
}
