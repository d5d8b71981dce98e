/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scopes and variables from DWARF: the names that a source line at a place can use. The id of a place
 * is the DIE of its scope; without an id, the scope is the out-of-line function at an entry, and the
 * innermost scope elsewhere. An inlined function sees its own variables, not those of its callers. */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "dwarf.h"
#include "names.h"
#include "debuginfo/go.h"
#include "debuginfo/program/go.h"
#include "debuginfo/program/image.h"
#include "debuginfo/symbols/symtab.h"
#include "base/util.h"
#include "debuginfo/convention.h"
#include "name.h"
#include "place.h"
#include "type.h"
#include "debuginfo/location.h"
#include "debuginfo/symbols/elf.h"
#include "debuginfo/symbols/symbols.h"
#include "loc.h"

struct scopes {
	struct dwarf_file *f;
	Dwarf_Addr pc;
	Dwarf_Die unit, function;	/* the out-of-line function */
	VEC(Dwarf_Die) list;		/* innermost first, up to the (inlined) function */
};

static bool is_function(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subprogram || dwarf_tag(die) == DW_TAG_inlined_subroutine;
}

/* The blocks in DIE that contain PC, innermost first. */
static void add_blocks(struct arena *a, struct scopes *s, Dwarf_Die *die, int depth)
{
	Dwarf_Die child;

	if (depth > 64)
		return;
	if (dwarf_child(die, &child) == 0)
		do
			if (dwarf_tag(&child) == DW_TAG_lexical_block && dwarf_haspc(&child, s->pc) > 0) {
				add_blocks(a, s, &child, depth + 1);
				break;
			}
		while (dwarf_siblingof(&child, &child) == 0);
	*vec_add(a, &s->list) = *die;
}

/* PARENTS: the parents of a DIE, innermost first, including itself. */
static void set_function(struct scopes *s, Dwarf_Die *parents, int n)
{
	for (int i = 0; i < n; i++)
		if (dwarf_tag(&parents[i]) == DW_TAG_subprogram) {
			s->function = parents[i];
			return;
		}
}

/* The out-of-line function that contains PC, if it can be found without a search. */
static bool outer_function(struct scopes *s, Dwarf_Die *scope)
{
	const struct names_copy *c;

	if (dwarf_tag(scope) == DW_TAG_subprogram) {
		s->function = *scope;
		return true;
	}
	c = s->f->names ? names_at(s->f->names, s->pc) : NULL;
	if (c && dwarf_die(s->f, c->die, &s->function) && dwarf_haspc(&s->function, s->pc) > 0)
		return true;
	s->function = (Dwarf_Die){ 0 };
	return false;
}

/* A place found by DWARF has the DIE of its (inlined) function. */
static bool has_scope(const struct debug_place *p, struct scopes *s, Dwarf_Die *scope)
{
	return p->id && dwarf_die(s->f, p->id, scope) && is_function(scope) &&
	       outer_function(s, scope) && dwarf_diecu(scope, &s->unit, NULL, NULL);
}

/* The file that should contain the unit's debug information, if it was not found; else NULL. */
static const char *missing_file(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;

	if (dwarf_haschildren(unit) ||
	    !(dwarf_attr(unit, DW_AT_dwo_name, &attr) || dwarf_attr(unit, DW_AT_GNU_dwo_name, &attr)))
		return NULL;
	return dwarf_formstring(&attr);
}

/* The instructions between a function's symbol and its start in the debug information do not change
 * anything that a variable's location depends on. */
static bool begin_behind_patchable(const struct debug_place *p, struct scopes *s, Dwarf_Die *function)
{
	Dwarf_Addr low;

	if (!p->at_entry || dwarf_tag(function) != DW_TAG_subprogram || dwarf_lowpc(function, &low) ||
	    low != s->pc + p->image->request.arch->patchable)
		return false;
	s->pc = low;
	return true;
}

static int scopes_at(const struct debug_place *p, struct scopes *s, Dwarf_Die **inner)
{
	int n = dwarf_getscopes(&s->unit, s->pc, inner);

	if (n > 0 || !p->at_entry)
		return n;
	n = dwarf_getscopes(&s->unit, s->pc + p->image->request.arch->patchable, inner);
	return n > 0 && begin_behind_patchable(p, s, &(*inner)[0]) ? n : 0;
}

