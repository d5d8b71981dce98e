/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and lines of code that a program has made, from its dump for perf(1), jit-PID.dump. The format is that of
 * Linux' tools/perf/Documentation/jitdump-specification.txt. */
#ifndef STAGING_JITDUMP_H
#define STAGING_JITDUMP_H

#include "made_names.h"

/* Adds the names of the dump, SIZE bytes, which are changed and must remain valid, and orders them; and, if LINES,
 * adds its lines to T. Records that are malformed are left out; one without a valid size ends the dump. */
void jitdump_read(char *data, size_t size, bool lines, struct made_names *names, struct tables *t);

#endif
