/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Go's calling convention, ABIInternal (cmd/compile/abi-internal.md in Go's sources). A value is in registers if all
 * its parts fit into those that are left, each integer, pointer and floating-point number in its own register: a string
 * has two parts, a slice three. Otherwise the whole value is on the stack, above the return address. Arrays of several
 * elements always are. Results begin with the first register again, and follow the arguments on the stack. */
#include "go.h"

#include "arch/arch.h"
#include "base/util.h"
#include "debuginfo/chain.h"
#include "location.h"

enum { RETURN_ADDRESS = 8 };		/* bytes on the stack */

struct assignment {
	struct debuginfo *d;
	const struct arch_go *go;	/* NULL: no registers */
	unsigned integers, floats;	/* in use */
	uint64_t stack;			/* bytes in use */
	struct location pieces;		/* of the current value */
	uint64_t filled;		/* its bytes in PIECES */
};

static bool is_complex(const struct debug_type *real)
{
	return real->kind == DEBUG_FLOAT && real->name && str_starts(real->name, "complex");
}

static uint64_t alignment(const struct debug_type *t, int depth)
{
	const struct debug_type *real = debug_type_real(t);
	struct debug_member m;
	uint64_t most = 1;

	if (depth > DEEPEST_TYPE)
		return 8;
	if (real->kind == DEBUG_ARRAY)
		return alignment(debug_type_target(real), depth + 1);
	if (real->kind != DEBUG_STRUCT)
		return is_complex(real) ? real->size / 2 : real->size ? real->size : 8;
	for (size_t i = 0; debug_type_member_at(real, i, &m); i++) {
		uint64_t one = alignment(m.type, depth + 1);

		most = one > most ? one : most;
	}
	return most;
}

static void add_piece(struct assignment *a, uint64_t size, struct location l)
{
	*vec_add(a->d->arena, &a->pieces.pieces) = (struct location_piece){ .location = l, .size = (uint32_t)size };
	a->filled += size;
}

/* A part of SIZE bytes that is OFFSET bytes into the value. */
static bool add_part(struct assignment *a, uint64_t offset, uint64_t size, bool is_float)
{
	struct location l = { .kind = LOCATION_IS_VALUE };

	if (is_float ? a->floats == a->go->floats : a->integers == a->go->register_count)
		return false;
	if (offset > a->filled)
		add_piece(a, offset - a->filled, location_nowhere("it is padding"));
	if (is_float) {
		a->floats++;
		l = location_nowhere("it is a floating-point number");
	} else {
		const struct arch_register *r = arch_register(a->d->request.arch, a->go->registers[a->integers++]);

		location_add(a->d->arena, &l, LOCATION_REGISTER, r->dwarf);
	}
	add_piece(a, size, l);
	return true;
}

static bool add_float(struct assignment *a, const struct debug_type *real, uint64_t offset)
{
	uint64_t half = real->size / 2;

	if (!is_complex(real))
		return add_part(a, offset, real->size, true);
	return add_part(a, offset, half, true) && add_part(a, offset + half, half, true);
}

static bool add_parts(struct assignment *a, const struct debug_type *t, uint64_t offset, int depth)
{
	const struct debug_type *real = debug_type_real(t);
	struct debug_member m;

	if (depth > DEEPEST_TYPE)
		return false;
	switch (real->kind) {
	case DEBUG_INT: case DEBUG_BOOL: case DEBUG_CHAR: case DEBUG_ENUM:
		return real->size && real->size <= 8 && add_part(a, offset, real->size, false);
	case DEBUG_POINTER: case DEBUG_FUNCTION:
		return add_part(a, offset, 8, false);
	case DEBUG_FLOAT:
		return add_float(a, real, offset);
	case DEBUG_STRUCT:
		for (size_t i = 0; debug_type_member_at(real, i, &m); i++)
			if (!add_parts(a, m.type, offset + m.offset, depth + 1))
				return false;
		return true;
	case DEBUG_ARRAY:
		return !real->size || (real->count == 1 && add_parts(a, debug_type_target(real), offset, depth + 1));
	default:
		return false;
	}
}

static uint64_t size_of(const struct debug_type *t)
{
	const struct debug_type *real = debug_type_real(t);

	return real->kind == DEBUG_FUNCTION ? 8 : real->size;
}

