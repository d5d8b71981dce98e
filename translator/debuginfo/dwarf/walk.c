/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A fast reader of DIEs. Abbreviations are compiled into steps: read this attribute, skip N bytes, skip a form
 * of variable length. Most DIEs take a single step. Every read is checked against the bounds of the section. */
#include "walk.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

enum { MOST_ABBREVS = 1 << 20, MOST_FILES = 1 << 20 };

enum take {
	TAKE_BYTES,			/* skip VALUE bytes */
	TAKE_FORM,			/* skip a form */
	TAKE_NAME, TAKE_SIBLING, TAKE_ORIGIN, TAKE_FILE, TAKE_LINE, TAKE_LOW, TAKE_ENTRY, TAKE_RANGES,
	TAKE_DECLARATION, TAKE_PLACE,
	TAKE_LINES, TAKE_SPLIT, TAKE_DIRECTORY, TAKE_ADDR_BASE, TAKE_STR_BASE, TAKE_RNGLISTS_BASE,
};

struct walk_step {
	uint8_t take;
	uint16_t form;
	int64_t value;			/* implicit constants; bytes to skip */
};

struct walk_abbrev {
	uint32_t tag;			/* 0: unused code */
	uint32_t first, count;		/* steps */
	bool has_children;
};

/* ---- reading ---- */

struct cursor {
	const uint8_t *p, *end;
	bool failed;
};

static struct cursor cursor_at(const struct bytes *b, uint64_t offset)
{
	if (offset > b->size)
		return (struct cursor){ .failed = true };
	return (struct cursor){ .p = b->data + offset, .end = b->data + b->size };
}

static inline bool has(struct cursor *c, uint64_t n)
{
	if ((uint64_t)(c->end - c->p) >= n)
		return true;
	c->failed = true;
	c->p = c->end;
	return false;
}

static inline uint64_t take_number(struct cursor *c, unsigned size)
{
	uint64_t v = 0;

	if (!has(c, size))
		return 0;
	memcpy(&v, c->p, size <= 8 ? size : 8);
	c->p += size;
	return v;
}

static inline uint64_t take_uleb(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0; has(c, 1); shift += 7) {
		uint8_t b = *c->p++;

		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			break;
	}
	return v;
}

static int64_t take_sleb(struct cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t b = 0x80;

	while (b & 0x80 && has(c, 1)) {
		b = *c->p++;
		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
	}
	if (b & 0x40 && shift < 64)
		v |= ~(uint64_t)0 << shift;
	return (int64_t)v;
}

static const char *take_string(struct cursor *c)
{
	const char *s = (const char *)c->p;
	const uint8_t *nul = has(c, 1) ? memchr(c->p, 0, (size_t)(c->end - c->p)) : NULL;

	if (!nul) {
		c->failed = true;
		return NULL;
	}
	c->p = nul + 1;
	return s;
}

static const char *string_at(const struct bytes *b, uint64_t offset)
{
	struct cursor c = cursor_at(b, offset);

	return c.failed ? NULL : take_string(&c);
}

/* ---- forms ---- */

/* Size of a form in bytes; -1: it depends on the contents. */
static int form_size(const struct walk_unit *u, unsigned form)
{
	switch (form) {
	case DW_FORM_flag_present: case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1: case DW_FORM_ref1: case DW_FORM_flag: case DW_FORM_strx1: case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2: case DW_FORM_ref2: case DW_FORM_strx2: case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3: case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4: case DW_FORM_ref4: case DW_FORM_strx4: case DW_FORM_addrx4: case DW_FORM_ref_sup4:
		return 4;
	case DW_FORM_data8: case DW_FORM_ref8: case DW_FORM_ref_sig8: case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return u->address_size;
	case DW_FORM_ref_addr:
		return u->version < 3 ? u->address_size : u->offset_size;
	case DW_FORM_strp: case DW_FORM_line_strp: case DW_FORM_sec_offset: case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt: case DW_FORM_GNU_strp_alt:
		return u->offset_size;
	}
	return -1;
}

