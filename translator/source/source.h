/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Script texts and places in them. */
#ifndef TAPC_SOURCE_H
#define TAPC_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct translation;
struct source;

/* A stretch of a source text: [start, end) as byte offsets. Zeroed: nowhere in particular. */
struct span {
	const struct source *source;
	uint32_t start, end;
};

/* A text that can be pointed into: a file, -e text, or the body of a macro in use. */
struct source {
	struct translation *translation;
	const char *name;		/* as shown in messages */
	const char *text;		/* NUL-terminated; may hold further NULs */
	size_t size;
	bool is_library;		/* a tapset file: privileged, errors point at its user first */
	bool is_system;			/* shipped with tapc: its C is in the runtime already */
	bool is_display;		/* the probe that shows globals at exit */
	uint32_t *lines;		/* offsets of line starts; made by source_add */
	size_t line_count;
	struct span expanded_from;	/* the use of a macro whose body this is; else zero */
	const char *expansion;		/* "macro '@x'", "argument '$1'" */
};

struct source *source_add(struct translation *t, const char *name, const char *text, size_t size);
/* The same text once more, as what stands at USE: messages about it tell where it is used. */
struct source *source_expand(const struct source *s, struct span use, const char *expansion);
/* Line and column, both from 1; columns count bytes. */
void source_position(struct span at, unsigned *line, unsigned *column);
/* The file that a macro's expansion stands in; S itself for a file. */
const struct source *source_root(const struct source *s);
/* The place in a file: of a macro's expansion, where the macro is used. */
struct span span_written(struct span at);
/* That place as "x.stp:3:5". */
const char *span_position(struct arena *a, struct span at);
/* What stands there. */
const char *span_text(struct arena *a, struct span at);
struct span span_join(struct span first, struct span last);

#endif
