// SPDX-License-Identifier: GPL-2.0-or-later
/* The instructions of each function are executed once, and the state at each address becomes a rule. Rules are
 * few (some hundred per file), because functions save their registers alike.
 *
 * Expressions are not stored. The ones that compilers, linkers and the C library emit have one of a few forms
 * (a register and an offset; the word stored there; the linker's expression for .plt). Other expressions give
 * no rule for the addresses where they apply, so that unwinding stops there and reports it. */
#include "frames.h"

#include <stdlib.h>

#include "common/host.h"
#include "unpack.h"

enum { MOST_REMEMBERED = 32, MOST_INSTRUCTIONS = 1 << 20 };

enum {				/* DW_EH_PE_ */
	PE_ABSOLUTE = 0x00, PE_ULEB = 0x01, PE_U2 = 0x02, PE_U4 = 0x03, PE_U8 = 0x04,
	PE_SLEB = 0x09, PE_S2 = 0x0a, PE_S4 = 0x0b, PE_S8 = 0x0c, PE_FORM = 0x0f,
	PE_TO_PLACE = 0x10, PE_TO = 0x70, PE_INDIRECT = 0x80, PE_OMIT = 0xff,
};

enum {				/* DW_CFA_ */
	CFA_ADVANCE = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0, CFA_HIGH = 0xc0,
	CFA_NOP = 0x00, CFA_SET_PLACE, CFA_ADVANCE1, CFA_ADVANCE2, CFA_ADVANCE4, CFA_OFFSET_EXTENDED,
	CFA_RESTORE_EXTENDED, CFA_UNDEFINED, CFA_SAME, CFA_REGISTER, CFA_REMEMBER, CFA_RESTORE_STATE,
	CFA_DEFINE, CFA_DEFINE_REGISTER, CFA_DEFINE_OFFSET, CFA_DEFINE_EXPRESSION, CFA_EXPRESSION,
	CFA_OFFSET_SIGNED, CFA_DEFINE_SIGNED, CFA_DEFINE_OFFSET_SIGNED, CFA_VALUE_OFFSET,
	CFA_VALUE_OFFSET_SIGNED, CFA_VALUE_EXPRESSION,
	CFA_AARCH64_NEGATE_STATE_PLACE = 0x2c, CFA_AARCH64_NEGATE_STATE = 0x2d,
	CFA_GNU_ARGS_SIZE = 0x2e, CFA_GNU_NEGATIVE_OFFSET = 0x2f,
};

enum {				/* DW_OP_ */
	OP_DEREF = 0x06, OP_AND = 0x1a, OP_PLUS = 0x22, OP_PLUS_NUMBER = 0x23, OP_SHL = 0x24, OP_GE = 0x2a,
	OP_LITERAL = 0x30, OP_REGISTER = 0x70,
};

/* What differs between machines. Registers are numbered as in tap_image.h. */
struct machine {
	uint16_t elf;
	uint8_t word;			/* bytes of a word on the stack */
	uint8_t column;			/* DWARF number of the return address */
	uint8_t link;			/* its register at function entry; RETURN: in memory */
	uint32_t lost;			/* bit mask of registers that calls do not preserve */
	uint64_t (*number)(uint64_t dwarf);	/* of a DWARF register; REGISTERS or more: not one of ours */
};

static uint64_t x86_64_number(uint64_t dwarf)
{
	return dwarf;
}

static uint64_t i386_number(uint64_t dwarf)
{
	static const uint8_t numbers[] = { 0, 2, 1, 3, TAP_UNWIND_STACK, TAP_UNWIND_FRAME, 4, 5, TAP_UNWIND_RETURN };

	return dwarf < ARRAY_SIZE(numbers) ? numbers[dwarf] : TAP_UNWIND_REGISTERS;
}

static uint64_t arm64_number(uint64_t dwarf)
{
	switch (dwarf) {
	case 29: return TAP_UNWIND_FRAME;
	case 30: return TAP_UNWIND_RETURN;
	case 31: return TAP_UNWIND_STACK;
	}
	if (dwarf < 19 || dwarf > 28)
		return TAP_UNWIND_REGISTERS;
	return dwarf < 25 ? dwarf - 19 : dwarf - 25 + 8;
}

