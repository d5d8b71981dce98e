/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See element.h. */
#include "element.h"

#include <string.h>

#include "expr.h"
#include "base/util.h"

/* ---- keys ---- */

static bool is_steady_call(const struct expr *e)
{
	const struct function *f = e->call.candidates.items[0];

	return e->call.candidates.n == 1 && !e->call.args.n && f->embedded && f->span.source->is_system &&
	       embedded_says(f, "/* stable */");
}

/* Has E the same value until a local variable in it is changed, and can it be evaluated again, or not at all? */
static bool is_steady(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_NUMBER:
	case EXPR_STRING:
		return true;
	case EXPR_NAME:
		return e->name.variable->kind == VARIABLE_LOCAL || e->name.variable->kind == VARIABLE_PARAMETER;
	case EXPR_CALL:
		return is_steady_call(e);
	case EXPR_UNARY:
		return is_steady(e->unary.operand);
	case EXPR_BINARY:
		return e->binary.op != OP_DIV && e->binary.op != OP_MOD && e->binary.op != OP_CONCAT &&
		       is_steady(e->binary.left) && is_steady(e->binary.right);
	default:
		return false;
	}
}

bool element_is_steady(const expr_list *keys)
{
	for (size_t i = 0; i < keys->n; i++)
		if (!keys->items[i] || !is_steady(keys->items[i]))
			return false;
	return true;
}

static bool is_same(const struct expr *a, const struct expr *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case EXPR_NUMBER:
		return a->number.value == b->number.value;
	case EXPR_STRING:
		return a->string.size == b->string.size && !memcmp(a->string.text, b->string.text, a->string.size);
	case EXPR_NAME:
		return a->name.variable == b->name.variable;
	case EXPR_CALL:
		return a->call.candidates.items[0] == b->call.candidates.items[0];
	case EXPR_UNARY:
		return a->unary.op == b->unary.op && is_same(a->unary.operand, b->unary.operand);
	case EXPR_BINARY:
		return a->binary.op == b->binary.op && is_same(a->binary.left, b->binary.left) &&
		       is_same(a->binary.right, b->binary.right);
	default:
		return false;
	}
}

static bool are_same(const expr_list *a, const expr_list *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (!is_same(a->items[i], b->items[i]))
			return false;
	return true;
}

struct mention {
	const struct variable *variable;
	bool found;
};

static void find_mention(struct expr **ep, void *data)
{
	struct mention *m = data;

	if (!*ep)
		return;
	m->found |= (*ep)->kind == EXPR_NAME && (*ep)->name.variable == m->variable;
	expr_each(*ep, find_mention, m);
}

static bool mention_variable(const expr_list *keys, const struct variable *v)
{
	struct mention m = { v, false };

	for (size_t i = 0; i < keys->n; i++)
		find_mention(&keys->items[i], &m);
	return m.found;
}

/* ---- what is known ---- */

static size_t first_known(const struct emitter *em)
{
	return em->known.n > ELEMENT_MOST ? em->known.n - ELEMENT_MOST : 0;
}

static struct known_element *find_known(struct emitter *em, const struct variable *array, const expr_list *keys)
{
	for (size_t i = first_known(em); i < em->known.n; i++) {
		struct known_element *k = &em->known.items[i];

		if (k->state != ELEMENT_UNKNOWN && k->array == array && are_same(k->keys, keys))
			return k;
	}
	return NULL;
}

static struct known_element *add_known(struct emitter *em, const struct variable *array, const expr_list *keys,
				       enum element_state state)
{
	struct known_element *k;

	if (em->known.n >= ELEMENT_MOST)
		em->known.items[em->known.n - ELEMENT_MOST].state = ELEMENT_UNKNOWN;
	k = vec_add(em->arena, &em->known);
	*k = (struct known_element){ .array = array, .keys = keys, .state = state,
				     .pointer = arena_printf(em->arena, "e%u", ++em->pointers) };
	return k;
}

/* An element was added, which may be one that did not exist before, and with wrap another one may have been deleted. */
static void element_added(struct emitter *em, const struct variable *array)
{
	for (size_t i = first_known(em); i < em->known.n; i++) {
		struct known_element *k = &em->known.items[i];

		if (k->array == array && (k->state != ELEMENT_EXISTS || array->wrap))
			k->state = ELEMENT_UNKNOWN;
	}
}

void element_array_changed(struct emitter *em, const struct variable *array)
{
	for (size_t i = first_known(em); i < em->known.n; i++)
		if (em->known.items[i].array == array)
			em->known.items[i].state = ELEMENT_UNKNOWN;
}

void element_variable_changed(struct emitter *em, const struct variable *v)
{
	for (size_t i = first_known(em); i < em->known.n; i++) {
		struct known_element *k = &em->known.items[i];

		if (k->state != ELEMENT_UNKNOWN && mention_variable(k->keys, v))
			k->state = ELEMENT_UNKNOWN;
	}
}

static bool may_write(const struct plan *p, const struct function *f, const struct variable *array)
{
	return p->function_effects[f->number].use[array->number] & (EFFECT_WRITE | EFFECT_ASSIGN);
}

void element_called(struct emitter *em, const struct expr *e)
{
	for (size_t i = first_known(em); i < em->known.n; i++) {
		struct known_element *k = &em->known.items[i];

		vec_each(f, &e->call.candidates)
			if (function_is_scripts_c(*f) || may_write(em->plan, *f, k->array))
				k->state = ELEMENT_UNKNOWN;
	}
}