static void skip_form(const struct walk_unit *u, struct cursor *c, unsigned form)
{
	int size = form_size(u, form);
	uint64_t n = 0;

	if (size >= 0) {
		n = (uint64_t)size;
	} else {
		switch (form) {
		case DW_FORM_block1:
			n = take_number(c, 1);
			break;
		case DW_FORM_block2:
			n = take_number(c, 2);
			break;
		case DW_FORM_block4:
			n = take_number(c, 4);
			break;
		case DW_FORM_block: case DW_FORM_exprloc:
			n = take_uleb(c);
			break;
		case DW_FORM_string:
			take_string(c);
			break;
		case DW_FORM_udata: case DW_FORM_sdata: case DW_FORM_ref_udata: case DW_FORM_strx:
		case DW_FORM_addrx: case DW_FORM_loclistx: case DW_FORM_rnglistx:
		case DW_FORM_GNU_addr_index: case DW_FORM_GNU_str_index:
			take_uleb(c);
			break;
		case DW_FORM_indirect:
			form = (unsigned)take_uleb(c);
			if (form != DW_FORM_indirect)
				skip_form(u, c, form);
			break;
		default:
			c->failed = true;
		}
	}
	if (has(c, n))
		c->p += n;
}

/* Read a number or reference as it is stored. */
static uint64_t take_plain(const struct walk_unit *u, struct cursor *c, const struct walk_step *t)
{
	int size = form_size(u, t->form);

	switch (t->form) {
	case DW_FORM_implicit_const:
		return (uint64_t)t->value;
	case DW_FORM_flag_present:
		return 1;
	case DW_FORM_sdata:
		return (uint64_t)take_sleb(c);
	case DW_FORM_udata: case DW_FORM_ref_udata: case DW_FORM_strx: case DW_FORM_addrx:
	case DW_FORM_rnglistx: case DW_FORM_GNU_addr_index: case DW_FORM_GNU_str_index:
		return take_uleb(c);
	}
	if (size >= 0)
		return take_number(c, (unsigned)size);
	skip_form(u, c, t->form);
	return 0;
}

static const char *take_name(const struct walk_unit *u, struct cursor *c, const struct walk_step *t)
{
	const struct dwarf_sections *s = u->s;
	struct cursor at;
	uint64_t n;

	if (t->form == DW_FORM_string)
		return take_string(c);
	n = take_plain(u, c, t);
	switch (t->form) {
	case DW_FORM_strp:
		return string_at(&s->str, n);
	case DW_FORM_line_strp:
		return string_at(&s->line_str, n);
	case DW_FORM_strx: case DW_FORM_strx1: case DW_FORM_strx2: case DW_FORM_strx3: case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		if (n > s->str_offsets.size)
			return NULL;
		at = cursor_at(&s->str_offsets, u->str_base + n * u->offset_size);
		n = take_number(&at, u->offset_size);
		return at.failed ? NULL : string_at(&s->str, n);
	}
	return NULL;
}

static uint64_t take_reference(const struct walk_unit *u, struct cursor *c, const struct walk_step *t)
{
	uint64_t n = take_plain(u, c, t);

	switch (t->form) {
	case DW_FORM_ref1: case DW_FORM_ref2: case DW_FORM_ref4: case DW_FORM_ref8: case DW_FORM_ref_udata:
		return n < u->end - u->start ? u->start + n : 0;
	case DW_FORM_ref_addr:
		return n;
	}
	return 0;
}

static bool indexed_address(const struct walk_unit *u, uint64_t n, uint64_t *address)
{
	struct cursor c = cursor_at(&u->s->addr, n > u->s->addr.size ? UINT64_MAX :
						 u->addr_base + n * u->address_size);

	*address = take_number(&c, u->address_size);
	return !c.failed;
}

/* A constant is relative to the start of the function or unit. */
static bool take_address(const struct walk_unit *u, struct cursor *c, const struct walk_step *t,
			 uint64_t base, uint64_t *address)
{
	uint64_t n = take_plain(u, c, t);

	switch (t->form) {
	case DW_FORM_addr:
		*address = n;
		return true;
	case DW_FORM_addrx: case DW_FORM_addrx1: case DW_FORM_addrx2: case DW_FORM_addrx3:
	case DW_FORM_addrx4: case DW_FORM_GNU_addr_index:
		return indexed_address(u, n, address);
	}
	*address = base + n;
	return true;
}

