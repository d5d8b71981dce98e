/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions that a function calls, from DW_TAG_call_site (DWARF 5, 3.4; GNU_call_site before),
 * and those that are inlined into it. A call through a pointer has no known target and is left out.
 * The calls of an inlined function are its own, not those of the function that contains it. */
#include "callee.h"

#include <string.h>

#include "dwarf.h"
#include "base/text.h"
#include "base/util.h"
#include "debuginfo/symbols/symbols.h"

enum { DEEPEST_BLOCK = 64 };

struct callees {
	struct debuginfo *d;
	struct dwarf_file *f;
	const struct debug_place *caller;
	const char *pattern;
	debug_callees *out;
	struct text seen;		/* names that do not match the pattern */
	size_t seen_count;
};

/* ---- names ---- */

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		return dwarf_formstring(&attr);
	return dwarf_diename(die);
}

static bool fits(struct callees *c, Dwarf_Die *function)
{
	const char *name = dwarf_diename(function);

	if (!name)
		return false;
	if (glob_match(c->pattern, name) || glob_match(c->pattern, linkage_name(function)))
		return true;
	if (c->seen_count++ < 12)
		text_printf(&c->seen, "%s%s", c->seen.n ? ", " : "", name);
	return false;
}

/* ---- inlined functions ---- */

static void add_inlined(struct callees *c, Dwarf_Die *die)
{
	struct debug_place p = { .image = c->d, .at_entry = true };
	Dwarf_Addr at;
	int line = 0;

	if (!fits(c, die) || !dwarf_entry_of(die, &at) || !dwarf_offset(c->f, at, &p.section, &p.offset))
		return;
	dwarf_decl_line(die, &line);
	p.id = dwarf_id(c->f, die);
	p.function = dwarf_diename(die);
	p.caller = c->caller->caller ? c->caller->caller : c->caller->function;
	p.file = dwarf_file_of(die);
	p.line = (unsigned)line;
	p.entry = p.offset;
	if (debuginfo_symbol_at(c->d, p.section, p.offset, &p.symbol) == DEBUGINFO_FOUND)
		p.entry = p.symbol.offset;
	*vec_add(c->d->arena, c->out) = (struct debug_callee){ .place = p };
}

/* ---- called functions ---- */

static bool set_return(struct callees *c, Dwarf_Die *site, struct debug_callee *call)
{
	Dwarf_Attribute attr;
	Dwarf_Addr at;

	call->is_called = true;
	call->is_jump = dwarf_hasattr(site, DW_AT_call_tail_call) || dwarf_hasattr(site, DW_AT_GNU_tail_call);
	if (call->is_jump) {
		call->section = c->caller->section;
		call->returns_to = c->caller->entry;
		return true;
	}
	if (dwarf_attr(site, DW_AT_call_return_pc, &attr) ? dwarf_formaddr(&attr, &at) : dwarf_lowpc(site, &at))
		return false;
	return dwarf_offset(c->f, at, &call->section, &call->returns_to);
}

static bool called_function(Dwarf_Die *site, Dwarf_Die *function)
{
	Dwarf_Attribute attr;

	return (dwarf_attr(site, DW_AT_call_origin, &attr) || dwarf_attr(site, DW_AT_abstract_origin, &attr)) &&
	       dwarf_formref_die(&attr, function);
}

/* A global function may be defined anywhere; a static one is in the same unit, and other units may
 * have static functions of the same name. */
static bool is_meant(struct callees *c, const struct debug_place *p, Dwarf_Die *function)
{
	Dwarf_Die die, unit, other;

	if (dwarf_hasattr_integrate(function, DW_AT_external))
		return p->symbol.flags & (SYMBOL_GLOBAL | SYMBOL_WEAK);
	return p->id && dwarf_die(c->f, p->id, &die) &&
	       dwarf_diecu(&die, &unit, NULL, NULL) && dwarf_diecu(function, &other, NULL, NULL) &&
	       unit.addr == other.addr;
}

static void add_called(struct callees *c, Dwarf_Die *site)
{
	struct debug_callee call = { 0 };
	debug_places places = { 0 };
	Dwarf_Die function;

	if (!called_function(site, &function) || !fits(c, &function) || !set_return(c, site, &call) ||
	    debuginfo_function_places(c->d, linkage_name(&function), NULL, PLACE_CALL, &places) != DEBUGINFO_FOUND)
		return;
	vec_each (p, &places) {
		if (!is_meant(c, p, &function))
			continue;
		call.place = *p;
		*vec_add(c->d->arena, c->out) = call;
	}
}

/* ---- all callees ---- */

static void walk(struct callees *c, Dwarf_Die *scope, int depth)
{
	Dwarf_Die die;

	if (depth > DEEPEST_BLOCK || dwarf_child(scope, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_lexical_block:
			walk(c, &die, depth + 1);
			break;
		case DW_TAG_inlined_subroutine:
			add_inlined(c, &die);
			break;
		case DW_TAG_call_site: case DW_TAG_GNU_call_site:
			add_called(c, &die);
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

enum debuginfo_answer debuginfo_callees(const struct debug_place *p, const char *pattern, debug_callees *out)
{
	struct callees c = { .d = p->image, .caller = p, .pattern = pattern, .out = out };
	const char *reason = "it has no information about this place";
	enum debuginfo_answer found = dwarf_open(c.d, &reason);
	size_t before = out->n;
	Dwarf_Die die;

	c.f = c.d->dwarf;
	if (found != DEBUGINFO_FOUND || !p->id || !dwarf_die(c.f, p->id, &die))
		return debuginfo_answered(c.d, found == DEBUGINFO_FOUND ? DEBUGINFO_ABSENT : found,
					  arena_printf(c.d->arena, "only DWARF has the callees of '%s': %s",
						       p->function, reason));
	text_init(&c.seen, c.d->arena);
	walk(&c, &die, 0);
	if (out->n > before)
		return debuginfo_answered(c.d, DEBUGINFO_FOUND, "");
	return debuginfo_answered(c.d, DEBUGINFO_ABSENT,
				  arena_printf(c.d->arena, "'%s' calls no '%s' by name%s%s",
					       p->function, pattern, c.seen.n ? "; it calls " : "", c.seen.s));
}
