/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types, independent of the back end: their targets and members, and their C text. */
#include "debuginfo/type.h"

#include <string.h>

#include "debuginfo/chain.h"
#include "base/text.h"
#include "base/util.h"

/* ---- walking ---- */

static bool has_target(const struct debug_type *t)
{
	return t->kind == DEBUG_POINTER || t->kind == DEBUG_ARRAY || t->kind == DEBUG_TYPEDEF ||
	       t->kind == DEBUG_FUNCTION;
}

static bool has_members(const struct debug_type *t)
{
	return (t->kind == DEBUG_STRUCT || t->kind == DEBUG_UNION) && t->reader->member_at;
}

const struct debug_type *debug_type_target(const struct debug_type *t)
{
	return has_target(t) ? t->reader->target(t) : NULL;
}

const struct debug_type *debug_type_real(const struct debug_type *t)
{
	for (int depth = 0; t->kind == DEBUG_TYPEDEF && depth < DEEPEST_TYPE; depth++)
		t = debug_type_target(t);
	return t;
}

size_t debug_type_member_count(const struct debug_type *t)
{
	return has_members(t) ? t->reader->member_count(t) : 0;
}

bool debug_type_member_at(const struct debug_type *t, size_t i, struct debug_member *m)
{
	*m = (struct debug_member){ 0 };
	return has_members(t) && i < t->reader->member_count(t) && t->reader->member_at(t, i, m);
}

static bool is_nest(const struct debug_member *m, const struct debug_type **nest)
{
	*nest = m->name ? NULL : debug_type_real(m->type);
	return *nest && has_members(*nest);
}

static bool find_member(const struct debug_type *t, const char *name, int depth,
			struct debug_member *m)
{
	const struct debug_type *nest;
	struct debug_member inner;

	if (depth > DEEPEST_TYPE)
		return false;
	for (size_t i = 0, n = debug_type_member_count(t); i < n; i++) {
		if (!debug_type_member_at(t, i, m))
			continue;
		if (m->name && str_equal(m->name, name))
			return true;
		if (!is_nest(m, &nest) || !find_member(nest, name, depth + 1, &inner))
			continue;
		inner.offset += m->offset;
		*m = inner;
		return true;
	}
	return false;
}

bool debug_type_member(const struct debug_type *t, const char *name, struct debug_member *m)
{
	return find_member(debug_type_real(t), name, 0, m);
}

static void collect_names(struct arena *a, const struct debug_type *t, int depth, name_list *names)
{
	const struct debug_type *nest;
	struct debug_member m;

	for (size_t i = 0, n = debug_type_member_count(t); i < n && depth < DEEPEST_TYPE; i++) {
		if (!debug_type_member_at(t, i, &m))
			continue;
		if (m.name)
			*vec_add(a, names) = m.name;
		else if (is_nest(&m, &nest))
			collect_names(a, nest, depth + 1, names);
	}
}

const char *debug_type_suggest(const struct debug_type *t, const char *name)
{
	struct arena *a = arena_open();
	name_list names = { 0 };
	const char *nearest;

	collect_names(a, debug_type_real(t), 0, &names);
	nearest = nearest_name(name, names.items, names.n);
	arena_close(a);
	return nearest;
}

size_t debug_type_parameter_count(const struct debug_type *t)
{
	return t->kind == DEBUG_FUNCTION && t->reader->parameter_at ? t->reader->parameter_count(t) : 0;
}

bool debug_type_parameter_at(const struct debug_type *t, size_t i, const char **name,
			     const struct debug_type **type)
{
	return i < debug_type_parameter_count(t) && t->reader->parameter_at(t, i, name, type);
}

size_t debug_type_enumerator_count(const struct debug_type *t)
{
	return t->kind == DEBUG_ENUM && t->reader->enumerator_at ? t->reader->enumerator_count(t) : 0;
}

bool debug_type_enumerator_at(const struct debug_type *t, size_t i, const char **name, int64_t *value)
{
	return i < debug_type_enumerator_count(t) && t->reader->enumerator_at(t, i, name, value);
}

void member_set_bits(struct debug_member *m, uint64_t at, uint32_t bits, uint64_t size)
{
	uint64_t unit = size && size <= 8 ? size : 1;

	/* a bit-field that crosses its type's boundary is in a packed struct: use the byte it starts in */
	if (at % (8 * unit) + bits > 8 * unit)
		unit = 1;
	m->offset = at / (8 * unit) * unit;
	m->bit_offset = (uint32_t)(at % (8 * unit));
	m->bit_size = bits;
}

/* ---- C text ---- */

static const char *kind_word(const struct debug_type *t)
{
	switch (t->kind) {
	case DEBUG_STRUCT:
		return "struct ";
	case DEBUG_UNION:
		return "union ";
	case DEBUG_ENUM:
		return "enum ";
	default:
		return "";
	}
}

static const char *qualifiers(const struct debug_type *t)
{
	static const char *const words[] = { "", "const ", "volatile ", "const volatile " };

	return words[t->is_const + 2 * t->is_volatile];
}

static const char *pointer_to(struct arena *a, const struct debug_type *t,
			      const struct debug_type *target, const char *inner)
{
	bool wants = target->kind == DEBUG_ARRAY || target->kind == DEBUG_FUNCTION;
	char *star = arena_printf(a, "*%s", qualifiers(t));

	if (!*inner || *inner == '[' || *inner == '(')
		while (str_ends(star, " "))
			star[strlen(star) - 1] = '\0';
	return arena_printf(a, wants ? "(%s%s)" : "%s%s", star, inner);
}

static const char *type_text(struct arena *a, const struct debug_type *t, const char *inner, int depth);

static const char *function_inner(struct arena *a, const struct debug_type *t, const char *inner,
				  int depth)
{
	size_t n = debug_type_parameter_count(t);
	const struct debug_type *type;
	const char *name;
	struct text out;

	text_init(&out, a);
	text_printf(&out, "%s(%s", inner, n ? "" : "void");
	for (size_t i = 0; i < n; i++) {
		if (i)
			text_add(&out, ", ");
		if (debug_type_parameter_at(t, i, &name, &type))
			text_add(&out, type ? type_text(a, type, "", depth + 1) : "...");
	}
	text_char(&out, ')');
	return out.s;
}

/* The declaration of INNER as type T, built outwards from the name. */
static const char *type_text(struct arena *a, const struct debug_type *t, const char *inner, int depth)
{
	const struct debug_type *target;

	if (depth > DEEPEST_TYPE)
		return "?";
	target = t->kind == DEBUG_TYPEDEF ? NULL : debug_type_target(t);
	switch (target ? t->kind : DEBUG_VOID) {
	case DEBUG_POINTER:
		return type_text(a, target, pointer_to(a, t, target, inner), depth + 1);
	case DEBUG_ARRAY:
		inner = t->count ? arena_printf(a, "%s[%llu]", inner, (unsigned long long)t->count) :
				   arena_printf(a, "%s[]", inner);
		return type_text(a, target, inner, depth + 1);
	case DEBUG_FUNCTION:
		return type_text(a, target, function_inner(a, t, inner, depth), depth + 1);
	default:
		return arena_printf(a, "%s%s%s%s%s", qualifiers(t), kind_word(t),
				    t->name ? t->name : t->kind == DEBUG_VOID ? "void" : "{...}",
				    *inner ? " " : "", inner);
	}
}

const char *debug_type_text(struct arena *a, const struct debug_type *t)
{
	return type_text(a, t, "", 0);
}
