/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the places of a point in an image. A wildcard leaves out and counts the places that cannot be
 * probed; if a name is given in full and its place cannot be probed, that is an error with the reason. */
#include "place_search.h"

#include <stdlib.h>
#include <string.h>

#include "debuginfo/program/program.h"
#include "place_callee.h"
#include "place_filter.h"
#include "source/options.h"
#include "base/text.h"
#include "base/util.h"

#include "tap_script.h"
#include "debuginfo/symbols/symbols.h"
#include "syntax/print.h"

#define is_kind place_search_is

/* ---- names ---- */

static bool is_place_component(const struct point_component *c)
{
	return str_equal(c->name, "function") || str_equal(c->name, "statement");
}

static const struct point_component *place_component(const struct point *point)
{
	vec_each(c, &point->components)
		if (is_place_component(c))
			return c;
	return NULL;
}

/* The text that replaces the byte 1. */
const char *place_shown(const struct place_search *s, const struct debug_place *p)
{
	struct arena *a = s->sites->arena;

	if (is_kind(s, KIND_NUMBER))
		return arena_printf(a, "0x%llx", (unsigned long long)s->number);
	if (!p->file)
		return p->function;
	return arena_printf(a, "%s@%s:%u", p->function, p->file, p->line);
}

/* The point as pp() shows it. The name of the function is a byte 1, also for a function found by .callees. */
const char *place_site_name(const struct place_search *s, const char *name, const char *value,
			    const char *label)
{
	struct text t;

	text_init(&t, s->sites->arena);
	vec_each(c, &s->point->components) {
		if (t.n)
			text_char(&t, '.');
		if (str_starts(c->name, "callee")) {
			text_add(&t, "callee(\"\1\")");
			continue;
		}
		text_add(&t, c->name);
		if (s->caller && is_place_component(c))
			text_printf(&t, "(\"%s\")", place_shown(s, s->caller));
		else if (is_place_component(c))
			text_add(&t, c->is_string ? "(\"\1\")" : "(\1)");
		else if (c->has_argument && str_equal(c->name, name))
			text_printf(&t, "(\"%s\")", value);
		else if (c->has_argument && c->is_string)
			text_printf(&t, "(\"%s\")", str_equal(c->name, "label") ? label : c->text);
		else if (c->has_argument)
			text_printf(&t, "(%lld)", (long long)c->number);
	}
	return t.s;
}

uint32_t place_site_flags(const struct place_search *s, const struct debug_place *p)
{
	return (is_kind(s, KIND_RETURN) ? TAP_PROBE_RETURN : 0) | (s->wild || p->caller ? TAP_PROBE_SITES : 0);
}

/* ---- places ---- */

static bool places_of_lines(struct place_search *s, debug_places *out)
{
	bool found = false;

	vec_each(l, &s->spec.lines)
		found |= debuginfo_line_places(s->image, s->spec.function, s->spec.file, l->first, l->last,
					       s->spec.relative, is_kind(s, KIND_NEAREST), out) ==
			 DEBUGINFO_FOUND;
	return found;
}

static unsigned place_kinds(const struct place_search *s)
{
	const struct options *o = s->sites->options;
	unsigned kinds = o->list || o->list_variables ? PLACE_ONCE : 0;

	if (is_kind(s, KIND_CALLEE))
		return PLACE_CALL | PLACE_INLINE;
	if (is_kind(s, KIND_STATEMENT))
		return kinds | PLACE_CALL | PLACE_INLINE;
	return kinds | (is_kind(s, KIND_CALL) ? PLACE_CALL : 0) | (is_kind(s, KIND_INLINE) ? PLACE_INLINE : 0) |
	       (is_kind(s, KIND_RETURN) ? PLACE_RETURN : 0) | (is_kind(s, KIND_SYMBOLS) ? PLACE_SYMBOLS : 0) |
	       (is_kind(s, KIND_FALLIBLE) ? PLACE_PARTS : 0);
}

static bool places_of_functions(struct place_search *s, debug_places *out)
{
	return debuginfo_function_places(s->image, s->spec.function, s->spec.file, place_kinds(s), out) ==
	       DEBUGINFO_FOUND;
}

static bool has_line(const struct place_search *s, const struct debug_place *p, const debug_places *lines)
{
	vec_each(l, &s->spec.lines)
		if (!s->spec.relative && p->line >= l->first && p->line <= l->last)
			return true;
	vec_each(l, lines)
		if (l->id == p->id)
			return true;
	return false;
}

