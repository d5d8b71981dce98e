/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole values as text: $x$ prints the members of a structure or the elements of an array, $x$$ also
 * those of nested structures. Each becomes a sprintf of its parts. The parts are relative to a root
 * that is evaluated once: the address of the structure, or the value itself.
 *
 *	{.f_flags=32768, .f_path={...}, .name="x", .prev=0xffff888003a0}
 *
 * Parts that cannot fit into the string are not read. */
#include "pretty.h"

#include <stdlib.h>
#include <string.h>

#include "points/family.h"
#include "walk.h"
#include "base/text.h"
#include "base/util.h"
#include "source/options.h"

enum { MOST_ELEMENTS = 32, LEAST_ROOM = 512 };

struct pretty {
	struct target_walk *walk;
	struct arena *arena;
	struct text format;
	expr_list args;
	size_t room;			/* the shortest possible text must not be longer than this */
	unsigned depth;			/* 2: nested structures too */
};

/* The location of a part, relative to the root. */
struct part {
	const struct debug_type *type;
	int64_t offset;
	uint32_t bit_offset, bit_size;
	bool is_root;			/* the root itself, which may be a value */
};

static void print_part(struct pretty *p, const struct part *part, unsigned level);

static bool is_full(const struct pretty *p)
{
	return p->format.n > p->room;
}

/* Characters in arrays and targets of pointers are printed as text. "u8" and "s8" are numbers, although
 * C calls them unsigned and signed char. */
static bool is_char(const struct debug_type *type)
{
	const struct debug_type *t = debug_type_real(type);

	if (t->size != 1 || !t->name || (t->kind != DEBUG_CHAR && t->kind != DEBUG_INT))
		return false;
	if (str_equal(t->name, "char"))
		return true;
	for (; type != t; type = debug_type_target(type))
		if (type->kind == DEBUG_TYPEDEF)
			return false;
	return strstr(t->name, "char");
}

/* The size in bytes of C++'s char16_t or char32_t; 0: another type. In C these names are typedefs of integers. */
static uint32_t wide_char(const struct debug_type *type)
{
	const struct debug_type *t = debug_type_real(type);

	return t->kind == DEBUG_CHAR && (t->size == 2 || t->size == 4) ? (uint32_t)t->size : 0;
}

static bool is_text(const struct debug_type *type)
{
	return is_char(type) || wide_char(type);
}

/* ---- the parts ---- */

static void add_access(struct pretty *p, struct access *a)
{
	struct expr *e = expr_make(p->arena, EXPR_TARGET, p->walk->span);

	e->target.what = TARGET_CAST;
	e->target.name = "$";
	e->target.access = a;
	e->type = a->kind == ACCESS_NUMBER ? TYPE_LONG : TYPE_STRING;
	*vec_add(p->arena, &p->args) = e;
}

/* A part of a root that is kept in registers. */
static bool find_kept(struct pretty *p, const struct part *part, struct access *a)
{
	struct target_walk w = *p->walk;

	w.access = a;
	w.quiet = true;
	w.type = part->type;
	w.place_at += part->offset;
	*a = (struct access){ .bit_offset = part->bit_offset, .bit_size = part->bit_size };
	if (!target_finish(&w, false) || a->kind != ACCESS_NUMBER)
		return false;
	p->walk->access->regs |= a->regs;
	return true;
}

/* The size of the characters of a text whose type is REAL. */
static uint32_t width_of(const struct debug_type *real)
{
	return real->kind == DEBUG_POINTER || real->kind == DEBUG_ARRAY ? wide_char(debug_type_target(real)) : 0;
}

