/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types, enumerators and globals by name. There is no index of them: units whose bytes do not mention
 * the name are passed over, and what was found, or not, is remembered. A kernel's types come faster from
 * its BTF, where it has that. */
#include <string.h>

#include "debuginfo/dwarf.h"
#include "map.h"
#include "util.h"

enum { DEEPEST_NAMESPACE = 16 };

struct name_search {
	struct debuginfo *d;
	const char *name, *file;
	enum debug_kind kind;		/* of types; VOID: an enumerator; FUNCTION: a global */
	Dwarf_Die unit, found;
};

static bool is_named(Dwarf_Die *die, const char *name)
{
	const char *this = dwarf_diename(die);

	return this && str_equal(this, name);
}

static bool is_kind(int tag, enum debug_kind kind)
{
	switch (kind) {
	case DEBUG_STRUCT: return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
	case DEBUG_UNION: return tag == DW_TAG_union_type;
	case DEBUG_ENUM: return tag == DW_TAG_enumeration_type;
	case DEBUG_TYPEDEF: return tag == DW_TAG_typedef || tag == DW_TAG_base_type;
	case DEBUG_FUNCTION: return tag == DW_TAG_variable;
	default: return false;
	}
}

static bool find_enumerator(struct name_search *s, Dwarf_Die *type)
{
	Dwarf_Die child;

	if (dwarf_tag(type) != DW_TAG_enumeration_type || dwarf_child(type, &child))
		return false;
	do
		if (dwarf_tag(&child) == DW_TAG_enumerator && is_named(&child, s->name)) {
			s->found = child;
			return true;
		}
	while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static bool is_it(struct name_search *s, Dwarf_Die *die)
{
	if (s->kind == DEBUG_VOID)
		return find_enumerator(s, die);
	if (!is_kind(dwarf_tag(die), s->kind) || dwarf_hasattr(die, DW_AT_declaration) ||
	    !is_named(die, s->name))
		return false;
	if (s->kind == DEBUG_FUNCTION &&
	    ((!dwarf_hasattr(die, DW_AT_location) && !dwarf_hasattr(die, DW_AT_const_value)) ||
	     (s->file && !dwarf_is_file(s->file, dwarf_diename(&s->unit)) &&
	      !dwarf_is_file(s->file, dwarf_file_of(die)))))
		return false;
	s->found = *die;
	return true;
}

static bool look_in(struct name_search *s, Dwarf_Die *scope, int depth)
{
	Dwarf_Die die;

	if (depth > DEEPEST_NAMESPACE || dwarf_child(scope, &die))
		return false;
	do
		if (is_it(s, &die) || (dwarf_tag(&die) == DW_TAG_namespace && look_in(s, &die, depth + 1)))
			return true;
	while (dwarf_siblingof(&die, &die) == 0);
	return false;
}

/* FILTER: for units of the file itself. */
static bool look_in_file(struct name_search *s, Dwarf *dw, const struct dwarf_filter *filter)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	Dwarf_Off next = 0;
	size_t header;
	Dwarf_Half version;

	for (Dwarf_Off at = 0; dwarf_next_unit(dw, at, &next, &header, &version, NULL, NULL, NULL, NULL,
					       NULL) == 0; at = next) {
		if (!dwarf_filter_has(filter, at, next) || !dwarf_offdie(dw, at + header, &unit))
			continue;
		dwarf_whole_unit(&unit);
		s->unit = unit;
		if (look_in(s, &unit, 0))
			return true;
	}
	/* .debug_types of DWARF 4. */
	while (s->kind != DEBUG_FUNCTION && dwarf_get_units(dw, cu, &cu, &version, NULL, &unit, NULL) == 0)
		if (version < 5 && dwarf_tag(&unit) == DW_TAG_type_unit && look_in(s, &unit, 0))
			return true;
	return false;
}

static enum debuginfo_answer find_named(struct name_search *s, const char **reason)
{
	struct dwarf_filter filter = { 0 }, all = { 0 };
	enum debuginfo_answer opened = dwarf_open(s->d, reason);
	const char *btf_reason, *key = arena_printf(s->d->arena, "%d %s %s", s->kind, s->name,
						    s->file ? s->file : "");
	struct dwarf_file *f = s->d->dwarf;
	const uint64_t *id;
	uint64_t *ids;

	if (opened != DEBUGINFO_FOUND)
		return opened;
	*reason = "there is no such name in it";
	if (s->kind != DEBUG_FUNCTION && btf_open(s->d, &btf_reason) == DEBUGINFO_FOUND) {
		*reason = "types are asked of BTF";
		return DEBUGINFO_ABSENT;
	}
	if (!f->names.arena)
		map_init(&f->names, s->d->arena);
	id = map_get(&f->names, key);
	if (id)
		return dwarf_die(f, id[0], &s->found) && dwarf_die(f, id[1], &s->unit) ? DEBUGINFO_FOUND :
											DEBUGINFO_ABSENT;
	dwarf_filter_init(&filter, s->d, s->name);
	ids = arena_array(s->d->arena, uint64_t, 2);
	map_set(&f->names, key, ids);
	if (!look_in_file(s, f->dw, &filter) &&
	    !(dwarf_getalt(f->dw) && look_in_file(s, dwarf_getalt(f->dw), &all)))
		return DEBUGINFO_ABSENT;
	ids[0] = dwarf_id(f, &s->found);
	ids[1] = s->unit.addr ? dwarf_id(f, &s->unit) : ids[0];
	return DEBUGINFO_FOUND;
}

enum debuginfo_answer dwarf_type_named(struct debuginfo *d, enum debug_kind kind, const char *name,
				       const struct debug_type **t, const char **reason)
{
	struct name_search s = { .d = d, .name = name, .kind = kind };
	enum debuginfo_answer found = find_named(&s, reason);

	if (found == DEBUGINFO_FOUND)
		*t = dwarf_type_handle(d, &s.found);
	return found;
}

enum debuginfo_answer dwarf_enumerator_named(struct debuginfo *d, const char *name, int64_t *value,
					     const char **reason)
{
	struct name_search s = { .d = d, .name = name, .kind = DEBUG_VOID };
	enum debuginfo_answer found = find_named(&s, reason);

	if (found == DEBUGINFO_FOUND)
		*value = dwarf_enumerator_value(&s.found);
	return found;
}

enum debuginfo_answer dwarf_global_named(struct debuginfo *d, const char *name, const char *file,
					 Dwarf_Die *die, Dwarf_Die *unit, const char **reason)
{
	struct name_search s = { .d = d, .name = name, .file = file, .kind = DEBUG_FUNCTION };
	enum debuginfo_answer found = find_named(&s, reason);

	*die = s.found;
	*unit = s.unit;
	return found;
}
