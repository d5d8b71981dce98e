/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A fast reader of DIEs for walks over whole files. It reads the sections directly and is thread-safe: it
 * returns names, places and references, and skips the rest. libdw can read the rest of a DIE from its offset. */
#ifndef TAPC_DEBUGINFO_DWARF_WALK_H
#define TAPC_DEBUGINFO_DWARF_WALK_H

#include "debuginfo/unpack.h"

struct dwarf_sections {
	struct bytes info, abbrev, str, line, line_str, rnglists, ranges, addr, str_offsets;
};

struct walk_abbrev;

struct walk_unit {
	const struct dwarf_sections *s;
	uint64_t start, end;		/* in .debug_info */
	uint64_t first;			/* its first DIE */
	uint64_t abbrev_offset;
	uint16_t version;
	uint8_t address_size, offset_size, type;

	struct walk_abbrev *abbrevs;	/* by code */
	size_t abbrev_count;
	struct walk_step *steps;
	size_t step_count, step_room;

	/* Attributes of its DIE. */
	uint64_t low, line_offset, addr_base, str_base, rnglists_base;
	bool has_lines;
	bool is_split;			/* the unit is in another file; this is its skeleton (DWARF 4) */
	const char *directory;		/* or NULL */
};

struct walk_die {
	uint64_t offset, next;		/* in .debug_info: of the DIE; of the data after its attributes */
	uint64_t sibling;		/* 0: not given */
	uint64_t origin;		/* the DIE that it is a copy or specification of; 0:
					 * none, or not known here */
	const char *name;
	uint64_t file, line;		/* of the declaration; of an inlined function: of its call */
	uint64_t entry;			/* with has_entry: address of its first instruction; of a call: the one that
					 * it returns to */
	uint32_t tag;			/* 0: the end of a list of children */
	bool has_children, has_entry, is_declaration;
	bool has_place;			/* a location or a constant */
	bool has_origin;		/* also if the origin is not known here */
};

/* Read the header of the unit at START; false: no unit is there, or it is damaged. */
bool walk_unit_at(const struct dwarf_sections *s, uint64_t start, struct walk_unit *u);
/* Read its abbreviations and its DIE; false if they are damaged. Must be closed in both cases. */
bool walk_unit_open(struct walk_unit *u, struct walk_die *die);
void walk_unit_close(struct walk_unit *u);
/* Read the DIE at OFFSET; false: it cannot be read, nor can anything after it. */
bool walk_die_at(const struct walk_unit *u, uint64_t offset, struct walk_die *die);

/* The names of a unit's source files. */
struct walk_files {
	struct walk_file { const char *name; uint64_t directory; } *files;
	const char **directories;
	size_t file_count, directory_count;
	bool counts_from_0;
};
bool walk_files_open(const struct walk_unit *u, struct walk_files *f);
void walk_files_close(struct walk_files *f);
/* The path of file NUMBER, from malloc; NULL: no such file. */
char *walk_files_path(const struct walk_unit *u, const struct walk_files *f, uint64_t number);

#endif
