/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places in code and the variables visible there: queries go to each back end in turn, and to the
 * symbol table for function entries. */
#include "debuginfo/place.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "debuginfo/dwarf/place.h"
#include "debuginfo/dwarf/signature.h"
#include "debuginfo/program/choice.h"
#include "debuginfo/program/go.h"
#include "debuginfo/dwarf/function.h"
#include "debuginfo/symbols/symbols.h"

static const struct debug_backend *const chain[] = { &dwarf_backend, &btf_backend };

/* The reasons of all back ends. */
struct reasons {
	struct text text;
	enum debuginfo_answer worst;
};

static void reasons_init(struct reasons *r, struct debuginfo *d)
{
	text_init(&r->text, d->arena);
	r->worst = DEBUGINFO_ABSENT;
}

static void add_reason(struct reasons *r, const char *who, enum debuginfo_answer answer,
		       const char *reason)
{
	if (answer == DEBUGINFO_BROKEN)
		r->worst = answer;
	if (*reason)
		text_printf(&r->text, "%s%s: %s", r->text.n ? "; " : "", who, reason);
}

/* ---- places ---- */

static int compare_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_places(const void *x, const void *y)
{
	const struct debug_place *a = x, *b = y;
	int by_section = compare_text(a->section, b->section);

	if (by_section)
		return by_section;
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	if (a->at_return != b->at_return)
		return a->at_return - b->at_return;
	/* if a place has several names, prefer the global one */
	if ((a->symbol.flags ^ b->symbol.flags) & SYMBOL_GLOBAL)
		return a->symbol.flags & SYMBOL_GLOBAL ? -1 : 1;
	return compare_text(a->symbol.name, b->symbol.name);
}

static bool is_same_place(const struct debug_place *a, const struct debug_place *b)
{
	return a->offset == b->offset && a->at_return == b->at_return && a->id == b->id &&
	       !compare_text(a->section, b->section);
}

/* And drops duplicates. */
static void places_sort(debug_places *l, size_t from)
{
	size_t to = from;

	if (l->n <= from)
		return;
	qsort(l->items + from, l->n - from, sizeof(*l->items), compare_places);
	for (size_t i = from; i < l->n; i++)
		if (to == from || !is_same_place(&l->items[to - 1], &l->items[i]))
			l->items[to++] = l->items[i];
	l->n = to;
}

/* Go's names have dots, "net/http.(*conn).serve"; in other names a dot begins a compiler's suffix. */
static bool has_suffix(struct debuginfo *d, const struct symbol *s)
{
	return s->name[symbol_base_length(s->name)] && !(debuginfo_is_user(d) && program_is_go(d, s->address));
}

static struct debug_place place_of_symbol(struct debuginfo *d, const struct symbol *s)
{
	struct debug_place p = {
		.image = d, .function = s->name,
		.section = s->section, .offset = s->offset, .entry = s->offset, .at_entry = true,
		.symbol = *s,
	};

	if (has_suffix(d, s))
		p.function = arena_strndup(d->arena, s->name, symbol_base_length(s->name));
	else
		p.symbol.clone = CLONE_NONE;
	return p;
}

static bool is_entry(const struct symbol *s, unsigned kinds)
{
	return (s->clone != CLONE_PART || kinds & PLACE_PARTS) && s->clone != CLONE_COLD &&
	       s->obstacle != OBSTACLE_PADDING;
}

static void add_entry(struct debuginfo *d, struct debug_place p, unsigned kinds, debug_places *out)
{
	if (!is_entry(&p.symbol, kinds))
		return;
	if (kinds & PLACE_CALL)
		*vec_add(d->arena, out) = p;
	p.at_entry = false;
	p.at_return = true;
	if (kinds & PLACE_RETURN)
		*vec_add(d->arena, out) = p;
}

/* Add the entries of the functions that CHOOSER may return; false: they are not known. */
static bool add_choices(struct debuginfo *d, const struct symbol *chooser, unsigned kinds, debug_places *out)
{
	struct symbols choices = { 0 };
	bool outside;

	if (!program_choices(d, chooser, &choices, &outside))
		return false;
	vec_each (s, &choices.list) {
		struct debug_place p = place_of_symbol(d, s);

		p.chosen_as = chooser->name;
		p.chosen_outside = outside;
		add_entry(d, p, kinds, out);
	}
	return true;
}