static enum debuginfo_answer find_scopes(const struct debug_place *p, struct scopes *s,
					 const char **reason)
{
	struct debuginfo *d = p->image;
	enum debuginfo_answer opened = dwarf_open(d, reason);
	_cleanup_free_ void *inner_memory = NULL, *parents_memory = NULL;
	Dwarf_Die *inner = NULL, *parents = NULL, scope;
	const char *split;
	int n;

	if (opened != DEBUGINFO_FOUND)
		return opened;
	*s = (struct scopes){ .f = d->dwarf };
	*reason = "it has no information about this place";
	if (!dwarf_address(s->f, p->section, p->offset, &s->pc))
		return DEBUGINFO_ABSENT;
	if (has_scope(p, s, &scope)) {
		begin_behind_patchable(p, s, &scope);
		add_blocks(d->arena, s, &scope, 0);
		return DEBUGINFO_FOUND;
	}
	if (!dwarf_unit_at(s->f, s->pc, &s->unit))
		return DEBUGINFO_ABSENT;
	split = missing_file(&s->unit);
	if (split)
		*reason = arena_printf(d->arena, "it is in %s, which does not exist (.dwp packages are not supported)",
				       split);
	n = scopes_at(p, s, &inner);
	inner_memory = inner;
	if (n <= 0)
		return DEBUGINFO_ABSENT;
	scope = inner[0];
	if (p->id && !dwarf_die(s->f, p->id, &scope))
		return DEBUGINFO_ABSENT;
	n = dwarf_getscopes_die(&scope, &parents);
	parents_memory = parents;
	if (n <= 0)
		return DEBUGINFO_ABSENT;
	set_function(s, parents, n);
	if (!s->function.addr)
		return DEBUGINFO_ABSENT;
	if (!p->id && p->at_entry)
		scope = s->function;
	if (is_function(&scope)) {
		add_blocks(d->arena, s, &scope, 0);
		return DEBUGINFO_FOUND;
	}
	for (int i = 0; i < n; i++) {
		*vec_add(d->arena, &s->list) = parents[i];
		if (is_function(&parents[i]))
			break;
	}
	return DEBUGINFO_FOUND;
}

static bool is_variable(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_variable || dwarf_tag(die) == DW_TAG_formal_parameter;
}

static bool is_at_entry(const struct debug_place *p)
{
	return p->at_entry && !p->at_return && !p->caller;
}

/* At the entry, locations of unoptimized code are not valid yet, because they describe the time after the prologue;
 * others are missing. The calling convention is used for both, unless the compiler changed the parameters. */
static bool wants_convention(const struct debug_place *p, const struct location *l)
{
	enum symbol_clone clone = p->symbol.name ? p->symbol.clone : CLONE_NONE;

	if (clone != CLONE_NONE && clone != CLONE_LLVM && clone != CLONE_LTO)
		return false;
	return l->kind == LOCATION_NOWHERE || l->kind == LOCATION_IN_MEMORY;
}

static struct location argument_location(struct debuginfo *d, Dwarf_Die *function, Dwarf_Die *parameter)
{
	VEC(const struct debug_type *) types = { 0 };
	struct location *locations, found = location_nowhere("it is not a parameter");
	Dwarf_Die child;
	size_t at = SIZE_MAX;

	if (dwarf_child(function, &child))
		return found;
	do {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		if (child.addr == parameter->addr)
			at = types.n;
		*vec_add(d->arena, &types) = dwarf_type_of(d, &child);
	} while (dwarf_siblingof(&child, &child) == 0);
	if (at == SIZE_MAX)
		return found;
	locations = arena_array(d->arena, struct location, types.n);
	convention_arguments(d, dwarf_type_of(d, function), types.items, types.n, locations);
	return locations[at];
}

/* The declarations of the inlined function itself, for variables that an inlined copy does not mention. */
static bool abstract_scope(Dwarf_Die *scope, Dwarf_Die *origin)
{
	Dwarf_Attribute attr;

	return dwarf_attr(scope, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, origin);
}

/* ---- Go ---- */

bool dwarf_is_go(const struct debug_place *p)
{
	return p->image->program && program_is_go(p->image, (uint64_t)p->entry);
}

/* Go's results are parameters that the function changes. */
static bool is_go_result(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool is_result;

	return dwarf_tag(die) == DW_TAG_formal_parameter &&
	       dwarf_attr_integrate(die, DW_AT_variable_parameter, &attr) &&
	       !dwarf_formflag(&attr, &is_result) && is_result;
}

