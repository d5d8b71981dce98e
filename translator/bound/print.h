/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints what a script can cost. */
#ifndef TAPC_BOUND_PRINT_H
#define TAPC_BOUND_PRINT_H

#include "bound.h"

/* Print a table, or JSON. */
void bound_print(const struct bound *b, bool json);

#endif
