/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts DWARF location expressions to steps. An expression that is not supported, or whose
 * result would be wrong (typed arithmetic that 64-bit numbers cannot represent), is "not available
 * here", with the reason. The frame address is computed here from the call frame information. */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "dwarf.h"
#include "base/util.h"
#include "type.h"
#include "debuginfo/location.h"
#include "loc.h"

enum { EXPRESSIONS_MOST = 8, NESTED_MOST = 4, TYPES_DEEPEST = 64 };

#ifndef DW_OP_GNU_variable_value
#define DW_OP_GNU_variable_value 0xfd
#endif

struct value_type {
	uint8_t size;			/* bytes; 0: the generic type */
	bool is_signed;
};

struct expression {
	const struct dwarf_context *c;
	struct arena *a;
	Dwarf_Attribute *attr;
	const Dwarf_Op *ops;
	size_t n;
	size_t *step_of;		/* index of the first step of each operation, and one for the end */
	struct location out;
	const char *why_not;
	bool is_value;			/* the top of the stack is the value, not its address */
	int depth;
	/* Types of the topmost values; those below have the generic type. */
	struct value_type types[TYPES_DEEPEST];
	size_t types_n;
};

static bool fail(struct expression *e, const char *why)
{
	e->why_not = why;
	return false;
}

/* The type of value N, counted from the top. */
static struct value_type *type_at(struct expression *e, size_t n)
{
	static struct value_type generic;

	generic = (struct value_type){ 0 };
	return n < e->types_n ? &e->types[e->types_n - 1 - n] : &generic;
}

static void push_type(struct expression *e, struct value_type t)
{
	if (e->types_n == TYPES_DEEPEST)
		memmove(e->types, e->types + 1, --e->types_n * sizeof(*e->types));
	e->types[e->types_n++] = t;
}

static void pop_types(struct expression *e, size_t n)
{
	e->types_n -= n < e->types_n ? n : e->types_n;
}

/* The effect of OP on the types on the stack. */
static void track(struct expression *e, enum location_op op, uint64_t value)
{
	struct value_type top = *type_at(e, 0), second = *type_at(e, 1), third = *type_at(e, 2);

	switch (op) {
	case LOCATION_DUP: push_type(e, top); return;
	case LOCATION_OVER: push_type(e, second); return;
	case LOCATION_PICK: push_type(e, *type_at(e, value)); return;
	case LOCATION_DROP: case LOCATION_BRANCH: pop_types(e, 1); return;
	case LOCATION_SWAP:
		pop_types(e, 2);
		push_type(e, top);
		push_type(e, second);
		return;
	case LOCATION_ROT:
		pop_types(e, 3);
		push_type(e, top);
		push_type(e, third);
		push_type(e, second);
		return;
	case LOCATION_NEG: case LOCATION_NOT: case LOCATION_ABS: case LOCATION_SIGN: case LOCATION_ZERO:
	case LOCATION_JUMP:
		return;
	case LOCATION_TLS: case LOCATION_PERCPU: case LOCATION_LOAD:
		pop_types(e, 1);
		push_type(e, (struct value_type){ 0 });
		return;
	case LOCATION_EQ: case LOCATION_NE: case LOCATION_LT: case LOCATION_LE: case LOCATION_GT:
	case LOCATION_GE:
		pop_types(e, 2);
		push_type(e, (struct value_type){ 0 });
		return;
	case LOCATION_CONST: case LOCATION_REGISTER: case LOCATION_ARGUMENT: case LOCATION_RESULT:
	case LOCATION_CFA: case LOCATION_ADDRESS:
		push_type(e, (struct value_type){ 0 });
		return;
	default:
		pop_types(e, 2);
		push_type(e, second);
		return;
	}
}

static struct location_step *add(struct expression *e, enum location_op op, uint64_t value)
{
	track(e, op, value);
	return location_add(e->a, &e->out, op, (int64_t)value);
}