/* ---- ranges ---- */

static bool first_old_range(const struct walk_unit *u, uint64_t offset, uint64_t *start)
{
	struct cursor c = cursor_at(&u->s->ranges, offset);
	uint64_t base = u->low, most = u->address_size == 8 ? UINT64_MAX : UINT32_MAX;

	while (!c.failed) {
		uint64_t from = take_number(&c, u->address_size), to = take_number(&c, u->address_size);

		if (c.failed || (!from && !to))
			return false;
		if (from == most) {
			base = to;
		} else if (from < to) {
			*start = base + from;
			return true;
		}
	}
	return false;
}

static bool first_listed_range(const struct walk_unit *u, uint64_t offset, uint64_t *start)
{
	struct cursor c = cursor_at(&u->s->rnglists, offset);
	uint64_t base = u->low, from = 0, size = 0;

	while (!c.failed) {
		switch (take_number(&c, 1)) {
		case DW_RLE_base_addressx:
			if (!indexed_address(u, take_uleb(&c), &base))
				return false;
			continue;
		case DW_RLE_base_address:
			base = take_number(&c, u->address_size);
			continue;
		case DW_RLE_startx_endx:
			if (!indexed_address(u, take_uleb(&c), &from) || !indexed_address(u, take_uleb(&c), &size))
				return false;
			size -= from;
			break;
		case DW_RLE_startx_length:
			if (!indexed_address(u, take_uleb(&c), &from))
				return false;
			size = take_uleb(&c);
			break;
		case DW_RLE_offset_pair:
			from = base + take_uleb(&c);
			size = base + take_uleb(&c) - from;
			break;
		case DW_RLE_start_end:
			from = take_number(&c, u->address_size);
			size = take_number(&c, u->address_size) - from;
			break;
		case DW_RLE_start_length:
			from = take_number(&c, u->address_size);
			size = take_uleb(&c);
			break;
		default:
			return false;
		}
		if (size && !c.failed) {
			*start = from;
			return true;
		}
	}
	return false;
}

static bool first_range(const struct walk_unit *u, unsigned form, uint64_t n, uint64_t *start)
{
	struct cursor c;

	if (u->version < 5)
		return first_old_range(u, n, start);
	if (form == DW_FORM_rnglistx) {
		if (n > u->s->rnglists.size)
			return false;
		c = cursor_at(&u->s->rnglists, u->rnglists_base + n * u->offset_size);
		n = u->rnglists_base + take_number(&c, u->offset_size);
		if (c.failed)
			return false;
	}
	return first_listed_range(u, n, start);
}

/* ---- abbreviations ---- */

static enum take take_in_function(unsigned tag, unsigned attribute)
{
	switch (attribute) {
	case DW_AT_low_pc:
		return TAKE_LOW;
	case DW_AT_entry_pc:
		return TAKE_ENTRY;
	case DW_AT_ranges:
		return TAKE_RANGES;
	case DW_AT_abstract_origin: case DW_AT_specification:
		return TAKE_ORIGIN;
	}
	if (tag == DW_TAG_inlined_subroutine)
		return attribute == DW_AT_call_file ? TAKE_FILE : attribute == DW_AT_call_line ? TAKE_LINE : TAKE_FORM;
	switch (attribute) {
	case DW_AT_name:
		return TAKE_NAME;
	case DW_AT_decl_file:
		return TAKE_FILE;
	case DW_AT_decl_line:
		return TAKE_LINE;
	case DW_AT_declaration:
		return TAKE_DECLARATION;
	}
	return TAKE_FORM;
}

static enum take take_in_unit(unsigned attribute)
{
	switch (attribute) {
	case DW_AT_low_pc:
		return TAKE_LOW;
	case DW_AT_stmt_list:
		return TAKE_LINES;
	case DW_AT_GNU_dwo_name:
		return TAKE_SPLIT;
	case DW_AT_comp_dir:
		return TAKE_DIRECTORY;
	case DW_AT_addr_base: case DW_AT_GNU_addr_base:
		return TAKE_ADDR_BASE;
	case DW_AT_str_offsets_base:
		return TAKE_STR_BASE;
	case DW_AT_rnglists_base:
		return TAKE_RNGLISTS_BASE;
	}
	return TAKE_FORM;
}

