/*
 * Text from anywhere, made fit for a report: one line, well-formed UTF-8, and nothing in it that moves a
 * cursor or turns the direction of what follows (Trojan Source, CVE-2021-42574).
 */
#ifndef REPORT_ESCAPE_H
#define REPORT_ESCAPE_H

/* A copy, malloc'ed. A newline becomes \n, and each byte of what may not be shown \xNN: control characters
   (C0, DEL, C1), line and paragraph separators, marks of text direction, and bytes that are no UTF-8. A
   backslash stays as it is, so text that is escaped already stays as it is too. */
char *escape_text(const char *text);

/* A copy, malloc'ed, in which only bytes that are no UTF-8 are escaped: for writers with escapes of their
   own, who keep the rest exactly. */
char *escape_bytes(const char *text);

/* Returns `p`; NULL ends the process with a sentence, exit status 3. A report is small: where it finds no
   memory the host has none, and no caller could do better. */
void *need_memory(void *p) __attribute__((returns_nonnull));

#endif
