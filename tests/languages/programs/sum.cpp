#include <iostream>
#pragma GCC optimize("O3")

int main()
{
	std::ios::sync_with_stdio(false);
	std::cin.tie(nullptr);

	long n, x, sum = 0;

	for (std::cin >> n; n > 0 && std::cin >> x; n--)
		std::cout << (sum += x) << '\n';
}
