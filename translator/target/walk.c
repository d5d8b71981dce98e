/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows a variable through its type: -> through pointers and members (including anonymous ones),
 * [] through arrays and pointers. The result is an access: where to start, what to add and load on
 * the way, and how to read the value at the end. */
#include "walk.h"

#include <stdarg.h>
#include <string.h>

#include "arch/arch.h"
#include "source/diag.h"
#include "points/family.h"
#include "points/handler.h"
#include "place.h"
#include "base/util.h"

#include "tap_script.h"
#include "debuginfo/location_part.h"
#include "debuginfo/program/facts.h"
#include "debuginfo/symbols/symbols.h"

bool target_fail(struct target_walk *w, struct span at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!w->quiet)
		diag_error(at, "%s", arena_vprintf(w->arena, fmt, ap));
	va_end(ap);
	return false;
}

bool target_note(struct target_walk *w, const struct sites *problems)
{
	if (!w->quiet)
		vec_each(reason, &problems->reasons)
			if (**reason)
				diag_note(w->span, "%s", *reason);
	return false;
}

static const char *type_text(struct target_walk *w)
{
	return debug_type_text(w->arena, w->type);
}

static bool is_structure(const struct debug_type *t)
{
	return t->kind == DEBUG_STRUCT || t->kind == DEBUG_UNION;
}

/* ---- the base: registers become places in struct pt_regs ---- */

static struct location_step *add_base(struct target_walk *w, enum location_op op, int64_t value)
{
	struct location_step *s = vec_add(w->arena, &w->access->base.steps);

	*s = (struct location_step){ .op = op, .value = value };
	return s;
}

static bool is_at_return(const struct target_scope *at)
{
	const struct handler *h = at->handler;

	return h && h->sites.n && h->sites.items[0].flags & TAP_PROBE_RETURN && !at->entry;
}

static bool use_register(struct target_walk *w, const struct arch_register *r)
{
	const struct arch *arch = target_site_arch(w->at);
	bool cheap = str_equal(r->name, arch->sp) || str_equal(r->name, arch->pc);

	for (unsigned i = 0; i < arch->argument_count; i++)
		cheap |= str_equal(r->name, arch->arguments[i]);
	/* a return hook saves all registers itself, and a direct call has these */
	if (is_at_return(w->at))
		cheap |= str_same(r->name, arch->result) || str_same(r->name, arch->second_result);
	w->access->regs |= cheap ? TAP_PROBE_REGS : TAP_PROBE_ALL_REGS;
	add_base(w, LOCATION_REGISTER, r->offset);
	if (r->size < 8)
		add_base(w, LOCATION_ZERO, 0)->size = r->size;
	return true;
}

/* The canonical frame address at a function's entry, before the frame is set up. */
static bool add_frame(struct target_walk *w)
{
	const struct arch *arch = target_site_arch(w->at);
	const struct site *site = target_site(w->at);

	if (!site || !site->place || !(site->place->at_entry || w->at->entry))
		return target_fail(w, w->span, "the frame of the function is not known here");
	use_register(w, arch_register(arch, arch->sp));
	add_base(w, LOCATION_CONST, arch->stack_arguments);
	add_base(w, LOCATION_ADD, 0);
	return true;
}

static bool add_argument(struct target_walk *w, unsigned n)
{
	const struct arch *arch = target_site_arch(w->at);
	const struct arch_register *r = arch_argument(arch, n + 1);

	if (r)
		return use_register(w, r);
	use_register(w, arch_register(arch, arch->sp));
	add_base(w, LOCATION_CONST, arch->stack_arguments + (n - arch->argument_count) * arch->word);
	add_base(w, LOCATION_ADD, 0);
	add_base(w, LOCATION_LOAD, 0)->size = arch->word;
	return true;
}

