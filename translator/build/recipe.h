/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands by which kbuild made the template, to be run again for each script. */
#ifndef TAPC_RECIPE_H
#define TAPC_RECIPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

/* A program and its options; inputs and output are left out. n is 0 when there is no such step. */
struct step {
	const char **items;
	size_t n, room;
};

struct recipe {
	const char *dir;		/* where the commands run; "" for the template's directory */
	struct step environment;	/* NAME=VALUE to be added */
	struct step compile;		/* ... -c -o OUTPUT script.c */
	struct step check;		/* objtool ... OBJECT, which it rewrites */
	bool check_linked;		/* it takes the linked module, not each object (IBT, LTO) */
	struct step link;		/* ld -r ... -o OUTPUT objects */
	struct step final;		/* ld -r -T module.lds ... -o OUTPUT objects */
};

/* Read what kbuild left in the directory BUILD: .script.o.cmd, .NAME.o.cmd, .NAME.ko.cmd, and LOG
 * for what is not recorded there. False when there is a step that is not understood: scripts are
 * then built by kbuild itself. */
bool recipe_record(struct recipe *r, struct arena *a, const char *build, const char *name, const char *log);

/* As text, and back. */
char *recipe_write(const struct recipe *r, struct arena *a);
bool recipe_read(struct recipe *r, struct arena *a, const char *text);

#endif
