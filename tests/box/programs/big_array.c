/* A static array over the memory limit: execve itself, or the first touch, fails for lack of memory. */
#include <stdio.h>

static char array[800 << 20];

int main(void)
{
	for (unsigned i = 0; i < sizeof(array); i += 4096)
		array[i] = (char)i;
	printf("%d\n", array[12345]);
	return 0;
}
