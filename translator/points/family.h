/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of a probe family: the points it accepts, the places they resolve to, and what the
 * runtime needs for each place. A family is one file in probes/ and one row in probes/families.def. */
#ifndef TAPC_FAMILY_H
#define TAPC_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#include "row.h"
#include "site.h"

/* One form of a point: "timer.ms(number).randomize(number)". Components are names, followed by
 * (string) or (number) if they take an argument. HELP: one line for -l and --help-probe. */
struct point_shape {
	const char *text;
	const char *help;
	int what;			/* chosen by the family: which of its kinds of points this is */
};

/* What the kernel uses to report hits at a place, and the cost of one hit. */
struct mechanism {
	const char *name;			/* "ftrace" */
	unsigned instructions;			/* of a hit whose handler only counts, minus the same work
						 * without a probe; measured on 6.1, x86-64; 0: not measured */
	bool breakpoint;			/* an instruction is replaced; kernels turn some of these into jumps */
};

struct site_counter {
	const char *name;
	const char *read;			/* the C function that reads it, called with c and the row's number */
};

struct probe_family {
	const char *name;
	const char *synonym;			/* component of shapes that only repeat others;
						 * wildcards do not match it */
	const struct point_shape *shapes;	/* ends with a NULL text */
	/* Add the places of POINT, which has SHAPE. False: no place was found, and the reasons say why. */
	bool (*resolve)(const struct point *point, const struct point_shape *shape, struct sites *sites);
	const char *runtime_ops;		/* "tap_timer": the object in the runtime's archive; NULL: the
						 * sites are listed, but never hit, and have no rows */
	const struct row_layout *where;		/* the struct that rows point to with `where`; NULL: none */
	/* That struct, for a row with these sites. NULL: it is the data of the first site. */
	const void *(*describe)(const struct site *const *sites, size_t n, struct arena *a);
	/* May sites of this point share a row with OTHER? They have the same handler, flags and ops. */
	bool (*groups)(const struct site *site, const struct site *other);
	/* Find the target variable NAME (without its '$') at SITE. False: not found, and the
	 * reasons say why; without reasons, or if the member is NULL, the variables of the debug
	 * information at the site's place are used. */
	bool (*variable)(const struct site *site, const char *name, struct site_variable *out,
			 struct sites *sites);
	/* May a probe body use $NAME without the '$', as if an alias had set it? */
	bool (*offers)(const struct site *site, const char *name, struct arena *a);
	/* The counter that @perf reads at SITE; NULL, also for the member: the site is not a counter. */
	const struct site_counter *(*counter)(const struct site *site);
	/* List all of WHAT (VARIABLES_PARAMETERS ...), for $$vars and -L. If the list stays empty,
	 * the variables of the site's place are used. */
	void (*variables)(const struct site *site, unsigned what, site_variables *out, struct sites *sites);
	/* May a handler at SITE call override(), so that the function there does not run? False
	 * with a reason; NULL: never. */
	bool (*may_override)(const struct site *site, struct sites *sites);
	/* The handler may run MAXACTION_INTERRUPTIBLE statements and long loops. */
	bool interruptible;
	bool runs_alone;			/* its handlers never run at the same time as any other handler */
	bool simulated;				/* runtime/simulate supports it */
	bool may_fetch;				/* its handlers run again after memory that they could not read was
						 * fetched: TAP_PROBE_FETCH */
	/* What reports hits at SITE; NULL: BY does at every site. */
	const struct mechanism *(*mechanism)(const struct site *site);
	struct mechanism by;
	/* Why the function at SITE may not call the handler itself; NULL: it may. The member is NULL if none may. */
	const char *(*indirect)(const struct site *site);
	/* Upper limits of the bytes that the runtime allocates: for each place, for each row, once
	 * per session, and for each program that the first components of points name. */
	unsigned site_bytes, row_bytes, session_bytes, program_bytes;
	bool keeps;				/* what entries keep for returns is in a table (kernel/kept.h), */
	unsigned call_bytes;			/* with these bytes of each call besides */
};

static inline const struct site_counter *site_counter(const struct site *site)
{
	return site->family->counter ? site->family->counter(site) : NULL;
}

extern const struct probe_family *const families[];	/* probes/families.c; ends with NULL */

#endif
