/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pointee.h"

#include "debuginfo/type.h"
#include "base/util.h"

const struct debug_type pointee_conflict = { .kind = DEBUG_VOID };

/* Types of different images are compared by their text. A type in kernel memory differs from the same type in user
 * memory. */
static bool is_same(struct arena *a, const struct debug_type *x, const struct debug_type *y)
{
	return x == y || (x->image && y->image && debuginfo_is_user(x->image) == debuginfo_is_user(y->image) &&
			  str_equal(debug_type_text(a, x), debug_type_text(a, y)));
}

bool pointee_learn(struct arena *a, const struct debug_type **known, const struct debug_type *found)
{
	if (!found || *known == &pointee_conflict || (*known && is_same(a, *known, found)))
		return false;
	*known = *known ? &pointee_conflict : found;
	return true;
}
