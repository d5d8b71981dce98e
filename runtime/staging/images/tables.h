/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is found out of a file on the way to what abi/tap_image.h says: rows, names, lines, in any order;
 * tables_pack puts them in order. */
#ifndef STAGING_TABLES_H
#define STAGING_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/tap_image.h"

struct tables_row {
	u64 at;
	u32 rule;
	u32 frame;			/* rows of one function's stay together */
};

struct tables_symbol {
	u64 at, size;
	const char *name;		/* stays until it is packed */
	u32 rank;			/* of two names of a place the one with the higher rank is told */
	u32 named;			/* its place in names, when it is packed */
};

struct tables_line {
	u64 at;
	u32 file;			/* tables_name */
	u32 line;			/* 0: nothing is known from here on */
};

#define TABLES_LIST(type) struct { type *items; size_t count, room; }

struct tables {
	TABLES_LIST(struct tap_unwind_rule) rules;	/* each is there once */
	TABLES_LIST(u32) rules_found;			/* hash table: number of a rule; 0: free */
	TABLES_LIST(struct tables_row) rows;
	TABLES_LIST(struct tables_symbol) symbols;
	TABLES_LIST(struct tables_line) lines;
	TABLES_LIST(char) names;
	u64 work;					/* tables_work */
	u32 frames;
	u32 left_out;			/* functions whose information could not be used */
};

void tables_init(struct tables *t, const char *path);
void tables_free(struct tables *t);

/* So many instructions, entries or bytes of text more are to be looked at. A file can send its reader to the same
 * ones again and again, so what it costs to read is counted, and not only how large it is. False: it was too much,
 * and no more is read. */
bool tables_work(struct tables *t, u64 amount);

/* The number of a rule like this one. */
u32 tables_rule(struct tables *t, const struct tap_unwind_rule *rule);
/* The next function's rows: at first tables_frame, then for each a tables_row, in order of places; the
 * last with rule 0 where the function ends. */
void tables_frame(struct tables *t);
void tables_row(struct tables *t, u64 at, u32 rule);
void tables_symbol(struct tables *t, const struct tables_symbol *symbol);
u32 tables_name(struct tables *t, const char *name);
void tables_line(struct tables *t, u64 at, u32 file, u32 line);

/* All of it as one piece of memory that begins with a struct tap_image_head, whose request and fd are to be
 * filled in. To be freed. */
void *tables_pack(struct tables *t, size_t *size);

#endif
