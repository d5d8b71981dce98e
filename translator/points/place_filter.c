/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the places that were found can be probed. A place that cannot be is counted if it was found by a
 * wildcard, and is an error with a reason if it was named in full. */
#include "place_filter.h"

#include "debuginfo/program/entry.h"
#include "debuginfo/type.h"
#include "base/util.h"

#define is_kind place_search_is

/* The code at which a new task starts: the scheduler's switch to the task "returns" there. */
static bool is_entry_of_task(const char *name)
{
	return str_equal(name, "ret_from_fork") || str_equal(name, "ret_from_fork_asm");
}

static const char *return_obstacle(const struct place_search *s, const struct debug_place *p)
{
	if (debuginfo_is_user(s->image))
		return program_return_obstacle(s->image, (uint64_t)p->entry);
	return is_entry_of_task(p->symbol.name) ? PROGRAM_NOT_CALLED : NULL;
}

static const char *obstacle(const struct place_search *search, const struct debug_place *p)
{
	const struct symbol *s = &p->symbol;
	const char *why = NULL;

	if (!s->name)
		return "is not in the symbol table";
	if (p->offset == p->entry && !p->caller &&
	    ((s->clone == CLONE_PART && !is_kind(search, KIND_FALLIBLE)) || s->clone == CLONE_COLD))
		return "is a part of a function that the compiler split off, not an entry";
	if (is_kind(search, KIND_RETURN) && !p->caller && !s->obstacle)
		why = return_obstacle(search, p);
	return why ? why : symbol_obstacle_text(s->obstacle);
}

/* A copy or part that the compiler has made has the result of the function that it was made from. */
static bool find_result(const struct debug_place *p, const struct debug_type **type)
{
	struct debug_variable result = { 0 };
	struct debug_place original = *p;

	original.symbol.clone = CLONE_NONE;
	if (debuginfo_return(p, &result) != DEBUGINFO_FOUND &&
	    (p->symbol.clone == CLONE_NONE || debuginfo_return(&original, &result) != DEBUGINFO_FOUND))
		return false;
	*type = result.type ? debug_type_real(result.type) : NULL;
	return true;
}

/* An error number is negative: an int, a long, a pointer that ERR_PTR() made, or an address in an unsigned long, as in
 * mmap(). If the type is not known, as BTF leaves out most functions that the compiler has changed, it may be one. */
static bool is_fallible(const struct debug_place *p)
{
	const struct debug_type *type;

	if (!find_result(p, &type))
		return true;
	return type && (type->kind == DEBUG_POINTER ||
			(type->kind == DEBUG_INT && (type->size == 8 || (type->size == 4 && type->is_signed))));
}

static const struct debug_type *pointed_to(const struct debug_type *type)
{
	const struct debug_type *real = type ? debug_type_real(type) : NULL;
	const struct debug_type *target = real && real->kind == DEBUG_POINTER ? debug_type_target(real) : NULL;

	return target ? debug_type_real(target) : NULL;
}

static bool points_to(const struct debug_type *type, const char *name)
{
	const struct debug_type *target = pointed_to(type);

	return target && target->kind == DEBUG_STRUCT && target->name && str_equal(target->name, name);
}

/* A structure that is passed by value, or a number of 16 bytes, may take any number of registers. */
static bool takes_one_register(const struct debug_type *type)
{
	const struct debug_type *real = type ? debug_type_real(type) : NULL;

	return real && real->size <= 8 && real->kind != DEBUG_STRUCT && real->kind != DEBUG_UNION &&
	       real->kind != DEBUG_FLOAT;
}

unsigned place_taken(struct place_search *s, const struct debug_place *p)
{
	enum { REGISTERS = 6 };
	const char *name = point_component(s->point, "takes")->text;
	struct debug_place at = *p;
	debug_variables list = { 0 };

	at.at_entry = true;
	at.at_return = false;
	if (debuginfo_variables(&at, VARIABLES_PARAMETERS, &list) != DEBUGINFO_FOUND)
		return 0;
	for (unsigned i = 0; i < list.n && i < REGISTERS; i++) {
		if (points_to(list.items[i].type, name))
			return i + 1;
		if (points_to(pointed_to(list.items[i].type), name))
			return (i + 1) | TAP_TAKEN_BY_POINTER;
		if (!takes_one_register(list.items[i].type))
			return 0;
	}
	return 0;
}

bool place_search_wants(struct place_search *s, const struct debug_place *p)
{
	const char *why = obstacle(s, p), *denied;

	if (is_kind(s, KIND_EXPORTED) && !(p->symbol.flags & SYMBOL_GLOBAL))
		return false;
	if (is_kind(s, KIND_FALLIBLE) && !is_fallible(p)) {
		if (!s->wild)
			sites_reason(s->sites, "the result of '%s' is no error number, but 'fallible' asks for an int, a long or a pointer",
				     p->function);
		return false;
	}
	if (is_kind(s, KIND_TAKES) && !place_taken(s, p)) {
		if (!s->wild)
			sites_reason(s->sites, "no argument of '%s' that is in a register points to a struct %s",
				     p->function, point_component(s->point, "takes")->text);
		return false;
	}
	denied = !why && s->denies ? s->denies(s, p) : NULL;
	if ((why || denied) && s->wild) {
		s->sites->skipped++;
		return false;
	}
	if (denied) {
		sites_reason(s->sites, "%s", denied);
		return false;
	}
	if (why) {
		s->sites->skipped += p->caller != NULL;
		sites_reason(s->sites, "'%s' %s", p->caller ? p->caller : p->function, why);
		return false;
	}
	if (s->wild && s->facts.ftrace_sites && !(p->symbol.flags & SYMBOL_FTRACE)) {
		s->sites->skipped++;	/* notrace: mostly functions that tracing itself uses */
		return false;
	}
	return true;
}