/* A result without a name is "~r0" for Go. */
static const char *name_of(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name && *name == '~' ? name + 1 : name;
}

static bool find_in(Dwarf_Die *scope, const char *name, Dwarf_Die *found)
{
	if (dwarf_child(scope, found))
		return false;
	do {
		const char *this = is_variable(found) ? name_of(found) : NULL;

		if (this && str_equal(this, name))
			return true;
	} while (dwarf_siblingof(found, found) == 0);
	return false;
}

/* The parameters and results as they are declared, since a copy may omit some. */
static void declared_values(const struct debug_place *p, struct scopes *s, go_values *out, debug_variables *names)
{
	struct dwarf_context entry = { .d = p->image, .pc = s->pc, .at_entry = true, .function = &s->function };
	Dwarf_Die function = s->function, child, copy;
	struct arena *a = p->image->arena;
	struct go_value *v;

	abstract_scope(&s->function, &function);
	if (dwarf_child(&function, &child))
		return;
	do {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter || !name_of(&child))
			continue;
		v = vec_add(a, out);
		*v = (struct go_value){ .type = dwarf_type_of(p->image, &child), .is_result = is_go_result(&child) };
		if (find_in(&s->function, name_of(&child), &copy))
			v->hint = dwarf_location(&entry, &copy, v->type);
		*vec_add(a, names) = (struct debug_variable){ .name = name_of(&child), .type = v->type,
							      .is_parameter = true, .source = "DWARF" };
	} while (dwarf_siblingof(&child, &child) == 0);
	go_places(p->image, program_go_uses_registers(p->image, (uint64_t)p->entry), out);
	for (size_t i = 0; i < out->n; i++)
		names->items[i].location = out->items[i].location;
}

static struct location go_location(const struct debug_place *p, struct scopes *s, const char *name)
{
	debug_variables names = { 0 };
	go_values values = { 0 };

	declared_values(p, s, &values, &names);
	vec_each(v, &names)
		if (str_equal(v->name, name))
			return v->location;
	return location_nowhere("its place is not known");
}

enum debuginfo_answer dwarf_go_results(const struct debug_place *p, debug_variables *out, const char **reason)
{
	struct debug_place entry = *p;
	debug_variables names = { 0 };
	go_values values = { 0 };
	enum debuginfo_answer found;
	struct scopes s;

	entry.at_entry = true;
	found = find_scopes(&entry, &s, reason);
	if (found != DEBUGINFO_FOUND)
		return found;
	declared_values(p, &s, &values, &names);
	for (size_t i = 0; i < names.n; i++)
		if (values.items[i].is_result)
			*vec_add(p->image->arena, out) = names.items[i];
	return found;
}

/* An argument is still where the caller has put it, and a result where the caller will find it. Go's own description of
 * a structure in registers omits its padding, and it has none of some values on the stack. */
static void place_go_parameter(const struct debug_place *p, struct scopes *s, Dwarf_Die *die,
			       struct debug_variable *out)
{
	bool is_result = is_go_result(die);

	if (is_result && is_at_entry(p))
		out->location = location_nowhere("it has no value yet at the function's entry");
	else if (p->image->request.arch->go && (is_result ? p->at_return : is_at_entry(p)))
		out->location = go_location(p, s, out->name);
}

/* ---- variables ---- */

static void describe(const struct debug_place *p, struct scopes *s, Dwarf_Die *die,
		     struct debug_variable *out)
{
	struct debuginfo *d = p->image;
	struct dwarf_context c = { .d = d, .pc = s->pc, .at_entry = is_at_entry(p),
				   .function = s->function.addr ? &s->function : NULL };
	int line = 0;

	*out = (struct debug_variable){
		.name = name_of(die), .type = dwarf_type_of(d, die), .source = "DWARF",
		.is_parameter = dwarf_tag(die) == DW_TAG_formal_parameter, .file = dwarf_file_of(die),
	};
	if (dwarf_decl_line(die, &line) == 0)
		out->line = (unsigned)line;
	if (p->at_return) {
		out->location = location_nowhere("the function's variables are no longer available at its return");
		if (out->is_parameter && dwarf_is_go(p))
			place_go_parameter(p, s, die, out);
		return;
	}
	out->location = dwarf_location(&c, die, out->type);
	if (out->is_parameter && dwarf_is_go(p)) {
		place_go_parameter(p, s, die, out);
		return;
	}
	if (out->is_parameter && c.at_entry && wants_convention(p, &out->location)) {
		struct location l = argument_location(d, &s->function, die);

		if (l.kind != LOCATION_NOWHERE)
			out->location = l;
	}
	if (c.at_entry && !out->is_parameter && out->location.kind == LOCATION_IN_MEMORY &&
	    dwarf_hasattr(die, DW_AT_location) && out->location.steps.items[0].op == LOCATION_REGISTER)
		out->location = location_nowhere("it has no value yet at the function's entry");
}

