/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The length of x86-64 instructions (Intel's manual, volume 2, chapter 2 and appendix A; AMD's XOP and 3DNow!).
 *
 * An instruction is: prefixes, a REX prefix or a VEX, EVEX or XOP prefix, the opcode in one of several maps, a ModRM
 * byte with what it calls for, and an immediate. A string per map has a letter for each opcode:
 *
 *	.  only the opcode		m  ModRM			-  no instruction, or a prefix
 *	b  an immediate of 1 byte	B  ModRM, and 1 byte
 *	z  an immediate of 4 bytes, of 2 with the prefix 66 but without REX.W
 *	Z  ModRM, and the same		j  a distance of 1 byte		J  a distance of 4 bytes
 *	w  2 bytes		e  3 bytes (enter)	a  an address of 8 bytes, of 4 with the prefix 67
 *	v  as z, but 8 bytes with REX.W		g  G  group 3: TEST has an immediate, of 1 byte or as z
 *	r  ModRM that is always a register
 *
 * Unknown instructions are refused: a guess would put all following ones in doubt. So is a prefix 66 on a near jump
 * or call, where Intel's and AMD's processors differ. */
#include "x86_64_instruction.h"

#include <stddef.h>

#include "debuginfo/unpack.h"

enum { LONGEST = 15 };

static const char one_byte[] =
	"mmmmbz--" "mmmmbz--"		/* 00: add, or; 0f: the other maps */
	"mmmmbz--" "mmmmbz--"		/* 10: adc, sbb */
	"mmmmbz--" "mmmmbz--"		/* 20: and, sub */
	"mmmmbz--" "mmmmbz--"		/* 30: xor, cmp */
	"--------" "--------"		/* 40: REX */
	"........" "........"		/* 50: push, pop */
	"---m----" "zZbB...."		/* 60: movslq; push, imul, ins, outs */
	"jjjjjjjj" "jjjjjjjj"		/* 70: jumps */
	"BZ-Bmmmm" "mmmmmmmm"		/* 80: groups; mov, lea, pop */
	"........" "..-....."		/* 90 */
	"aaaa...." "bz......"		/* a0: mov, string instructions */
	"bbbbbbbb" "vvvvvvvv"		/* b0: mov */
	"BBw.--BZ" "e.w..b-."		/* c0: shifts, ret, mov; enter, lret, int, iret */
	"mmmm---." "mmmmmmmm"		/* d0: shifts, xlat; x87 */
	"jjjjbbbb" "JJ-j...."		/* e0: loop, in, out; call, jmp */
	"-.--..gG" "......mm";		/* f0 */

/* 0f */
static const char two_bytes[] =
	"mmmm-..." "..-.-m.B"		/* 00: system; ud2, prefetch, femms, 3DNow! */
	"mmmmmmmm" "mmmmmmmm"
	"rrrr----" "mmmmmmmm"		/* 20: mov of control and debug registers */
	"......-." "--------"		/* 30: 38 and 3a: the next maps */
	"mmmmmmmm" "mmmmmmmm"
	"mmmmmmmm" "mmmmmmmm"
	"mmmmmmmm" "mmmmmmmm"
	"BBBBmmm." "mm--mmmm"		/* 70: shuffles and shifts, emms; vmread */
	"JJJJJJJJ" "JJJJJJJJ"		/* 80: jumps */
	"mmmmmmmm" "mmmmmmmm"		/* 90: set */
	"...mBm--" "...mBmmm"		/* a0 */
	"mmmmmmmm" "mmBmmmmm"		/* b0 */
	"mmBmBBBm" "........"		/* c0: cmpps, pinsrw, pextrw, shufps; bswap */
	"mmmmmmmm" "mmmmmmmm"
	"mmmmmmmm" "mmmmmmmm"
	"mmmmmmmm" "mmmmmmmm";

struct decoder {
	const uint8_t *start, *p, *end;
	bool data16, address32, repeat, repeat_not, locked, wide, has_rex;
	uint8_t opcode, modrm;
	int64_t number;			/* the last immediate that was read */
	bool is_short;			/* the bytes ended */
};

