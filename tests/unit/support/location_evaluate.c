/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates the programs that compute where a variable is, as the C does that emit writes for them. */
#include "tests/unit/support/location_evaluate.h"

#include <string.h>

#include "arch/arch.h"
#include "debuginfo/chain.h"

enum { STACK_DEEPEST = 64, STEPS_MOST = 10000 };

struct machine {
	const struct location_state *state;
	uint64_t stack[STACK_DEEPEST];
	size_t depth;
	const char *reason;
};

static bool fail(struct machine *m, const char *reason)
{
	m->reason = reason;
	return false;
}

static bool push(struct machine *m, uint64_t value)
{
	if (m->depth == STACK_DEEPEST)
		return fail(m, "too deep a stack");
	m->stack[m->depth++] = value;
	return true;
}

static uint64_t masked(uint64_t v, unsigned size)
{
	return size >= 8 ? v : v & ((1ull << 8 * size) - 1);
}

static uint64_t sign_extended(uint64_t v, unsigned size)
{
	unsigned shift = size >= 8 ? 0 : 64 - 8 * size;

	return (uint64_t)((int64_t)(v << shift) >> shift);
}

static bool push_register(struct machine *m, const struct arch_register *r)
{
	uint64_t value;

	if (!r || r->dwarf < 0)
		return fail(m, "there is no such register");
	if (!m->state->reg || !m->state->reg(m->state->data, (unsigned)r->dwarf, &value))
		return fail(m, "a register is not known");
	return push(m, value);
}

static const struct arch *arch_of(const struct machine *m)
{
	return m->state->arch;
}

static bool push_result(struct machine *m, int64_t half)
{
	const struct arch *arch = arch_of(m);

	return push_register(m, arch_register(arch, half ? arch->second_result : arch->result));
}

static bool load(struct machine *m, unsigned size)
{
	uint64_t value = 0;

	if (!size || size > 8)
		return fail(m, "a load of unknown size");
	if (!m->state->read || !m->state->read(m->state->data, m->stack[m->depth - 1], size, &value))
		return fail(m, "memory cannot be read");
	m->stack[m->depth - 1] = masked(value, size);
	return true;
}

/* Replace the top two values by one. */
static bool binary(struct machine *m, enum location_op op)
{
	uint64_t b = m->stack[--m->depth], a = m->stack[m->depth - 1], *out = &m->stack[m->depth - 1];
	int64_t x = (int64_t)a, y = (int64_t)b;

	switch (op) {
	case LOCATION_ADD: *out = a + b; return true;
	case LOCATION_SUB: *out = a - b; return true;
	case LOCATION_MUL: *out = a * b; return true;
	case LOCATION_DIV:
		if (!b)
			return fail(m, "division by zero");
		*out = y == -1 ? 0 - a : (uint64_t)(x / y);
		return true;
	case LOCATION_MOD:
		if (!b)
			return fail(m, "division by zero");
		*out = a % b;
		return true;
	case LOCATION_AND: *out = a & b; return true;
	case LOCATION_OR: *out = a | b; return true;
	case LOCATION_XOR: *out = a ^ b; return true;
	case LOCATION_SHL: *out = b < 64 ? a << b : 0; return true;
	case LOCATION_SHR: *out = b < 64 ? a >> b : 0; return true;
	case LOCATION_SHRA: *out = (uint64_t)(x >> (b < 64 ? b : 63)); return true;
	case LOCATION_EQ: *out = x == y; return true;
	case LOCATION_NE: *out = x != y; return true;
	case LOCATION_LT: *out = x < y; return true;
	case LOCATION_LE: *out = x <= y; return true;
	case LOCATION_GT: *out = x > y; return true;
	case LOCATION_GE: *out = x >= y; return true;
	default: return fail(m, "an unknown operation");
	}
}

