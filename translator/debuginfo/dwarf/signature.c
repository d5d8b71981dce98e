/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and types of the variables visible at a function's entry, for listing tens of thousands of
 * functions: scopes are not searched and locations are not read. */
#include "signature.h"

#include <string.h>

#include "dwarf.h"
#include "place.h"
#include "type.h"

/* Does DIE have a location or value, here or in a copy of the function? */
static bool is_somewhere(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_formal_parameter || dwarf_hasattr(die, DW_AT_location) ||
	       dwarf_hasattr(die, DW_AT_const_value);
}

static void add_variables(struct debuginfo *d, Dwarf_Die *scope, debug_variables *out)
{
	Dwarf_Die die;

	if (dwarf_child(scope, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		const char *name = tag == DW_TAG_formal_parameter || tag == DW_TAG_variable ?
				   dwarf_diename(&die) : NULL;

		if (name && is_somewhere(&die))
			*vec_add(d->arena, out) = (struct debug_variable){
				.name = name, .type = dwarf_type_of(d, &die), .source = "DWARF",
				.is_parameter = tag == DW_TAG_formal_parameter };
	} while (dwarf_siblingof(&die, &die) == 0);
}

bool dwarf_signature(const struct debug_place *p, debug_variables *out)
{
	struct debuginfo *d = p->image;
	const struct debug_type *t;
	Dwarf_Die die;

	if (!p->id || !d->dwarf || dwarf_is_go(p) || !dwarf_die(d->dwarf, p->id, &die))
		return false;
	if (p->at_return) {
		t = dwarf_type_of(d, &die);
		if (t->kind != DEBUG_VOID)
			*vec_add(d->arena, out) = (struct debug_variable){ .name = "return", .type = t,
									   .source = "DWARF" };
	}
	add_variables(d, &die, out);
	return true;
}
