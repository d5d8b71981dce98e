/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C calling conventions, as described in the row of each architecture: where arguments are when a
 * function is entered, and where its result is at its return. Kernels use no floating-point arguments. */
#include "convention.h"

#include "arch/arch.h"
#include "debuginfo/chain.h"
#include "location.h"

struct convention {
	const struct arch *arch;
	unsigned next_register, registers;
	uint64_t stack;			/* bytes of arguments on the stack so far */
	bool is_lost;			/* an earlier argument has an unknown place on the stack */
};

static bool is_composite(const struct debug_type *real)
{
	return real->kind == DEBUG_STRUCT || real->kind == DEBUG_UNION || real->kind == DEBUG_ARRAY;
}

static struct location in_register(struct arena *a, unsigned n, const struct debug_type *t)
{
	struct location l = { .kind = LOCATION_IS_VALUE };

	location_add(a, &l, LOCATION_ARGUMENT, n);
	location_extend(a, &l, t);
	return l;
}

/* A value in registers of WORD bytes, with the lowest bytes in FIRST. */
static struct location in_registers(struct arena *a, enum location_op op, unsigned first, uint64_t size, uint8_t word)
{
	struct location l = { .kind = LOCATION_IN_PIECES };

	for (uint64_t done = 0; done < size; done += word) {
		struct location_piece *p = vec_add(a, &l.pieces);

		p->size = (uint32_t)(size - done < word ? size - done : word);
		p->location.kind = LOCATION_IS_VALUE;
		location_add(a, &p->location, op, first + (int64_t)(done / word));
	}
	return l;
}

static struct location on_stack(struct arena *a, struct convention *c, uint64_t size)
{
	struct location l = { .kind = LOCATION_IN_MEMORY };
	const struct arch_register *sp = arch_register(c->arch, c->arch->sp);

	if (c->is_lost || !sp)
		return location_nowhere("it is on the stack, after a struct that is passed by value");
	location_add(a, &l, LOCATION_REGISTER, sp->dwarf);
	location_add(a, &l, LOCATION_CONST, c->arch->stack_arguments + (int64_t)c->stack);
	location_add(a, &l, LOCATION_ADD, 0);
	c->stack += (size + c->arch->word - 1) & ~(uint64_t)(c->arch->word - 1);
	return l;
}

/* A struct of more than 16 bytes, whose alignment is not known: x86 copies it to the stack, arm64
 * passes the address of a copy. */
static struct location large(struct arena *a, struct convention *c)
{
	struct location l = { .kind = LOCATION_IN_MEMORY };

	if (!c->arch->large_by_address) {
		c->is_lost = true;
		return location_nowhere("it is a struct that is passed by value on the stack");
	}
	if (c->next_register >= c->registers)
		return location_nowhere("it is a struct that is passed by value on the stack");
	location_add(a, &l, LOCATION_ARGUMENT, c->next_register++);
	return l;
}

static struct location argument(struct arena *a, struct convention *c, const struct debug_type *t)
{
	const struct debug_type *real = debug_type_real(t);
	unsigned need = real->size > 8 ? 2 : 1;
	unsigned first;

	/* i386: all arguments are on the stack, one after the other. */
	if (!c->registers && real->size)
		return on_stack(a, c, real->size);
	if (real->kind == DEBUG_FLOAT)
		return location_nowhere("it is a floating-point number");
	if (!real->size)
		return location_nowhere(is_composite(real) ? "it is a struct of unknown size" :
							     "its type is not known");
	if (real->size > 16)
		return large(a, c);
	if (c->arch->pairs_are_even && need == 2 && !is_composite(real))
		c->next_register += c->next_register & 1;
	if (c->next_register + need > c->registers) {
		if (c->arch->pairs_are_split && c->next_register < c->registers) {
			c->is_lost = true;
			return location_nowhere("it is half in a register and half on the stack");
		}
		if (c->arch->registers_end)
			c->next_register = c->registers;
		/* values of two words may need alignment */
		if (need == 2 && !is_composite(real))
			c->stack = (c->stack + 15) & ~(uint64_t)15;
		return on_stack(a, c, real->size);
	}
	first = c->next_register;
	c->next_register += need;
	if (need == 1 && !is_composite(real))
		return in_register(a, first, t);
	return in_registers(a, LOCATION_ARGUMENT, first, real->size, c->arch->word);
}

static bool is_in_memory(const struct arch *arch, const struct debug_type *real)
{
	return real->size > 2u * arch->word || (is_composite(real) && real->size > arch->structs_returned);
}

/* The address for a struct that is returned in memory is passed before all arguments, except on
 * arm64, which has a separate register for it. */
static void skip_result(struct convention *c, const struct debug_type *result)
{
	if (c->arch->result_has_register || !result || !is_in_memory(c->arch, debug_type_real(result)))
		return;
	if (c->registers)
		c->next_register++;
	else
		c->stack += c->arch->word;
}

void convention_arguments(struct debuginfo *d, const struct debug_type *result, const struct debug_type *const *types,
			  size_t n, struct location *out)
{
	const struct arch *arch = d->request.arch;
	struct convention c = { .arch = arch, .registers = arch->argument_count };

	skip_result(&c, result);
	for (size_t i = 0; i < n; i++)
		out[i] = argument(d->arena, &c, types[i]);
}

struct location convention_result(struct debuginfo *d, const struct debug_type *t)
{
	struct arena *a = d->arena;
	const struct debug_type *real = debug_type_real(t);
	const struct arch *arch = d->request.arch;
	struct location l = { .kind = LOCATION_IS_VALUE };

	if (real->kind == DEBUG_VOID)
		return location_nowhere("the function returns nothing");
	if (real->kind == DEBUG_FLOAT || !real->size)
		return location_nowhere("its type is not one that is returned in registers");
	if (real->size > 16 && arch->result_has_register)
		return location_nowhere("it is a struct, and its address is not kept");
	if (is_in_memory(arch, real))
		l.kind = LOCATION_IN_MEMORY;
	else if (real->size > arch->word || is_composite(real))
		return in_registers(a, LOCATION_RESULT, 0, real->size, arch->word);
	location_add(a, &l, LOCATION_RESULT, 0);
	if (l.kind == LOCATION_IS_VALUE)
		location_extend(a, &l, t);
	return l;
}
