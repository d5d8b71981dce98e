/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses to target variables to C. The steps of a location are run on a stack of texts to build an
 * expression. Every load is a call that cannot fault; its errors have the script's position. */
#include "target.h"

#include <string.h>

#include "expr.h"
#include "base/access.h"
#include "base/util.h"

enum { MOST_STACK = 32 };

/* The access being written. */
struct writing {
	struct emitter *em;
	const struct access *access;
	component_list *components;
	struct expr *base;		/* the script's expression that it starts from, or NULL */
	const char *what;		/* for messages: "identifier '$x'" */
	struct span span;
};

struct stack {
	const char *items[MOST_STACK];
	unsigned n;
};

static void push(struct stack *s, const char *text)
{
	if (s->n == MOST_STACK)
		fatal("internal error: a location needs a stack deeper than %d", MOST_STACK);
	s->items[s->n++] = text;
}

static const char *pop(struct stack *s)
{
	if (!s->n)
		fatal("internal error: stack underflow in a location");
	return s->items[--s->n];
}

static const char *load(struct writing *w, const char *address, uint64_t size)
{
	const char *t = emit_temp(w->em);

	emit_line(w->em, "u64 %s = tap_load(c, %s, %llu, %s);", t, address, (unsigned long long)size,
		  w->access->user ? "true" : "false");
	emit_check(w->em, w->what, w->span);
	return t;
}

/* ---- location steps ---- */

static const char *binary(struct emitter *em, enum location_op op, const char *a, const char *b)
{
	static const char *const operators[] = {
		[LOCATION_ADD] = "+", [LOCATION_SUB] = "-", [LOCATION_MUL] = "*", [LOCATION_AND] = "&",
		[LOCATION_OR] = "|", [LOCATION_XOR] = "^", [LOCATION_EQ] = "==", [LOCATION_NE] = "!=",
		[LOCATION_LT] = "<", [LOCATION_LE] = "<=", [LOCATION_GT] = ">", [LOCATION_GE] = ">=",
	};

	switch (op) {
	case LOCATION_DIV: return arena_printf(em->arena, "(u64)tap_div(c, (s64)%s, (s64)%s)", a, b);
	case LOCATION_MOD: return arena_printf(em->arena, "(%s ? %s %% %s : 0)", b, a, b);
	case LOCATION_SHL: return arena_printf(em->arena, "(%s < 64 ? %s << %s : 0)", b, a, b);
	case LOCATION_SHR: return arena_printf(em->arena, "(%s < 64 ? %s >> %s : 0)", b, a, b);
	case LOCATION_SHRA:
		return arena_printf(em->arena, "(u64)((s64)%s >> (%s < 64 ? %s : 63))", a, b, b);
	case LOCATION_EQ: case LOCATION_NE: case LOCATION_LT: case LOCATION_LE: case LOCATION_GT:
	case LOCATION_GE:
		return arena_printf(em->arena, "(u64)((s64)%s %s (s64)%s)", a, operators[op], b);
	default:
		return arena_printf(em->arena, "(%s %s %s)", a, operators[op], b);
	}
}

static const char *extended(struct emitter *em, const char *value, unsigned size, bool is_signed)
{
	if (size >= 8)
		return arena_printf(em->arena, "(u64)%s", value);
	if (size == 1 || size == 2 || size == 4)
		return arena_printf(em->arena, "(u64)(%c%u)%s", is_signed ? 's' : 'u', size * 8, value);
	return arena_printf(em->arena, "tap_bits(%s, 0, %u, %d)", value, size * 8, is_signed);
}

/* A text that is used twice must be the name of a temporary. */
static const char *named(struct writing *w, const char *value)
{
	const char *t = emit_temp(w->em);

	emit_line(w->em, "u64 %s = %s;", t, value);
	return t;
}

static void shuffle(struct writing *w, struct stack *s, const struct location_step *step)
{
	const char *a, *b, *c;

	switch (step->op) {
	case LOCATION_DUP: a = named(w, pop(s)); push(s, a); push(s, a); break;
	case LOCATION_DROP: pop(s); break;
	case LOCATION_OVER: a = pop(s); b = named(w, pop(s)); push(s, b); push(s, a); push(s, b); break;
	case LOCATION_SWAP: a = pop(s); b = pop(s); push(s, a); push(s, b); break;
	case LOCATION_ROT: a = pop(s); b = pop(s); c = pop(s); push(s, a); push(s, c); push(s, b); break;
	case LOCATION_PICK:
		if ((uint64_t)step->value >= s->n)
			fatal("internal error: a pick beyond the stack in a location");
		a = s->items[s->n - 1 - (unsigned)step->value] =
			named(w, s->items[s->n - 1 - (unsigned)step->value]);
		push(s, a);
		break;
	default: break;
	}
}