static bool translate(struct expression *e);

/* Append OPS, which compute a frame base or a frame address, to E's steps. */
static bool translate_nested(struct expression *e, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n,
			     bool *is_value)
{
	struct expression inner = *e;

	if (e->depth >= NESTED_MOST)
		return fail(e, "its location refers to itself");
	inner.attr = attr;
	inner.ops = ops;
	inner.n = n;
	inner.depth++;
	inner.is_value = false;
	if (!translate(&inner))
		return fail(e, inner.why_not);
	e->out = inner.out;
	memcpy(e->types, inner.types, sizeof(e->types));
	e->types_n = inner.types_n;
	*is_value = inner.is_value;
	return true;
}

/* ---- the frame ---- */

/* Sums of addresses wrap around if addresses are short. */
static void to_type(struct expression *e);

static void add_number(struct expression *e, int64_t n)
{
	add(e, LOCATION_CONST, (uint64_t)n);
	add(e, LOCATION_ADD, 0);
	to_type(e);
}

static bool add_register(struct expression *e, uint64_t n)
{
	if (n > 1000 || !arch_register_of_dwarf(e->c->d->request.arch, (int)n))
		return fail(e, "it is in a register that probes cannot read");
	add(e, LOCATION_REGISTER, n);
	return true;
}

/* Both addresses are those of the file, so libdwfl's bias does not matter. */
static bool frame_from(struct expression *e, Dwarf_CFI *cfi, bool *done)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	size_t n;
	bool is_value;

	*done = cfi && dwarf_cfi_addrframe(cfi, e->c->pc, &frame) == 0 &&
		dwarf_frame_cfa(frame, &ops, &n) == 0 && n > 0;
	if (*done) {
		/* "register plus offset" is encoded as DW_OP_bregN, which is already a value */
		bool good = translate_nested(e, NULL, ops, n, &is_value);

		free(frame);
		return good;
	}
	free(frame);
	return false;
}

static bool add_frame_address(struct expression *e)
{
	struct dwarf_file *f = e->c->d->dwarf;
	const struct arch *arch = e->c->d->request.arch;
	Dwarf_Addr bias = 0;
	bool done;

	if (e->c->at_entry) {
		add(e, LOCATION_REGISTER, (uint64_t)arch_register(arch, arch->sp)->dwarf);
		add_number(e, arch->link ? 0 : arch->word);
		return true;
	}
	if (frame_from(e, dwfl_module_dwarf_cfi(f->module, &bias), &done) || done)
		return !e->why_not;
	if (frame_from(e, dwfl_module_eh_cfi(f->module, &bias), &done) || done)
		return !e->why_not;
	return fail(e, "the debug information does not describe the function's frame here");
}

/* Go writes expressions as blocks, which libdw takes for offsets of location lists since DWARF 4. A short one has the
 * same bytes as an expression. */
static bool expression_attribute(Dwarf_Die *die, unsigned name, Dwarf_Attribute *attr)
{
	Dwarf_Block block;

	if (!dwarf_attr_integrate(die, name, attr))
		return false;
	if (dwarf_whatform(attr) == DW_FORM_block1 && !dwarf_formblock(attr, &block) && block.length < 128)
		attr->form = DW_FORM_exprloc;
	return true;
}

static bool add_frame_base(struct expression *e, int64_t offset)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;
	bool is_value;

	if (!e->c->function || !expression_attribute(e->c->function, DW_AT_frame_base, &attr))
		return fail(e, "the function's frame is not known");
	if (dwarf_getlocation_addr(&attr, e->c->pc, &ops, &n, 1) != 1)
		return fail(e, "the function's frame is not known here");
	if (!translate_nested(e, &attr, ops, n, &is_value))
		return false;
	add_number(e, offset);
	return true;
}

/* ---- types of values ---- */

