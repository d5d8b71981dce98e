/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols of one image in a single block of memory: searched in place, kept as a file between runs.
 *
 *	header | rows sorted by name, address | the rows' numbers sorted by section, address | names
 *
 * The format is not portable between machines. */
#ifndef TAPC_DEBUGINFO_INDEX_H
#define TAPC_DEBUGINFO_INDEX_H

#include "debuginfo/debuginfo.h"
#include "debuginfo/kept.h"
#include "symtab.h"
#include "symbol.h"

struct debuginfo_facts;
struct index_header;
struct index_row;

struct index {
	const struct index_header *header;	/* NULL: not built or opened */
	const struct index_row *rows;
	const uint32_t *by_address;
	const char *names;
	const char *module;			/* for results; NULL: the kernel */
	struct kept_file file;			/* the file that contains data; otherwise data is from malloc */
	void *data;
	size_t size;
};

void index_build(struct index *x, const struct symbol_list *l);
bool index_open(struct index *x, const char *path);
/* Written under a temporary name first; false and errno on failure. */
bool index_save(const struct index *x, const char *path);
void index_close(struct index *x);

void index_facts(const struct index *x, struct debuginfo_facts *facts);

/* Append symbols that match PATTERN and have all of FLAGS; returns their number. */
size_t index_match(const struct index *x, struct arena *a, const char *pattern, uint32_t flags,
		   struct symbols *found);
bool index_at(const struct index *x, const char *section, int64_t offset, struct symbol *found);
const char *index_suggest(const struct index *x, const char *name);

#endif