void element_forget_all(struct emitter *em)
{
	for (size_t i = first_known(em); i < em->known.n; i++)
		em->known.items[i].state = ELEMENT_UNKNOWN;
}

/* ---- branches ---- */

static void note_states(const struct emitter *em, const struct element_branch *b, enum element_state *states)
{
	for (size_t i = b->first; i < b->n; i++)
		states[i - b->first] = em->known.items[i].state;
}

struct element_branch element_branch(struct emitter *em)
{
	struct element_branch b = { .first = first_known(em), .n = em->known.n };

	note_states(em, &b, b.before);
	note_states(em, &b, b.other);
	return b;
}

void element_other(struct emitter *em, struct element_branch *b)
{
	note_states(em, b, b->other);
	em->known.n = b->n;
	for (size_t i = b->first; i < b->n; i++)
		em->known.items[i].state = b->before[i - b->first];
}

void element_join(struct emitter *em, const struct element_branch *b)
{
	em->known.n = b->n;
	for (size_t i = b->first; i < b->n; i++)
		if (b->other[i - b->first] < em->known.items[i].state)
			em->known.items[i].state = b->other[i - b->first];
}

/* ---- in C ---- */

static bool is_unlisted(const struct emitter *em, const struct variable *array)
{
	return em->plan->globals.items[array->number].unlisted;
}

const char *element_find(struct emitter *em, const struct variable *array, const expr_list *keys, bool *exists)
{
	bool keep = em->keeps_elements && element_is_steady(keys);
	struct known_element *k = keep ? find_known(em, array, keys) : NULL;
	const char *pointer, *c_keys;
	unsigned wild = 0;

	*exists = k && k->state == ELEMENT_EXISTS;
	if (k)
		return k->pointer;
	c_keys = emit_keys(em, array, keys, &wild);
	pointer = keep ? add_known(em, array, keys, ELEMENT_FOUND)->pointer : emit_temp(em);
	emit_line(em, "%s%s = tap_map_find_%s(%s, %s);", keep ? "" : "const s64 *", pointer,
		  emit_is_numbered(array) ? "number" : "long", array->c_name, c_keys);
	return pointer;
}

static void emit_slot(struct emitter *em, const struct expr *e, const char *declaration, const char *pointer,
		      const char *keys)
{
	const struct variable *array = expr_variable(e);

	emit_line(em, "%s%s = tap_map_slot_%s(c, %s, %s);", declaration, pointer,
		  is_unlisted(em, array) ? "unlisted" : emit_is_numbered(array) ? "number" : "long", array->c_name,
		  keys);
	emit_check(em, emit_element_name(em, e), e->span);
}

const char *element_insert(struct emitter *em, const struct expr *e, const char *keys)
{
	const char *pointer = emit_temp(em);

	emit_commit(em);
	emit_slot(em, e, "s64 *", pointer, keys);
	element_added(em, expr_variable(e));
	return pointer;
}

const char *element_slot(struct emitter *em, const struct expr *e)
{
	const struct variable *array = expr_variable(e);
	bool keep = em->keeps_elements && element_is_steady(&e->index.keys);
	struct known_element *k = keep ? find_known(em, array, &e->index.keys) : NULL;
	unsigned wild = 0;

	if (!keep)
		return element_insert(em, e, emit_keys(em, array, &e->index.keys, &wild));
	emit_commit(em);		/* steady keys read no memory */
	if (k && k->state == ELEMENT_EXISTS)
		return k->pointer;
	if (k) {
		emit_line(em, "if (!%s) {", k->pointer);
		em->indent++;
		emit_slot(em, e, "", k->pointer, emit_keys(em, array, &e->index.keys, &wild));
		em->indent--;
		emit_line(em, "}");
		element_added(em, array);
		k->state = ELEMENT_EXISTS;
		return k->pointer;
	}
	element_added(em, array);
	k = add_known(em, array, &e->index.keys, ELEMENT_EXISTS);
	emit_slot(em, e, "", k->pointer, emit_keys(em, array, &e->index.keys, &wild));
	return k->pointer;
}

void element_delete(struct emitter *em, const struct expr *e)
{
	const struct variable *array = expr_variable(e);
	struct known_element *k = em->keeps_elements && array->type == TYPE_LONG && element_is_steady(&e->index.keys) ?
					  find_known(em, array, &e->index.keys) : NULL;

	if (!k) {
		unsigned wild = 0;
		const char *keys = emit_keys(em, array, &e->index.keys, &wild);

		emit_commit(em);
		emit_line(em, "tap_map_delete%s(%s, %s);",
			  is_unlisted(em, array) ? "_unlisted" : emit_is_numbered(array) ? "_number" : "",
			  array->c_name, keys);
		element_array_changed(em, array);
		return;
	}
	emit_commit(em);
	if (k->state != ELEMENT_EXISTS)
		emit_line(em, "if (%s)", k->pointer);
	emit_line(em, "\ttap_map_delete_found%s(%s, %s);", is_unlisted(em, array) ? "_unlisted" : "", array->c_name,
		  k->pointer);
	emit_line(em, "%s = NULL;", k->pointer);
	element_array_changed(em, array);
	k->state = ELEMENT_FOUND;
}

void element_declare(struct emitter *em)
{
	for (unsigned i = 1; i <= em->pointers; i++)
		emit_line(em, "s64 *e%u = NULL;", i);
}
