#include "part.h"
#include <iostream>

int main()
{
	std::cout << "42 of " << part() << "\n";
}