/* Print the part with FORMAT, or "?" if it cannot be read. */
static void add_argument(struct pretty *p, const struct part *part, enum access_kind kind, uint32_t size,
			 const char *format)
{
	const struct debug_type *real = debug_type_real(part->type);
	struct access *a = arena_new(p->arena, struct access);

	if (p->walk->place && !find_kept(p, part, a)) {
		text_char(&p->format, '?');
		return;
	}
	text_add(&p->format, format);
	if (p->walk->place) {
		add_access(p, a);
		return;
	}
	*a = (struct access){ .kind = kind, .from = ACCESS_FROM_HELD, .size = size, .width = width_of(real),
			      .is_signed = real->is_signed, .bit_offset = part->bit_offset,
			      .bit_size = part->bit_size, .user = p->walk->access->user,
			      .is_value = part->is_root && p->walk->access->is_value };
	if (part->offset) {
		struct access_step *s = vec_add(p->arena, &a->steps);

		*s = (struct access_step){ .kind = ACCESS_OFFSET, .offset = part->offset };
	}
	add_access(p, a);
}

static void print_number(struct pretty *p, const struct part *part, const char *format)
{
	uint64_t size = debug_type_real(part->type)->size;

	add_argument(p, part, ACCESS_NUMBER, size && size <= 8 ? (uint32_t)size : 8, format);
}

static void print_integer(struct pretty *p, const struct part *part)
{
	const struct debug_type *real = debug_type_real(part->type);

	if (real->size == 1 && real->name && str_equal(real->name, "char") && !part->bit_size)
		print_number(p, part, "'%#c'");
	else if (wide_char(real) && !part->bit_size && !p->walk->place)
		add_argument(p, part, ACCESS_CHARACTER, (uint32_t)real->size, "'%s'");
	else
		print_number(p, part, real->is_signed || real->size < 4 ? "%i" : "%u");
}

/* The parts of a text are made after names are resolved, so this operator has no type's name, only its enumerators. */
static struct expr *enumerator_name(struct pretty *p, const struct debug_type *real, struct expr *value)
{
	struct expr *e = expr_make(p->arena, EXPR_TYPE_OP, p->walk->span);

	e->type_op.op = "enumname";
	*vec_add(p->arena, &e->type_op.args) = value;
	for (size_t i = 0; i < debug_type_enumerator_count(real); i++) {
		struct enumerator *n = vec_add(p->arena, &e->type_op.enumerators);

		debug_type_enumerator_at(real, i, &n->name, &n->value);
	}
	e->type = TYPE_STRING;
	return e;
}

static void print_enumeration(struct pretty *p, const struct part *part)
{
	const struct debug_type *real = debug_type_real(part->type);
	size_t before = p->args.n;

	if (!debug_type_enumerator_count(real)) {
		print_integer(p, part);
		return;
	}
	print_number(p, part, "%s");
	if (p->args.n > before)
		p->args.items[before] = enumerator_name(p, real, p->args.items[before]);
}

static void print_pointer(struct pretty *p, const struct part *part)
{
	const struct debug_type *real = debug_type_real(part->type);

	if (!is_text(debug_type_target(real)) || p->walk->place)
		print_number(p, part, "%p");
	else
		add_argument(p, part, ACCESS_TEXT_OR_ADDRESS, (uint32_t)real->size, "%s");
}

static void print_array(struct pretty *p, const struct part *part, unsigned level)
{
	const struct debug_type *real = debug_type_real(part->type), *type = debug_type_target(real);
	const struct debug_type *element = debug_type_real(type);

	if (is_text(type) && real->count && !p->walk->place && !(part->is_root && p->walk->access->is_value)) {
		add_argument(p, part, ACCESS_TEXT, real->count > UINT16_MAX ? UINT16_MAX :
			     (uint32_t)(real->count * element->size), "%s");
		return;
	}
	text_char(&p->format, '[');
	for (uint64_t i = 0; i < real->count && element->size; i++) {
		struct part inner = { .type = type, .offset = part->offset + (int64_t)(i * element->size) };

		text_add(&p->format, i ? ", " : "");
		if (i == MOST_ELEMENTS || is_full(p)) {
			text_add(&p->format, "...");
			break;
		}
		print_part(p, &inner, level + 1);
	}
	text_char(&p->format, ']');
}

