// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks and searches the tables of a file, and follows them by one frame. There is no division, and no loop that
 * the contents of tables or memory can make longer than the tables. */
#include "core/unwind.h"

enum { ALL = (1 << TAP_UNWIND_REGISTERS) - 1 };

static bool is_register(u32 n)
{
	return n < TAP_UNWIND_REGISTERS;
}

/* ---- tables ---- */

static bool is_good_rule(const struct tap_unwind_rule *r)
{
	if (r->kind >= TAP_UNWIND_KINDS || (r->saved | r->lost) & ~(u32)ALL || r->based & ~r->saved)
		return false;
	return is_register(r->base) && is_register(r->based_on) && is_register(r->return_in);
}

static bool are_good_rows(const struct tap_image *image)
{
	for (u32 i = 0; i < image->row_count; i++)
		if (image->row_rules[i] >= image->rule_count || (i && image->rows[i] <= image->rows[i - 1]))
			return false;
	return true;
}

static bool are_good_symbols(const struct tap_image *image)
{
	const struct tap_image_symbol *s = image->symbols;

	for (u32 i = 0; i < image->symbol_count; i++)
		if (s[i].name >= image->names_size || (i && s[i].at <= s[i - 1].at))
			return false;
	return true;
}

static bool are_good_lines(const struct tap_image *image)
{
	const struct tap_image_line *l = image->lines;

	for (u32 i = 0; i < image->line_count; i++)
		if (l[i].file >= image->names_size || (i && l[i].at <= l[i - 1].at))
			return false;
	return true;
}

static bool are_good_calls(const struct tap_image *image)
{
	const struct tap_image_call *c = image->calls;
	const struct tap_image_inlined *n = image->inlined;

	for (u32 i = 0; i < image->call_count; i++)
		if (c[i].inlined >= image->inlined_count || (i && c[i].at <= c[i - 1].at))
			return false;
	for (u32 i = 0; i < image->inlined_count; i++)
		if (n[i].name >= image->names_size || n[i].file >= image->names_size || n[i].outer > i)
			return false;
	return true;
}

static bool are_good_tables(const struct tap_image *image)
{
	if (!image->names_size || image->names[image->names_size - 1] || !image->rule_count ||
	    image->rules[0].kind != TAP_UNWIND_NONE)
		return false;
	for (u32 i = 0; i < image->rule_count; i++)
		if (!is_good_rule(&image->rules[i]))
			return false;
	return are_good_rows(image) && are_good_symbols(image) && are_good_lines(image) &&
	       are_good_calls(image);
}

/* COUNT elements of SIZE bytes at *AT, which moves past them; NULL if they extend beyond END. */
static const void *take(const char **at, const char *end, u32 count, u32 size)
{
	const char *first = *at;
	u64 bytes = (u64)count * size;

	if (!first || (u64)(end - first) < bytes) {
		*at = NULL;
		return NULL;
	}
	*at = first + bytes;
	return first;
}

bool tap_image_open(struct tap_image *image, const void *data, u64 size)
{
	const char *at = data, *end = at + size;
	const struct tap_image_head *head = take(&at, end, 1, sizeof(*head));

	if (!head || head->magic != TAP_IMAGE_MAGIC)
		return false;
	*image = (struct tap_image){
		.rule_count = head->rule_count, .symbol_count = head->symbol_count,
		.row_count = head->row_count, .line_count = head->line_count,
		.call_count = head->call_count, .inlined_count = head->inlined_count,
		.names_size = head->names_size, .python_at = head->python_at, .python_version = head->python_version,
	};
	image->rules = take(&at, end, head->rule_count, sizeof(*image->rules));
	image->symbols = take(&at, end, head->symbol_count, sizeof(*image->symbols));
	image->lines = take(&at, end, head->line_count, sizeof(*image->lines));
	image->calls = take(&at, end, head->call_count, sizeof(*image->calls));
	image->inlined = take(&at, end, head->inlined_count, sizeof(*image->inlined));
	image->rows = take(&at, end, head->row_count, sizeof(*image->rows));
	image->row_rules = take(&at, end, head->row_count, sizeof(*image->row_rules));
	image->names = take(&at, end, head->names_size, 1);
	return at == end && are_good_tables(image);
}

/* The number of places, among COUNT sorted ones, that are at or below PLACE; the first is at
 * FIRST, and each STRIDE bytes after the one before. */
