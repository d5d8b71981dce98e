/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard input for scripts that ask for it: probe input.char, input.line. */
#ifndef TAP_STAGING_INPUT_H
#define TAP_STAGING_INPUT_H

#include <stdbool.h>

/* Where module NAME takes input; -1: it takes none. */
int input_open(const char *proc, const char *name);
/* What standard input has is given to the module, byte by byte. False at its end. Call it when a read
 * does not wait. */
bool input_feed(int fd);

#endif