static enum take take_in_data(unsigned tag, unsigned attribute)
{
	switch (attribute) {
	case DW_AT_name:
		return TAKE_NAME;
	case DW_AT_declaration:
		return TAKE_DECLARATION;
	case DW_AT_const_value: case DW_AT_location:
		return TAKE_PLACE;
	case DW_AT_specification: case DW_AT_abstract_origin:
		return tag == DW_TAG_variable ? TAKE_ORIGIN : TAKE_FORM;
	case DW_AT_decl_file:
		return tag == DW_TAG_variable ? TAKE_FILE : TAKE_FORM;
	case DW_AT_decl_line:
		return tag == DW_TAG_variable ? TAKE_LINE : TAKE_FORM;
	}
	return TAKE_FORM;
}

/* How an attribute is used; most tags use none. */
static enum take take_of(unsigned tag, unsigned attribute)
{
	if (attribute == DW_AT_sibling)
		return TAKE_SIBLING;
	switch (tag) {
	case DW_TAG_subprogram: case DW_TAG_inlined_subroutine:
		return take_in_function(tag, attribute);
	case DW_TAG_call_site:
		return attribute == DW_AT_call_return_pc ? TAKE_LOW : TAKE_FORM;
	case DW_TAG_GNU_call_site:
		return attribute == DW_AT_low_pc ? TAKE_LOW : TAKE_FORM;
	case DW_TAG_compile_unit: case DW_TAG_partial_unit: case DW_TAG_type_unit: case DW_TAG_skeleton_unit:
		return take_in_unit(attribute);
	case DW_TAG_structure_type: case DW_TAG_class_type: case DW_TAG_union_type:
	case DW_TAG_enumeration_type: case DW_TAG_typedef: case DW_TAG_base_type: case DW_TAG_enumerator:
	case DW_TAG_variable:
		return take_in_data(tag, attribute);
	}
	return TAKE_FORM;
}

static void add_step(struct walk_unit *u, struct walk_abbrev *a, enum take take, unsigned form, int64_t value)
{
	struct walk_step *last = a->count ? &u->steps[u->step_count - 1] : NULL;
	int size = take == TAKE_FORM ? form_size(u, form) : -1;

	if (size == 0)
		return;
	if (size > 0 && last && last->take == TAKE_BYTES) {
		last->value += size;
		return;
	}
	if (u->step_count == u->step_room) {
		u->step_room = u->step_room ? 2 * u->step_room : 1024;
		u->steps = xrealloc(u->steps, u->step_room * sizeof(*u->steps));
	}
	u->steps[u->step_count++] = (struct walk_step){ size > 0 ? TAKE_BYTES : (uint8_t)take, (uint16_t)form,
							size > 0 ? size : value };
	a->count++;
}

static struct walk_abbrev *abbrev_new(struct walk_unit *u, uint64_t code)
{
	size_t old = u->abbrev_count;

	if (code >= MOST_ABBREVS)
		return NULL;
	if (code >= old) {
		u->abbrev_count = code + 1 > 2 * old ? code + 64 : 2 * old;
		u->abbrevs = xrealloc(u->abbrevs, u->abbrev_count * sizeof(*u->abbrevs));
		memset(u->abbrevs + old, 0, (u->abbrev_count - old) * sizeof(*u->abbrevs));
	}
	return &u->abbrevs[code];
}

static bool read_abbrevs(struct walk_unit *u)
{
	struct cursor c = cursor_at(&u->s->abbrev, u->abbrev_offset);
	uint64_t code;

	while (!c.failed && (code = take_uleb(&c))) {
		struct walk_abbrev *a = abbrev_new(u, code);
		uint64_t attribute, form;

		if (!a)
			return false;
		*a = (struct walk_abbrev){ .tag = (uint32_t)take_uleb(&c), .first = (uint32_t)u->step_count };
		a->has_children = take_number(&c, 1);
		do {
			attribute = take_uleb(&c);
			form = take_uleb(&c);
			if (form > UINT16_MAX)
				return false;
			if (form)
				add_step(u, a, take_of(a->tag, (unsigned)attribute), (unsigned)form,
					 form == DW_FORM_implicit_const ? take_sleb(&c) : 0);
		} while (!c.failed && (attribute || form));
	}
	return !c.failed;
}