static bool type_of_operation(struct expression *e, const Dwarf_Op *op, uint64_t die_offset,
			      struct value_type *out)
{
	const struct debug_type *t;
	Dwarf_Die die;

	*out = (struct value_type){ 0 };
	if (!die_offset)
		return true;
	if (!e->attr || dwarf_getlocation_die(e->attr, op, &die))
		return fail(e, "its location refers to a type that does not exist");
	t = dwarf_type_handle(e->c->d, &die);
	if (t->kind == DEBUG_FLOAT || !t->size || t->size > 8)
		return fail(e, "it is computed from floating-point or wide numbers");
	*out = (struct value_type){ (uint8_t)t->size, t->is_signed };
	return true;
}

static uint8_t word_of(const struct expression *e)
{
	return e->c->d->request.arch->word;
}

/* Keep the top of the stack as its type requires: extended to 64 bits. The generic type has the
 * size of a word, and is unsigned in most operations. */
static void to_type(struct expression *e)
{
	struct value_type t = *type_at(e, 0);

	if (!t.size)
		t.size = word_of(e);
	if (t.size && t.size < 8)
		add(e, t.is_signed ? LOCATION_SIGN : LOCATION_ZERO, 0)->size = t.size;
}

static bool convert(struct expression *e, const Dwarf_Op *op, uint64_t die_offset)
{
	struct value_type t;

	if (!type_of_operation(e, op, die_offset, &t))
		return false;
	pop_types(e, 1);
	push_type(e, t);
	to_type(e);
	return true;
}

/* For operations that depend on the sign of the operands: the generic type is signed for some and
 * unsigned for others. */
static bool is_wrong_sign(enum location_op op, struct value_type t)
{
	bool wants_signed = op != LOCATION_MOD && op != LOCATION_SHR;

	switch (op) {
	case LOCATION_DIV: case LOCATION_MOD: case LOCATION_SHR: case LOCATION_SHRA:
	case LOCATION_LT: case LOCATION_LE: case LOCATION_GT: case LOCATION_GE:
		return t.size && t.is_signed != wants_signed && (t.size == 8 || t.is_signed);
	default:
		return false;
	}
}

/* Extend the operands of OP, which have the generic type, as OP requires. */
static void extend_operands(struct expression *e, enum location_op op)
{
	bool is_signed = op == LOCATION_DIV || op == LOCATION_SHRA || op == LOCATION_ABS ||
			 (op >= LOCATION_LT && op <= LOCATION_GE);
	enum location_op extend = is_signed ? LOCATION_SIGN : LOCATION_ZERO;
	uint8_t word = word_of(e);

	if (word >= 8 || (!is_signed && op != LOCATION_MOD && op != LOCATION_SHR && op != LOCATION_EQ &&
			  op != LOCATION_NE))
		return;
	add(e, extend, 0)->size = word;
	if (op == LOCATION_ABS)
		return;
	add(e, LOCATION_SWAP, 0);
	add(e, extend, 0)->size = word;
	add(e, LOCATION_SWAP, 0);
}

static bool is_shift(enum location_op op)
{
	return op == LOCATION_SHL || op == LOCATION_SHR || op == LOCATION_SHRA;
}

static bool is_unary(enum location_op op)
{
	return op == LOCATION_NEG || op == LOCATION_NOT || op == LOCATION_ABS;
}

static bool arithmetic(struct expression *e, enum location_op op)
{
	struct value_type top = *type_at(e, 0), t = is_unary(op) ? top : *type_at(e, 1);

	if (!is_unary(op) && !is_shift(op) && (top.size != t.size || (t.size && top.is_signed != t.is_signed)))
		return fail(e, "its location computes with numbers of different types");
	if (is_wrong_sign(op, t))
		return fail(e, "its location computes with an operand of unsupported signedness");
	if (!t.size)
		extend_operands(e, op);
	add(e, op, 0);
	if (op < LOCATION_EQ || op > LOCATION_GE)
		to_type(e);
	return true;
}

