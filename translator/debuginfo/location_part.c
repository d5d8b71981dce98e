/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of a location: a member of a struct that is kept in registers, an element of a value that
 * is split between registers and the stack, the target of a pointer that was optimized out.
 *
 * Offsets are in bits from the least significant one, which is the first one in memory: both
 * architectures are little-endian. */
#include "location_part.h"
#include "debuginfo/chain.h"
#include "location.h"

/* Bits that are being combined into a value. */
struct collection {
	struct arena *a;
	struct location out;		/* IS_VALUE: the bits combined so far; or the failure */
	uint64_t filled;
};

static void add(struct collection *c, enum location_op op, int64_t value)
{
	location_add(c->a, &c->out, op, value);
}

static uint64_t piece_bits(const struct location_piece *p)
{
	return p->size ? 8ull * p->size : p->bit_size;
}

/* Push the contents of L from bit FROM on; only the lowest COUNT bits are valid. */
static bool push_bits(struct collection *c, const struct location *l, uint64_t from, uint64_t count)
{
	uint64_t bytes = 0;

	switch (l->kind) {
	case LOCATION_IS_VALUE:
		if (from + count > 64)
			return false;
		break;
	case LOCATION_IN_MEMORY:
		bytes = (from % 8 + count + 7) / 8;
		if (bytes > 8)
			return false;
		break;
	default:
		return false;
	}
	vec_each (s, &l->steps) {
		struct location_step *copy = location_add(c->a, &c->out, s->op, s->value);
		bool is_jump = s->op == LOCATION_JUMP || s->op == LOCATION_BRANCH;

		*copy = *s;
		if (is_jump)
			copy->value += (int64_t)(c->out.steps.n - 1) - (int64_t)(s - l->steps.items);
	}
	if (l->kind == LOCATION_IN_MEMORY) {
		if (from >= 8) {
			add(c, LOCATION_CONST, (int64_t)(from / 8));
			add(c, LOCATION_ADD, 0);
		}
		location_add(c->a, &c->out, LOCATION_LOAD, 0)->size = (uint8_t)bytes;
		from %= 8;
	}
	if (from) {
		add(c, LOCATION_CONST, (int64_t)from);
		add(c, LOCATION_SHR, 0);
	}
	return true;
}

/* Add COUNT bits above those collected so far. */
static bool collect(struct collection *c, const struct location *l, uint64_t from, uint64_t count)
{
	bool is_first = !c->filled;

	if (!push_bits(c, l, from, count))
		return false;
	if (count < 64) {
		add(c, LOCATION_CONST, (int64_t)((1ull << count) - 1));
		add(c, LOCATION_AND, 0);
	}
	if (!is_first) {
		add(c, LOCATION_CONST, (int64_t)c->filled);
		add(c, LOCATION_SHL, 0);
		add(c, LOCATION_OR, 0);
	}
	c->filled += count;
	return true;
}

static struct location no_part(const struct location *l)
{
	const char *reason = l && l->kind == LOCATION_NOWHERE ? l->reason : NULL;

	return location_nowhere(reason ? reason : "the compiler optimized this part of it out");
}

/* COUNT bits of L from bit FROM on, as pieces with sizes in bits; the last piece may be missing. */
static struct location slice(struct arena *a, const struct location *l, uint64_t from, uint64_t count)
{
	struct location out = { .kind = LOCATION_IN_PIECES };
	uint64_t at = 0;

	if (l->kind != LOCATION_IN_PIECES) {
		*vec_add(a, &out.pieces) = (struct location_piece){ *l, 0, (uint32_t)from, (uint32_t)count };
		return out;
	}
	vec_each (p, &l->pieces) {
		uint64_t bits = piece_bits(p), skip = from > at ? from - at : 0, take;

		at += bits;
		if (skip >= bits || !count)
			continue;
		take = bits - skip < count ? bits - skip : count;
		*vec_add(a, &out.pieces) = (struct location_piece){
			p->location, 0, (uint32_t)(skip + (p->size ? 0 : p->bit_offset)), (uint32_t)take };
		from += take;
		count -= take;
	}
	return out;
}

