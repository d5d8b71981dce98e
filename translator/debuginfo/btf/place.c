/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables from BTF: it describes the parameters and result of a function, so with the calling convention these
 * are available at its entry and return; of globals it has per-CPU variables, and in newer kernels perhaps all. */
#include <bpf/btf.h>
#include <string.h>

#include "place.h"
#include "type.h"
#include "arch/arch.h"
#include "base/util.h"
#include "debuginfo/convention.h"
#include "debuginfo/location.h"
#include "debuginfo/symbols/symbols.h"

static const char function_kind[] = "it has no function of this name: it leaves out those with several "
				    "prototypes, and those the compiler changed";

/* The prototype as a FUNCTION; clones with other parameters have none. */
static enum debuginfo_answer prototype_of(const struct debug_place *p, const struct debug_type **t,
					  const char **reason)
{
	struct arena *a = p->image->arena;
	const char *symbol = p->symbol.name ? p->symbol.name : p->function;
	struct btf_id f;
	enum debuginfo_answer found;

	switch (p->symbol.name ? p->symbol.clone : CLONE_NONE) {
	case CLONE_ISRA:
	case CLONE_PART:
	case CLONE_COLD:
	case CLONE_OTHER:
		*reason = arena_printf(a, "'%s' is a copy that the compiler made with other parameters", symbol);
		return DEBUGINFO_ABSENT;
	default:
		break;
	}
	found = btf_named(p->image, p->function, 1u << BTF_KIND_FUNC, &f, reason);
	if (!f.id) {
		if (found == DEBUGINFO_FOUND)
			*reason = function_kind;
		return found == DEBUGINFO_FOUND ? DEBUGINFO_ABSENT : found;
	}
	if (btf_is_ambiguous(&f, 1u << BTF_KIND_FUNC)) {
		*reason = arena_printf(a, "it has several functions '%s' with different parameters", p->function);
		return DEBUGINFO_ABSENT;
	}
	*t = btf_type_handle(f.image, btf__type_by_id(f.image->btf, f.id)->type);
	if ((*t)->kind == DEBUG_FUNCTION)
		return DEBUGINFO_FOUND;
	*reason = "a function in it has no prototype";
	return DEBUGINFO_BROKEN;
}

/* Why registers do not hold the arguments at this place; NULL: they do. */
static const char *why_no_arguments(const struct debug_place *p)
{
	if (p->caller)
		return "BTF does not describe inlined functions";
	if (p->at_return)
		return "parameters are known at the function's entry only";
	if (!p->at_entry)
		return "BTF describes parameters at the function's entry only";
	return NULL;
}

static enum debuginfo_answer parameters(const struct debug_place *p, debug_variables *out,
					const char **reason)
{
	struct arena *a = p->image->arena;
	const struct debug_type *function, **types;
	enum debuginfo_answer found = prototype_of(p, &function, reason);
	const char *why = why_no_arguments(p);
	struct location *locations;
	size_t n;

	if (found != DEBUGINFO_FOUND)
		return found;
	n = debug_type_parameter_count(function);
	types = arena_array(a, const struct debug_type *, n + 1);
	locations = arena_array(a, struct location, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct debug_variable *v;
		const char *name = "";

		debug_type_parameter_at(function, i, &name, &types[i]);
		if (!types[i]) {
			n = i;		/* "..." */
			break;
		}
		v = vec_add(a, out);
		*v = (struct debug_variable){ .name = name, .type = types[i], .is_parameter = true,
					      .source = "BTF" };
	}
	if (!why && p->symbol.clone == CLONE_CONSTPROP)
		why = "the compiler made a copy of the function without some of its parameters";
	if (!why)
		convention_arguments(p->image, debug_type_target(function), types, n, locations);
	for (size_t i = 0; i < n; i++)
		out->items[out->n - n + i].location = why ? location_nowhere(why) : locations[i];
	return DEBUGINFO_FOUND;
}