/* An address in a module: DISTANCE from a symbol whose address the runtime tracks. */
static const char *module_address(struct writing *w, const char *symbol, long long distance)
{
	const char *t = emit_temp(w->em);

	emit_line(w->em, "u64 %s = tap_symbol_address(c, &symbols[%zu], %lldll);", t,
		  plan_symbol(w->em->plan, symbol), distance);
	emit_check(w->em, w->what, w->span);
	return t;
}

static void run_step(struct writing *w, struct stack *s, const struct location_step *step)
{
	struct arena *arena = w->em->arena;
	long long value = (long long)step->value;
	const char *x, *y;

	switch (step->op) {
	case LOCATION_CONST: push(s, arena_printf(arena, "(u64)0x%llxull", (unsigned long long)value)); break;
	case LOCATION_REGISTER:
		push(s, w->em->regs ? arena_printf(arena, "tap_register_of(%s, %lld)", w->em->regs, value) :
				      arena_printf(arena, "tap_register(c, %lld)", value));
		break;
	case LOCATION_GIVEN: push(s, arena_printf(arena, "tap_given(c, %lld)", value)); break;
	case LOCATION_ADDRESS:
		if (step->section) {
			push(s, module_address(w, step->section, value));
			break;
		}
		push(s, arena_printf(arena, "%s%lldll)", w->access->user ? "tap_user_address(c, " : "tap_address(",
				     value));
		break;
	case LOCATION_PERCPU: push(s, arena_printf(arena, "tap_percpu(%s)", pop(s))); break;
	case LOCATION_TLS: push(s, arena_printf(arena, "tap_thread_storage(c, %s)", pop(s))); break;
	case LOCATION_LOAD: push(s, load(w, pop(s), step->size)); break;
	case LOCATION_NEG: push(s, arena_printf(arena, "(0 - %s)", pop(s))); break;
	case LOCATION_NOT: push(s, arena_printf(arena, "(~%s)", pop(s))); break;
	case LOCATION_ABS:
		x = named(w, pop(s));
		push(s, arena_printf(arena, "((s64)%s < 0 ? 0 - %s : %s)", x, x, x));
		break;
	case LOCATION_SIGN: push(s, extended(w->em, pop(s), step->size, true)); break;
	case LOCATION_ZERO: push(s, extended(w->em, pop(s), step->size, false)); break;
	case LOCATION_DUP: case LOCATION_DROP: case LOCATION_OVER: case LOCATION_SWAP: case LOCATION_ROT:
	case LOCATION_PICK:
		shuffle(w, s, step);
		break;
	case LOCATION_ARGUMENT: case LOCATION_RESULT: case LOCATION_CFA: case LOCATION_JUMP:
	case LOCATION_BRANCH:
		fatal("a location's step %d reached emit", step->op);
	default:
		y = pop(s);
		x = pop(s);
		if (step->op == LOCATION_MOD || step->op == LOCATION_SHL || step->op == LOCATION_SHR ||
		    step->op == LOCATION_SHRA)
			y = named(w, y);
		push(s, binary(w->em, step->op, x, y));
		if (step->op == LOCATION_DIV)
			emit_check(w->em, w->what, w->span);
		break;
	}
}

static const char *base_text(struct writing *w)
{
	struct stack s = { .n = 0 };

	switch (w->access->from) {
	case ACCESS_FROM_EXPR: return arena_printf(w->em->arena, "(u64)%s", emit_expr(w->em, w->base));
	case ACCESS_FROM_HELD: return w->em->held;
	case ACCESS_FROM_LOCATION: break;
	}
	for (size_t i = 0; i < w->access->base.steps.n; i++)
		run_step(w, &s, &w->access->base.steps.items[i]);
	return pop(&s);
}

/* ---- steps of the access ---- */

static const char *follow_steps(struct writing *w, const char *address)
{
	struct arena *arena = w->em->arena;

	for (size_t i = 0; i < w->access->steps.n; i++) {
		const struct access_step *s = &w->access->steps.items[i];

		switch (s->kind) {
		case ACCESS_OFFSET:
			address = arena_printf(arena, "(%s + (u64)%lldll)", address, (long long)s->offset);
			break;
		case ACCESS_DEREF:
			address = load(w, address, s->size);
			break;
		case ACCESS_INDEX:
			address = arena_printf(arena, "(%s + (u64)tap_mul(%s, %llull))", address,
					       emit_expr(w->em, w->components->items[s->component].index),
					       (unsigned long long)s->size);
			break;
		}
	}
	return address;
}