/* Functions that have code on these lines. */
static bool places_of_functions_with_lines(struct place_search *s, debug_places *out)
{
	debug_places all = { 0 }, lines = { 0 };

	if (!places_of_functions(s, &all))
		return false;
	places_of_lines(s, &lines);
	vec_each(p, &all)
		if (has_line(s, p, &lines))
			*vec_add(s->sites->arena, out) = *p;
	if (!out->n)
		sites_reason(s->sites, "no function '%s' has code on these lines", s->spec.function);
	return out->n > 0;
}

static bool place_of_number(struct place_search *s, debug_places *out)
{
	const char *section = NULL;
	struct debug_place p;
	int64_t offset;

	if (!s->offset(s, &section, &offset) ||
	    debuginfo_place_at(s->image, section, offset, &p) != DEBUGINFO_FOUND)
		return false;
	if (!is_kind(s, KIND_STATEMENT) && p.offset != p.entry &&
	    debuginfo_place_at(s->image, section, p.entry, &p) != DEBUGINFO_FOUND)
		return false;
	p.at_return = is_kind(s, KIND_RETURN);
	p.at_entry &= !p.at_return;
	*vec_add(s->sites->arena, out) = p;
	return true;
}

static bool find_places(struct place_search *s, debug_places *out)
{
	if (is_kind(s, KIND_NUMBER))
		return place_of_number(s, out);
	if (is_kind(s, KIND_LABEL))
		return debuginfo_label_places(s->image, s->spec.function, s->spec.file, s->label, out) ==
		       DEBUGINFO_FOUND;
	if (!s->spec.lines.n)
		return places_of_functions(s, out);
	return is_kind(s, KIND_STATEMENT) ? places_of_lines(s, out) : places_of_functions_with_lines(s, out);
}

/* ---- the image ---- */

static void say_why_not(struct place_search *s)
{
	const char *near, *name = s->spec.function;

	const char *why = debuginfo_reason(s->image);

	near = is_kind(s, KIND_NUMBER) || is_glob(name) ? NULL : debuginfo_suggest(s->image, name);
	if (near && !str_equal(near, name))
		sites_reason(s->sites, "did you mean '%s'?", near);
	sites_reason(s->sites, "%s", why);
}

static bool add_places(struct place_search *s)
{
	size_t before = s->sites->list.n;
	debug_places places = { 0 };

	if (!find_places(s, &places)) {
		if (*debuginfo_reason(s->image))
			say_why_not(s);
		return false;
	}
	if (is_kind(s, KIND_CALLEE))
		return place_search_callees(s, &places);
	vec_each(p, &places)
		if (place_search_wants(s, p))
			s->add(s, p);
	if (s->sites->list.n == before && s->wild)
		sites_reason(s->sites, "none of the %zu places that match '%s' can be probed",
			     places.n, s->spec.function);
	else if (s->sites->list.n == before && is_kind(s, KIND_EXPORTED))
		sites_reason(s->sites, "'%s' is not exported", s->spec.function);
	return s->sites->list.n > before;
}

bool place_search_image(struct place_search *s, struct debuginfo *image)
{
	s->image = image;
	s->facts = (struct debuginfo_facts){ 0 };
	debuginfo_facts(image, &s->facts);
	return add_places(s);
}

/* ---- arguments of the point ---- */

bool place_search_begin(struct place_search *s)
{
	const struct point_component *c = place_component(s->point), *label = NULL;
	const char *reason;

	if (is_kind(s, KIND_LABEL))
		label = point_component(s->point, "label");
	s->label = label ? label->text : NULL;
	s->number = (uint64_t)c->number;
	if (is_kind(s, KIND_NUMBER)) {
		s->spec.function = point_text(s->sites->arena, s->point);
		return true;
	}
	if (!place_spec_parse(s->sites->arena, c->text, &s->spec, &reason)) {
		sites_reason(s->sites, "%s", reason);
		return false;
	}
	s->wild = place_spec_is_wild(&s->spec) || (label && is_glob(label->text));
	if (is_kind(s, KIND_NEAREST) && s->spec.lines.n != 1) {
		sites_reason(s->sites, ".nearest needs one line: \"%s@file:line\"", s->spec.function);
		return false;
	}
	return true;
}
