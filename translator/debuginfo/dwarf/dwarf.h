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

/* "read_write.c", "fs/read_write.c" and "fs/ *.c" are all "./fs/read_write.c". */
bool dwarf_is_file(const char *pattern, const char *path);
/* The file that DIE is declared in; NULL: it does not tell. */
const char *dwarf_file_of(Dwarf_Die *die);

/* type.c: the type that DIE refers to (void when to none); the type that DIE is. */
const struct debug_type *dwarf_type_of(struct debuginfo *d, Dwarf_Die *die);
const struct debug_type *dwarf_type_handle(struct debuginfo *d, Dwarf_Die *die);

extern const struct debug_type_reader dwarf_reader;
int64_t dwarf_enumerator_value(Dwarf_Die *die);

/* loc.c: where the variable DIE is at PC, in the function FUNCTION (its frame base). */
struct dwarf_context {
	struct debuginfo *d;
	Dwarf_Addr pc;
	bool at_entry;
	Dwarf_Die *function;		/* NULL: a global */
	int depth;			/* of locations that refer to others */
};
struct location dwarf_location(const struct dwarf_context *c, Dwarf_Die *die, const struct debug_type *t);

/* function.c: functions by name, with where they are inlined, their lines and labels. */
struct dwarf_wanted {
	const char *pattern, *file;	/* FILE: a glob, or NULL */
	unsigned kinds;			/* PLACE_...: entries */
	size_t known;			/* places from this one on are to be completed; SIZE_MAX: none */
	bool has_lines, relative, nearest;
	unsigned first, last;
	const char *label;		/* a glob; or NULL */
};
enum debuginfo_answer dwarf_places(struct debuginfo *d, const struct dwarf_wanted *w, debug_places *out,
				   const char **reason);

/* signature.c: false: P is no entry that DWARF told. */
bool dwarf_signature(const struct debug_place *p, debug_variables *out);

/* name.c: what is declared outside of functions, by name. */
enum debuginfo_answer dwarf_type_named(struct debuginfo *d, enum debug_kind kind, const char *name,
				       const struct debug_type **t, const char **reason);
enum debuginfo_answer dwarf_enumerator_named(struct debuginfo *d, const char *name, int64_t *value,
					     const char **reason);
/* In DIE and UNIT. */
enum debuginfo_answer dwarf_global_named(struct debuginfo *d, const char *name, const char *file,
					 Dwarf_Die *die, Dwarf_Die *unit, const char **reason);
/* A declaration of the variable NAME, which something without debug information defines. */
enum debuginfo_answer dwarf_declared_named(struct debuginfo *d, const char *name, Dwarf_Die *die, const char **reason);

#endif
