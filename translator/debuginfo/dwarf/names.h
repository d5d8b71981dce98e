/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is where in a file of debug information: functions with all their copies, types, globals and
 * enumerators by name. Made once for a build, by all CPUs, and kept; searched in place. */
#ifndef TAPC_DEBUGINFO_DWARF_NAMES_H
#define TAPC_DEBUGINFO_DWARF_NAMES_H

#include "walk.h"
#include "debuginfo/kept.h"

struct debuginfo;

/* Functions of one name, file and line, which may be in many units. */
struct names_function {
	uint32_t name, file;		/* names_text(); file 0: not known */
	uint32_t line;
	uint32_t first_copy, copy_count;
};

/* Where one is: out-of-line, or inlined in another one. */
struct names_copy {
	uint64_t address;		/* of its entry, in the file */
	uint64_t die;			/* dwarf_id() */
	uint32_t function;
	uint32_t outer;			/* the function that it is inlined in, + 1; 0: it is out-of-line */
};

enum names_kind { NAMES_STRUCT, NAMES_UNION, NAMES_ENUM, NAMES_TYPEDEF, NAMES_GLOBAL, NAMES_ENUMERATOR,
		  NAMES_DECLARED };	/* variables that something else defines */

struct names_thing {
	uint64_t die;			/* dwarf_id(); of an enumerator: of its enum */
	uint32_t name, file;
	uint32_t kind, unused;
};

struct dwarf_names {
	bool is_damaged;				/* a part of the file could not be read */
	const struct names_header *header;
	const struct names_function *functions;		/* sorted by name, file, line */
	const struct names_copy *copies;		/* in the order of functions */
	const uint32_t *by_address;			/* numbers of those that are out-of-line */
	const struct names_thing *things;		/* sorted by kind, name */
	const char *texts;
	size_t function_count, copy_count, out_of_line_count, thing_count;
	struct kept_file file;				/* what it is in; else DATA is from malloc */
	void *data;
	size_t size;
};

/* Of the whole file that D has open; NULL: it is too large for 32-bit numbers, or damaged. */
const struct dwarf_names *dwarf_names_all(struct debuginfo *d);
/* Of the units that have these addresses, in little time. To be freed by the caller. */
struct dwarf_names *dwarf_names_at(struct debuginfo *d, const uint64_t *addresses, size_t n);
void dwarf_names_free(struct dwarf_names *x);
/* Frees what dwarf_names_all() returned. Before dwarf_close(). */
void dwarf_names_close(struct debuginfo *d);

static inline const char *names_text(const struct dwarf_names *x, uint32_t text)
{
	return text ? x->texts + text : NULL;
}

size_t names_texts_size(const struct dwarf_names *x);

/* The functions that may match PATTERN, by its letters before the first wildcard: from *FROM to before *TO. */
void names_range(const struct dwarf_names *x, const char *pattern, size_t *from, size_t *to);
/* The out-of-line function that begins at ADDRESS, or is the last to begin before it; NULL: there is none. */
const struct names_copy *names_at(const struct dwarf_names *x, uint64_t address);
/* The first of KIND with NAME, and how many there are. */
const struct names_thing *names_find(const struct dwarf_names *x, enum names_kind kind, const char *name,
				     size_t *n);

/* names_layout.c: what the piece of memory begins with. */
struct names_header {
	uint64_t identity, size, is_damaged;
	uint32_t function_count, copy_count, out_of_line_count, thing_count;
	uint64_t texts_size;
};
/* Bytes up to the texts. */
size_t names_parts_size(const struct names_header *h);
/* What a file with the same build-id could still differ in. */
uint64_t names_identity(struct debuginfo *d);
/* Point X's members into x->data; false when it is not the names of a file of IDENTITY. */
bool names_set(struct dwarf_names *x, uint64_t identity);

/* collect.c: make X from the units that begin between FROM and TO. */
struct names_part {
	uint64_t from, to;
};
bool names_collect(struct debuginfo *d, const struct names_part *parts, size_t n, struct dwarf_names *x);

#endif
