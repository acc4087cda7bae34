/*
 * What went wrong, said where the cause is known and printed only by cli/.
 *
 * A function below cli/ that can fail takes `struct err *` last, returns 0 or -1, and
 * fills the error at the cause: what was attempted, on what, the errno, and, where a
 * person can cure it, how.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

enum err_kind {
	ERR_NONE = 0,
	ERR_USAGE,	/* what the caller asked for cannot be understood: exit status 2 */
	ERR_INTERNAL,	/* the box could not be made or watched: verdict IE, exit status 3 */
};

struct err {
	enum err_kind kind;
	int number;		/* errno of the cause, 0 where there is none */
	char text[640];		/* one line, no newline: what, on what, strerror(number) */
	char cure[640];		/* one line: what a person can do about it; "" where nothing */
};

/* Fills `e` (may be NULL) as ERR_INTERNAL: the formatted text, then ": " and strerror(number)
   unless number is 0. Control characters are escaped as \xNN. An error already there is
   replaced. Returns -1, so that `return fail(e, errno, "cannot open %s", path);` reads well. */
int fail(struct err *e, int number, const char *format, ...)
	__attribute__((format(printf, 3, 4), cold));

/* The same as ERR_USAGE, with no errno. Returns -1. */
int fail_usage(struct err *e, const char *format, ...)
	__attribute__((format(printf, 2, 3), cold));

/* Adds the cure to an error that is already filled. Returns -1. All three keep errno. */
int fail_cure(struct err *e, const char *format, ...)
	__attribute__((format(printf, 2, 3), cold));

#endif
