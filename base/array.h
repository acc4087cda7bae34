/* The length of an array whose size the compiler knows. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
