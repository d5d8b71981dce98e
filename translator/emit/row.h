/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the rows that families describe as data. */
#ifndef TAPC_EMIT_ROW_H
#define TAPC_EMIT_ROW_H

#include "points/row.h"
#include "base/text.h"
#include "base/vec.h"

/* Zeroed, except for DECLARATIONS. */
struct row_writer {
	struct text declarations;	/* the tables that rows point to */
	size_t tables;
	VEC(struct written_row { const void *data; const char *name; }) shared;
};

/* Writes DATA, a struct with LAYOUT, as "{ .period = 100ull }" to OUT. */
void row_write(struct row_writer *w, const struct row_layout *layout, const void *data, struct text *out);

#endif