static uint64_t riscv_number(uint64_t dwarf)
{
	switch (dwarf) {
	case 1: return TAP_UNWIND_RETURN;
	case 2: return TAP_UNWIND_STACK;
	case 8: return TAP_UNWIND_FRAME;
	case 9: return 0;
	case 27: return 13;
	}
	if (dwarf < 18 || dwarf > 26)
		return TAP_UNWIND_REGISTERS;
	return dwarf < 23 ? dwarf - 18 + 1 : dwarf - 23 + 8;
}

static const struct machine machines[] = {
	{ EM_X86_64, 8, 16, TAP_UNWIND_RETURN, 0x10f37, x86_64_number },
	{ EM_386, 4, 8, TAP_UNWIND_RETURN, 0x1ff07, i386_number },
	{ EM_AARCH64, 8, 30, TAP_UNWIND_LINK, 0x1f000, arm64_number },
	{ EM_RISCV, 8, 1, TAP_UNWIND_LINK, 0x1d000, riscv_number },
};

struct section {
	struct bytes bytes;
	uint64_t address;
	bool is_debug;			/* .debug_frame */
	const struct binary *places;
	const struct machine *machine;
};

/* A common information entry (CIE). */
struct common {
	struct bytes instructions;
	uint64_t code_unit;
	int64_t data_unit;
	uint8_t encoding;		/* of addresses */
	bool has_augmentation, is_signal;
	uint64_t offset;		/* of the entry in the section; ~0: not read yet */
};

struct run {
	const struct section *section;
	const struct common *common;
	struct tables *tables;
	struct tap_unwind_rule rule, first;	/* first: after the common instructions */
	struct tap_unwind_rule remembered[MOST_REMEMBERED];
	u32 depth;
	bool strange, strange_remembered[MOST_REMEMBERED];	/* the frame cannot be found */
	uint64_t at, end;		/* linked addresses */
	uint64_t offset;		/* file offset of address 0; wraps around */
};

/* ---- addresses ---- */

static uint64_t section_address(const struct section *s, const uint8_t *at)
{
	return s->address + (uint64_t)(at - s->bytes.at);
}

/* S->bytes.at is the first byte of the section, B is somewhere in it. */
static uint64_t read_place(const struct section *s, struct bytes *b, uint8_t encoding)
{
	uint64_t here = section_address(s, b->at), value;

	switch (encoding & PE_FORM) {
	case PE_ABSOLUTE: value = bytes_number(b, s->machine->word); break;
	case PE_U8: case PE_S8: value = bytes_number(b, 8); break;
	case PE_ULEB: value = bytes_uleb(b); break;
	case PE_U2: value = bytes_number(b, 2); break;
	case PE_U4: value = bytes_number(b, 4); break;
	case PE_SLEB: value = (uint64_t)bytes_sleb(b); break;
	case PE_S2: value = (uint64_t)bytes_signed(b, 2); break;
	case PE_S4: value = (uint64_t)bytes_signed(b, 4); break;
	default: bytes_break(b); return 0;
	}
	if (encoding & PE_INDIRECT || ((encoding & PE_TO) && (encoding & PE_TO) != PE_TO_PLACE))
		bytes_break(b);
	if ((encoding & PE_TO) == PE_TO_PLACE)
		value += here;
	return s->machine->word == 4 ? (uint32_t)value : value;
}

/* ---- rules ---- */

static void forget(struct tap_unwind_rule *r, uint64_t reg)
{
	if (reg >= TAP_UNWIND_REGISTERS)
		return;
	r->saved &= ~(1u << reg);
	r->based &= ~(1u << reg);
	r->lost &= ~(1u << reg);
	r->at[reg] = 0;
	if (reg == TAP_UNWIND_RETURN) {
		r->return_in = TAP_UNWIND_RETURN;
		r->reserved[0] = false;
	}
}

static void lose(struct tap_unwind_rule *r, uint64_t reg)
{
	forget(r, reg);
	if (reg < TAP_UNWIND_REGISTERS)
		r->lost |= 1u << reg;
}

/* The return address is undefined only in code that was not called, such as the start of a thread. */
static void undefine(struct tap_unwind_rule *r, uint64_t reg)
{
	lose(r, reg);
	r->reserved[0] |= reg == TAP_UNWIND_RETURN;
}

static void save(struct run *run, uint64_t reg, int64_t at, bool based)
{
	struct tap_unwind_rule *r = &run->rule;
	int64_t word = run->section->machine->word;

	if (reg >= TAP_UNWIND_REGISTERS)
		return;
	lose(r, reg);
	if (at % word || at / word != (int16_t)(at / word))
		return;
	r->lost &= ~(1u << reg);
	r->saved |= 1u << reg;
	r->based |= based ? 1u << reg : 0;
	r->at[reg] = (int16_t)(at / word);
}

