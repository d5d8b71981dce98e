/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places that points mean, and what families make them with. */
#ifndef TAPC_SITE_H
#define TAPC_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "syntax/ast.h"
#include "debuginfo/place.h"
#include "base/vec.h"

struct debuginfo;
struct point_shape;
struct probe_family;
struct translation;

/* Where a call returns to that a function's entry is meant by, as the site's offset; or the entry of a
 * function that jumps there. */
struct site_caller {
	int64_t returns_to;
	bool is_root, is_jump;
};
struct site_callers {
	VEC(struct site_caller) list;
	unsigned depth;			/* so many frames up one of them is a root's */
};

/* A place that a point means. */
struct site {
	const struct probe_family *family;
	const struct point_shape *shape;
	const struct point *point;
	const char *name;		/* as pp() shows it; a byte 1 stands for what is shown */
	const char *shown;		/* "vfs_read@fs/read_write.c:450"; or NULL */
	uint32_t flags;			/* TAP_PROBE_... */
	const char *module;		/* functions: NULL is the kernel proper */
	const char *symbol;
	int64_t offset;			/* from the anchor, in the image */
	uint32_t into;
	bool resolved;			/* offset is meant; else by name at load */
	bool absolute;			/* offset is an address of the running kernel */
	int64_t value[3];		/* the family's own numbers */
	const struct site_callers *callers;	/* NULL: whoever called */
	const struct debug_place *place;	/* what can be seen from there; NULL: nothing is known */
	const void *data;		/* the family's own */
	const char *counter;		/* what @perf calls it; NULL: it is no counter */
	const char *count;		/* the C function that reads it, called with c and the row's number */
	bool in_user;			/* it runs in a process: what is read is user memory */
	bool is_nowhere;		/* it has a name to be listed by, and no row */
	const char *program;		/* it runs in processes of this program alone; NULL: who knows */
};

/* A target variable of a site. */
struct site_variable {
	struct debug_variable debug;	/* its type and where it is, unless GET is set */
	const char *get;		/* or C that gives its value: "tap_procfs_value(c)" */
	const char *set;		/* and the function to set it: "tap_procfs_set", called with c and the
					 * value; NULL: it cannot be written */
	const char *add;		/* and the function for ".=", where that is not to get and set */
	bool is_free;			/* it may be written outside of guru mode: it is the script's own */
	enum type type;			/* with GET */
};
typedef VEC(struct site_variable) site_variables;

/* What resolving works on and fills. */
struct sites {
	struct translation *translation;
	struct arena *arena;
	VEC(struct site) list;
	VEC(const char *) reasons;	/* why nothing was found; become notes */
	size_t skipped;			/* places that a wildcard met and that cannot be probed */
};

/* A new last site of SITES for POINT with SHAPE. */
struct site *site_add(struct sites *sites, const struct probe_family *family, const struct point *point,
		      const struct point_shape *shape);
/* The component NAME of POINT; NULL when it has none. */
const struct point_component *point_component(const struct point *point, const char *name);
/* POINT with TEXT in place of the pattern that its component NAME has as its argument: a site's name shows what
 * was met. POINT itself when it is none. */
const struct point *point_met(struct sites *sites, const struct point *point, const char *name, const char *text);
/* What .maxactive(N) of POINT says, 0 where there is none: as the kernel takes it, from 0, which leaves it to the
 * runtime, to 65535. False: another number, and the reason says so. */
bool point_maxactive(const struct point *point, struct sites *sites, int64_t *n);
/* Add a reason, in printf style. */
void sites_reason(struct sites *sites, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The target kernel's symbols; NULL with reasons when there are none. Opened once. */
struct debuginfo *sites_kernel(struct sites *sites);
/* The program or library PATH, as target machines name it. Opened once. */
struct debuginfo *sites_program(struct sites *sites, const char *path);
/* Where it is on this machine: below the sysroot, or, when there is no such file, as it stands. */
struct debuginfo_request sites_request(struct sites *sites);
/* The points of the script that SITES are for, the first few of them. */
const char *sites_written(struct arena *a, const struct site *const *sites, size_t n);

#endif