/* For a value in two registers, the second half is in the second result register. */
static bool add_result(struct target_walk *w, bool second)
{
	const struct arch *arch = target_site_arch(w->at);
	const char *name = second ? arch->second_result : arch->result;

	return use_register(w, arch_register(arch, name));
}

static bool is_nearer(const struct symbol *s, const struct location_step *step, const struct symbol *best)
{
	return !(s->flags & SYMBOL_ABSOLUTE) && s->section && str_equal(s->section, step->section) &&
	       s->offset <= step->value && (!best || s->offset > best->offset);
}

static bool is_unique(const struct symbols *all, const struct symbol *s)
{
	vec_each(other, &all->list)
		if (other != s && str_equal(other->name, s->name))
			return false;
	return true;
}

/* Modules and their sections are loaded at any address, so a place in a module is relative to the
 * nearest symbol before it whose name is unique. */
static bool add_module_address(struct target_walk *w, const struct location_step *step)
{
	struct arena *arena = w->arena;
	const struct symbol *best = NULL;
	struct symbols all = { 0 };
	struct location_step *s;

	debuginfo_data(w->image, "*", &all);
	vec_each(symbol, &all.list)
		if (is_nearer(symbol, step, best) && is_unique(&all, symbol))
			best = symbol;
	if (!best)
		return target_fail(w, w->span, "no symbol of module '%s' gives its address",
				   debuginfo_module_name(w->image));
	s = add_base(w, LOCATION_ADDRESS, step->value - best->offset);
	s->section = arena_printf(arena, "%s:%s", debuginfo_module_name(w->image), best->name);
	return true;
}

/* Offsets are relative to the start of the program's block. The thread register points to the end
 * of the block, or to a place before it (storage_gap): "ELF Handling For Thread-Local Storage".
 * The block of a library is found through tables of that library. */
static bool add_thread_storage(struct target_walk *w)
{
	const struct site *site = target_site(w->at);
	struct program_facts f = { 0 };
	uint64_t align;
	const struct arch *arch = target_site_arch(w->at);
	int64_t begin;

	if (!w->access->user || !site->place || program_facts(site->place->image, &f) != DEBUGINFO_FOUND ||
	    f.is_library)
		return target_fail(w, w->span, "thread-local storage of a library is not supported");
	align = f.tls_align ? f.tls_align : 1;
	begin = arch->storage_is_below ?
			-(int64_t)((f.tls_size + align - 1) / align * align) :
			(int64_t)((arch->storage_gap + align - 1) / align * align);
	add_base(w, LOCATION_CONST, begin);
	add_base(w, LOCATION_ADD, 0);
	add_base(w, LOCATION_TLS, 0);
	return true;
}

static bool add_step(struct target_walk *w, const struct location_step *step)
{
	const struct arch_register *r;

	switch (step->op) {
	case LOCATION_REGISTER:
		r = arch_register_of_dwarf(target_site_arch(w->at), (int)step->value);
		if (!r)
			return target_fail(w, w->span, "it is in DWARF register %lld, which cannot be read",
					   (long long)step->value);
		return use_register(w, r);
	case LOCATION_ARGUMENT: return add_argument(w, (unsigned)step->value);
	case LOCATION_RESULT: return add_result(w, step->value);
	case LOCATION_CFA: return add_frame(w);
	case LOCATION_JUMP: case LOCATION_BRANCH:
		return target_fail(w, w->span, "its location is a DWARF expression with branches, which is not "
				   "supported");
	case LOCATION_TLS: return add_thread_storage(w);
	case LOCATION_ADDRESS:
		if (step->section)
			return add_module_address(w, step);
		/* fall through */
	default:
		*add_base(w, step->op, step->value) = *step;
		return true;
	}
}

static bool add_steps(struct target_walk *w, const struct location *l)
{
	w->access->base = (struct location){ .kind = l->kind };
	for (size_t i = 0; i < l->steps.n; i++)
		if (!add_step(w, &l->steps.items[i]))
			return false;
	return true;
}