/* Search the rest of the unit for a definition. IS_PLACED: one with a location or value. */
static bool find_in_unit(Dwarf_Die *unit, const char *name, bool is_placed, Dwarf_Die *found)
{
	if (dwarf_child(unit, found))
		return false;
	do {
		const char *this = dwarf_tag(found) == DW_TAG_variable ? dwarf_diename(found) : NULL;

		if (this && str_equal(this, name) && !dwarf_hasattr(found, DW_AT_declaration) &&
		    (dwarf_hasattr(found, DW_AT_location) || dwarf_hasattr(found, DW_AT_const_value)) == is_placed)
			return true;
	} while (dwarf_siblingof(found, found) == 0);
	return false;
}

/* gcc 12 for arm64 does not describe where thread-local variables are: use the program's symbols. */
static bool find_thread_local(struct debuginfo *d, Dwarf_Die *unit, const char *name, Dwarf_Die *found,
			      struct location *l)
{
	const char *reason;
	uint64_t offset;

	if (!d->program || program_open(d, &reason) != DEBUGINFO_FOUND ||
	    !elf_thread_offset(&d->program->image, name, &offset) || !find_in_unit(unit, name, false, found))
		return false;
	*l = (struct location){ .kind = LOCATION_IN_MEMORY };
	location_add(d->arena, l, LOCATION_CONST, (int64_t)offset);
	location_add(d->arena, l, LOCATION_TLS, 0);
	return true;
}

static void mark_percpu(struct debuginfo *d, struct debug_variable *v)
{
	struct symbols found = { 0 };

	if (v->location.kind == LOCATION_IN_MEMORY && debuginfo_data(d, v->name, &found) == DEBUGINFO_FOUND &&
	    found.list.items[0].flags & SYMBOL_PERCPU)
		v->location = location_of_symbol(d->arena, &found.list.items[0]);
}

static enum debuginfo_answer variable(const struct debug_place *p, const char *name,
				      struct debug_variable *out, const char **reason)
{
	struct debug_place at = *p;
	struct scopes s;
	enum debuginfo_answer found;
	struct location thread_local;
	Dwarf_Die die, origin;
	bool is_placed;

	/* the offset of a return is that of its function's entry, where an inlined function may begin, too */
	at.at_entry |= p->at_return && dwarf_is_go(p);
	found = find_scopes(&at, &s, reason);
	if (found != DEBUGINFO_FOUND)
		return found;
	vec_each (scope, &s.list)
		if (find_in(scope, name, &die) ||
		    (abstract_scope(scope, &origin) && find_in(&origin, name, &die))) {
			describe(p, &s, &die, out);
			return DEBUGINFO_FOUND;
		}
	is_placed = find_in_unit(&s.unit, name, true, &die);
	if (is_placed || find_thread_local(p->image, &s.unit, name, &die, &thread_local)) {
		struct debug_place anywhere = *p;

		anywhere.at_entry = anywhere.at_return = false;
		describe(&anywhere, &s, &die, out);
		if (!is_placed)
			out->location = thread_local;
		out->is_global = true;
		mark_percpu(p->image, out);
		return DEBUGINFO_FOUND;
	}
	*reason = arena_printf(p->image->arena, "'%s' has no variable '%s' here", p->function, name);
	return DEBUGINFO_ABSENT;
}

static bool is_shadowed(const debug_variables *l, size_t from, const char *name)
{
	for (size_t i = from; i < l->n; i++)
		if (str_equal(l->items[i].name, name))
			return true;
	return false;
}

