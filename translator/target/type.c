/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operators on types and raw memory: @sizeof, @offsetof, @container_of, @enum, @enumname, @const,
 * @kderef, @uderef, @kregister, @uregister. Each becomes a number or an expression that emit can write. */
#include "type.h"

#include <string.h>

#include "base/access.h"
#include "arch/arch.h"
#include "syntax/ast.h"
#include "debuginfo/place.h"
#include "debuginfo/images.h"
#include "source/diag.h"
#include "points/family.h"
#include "target.h"
#include "place.h"
#include "base/util.h"

#include "tap_script.h"

struct type_op {
	struct arena *arena;
	const struct target_scope *at;
	struct expr *expr;
	struct sites problems;
};

static const char *text_of(const struct type_op *o, size_t i)
{
	return i < o->expr->type_op.args.n ? o->expr->type_op.args.items[i]->string.text : NULL;
}

static bool notes(struct type_op *o)
{
	vec_each(reason, &o->problems.reasons)
		if (**reason)
			diag_note(o->expr->span, "%s", *reason);
	return false;
}

static bool find_type(struct type_op *o, size_t name, size_t module, const struct debug_type **type)
{
	if (target_type(o->at, text_of(o, module), text_of(o, name), type, &o->problems))
		return true;
	diag_error(o->expr->span, "no type '%s'", text_of(o, name));
	return notes(o);
}

static bool size_of(struct type_op *o)
{
	const struct debug_type *type;

	if (!find_type(o, 0, 1, &type))
		return false;
	expr_become_number(o->expr, (int64_t)debug_type_real(type)->size);
	return true;
}

/* "member", or "member.inner" */
static bool find_offset(struct type_op *o, const struct debug_type *type, const char *path, int64_t *offset)
{
	char *names = arena_strdup(o->arena, path), *rest, *name;

	*offset = 0;
	for (name = strtok_r(names, ".", &rest); name; name = strtok_r(NULL, ".", &rest)) {
		const struct debug_type *real = debug_type_real(type);
		struct debug_member m;

		if ((real->kind != DEBUG_STRUCT && real->kind != DEBUG_UNION) ||
		    !debug_type_member(real, name, &m)) {
			diag_error(o->expr->span, "'%s' has no member '%s'",
				   debug_type_text(o->arena, type), name);
			return false;
		}
		*offset += (int64_t)m.offset;
		type = m.type;
	}
	return true;
}

static bool offset_of(struct type_op *o)
{
	const struct debug_type *type;
	int64_t offset;

	if (!find_type(o, 0, 2, &type) || !find_offset(o, type, text_of(o, 1), &offset))
		return false;
	expr_become_number(o->expr, offset);
	return true;
}

static bool container_of_(struct type_op *o)
{
	struct expr *e = o->expr, *pointer = e->type_op.args.items[0], *number;
	const struct debug_type *type;
	int64_t offset;

	if (!find_type(o, 1, 3, &type) || !find_offset(o, type, text_of(o, 2), &offset))
		return false;
	number = expr_make(o->arena, EXPR_NUMBER, e->span);
	expr_become_number(number, offset);
	*e = (struct expr){ .kind = EXPR_BINARY, .span = e->span, .pointee = type,
			    .binary = { .op = OP_SUB, .left = pointer, .right = number } };
	return true;
}

static bool enum_value(struct type_op *o)
{
	int64_t value;

	if (!target_enumerator(o->at, text_of(o, 1), text_of(o, 0), &value, &o->problems)) {
		diag_error(o->expr->span, "no enumerator '%s'", text_of(o, 0));
		return notes(o);
	}
	expr_become_number(o->expr, value);
	return true;
}

static bool enum_name(struct type_op *o)
{
	struct arena *a = o->arena;
	const struct debug_type *type, *real;

	if (!find_type(o, 0, 2, &type))
		return false;
	real = debug_type_real(type);
	if (real->kind != DEBUG_ENUM) {
		diag_error(o->expr->span, "'%s' is not an enum", text_of(o, 0));
		return false;
	}
	o->expr->type_op.enumerators.n = 0;
	for (size_t i = 0; i < debug_type_enumerator_count(real); i++) {
		struct enumerator *n = vec_add(a, &o->expr->type_op.enumerators);

		debug_type_enumerator_at(real, i, &n->name, &n->value);
	}
	return true;
}

/* An enumerator if there is one; otherwise the text is C, which needs a compiler and the kernel's headers. */
static bool constant(struct type_op *o)
{
	struct expr *e = o->expr;
	const char *text = text_of(o, 0);
	int64_t value;

	if (target_enumerator(o->at, NULL, text, &value, &o->problems)) {
		expr_become_number(e, value);
		return true;
	}
	*e = (struct expr){ .kind = EXPR_EMBEDDED, .span = e->span,
			    .embedded = { .code = text, .size = strlen(text), .is_pure = true } };
	return true;
}

/* Turn the operator into an access without a variable. */
static void become_access(struct type_op *o, struct access access, struct expr *base)
{
	struct expr *e = o->expr;
	const char *name = arena_printf(o->arena, "@%s", e->type_op.op);
	int64_t number = e->type_op.args.items[0]->number.value;
	struct access *a = arena_new(o->arena, struct access);

	*a = access;
	*e = (struct expr){ .kind = EXPR_TARGET, .type = TYPE_LONG, .span = e->span,
			    .target = { .what = TARGET_CAST, .name = name, .base = base, .number = number,
					.access = a } };
}

static bool deref(struct type_op *o, bool user)
{
	int64_t size = o->expr->type_op.args.items[0]->number.value;

	if (size != 1 && size != 2 && size != 4 && size != 8) {
		diag_error(o->expr->span, "expected a size of 1, 2, 4 or 8 bytes, found %lld", (long long)size);
		return false;
	}
	become_access(o, (struct access){ .kind = ACCESS_NUMBER, .from = ACCESS_FROM_EXPR,
					  .size = (uint32_t)size, .user = user },
		      o->expr->type_op.args.items[1]);
	return true;
}

static bool dwarf_register(struct type_op *o)
{
	int64_t number = o->expr->type_op.args.items[0]->number.value;
	const struct arch *arch = target_site_arch(o->at);
	const struct arch_register *r = number >= 0 && number < 1000 ?
						arch_register_of_dwarf(arch, (int)number) : NULL;
	struct access a = { .kind = ACCESS_NUMBER, .is_value = true, .size = 8,
			    .regs = TAP_PROBE_ALL_REGS };

	if (!r) {
		diag_error(o->expr->span, "%s has no register %lld", arch->name, (long long)number);
		return false;
	}
	a.base.kind = LOCATION_IS_VALUE;
	*vec_add(o->arena, &a.base.steps) =
		(struct location_step){ .op = LOCATION_REGISTER, .value = r->offset };
	become_access(o, a, NULL);
	return true;
}

bool target_resolve_type_op(const struct target_scope *at, struct expr *e)
{
	struct type_op o = { .arena = at->images->arena, .at = at, .expr = e, .problems = target_problems(at) };
	const char *op = e->type_op.op;

	if (str_equal(op, "sizeof"))
		return size_of(&o);
	if (str_equal(op, "offsetof"))
		return offset_of(&o);
	if (str_equal(op, "container_of"))
		return container_of_(&o);
	if (str_equal(op, "enum"))
		return enum_value(&o);
	if (str_equal(op, "enumname"))
		return enum_name(&o);
	if (str_equal(op, "const"))
		return constant(&o);
	if (str_equal(op, "kderef") || str_equal(op, "uderef"))
		return deref(&o, *op == 'u');
	return dwarf_register(&o);
}
