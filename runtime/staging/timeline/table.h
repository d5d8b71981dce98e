/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of tables: the formats that @row() prints, "reads pid=%d name=%s\n", and their values. */
#ifndef TIMELINE_TABLE_H
#define TIMELINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "forms.h"

struct table_column {
	const char *name;
	bool is_text;
};

struct table {
	const char *name;
	char *text;			/* that of the names */
	unsigned count;
	struct table_column columns[];
};

struct table_value {
	struct timeline_text text;	/* of a column that is text; points into the row */
	int64_t number;
};

/* The table of a format; NULL: it is not that of a row. */
struct table *table_of(const char *format);
void table_free(struct table *t);
/* Gets a row's values, one for each column; false if BODY is malformed. */
bool table_read(const struct table *t, const uint8_t *body, size_t size, struct table_value *values);
/* Adds BEFORE and TEXT, with U+FFFD for what is not UTF-8, or a NUL. QUOTE, unless it is 0, is doubled in it, and
 * follows. */
void table_add_text(struct bytes *to, const char *before, struct timeline_text text, char quote);

#endif