static void print_members(struct pretty *p, const struct part *part, unsigned level, bool *first)
{
	const struct debug_type *real = debug_type_real(part->type);

	for (size_t i = 0; i < debug_type_member_count(real) && !is_full(p); i++) {
		struct debug_member m;
		struct part inner;

		if (!debug_type_member_at(real, i, &m))
			break;
		inner = (struct part){ .type = m.type, .offset = part->offset + (int64_t)m.offset,
				       .bit_offset = m.bit_offset, .bit_size = m.bit_size };
		if (!m.name && !m.bit_size) {
			print_members(p, &inner, level, first);
			continue;
		}
		if (!m.name)
			continue;
		text_printf(&p->format, "%s.%s=", *first ? "" : ", ", m.name);
		*first = false;
		print_part(p, &inner, level + 1);
	}
}

static void print_structure(struct pretty *p, const struct part *part, unsigned level)
{
	bool first = true;

	text_char(&p->format, '{');
	print_members(p, part, level, &first);
	text_char(&p->format, '}');
}

static void print_part(struct pretty *p, const struct part *part, unsigned level)
{
	const struct debug_type *real = debug_type_real(part->type);
	bool inside = level && p->depth < 2;

	switch (real->kind) {
	case DEBUG_STRUCT: case DEBUG_UNION:
		if (inside)
			text_add(&p->format, "{...}");
		else
			print_structure(p, part, level);
		break;
	case DEBUG_ARRAY:
		if (inside && real->count && !is_text(debug_type_target(real)))
			text_add(&p->format, "[...]");
		else
			print_array(p, part, level);
		break;
	case DEBUG_POINTER: print_pointer(p, part); break;
	case DEBUG_ENUM: print_enumeration(p, part); break;
	case DEBUG_FLOAT: case DEBUG_VOID: case DEBUG_FUNCTION: text_char(&p->format, '?'); break;
	default: print_integer(p, part); break;
	}
}

/* ---- sprintf ---- */

struct expr *target_sprintf(struct arena *a, struct span at, const struct text *format, const expr_list *args)
{
	struct expr *e = expr_make(a, EXPR_PRINT, at);

	e->print.op = (struct print_op){ .to_string = true, .has_format = true, .has_parts = true,
					 .name = "sprintf" };
	e->print.format = format->s;
	e->print.format_size = format->n;
	e->print.format_span = at;
	e->print.args = *args;
	e->type = TYPE_STRING;
	return e;
}

static struct pretty pretty_begin(struct target_walk *w, unsigned depth)
{
	struct pretty p = { .walk = w, .arena = w->arena, .depth = depth, .room = LEAST_ROOM };

	vec_each(d, &w->at->options->defines)
		if (str_equal(d->name, "MAXSTRINGLEN") && strtol(d->value, NULL, 0) > LEAST_ROOM)
			p.room = (size_t)strtol(d->value, NULL, 0);
	text_init(&p.format, p.arena);
	return p;
}

/* A pointer to a structure prints the structure; other pointers are printed as numbers. */
static bool enter_structure(struct target_walk *w)
{
	const struct debug_type *real = debug_type_real(w->type), *to;

	if (real->kind != DEBUG_POINTER)
		return true;
	to = debug_type_real(debug_type_target(real));
	if ((to->kind != DEBUG_STRUCT && to->kind != DEBUG_UNION) || !to->size)
		return true;
	return target_enter(w, real);
}

/* Does the value consist of parts, each of which is read separately? */
static bool is_whole(const struct target_walk *w)
{
	enum debug_kind kind = debug_type_real(w->type)->kind;

	return kind == DEBUG_STRUCT || kind == DEBUG_UNION || kind == DEBUG_ARRAY;
}

struct expr *target_pretty(struct target_walk *w, unsigned depth)
{
	struct pretty p = pretty_begin(w, depth);
	struct part root;

	if (!enter_structure(w))
		return NULL;
	if (w->place ? !is_whole(w) : !w->in_memory) {
		if (!target_finish(w, false))
			return NULL;
	} else {
		w->access->kind = ACCESS_ADDRESS;
	}
	root = (struct part){ .type = w->type, .bit_offset = w->access->bit_offset,
			      .bit_size = w->access->bit_size, .is_root = true };
	w->access->bit_size = 0;
	print_part(&p, &root, 0);
	return target_sprintf(p.arena, w->span, &p.format, &p.args);
}