/* ---- operations ---- */

static const struct {
	uint8_t atom;
	uint8_t op;
} plain[] = {
	{ DW_OP_and, LOCATION_AND }, { DW_OP_div, LOCATION_DIV }, { DW_OP_minus, LOCATION_SUB },
	{ DW_OP_mod, LOCATION_MOD }, { DW_OP_mul, LOCATION_MUL }, { DW_OP_or, LOCATION_OR },
	{ DW_OP_plus, LOCATION_ADD }, { DW_OP_shl, LOCATION_SHL }, { DW_OP_shr, LOCATION_SHR },
	{ DW_OP_shra, LOCATION_SHRA }, { DW_OP_xor, LOCATION_XOR }, { DW_OP_eq, LOCATION_EQ },
	{ DW_OP_ne, LOCATION_NE }, { DW_OP_lt, LOCATION_LT }, { DW_OP_le, LOCATION_LE },
	{ DW_OP_gt, LOCATION_GT }, { DW_OP_ge, LOCATION_GE }, { DW_OP_neg, LOCATION_NEG },
	{ DW_OP_not, LOCATION_NOT }, { DW_OP_abs, LOCATION_ABS },
};

static const struct {
	uint8_t atom;
	uint8_t op;
} arranging[] = {
	{ DW_OP_dup, LOCATION_DUP }, { DW_OP_drop, LOCATION_DROP }, { DW_OP_over, LOCATION_OVER },
	{ DW_OP_swap, LOCATION_SWAP }, { DW_OP_rot, LOCATION_ROT },
};

static bool load(struct expression *e, uint64_t size)
{
	if (!size || size > 8)
		return fail(e, "its location reads more than a word");
	add(e, LOCATION_LOAD, 0)->size = (uint8_t)size;
	return true;
}

static bool add_address(struct expression *e, Dwarf_Addr address)
{
	const char *section;
	int64_t offset;

	if (!dwarf_offset(e->c->d->dwarf, address, &section, &offset))
		return fail(e, "its address is in no section");
	add(e, LOCATION_ADDRESS, (uint64_t)offset)->section = section;
	return true;
}

static bool indirect(struct expression *e, const Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Addr address;
	Dwarf_Word word;

	if (!e->attr || dwarf_getlocation_attr(e->attr, op, &attr))
		return fail(e, "its address is not in the debug information");
	if (dwarf_formaddr(&attr, &address) == 0 && op->atom != DW_OP_constx &&
	    op->atom != DW_OP_GNU_const_index)
		return add_address(e, address);
	if (dwarf_formudata(&attr, &word) && dwarf_formaddr(&attr, &word))
		return fail(e, "its address is not in the debug information");
	add(e, LOCATION_CONST, word);
	return true;
}

/* The value of a register at the function's entry: it is still there if the probe is at the entry. */
static bool entry_value(struct expression *e, const Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;
	bool is_value;

	if (!e->c->at_entry)
		return fail(e, "only its value at the function's entry is known: use @entry");
	if (!e->attr || dwarf_getlocation_attr(e->attr, op, &attr) || dwarf_getlocation(&attr, &ops, &n) ||
	    n != 1)
		return fail(e, "its value at the function's entry is not known");
	return translate_nested(e, &attr, ops, n, &is_value) &&
	       (is_value || fail(e, "its value at the function's entry is not known"));
}

/* ---- other variables ---- */

static bool expression_of(struct expression *e, const Dwarf_Op *op, Dwarf_Die *die, Dwarf_Attribute *attr,
			  Dwarf_Op **ops, size_t *n)
{
	if (!e->attr || dwarf_getlocation_die(e->attr, op, die))
		return fail(e, "its location refers to a variable that does not exist");
	if (!expression_attribute(die, DW_AT_location, attr) ||
	    dwarf_getlocation_addr(attr, e->c->pc, ops, n, 1) != 1)
		return fail(e, "its location is computed from a variable that was optimized out");
	return true;
}

