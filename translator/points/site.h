/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places that points mean, and the functions that families use to make them. */
#ifndef TAPC_SITE_H
#define TAPC_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "syntax/ast.h"
#include "debuginfo/place.h"
#include "base/vec.h"

struct images;
struct options;
struct point_shape;
struct probe_family;

/* A place that a point means: what all families have. */
struct site {
	const struct probe_family *family;
	const struct point_shape *shape;
	const struct point *point;
	const char *name;		/* as pp() shows it; a byte 1 is replaced by SHOWN */
	const char *shown;		/* "vfs_read@fs/read_write.c:450"; or NULL */
	uint32_t flags;			/* TAP_PROBE_... */
	const char *module;		/* functions and tracepoints: NULL is the kernel itself */
	const char *symbol;
	const struct debug_place *place;	/* for the variables in scope; NULL: no debug information */
	const void *data;		/* what the family needs for its rows; only the family knows its type */
	bool in_user;			/* it runs in a process: reads are from user memory */
	const char *program;		/* it runs only in processes of this program; NULL: unknown */
};

/* A target variable of a site. */
struct site_variable {
	struct debug_variable debug;	/* its type and location, unless GET is set */
	const char *get;		/* or C code for its value: "tap_procfs_value(c)" */
	const char *set;		/* and the function that sets it: "tap_procfs_set", called
					 * with c and the value; NULL: it cannot be written */
	const char *add;		/* and the function for ".=", if it is not get followed by set */
	bool is_free;			/* it may be written without guru mode: it belongs to the script */
	enum type type;			/* with GET */
};
typedef VEC(struct site_variable) site_variables;

/* Input and output of resolving a point. */
struct sites {
	struct images *images;
	const struct options *options;
	struct arena *arena;
	VEC(struct site) list;
	VEC(const char *) reasons;	/* why nothing was found; shown as notes */
	size_t skipped;			/* places that match a wildcard but cannot be probed */
};

/* Append a site for POINT, which has SHAPE, to SITES. */
struct site *site_add(struct sites *sites, const struct probe_family *family, const struct point *point,
		      const struct point_shape *shape);
/* The component NAME of POINT; NULL: it has no such component. */
const struct point_component *point_component(const struct point *point, const char *name);
/* POINT with TEXT in place of the pattern that is the argument of its component NAME, so that the
 * site's name shows what was matched. POINT itself if the argument is not a pattern. */
const struct point *point_met(struct sites *sites, const struct point *point, const char *name, const char *text);
/* The N of .maxactive(N) in POINT, from 0 (the runtime chooses) to 65535 (the kernel's limit); 0
 * without .maxactive. False, with a reason: N is out of range. */
bool point_maxactive(const struct point *point, struct sites *sites, int64_t *n);
/* Add a reason, in printf style. */
void sites_reason(struct sites *sites, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* S's name as pp() shows it: "kernel.function("vfs_read@fs/read_write.c:450").call". */
const char *site_text(struct arena *a, const struct site *s);
/* The points in the script that SITES come from; only the first few. */
const char *sites_written(struct arena *a, const struct site *const *sites, size_t n);

#endif