static bool arrange(struct machine *m, const struct location_step *s)
{
	uint64_t *top = &m->stack[m->depth - 1], t;

	switch (s->op) {
	case LOCATION_DUP:
		return push(m, *top);
	case LOCATION_DROP:
		m->depth--;
		return true;
	case LOCATION_OVER:
		return push(m, top[-1]);
	case LOCATION_PICK:
		if ((uint64_t)s->value >= m->depth)
			return fail(m, "too short a stack");
		return push(m, top[-s->value]);
	case LOCATION_SWAP:
		t = top[0];
		top[0] = top[-1];
		top[-1] = t;
		return true;
	case LOCATION_ROT:
		t = top[0];
		top[0] = top[-1];
		top[-1] = top[-2];
		top[-2] = t;
		return true;
	case LOCATION_NEG:
		*top = 0 - *top;
		return true;
	case LOCATION_NOT:
		*top = ~*top;
		return true;
	case LOCATION_ABS:
		*top = (int64_t)*top < 0 ? 0 - *top : *top;
		return true;
	case LOCATION_SIGN:
		*top = sign_extended(*top, s->size);
		return true;
	default:
		*top = masked(*top, s->size);
		return true;
	}
}

static bool push_place(struct machine *m, const struct location_step *s)
{
	uint64_t value;

	if (!m->state->address || !m->state->address(m->state->data, s, &value))
		return fail(m, "an address is not known");
	return push(m, value);
}

/* A step that turns an address into that of this thread's, or this CPU's, copy. */
static bool relocate(struct machine *m, const struct location_step *s)
{
	uint64_t value = m->stack[m->depth - 1];
	struct location_step with = *s;

	with.value = (int64_t)value;
	m->depth--;
	return push_place(m, &with);
}

static size_t operands(enum location_op op)
{
	switch (op) {
	case LOCATION_CONST: case LOCATION_REGISTER: case LOCATION_ARGUMENT: case LOCATION_RESULT:
	case LOCATION_GIVEN: case LOCATION_CFA: case LOCATION_ADDRESS: case LOCATION_JUMP:
		return 0;
	case LOCATION_TLS: case LOCATION_PERCPU: case LOCATION_LOAD: case LOCATION_NEG:
	case LOCATION_NOT: case LOCATION_ABS: case LOCATION_DUP: case LOCATION_DROP:
	case LOCATION_PICK: case LOCATION_BRANCH: case LOCATION_SIGN: case LOCATION_ZERO:
		return 1;
	case LOCATION_ROT:
		return 3;
	default:
		return 2;
	}
}

static bool step(struct machine *m, const struct location_step *s)
{
	if (m->depth < operands(s->op))
		return fail(m, "too short a stack");
	switch (s->op) {
	case LOCATION_CONST:
		return push(m, (uint64_t)s->value);
	case LOCATION_REGISTER:
		return push_register(m, arch_register_of_dwarf(arch_of(m), (int)s->value));
	case LOCATION_ARGUMENT:
		return push_register(m, arch_argument(arch_of(m), (unsigned)s->value + 1));
	case LOCATION_RESULT:
		return push_result(m, s->value);
	case LOCATION_GIVEN:
		return fail(m, "the probe's arguments are not known");
	case LOCATION_CFA:
		return m->state->cfa ? push(m, m->state->cfa) : fail(m, "the frame is not known");
	case LOCATION_ADDRESS:
		return push_place(m, s);
	case LOCATION_TLS:
	case LOCATION_PERCPU:
		return relocate(m, s);
	case LOCATION_LOAD:
		return load(m, s->size);
	case LOCATION_DUP: case LOCATION_DROP: case LOCATION_OVER: case LOCATION_SWAP:
	case LOCATION_ROT: case LOCATION_PICK: case LOCATION_NEG: case LOCATION_NOT:
	case LOCATION_ABS: case LOCATION_SIGN: case LOCATION_ZERO:
		return arrange(m, s);
	default:
		return binary(m, s->op);
	}
}

bool location_evaluate(const struct location_step *steps, size_t n, const struct location_state *state,
		       uint64_t *value, const char **reason)
{
	struct machine m = { .state = state, .reason = "" };
	size_t done = 0, i = 0;
	bool good = true;

	while (good && i < n) {
		const struct location_step *s = &steps[i++];
		bool is_taken = s->op == LOCATION_JUMP;

		if (++done > STEPS_MOST) {
			good = fail(&m, "an endless loop");
		} else if (s->op == LOCATION_BRANCH) {
			good = m.depth || fail(&m, "too short a stack");
			is_taken = good && m.stack[--m.depth];
		} else if (!is_taken) {
			good = step(&m, s);
		}
		if (good && is_taken) {
			i = (size_t)s->value;
			good = i <= n || fail(&m, "a jump out of range");
		}
	}
	if (good && !m.depth)
		good = fail(&m, "nothing is left on the stack");
	*reason = m.reason;
	if (good)
		*value = m.stack[m.depth - 1];
	return good;
}
