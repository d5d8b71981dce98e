/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See region.h. */
#include "region.h"

#include "effects.h"

bool plan_stmt_needs_lock(const struct plan *p, struct stmt *s)
{
	struct effects e = plan_effects(p, s);

	return plan_needs_lock(p, &e);
}

static bool expr_needs_lock(const struct plan *p, struct expr *x)
{
	struct effects e = { 0 };

	plan_expr_effects(p, x, &e);
	return plan_needs_lock(p, &e);
}

bool plan_region_goes_down(const struct plan *p, struct stmt *s)
{
	return s->kind == STMT_BLOCK || (s->kind == STMT_IF && !expr_needs_lock(p, s->if_.condition));
}

bool plan_region_of_block(const struct plan *p, struct stmt *block, size_t *first, size_t *last)
{
	bool found = false;

	for (size_t i = 0; i < block->block.n; i++) {
		if (!plan_stmt_needs_lock(p, block->block.items[i]))
			continue;
		if (!found)
			*first = i;
		*last = i;
		found = true;
	}
	return found;
}
