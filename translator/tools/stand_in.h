/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stand-ins for the arguments of a script: see stand_in.c. */
#ifndef TAPC_TOOLS_STAND_IN_H
#define TAPC_TOOLS_STAND_IN_H

#include <stdbool.h>

#include "syntax/format_pieces.h"

struct options;

/* Sets the script's arguments in O for the text of PIECES. */
void stand_ins_set(struct options *o, struct arena *a, const piece_list *pieces);
/* Is there an argument ($1 @1 $# @#) in the text before END? */
bool stand_in_is_named(const char *text, const char *end);

#endif
