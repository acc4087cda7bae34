#include "part.h"

const char *part(void)
{
	return "a part";
}
