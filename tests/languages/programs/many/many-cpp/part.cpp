#include "part.h"

const char *part()
{
	return "a part";
}
