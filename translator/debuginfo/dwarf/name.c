/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types, enumerators and globals by name. For a kernel with BTF, types are read from BTF, which is faster. */
#include "name.h"

#include <string.h>

#include "dwarf.h"
#include "names.h"
#include "base/util.h"
#include "debuginfo/btf/btf.h"
#include "type.h"
#include "function.h"

/* Is DIE declared in FILE, or in a unit of that name? */
static bool is_in_file(const char *file, const char *path, Dwarf_Die *die)
{
	Dwarf_Die unit;

	return !file || dwarf_is_file(file, path) ||
	       (dwarf_diecu(die, &unit, NULL, NULL) && dwarf_is_file(file, dwarf_diename(&unit)));
}

/* Find a global whose name is in another unit or file (dwz, link-time optimization); only libdw can read it. */
static bool find_shared_global(struct debuginfo *d, const char *name, const char *file, Dwarf_Die *die)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (d->program && dwarf_get_units(d->dwarf->dw, cu, &cu, NULL, NULL, &unit, NULL) == 0) {
		if (dwarf_child(&unit, die))
			continue;
		do {
			const char *this = dwarf_tag(die) == DW_TAG_variable ? dwarf_diename(die) : NULL;

			if (this && str_equal(this, name) && is_in_file(file, dwarf_file_of(die), die) &&
			    (dwarf_hasattr(die, DW_AT_location) || dwarf_hasattr(die, DW_AT_const_value)))
				return true;
		} while (dwarf_siblingof(die, die) == 0);
	}
	return false;
}

static enum debuginfo_answer find_named(struct debuginfo *d, enum names_kind kind, const char *name,
					const char *file, Dwarf_Die *die, const char **reason)
{
	enum debuginfo_answer opened = dwarf_open(d, reason);
	const struct dwarf_names *x;
	const struct names_thing *t;
	const char *btf_reason;
	size_t n;

	if (opened != DEBUGINFO_FOUND)
		return opened;
	*reason = "types are read from BTF";
	if (kind != NAMES_GLOBAL && kind != NAMES_DECLARED && btf_open(d, &btf_reason) == DEBUGINFO_FOUND)
		return DEBUGINFO_ABSENT;
	*reason = arena_printf(d->arena, "%s cannot be read", d->dwarf->path);
	x = dwarf_names_all(d);
	if (!x)
		return DEBUGINFO_BROKEN;
	*reason = "it has no such name";
	t = names_find(x, kind, name, &n);
	for (; n; t++, n--)
		if (dwarf_die(d->dwarf, t->die, die) && is_in_file(file, names_text(x, t->file), die))
			return DEBUGINFO_FOUND;
	if (kind == NAMES_GLOBAL && find_shared_global(d, name, file, die))
		return DEBUGINFO_FOUND;
	return x->is_damaged ? DEBUGINFO_BROKEN : DEBUGINFO_ABSENT;
}

enum debuginfo_answer dwarf_type_named(struct debuginfo *d, enum debug_kind kind, const char *name,
				       const struct debug_type **t, const char **reason)
{
	enum names_kind which = kind == DEBUG_STRUCT ? NAMES_STRUCT : kind == DEBUG_UNION ? NAMES_UNION :
				kind == DEBUG_ENUM ? NAMES_ENUM : NAMES_TYPEDEF;
	Dwarf_Die die;
	enum debuginfo_answer found = find_named(d, which, name, NULL, &die, reason);

	if (found == DEBUGINFO_FOUND)
		*t = dwarf_type_handle(d, &die);
	return found;
}

/* The names contain the enumerator's enum. */
enum debuginfo_answer dwarf_enumerator_named(struct debuginfo *d, const char *name, int64_t *value,
					     const char **reason)
{
	Dwarf_Die type, die;
	enum debuginfo_answer found = find_named(d, NAMES_ENUMERATOR, name, NULL, &type, reason);

	if (found != DEBUGINFO_FOUND)
		return found;
	if (dwarf_child(&type, &die) == 0)
		do {
			const char *this = dwarf_tag(&die) == DW_TAG_enumerator ? dwarf_diename(&die) : NULL;

			if (!this || !str_equal(this, name))
				continue;
			*value = dwarf_enumerator_value(&die);
			return found;
		} while (dwarf_siblingof(&die, &die) == 0);
	return DEBUGINFO_BROKEN;
}

enum debuginfo_answer dwarf_global_named(struct debuginfo *d, const char *name, const char *file,
					 Dwarf_Die *die, Dwarf_Die *unit, const char **reason)
{
	enum debuginfo_answer found = find_named(d, NAMES_GLOBAL, name, file, die, reason);

	if (found == DEBUGINFO_FOUND && !dwarf_diecu(die, unit, NULL, NULL))
		return DEBUGINFO_BROKEN;
	return found;
}

enum debuginfo_answer dwarf_declared_named(struct debuginfo *d, const char *name, Dwarf_Die *die, const char **reason)
{
	return find_named(d, NAMES_DECLARED, name, NULL, die, reason);
}
