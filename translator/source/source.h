/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Script texts and positions in them. */
#ifndef TAPC_SOURCE_H
#define TAPC_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct diag;
struct source;

/* A range of a source text: [start, end) in byte offsets. Zeroed: no position. */
struct span {
	const struct source *source;
	uint32_t start, end;
};

/* A text that spans refer to: a file, -e text, or the body of a macro at one use. */
struct source {
	struct diag *diag;		/* for messages about the text */
	const char *name;		/* as shown in messages */
	const char *text;		/* NUL-terminated; may contain other NULs */
	size_t size;
	bool is_library;		/* a tapset file: privileged; errors show the place that uses it first */
	bool is_system;			/* shipped with tapc: its C code is in the runtime already */
	bool is_display;		/* the generated probe that prints globals at exit */
	uint32_t *lines;		/* offsets of line starts; set by source_add */
	size_t line_count;
	struct span expanded_from;	/* the macro use whose expansion this is; else zero */
	const char *expansion;		/* "macro '@x'", "argument '$1'" */
};

struct source *source_add(struct diag *d, const char *name, const char *text, size_t size);
/* Returns a copy of S for its expansion at USE: messages about the copy also show the use. */
struct source *source_expand(const struct source *s, struct span use, const char *expansion);
/* Line and column of AT, both from 1; columns count bytes. */
void source_position(struct span at, unsigned *line, unsigned *column);
/* The file that contains a macro's expansion; S itself for a file. */
const struct source *source_root(const struct source *s);
/* The position in a file: for a macro's expansion, the use of the macro. */
struct span span_written(struct span at);
/* That position as "x.stp:3:5". */
const char *span_position(struct arena *a, struct span at);
/* The text of the span. */
const char *span_text(struct arena *a, struct span at);
struct span span_join(struct span first, struct span last);

#endif
