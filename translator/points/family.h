/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of a probe family: what its points look like, the places they mean, and what the
 * runtime needs to know of each. A family is one file in probes/ and one row in probes/families.def. */
#ifndef TAPC_FAMILY_H
#define TAPC_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#include "site.h"
#include "base/text.h"

/* One spelling: "timer.ms(number).randomize(number)". Components are names, with (string) or (number)
 * behind those that take an argument. HELP: one line for -l and --help-probe. */
struct point_shape {
	const char *text;
	const char *help;
	int what;			/* the family's own: which of its kinds this is */
};

/* How places get their hits, and what one of them costs. */
struct mechanism {
	const char *name;			/* "ftrace" */
	unsigned instructions;			/* of a hit whose handler counts, less those without a probe, as
						 * measured on 6.1, x86-64; 0: not measured */
};

struct probe_family {
	const char *name;
	const char *synonym;			/* a word of shapes that others say otherwise: no pattern means it */
	const struct point_shape *shapes;	/* ends with a NULL text */
	/* Add the places of POINT, which has SHAPE. False: none, and reasons say why. */
	bool (*resolve)(const struct point *point, const struct point_shape *shape, struct sites *sites);
	const char *runtime_ops;		/* "tap_timer": the object in the runtime's archive */
	/* The rows of one group: write the C initialiser of `where` (an expression) to WHERE and, before
	 * it, what it needs to DECLARATIONS. NUMBER makes names unique. */
	void (*describe)(const struct site *const *sites, size_t n, unsigned number,
			 struct text *declarations, struct text *where);
	/* May sites of this point share a row with OTHER? They have the same handler, flags and ops. */
	bool (*groups)(const struct site *site, const struct site *other);
	/* The target variable NAME (without its '$') at SITE. False: none, and reasons say why; without
	 * reasons, or when NULL: what debuginfo knows of the site's place. */
	bool (*variable)(const struct site *site, const char *name, struct site_variable *out,
			 struct sites *sites);
	/* Is $NAME a name that a probe's body may use without its '$', as if an alias had set it? */
	bool (*offers)(const struct site *site, const char *name);
	/* All of WHAT (VARIABLES_PARAMETERS ...), for $$vars and -L. When there are none, those of the
	 * site's place are. */
	void (*variables)(const struct site *site, unsigned what, site_variables *out);
	/* May a handler at SITE say override(): the function there is not run? False with a reason; NULL:
	 * never. */
	bool (*may_override)(const struct site *site, struct sites *sites);
	/* The handler may take MAXACTION_INTERRUPTIBLE statements, and may loop long. */
	bool interruptible;
	bool runs_alone;			/* its handlers never run at the same time as any other */
	bool simulated;				/* runtime/simulate has it, too */
	/* By what a place is probed; NULL: all by the same. */
	const struct mechanism *(*mechanism)(const struct site *site);
	struct mechanism by;
	/* Bytes that the runtime allocates at most: for a place, for a row, once, and for each program that the first
	 * words of points name. */
	unsigned site_bytes, row_bytes, session_bytes, program_bytes;
};

extern const struct probe_family *const families[];	/* probes/families.c; ends with NULL */

#endif
