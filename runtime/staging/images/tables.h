/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects what was read from a file for the format of abi/tap_image.h: rows, names and lines in any order.
 * tables_pack sorts them. */
#ifndef STAGING_TABLES_H
#define STAGING_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/tap_image.h"

struct tables_row {
	u64 at;
	u32 rule;
	u32 frame;			/* rows of one function stay together */
};

struct tables_symbol {
	u64 at, size;
	const char *name;		/* must remain valid until tables_pack */
	u32 rank;			/* of several names of an address, the one with the highest rank is used */
	u32 named;			/* its offset in names after packing */
};

struct tables_line {
	u64 at;
	u32 file;			/* from tables_name */
	u32 line;			/* 0: no line is known from here on */
};

#define TABLES_LIST(type) struct { type *items; size_t count, room; }

struct tables {
	TABLES_LIST(struct tap_unwind_rule) rules;	/* without duplicates */
	TABLES_LIST(u32) rules_found;			/* hash table: index of a rule; 0: free */
	TABLES_LIST(struct tables_row) rows;
	TABLES_LIST(struct tables_symbol) symbols;
	TABLES_LIST(struct tables_line) lines;
	TABLES_LIST(char) names;
	u32 python_at, python_version;			/* of struct tap_image_head */
	u64 work;					/* tables_work */
	u32 frames;
	u32 left_out;			/* functions whose information could not be used */
};

void tables_init(struct tables *t, const char *path);
void tables_free(struct tables *t);

/* Accounts for AMOUNT instructions, entries or bytes of text to be read. A file can send its reader to the same
 * bytes again and again, so the work is limited as well as the size. False: it was too much, and nothing more
 * is read. */
bool tables_work(struct tables *t, u64 amount);

/* The number of the rule, which is added if it is new. */
u32 tables_rule(struct tables *t, const struct tap_unwind_rule *rule);
/* The rows of the next function: first tables_frame, then tables_row for each, in ascending order. The last row
 * has rule 0 and the end of the function. */
void tables_frame(struct tables *t);
void tables_row(struct tables *t, u64 at, u32 rule);
void tables_symbol(struct tables *t, const struct tables_symbol *symbol);
u32 tables_name(struct tables *t, const char *name);
void tables_line(struct tables *t, u64 at, u32 file, u32 line);

typedef int tables_compare(const void *, const void *);

/* Sorts COUNT items of SIZE bytes by the address or other number (u64) with which they begin; COMPARE orders items of
 * one address, and equal ones stay in their order. Frees LIST; the caller frees the result. */
void *tables_ordered(void *list, size_t count, size_t size, tables_compare *compare);

/* Packs everything into one block that begins with a struct tap_image_head, whose request and fd the caller
 * fills in. The caller frees it. */
void *tables_pack(struct tables *t, size_t *size);

#endif
