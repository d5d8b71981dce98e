/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file of the rows of one table, in groups, each with its values by column; its end, with which readers begin, says
 * where the groups are. So an end is written after each group, and every second with the rows that are no group yet;
 * the next group is written over it. A format has TIMELINE_GROUPS, and the functions `start`, `group` and `finish`. */
#ifndef TIMELINE_GROUPS_H
#define TIMELINE_GROUPS_H

#include "format.h"

void groups_head(struct timeline *t);
void groups_row(struct timeline *t, const struct table *table, int64_t time, uint32_t cpu,
		const struct table_value *values);
uint64_t groups_save(struct timeline *t);
void groups_tail(struct timeline *t);
uint64_t groups_shorten(struct timeline *t, uint64_t size, const char *why);

#define TIMELINE_GROUPS \
	.most_tables = 1, .head = groups_head, .row = groups_row, .save = groups_save, .tail = groups_tail, \
	.shorten = groups_shorten

#endif