static bool call(struct expression *e, const Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	Dwarf_Die die;
	size_t n;
	bool is_value;

	return expression_of(e, op, &die, &attr, &ops, &n) &&
	       translate_nested(e, &attr, ops, n, &is_value);
}

static bool variable_value(struct expression *e, const Dwarf_Op *op)
{
	const struct debug_type *t;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	Dwarf_Die die;
	size_t n;
	bool is_value;

	if (!expression_of(e, op, &die, &attr, &ops, &n) || !translate_nested(e, &attr, ops, n, &is_value))
		return false;
	t = debug_type_real(dwarf_type_of(e->c->d, &die));
	if (!t->size || t->size > 8 || t->kind == DEBUG_FLOAT)
		return fail(e, "it is computed from a variable that is not a number");
	if (!is_value && !load(e, t->size))
		return false;
	pop_types(e, 1);
	push_type(e, (struct value_type){ (uint8_t)t->size, t->is_signed });
	to_type(e);
	*type_at(e, 0) = (struct value_type){ 0 };
	return true;
}

static bool typed_constant(struct expression *e, const Dwarf_Op *op)
{
	const unsigned char *block = (const unsigned char *)(uintptr_t)op->number2;
	uint64_t value = 0;

	if (!block || block[0] > 8)
		return fail(e, "it is a constant of an unknown form");
	memcpy(&value, block + 1, block[0]);
	add(e, LOCATION_CONST, value);
	return convert(e, op, op->number);
}

static bool jump(struct expression *e, size_t i, enum location_op op)
{
	uint64_t to = e->ops[i].offset + 3 + (uint64_t)(int64_t)(int16_t)e->ops[i].number;
	size_t target = 0;

	while (target < e->n && e->ops[target].offset < to)
		target++;
	if (target < e->n && e->ops[target].offset != to)
		return fail(e, "its location jumps into the middle of an operation");
	/* the number of the operation for now: its steps do not exist yet */
	add(e, op, target);
	return true;
}

static bool translate_constant(struct expression *e, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		add(e, LOCATION_CONST, op->atom - DW_OP_lit0);
	else
		add(e, LOCATION_CONST, op->number);
	return true;
}

static bool based(struct expression *e, uint64_t reg, int64_t offset)
{
	if (!add_register(e, reg))
		return false;
	if (offset)
		add_number(e, offset);
	return true;
}

