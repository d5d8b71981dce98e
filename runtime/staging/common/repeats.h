/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets equal warnings of a script be shown only once. The simulator uses this, too. */
#ifndef STAGING_REPEATS_H
#define STAGING_REPEATS_H

#include <stdbool.h>
#include <stddef.h>

/* Was this text, ignoring a newline at its end, passed before? The answer is false for texts after the first
 * 1,000 different ones, and for very long texts, as these are not kept. */
bool repeats(const char *text, size_t size);

#endif
