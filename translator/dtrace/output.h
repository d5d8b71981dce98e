/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tapc-dtrace makes of markers: C text. */
#ifndef TAPC_DTRACE_OUTPUT_H
#define TAPC_DTRACE_OUTPUT_H

#include "base/text.h"
#include "provider.h"

/* Macros for each marker, with all that they need: a program that includes this needs no other header. NAME is the
 * .d file's, for the first comment. */
void output_header(struct text *out, const char *name, const struct markers *markers);
/* The source of the semaphores. */
void output_semaphores(struct text *out, const char *name, const struct markers *markers);

#endif