/* REG has its caller's value; the return address is where it was at function entry. */
static void same(struct run *run, uint64_t reg)
{
	forget(&run->rule, reg);
	if (reg == TAP_UNWIND_RETURN)
		run->rule.return_in = run->section->machine->link;
}

static void restore(struct run *run, uint64_t reg)
{
	const struct tap_unwind_rule *first = &run->first;
	uint32_t bit;

	forget(&run->rule, reg);
	if (reg >= TAP_UNWIND_REGISTERS)
		return;
	bit = 1u << reg;
	run->rule.saved |= first->saved & bit;
	run->rule.based |= first->based & bit;
	if (first->based & bit)
		run->rule.based_on = first->based_on;
	run->rule.lost |= first->lost & bit;
	run->rule.at[reg] = first->at[reg];
	if (reg == TAP_UNWIND_RETURN) {
		run->rule.return_in = first->return_in;
		run->rule.reserved[0] = first->reserved[0];
	}
}

/* The frame is REG + OFFSET. */
static void define(struct run *run, uint64_t reg, int64_t offset)
{
	struct tap_unwind_rule *r = &run->rule;

	run->strange = reg >= TAP_UNWIND_RETURN || offset != (int32_t)offset;
	if (run->strange)
		return;
	r->kind = TAP_UNWIND_REGISTER;
	r->base = (uint8_t)reg;
	r->offset = (int32_t)offset;
	r->more = 0;
	r->threshold = 0;
}

/* ---- expressions ---- */

static uint64_t number(const struct run *run, uint64_t dwarf)
{
	return run->section->machine->number(dwarf);
}

/* Reads a register and an offset; false if B has something else. */
static bool read_register(const struct run *run, struct bytes *b, uint64_t *reg, int64_t *offset)
{
	uint8_t op = bytes_byte(b);

	if (op < OP_REGISTER || op >= OP_REGISTER + 32)
		return false;
	*reg = number(run, (uint64_t)(op - OP_REGISTER));
	*offset = bytes_sleb(b);
	return !b->broken;
}

/* The linker's expression for .plt entries, which are 16 bytes each and push a word at some byte in them: a
 * register, its offset, and ((return & 15) >= THRESHOLD) << 3 (2 for i386). */
static bool read_plt(const struct run *run, struct bytes *b, uint8_t *threshold)
{
	uint8_t shift = run->section->machine->word == 4 ? 2 : 3;
	uint64_t reg;
	int64_t offset;
	uint8_t literal;

	if (!read_register(run, b, &reg, &offset) || reg != TAP_UNWIND_RETURN || offset ||
	    bytes_byte(b) != OP_LITERAL + 15 || bytes_byte(b) != OP_AND)
		return false;
	literal = bytes_byte(b);
	*threshold = (uint8_t)(literal - OP_LITERAL);
	return literal >= OP_LITERAL && literal < OP_LITERAL + 16 && bytes_byte(b) == OP_GE &&
	       bytes_byte(b) == OP_LITERAL + shift && bytes_byte(b) == OP_SHL && bytes_byte(b) == OP_PLUS;
}

static bool define_by(struct run *run, struct bytes b)
{
	uint64_t reg;
	int64_t offset, more;
	struct bytes rest;

	if (!read_register(run, &b, &reg, &offset))
		return false;
	define(run, reg, offset);
	if (!bytes_left(&b))
		return !run->strange;
	rest = b;
	if (bytes_byte(&b) == OP_DEREF) {
		more = bytes_left(&b) && bytes_byte(&b) == OP_PLUS_NUMBER ? (int64_t)bytes_uleb(&b) : 0;
		run->rule.kind = TAP_UNWIND_MEMORY;
		run->rule.more = (int32_t)more;
		return !run->strange && !b.broken && !bytes_left(&b) && more == (int32_t)more;
	}
	run->rule.kind = TAP_UNWIND_PLT;
	return !run->strange && read_plt(run, &rest, &run->rule.threshold) && !bytes_left(&rest);
}

