/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the code of a function from its first instruction to its last. Every instruction must be known, and no jump may
 * lead out of the function: there it would return without one of its own return instructions. */
#include "returns.h"

#include <string.h>

#include "arch/arch.h"
#include "arch/instruction.h"
#include "base/util.h"
#include "debuginfo/symbols/symbols.h"
#include "image.h"

struct reading {
	struct debuginfo *d;
	const struct symbol *s;
	const uint8_t *code;
	uint64_t at;			/* from the function's entry */
	struct instruction i;
	VEC(uint64_t) constants;	/* where constants of 4 bytes are in the code */
};

static const char *refuse(const struct reading *r, const char *why)
{
	return arena_printf(r->d->arena, "%s at +0x%llx: where it returns is not known", why, (unsigned long long)r->at);
}

static bool is_outside(const struct reading *r)
{
	return r->at + (uint64_t)r->i.distance >= r->s->size;
}

static bool is_constant(const struct reading *r)
{
	vec_each(c, &r->constants)
		if (*c == r->at)
			return true;
	return false;
}

/* The assembler puts the constants of a function after the code that loads them. */
static bool note_constant(struct reading *r)
{
	if (r->i.data < 0)
		return false;
	for (uint64_t at = 0; at < r->i.data_size; at += 4)
		*vec_add(r->d->arena, &r->constants) = r->at + (uint64_t)r->i.data + at;
	return true;
}

static const char *follow(struct reading *r, program_returns *out)
{
	switch (r->i.flow) {
	case FLOW_RETURN:
		*vec_add(r->d->arena, out) = (uint32_t)r->at;
		return NULL;
	case FLOW_AWAY:
		return refuse(r, "leaves by an indirect jump");
	case FLOW_JUMP: case FLOW_BRANCH:
		return is_outside(r) ? refuse(r, "jumps to another function") : NULL;
	default:
		return NULL;
	}
}

const char *program_find_returns(struct debuginfo *d, const struct symbol *s, program_returns *out)
{
	const struct arch *arch = d->request.arch;
	struct reading r = { .d = d, .s = s };
	const char *why = NULL;

	if (!arch->instruction)
		return "can be probed at its return only on x86-64 and arm64";
	if (s->size && s->size <= UINT32_MAX)
		r.code = image_at(&d->program->image, s->address, s->size);
	if (!r.code)
		return "has no code of known size in the file";
	for (; r.at < s->size && !why; r.at += r.i.size) {
		if (is_constant(&r)) {
			r.i.size = 4;
			continue;
		}
		if (!arch->instruction(r.code + r.at, s->size - r.at, &r.i))
			return refuse(&r, "contains an unknown instruction");
		why = r.i.data && !note_constant(&r) ? refuse(&r, "loads a constant from its own code") :
						       follow(&r, out);
		if (why)
			return why;
	}
	return out->n ? NULL : "has no return instruction: it does not return";
}

/* ---- the check of the stack ---- */

static bool calls_morestack(struct debuginfo *d, uint64_t target)
{
	struct symbol called;

	return debuginfo_symbol_at(d, NULL, (int64_t)target, &called) == DEBUGINFO_FOUND &&
	       str_starts(called.name, "runtime.morestack");
}

/* Does the code at ADDRESS call morestack and jump to ENTRY? It saves the arguments before, and restores them after. */
static bool grows_stack(struct debuginfo *d, uint64_t address, uint64_t entry)
{
	enum { MOST = 64, LONGEST = 15 };
	bool called = false;

	for (unsigned n = 0; n < MOST; n++) {
		struct instruction i;
		uint64_t size = LONGEST;
		const uint8_t *code = NULL;

		while (size && !(code = image_at(&d->program->image, address, size)))
			size--;		/* at the end of the section */
		if (!code || !d->request.arch->instruction(code, size, &i))
			return false;
		if (i.flow == FLOW_JUMP)
			return called && address + (uint64_t)i.distance == entry;
		if (i.flow == FLOW_CALL ? called || !calls_morestack(d, address + (uint64_t)i.distance) :
					  i.flow != FLOW_ON)
			return false;
		called |= i.flow == FLOW_CALL;
		address += i.size;
	}
	return false;
}

bool program_loops_to_entry(struct debuginfo *d, const struct symbol *s)
{
	const struct arch *arch = d->request.arch;
	const uint8_t *code = arch->instruction && s->size ? image_at(&d->program->image, s->address, s->size) : NULL;
	struct instruction i;
	bool grown = false;

	for (uint64_t at = 0; code && at < s->size; at += i.size) {
		if (!arch->instruction(code + at, s->size - at, &i))
			return false;
		if (i.flow == FLOW_CALL)
			grown = calls_morestack(d, s->address + at + (uint64_t)i.distance);
		else if ((i.flow == FLOW_JUMP || i.flow == FLOW_BRANCH) && at + (uint64_t)i.distance == 0 && !grown)
			return true;
	}
	return false;
}

uint8_t program_stack_check(struct debuginfo *d, uint64_t address)
{
	enum { MOST = 64, INSTRUCTIONS = 12 };	/* a large frame needs two jumps */
	const struct arch *arch = d->request.arch;
	uint64_t size = MOST, at = 0, end = 0;
	const uint8_t *code = NULL;

	while (arch->instruction && size && !(code = image_at(&d->program->image, address, size)))
		size--;
	for (unsigned n = 0; code && n < INSTRUCTIONS; n++) {
		struct instruction i;

		if (!arch->instruction(code + at, size - at, &i))
			break;
		if (i.flow == FLOW_BRANCH && grows_stack(d, address + at + (uint64_t)i.distance, address))
			end = at + i.size;
		else if (i.flow != FLOW_ON)
			break;
		at += i.size;
	}
	return (uint8_t)end;
}
