/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects names that the fast reader does not see: in units in separate files (.dwo), in files
 * shared by several others (dwz), and types in .debug_types. */
#include "others.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf.h"
#include "harvest.h"
#include "base/util.h"

enum { DEEPEST = 128 };

struct others {
	struct debuginfo *d;
	struct harvest *h;
};

static uint32_t path_of(struct harvest *h, Dwarf_Die *die)
{
	const char *file = dwarf_file_of(die);

	if (!file)
		return 0;
	/* usually the same as the last one */
	if (!h->paths.n || !str_equal(h->paths.items[h->paths.n - 1], file))
		*list_add(&h->paths) = xstrdup(file);
	return (uint32_t)h->paths.n;
}

static int32_t add_copy(struct others *o, Dwarf_Die *die, Dwarf_Addr entry, int32_t outer)
{
	struct harvest *h = o->h;
	const char *name = dwarf_diename(die);
	int line = 0;

	if (!name)
		return outer;
	dwarf_decl_line(die, &line);
	*list_add(&h->functions) = (struct raw_function){ .name = name, .die = UINT64_MAX,
							  .file = path_of(h, die), .line = (uint32_t)line };
	*list_add(&h->copies) = (struct raw_copy){ .address = entry, .die = dwarf_id(o->d->dwarf, die),
						   .outer = outer,
						   .function = (int32_t)h->functions.n - 1 };
	return outer == NO_COPY ? (int32_t)h->copies.n - 1 : outer;
}

static void walk_function(struct others *o, Dwarf_Die *scope, int32_t outer, int depth)
{
	Dwarf_Addr entry;
	Dwarf_Die die;

	if (depth > DEEPEST || dwarf_child(scope, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_inlined_subroutine && dwarf_entry_of(&die, &entry))
			add_copy(o, &die, entry, outer);
		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block)
			walk_function(o, &die, outer, depth + 1);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static void add_thing(struct others *o, Dwarf_Die *die, Dwarf_Die *named, unsigned kind)
{
	const char *name = dwarf_diename(named);

	if (name)
		*list_add(&o->h->things) = (struct raw_thing){
			.name = name, .die = dwarf_id(o->d->dwarf, die), .kind = kind,
			.file = kind == NAMES_GLOBAL ? path_of(o->h, die) : 0 };
}

static void add_enumerators(struct others *o, Dwarf_Die *type)
{
	Dwarf_Die die;

	if (dwarf_child(type, &die))
		return;
	do
		if (dwarf_tag(&die) == DW_TAG_enumerator)
			add_thing(o, type, &die, NAMES_ENUMERATOR);
	while (dwarf_siblingof(&die, &die) == 0);
}

static void walk_unit(struct others *o, Dwarf_Die *scope, int depth);

static void visit(struct others *o, Dwarf_Die *die, int depth)
{
	Dwarf_Addr entry;

	if (dwarf_hasattr(die, DW_AT_declaration)) {
		if (dwarf_tag(die) == DW_TAG_variable)
			add_thing(o, die, die, NAMES_DECLARED);
		return;
	}
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		if (dwarf_entry_of(die, &entry))
			walk_function(o, die, add_copy(o, die, entry, NO_COPY), 0);
		return;
	case DW_TAG_variable:
		if (dwarf_hasattr(die, DW_AT_location) || dwarf_hasattr(die, DW_AT_const_value))
			add_thing(o, die, die, NAMES_GLOBAL);
		return;
	case DW_TAG_structure_type: case DW_TAG_class_type:
		add_thing(o, die, die, NAMES_STRUCT);
		return;
	case DW_TAG_union_type:
		add_thing(o, die, die, NAMES_UNION);
		return;
	case DW_TAG_enumeration_type:
		add_thing(o, die, die, NAMES_ENUM);
		add_enumerators(o, die);
		return;
	case DW_TAG_typedef: case DW_TAG_base_type:
		add_thing(o, die, die, NAMES_TYPEDEF);
		return;
	case DW_TAG_namespace:
		walk_unit(o, die, depth + 1);
		return;
	}
}

static void walk_unit(struct others *o, Dwarf_Die *scope, int depth)
{
	Dwarf_Die die;

	if (depth > DEEPEST || dwarf_child(scope, &die))
		return;
	do
		visit(o, &die, depth);
	while (dwarf_siblingof(&die, &die) == 0);
}

void others_harvest(struct debuginfo *d, struct harvest *h, bool split_units)
{
	struct others o = { d, h };
	Dwarf *alternate = dwarf_getalt(d->dwarf->dw);
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	Dwarf_Die unit;
	uint8_t kind;

	while (dwarf_get_units(d->dwarf->dw, cu, &cu, &version, &kind, &unit, NULL) == 0) {
		if (split_units && kind == DW_UT_skeleton) {
			dwarf_whole_unit(&unit);
			walk_unit(&o, &unit, 0);
		}
		if (version < 5 && kind == DW_UT_type)
			walk_unit(&o, &unit, 0);
	}
	cu = NULL;
	while (alternate && dwarf_get_units(alternate, cu, &cu, NULL, NULL, &unit, NULL) == 0)
		walk_unit(&o, &unit, 0);
}
