/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands that kbuild ran to make the template, to be run again for each script. */
#ifndef TAPC_RECIPE_H
#define TAPC_RECIPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

/* A program and its options, without inputs and output. n is 0 if there is no such step. */
struct step {
	const char **items;
	size_t n, room;
};

struct recipe {
	const char *dir;		/* working directory of the commands; "" for the template's directory */
	struct step environment;	/* NAME=VALUE to add */
	struct step compile;		/* ... -c -o OUTPUT script.c */
	struct step compile_embedded;	/* the same for the user's C, which may include the kernel's headers */
	struct step check;		/* objtool ... OBJECT, which is modified */
	bool check_linked;		/* it checks the linked module, not each object (IBT, LTO) */
	struct step link;		/* ld -r ... -o OUTPUT objects */
	struct step final;		/* ld -r -T module.lds ... -o OUTPUT objects */
};

/* Read the files that kbuild left in the directory BUILD: .script.o.cmd, .NAME.o.cmd,
 * .NAME.ko.cmd, and LOG for commands that are not recorded there. False if a step is not
 * understood: scripts are then built by kbuild itself. */
bool recipe_record(struct recipe *r, struct arena *a, const char *build, const char *name, const char *log);

/* Convert to text and back. */
char *recipe_write(const struct recipe *r, struct arena *a);
bool recipe_read(struct recipe *r, struct arena *a, const char *text);

#endif