/* ---- units ---- */

bool walk_unit_at(const struct dwarf_sections *s, uint64_t start, struct walk_unit *u)
{
	struct cursor c = cursor_at(&s->info, start);
	uint64_t length = take_number(&c, 4);

	*u = (struct walk_unit){ .s = s, .start = start, .offset_size = 4, .type = DW_UT_compile };
	if (length == 0xffffffff) {
		u->offset_size = 8;
		length = take_number(&c, 8);
	}
	if (c.failed || length > (uint64_t)(c.end - c.p))
		return false;
	u->end = (uint64_t)(c.p - s->info.data) + length;
	u->version = (uint16_t)take_number(&c, 2);
	if (u->version >= 5) {
		u->type = (uint8_t)take_number(&c, 1);
		u->address_size = (uint8_t)take_number(&c, 1);
		u->abbrev_offset = take_number(&c, u->offset_size);
	} else {
		u->abbrev_offset = take_number(&c, u->offset_size);
		u->address_size = (uint8_t)take_number(&c, 1);
	}
	if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile)
		take_number(&c, 8);
	if (u->type == DW_UT_type || u->type == DW_UT_split_type)
		take_number(&c, 8 + u->offset_size);
	u->first = (uint64_t)(c.p - s->info.data);
	return !c.failed && u->version >= 2 && u->version <= 5 && u->first <= u->end &&
	       (u->address_size == 8 || u->address_size == 4);
}

static void take_of_unit(struct walk_unit *u, struct cursor *c, const struct walk_step *t)
{
	switch (t->take) {
	case TAKE_LINES:
		u->line_offset = take_plain(u, c, t);
		u->has_lines = true;
		return;
	case TAKE_SPLIT:
		u->is_split = true;
		break;
	case TAKE_DIRECTORY:
		u->directory = take_name(u, c, t);
		return;
	case TAKE_ADDR_BASE:
		u->addr_base = take_plain(u, c, t);
		return;
	case TAKE_STR_BASE:
		u->str_base = take_plain(u, c, t);
		return;
	case TAKE_RNGLISTS_BASE:
		u->rnglists_base = take_plain(u, c, t);
		return;
	}
	skip_form(u, c, t->form);
}

/* Bases must be known before the attributes that need them, so the attributes are read twice. */
static bool read_unit_die(struct walk_unit *u)
{
	bool failed = false;

	for (int round = 0; round < 2 && !failed; round++) {
		struct cursor c = cursor_at(&u->s->info, u->first);
		uint64_t code = take_uleb(&c);
		const struct walk_abbrev *a = code < u->abbrev_count ? &u->abbrevs[code] : NULL;

		if (!a || !a->tag)
			return false;
		for (uint32_t i = 0; i < a->count && !c.failed; i++) {
			const struct walk_step *t = &u->steps[a->first + i];

			if (t->take == TAKE_BYTES)
				c.p += has(&c, (uint64_t)t->value) ? t->value : 0;
			else if (t->take == TAKE_LOW)
				take_address(u, &c, t, 0, &u->low);
			else
				take_of_unit(u, &c, t);
		}
		failed = c.failed;
	}
	return !failed;
}

bool walk_unit_open(struct walk_unit *u, struct walk_die *die)
{
	return read_abbrevs(u) && read_unit_die(u) && walk_die_at(u, u->first, die);
}

void walk_unit_close(struct walk_unit *u)
{
	free(u->abbrevs);
	free(u->steps);
	u->abbrevs = NULL;
	u->steps = NULL;
	u->abbrev_count = u->step_count = u->step_room = 0;
}

/* ---- DIEs ---- */

struct entry_parts {
	uint64_t low, entry, ranges;
	bool has_low, has_entry, has_ranges;
	unsigned ranges_form;
	const struct walk_step *late;	/* an entry_pc relative to an address that is not known yet */
	const uint8_t *late_at;
};

