/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files about DWARF share: an open file of debug information. */
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
	bool is_relocatable;		/* a module: places count from sections */
	uint64_t anchor;		/* address of TAP_ANCHOR; 0: it has none, and offsets are addresses */
	Dwarf *shared;			/* what dwz took out of it; NULL: nothing */
	int shared_fd;
	VEC(Dwarf *) others;		/* that DIEs were met in: shared by dwz, split */
	bool names_asked;		/* names.c */
	struct dwarf_names *names;
	/* Members are asked for one after the other. */
	struct {
		uint64_t of;
		size_t i;
		Dwarf_Die die;
	} cursor;
};

/* d->dwarf, once this was answered with FOUND. */
enum debuginfo_answer dwarf_open(struct debuginfo *d, const char **reason);
/* The same from PATH, which may be of any program. */
enum debuginfo_answer dwarf_open_file(struct debuginfo *d, const char *path, const char **reason);
void dwarf_close(struct debuginfo *d);

/* The content of a section, relocated and unpacked; NULL: there is none. */
Elf_Data *dwarf_section_data(Elf *elf, const char *name);

struct dwarf_sections;
void dwarf_read_sections(struct debuginfo *d, struct dwarf_sections *s);

/* Between places and addresses in the file. */
bool dwarf_address(struct dwarf_file *f, const char *section, int64_t offset, Dwarf_Addr *address);
bool dwarf_offset(struct dwarf_file *f, Dwarf_Addr address, const char **section, int64_t *offset);

/* A DIE as a number of less than 56 bits: of the file itself its offset. */
uint64_t dwarf_id(struct dwarf_file *f, Dwarf_Die *die);
bool dwarf_die(struct dwarf_file *f, uint64_t id, Dwarf_Die *die);

/* UNIT is what the file has in place of one that is in another file (.dwo): that one. */
void dwarf_whole_unit(Dwarf_Die *unit);
/* Has it more than .debug_info: types in a section of their own, a file that is shared? */
bool dwarf_has_more(struct dwarf_file *f);
/* The address of a function's, or label's, first instruction; false: it has no code. */
bool dwarf_entry_of(Dwarf_Die *die, Dwarf_Addr *entry);
/* The unit that has code at ADDRESS. */
bool dwarf_unit_at(struct dwarf_file *f, Dwarf_Addr address, Dwarf_Die *unit);

/* The file that DIE is declared in; NULL: it does not tell. */
const char *dwarf_file_of(Dwarf_Die *die);

#endif
