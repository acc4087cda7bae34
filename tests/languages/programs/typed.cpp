#include <iostream>
#include <iterator>

int main()
{
	std::cout << std::distance(std::istreambuf_iterator<char>(std::cin), {}) << "\n";
}
