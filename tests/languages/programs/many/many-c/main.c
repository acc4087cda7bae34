#include "part.h"
#include <stdio.h>

int main(void)
{
	printf("42 of %s\n", part());
}
