/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a packet filter: a machine with an accumulator, an index register and 16 words of memory. The codes are those of
 * the kernel's include/uapi/linux/bpf_common.h. */
#include "core/filter.h"

enum {
	CLASS = 0x07, LD = 0x00, LDX = 0x01, ST = 0x02, STX = 0x03, ALU = 0x04, JMP = 0x05, RET = 0x06, MISC = 0x07,
	SIZE = 0x18, WORD = 0x00, HALF = 0x08, BYTE = 0x10,
	MODE = 0xe0, IMM = 0x00, ABS = 0x20, IND = 0x40, MEM = 0x60, LEN = 0x80, MSH = 0xa0,
	OPERATION = 0xf0, ADD = 0x00, SUB = 0x10, MUL = 0x20, DIV = 0x30, OR = 0x40, AND = 0x50, LSH = 0x60, RSH = 0x70,
	NEG = 0x80, MOD = 0x90, XOR = 0xa0,
	ALWAYS = 0x00, EQUAL = 0x10, GREATER = 0x20, NOT_LESS = 0x30, HAS_BITS = 0x40,
	INDEX = 0x08,			/* the operand is X, not k */
	RESULT = 0x10,			/* RET: A, not k */
	TO_ACCUMULATOR = 0x80,		/* MISC: A = X, not X = A */
	WORDS = 16,
};

struct machine {
	const struct tap_filter_packet *packet;
	u32 a, x;
	u32 memory[WORDS];
};

/* False: the packet ends before. */
static bool filter_load(const struct machine *m, u32 at, u32 size, u32 *value)
{
	u8 bytes[4] = { 0 };

	if (!m->packet->read(m->packet, at, bytes, size))
		return false;
	*value = 0;
	for (u32 i = 0; i < size; i++)
		*value = *value << 8 | bytes[i];
	return true;
}

static u32 filter_size(u32 code)
{
	return (code & SIZE) == WORD ? 4 : (code & SIZE) == HALF ? 2 : 1;
}

/* LD and LDX. */
static bool filter_fetch(struct machine *m, const struct tap_filter_step *s, u32 *to)
{
	switch (s->code & MODE) {
	case IMM:
		*to = s->k;
		return true;
	case ABS:
		return filter_load(m, s->k, filter_size(s->code), to);
	case IND:
		return m->x <= ~0u - s->k && filter_load(m, m->x + s->k, filter_size(s->code), to);
	case MEM:
		*to = m->memory[s->k % WORDS];
		return true;
	case LEN:
		*to = m->packet->size;
		return true;
	case MSH:
		if (!filter_load(m, s->k, 1, to))
			return false;
		*to = (*to & 15) * 4;
		return true;
	default:
		return false;
	}
}

/* False: a division by zero. */
static bool filter_compute(u32 *a, u32 code, u32 b)
{
	switch (code & OPERATION) {
	case ADD: *a += b; return true;
	case SUB: *a -= b; return true;
	case MUL: *a *= b; return true;
	case OR: *a |= b; return true;
	case AND: *a &= b; return true;
	case XOR: *a ^= b; return true;
	case LSH: *a = b < 32 ? *a << b : 0; return true;
	case RSH: *a = b < 32 ? *a >> b : 0; return true;
	case NEG: *a = -*a; return true;
	case DIV:
		if (b)
			*a /= b;
		return b;
	case MOD:
		if (b)
			*a %= b;
		return b;
	default:
		return false;
	}
}

static bool filter_compare(u32 a, u32 code, u32 b)
{
	switch (code & OPERATION) {
	case EQUAL: return a == b;
	case GREATER: return a > b;
	case NOT_LESS: return a >= b;
	default: return a & b;
	}
}

bool tap_filter_matches(const struct tap_filter *filter, const struct tap_filter_packet *p)
{
	struct machine m = { .packet = p };

	for (u64 at = 0; at < filter->count; at++) {
		const struct tap_filter_step *s = &filter->steps[at];
		u32 operand = s->code & INDEX ? m.x : s->k;

		switch (s->code & CLASS) {
		case LD:
		case LDX:
			if (!filter_fetch(&m, s, (s->code & CLASS) == LD ? &m.a : &m.x))
				return false;
			break;
		case ST:
			m.memory[s->k % WORDS] = m.a;
			break;
		case STX:
			m.memory[s->k % WORDS] = m.x;
			break;
		case ALU:
			if (!filter_compute(&m.a, s->code, operand))
				return false;
			break;
		case JMP:
			if ((s->code & OPERATION) == ALWAYS)
				at += s->k;
			else
				at += filter_compare(m.a, s->code, operand) ? s->if_true : s->if_false;
			break;
		case RET:
			return s->code & RESULT ? m.a : s->k;
		case MISC:
			if (s->code & TO_ACCUMULATOR)
				m.a = m.x;
			else
				m.x = m.a;
			break;
		}
	}
	return false;
}

/* ---- validity ---- */

static bool filter_is_fetch(u32 code)
{
	switch (code) {
	case LD | IMM: case LD | MEM: case LD | LEN:
	case LD | ABS | WORD: case LD | ABS | HALF: case LD | ABS | BYTE:
	case LD | IND | WORD: case LD | IND | HALF: case LD | IND | BYTE:
	case LDX | IMM: case LDX | MEM: case LDX | LEN: case LDX | MSH | BYTE:
		return true;
	default:
		return false;
	}
}

static bool filter_step_is_valid(const struct tap_filter_step *s, u32 left)
{
	u32 operation = s->code & OPERATION;

	switch (s->code & CLASS) {
	case LD:
	case LDX:
		return filter_is_fetch(s->code) && ((s->code & MODE) != MEM || s->k < WORDS);
	case ST:
	case STX:
		return (s->code & ~CLASS) == 0 && s->k < WORDS;
	case ALU:
		return s->code < 0x100 && operation <= XOR &&
		       ((operation != DIV && operation != MOD) || s->code & INDEX || s->k);
	case JMP:
		if (s->code >= 0x100 || operation > HAS_BITS)
			return false;
		return operation == ALWAYS ? s->k < left : s->if_true < left && s->if_false < left;
	case RET:
		return s->code == RET || s->code == (RET | RESULT);
	default:
		return s->code == MISC || s->code == (MISC | TO_ACCUMULATOR);
	}
}

bool tap_filter_is_valid(const struct tap_filter *filter)
{
	if (!filter->count || filter->count > TAP_FILTER_MOST_STEPS)
		return false;
	for (u32 i = 0; i < filter->count; i++)
		if (!filter_step_is_valid(&filter->steps[i], filter->count - i - 1))
			return false;
	return (filter->steps[filter->count - 1].code & CLASS) == RET;
}
