/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files about DWARF: an open file of debug information. */
#ifndef TAPC_DEBUGINFO_DWARF_H
#define TAPC_DEBUGINFO_DWARF_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>

#include "debuginfo/chain.h"

struct dwarf_file {
	struct arena *arena;
	const char *path;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Dwarf *dw;
	Elf *elf;
	bool is_relocatable;		/* a module: places are relative to sections */
	uint64_t anchor;		/* address of TAP_ANCHOR; 0: not in the file, and offsets are addresses */
	Dwarf *shared;			/* the shared file that dwz made; NULL: none */
	int shared_fd;
	VEC(Dwarf *) others;		/* other files in which DIEs were found: shared by dwz, split */
	bool names_asked;		/* names.c */
	struct dwarf_names *names;
	/* A cache, because members are queried one after the other. */
	struct {
		uint64_t of;
		size_t i;
		Dwarf_Die die;
	} cursor;
};

/* Open d->dwarf; it is valid after FOUND. */
enum debuginfo_answer dwarf_open(struct debuginfo *d, const char **reason);
/* The same for PATH, which may be any program. */
enum debuginfo_answer dwarf_open_file(struct debuginfo *d, const char *path, const char **reason);
void dwarf_close(struct debuginfo *d);

/* The contents of a section, relocated and decompressed; NULL: no such section. */
Elf_Data *dwarf_section_data(Elf *elf, const char *name);

struct dwarf_sections;
void dwarf_read_sections(struct debuginfo *d, struct dwarf_sections *s);

/* Convert between places and addresses in the file. */
bool dwarf_address(struct dwarf_file *f, const char *section, int64_t offset, Dwarf_Addr *address);
bool dwarf_offset(struct dwarf_file *f, Dwarf_Addr address, const char **section, int64_t *offset);

/* A DIE as a number of less than 56 bits: its offset if it is in the file itself. */
uint64_t dwarf_id(struct dwarf_file *f, Dwarf_Die *die);
bool dwarf_die(struct dwarf_file *f, uint64_t id, Dwarf_Die *die);

/* If UNIT is a skeleton, replace it by the unit in the .dwo file. */
void dwarf_whole_unit(Dwarf_Die *unit);
/* Does the file have more than .debug_info: types in a separate section, a shared file? */
bool dwarf_has_more(struct dwarf_file *f);
/* The address of the first instruction of a function or label; false: it has no code. */
bool dwarf_entry_of(Dwarf_Die *die, Dwarf_Addr *entry);
/* The unit that has code at ADDRESS. */
bool dwarf_unit_at(struct dwarf_file *f, Dwarf_Addr address, Dwarf_Die *unit);

/* The file in which DIE is declared; NULL: not known. */
const char *dwarf_file_of(Dwarf_Die *die);

#endif