static void save_by(struct run *run, uint64_t reg, struct bytes b)
{
	uint64_t base;
	int64_t at;

	/* All such registers of a function are saved relative to one register, which need not be the base of
	 * its frame. */
	if (read_register(run, &b, &base, &at) && !bytes_left(&b) && base < TAP_UNWIND_RETURN &&
	    (!run->rule.based || base == run->rule.based_on)) {
		save(run, reg, at, true);
		run->rule.based_on = (uint8_t)base;
	} else {
		lose(&run->rule, reg);
	}
}

/* ---- instructions ---- */

static void add_row(struct run *run)
{
	struct tap_unwind_rule rule = run->rule;

	if (rule.reserved[0])
		rule = (struct tap_unwind_rule){ .kind = TAP_UNWIND_LAST, .return_in = TAP_UNWIND_RETURN };
	else if (run->strange || (!(rule.saved >> TAP_UNWIND_RETURN & 1) && rule.return_in == TAP_UNWIND_RETURN))
		rule.kind = TAP_UNWIND_NONE;
	else
		rule.signal = run->common->is_signal;
	if (rule.kind != TAP_UNWIND_NONE && rule.kind != TAP_UNWIND_LAST)
		rule.lost |= run->section->machine->lost;
	tables_row(run->tables, run->at + run->offset, tables_rule(run->tables, &rule));
}

/* False if the function ends here. */
static bool advance(struct run *run, uint64_t to)
{
	if (to < run->at || to >= run->end)
		return to == run->at;
	if (to == run->at)
		return true;
	add_row(run);
	run->at = to;
	return true;
}

static void remember(struct run *run)
{
	if (run->depth >= MOST_REMEMBERED) {
		run->strange = true;
		return;
	}
	run->strange_remembered[run->depth] = run->strange;
	run->remembered[run->depth++] = run->rule;
}

static void recall(struct run *run)
{
	if (!run->depth) {
		run->strange = true;
		return;
	}
	run->rule = run->remembered[--run->depth];
	run->strange = run->strange_remembered[run->depth];
}

static void move(struct run *run, uint64_t reg, uint64_t to)
{
	lose(&run->rule, reg);
	if (reg == TAP_UNWIND_RETURN && to < TAP_UNWIND_RETURN) {
		run->rule.lost &= ~(1u << reg);
		run->rule.return_in = (uint8_t)to;
	}
}

/* False if OP does not advance the address. */
static bool run_advance(struct run *run, uint8_t op, struct bytes *b, bool *goes_on)
{
	uint64_t unit = run->common->code_unit, to;

	if ((op & CFA_HIGH) == CFA_ADVANCE)
		to = run->at + (op & 0x3f) * unit;
	else if (op >= CFA_ADVANCE1 && op <= CFA_ADVANCE4)
		to = run->at + bytes_number(b, 1u << (op - CFA_ADVANCE1)) * unit;
	else if (op == CFA_SET_PLACE)
		to = read_place(run->section, b, run->common->encoding);
	else
		return false;
	*goes_on = advance(run, to);
	return true;
}

/* False if OP does not define the frame. */
static bool run_define(struct run *run, uint8_t op, struct bytes *b)
{
	int64_t unit = run->common->data_unit;
	uint64_t reg;

	switch (op) {
	case CFA_DEFINE:
		reg = number(run, bytes_uleb(b));
		define(run, reg, (int64_t)bytes_uleb(b));
		return true;
	case CFA_DEFINE_SIGNED:
		reg = number(run, bytes_uleb(b));
		define(run, reg, (int64_t)((uint64_t)bytes_sleb(b) * (uint64_t)unit));
		return true;
	case CFA_DEFINE_REGISTER:
		define(run, number(run, bytes_uleb(b)), run->rule.offset);
		return true;
	case CFA_DEFINE_OFFSET:
		define(run, run->rule.base, (int64_t)bytes_uleb(b));
		return true;
	case CFA_DEFINE_OFFSET_SIGNED:
		define(run, run->rule.base, (int64_t)((uint64_t)bytes_sleb(b) * (uint64_t)unit));
		return true;
	case CFA_DEFINE_EXPRESSION:
		run->strange = !define_by(run, bytes_take(b, bytes_uleb(b)));
		return true;
	}
	return false;
}

static int64_t scaled(const struct run *run, uint64_t n)
{
	return (int64_t)(n * (uint64_t)run->common->data_unit);
}