static u32 count_up_to(const void *first, u32 count, u32 stride, u64 place)
{
	u32 low = 0, high = count;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (*(const u32 *)((const char *)first + (u64)middle * stride) <= place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct tap_unwind_rule *tap_image_rule(const struct tap_image *image, u64 place)
{
	u32 n = count_up_to(image->rows, image->row_count, sizeof(*image->rows), place);
	const struct tap_unwind_rule *rule = n ? &image->rules[image->row_rules[n - 1]] : NULL;

	return rule && rule->kind != TAP_UNWIND_NONE ? rule : NULL;
}

const struct tap_image_symbol *tap_image_symbol(const struct tap_image *image, u64 place)
{
	u32 n = count_up_to(image->symbols, image->symbol_count, sizeof(*image->symbols), place);
	const struct tap_image_symbol *s = n ? &image->symbols[n - 1] : NULL;

	return s && place - s->at < s->size ? s : NULL;
}

const struct tap_image_line *tap_image_line(const struct tap_image *image, u64 place)
{
	u32 n = count_up_to(image->lines, image->line_count, sizeof(*image->lines), place);
	const struct tap_image_line *l = n ? &image->lines[n - 1] : NULL;

	return l && l->line ? l : NULL;
}

const struct tap_image_inlined *tap_image_inlined(const struct tap_image *image, u64 place)
{
	u32 n = count_up_to(image->calls, image->call_count, sizeof(*image->calls), place);

	return n && image->calls[n - 1].at == place ? &image->inlined[image->calls[n - 1].inlined] : NULL;
}

const struct tap_image_inlined *tap_image_outer(const struct tap_image *image, const struct tap_image_inlined *inlined)
{
	return inlined->outer ? &image->inlined[inlined->outer - 1] : NULL;
}

/* ---- one frame ---- */

static u32 word_of(const struct tap_unwind_state *s)
{
	return s->narrow ? 4 : 8;
}

static bool find_frame(const struct tap_unwind_state *s, const struct tap_unwind_rule *rule,
		       tap_unwind_read *read, void *reader, u64 *frame)
{
	u64 base = s->registers[rule->base] + (u64)(s64)rule->offset;

	*frame = base;
	if (rule->kind == TAP_UNWIND_PLT)
		*frame += (s->registers[TAP_UNWIND_RETURN] & 15) >= rule->threshold ? word_of(s) : 0;
	if (rule->kind != TAP_UNWIND_MEMORY)
		return true;
	if (!read(reader, base, frame))
		return false;
	*frame += (u64)(s64)rule->more;
	return true;
}

/* Calls nest: a caller's frame is higher, or at the same address if this one is empty. A signal may have switched
 * to another stack. */
static bool is_good_frame(const struct tap_unwind_state *s, const struct tap_unwind_rule *rule, u64 frame)
{
	u64 least = s->registers[TAP_UNWIND_STACK] + (rule->return_in == TAP_UNWIND_RETURN);

	return rule->signal || (frame >= least && !(frame & (word_of(s) - 1)));
}

enum tap_unwind_result tap_unwind_step(struct tap_unwind_state *s, const struct tap_unwind_rule *rule,
				       tap_unwind_read *read, void *reader)
{
	struct tap_unwind_state old = *s;
	u64 frame, value = 0, word = word_of(s);

	if (!rule || rule->kind == TAP_UNWIND_NONE)
		return TAP_UNWIND_UNKNOWN;
	if (rule->kind == TAP_UNWIND_LAST)
		return TAP_UNWIND_END;
	if (!(old.known >> rule->base & 1))
		return TAP_UNWIND_UNKNOWN;
	if (!find_frame(&old, rule, read, reader, &frame) || !is_good_frame(&old, rule, frame))
		return TAP_UNWIND_FAILED;
	s->known &= ~rule->lost;
	s->returned_from = 0;
	for (u32 left = rule->saved; left; left &= left - 1) {
		u32 i = (u32)__builtin_ctz(left);
		u64 at = frame + word * (u64)(s64)rule->at[i];

		if (rule->based >> i & 1 && !(old.known >> rule->based_on & 1)) {
			s->known &= ~(1u << i);
			continue;
		}
		if (rule->based >> i & 1)
			at = old.registers[rule->based_on] + word * (u64)(s64)rule->at[i];
		if (!read(reader, at, &s->registers[i]))
			return TAP_UNWIND_FAILED;
		s->known |= 1u << i;
		if (i == TAP_UNWIND_RETURN)
			s->returned_from = at;
	}
	if (!(rule->saved >> TAP_UNWIND_STACK & 1))
		s->registers[TAP_UNWIND_STACK] = frame;
	s->known |= 1u << TAP_UNWIND_STACK;
	if (rule->return_in != TAP_UNWIND_RETURN) {
		if (!(old.known >> rule->return_in & 1))
			return TAP_UNWIND_FAILED;
		s->registers[TAP_UNWIND_RETURN] = old.registers[rule->return_in];
	} else if (!s->returned_from) {
		return TAP_UNWIND_FAILED;
	}
	s->registers[TAP_UNWIND_RETURN] &= ~s->signature;
	value = s->registers[TAP_UNWIND_RETURN];
	s->known |= 1u << TAP_UNWIND_RETURN;
	s->interrupted = rule->signal;
	return value ? TAP_UNWIND_DONE : TAP_UNWIND_END;
}

enum tap_unwind_result tap_unwind_chain(struct tap_unwind_state *s, tap_unwind_read *read, void *reader)
{
	const struct tap_unwind_rule rule = {
		.kind = TAP_UNWIND_REGISTER,
		.base = TAP_UNWIND_FRAME,
		.offset = s->records_below ? 0 : 2 * (s32)word_of(s),
		.return_in = TAP_UNWIND_RETURN,
		.saved = 1 << TAP_UNWIND_FRAME | 1 << TAP_UNWIND_RETURN,
		.lost = ALL,
		.at = { [TAP_UNWIND_FRAME] = -2, [TAP_UNWIND_RETURN] = -1 },
	};
	enum tap_unwind_result result;

	if (!(s->known >> TAP_UNWIND_FRAME & 1))
		return TAP_UNWIND_FAILED;
	if (!s->registers[TAP_UNWIND_FRAME])	/* the ABI's mark of the outermost frame */
		return TAP_UNWIND_END;
	result = tap_unwind_step(s, &rule, read, reader);
	if (s->records_float)
		s->known &= ~(1u << TAP_UNWIND_STACK);
	return result;
}
