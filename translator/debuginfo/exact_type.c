/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See exact_type.h. A declaration is written from the name outwards, as C reads it. */
#include "exact_type.h"

#include "debuginfo/chain.h"
#include "base/util.h"

/* The type without typedefs; IS_CONST: any of them is const; NAME: that of the last one. */
static const struct debug_type *real_type(const struct debug_type *t, bool *is_const, const char **name)
{
	*is_const = t->is_const;
	for (int depth = 0; t && t->kind == DEBUG_TYPEDEF && depth < DEEPEST_TYPE; depth++) {
		*name = t->name;
		t = debug_type_target(t);
		*is_const |= t && t->is_const;
	}
	return t;
}

/* The name of T, a struct, union or enum, after its declaration; ALIAS: of an anonymous one, its typedef. A script may
 * declare the same type several times. */
static const char *declare(struct text *declarations, const struct debug_type *t, const char *alias)
{
	const char *tag = t->kind == DEBUG_ENUM ? "enum" : t->kind == DEBUG_UNION ? "union" : "struct";
	struct arena *a = declarations->arena;
	const char *name = t->name ? arena_printf(a, "%s %s", tag, t->name) : alias, *guard, *body;

	if (!name)
		return NULL;
	if (t->name && t->kind != DEBUG_ENUM) {
		text_printf(declarations, "%s;\n", name);
		return name;
	}
	guard = arena_printf(a, "TAPC_%s_%s", tag, t->name ? t->name : alias);
	body = t->kind == DEBUG_ENUM ? arena_printf(a, "{ %s_ANY }", guard) : "{ int any; }";
	text_printf(declarations, "#ifndef %s\n#define %s\n", guard, guard);
	if (t->name)
		text_printf(declarations, "%s %s;\n", name, body);
	else
		text_printf(declarations, "typedef %s %s %s;\n", tag, body, alias);
	text_add(declarations, "#endif\n");
	return name;
}

static const char *declaration(struct text *declarations, const struct debug_type *t, const char *inner, int depth);

static const char *function(struct text *declarations, const struct debug_type *t, const char *inner, int depth)
{
	struct text out;

	text_init(&out, declarations->arena);
	text_printf(&out, "%s(", inner);
	for (size_t i = 0, n = debug_type_parameter_count(t); i < n; i++) {
		const struct debug_type *type;
		const char *ignored, *one = "...";

		if (!debug_type_parameter_at(t, i, &ignored, &type))
			return NULL;
		if (type)
			one = declaration(declarations, type, "", depth + 1);
		if (!one)
			return NULL;
		text_printf(&out, "%s%s", i ? ", " : "", one);
	}
	text_printf(&out, "%s)", debug_type_parameter_count(t) ? "" : "void");
	return declaration(declarations, debug_type_target(t), out.s, depth + 1);
}

/* INNER: the part of the declaration that is nearer to the name. */
static const char *declaration(struct text *declarations, const struct debug_type *t, const char *inner, int depth)
{
	struct arena *a = declarations->arena;
	const char *alias = NULL, *name = NULL;
	const struct debug_type *real, *target;
	bool is_const, target_const;

	if (!t || depth > DEEPEST_TYPE)
		return NULL;
	real = real_type(t, &is_const, &alias);
	if (!real)
		return NULL;
	switch (real->kind) {
	case DEBUG_POINTER:
		target = debug_type_target(real);
		inner = arena_printf(a, "*%s%s", is_const ? "const " : "", inner);
		if (target && (real_type(target, &target_const, &name)->kind == DEBUG_FUNCTION ||
			       real_type(target, &target_const, &name)->kind == DEBUG_ARRAY))
			inner = arena_printf(a, "(%s)", inner);
		return declaration(declarations, target, inner, depth + 1);
	case DEBUG_ARRAY:
		inner = arena_printf(a, "%s[%llu]", inner, (unsigned long long)real->count);
		return declaration(declarations, debug_type_target(real), inner, depth + 1);
	case DEBUG_FUNCTION:
		return function(declarations, real, inner, depth);
	case DEBUG_VOID:
		name = "void";
		break;
	case DEBUG_STRUCT:
	case DEBUG_UNION:
	case DEBUG_ENUM:
		name = declare(declarations, real, alias);
		break;
	default:
		name = real->name;
	}
	return name ? arena_printf(a, "%s%s %s", is_const ? "const " : "", name, inner) : NULL;
}

const char *exact_parameter(struct text *declarations, const struct debug_type *t, const char *name)
{
	const struct debug_type *real = debug_type_real(t);

	if (real->kind == DEBUG_STRUCT || real->kind == DEBUG_UNION || real->kind == DEBUG_FLOAT || real->size > 8)
		return NULL;
	return declaration(declarations, t, name, 0);
}