/* Add the entries of functions, and of their clones, from the symbol table. */
static enum debuginfo_answer entries(struct debuginfo *d, const char *pattern, unsigned kinds,
				     debug_places *out)
{
	const char *copies = arena_printf(d->arena, "%s.*", pattern);
	struct symbols found = { 0 }, more = { 0 };
	enum debuginfo_answer plain = debuginfo_functions(d, pattern, &found);
	const char *reason = debuginfo_reason(d);
	size_t before = out->n;

	if (plain == DEBUGINFO_BROKEN)
		return plain;
	if (!str_ends(pattern, "*"))
		debuginfo_functions(d, copies, &more);
	vec_each (s, &more.list)
		if (has_suffix(d, s))
			*vec_add(d->arena, &found.list) = *s;
	vec_each (s, &found.list)
		if (!(s->flags & SYMBOL_CHOOSER) || !add_choices(d, s, kinds, out))
			add_entry(d, place_of_symbol(d, s), kinds, out);
	places_sort(out, before);
	if (out->n > before)
		return debuginfo_answered(d, DEBUGINFO_FOUND, "");
	return debuginfo_answered(d, DEBUGINFO_ABSENT, plain == DEBUGINFO_ABSENT ? reason :
				  arena_printf(d->arena, "'%s' matches only parts of functions", pattern));
}

/* Places that only DWARF has. */
static enum debuginfo_answer from_dwarf(struct debuginfo *d, const char *what,
					const struct dwarf_wanted *wanted, debug_places *out)
{
	const char *reason = "";
	size_t before = out->n;
	enum debuginfo_answer found = dwarf_places(d, wanted, out, &reason);

	places_sort(out, before);
	if (found != DEBUGINFO_FOUND)
		reason = arena_printf(d->arena, "only DWARF has %s: %s", what, reason);
	return debuginfo_answered(d, found, reason);
}

enum debuginfo_answer debuginfo_function_places(struct debuginfo *d, const char *pattern,
						const char *file, unsigned kinds, debug_places *out)
{
	struct dwarf_wanted wanted = { .pattern = pattern, .file = file, .kinds = kinds, .known = SIZE_MAX };
	enum debuginfo_answer called = DEBUGINFO_ABSENT, inlined;
	size_t before = out->n;
	const char *reason;

	if (file)
		return from_dwarf(d, "the files of functions", &wanted, out);
	if (kinds & (PLACE_CALL | PLACE_RETURN))
		called = entries(d, pattern, kinds, out);
	if (called == DEBUGINFO_BROKEN || kinds & PLACE_SYMBOLS ||
	    (called == DEBUGINFO_ABSENT && !(kinds & PLACE_INLINE)))
		return called;
	/* without DWARF, the entries from the symbol table are the answer */
	reason = debuginfo_reason(d);
	wanted.kinds = kinds & (PLACE_INLINE | PLACE_ONCE);
	wanted.known = before;
	inlined = from_dwarf(d, "inlined copies of functions", &wanted, out);
	places_sort(out, before);
	if (called == DEBUGINFO_FOUND)
		return debuginfo_answered(d, called, "");
	if (inlined == DEBUGINFO_ABSENT && d->dwarf_answer == DEBUGINFO_FOUND && *reason)
		return debuginfo_answered(d, inlined, arena_printf(d->arena, "%s, nor is one inlined", reason));
	if (inlined != DEBUGINFO_FOUND && *reason)
		return debuginfo_answered(d, inlined, arena_printf(d->arena, "%s; %s", reason, d->reason));
	return inlined;
}

enum debuginfo_answer debuginfo_line_places(struct debuginfo *d, const char *pattern, const char *file,
					    unsigned first, unsigned last, bool relative, bool nearest,
					    debug_places *out)
{
	struct dwarf_wanted wanted = { .pattern = pattern, .file = file, .has_lines = true, .first = first,
				       .last = last, .relative = relative, .nearest = nearest,
				       .known = SIZE_MAX };

	return from_dwarf(d, "source lines", &wanted, out);
}

enum debuginfo_answer debuginfo_label_places(struct debuginfo *d, const char *pattern,
					     const char *file, const char *name, debug_places *out)
{
	struct dwarf_wanted wanted = { .pattern = pattern, .file = file, .label = name,
				       .known = SIZE_MAX };

	return from_dwarf(d, "labels", &wanted, out);
}

enum debuginfo_answer debuginfo_place_at(struct debuginfo *d, const char *section, int64_t offset,
					 struct debug_place *out)
{
	struct symbol s;
	enum debuginfo_answer found = debuginfo_symbol_at(d, section, offset, &s);

	if (found != DEBUGINFO_FOUND)
		return found;
	*out = place_of_symbol(d, &s);
	out->offset = offset;
	/* up to ftrace's call no register has changed */
	out->at_entry = offset >= out->entry && offset - out->entry <= (int64_t)s.site && is_entry(&s, 0);
	return found;
}

/* ---- variables ---- */

/* A variable that a back end found without a location: the next one may know the location. */
struct search {
	struct reasons reasons;
	struct debug_variable kept;
	bool has_kept;
};