static bool one(struct expression *e, size_t i)
{
	const Dwarf_Op *op = &e->ops[i];

	if ((op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) ||
	    (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts))
		return translate_constant(e, op);
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		e->is_value = true;
		return add_register(e, op->atom - DW_OP_reg0);
	}
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return based(e, op->atom - DW_OP_breg0, (int64_t)op->number);
	for (size_t k = 0; k < ARRAY_SIZE(plain); k++)
		if (plain[k].atom == op->atom)
			return arithmetic(e, plain[k].op);
	for (size_t k = 0; k < ARRAY_SIZE(arranging); k++)
		if (arranging[k].atom == op->atom)
			return add(e, arranging[k].op, 0);
	switch (op->atom) {
	case DW_OP_nop:
		return true;
	case DW_OP_addr:
		return add_address(e, op->number);
	case DW_OP_addrx: case DW_OP_constx: case DW_OP_GNU_addr_index: case DW_OP_GNU_const_index:
		return indirect(e, op);
	case DW_OP_regx:
		e->is_value = true;
		return add_register(e, op->number);
	case DW_OP_bregx:
		return based(e, op->number, (int64_t)op->number2);
	case DW_OP_regval_type: case DW_OP_GNU_regval_type:
		return add_register(e, op->number) && convert(e, op, op->number2);
	case DW_OP_const_type: case DW_OP_GNU_const_type:
		return typed_constant(e, op);
	case DW_OP_convert: case DW_OP_GNU_convert: case DW_OP_reinterpret: case DW_OP_GNU_reinterpret:
		return convert(e, op, op->number);
	case DW_OP_fbreg:
		return add_frame_base(e, (int64_t)op->number);
	case DW_OP_call_frame_cfa:
		return add_frame_address(e);
	case DW_OP_plus_uconst:
		add(e, LOCATION_CONST, op->number);
		/* the constant has the type of the value that it is added to */
		*type_at(e, 0) = *type_at(e, 1);
		return arithmetic(e, LOCATION_ADD);
	case DW_OP_pick:
		add(e, LOCATION_PICK, op->number);
		return true;
	case DW_OP_deref:
		return load(e, word_of(e));
	case DW_OP_deref_size:
		return load(e, op->number);
	case DW_OP_deref_type: case DW_OP_GNU_deref_type:
		return load(e, op->number) && convert(e, op, op->number2);
	case DW_OP_skip:
		return jump(e, i, LOCATION_JUMP);
	case DW_OP_bra:
		return jump(e, i, LOCATION_BRANCH);
	case DW_OP_stack_value:
		e->is_value = true;
		return true;
	case DW_OP_form_tls_address: case DW_OP_GNU_push_tls_address:
		add(e, LOCATION_TLS, 0);
		return true;
	case DW_OP_entry_value: case DW_OP_GNU_entry_value:
		return entry_value(e, op);
	case DW_OP_implicit_pointer: case DW_OP_GNU_implicit_pointer:
		return fail(e, "it is computed from a pointer that was optimized out");
	case DW_OP_GNU_parameter_ref:
		return fail(e, "only the caller knows its value");
	case DW_OP_GNU_variable_value:
		return variable_value(e, op);
	case DW_OP_call2: case DW_OP_call4: case DW_OP_call_ref:
		return call(e, op);
	default:
		return fail(e, arena_printf(e->a, "DWARF operation 0x%x is not supported", op->atom));
	}
}

static bool is_comparison(const struct location *l)
{
	enum location_op op = l->steps.n ? l->steps.items[l->steps.n - 1].op : LOCATION_CONST;

	return op >= LOCATION_EQ && op <= LOCATION_GE;
}

/* gcc's minima and maxima, "a b over over COMPARE bra(1) swap drop", are nearly the only branches
 * in kernels: a, b and 0 or 1 become b ^ ((a ^ b) & -condition), without a branch. */
static bool choose(struct expression *e, size_t i)
{
	static const enum location_op steps[] = {
		LOCATION_NEG, LOCATION_ROT, LOCATION_DUP, LOCATION_ROT, LOCATION_XOR,	/* mask b a^b */
		LOCATION_ROT, LOCATION_ROT, LOCATION_AND, LOCATION_XOR,
	};

	if (e->ops[i].atom != DW_OP_bra || e->ops[i].number != 1 || i + 2 >= e->n ||
	    e->ops[i + 1].atom != DW_OP_swap || e->ops[i + 2].atom != DW_OP_drop || !is_comparison(&e->out))
		return false;
	for (size_t k = 0; k < ARRAY_SIZE(steps); k++)
		add(e, steps[k], 0);
	return true;
}

static bool translate(struct expression *e)
{
	size_t first = e->out.steps.n;
	size_t *steps = arena_array(e->a, size_t, e->n + 1);

	for (size_t i = 0; i < e->n; i++) {
		steps[i] = e->out.steps.n;
		if (choose(e, i)) {
			steps[i + 1] = steps[i + 2] = SIZE_MAX;
			i += 2;
		} else if (!one(e, i)) {
			return false;
		}
	}
	steps[e->n] = e->out.steps.n;
	for (size_t i = first; i < e->out.steps.n && e->n; i++) {
		struct location_step *s = &e->out.steps.items[i];

		if ((s->op == LOCATION_JUMP || s->op == LOCATION_BRANCH) && !s->size) {
			if (steps[s->value] == SIZE_MAX)
				return fail(e, "its location jumps into the middle of a choice");
			s->value = (int64_t)steps[s->value];
			s->size = 8;	/* done: nested steps must not be changed again */
		}
	}
	return true;
}

