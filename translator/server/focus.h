/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Translations of a document in which the declaration at the cursor is made whole: what a probe's points mean, and what
 * type an expression has. */
#ifndef TAPC_SERVER_FOCUS_H
#define TAPC_SERVER_FOCUS_H

#include "points/handler.h"
#include "question.h"
#include "scan.h"

struct debug_type;
struct program;
struct target_scope;

/* Resolve the whole document as it is, without messages. NULL: it has none of what is needed for that. */
struct program *focus_document(struct question *q);

/* The handlers of the probe D with an empty body. POINTS: in place of its own points, or NULL. */
void focus_probe(struct question *q, const struct scan *s, const struct declaration *d, const char *points,
		 handler_list *found);

/* The type of the expression of the tokens FIRST to LAST, which are in D, whose text is cut after LAST; NULL: not
 * known. */
const struct debug_type *focus_type(struct question *q, const struct scan *s, const struct declaration *d,
				    size_t first, size_t last);

/* An expression in a resolved document. */
struct found_expr {
	struct expr *expr;
	struct handler *handler;	/* NULL: in a function */
	struct function *function;
};
/* The innermost expression of a kind that means a name, or members, around AT. False: none. */
bool focus_find(const struct question *q, struct program *p, uint32_t at, struct found_expr *found);
/* The type of a part of a target expression: with the first N of its components. */
const struct debug_type *focus_part_type(struct question *q, const struct found_expr *f, size_t n);

#endif
