/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script's warnings, of which equal ones are shown once. The simulator uses this, too. */
#ifndef STAGING_REPEATS_H
#define STAGING_REPEATS_H

#include <stdbool.h>
#include <stddef.h>

/* Was this text, but for a newline at its end, given before? Of more than 1,000 different texts, and of very long
 * ones, that is not known, and the answer is false. */
bool repeats(const char *text, size_t size);

#endif
