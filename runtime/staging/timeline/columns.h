/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows that are not in the file yet, by column, and where groups of earlier ones are: for a format whose file has
 * them so. */
#ifndef TIMELINE_COLUMNS_H
#define TIMELINE_COLUMNS_H

#include <stdbool.h>

#include "bytes.h"

struct column {
	const char *name;
	bool is_text;
	struct bytes values;	/* 8 bytes each, or 4 bytes of size and a text; little-endian */
};

struct column_group {
	uint64_t end;		/* in the file */
	uint64_t rows;		/* in the file so far */
	size_t described;	/* bytes of all descriptions so far */
};

struct columns {
	struct column *all;
	uint32_t count, rows;
	size_t start;		/* bytes of the file before the first group */
	struct column_group *groups;
	uint32_t group_count, group_room;
	struct bytes described;	/* of the groups, as the format has it at the end of the file */
	struct bytes page;	/* for the format */
	bool stopped;		/* the file takes no more: later rows are only counted */
	uint64_t left_out;
	bool saved;		/* the file has all rows */
	uint64_t saved_at;	/* ns of CLOCK_MONOTONIC */
};

void columns_open(struct columns *c, uint32_t count);
void columns_free(struct columns *c);
void columns_add_number(struct columns *c, uint32_t column, uint64_t value);
/* Bytes of the first ROWS values of a column. */
size_t columns_size(const struct column *column, uint32_t rows);
size_t columns_total(const struct columns *c);	/* of all values */
/* Removes all rows. */
void columns_empty(struct columns *c);
/* The rows so far are a group that ends at END, with its description at the end of c->described. */
void columns_add_group(struct columns *c, uint64_t end);
void columns_drop_group(struct columns *c);
/* The newest group; before the first one it ends at START. */
struct column_group columns_last(const struct columns *c, uint64_t start);

#endif