static uint8_t next(struct decoder *d)
{
	if (d->p == d->end) {
		d->is_short = true;
		return 0;
	}
	return *d->p++;
}

static void skip(struct decoder *d, size_t bytes)
{
	uint64_t number = 0;

	for (size_t i = 0; i < bytes; i++)
		number |= (uint64_t)next(d) << 8 * i;
	d->number = bytes == 1 ? (int8_t)number : bytes == 4 ? (int32_t)(uint32_t)number : (int64_t)number;
}

static bool take_prefix(struct decoder *d, uint8_t byte)
{
	switch (byte) {
	case 0x66: d->data16 = true; return true;
	case 0x67: d->address32 = true; return true;
	case 0xf0: d->locked = true; return true;
	case 0xf2: d->repeat_not = true; return true;
	case 0xf3: d->repeat = true; return true;
	case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65: return true;
	}
	return false;
}

static bool has_prefix_of_opcode(const struct decoder *d)
{
	return d->data16 || d->repeat || d->repeat_not || d->locked || d->has_rex;
}

/* The ModRM byte, with the SIB byte and the displacement that follow it. */
static void take_modrm(struct decoder *d)
{
	uint8_t mode, base;

	d->modrm = next(d);
	mode = d->modrm >> 6;
	base = d->modrm & 7;
	if (mode == 3)
		return;
	if (base == 4)
		base = next(d) & 7;
	if (mode == 1)
		skip(d, 1);
	else if (mode == 2 || base == 5)
		skip(d, 4);
}

static size_t immediate_size(const struct decoder *d)
{
	return d->data16 && !d->wide ? 2 : 4;
}

static unsigned extension(const struct decoder *d)
{
	return d->modrm >> 3 & 7;
}

/* What follows the opcode, by the letter of its map. */
static bool take_operands(struct decoder *d, char form)
{
	switch (form) {
	case '.': return true;
	case 'm': take_modrm(d); return true;
	case 'b': case 'j': skip(d, 1); return true;
	case 'B': take_modrm(d); skip(d, 1); return true;
	case 'z': skip(d, immediate_size(d)); return true;
	case 'Z': take_modrm(d); skip(d, immediate_size(d)); return true;
	case 'J': skip(d, 4); return !d->data16 || d->wide;
	case 'w': skip(d, 2); return true;
	case 'e': skip(d, 3); return true;
	case 'a': skip(d, d->address32 ? 4 : 8); return true;
	case 'v': skip(d, d->wide ? 8 : immediate_size(d)); return true;
	case 'g': case 'G':
		take_modrm(d);
		if (extension(d) < 2)
			skip(d, form == 'g' ? 1 : immediate_size(d));
		return true;
	case 'r': d->modrm = next(d); return d->modrm >> 6 == 3;
	}
	return false;
}

/* ---- maps ---- */

static bool take_0f(struct decoder *d, struct instruction *out)
{
	d->opcode = next(d);
	if (d->opcode == 0x38 || d->opcode == 0x3a) {
		bool has_immediate = d->opcode == 0x3a;

		next(d);
		return take_operands(d, has_immediate ? 'B' : 'm');
	}
	if (d->opcode == 0x78 && (d->data16 || d->repeat_not)) {	/* extrq, insertq */
		take_modrm(d);
		skip(d, 2);
		return true;
	}
	if ((d->opcode & 0xf0) == 0x80) {
		out->flow = FLOW_BRANCH;
		return take_operands(d, 'J');
	}
	if (d->opcode == 0x07 || d->opcode == 0x35)	/* sysret, sysexit */
		out->flow = FLOW_AWAY;
	if (d->opcode == 0xb8 && !d->repeat)		/* popcnt has the prefix f3 */
		return false;
	return take_operands(d, two_bytes[d->opcode]);
}