/* ---- pieces ---- */

static bool is_piece(const Dwarf_Op *op)
{
	return op->atom == DW_OP_piece || op->atom == DW_OP_bit_piece;
}

static struct location constant(struct arena *a, const uint8_t *data, size_t size)
{
	struct location l = { .kind = LOCATION_IN_PIECES };

	for (size_t done = 0; done < size; done += 8) {
		struct location_piece *p = vec_add(a, &l.pieces);
		uint64_t value = 0;

		p->size = (uint32_t)(size - done < 8 ? size - done : 8);
		memcpy(&value, data + done, p->size);
		p->location.kind = LOCATION_IS_VALUE;
		location_add(a, &p->location, LOCATION_CONST, (int64_t)value);
	}
	if (l.pieces.n == 1)
		return l.pieces.items[0].location;
	return l;
}

static struct location implicit(struct expression *e, const Dwarf_Op *op)
{
	Dwarf_Block block;

	if (!e->attr || dwarf_getlocation_implicit_value(e->attr, op, &block) || block.length > 1 << 16)
		return location_nowhere("it is a constant of an unknown form");
	return constant(e->a, block.data, block.length);
}

/* A pointer that was optimized out, to a variable that is known. */
static struct location points_to(const struct dwarf_context *c, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	struct location l = { .kind = LOCATION_POINTS_TO, .pointee_offset = (int64_t)op->number2 };
	struct dwarf_context deeper = *c;
	struct location *pointee = arena_new(c->d->arena, struct location);
	Dwarf_Die die;

	if (++deeper.depth > NESTED_MOST)
		return location_nowhere("its location refers to itself");
	if (!attr || dwarf_getlocation_die(attr, op, &die))
		return location_nowhere("it is a pointer to a variable that was optimized out");
	*pointee = dwarf_location(&deeper, &die, dwarf_type_of(c->d, &die));
	if (pointee->kind == LOCATION_NOWHERE)
		return location_nowhere("it is a pointer to a variable that was optimized out");
	l.pointee = pointee;
	return l;
}

static bool is_implicit_pointer(const Dwarf_Op *op)
{
	return op->atom == DW_OP_implicit_pointer || op->atom == DW_OP_GNU_implicit_pointer;
}

/* Operations without pieces. No operations: the compiler optimized the variable out. */
static struct location simple(const struct dwarf_context *c, Dwarf_Attribute *attr, const Dwarf_Op *ops,
			      size_t n)
{
	struct expression e = { .c = c, .a = c->d->arena, .attr = attr, .ops = ops, .n = n };

	if (!n)
		return location_nowhere("the compiler optimized it out here");
	if (n == 1 && ops[0].atom == DW_OP_implicit_value)
		return implicit(&e, ops);
	if (n == 1 && is_implicit_pointer(ops))
		return points_to(c, attr, ops);
	if (!translate(&e))
		return location_nowhere(e.why_not);
	/* without an operation that makes it a value, the result is an address */
	e.out.kind = e.is_value ? LOCATION_IS_VALUE : LOCATION_IN_MEMORY;
	if (n == 1 && (ops[0].atom == DW_OP_entry_value || ops[0].atom == DW_OP_GNU_entry_value))
		e.out.kind = LOCATION_IS_VALUE;
	return e.out;
}

