/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function("f").callee("g") and .callees: g where it is inlined into f, and the entry of g when f
 * has called it. The caller is recognized by the return address: a site carries the addresses after
 * the calls in f and, for callees of callees, the addresses after the calls in the functions that f
 * calls; the runtime walks up the stack until it finds an address in f itself. Where f ends in a
 * jump to g, the return address is the one of f, and the instruction before it calls f's entry. */
#include "place_callee.h"

#include <string.h>

#include "place_filter.h"
#include "source/options.h"
#include "base/util.h"

#include "tap_script.h"
#include "debuginfo/dwarf/callee.h"

#define is_kind place_search_is

/* The callees of one function. */
struct expansion {
	struct place_search *s;
	const char *pattern;
	struct place_callers *callers;		/* NULL: any caller */
	VEC(struct expanded { uint64_t id; int64_t depth; }) expanded;
	VEC(struct debug_place) added;
	size_t elsewhere;
};

static bool is_new(struct expansion *e, const struct debug_place *p)
{
	vec_each(other, &e->added)
		if (other->id == p->id && other->offset == p->offset && other->section == p->section)
			return false;
	*vec_add(e->s->sites->arena, &e->added) = *p;
	return true;
}

/* A callee that is inlined into the function itself has no call and so no return address to check. */
static void add_callee(struct expansion *e, const struct debug_callee *call, bool is_root)
{
	struct place_search *s = e->s;
	struct debug_place *p = arena_new(s->sites->arena, struct debug_place);

	*p = call->place;
	p->at_return = is_kind(s, KIND_RETURN);
	p->at_entry &= !p->at_return;
	if (!is_kind(s, call->is_called ? KIND_CALL | KIND_RETURN : KIND_INLINE) || !is_new(e, p) ||
	    !place_search_wants(s, p))
		return;
	s->callers = call->is_called || !is_root ? e->callers : NULL;
	s->add(s, p);
	s->callers = NULL;
}

/* Offsets in a module are relative to .text, so a call in another section cannot be recognized. */
static bool add_caller(struct expansion *e, const struct debug_callee *call, bool is_root)
{
	struct tap_caller caller = { call->returns_to, is_root, call->is_jump };

	if (!call->is_called || !e->callers)
		return true;
	if (call->section && !str_equal(call->section, ".text")) {
		e->elsewhere++;
		return false;
	}
	*vec_add(e->s->sites->arena, &e->callers->list) = caller;
	return true;
}

static bool is_expanded(struct expansion *e, uint64_t id, int64_t depth)
{
	vec_each(x, &e->expanded)
		if (x->id == id && x->depth >= depth)
			return true;
	*vec_add(e->s->sites->arena, &e->expanded) = (struct expanded){ id, depth };
	return false;
}

/* IS_ROOT: P is in the frame of the function itself. */
static bool expand(struct expansion *e, const struct debug_place *p, int64_t depth, bool is_root)
{
	debug_callees calls = { 0 };

	if (is_expanded(e, p->id, depth) || debuginfo_callees(p, e->pattern, &calls) != DEBUGINFO_FOUND)
		return false;
	vec_each(call, &calls) {
		if (!add_caller(e, call, is_root))
			continue;
		add_callee(e, call, is_root);
		if (depth > 1)
			expand(e, &call->place, depth - 1, is_root && !call->is_called);
	}
	return true;
}

static bool add_callees_of(struct place_search *s, const struct debug_place *root, const char *pattern,
			   int64_t depth)
{
	struct expansion e = { .s = s, .pattern = pattern };
	size_t before = s->sites->list.n, reasons = s->sites->reasons.n;

	if (!options_defines(s->sites->options, "STAP_CALLEE_MATCHALL")) {
		e.callers = arena_new(s->sites->arena, struct place_callers);
		e.callers->depth = (unsigned)depth;
	}
	s->caller = root;
	if (!expand(&e, root, depth, true))
		sites_reason(s->sites, "%s", debuginfo_reason(s->image));
	else if (s->sites->list.n == before && e.elsewhere)
		sites_reason(s->sites, "'%s' calls it from a section other than .text, whose load address is not known",
			     root->function);
	else if (s->sites->list.n == before && s->sites->reasons.n == reasons)
		sites_reason(s->sites, "'%s' has no callee '%s' %s", root->function, pattern,
			     is_kind(s, KIND_INLINE) ? "that can be probed" : "other than inlined copies");
	s->caller = NULL;
	return s->sites->list.n > before;
}

bool place_search_callees(struct place_search *s, const debug_places *roots)
{
	const struct point_component *one = point_component(s->point, "callee"),
				     *all = point_component(s->point, "callees");
	int64_t depth = all && all->has_argument ? all->number : 1;
	bool found = false;

	if (depth < 1 || depth > TAP_MOST_CALLERS) {
		sites_reason(s->sites, "expected a depth of callees from 1 to %d, found %lld", TAP_MOST_CALLERS,
			     (long long)depth);
		return false;
	}
	if (depth > 1 && is_kind(s, KIND_NO_STACK)) {
		sites_reason(s->sites, "callees of a program's callees are not available here: "
			     "use .callees, or .callee(\"...\") of each");
		return false;
	}
	s->wild |= !one || is_glob(one->text);
	vec_each(root, roots)
		found |= add_callees_of(s, root, one ? one->text : "*", depth);
	return found;
}
