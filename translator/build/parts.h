/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sources of the runtime a script needs, by their text: they are compiled when a script first needs them. */
#ifndef TAPC_PARTS_H
#define TAPC_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "base/vec.h"

struct template_source {
	const char *name;		/* relative to runtime/: "kernel/main.c" */
	const char *path;		/* NULL: written by parts_add_units */
	const char *text;		/* set by template_key */
	size_t size;
};

/* The source that includes those which every module has. */
#define PARTS_BASE "base.c"

struct template_sources { struct template_source *items; size_t n, room; };

/* The source of this NAME, or NULL. */
const struct template_source *parts_source(const struct template_sources *sources, const char *name);
/* Add the sources that include others, which are compiled as one: PARTS_BASE, and more. Below, their names stand for
 * those that they include. */
void parts_add_units(struct arena *a, struct template_sources *sources);
/* Add PARTS_BASE and the names of the other .c files that SCRIPT, a C text, needs to NEEDED, with all that these need
 * in turn. Every name defined in a file counts that the text mentions, so some may not be needed, and a name
 * that is put together by macros may be missed: the link then shows it. */
void parts_of_script(struct map *needed, const struct template_sources *sources, const char *script);
/* Add PARTS_BASE and the names of all other .c files. */
void parts_all(struct map *needed, const struct template_sources *sources);

#endif
