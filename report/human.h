/* The line that a person reads after `judge run`. */
#ifndef REPORT_HUMAN_H
#define REPORT_HUMAN_H

#include "report/result.h"

/*
 * One line without its newline, malloc'ed, fit for a terminal:
 *
 *     OK   0.012 s CPU, 0.015 s wall, 1.9 MiB
 *     TLE  CPU time limit exceeded (limit 2 s): 2.001 s CPU, 2.003 s wall, 1.9 MiB [cgroup v1]
 *     OK   0.012 s CPU, 0.015 s wall, 1.9 MiB [no cgroup: memory by polling, processes by rlimit]
 *
 * In brackets stands what was less than a v2 cgroup; the outcome's notice is for the meta file. Figures that
 * were not measured are left out.
 */
char *human_line(const struct result *r);

#endif
