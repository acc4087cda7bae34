// What `make demo` judges: reads n, prints how many primes there are up to n.
#include <iostream>
#include <vector>

int main()
{
	std::size_t n, count = 0;
	if (!(std::cin >> n))
		return 1;
	std::vector<bool> composite(n + 1);
	for (std::size_t i = 2; i <= n; i++) {
		if (composite[i])
			continue;
		count++;
		for (std::size_t j = i * i; j <= n; j += i)
			composite[j] = true;
	}
	std::cout << count << '\n';
}
