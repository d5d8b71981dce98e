/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the instructions of arm64 lead (Arm ARM, C4.1). All have 4 bytes. */
#include "aarch64_instruction.h"

#include "debuginfo/unpack.h"

/* The BITS bits of WORD from FIRST on: a signed number of instructions, as bytes. */
static int64_t distance_in(uint32_t word, unsigned first, unsigned bits)
{
	int64_t sign = (int64_t)1 << (bits - 1), number = word >> first & (((int64_t)1 << bits) - 1);

	return ((number ^ sign) - sign) * 4;
}

static void go(struct instruction *out, enum instruction_flow flow, int64_t distance)
{
	out->flow = flow;
	out->distance = distance;
}

/* "ldr register, label": the word there is no instruction. */
static void load_of_constant(uint32_t word, struct instruction *out)
{
	static const uint8_t sizes[2][4] = { { 4, 8, 4, 0 }, { 4, 8, 16, 0 } };

	out->data_size = sizes[word >> 26 & 1][word >> 30];
	out->data = out->data_size ? distance_in(word, 5, 19) : 0;
}

/* br, blr, ret, eret, and those with pointer authentication. Compilers use x16, x17 and, for Go, x27 as scratch
 * registers: Go jumps through x27 only with an address from a table. */
static void branch_to_register(uint32_t word, struct instruction *out)
{
	enum { BR = 0, BLR = 1, RET = 2, GO_SCRATCH = 27 };
	unsigned what = word >> 21 & 7;

	if (what == BLR)
		return;
	if (what == RET)
		out->flow = FLOW_RETURN;
	else
		out->flow = what == BR && !(word >> 10 & 3) && (word >> 5 & 31) == GO_SCRATCH ? FLOW_TABLE : FLOW_AWAY;
}

bool instruction_aarch64(const uint8_t *code, uint64_t size, struct instruction *out)
{
	uint32_t word;

	*out = (struct instruction){ .size = 4, .flow = FLOW_ON };
	if (size < 4)
		return false;
	word = load32(code);
	if ((word & 0xfc000000) == 0x14000000)
		go(out, FLOW_JUMP, distance_in(word, 0, 26));
	else if ((word & 0xfc000000) == 0x94000000)
		go(out, FLOW_CALL, distance_in(word, 0, 26));
	else if ((word & 0xff000000) == 0x54000000 || (word & 0x7e000000) == 0x34000000)	/* b.cond, cbz */
		go(out, FLOW_BRANCH, distance_in(word, 5, 19));
	else if ((word & 0x7e000000) == 0x36000000)						/* tbz */
		go(out, FLOW_BRANCH, distance_in(word, 5, 14));
	else if ((word & 0xfe000000) == 0xd6000000)
		branch_to_register(word, out);
	else if ((word & 0x3b000000) == 0x18000000)
		load_of_constant(word, out);
	return true;
}