/* The opcodes of the map 0f that VEX and EVEX share have the same operands, except for vzeroupper. */
static bool take_vector_opcode(struct decoder *d, unsigned map)
{
	char form;

	d->opcode = next(d);
	switch (map) {
	case 1:
		form = d->opcode == 0x77 ? '.' : two_bytes[d->opcode];
		return (d->opcode == 0x77 || form == 'm' || form == 'B') && take_operands(d, form);
	case 2: case 5: case 6: return take_operands(d, 'm');
	case 3: return take_operands(d, 'B');
	}
	return false;
}

static bool take_vex(struct decoder *d, unsigned bytes)
{
	unsigned map = bytes == 1 ? 1 : next(d) & 0x1f;

	next(d);
	return !has_prefix_of_opcode(d) && map <= 3 && take_vector_opcode(d, map);
}

static bool take_evex(struct decoder *d)
{
	uint8_t first = next(d), second = next(d);

	next(d);
	return !has_prefix_of_opcode(d) && !(first & 8) && second & 4 && take_vector_opcode(d, first & 7);
}

static bool take_xop(struct decoder *d)
{
	unsigned map = next(d) & 0x1f;

	next(d);
	next(d);
	if (map == 10) {
		take_modrm(d);
		skip(d, 4);
		return !has_prefix_of_opcode(d);
	}
	return !has_prefix_of_opcode(d) && (map == 8 || map == 9) && take_operands(d, map == 8 ? 'B' : 'm');
}

/* An index register, and addresses of 8 bytes: "jmp *table(,%rax,8)". */
static bool is_table(const struct decoder *d, const uint8_t *modrm)
{
	return d->modrm >> 6 != 3 && (d->modrm & 7) == 4 && modrm[1] >> 6 == 3;
}

static enum instruction_flow flow_of_group_5(const struct decoder *d, const uint8_t *modrm)
{
	if (extension(d) == 4)
		return is_table(d, modrm) ? FLOW_TABLE : FLOW_AWAY;
	return extension(d) == 5 ? FLOW_AWAY : FLOW_ON;
}

static enum instruction_flow flow_of(const struct decoder *d, const uint8_t *operands)
{
	switch (d->opcode) {
	case 0x70 ... 0x7f: case 0xe0 ... 0xe3: return FLOW_BRANCH;
	case 0xc2: case 0xc3: return FLOW_RETURN;
	case 0xca: case 0xcb: case 0xcf: return FLOW_AWAY;
	case 0xe8: return FLOW_CALL;
	case 0xe9: case 0xeb: return FLOW_JUMP;
	case 0xff: return flow_of_group_5(d, operands);
	}
	return FLOW_ON;
}

static bool take_one_byte(struct decoder *d, struct instruction *out)
{
	const uint8_t *operands = d->p;

	if (!take_operands(d, one_byte[d->opcode]))
		return false;
	if (((d->opcode == 0xfe && extension(d) > 1) || (d->opcode == 0xff && extension(d) > 6)))
		return false;
	out->flow = flow_of(d, operands);
	return true;
}

static bool take_opcode(struct decoder *d, struct instruction *out)
{
	switch (d->opcode) {
	case 0x0f: return take_0f(d, out);
	case 0xc4: return take_vex(d, 2);
	case 0xc5: return take_vex(d, 1);
	case 0x62: return take_evex(d);
	case 0x8f:
		if (d->p < d->end && (*d->p & 0x1f) >= 8)
			return take_xop(d);
	}
	return take_one_byte(d, out);
}

bool instruction_x86_64(const uint8_t *code, uint64_t size, struct instruction *out)
{
	struct decoder d = { .start = code, .p = code, .end = code + (size < LONGEST ? size : LONGEST) };

	*out = (struct instruction){ .flow = FLOW_ON };
	do
		d.opcode = next(&d);
	while (take_prefix(&d, d.opcode) && !d.is_short);
	if ((d.opcode & 0xf0) == 0x40) {
		d.has_rex = true;
		d.wide = d.opcode & 8;
		d.opcode = next(&d);
	}
	if (!take_opcode(&d, out) || d.is_short)
		return false;
	out->size = (uint8_t)(d.p - d.start);
	if (out->flow == FLOW_BRANCH || out->flow == FLOW_JUMP || out->flow == FLOW_CALL)
		out->distance = out->size + d.number;
	return true;
}
