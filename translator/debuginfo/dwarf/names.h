/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contents of a file of debug information: functions with all their copies, types, globals and
 * enumerators by name. Built once per build, in parallel, and cached; searched in place. */
#ifndef TAPC_DEBUGINFO_DWARF_NAMES_H
#define TAPC_DEBUGINFO_DWARF_NAMES_H

#include "walk.h"
#include "debuginfo/kept.h"

struct debuginfo;

/* Functions with the same name, file and line, which may be in many units. */
struct names_function {
	uint32_t name, file;		/* names_text(); file 0: not known */
	uint32_t line;
	uint32_t first_copy, copy_count;
};

/* One copy of a function: out-of-line, or inlined into another function. */
struct names_copy {
	uint64_t address;		/* of its entry, in the file */
	uint64_t die;			/* dwarf_id() */
	uint32_t function;
	uint32_t outer;			/* 1 + the function that it is inlined into; 0: it is out-of-line */
};

enum names_kind { NAMES_STRUCT, NAMES_UNION, NAMES_ENUM, NAMES_TYPEDEF, NAMES_GLOBAL, NAMES_ENUMERATOR,
		  NAMES_DECLARED };	/* variables that are defined elsewhere */

struct names_thing {
	uint64_t die;			/* dwarf_id(); for an enumerator, that of its enum */
	uint32_t name, file;
	uint32_t kind, unused;
};

struct dwarf_names {
	bool is_damaged;				/* a part of the file could not be read */
	const struct names_header *header;
	const struct names_function *functions;		/* sorted by name, file, line */
	const struct names_copy *copies;		/* in the order of functions */
	const uint32_t *by_address;			/* indexes of the out-of-line copies */
	const struct names_thing *things;		/* sorted by kind, name */
	const char *texts;
	size_t function_count, copy_count, out_of_line_count, thing_count;
	struct kept_file file;				/* the file that contains it; otherwise
							 * DATA is from malloc */
	void *data;
	size_t size;
};

/* The names of the whole file that D has open; NULL: the file is too large for 32-bit numbers, or damaged. */
const struct dwarf_names *dwarf_names_all(struct debuginfo *d);
/* The names of the units that contain these addresses; fast. The caller frees the result. */
struct dwarf_names *dwarf_names_at(struct debuginfo *d, const uint64_t *addresses, size_t n);
void dwarf_names_free(struct dwarf_names *x);
/* Frees the result of dwarf_names_all(). Call it before dwarf_close(). */
void dwarf_names_close(struct debuginfo *d);

static inline const char *names_text(const struct dwarf_names *x, uint32_t text)
{
	return text ? x->texts + text : NULL;
}

/* The range of functions that may match PATTERN, by the characters before the first wildcard: from
 * *FROM to before *TO. */
void names_range(const struct dwarf_names *x, const char *pattern, size_t *from, size_t *to);
/* The out-of-line function that begins at ADDRESS, or the last one that begins before it; NULL: none does. */
const struct names_copy *names_at(const struct dwarf_names *x, uint64_t address);
/* The first thing of KIND with NAME; N: how many there are. */
const struct names_thing *names_find(const struct dwarf_names *x, enum names_kind kind, const char *name,
				     size_t *n);

#endif
