/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries of an image's symbols. */
#ifndef TAPC_DEBUGINFO_SYMBOLS_SYMBOLS_H
#define TAPC_DEBUGINFO_SYMBOLS_SYMBOLS_H

#include "debuginfo/debuginfo.h"
#include "symbol.h"

/* Append the functions, or data, that match PATTERN (a name or a glob) to FOUND, sorted by name,
 * then address, including those with an obstacle. Several static symbols may have the same name,
 * and several names the same address. */
enum debuginfo_answer debuginfo_functions(struct debuginfo *d, const char *pattern,
					  struct symbols *found);
enum debuginfo_answer debuginfo_data(struct debuginfo *d, const char *pattern, struct symbols *found);
/* The function that contains a place: an offset from the anchor, or in a module's SECTION. */
enum debuginfo_answer debuginfo_symbol_at(struct debuginfo *d, const char *section, int64_t offset,
					  struct symbol *found);
/* A function with a name similar to NAME, for "did you mean"; NULL: none is similar. */
const char *debuginfo_suggest(struct debuginfo *d, const char *name);

/* Properties of the symbol table. False in a member: not known, rather than no. */
struct debuginfo_facts {
	const char *source;		/* "/boot/vmlinuz-6.1.0-56-amd64": the file that symbols are from */
	const char *lacks;		/* what the source does not have: "which functions ...";
					 * NULL: it has everything */
	bool ftrace_sites;		/* SYMBOL_FTRACE is valid */
	bool blacklist;			/* OBSTACLE_LISTED is valid */
	const uint8_t *build_id;
	uint32_t build_id_size;		/* 0: not known */
	/* Kernel: the place of its notes, to compare the build-id at load. Size 0: not known. */
	int64_t notes_offset;		/* from TAP_ANCHOR */
	uint64_t notes_size;
};
enum debuginfo_answer debuginfo_facts(struct debuginfo *d, struct debuginfo_facts *facts);

/* For back ends: the only variable NAME in the symbol table of D, or else of the kernel. */
enum debuginfo_answer debuginfo_datum(struct debuginfo *d, const char *name, struct symbol *s, const char **reason);

#endif