/* False if OP is unknown. */
static bool run_register(struct run *run, uint8_t op, struct bytes *b)
{
	uint64_t reg = number(run, op & 0x3f);

	if ((op & CFA_HIGH) == CFA_OFFSET) {
		save(run, reg, scaled(run, bytes_uleb(b)), false);
		return true;
	}
	if ((op & CFA_HIGH) == CFA_RESTORE) {
		restore(run, reg);
		return true;
	}
	if (op == CFA_AARCH64_NEGATE_STATE || op == CFA_AARCH64_NEGATE_STATE_PLACE)
		return true;	/* pointer authentication codes are removed anyway */
	if (op == CFA_GNU_ARGS_SIZE)
		return bytes_uleb(b), true;
	reg = number(run, bytes_uleb(b));
	switch (op) {
	case CFA_OFFSET_EXTENDED: save(run, reg, scaled(run, bytes_uleb(b)), false); return true;
	case CFA_OFFSET_SIGNED: save(run, reg, scaled(run, (uint64_t)bytes_sleb(b)), false); return true;
	case CFA_GNU_NEGATIVE_OFFSET: save(run, reg, scaled(run, -bytes_uleb(b)), false); return true;
	case CFA_RESTORE_EXTENDED: restore(run, reg); return true;
	case CFA_UNDEFINED: undefine(&run->rule, reg); return true;
	case CFA_SAME: same(run, reg); return true;
	case CFA_REGISTER: move(run, reg, number(run, bytes_uleb(b))); return true;
	case CFA_EXPRESSION: save_by(run, reg, bytes_take(b, bytes_uleb(b))); return true;
	case CFA_VALUE_OFFSET:
	case CFA_VALUE_OFFSET_SIGNED: bytes_uleb(b); lose(&run->rule, reg); return true;
	case CFA_VALUE_EXPRESSION: bytes_take(b, bytes_uleb(b)); lose(&run->rule, reg); return true;
	}
	return false;
}

/* False if an instruction is not understood; the rest is ignored. */
static bool run_all(struct run *run, struct bytes b)
{
	for (u32 i = 0; bytes_left(&b) && i < MOST_INSTRUCTIONS; i++) {
		uint8_t op = bytes_byte(&b);
		bool goes_on = true;

		if (!tables_work(run->tables, 1))
			return false;
		if (op == CFA_NOP)
			continue;
		else if (op == CFA_REMEMBER)
			remember(run);
		else if (op == CFA_RESTORE_STATE)
			recall(run);
		else if (!run_advance(run, op, &b, &goes_on) && !run_define(run, op, &b) &&
			 !run_register(run, op, &b))
			return false;
		if (b.broken || !goes_on)
			return false;
	}
	return true;
}

/* ---- entries ---- */

/* Takes the length and the entry; IS_LONG: in the 64-bit format. */
static struct bytes take_entry(struct bytes *b, bool *is_long)
{
	uint64_t length = bytes_number(b, 4);

	*is_long = length == 0xffffffff;
	if (*is_long)
		length = bytes_number(b, 8);
	return bytes_take(b, length);
}

static void read_augmentation(const struct section *s, struct common *c, struct bytes *b, const char *letters)
{
	struct bytes data;

	if (*letters != 'z')
		return;
	c->has_augmentation = true;
	data = bytes_take(b, bytes_uleb(b));
	for (letters++; *letters; letters++) {
		uint8_t encoding;

		switch (*letters) {
		case 'R': c->encoding = bytes_byte(&data); break;
		case 'S': c->is_signal = true; break;
		case 'L': bytes_byte(&data); break;
		case 'B': break;
		case 'P':
			encoding = bytes_byte(&data);
			if (encoding != PE_OMIT)
				read_place(s, &data, encoding & ~PE_INDIRECT);
			break;
		default: return;
		}
	}
}

/* Reads the CIE at OFFSET in the section. */
static bool read_common(const struct section *s, uint64_t offset, struct common *c)
{
	struct bytes all = s->bytes, b;
	uint8_t version;
	const char *letters;
	uint64_t reg;
	bool is_long;

	if (offset >= bytes_left(&all))
		return false;
	all.at += offset;
	b = take_entry(&all, &is_long);
	*c = (struct common){ .encoding = PE_ABSOLUTE, .offset = offset };
	bytes_number(&b, is_long ? 8 : 4);
	version = bytes_byte(&b);
	letters = bytes_text(&b);
	if (version == 4 && (bytes_byte(&b) != s->machine->word || bytes_byte(&b)))
		return false;
	c->code_unit = bytes_uleb(&b);
	c->data_unit = bytes_sleb(&b);
	reg = version == 1 ? bytes_byte(&b) : bytes_uleb(&b);
	if ((version != 1 && version != 3 && version != 4) || reg != s->machine->column ||
	    (*letters && *letters != 'z'))
		return false;
	read_augmentation(s, c, &b, letters);
	c->instructions = b;
	return !b.broken;
}