static bool is_nowhere(struct target_walk *w, const struct location *l, const char *name)
{
	return target_fail(w, w->span, "'%s' is not available here: %s", name,
			   l->reason && *l->reason ? l->reason : "its location is not known");
}

bool target_start(struct target_walk *w, const struct location *l, const char *name)
{
	struct location *place;

	w->name = name;
	w->in_memory = l->kind == LOCATION_IN_MEMORY;
	if (l->kind == LOCATION_NOWHERE)
		return is_nowhere(w, l, name);
	if (w->in_memory)
		return add_steps(w, l);
	place = arena_new(w->arena, struct location);	/* the caller's location
									 * does not outlive the call */
	*place = *l;
	w->place = place;
	w->place_type = w->type;
	return true;
}

/* Locate the current part: the access begins with the piece of the place that holds it. */
static bool settle(struct target_walk *w)
{
	struct arena *a = w->arena;
	struct access *access = w->access;
	struct location l;

	if (!w->place)
		return true;
	if (w->place->kind == LOCATION_IS_VALUE && w->type == w->place_type)
		l = *w->place;
	else if (w->place_is_pointer)
		l = location_pointee(a, w->place, w->place_at, w->type, access->bit_offset, access->bit_size);
	else
		l = location_part(a, w->place, w->place_at, w->type, access->bit_offset, access->bit_size);
	w->place = NULL;
	if (l.kind == LOCATION_NOWHERE)
		return is_nowhere(w, &l, w->name);
	if (l.kind == LOCATION_IN_PIECES || l.kind == LOCATION_POINTS_TO)
		return target_fail(w, w->span, "'%s' is kept in pieces here and cannot be read as a value", w->name);
	w->in_memory = l.kind == LOCATION_IN_MEMORY;
	if (!w->in_memory)
		access->bit_size = 0;
	return add_steps(w, &l);
}

/* ---- steps ---- */

static struct access_step *new_step(struct target_walk *w, enum access_step_kind kind)
{
	struct access_step *s = vec_add(w->arena, &w->access->steps);

	*s = (struct access_step){ .kind = kind };
	return s;
}

static void add_offset(struct target_walk *w, int64_t offset)
{
	struct access *a = w->access;

	if (!offset)
		return;
	if (a->steps.n && a->steps.items[a->steps.n - 1].kind == ACCESS_OFFSET)
		a->steps.items[a->steps.n - 1].offset += offset;
	else
		new_step(w, ACCESS_OFFSET)->offset = offset;
}

/* The current pointer becomes the current address. */
bool target_enter(struct target_walk *w, const struct debug_type *pointer)
{
	uint64_t size = pointer->size ? pointer->size : target_site_arch(w->at)->word;

	if (w->place && w->place->kind == LOCATION_POINTS_TO && !w->place_is_pointer) {
		w->place_is_pointer = true;
		w->type = debug_type_target(pointer);
		return true;
	}
	if (!settle(w))
		return false;
	if (w->in_memory)
		new_step(w, ACCESS_DEREF)->size = size;
	w->type = debug_type_target(pointer);
	w->in_memory = true;
	return true;
}

static void note_members(struct target_walk *w, const struct debug_type *t, const struct component *c)
{
	const char *near = debug_type_suggest(t, c->name);

	if (!w->quiet && near)
		diag_note(c->span, "did you mean '%s'?", near);
}

static bool take_member(struct target_walk *w, const struct component *c)
{
	const struct debug_type *real = debug_type_real(w->type);
	struct debug_member m;

	if (real->kind == DEBUG_POINTER) {
		if (!target_enter(w, real))
			return false;
		real = debug_type_real(w->type);
	}
	if (!is_structure(real))
		return target_fail(w, c->span, "'%s' has no members, so no '%s'", type_text(w), c->name);
	if (!debug_type_member(real, c->name, &m)) {
		target_fail(w, c->span, real->size ? "'%s' has no member '%s'" :
			    "'%s' is an incomplete type, so its member '%s' is not known", type_text(w), c->name);
		note_members(w, real, c);
		return false;
	}
	if (w->place)
		w->place_at += (int64_t)m.offset;
	else
		add_offset(w, (int64_t)m.offset);
	w->type = m.type;
	w->access->bit_offset = m.bit_offset;
	w->access->bit_size = m.bit_size;
	return true;
}