static bool take_answer(struct search *s, const struct debug_backend *from, enum debuginfo_answer answer,
			const struct debug_variable *v, const char *reason)
{
	if (answer == DEBUGINFO_FOUND && v->location.kind != LOCATION_NOWHERE)
		return true;
	add_reason(&s->reasons, from->name, answer,
		   answer == DEBUGINFO_FOUND ? v->location.reason : reason);
	if (answer == DEBUGINFO_FOUND && !s->has_kept) {
		s->kept = *v;
		s->has_kept = true;
	}
	return false;
}

static enum debuginfo_answer end_search(struct search *s, struct debuginfo *d, struct debug_variable *out)
{
	if (!s->has_kept)
		return debuginfo_answered(d, s->reasons.worst, s->reasons.text.s);
	*out = s->kept;
	out->location.reason = s->reasons.text.s;
	return debuginfo_answered(d, DEBUGINFO_FOUND, "");
}

enum debuginfo_answer debuginfo_variable(const struct debug_place *p, const char *name,
					 struct debug_variable *out)
{
	struct search s = { 0 };

	reasons_init(&s.reasons, p->image);
	for (size_t i = 0; i < ARRAY_SIZE(chain); i++) {
		const char *reason = "";
		enum debuginfo_answer found = chain[i]->variable(p, name, out, &reason);

		if (take_answer(&s, chain[i], found, out, reason))
			return debuginfo_answered(p->image, found, "");
	}
	return end_search(&s, p->image, out);
}

enum debuginfo_answer debuginfo_return(const struct debug_place *p, struct debug_variable *out)
{
	struct search s = { 0 };

	reasons_init(&s.reasons, p->image);
	for (size_t i = 0; i < ARRAY_SIZE(chain); i++) {
		const char *reason = "";
		enum debuginfo_answer found = chain[i]->result(p, out, &reason);

		if (take_answer(&s, chain[i], found, out, reason))
			return debuginfo_answered(p->image, found, "");
	}
	return end_search(&s, p->image, out);
}

enum debuginfo_answer debuginfo_results(const struct debug_place *p, debug_variables *out)
{
	const char *reason = "its language has one result";
	enum debuginfo_answer found = DEBUGINFO_ABSENT;

	if (p->at_return && dwarf_is_go(p))
		found = dwarf_go_results(p, out, &reason);
	return debuginfo_answered(p->image, found, found == DEBUGINFO_FOUND ? "" : reason);
}

enum debuginfo_answer debuginfo_variables(const struct debug_place *p, unsigned what,
					  debug_variables *out)
{
	struct reasons r;
	size_t before = out->n;

	reasons_init(&r, p->image);
	for (size_t i = 0; i < ARRAY_SIZE(chain); i++) {
		const char *reason = "";
		enum debuginfo_answer found = chain[i]->variables(p, what, out, &reason);

		if (found == DEBUGINFO_FOUND)
			return debuginfo_answered(p->image, found, "");
		out->n = before;
		add_reason(&r, chain[i]->name, found, reason);
	}
	return debuginfo_answered(p->image, r.worst, r.text.s);
}

enum debuginfo_answer debuginfo_signature(const struct debug_place *p, debug_variables *out)
{
	enum debuginfo_answer parameters, locals;
	struct debug_place entry = *p;
	struct debug_variable result;
	size_t before = out->n;

	if ((p->at_entry || p->at_return) && dwarf_signature(p, out))
		return debuginfo_answered(p->image, DEBUGINFO_FOUND, "");
	if (p->at_return && debuginfo_return(p, &result) == DEBUGINFO_FOUND && result.type->kind != DEBUG_VOID)
		*vec_add(p->image->arena, out) = result;
	if (debuginfo_results(p, out) == DEBUGINFO_FOUND) {
		if (out->n == before + 2)	/* the only result: $return */
			out->n--;
		entry.at_return = false;
		entry.at_entry = true;
	}
	parameters = debuginfo_variables(&entry, VARIABLES_PARAMETERS, out);
	locals = debuginfo_variables(&entry, VARIABLES_LOCALS, out);
	return locals == DEBUGINFO_FOUND ? locals : parameters;
}

enum debuginfo_answer debuginfo_global(struct debuginfo *d, const char *name, const char *file,
				       struct debug_variable *out)
{
	struct reasons r;

	reasons_init(&r, d);
	*out = (struct debug_variable){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(chain); i++) {
		const char *reason = "";
		enum debuginfo_answer found = chain[i]->global(d, name, file, out, &reason);

		if (found == DEBUGINFO_FOUND)
			return debuginfo_answered(d, found, "");
		add_reason(&r, chain[i]->name, found, reason);
	}
	return debuginfo_answered(d, r.worst, r.text.s);
}
