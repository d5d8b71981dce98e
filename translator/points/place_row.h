/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of kernel, module and process probes: what their families have in common. */
#ifndef TAPC_PLACE_ROW_H
#define TAPC_PLACE_ROW_H

#include "place_search.h"
#include "row.h"

struct debuginfo_facts;

extern const struct row_layout row_site;	/* struct tap_site */
extern const struct row_layout row_functions;	/* struct tap_functions */

/* The callers of all sites of one row; NULL: the sites have none. OF: the callers of a site, or NULL. */
const struct tap_callers *place_row_callers(struct arena *a, const struct site *const *sites, size_t n,
					    const struct place_callers *(*of)(const struct site *site));
/* Set the members that identify the build of the kernel or of a module. */
void place_row_image(struct tap_functions *row, const struct debuginfo_facts *facts);
/* The members that identify the build of a program, for the layout of a tap_process, and setting them. */
#define PLACE_ROW_PROGRAM \
	ROW_BYTES(tap_process, build_id, build_id_size), \
	ROW_MEMBER(tap_process, build_id_size), \
	ROW_MEMBER(tap_process, build_id_at)
void place_row_program(struct tap_process *row, struct debuginfo *program);

#endif