static struct location number_of(struct arena *a, const struct location *l, uint64_t count)
{
	struct collection c = { .a = a, .out.kind = LOCATION_IS_VALUE };

	vec_each (p, &l->pieces)
		if (!collect(&c, &p->location, p->bit_offset, p->bit_size))
			return no_part(&p->location);
	return c.filled == count ? c.out : no_part(NULL);
}

static struct location moved(struct arena *a, const struct location *l, int64_t offset)
{
	struct location out = { .kind = LOCATION_IN_MEMORY };

	vec_each (s, &l->steps)
		*location_add(a, &out, s->op, 0) = *s;
	if (offset) {
		location_add(a, &out, LOCATION_CONST, offset);
		location_add(a, &out, LOCATION_ADD, 0);
	}
	return out;
}

static void extend(struct arena *a, struct location *l, const struct debug_type *real, uint32_t bit_size)
{
	uint64_t bits = bit_size ? bit_size : 8 * real->size;

	if (l->kind != LOCATION_IS_VALUE || bits >= 64)
		return;
	if (bits % 8 == 0 && (bits & (bits - 1)) == 0) {
		location_add(a, l, real->is_signed ? LOCATION_SIGN : LOCATION_ZERO, 0)->size =
			(uint8_t)(bits / 8);
	} else if (real->is_signed) {
		location_add(a, l, LOCATION_CONST, (int64_t)(64 - bits));
		location_add(a, l, LOCATION_SHL, 0);
		location_add(a, l, LOCATION_CONST, (int64_t)(64 - bits));
		location_add(a, l, LOCATION_SHRA, 0);
	}
}

static bool is_composite(const struct debug_type *real)
{
	return real->kind == DEBUG_STRUCT || real->kind == DEBUG_UNION || real->kind == DEBUG_ARRAY;
}

enum { LARGEST_PART = 1 << 12 };

struct location location_part(struct arena *a, const struct location *l, int64_t offset,
			      const struct debug_type *t, uint32_t bit_offset, uint32_t bit_size)
{
	const struct debug_type *real = debug_type_real(t);
	uint64_t size = bit_size ? (bit_offset + bit_size + 7) / 8 : real->size;
	const struct location_piece *first;
	struct location pieces, out;
	uint64_t bits;

	if (l->kind == LOCATION_NOWHERE)
		return *l;
	if (l->kind == LOCATION_IN_MEMORY)
		return moved(a, l, offset);
	if (l->kind == LOCATION_POINTS_TO)
		return offset ? location_nowhere("it is a part of a pointer that was optimized out") : *l;
	if (offset < 0 || !size || size > LARGEST_PART)
		return location_nowhere("it is outside of the known value");
	bits = bit_size ? bit_size : 8 * size;
	pieces = slice(a, l, 8 * (uint64_t)offset + bit_offset, bits);
	first = pieces.pieces.items;
	if (pieces.pieces.n == 1 && first->bit_size == bits && !bit_size) {
		if (first->location.kind == LOCATION_IN_MEMORY && first->bit_offset % 8 == 0)
			return moved(a, &first->location, first->bit_offset / 8);
		if (first->location.kind == LOCATION_POINTS_TO && !first->bit_offset)
			return first->location;
	}
	if (is_composite(real) || bits > 64)
		return pieces;
	out = number_of(a, &pieces, bits);
	extend(a, &out, real, bit_size);
	return out;
}

struct location location_pointee(struct arena *a, const struct location *l, int64_t offset,
				 const struct debug_type *t, uint32_t bit_offset, uint32_t bit_size)
{
	if (l->kind != LOCATION_POINTS_TO)
		return location_nowhere("it is not a pointer whose target is known");
	return location_part(a, l->pointee, l->pointee_offset + offset, t, bit_offset, bit_size);
}