static void take_step(const struct walk_unit *u, struct cursor *c, const struct walk_step *t,
		      struct walk_die *die, struct entry_parts *e)
{
	switch (t->take) {
	case TAKE_NAME:
		die->name = take_name(u, c, t);
		return;
	case TAKE_SIBLING:
		die->sibling = take_reference(u, c, t);
		return;
	case TAKE_ORIGIN:
		die->origin = take_reference(u, c, t);
		die->has_origin = true;
		return;
	case TAKE_FILE:
		die->file = take_plain(u, c, t);
		return;
	case TAKE_LINE:
		die->line = take_plain(u, c, t);
		return;
	case TAKE_LOW:
		e->has_low = take_address(u, c, t, 0, &e->low);
		return;
	case TAKE_ENTRY:
		e->late = t;
		e->late_at = c->p;
		skip_form(u, c, t->form);
		return;
	case TAKE_RANGES:
		e->ranges = take_plain(u, c, t);
		e->ranges_form = t->form;
		e->has_ranges = true;
		return;
	case TAKE_DECLARATION:
		die->is_declaration = take_plain(u, c, t);
		return;
	case TAKE_PLACE:
		die->has_place = true;
		break;
	}
	skip_form(u, c, t->form);
}

/* The first instruction: entry_pc, or low_pc, or the start of the first range. */
static void find_entry(const struct walk_unit *u, struct entry_parts *e, struct walk_die *die)
{
	uint64_t base = e->low;

	if (!e->has_low && e->has_ranges)
		e->has_low = first_range(u, e->ranges_form, e->ranges, &base);
	if (e->late) {
		struct cursor c = { .p = e->late_at, .end = u->s->info.data + u->end };

		e->has_entry = take_address(u, &c, e->late, base, &e->entry);
	}
	die->has_entry = e->has_entry || e->has_low;
	die->entry = e->has_entry ? e->entry : base;
}

bool walk_die_at(const struct walk_unit *u, uint64_t offset, struct walk_die *die)
{
	const uint8_t *info = u->s->info.data;
	struct cursor c = { .p = info + offset, .end = info + u->end };
	struct entry_parts e = { 0 };
	const struct walk_abbrev *a;
	uint64_t code;

	memset(die, 0, sizeof(*die));
	die->offset = offset;
	if (offset < u->first || offset >= u->end)
		return false;
	code = take_uleb(&c);
	die->next = (uint64_t)(c.p - info);
	if (!code)
		return !c.failed;
	if (code >= u->abbrev_count || !u->abbrevs[code].tag)
		return false;
	a = &u->abbrevs[code];
	die->tag = a->tag;
	die->has_children = a->has_children;
	for (const struct walk_step *t = u->steps + a->first, *end = t + a->count; t < end; t++) {
		if (t->take == TAKE_BYTES)
			c.p += has(&c, (uint64_t)t->value) ? t->value : 0;
		else if (t->take == TAKE_FORM)
			skip_form(u, &c, t->form);
		else
			take_step(u, &c, t, die, &e);
	}
	if (e.has_low || e.has_ranges || e.late)
		find_entry(u, &e, die);
	die->next = (uint64_t)(c.p - info);
	/* a backward reference would cause an endless loop */
	if (die->sibling < die->next || die->sibling > u->end)
		die->sibling = 0;
	return !c.failed;
}

/* ---- files ---- */

struct entry_format {
	uint16_t type, form;
};

static size_t take_formats(struct cursor *c, struct entry_format *formats)
{
	size_t n = take_number(c, 1);

	for (size_t i = 0; i < n; i++) {
		formats[i].type = (uint16_t)take_uleb(c);
		formats[i].form = (uint16_t)take_uleb(c);
	}
	return n;
}

static void take_entry(const struct walk_unit *u, struct cursor *c, const struct entry_format *formats,
		       size_t n, struct walk_file *file)
{
	for (size_t i = 0; i < n; i++) {
		struct walk_step t = { .form = formats[i].form };

		if (formats[i].type == DW_LNCT_path)
			file->name = take_name(u, c, &t);
		else if (formats[i].type == DW_LNCT_directory_index)
			file->directory = take_plain(u, c, &t);
		else
			skip_form(u, c, t.form);
	}
}

