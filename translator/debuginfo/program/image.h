/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files about programs share. */
#ifndef TAPC_DEBUGINFO_PROGRAM_IMAGE_H
#define TAPC_DEBUGINFO_PROGRAM_IMAGE_H

#include "debuginfo/handle.h"
#include "debuginfo/symbols/image.h"
#include "program.h"

struct program {
	bool looked_for_debug;
	enum debuginfo_answer answer;
	const char *reason;
	struct image image;
	const char *debug_path, *debug_reason;
	struct program_slots *slots;	/* NULL: not yet read */
	bool unwind_tried;
	struct Elf *elf;		/* of the image's bytes, for UNWIND; NULL: none */
	struct Dwarf_CFI_s *unwind;
};

/* program.c: makes D the handle of the program PATH. */
void program_load(struct debuginfo *d, const char *path);
/* d->program->image, once this was answered with FOUND. */
enum debuginfo_answer program_open(struct debuginfo *d, const char **reason);
void program_close(struct debuginfo *d);
/* symbols.c */
enum debuginfo_answer program_symbols(struct debuginfo *d, struct index *x, const char **reason);
/* debug_file.c: the file that has its DWARF; NULL in PATH: the program itself. */
enum debuginfo_answer program_debug_path(struct debuginfo *d, const char **path, const char **reason);

/* Where debug files by build-id are. */
const char *debug_by_build_id(struct debuginfo *d, const uint8_t *id, size_t n);
/* debuginfod.c: from a server; NULL and what happened added to *REASON. */
const char *debuginfod_path(struct debuginfo *d, const uint8_t *id, size_t n, const char **reason);

/* entry.c: closes what was opened for program_is_called(). Before program_close(). */
void program_entry_close(struct debuginfo *d);

/* plt.c: the function whose address a relocation writes to ADDRESS; NULL: none. */
const char *program_slot(struct debuginfo *d, uint64_t address);
/* What code of i386 counts from; 0: the program has none. */
uint64_t program_offset_table(struct debuginfo *d);

/* choice.c: what the function CHOOSER may return, added to FOUND; the number of them. OUTSIDE: it also
 * may be a function of the vDSO, which is no file. */
size_t program_choices(struct debuginfo *d, const struct symbol *chooser, struct symbols *found, bool *outside);

/* name.c: functions whose demangled name matches PATTERN, whole or without parameters. */
size_t program_match(struct debuginfo *d, const char *pattern, uint32_t flags, struct symbols *found);

#endif