/* ---- the value ---- */

static unsigned bit_field_bytes(const struct access *a)
{
	unsigned bytes = (a->bit_offset + a->bit_size + 7) / 8, size = 1;

	while (size < bytes)
		size *= 2;
	return size > 8 ? 8 : size;
}

static const char *number_at(struct writing *w, const char *address)
{
	const struct access *a = w->access;
	struct emitter *em = w->em;

	if (a->bit_size)
		return arena_printf(em->arena, "(s64)tap_bits(%s, %u, %u, %d)",
				    load(w, address, bit_field_bytes(a)), a->bit_offset, a->bit_size, a->is_signed);
	return arena_printf(em->arena, "(s64)%s", extended(em, load(w, address, a->size), a->size,
							   a->is_signed));
}

static const char *text_at(struct writing *w, const char *address)
{
	const struct access *a = w->access;
	bool soft = a->kind == ACCESS_TEXT_OR_ADDRESS;
	const char *t = emit_temp(w->em), *user = a->user ? "true" : "false";

	w->em->scratch_used = true;
	if (soft && !a->is_value)
		address = load(w, address, a->size);
	if (a->width && soft)
		emit_line(w->em, "struct tap_string %s = tap_wide_or_address(c, %s, %u, %s);", t, address, a->width, user);
	else if (a->width)
		emit_line(w->em, "struct tap_string %s = tap_wide_shown(c, %s, %u, %u, %s);", t, address, a->size,
			  a->width, user);
	else if (soft)
		emit_line(w->em, "struct tap_string %s = tap_text_or_address(c, %s, %s);", t, address, user);
	else
		emit_line(w->em, "struct tap_string %s = tap_text_shown(c, %s, %u, %s);", t, address, a->size, user);
	emit_check(w->em, w->what, w->span);
	return t;
}

static const char *call_text(struct writing *w)
{
	const char *t = emit_temp(w->em);

	w->em->scratch_used |= w->access->is_string;
	emit_line(w->em, "%s %s = %s;", w->access->is_string ? "struct tap_string" : "s64", t, w->access->get);
	emit_check(w->em, w->what, w->span);
	return t;
}

static const char *value_text(struct writing *w);

static const char *character_text(struct writing *w)
{
	struct access number = *w->access;
	struct writing of_number = *w;
	const char *value, *t;

	number.kind = ACCESS_NUMBER;
	of_number.access = &number;
	value = value_text(&of_number);
	t = emit_temp(w->em);
	w->em->scratch_used = true;
	emit_line(w->em, "struct tap_string %s = tap_wide_character(c, %s);", t, value);
	emit_check(w->em, w->what, w->span);
	return t;
}

static const char *value_text(struct writing *w)
{
	const struct access *a = w->access;
	const char *place;

	if (a->kind == ACCESS_CALL)
		return call_text(w);
	if (a->kind == ACCESS_CHARACTER)
		return character_text(w);
	place = base_text(w);
	if (a->is_value && a->kind == ACCESS_NUMBER && a->bit_size)
		return arena_printf(w->em->arena, "(s64)tap_bits(%s, %u, %u, %d)", place, a->bit_offset,
				    a->bit_size, a->is_signed);
	if (a->is_value && a->kind == ACCESS_NUMBER)
		return arena_printf(w->em->arena, "(s64)%s", extended(w->em, place, a->size, a->is_signed));
	place = follow_steps(w, place);
	switch (a->kind) {
	case ACCESS_ADDRESS: return arena_printf(w->em->arena, "(s64)%s", place);
	case ACCESS_TEXT: case ACCESS_TEXT_OR_ADDRESS: return text_at(w, place);
	case ACCESS_NUMBER: case ACCESS_CHARACTER: case ACCESS_CALL: break;
	}
	return number_at(w, place);
}

static struct writing writing_of(struct emitter *em, struct expr *e)
{
	struct writing w = { .em = em, .span = e->span };
	const char *name = "pointer";

	if (e->kind == EXPR_ARROW) {
		w.access = e->arrow.access;
		w.components = &e->arrow.components;
		w.base = e->arrow.base;
		if (w.base->kind == EXPR_NAME)
			name = w.base->name.name;
	} else {
		w.access = e->target.access;
		w.components = &e->target.components;
		w.base = e->target.base;
		name = e->target.name;
	}
	w.what = arena_printf(em->arena, "identifier '%s'", name);
	return w;
}