static struct location in_pieces(const struct dwarf_context *c, Dwarf_Attribute *attr,
				 const Dwarf_Op *ops, size_t n)
{
	struct location l = { .kind = LOCATION_IN_PIECES };
	size_t start = 0;

	for (size_t i = 0; i < n; i++) {
		struct location_piece *p;

		if (!is_piece(&ops[i]))
			continue;
		p = vec_add(c->d->arena, &l.pieces);
		p->location = simple(c, attr, ops + start, i - start);
		if (ops[i].atom == DW_OP_piece) {
			p->size = (uint32_t)ops[i].number;
		} else {
			p->bit_size = (uint32_t)ops[i].number;
			p->bit_offset = (uint32_t)ops[i].number2;
		}
		start = i + 1;
	}
	if (start != n)
		return location_nowhere("its location ends in the middle of a piece");
	/* all pieces may be missing */
	vec_each (p, &l.pieces)
		if (p->location.kind != LOCATION_NOWHERE)
			return l;
	return l.pieces.items[0].location;
}

static struct location of_operations(const struct dwarf_context *c, Dwarf_Attribute *attr,
				     const Dwarf_Op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_piece(&ops[i]))
			return in_pieces(c, attr, ops, n);
	return simple(c, attr, ops, n);
}

static struct location of_constant(const struct dwarf_context *c, Dwarf_Attribute *attr)
{
	struct location l = { .kind = LOCATION_IS_VALUE };
	const char *text = dwarf_formstring(attr);
	Dwarf_Block block;
	Dwarf_Sword value;

	if (text)
		return constant(c->d->arena, (const uint8_t *)text, strlen(text) + 1);
	if (dwarf_formsdata(attr, &value) == 0)
		location_add(c->d->arena, &l, LOCATION_CONST, value);
	else if (dwarf_formblock(attr, &block) == 0 && block.length <= 1 << 16)
		return constant(c->d->arena, block.data, block.length);
	else
		return location_nowhere("it is a constant of an unknown form");
	return l;
}

static void extend_value(const struct dwarf_context *c, struct location *l, const struct debug_type *t)
{
	if (l->kind == LOCATION_IS_VALUE)
		location_extend(c->d->arena, l, t);
}

/* A location that is only valid at the function's first instruction is written as an empty range,
 * which libdw leaves out; the same is true of values passed by the caller. */
static bool at_very_entry(const struct dwarf_context *c, Dwarf_Attribute *attr, struct location *l)
{
	Dwarf_Addr entry, base, from, to;
	ptrdiff_t at = 0;
	Dwarf_Op *ops;
	size_t n;

	if (!c->function || dwarf_entrypc(c->function, &entry) || entry != c->pc)
		return false;
	while ((at = dwarf_getlocations(attr, at, &base, &from, &to, &ops, &n)) > 0)
		if (from == to && from == c->pc) {
			*l = of_operations(c, attr, ops, n);
			return true;
		}
	return false;
}

struct location dwarf_location(const struct dwarf_context *c, Dwarf_Die *die, const struct debug_type *t)
{
	Dwarf_Op *expressions[EXPRESSIONS_MOST];
	size_t lengths[EXPRESSIONS_MOST];
	Dwarf_Attribute attr;
	struct location l;
	int n;

	if (dwarf_attr_integrate(die, DW_AT_const_value, &attr)) {
		l = of_constant(c, &attr);
		extend_value(c, &l, t);
		return l;
	}
	if (!expression_attribute(die, DW_AT_location, &attr))
		return location_nowhere("the compiler optimized it out");
	n = dwarf_getlocation_addr(&attr, c->pc, expressions, lengths, EXPRESSIONS_MOST);
	if (n < 0)
		return location_nowhere(arena_printf(c->d->arena, "its location cannot be read: %s",
						     dwarf_errmsg(-1)));
	if (n)
		l = of_operations(c, &attr, expressions[0], lengths[0]);
	else if (!at_very_entry(c, &attr, &l))
		return location_nowhere("the compiler optimized it out here");
	/* if several locations are valid, they all have the same value */
	for (int i = 1; i < n && l.kind == LOCATION_NOWHERE; i++)
		l = of_operations(c, &attr, expressions[i], lengths[i]);
	extend_value(c, &l, t);
	return l;
}
