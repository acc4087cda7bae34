/* javac wants a public class in a file of its name. Pure. */
#ifndef LANG_JAVA_NAME_H
#define LANG_JAVA_NAME_H

#include <stddef.h>

/* The name of the public class, interface, enum or record at the top level of a source text, at most `room` - 1
   bytes: 0 and ret_name, or -1: there is none. Comments, strings and text blocks are passed over. */
int java_public_name(const char *text, size_t size, char *ret_name, size_t room);

#endif
