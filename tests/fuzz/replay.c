/*
 * Feeds the files of a corpus to a fuzz target, where no libFuzzer does: `fuzz_NAME FOLDER...`. Each file's name is
 * told on standard error before its turn, so that the last one told is the one that ended it. An input that takes
 * longer than a minute ends it too. Prints how many there were.
 */
#include "tests/fuzz/input.h"

#include "base/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

#define INPUT_MOST ((size_t)1 << 24)
#define INPUT_SECONDS 60

static void feed(int folder, const char *name)
{
	char *text;
	size_t size;
	uint8_t *data;

	if (read_file_at(folder, name, INPUT_MOST, &text, &size) < 0) {
		dprintf(2, "%s: %s\n", name, strerror(errno));
		exit(1);
	}
	data = malloc(size ? size : 1);	/* exactly as long, as libFuzzer gives it */
	HOLDS(data);
	memcpy(data, text, size);
	free(text);
	dprintf(2, "%s\n", name);
	(void)alarm(INPUT_SECONDS);
	(void)LLVMFuzzerTestOneInput(data, size);
	free(data);
}

int main(int argc, char **argv)
{
	struct dirent **list;
	int fed = 0;

	for (int i = 1; i < argc; i++) {
		autoclose int folder = open(argv[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		int count = folder < 0 ? -1 : scandir(argv[i], &list, NULL, alphasort);

		if (count < 0) {
			dprintf(2, "%s: %s\n", argv[i], strerror(errno));
			return 1;
		}
		for (int j = 0; j < count; j++) {
			if (list[j]->d_name[0] != '.' && list[j]->d_type != DT_DIR) {
				feed(folder, list[j]->d_name);
				fed++;
			}
			free(list[j]);
		}
		free(list);
	}
	printf("%d\n", fed);
	return 0;
}