static void read_function(const struct section *s, const struct common *c, struct bytes b, struct tables *t)
{
	struct run run = { .section = s, .common = c, .tables = t };
	struct bytes instructions;
	uint64_t offset, last;

	run.rule.return_in = s->machine->link;
	run.strange = true;		/* until an instruction defines the frame */
	run.at = read_place(s, &b, c->encoding);
	run.end = run.at + read_place(s, &b, c->encoding & PE_FORM);
	if (c->has_augmentation)
		bytes_take(&b, bytes_uleb(&b));
	/* Functions that the linker discarded are at address 0. */
	if (b.broken || run.end <= run.at || !binary_offset(s->places, run.at, &offset) ||
	    !binary_offset(s->places, run.end - 1, &last) || last - offset != run.end - 1 - run.at)
		return;
	run.offset = offset - run.at;
	instructions = b;
	run.first = run.rule;
	tables_frame(t);
	if (!run_all(&run, c->instructions)) {
		run.strange = true;
		t->left_out++;
	} else {
		run.first = run.rule;
		if (!run_all(&run, instructions)) {
			run.strange = true;
			t->left_out++;
		}
	}
	add_row(&run);
	run.at = run.end;
	run.strange = true;
	run.rule.reserved[0] = false;
	add_row(&run);
}

static void read_section(const struct section *s, struct tables *t)
{
	struct bytes all = s->bytes;
	struct common common = { .offset = ~0ull };
	bool is_common_good = false;

	while (bytes_left(&all)) {
		bool is_long;
		struct bytes b = take_entry(&all, &is_long);
		uint64_t here = (uint64_t)(b.at - s->bytes.at), id, common_at;

		if (!bytes_left(&b)) {
			if (s->is_debug)
				continue;
			return;		/* a length of 0 ends .eh_frame */
		}
		id = bytes_number(&b, is_long ? 8 : 4);
		if (s->is_debug ? id == (is_long ? ~0ull : 0xffffffff) : id == 0)
			continue;
		common_at = s->is_debug ? id : here - id;
		if (!tables_work(t, 8))
			return;
		if (common_at != common.offset)
			is_common_good = read_common(s, common_at, &common);
		common.offset = common_at;
		if (is_common_good)
			read_function(s, &common, b, t);
		else
			t->left_out++;
	}
}

/* Without section headers, .eh_frame begins where its header says, and has an end mark. */
static bool find_by_header(const struct binary *e, struct section *s)
{
	struct binary_piece header;
	struct section found = { .machine = s->machine };
	uint64_t offset;
	uint8_t encoding;

	if (!binary_segment(e, PT_GNU_EH_FRAME, &header))
		return false;
	found.bytes = header.bytes;
	found.address = header.address;
	bytes_byte(&header.bytes);
	encoding = bytes_byte(&header.bytes);
	bytes_number(&header.bytes, 2);
	s->address = read_place(&found, &header.bytes, encoding);
	if (header.bytes.broken || !binary_offset(e, s->address, &offset) || offset > e->size)
		return false;
	s->bytes = (struct bytes){ .at = e->data + offset, .end = e->data + e->size };
	return true;
}

/* The section that is linked into the program, or the one for debuggers only, which may be compressed. */
static bool find_section(const struct binary *e, struct section *s, void **unpacked)
{
	struct binary_piece p;

	*unpacked = NULL;
	if (binary_section(e, ".eh_frame", &p)) {
		s->bytes = p.bytes;
		s->address = p.address;
		return true;
	}
	s->is_debug = unpack_section(e, ".debug_frame", &s->bytes, unpacked);
	return s->is_debug || find_by_header(e, s);
}

bool frames_read(const struct binary *e, const struct binary *places, struct tables *t)
{
	struct section s = { .places = places };
	void *unpacked;

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].elf == e->head.e_machine && (machines[i].word == 4) == e->narrow)
			s.machine = &machines[i];
	if (!s.machine || !find_section(e, &s, &unpacked))
		return false;
	read_section(&s, t);
	free(unpacked);
	return true;
}
