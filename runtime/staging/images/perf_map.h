/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that a program gives to code it has made: /tmp/perf-PID.map. Just-in-time compilers write it for perf(1): a
 * line "START SIZE NAME" for each function, both numbers in hexadecimal. */
#ifndef STAGING_PERF_MAP_H
#define STAGING_PERF_MAP_H

#include "made_names.h"

/* Adds the names of the TEXT, LENGTH bytes and a NUL, which is changed and must remain valid, and orders them. Lines
 * that are malformed are left out. */
void perf_map_read(char *text, size_t length, struct made_names *names);

#endif
