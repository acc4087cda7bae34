/* The smallest program with a library: is built dynamic, with a loader that is missing, and inside the box. */
#include <stdio.h>

int main(void)
{
	puts("hello");
	return 0;
}