/* ---- whole values as text ---- */

/* If a part cannot be read, the whole text is replaced by ERROR. */
static const char *pretty_text(struct emitter *em, struct expr *e, struct expr *pretty)
{
	struct writing w = writing_of(em, e);
	const char *t = emit_temp(em), *fail = em->fail, *held = em->held;
	bool later = em->checks_later;

	em->fail = arena_printf(em->arena, "unreadable_%u", ++em->next_label);
	em->scratch_used = true;
	emit_line(em, "struct tap_string %s;", t);
	if (w.access && (w.access->from != ACCESS_FROM_LOCATION || w.access->base.steps.n)) {
		em->held = emit_temp(em);
		emit_line(em, "u64 %s = (u64)%s;", em->held, value_text(&w));
	}
	em->checks_later = true;
	emit_line(em, "%s = tap_show_cut(%s);", t, emit_expr(em, pretty));
	em->checks_later = false;
	emit_check(em, w.what, w.span);
	em->checks_later = later;
	emit_line(em, "if (0) {");
	emit_line(em, "%s:", em->fail);
	emit_line(em, "\tif (!tap_catchable(c))");
	emit_line(em, "\t\tgoto %s;", fail);
	emit_line(em, "\tc->error = NULL;");
	emit_line(em, "\t%s = TAP_STRING(\"ERROR\");", t);
	emit_line(em, "}");
	em->fail = fail;
	em->held = held;
	em->fail_used = true;
	return t;
}

const char *emit_target(struct emitter *em, struct expr *e)
{
	struct expr *pretty = e->kind == EXPR_ARROW ? e->arrow.pretty : e->target.pretty;
	struct writing w = writing_of(em, e);

	if (pretty)
		return pretty_text(em, e, pretty);
	return value_text(&w);
}

/* ---- writing ---- */

struct emitted_target emit_target_place(struct emitter *em, struct expr *e, bool wants_old)
{
	struct writing w = writing_of(em, e);
	struct emitted_target place = { .address = NULL, .old = "0" };
	const char *value;

	if (w.access->kind == ACCESS_CALL || w.access->is_value) {
		if (!wants_old)
			return place;
		value = value_text(&w);
	} else {
		place.address = named(&w, follow_steps(&w, base_text(&w)));
		if (!wants_old)
			return place;
		value = number_at(&w, place.address);
	}
	place.old = emit_temp(em);
	emit_line(em, "s64 %s = %s;", place.old, value);
	return place;
}

static void store_bit_field(struct writing *w, const char *address, const char *value)
{
	const struct access *a = w->access;
	unsigned size = bit_field_bytes(a);

	emit_line(w->em, "tap_store(c, %s, %u, tap_bits_set(%s, %u, %u, (u64)%s), %s);", address, size,
		  load(w, address, size), a->bit_offset, a->bit_size, value, a->user ? "true" : "false");
}

void emit_target_store(struct emitter *em, struct expr *e, const struct emitted_target *place,
		       const char *value)
{
	struct writing w = writing_of(em, e);
	const struct access *a = w.access;

	emit_commit(em);
	if (a->kind == ACCESS_CALL)
		emit_line(em, "%s(c, %s);", a->set, value);
	else if (a->is_value)
		emit_line(em, "tap_register_set(c, %lld, %s);", (long long)a->base.steps.items[0].value,
			  extended(em, arena_printf(em->arena, "(%s)", value), a->size, a->is_signed));
	else if (a->bit_size)
		store_bit_field(&w, place->address, value);
	else
		emit_line(em, "tap_store(c, %s, %u, (u64)%s, %s);", place->address, a->size, value,
			  a->user ? "true" : "false");
	emit_check(em, w.what, e->span);
}

/* ---- enumerators ---- */

const char *emit_enumerator_name(struct emitter *em, struct expr *e)
{
	struct expr *value = e->type_op.args.items[e->type_op.args.n > 1];	/* $x$ has no type's name before it */
	const char *v = emit_temp(em), *t = emit_temp(em);
	struct text list;

	emit_line(em, "s64 %s = %s;", v, emit_expr(em, value));
	text_init(&list, em->arena);
	vec_each(n, &e->type_op.enumerators)
		text_printf(&list, "%s == %lldll ? TAP_STRING(\"%s\") : ", v, (long long)n->value, n->name);
	em->scratch_used = true;
	emit_line(em, "struct tap_string %s = %stap_sprintf(c, \"%%d\", (const union tap_value[]){ { .n = %s } });",
		  t, list.s, v);
	emit_check(em, "operator '@enumname'", e->span);
	return t;
}
