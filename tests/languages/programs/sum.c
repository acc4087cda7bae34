#include <stdio.h>

int main(void)
{
	long n, x, sum = 0;

	scanf("%ld", &n);
	while (n-- > 0 && scanf("%ld", &x) == 1)
		printf("%ld\n", sum += x);
}