const char *debuginfo_beyond_registers(const struct debug_place *p)
{
	const struct debug_type *function, *type;
	const char *reason = NULL, *name;
	size_t n, used;

	if (p->caller)
		return "it is an inlined copy";
	if (prototype_of(p, &function, &reason) != DEBUGINFO_FOUND)
		return "BTF does not describe the function's arguments";
	type = debug_type_target(function);
	used = type && debug_type_real(type)->size > 16;
	n = debug_type_parameter_count(function);
	for (size_t i = 0; i < n; i++) {
		const struct debug_type *real;

		debug_type_parameter_at(function, i, &name, &type);
		real = type ? debug_type_real(type) : NULL;
		if (!real)
			return "the function takes any number of arguments";
		if (!real->size || real->size > 8 || real->kind == DEBUG_STRUCT || real->kind == DEBUG_UNION ||
		    real->kind == DEBUG_FLOAT)
			return "an argument of the function is not a word";
	}
	return used + n <= p->image->request.arch->argument_count ? NULL :
		"the function has more arguments than registers for them";
}

static enum debuginfo_answer variables(const struct debug_place *p, unsigned what, debug_variables *out,
				       const char **reason)
{
	if (what & VARIABLES_PARAMETERS)
		return parameters(p, out, reason);
	*reason = "it has no local variables";
	return DEBUGINFO_ABSENT;
}

static enum debuginfo_answer variable(const struct debug_place *p, const char *name,
				      struct debug_variable *out, const char **reason)
{
	debug_variables all = { 0 };
	enum debuginfo_answer found = parameters(p, &all, reason);

	if (found != DEBUGINFO_FOUND)
		return found;
	vec_each (v, &all)
		if (str_equal(v->name, name)) {
			*out = *v;
			return DEBUGINFO_FOUND;
		}
	*reason = arena_printf(p->image->arena, "'%s' has no parameter '%s', and BTF has no locals",
			       p->function, name);
	return DEBUGINFO_ABSENT;
}

static enum debuginfo_answer result(const struct debug_place *p, struct debug_variable *out,
				    const char **reason)
{
	const struct debug_type *function;
	enum debuginfo_answer found = prototype_of(p, &function, reason);

	if (found != DEBUGINFO_FOUND)
		return found;
	*out = (struct debug_variable){ .name = "return", .type = debug_type_target(function),
					.source = "BTF" };
	out->location = p->at_return ? convention_result(p->image, out->type) :
				       location_nowhere("the result is only known at the function's return");
	return DEBUGINFO_FOUND;
}

/* ---- globals ---- */

static enum debuginfo_answer global(struct debuginfo *d, const char *name, const char *file,
				    struct debug_variable *out, const char **reason)
{
	struct symbol s;
	struct btf_id v;
	enum debuginfo_answer found;

	if (file) {
		*reason = "only DWARF has the files of variables";
		return DEBUGINFO_ABSENT;
	}
	found = debuginfo_datum(d, name, &s, reason);
	if (found != DEBUGINFO_FOUND)
		return found;
	*out = (struct debug_variable){ .name = s.name, .is_global = true, .source = "symbol table",
					.location = location_of_symbol(d->arena, &s) };
	found = btf_named(d, name, 1u << BTF_KIND_VAR, &v, reason);
	if (v.id && v.image == d && !btf_is_ambiguous(&v, 1u << BTF_KIND_VAR)) {
		out->type = btf_type_handle(d, btf__type_by_id(d->btf, v.id)->type);
		out->source = "BTF";
		return DEBUGINFO_FOUND;
	}
	if (found == DEBUGINFO_FOUND) {
		*reason = arena_printf(d->arena, "BTF does not have the type of '%s'; the symbol table has its "
				       "address", name);
		found = DEBUGINFO_ABSENT;
	}
	return found;
}

const struct debug_backend btf_backend = {
	.name = "BTF",
	.type = btf_type_named, .enumerator = btf_enumerator_named,
	.variable = variable, .variables = variables, .result = result, .global = global,
};
