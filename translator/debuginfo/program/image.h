/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files about programs: the handle of a program, which program.c opens. */
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
	struct program_slots *slots;	/* NULL: not read yet */
	bool unwind_tried;
	struct Elf *elf;		/* of the image's bytes, for UNWIND; NULL: not opened */
	struct Dwarf_CFI_s *unwind;
	bool go_tried;
	uint64_t go_start, go_end;	/* the code of Go; equal: none, or not looked for */
};

/* Make D the handle of the program PATH. */
void program_load(struct debuginfo *d, const char *path);
/* Check that d->program->image is open: FOUND. */
enum debuginfo_answer program_open(struct debuginfo *d, const char **reason);
void program_close(struct debuginfo *d);

#endif