static bool take_index(struct target_walk *w, const struct component *c, size_t number)
{
	const struct debug_type *real = debug_type_real(w->type), *element;
	struct access_step *s;

	if (real->kind == DEBUG_ARRAY) {
		w->type = debug_type_target(real);
	} else if (!number && w->is_cast) {
		;	/* the argument of @cast points to the first element */
	} else if (real->kind != DEBUG_POINTER) {
		return target_fail(w, c->span, "'%s' is neither an array nor a pointer", type_text(w));
	} else if (!target_enter(w, real)) {
		return false;
	}
	element = debug_type_real(w->type);
	if (!element->size)
		return target_fail(w, c->span, "the size of '%s' is not known", type_text(w));
	if (w->place && c->index->kind != EXPR_NUMBER)
		return target_fail(w, c->span, "the array is kept in registers here: only constant indexes are "
				   "supported");
	if (w->place) {
		w->place_at += c->index->number.value * (int64_t)element->size;
		return true;
	}
	if (c->index->kind == EXPR_NUMBER) {
		add_offset(w, c->index->number.value * (int64_t)element->size);
		return true;
	}
	s = new_step(w, ACCESS_INDEX);
	s->size = element->size;
	s->component = number;
	return true;
}

bool target_follow(struct target_walk *w, const component_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct component *c = &list->items[i];
		bool ok = true;

		if (w->access->bit_size && c->kind != COMPONENT_PRETTY)
			return target_fail(w, c->span, "a bit-field has no members or elements");
		if (c->kind == COMPONENT_MEMBER)
			ok = take_member(w, c);
		else if (c->kind == COMPONENT_INDEX)
			ok = take_index(w, c, i);
		if (!ok)
			return false;
	}
	return true;
}

/* ---- the end ---- */

bool target_finish(struct target_walk *w, bool address)
{
	const struct debug_type *real = debug_type_real(w->type);
	struct access *a = w->access;
	uint64_t size = real->size;

	if (!is_structure(real) && !settle(w))
		return false;
	a->is_value = !w->in_memory;
	a->is_signed = real->is_signed;
	a->size = size && size <= 8 ? (uint32_t)size : 8;
	a->kind = address || real->kind == DEBUG_ARRAY || real->kind == DEBUG_FUNCTION ? ACCESS_ADDRESS :
		  ACCESS_NUMBER;
	if (a->kind == ACCESS_ADDRESS && (!w->in_memory || a->bit_size))
		return target_fail(w, w->span, "this has no address: it is %s",
				   a->bit_size ? "a bit-field" : "kept in a register here");
	if (a->kind == ACCESS_ADDRESS)
		return true;
	if (is_structure(real))
		return target_fail(w, w->span, "'%s' is not a value: take a member, its address with '&', or print "
				   "it with '$' appended", type_text(w));
	if (real->kind == DEBUG_FLOAT && !w->in_memory)
		return target_fail(w, w->span, "floating point values in registers are not supported");
	if (real->kind == DEBUG_VOID)
		return target_fail(w, w->span, "'%s' is not a value", type_text(w));
	return true;
}

const struct debug_type *target_pointee(const struct target_walk *w, bool address)
{
	const struct debug_type *real = debug_type_real(w->type);

	if (address)
		return w->type;
	if (real->kind == DEBUG_POINTER || real->kind == DEBUG_ARRAY)
		return debug_type_target(real);
	return NULL;
}