static bool take_list(const struct walk_unit *u, struct cursor *c, struct walk_file **list, size_t *count)
{
	struct entry_format formats[256];
	size_t width = take_formats(c, formats);
	uint64_t n = take_uleb(c);

	/* each takes at least one byte */
	if (c->failed || n > MOST_FILES || n > (uint64_t)(c->end - c->p))
		return false;
	*list = xcalloc(n + 1, sizeof(**list));
	*count = n;
	for (uint64_t i = 0; i < n && !c->failed; i++)
		take_entry(u, c, formats, width, &(*list)[i]);
	return !c->failed;
}

static bool read_new_files(const struct walk_unit *u, struct cursor *c, struct walk_files *f)
{
	struct walk_file *directories = NULL;
	bool good = take_list(u, c, &directories, &f->directory_count) &&
		    take_list(u, c, &f->files, &f->file_count);

	f->counts_from_0 = true;
	f->directories = xcalloc(f->directory_count + 1, sizeof(*f->directories));
	for (size_t i = 0; directories && i < f->directory_count; i++)
		f->directories[i] = directories[i].name;
	free(directories);
	return good;
}

static bool read_old_files(struct cursor *c, struct walk_files *f)
{
	size_t room = 0;
	const char *name;

	f->directories = xcalloc(1, sizeof(*f->directories));
	f->directory_count = 1;			/* number 0: that of the unit */
	while ((name = take_string(c)) && *name) {
		if (f->directory_count >= MOST_FILES)
			return false;
		f->directories = xrealloc(f->directories, (f->directory_count + 1) * sizeof(*f->directories));
		f->directories[f->directory_count++] = name;
	}
	while ((name = take_string(c)) && *name && f->file_count < MOST_FILES) {
		if (f->file_count == room) {
			room = room ? 2 * room : 64;
			f->files = xrealloc(f->files, room * sizeof(*f->files));
		}
		f->files[f->file_count++] = (struct walk_file){ name, take_uleb(c) };
		take_uleb(c);
		take_uleb(c);
	}
	return !c->failed;
}

bool walk_files_open(const struct walk_unit *u, struct walk_files *f)
{
	struct cursor c = cursor_at(&u->s->line, u->has_lines ? u->line_offset : UINT64_MAX);
	struct walk_unit header = *u;	/* the table has its own sizes */
	uint64_t length;
	uint8_t opcodes;

	*f = (struct walk_files){ 0 };
	length = take_number(&c, 4);
	header.offset_size = 4;
	if (length == 0xffffffff) {
		header.offset_size = 8;
		length = take_number(&c, 8);
	}
	if (c.failed || length > (uint64_t)(c.end - c.p))
		return false;
	c.end = c.p + length;
	header.version = (uint16_t)take_number(&c, 2);
	if (header.version >= 5) {
		header.address_size = (uint8_t)take_number(&c, 1);
		take_number(&c, 1);
	}
	take_number(&c, header.offset_size);
	take_number(&c, header.version >= 4 ? 5 : 4);
	opcodes = (uint8_t)take_number(&c, 1);
	for (unsigned i = 1; i < opcodes; i++)
		take_number(&c, 1);
	if (c.failed)
		return false;
	return header.version >= 5 ? read_new_files(&header, &c, f) : read_old_files(&c, f);
}

void walk_files_close(struct walk_files *f)
{
	free(f->files);
	free(f->directories);
	*f = (struct walk_files){ 0 };
}

static void add_part(char *path, const char *part)
{
	if (*path)
		strcat(path, "/");
	strcat(path, part);
}

char *walk_files_path(const struct walk_unit *u, const struct walk_files *f, uint64_t number)
{
	const char *directory = "", *base = u->directory && u->directory[0] == '/' ? u->directory : "";
	const struct walk_file *file;
	char *path;

	number -= !f->counts_from_0;
	if (number >= f->file_count || !f->files[number].name)
		return NULL;
	file = &f->files[number];
	if (file->directory && file->directory < f->directory_count && f->directories[file->directory])
		directory = f->directories[file->directory];
	if (file->name[0] == '/')
		directory = "";
	if (file->name[0] == '/' || directory[0] == '/')
		base = "";
	path = xcalloc(1, strlen(base) + strlen(directory) + strlen(file->name) + 3);
	if (*base)
		add_part(path, base);
	if (*directory)
		add_part(path, directory);
	add_part(path, file->name);
	return path;
}