static struct location in_registers(struct assignment *a, const struct debug_type *t)
{
	struct location_piece *only = a->pieces.pieces.items;
	enum debug_kind kind = debug_type_real(t)->kind;

	if (a->filled < size_of(t))
		add_piece(a, size_of(t) - a->filled, location_nowhere("it is padding"));
	if (a->pieces.pieces.n > 1 || kind == DEBUG_STRUCT || kind == DEBUG_ARRAY)
		return a->pieces;
	if (only->location.kind == LOCATION_IS_VALUE)
		location_extend(a->d->arena, &only->location, t);
	return only->location;
}

/* Above the return address, which on x86 is on the stack; on arm64 its place there is empty. At the return, probes find
 * the stack pointer as the caller does. */
static struct location on_stack(struct assignment *a, const struct go_value *v)
{
	const struct arch *arch = a->d->request.arch;
	struct location l = { .kind = LOCATION_IN_MEMORY };
	uint64_t align = alignment(v->type, 0);

	a->stack = (a->stack + align - 1) & ~(align - 1);
	location_add(a->d->arena, &l, LOCATION_REGISTER, arch_register(arch, arch->sp)->dwarf);
	location_add(a->d->arena, &l, LOCATION_CONST,
		     (int64_t)a->stack + (v->is_result && !arch->link ? 0 : RETURN_ADDRESS));
	location_add(a->d->arena, &l, LOCATION_ADD, 0);
	a->stack += size_of(v->type);
	return l;
}

/* ---- what debug information omits ---- */

/* The number of the first register that L begins in; -1: it does not. */
static int first_register(const struct assignment *a, const struct location *l)
{
	const struct arch *arch = a->d->request.arch;

	if (l->kind == LOCATION_IN_PIECES && l->pieces.n)
		l = &l->pieces.items[0].location;
	if (l->kind != LOCATION_IS_VALUE || !l->steps.n || l->steps.items[0].op != LOCATION_REGISTER)
		return -1;
	for (int i = 0; i < a->go->register_count; i++)
		if (arch_register(arch, a->go->registers[i])->dwarf == l->steps.items[0].value)
			return i;
	return -1;
}

/* The distance of L from the stack pointer at the entry; -1: not known, or below it. */
static int64_t stack_distance(const struct assignment *a, const struct location *l)
{
	const struct arch *arch = a->d->request.arch;
	int64_t sum = 0;

	if (l->kind != LOCATION_IN_MEMORY)
		return -1;
	vec_each(s, &l->steps) {
		bool is_sp = s->op == LOCATION_REGISTER && s->value == arch_register(arch, arch->sp)->dwarf;

		if (s->op == LOCATION_CONST)
			sum += s->value;
		else if (s->op != LOCATION_ADD && !(is_sp && s == l->steps.items))
			return -1;
	}
	return sum >= 0 ? sum : -1;
}

static void skip_omitted(struct assignment *a, const struct go_value *v, bool is_on_stack)
{
	int64_t stack = stack_distance(a, &v->hint) - RETURN_ADDRESS;
	int first = is_on_stack ? -1 : first_register(a, &v->hint);

	if (first > (int)a->integers)
		a->integers = (unsigned)first;
	if (is_on_stack && stack > (int64_t)a->stack)
		a->stack = (uint64_t)stack;
}

static void assign(struct assignment *a, struct go_value *v)
{
	unsigned integers, floats;

	if (a->go)
		skip_omitted(a, v, false);
	integers = a->integers;
	floats = a->floats;
	a->pieces = (struct location){ .kind = LOCATION_IN_PIECES };
	a->filled = 0;
	if (a->go && size_of(v->type) && add_parts(a, v->type, 0, 0)) {
		v->location = in_registers(a, v->type);
		return;
	}
	a->integers = integers;
	a->floats = floats;
	skip_omitted(a, v, true);
	v->location = on_stack(a, v);
}

void go_places(struct debuginfo *d, bool in_registers, go_values *values)
{
	struct assignment a = { .d = d, .go = in_registers ? d->request.arch->go : NULL };
	bool in_results = false;

	vec_each(v, values) {
		if (v->is_result && !in_results) {
			in_results = true;
			a.integers = a.floats = 0;
			a.stack = (a.stack + 7) & ~(uint64_t)7;
		}
		assign(&a, v);
	}
}
