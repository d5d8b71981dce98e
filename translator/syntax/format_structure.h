/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the pieces of a script may be laid out. */
#ifndef TAPC_FORMAT_STRUCTURE_H
#define TAPC_FORMAT_STRUCTURE_H

#include "format_pieces.h"

/* Sets the second half of the members of all PIECES. */
void pieces_arrange(struct arena *a, piece_list *pieces);

#endif
