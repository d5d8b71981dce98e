/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is mapped at an address of the current process. */
#ifndef TAP_MAPPINGS_H
#define TAP_MAPPINGS_H

#include "images.h"

/* Between tap_mappings_hold and tap_mappings_release the process's mappings do not change. */
struct tap_mappings {
	struct mm_struct *mm;
	bool deferred, shared;		/* see mappings.c */
	/* the last mapping found: */
	unsigned long start, end;
	u64 offset;			/* of its start in the file */
	bool has_file, is_code;
	bool is_narrow_vdso;		/* vdso of a 32-bit program, which has no tables here */
	const struct tap_known *known;	/* NULL: not known, or not yet */
	char name[64];			/* name of an unknown file, without its directory */
};

/* From a handler with REGS, or NULL. Returns false if the mappings cannot be held now; then nothing must be
 * released. */
bool tap_mappings_hold(struct tap_mappings *m, const struct pt_regs *regs);
void tap_mappings_release(struct tap_mappings *m);
/* Finds the mapping that contains ADDRESS; false if it is not mapped. */
bool tap_mappings_find(struct tap_mappings *m, unsigned long address);
/* Whether one mapping contains FIRST, LAST and what is between them. */
bool tap_mappings_share(struct tap_mappings *m, unsigned long first, unsigned long last);
/* The address of the first of the file's mappings, of which one contains ADDRESS; 0: no file is mapped there. */
unsigned long tap_mappings_file_start(struct tap_mappings *m, unsigned long address);

/* Where the process has the data of a Python interpreter (tap_image_head.python_at), and its version; 0: it has none.
 * False if it may have one in a file that is not known yet. */
bool tap_mappings_find_python(struct tap_mappings *m, u64 *runtime, u32 *version);

void tap_mappings_open(void);		/* at load */
void tap_mappings_quiesce(void);	/* no release is pending; before unloading */

#endif
