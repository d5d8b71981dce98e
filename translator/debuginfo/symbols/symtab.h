/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols of an image as a source lists them, before they are indexed.
 *
 * A source (kallsyms in an image, /proc/kallsyms, an ELF symbol table, System.map) only adds names,
 * addresses and nm's letters; the meaning of symbols is determined here, once for all sources. */
#ifndef TAPC_DEBUGINFO_SYMTAB_H
#define TAPC_DEBUGINFO_SYMTAB_H

#include "debuginfo/debuginfo.h"
#include "image.h"
#include "symbol.h"

struct arch;

enum { SYMBOL_SECTIONS = 255, SYMBOL_NAME_LONGEST = 4096 };

/* A module has no addresses yet, so a place in it is an offset in a section. */
#define SECTION_PLACE(section, offset) ((uint64_t)((section) + 1) << 40 | (offset))
#define PLACE_SECTION(place) ((unsigned)((place) >> 40))	/* 1 + index into sections */
#define PLACE_OFFSET(place) ((place) & (((uint64_t)1 << 40) - 1))

struct raw_symbol {
	uint64_t address;		/* module: SECTION_PLACE */
	uint64_t size;			/* 0: up to the next symbol */
	uint32_t name;			/* offset in names */
	uint16_t flags;			/* SYMBOL_... */
	uint8_t obstacle;
	uint8_t site;
	char letter;
};

struct symbol_list {
	struct arena *arena;		/* for the list itself */
	VEC(struct raw_symbol) symbols;
	VEC(char) names;		/* NUL-terminated strings, one after the other */
	const char *sections[SYMBOL_SECTIONS];
	size_t section_count;		/* 0: the kernel */

	const char *source, *lacks;
	bool ftrace_sites, blacklist;
	bool only_names;		/* ftrace_sites come from names, which are not unique */
	uint64_t anchor;		/* address of TAP_ANCHOR; kernel only */
	uint64_t notes_address, notes_size;
	uint8_t build_id[64];
	size_t build_id_size;
};

void symbol_list_init(struct symbol_list *l, struct arena *a);
struct raw_symbol *symbol_list_add(struct symbol_list *l, const char *name, size_t length,
				   uint64_t address, char letter);
static inline const char *raw_symbol_name(const struct symbol_list *l, const struct raw_symbol *s)
{
	return l->names.items + s->name;
}
/* The first symbol NAME, or NULL; a linear search. */
const struct raw_symbol *symbol_list_find(const struct symbol_list *l, const char *name);
void symbol_list_build_id(struct symbol_list *l, const uint8_t *id, size_t size);

/* Sort the kernel's symbols by address, set their flags, sizes and the obstacles that their addresses imply, and
 * find the anchor and the notes. ABSENT: a kernel without kprobes; BROKEN: these cannot be a kernel's symbols. */
enum debuginfo_answer symtab_classify(struct symbol_list *l, const char **reason);
/* The same for a module, whose sources have set flags and obstacles: sort the symbols, set sizes and padding. */
void symtab_classify_module(struct symbol_list *l);
/* After symtab_classify: mark the functions at the N ftrace sites. */
void symtab_mark_sites(struct symbol_list *l, const uint64_t *sites, size_t n,
		       const struct arch *arch);
/* After symtab_classify: forbid probes in [start, end). */
void symtab_mark_listed(struct symbol_list *l, uint64_t start, uint64_t end);
/* The symbol in the sorted list at ADDRESS, or the last one before it; NULL: all symbols are after it. */
struct raw_symbol *symtab_at(const struct symbol_list *l, uint64_t address);

#endif
