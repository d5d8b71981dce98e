/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard input for scripts with probes input.char or input.line. */
#ifndef TAP_STAGING_INPUT_H
#define TAP_STAGING_INPUT_H

#include <stdbool.h>

/* Opens the input file of module NAME; -1 if it has none. */
int input_open(const char *proc, const char *name);
/* Passes standard input to the module byte by byte. False at the end of input. Call it when a read does not
 * block. */
bool input_feed(int fd);

#endif