static void add_variables(const struct debug_place *p, struct scopes *s, Dwarf_Die *scope, unsigned what,
			  size_t before, debug_variables *out)
{
	Dwarf_Die die;

	if (dwarf_child(scope, &die))
		return;
	do {
		unsigned kind = dwarf_tag(&die) == DW_TAG_formal_parameter ? VARIABLES_PARAMETERS :
									     VARIABLES_LOCALS;

		if (!is_variable(&die) || !(what & kind) || !dwarf_diename(&die) ||
		    is_shadowed(out, before, name_of(&die)) || (is_at_entry(p) && dwarf_is_go(p) && is_go_result(&die)))
			continue;
		describe(p, s, &die, vec_add(p->image->arena, out));
	} while (dwarf_siblingof(&die, &die) == 0);
}

static enum debuginfo_answer variables(const struct debug_place *p, unsigned what, debug_variables *out,
				       const char **reason)
{
	struct scopes s;
	enum debuginfo_answer found = find_scopes(p, &s, reason);
	size_t before = out->n;
	Dwarf_Die origin;

	if (found != DEBUGINFO_FOUND)
		return found;
	vec_each (scope, &s.list) {
		add_variables(p, &s, scope, what, before, out);
		if (abstract_scope(scope, &origin))
			add_variables(p, &s, &origin, what, before, out);
	}
	return DEBUGINFO_FOUND;
}

/* The first of several. */
static enum debuginfo_answer go_result(const struct debug_place *p, struct debug_variable *out, const char **reason)
{
	debug_variables results = { 0 };
	enum debuginfo_answer found = dwarf_go_results(p, &results, reason);

	if (found == DEBUGINFO_FOUND && !results.n) {
		*reason = "the function returns nothing";
		return DEBUGINFO_ABSENT;
	}
	if (found != DEBUGINFO_FOUND)
		return found;
	*out = results.items[0];
	out->name = "return";
	if (!p->at_return)
		out->location = location_nowhere("the result is only known at the function's return");
	return found;
}

static enum debuginfo_answer result(const struct debug_place *p, struct debug_variable *out,
				    const char **reason)
{
	struct debug_place entry = *p;
	struct scopes s;
	enum debuginfo_answer found;

	/* the offset of a return is that of its function's entry */
	entry.at_entry = true;
	if (dwarf_is_go(p))
		return go_result(p, out, reason);
	found = find_scopes(&entry, &s, reason);
	if (found != DEBUGINFO_FOUND)
		return found;
	*out = (struct debug_variable){ .name = "return", .type = dwarf_type_of(p->image, &s.function),
					.source = "DWARF" };
	out->location = p->at_return ? convention_result(p->image, out->type) :
				       location_nowhere("the result is only known at the function's return");
	if (p->symbol.name && p->symbol.clone == CLONE_ISRA && p->at_return)
		out->location = location_nowhere("the compiler may have changed what this copy returns");
	return DEBUGINFO_FOUND;
}

/* A variable defined in assembly or by the linker script has its type from a declaration and its
 * address from the symbol table. */
static enum debuginfo_answer declared_global(struct debuginfo *d, const char *name, struct debug_variable *out)
{
	enum debuginfo_answer found;
	const char *reason;
	struct symbol s;
	Dwarf_Die die;

	found = dwarf_declared_named(d, name, &die, &reason);
	if (found == DEBUGINFO_FOUND)
		found = debuginfo_datum(d, name, &s, &reason);
	if (found == DEBUGINFO_FOUND)
		*out = (struct debug_variable){ .name = s.name, .type = dwarf_type_of(d, &die), .is_global = true,
						.source = "DWARF", .location = location_of_symbol(d->arena, &s) };
	return found;
}

static enum debuginfo_answer global(struct debuginfo *d, const char *name, const char *file,
				    struct debug_variable *out, const char **reason)
{
	struct debug_place nowhere = { .image = d, .function = name };
	Dwarf_Die die, unit;
	enum debuginfo_answer found = dwarf_global_named(d, name, file, &die, &unit, reason);
	struct scopes s = { .f = d->dwarf, .unit = unit };

	if (found == DEBUGINFO_ABSENT && !file)
		return declared_global(d, name, out);
	if (found != DEBUGINFO_FOUND)
		return found;
	describe(&nowhere, &s, &die, out);
	out->is_global = true;
	mark_percpu(d, out);
	return DEBUGINFO_FOUND;
}

const struct debug_backend dwarf_backend = {
	.name = "DWARF",
	.type = dwarf_type_named, .enumerator = dwarf_enumerator_named,
	.variable = variable, .variables = variables, .result = result, .global = global,
};
