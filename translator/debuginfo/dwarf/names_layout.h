/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of a file as one block of memory. */
#ifndef TAPC_DEBUGINFO_DWARF_NAMES_LAYOUT_H
#define TAPC_DEBUGINFO_DWARF_NAMES_LAYOUT_H

#include "names.h"

/* The start of the block of memory. */
struct names_header {
	uint64_t identity, size, is_damaged;
	uint32_t function_count, copy_count, out_of_line_count, thing_count;
	uint64_t texts_size;
};
/* Size in bytes of all parts before the strings. */
size_t names_parts_size(const struct names_header *h);
size_t names_texts_size(const struct dwarf_names *x);
/* Hash of properties in which a file with the same build-id may still differ. */
uint64_t names_identity(struct debuginfo *d);
/* Point X's members into x->data; false if it does not contain the names of a file with IDENTITY. */
bool names_set(struct dwarf_names *x, uint64_t identity);

#endif
