/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target variables. None of the families has any yet: they come with debug information. What is
 * written in a script is refused with a message at its place; @defined says no. */
#include "target.h"

#include "ast.h"
#include "diag.h"
#include "point.h"

bool target_resolve(struct translation *t, struct handler *h, struct expr *e)
{
	(void)t, (void)h;
	diag_error(e->span, "target variables are not supported yet");
	return false;
}

bool target_resolve_arrow(struct translation *t, struct expr *e)
{
	(void)t;
	diag_error(e->span, "members of pointers are not supported yet");
	return false;
}

bool target_is_defined(struct translation *t, struct handler *h, const struct expr *e)
{
	(void)t, (void)h;
	return e->kind != EXPR_TARGET && e->kind != EXPR_ARROW && e->kind != EXPR_ADDRESS;
}
