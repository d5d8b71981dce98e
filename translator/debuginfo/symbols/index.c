/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols of one image in a single block of memory. */
#include "index.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "symbols.h"

struct index_row {
	uint32_t name;			/* offset in names */
	uint32_t offset;		/* from base; in the section; or the value itself */
	uint32_t size;
	uint16_t flags;			/* SYMBOL_..., and the obstacle in the bits from OBSTACLE_SHIFT on */
	uint8_t section;		/* 1 + index; 0: in the kernel */
	uint8_t site;
};

enum { OBSTACLE_SHIFT = 12, FLAGS_MASK = (1 << OBSTACLE_SHIFT) - 1 };

struct index_header {
	uint64_t base, anchor;
	uint64_t notes_address, notes_size;
	uint32_t count, names_size;
	uint32_t section_count;		/* the names of sections are the first strings in names */
	uint32_t source, lacks;		/* offsets in names; lacks 0: nothing */
	uint8_t is_kernel, ftrace_sites, blacklist, unused;
	uint32_t build_id_size;
	uint8_t build_id[64];
};

static size_t rows_at(void)
{
	return (sizeof(struct index_header) + 15) & ~(size_t)15;
}

/* ---- building ---- */

struct by_name {
	uint64_t prefix;		/* the first eight bytes, for a fast comparison */
	const char *name;
	const struct raw_symbol *symbol;
};

static uint64_t name_prefix(const char *name)
{
	uint64_t v = 0;

	for (int i = 0; i < 8; i++)
		v = v << 8 | (*name ? (uint8_t)*name++ : 0);
	return v;
}

static int compare_by_name(const void *a, const void *b)
{
	const struct by_name *x = a, *y = b;
	int order;

	if (x->prefix != y->prefix)
		return x->prefix < y->prefix ? -1 : 1;
	order = (uint8_t)x->prefix ? strcmp(x->name + 8, y->name + 8) : 0;
	if (order)
		return order;
	if (x->symbol->address != y->symbol->address)
		return x->symbol->address < y->symbol->address ? -1 : 1;
	return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

static bool has_place(const struct raw_symbol *s)
{
	return !(s->flags & SYMBOL_ABSOLUTE);
}

/* A symbol farther than this below the anchor is not part of the image. */
enum { FARTHEST = 1u << 30 };

static uint64_t lowest_address(const struct symbol_list *l)
{
	uint64_t lowest = l->anchor;

	vec_each (s, &l->symbols)
		if (has_place(s) && s->address < lowest && l->anchor - s->address < FARTHEST)
			lowest = s->address;
	return lowest;
}

static uint64_t row_offset(const struct symbol_list *l, const struct raw_symbol *s, uint64_t base)
{
	if (!has_place(s))
		return s->address;
	return l->section_count ? PLACE_OFFSET(s->address) : s->address - base;
}

static struct by_name *sort_by_name(const struct symbol_list *l, uint64_t base, size_t *n)
{
	struct by_name *sorted = xcalloc(l->symbols.n, sizeof(*sorted));

	*n = 0;
	vec_each (s, &l->symbols)
		/* a symbol that does not fit in 32 bits is not a function or variable of the image */
		if (row_offset(l, s, base) <= UINT32_MAX) {
			const char *name = raw_symbol_name(l, s);

			sorted[(*n)++] = (struct by_name){ name_prefix(name), name, s };
		}
	qsort(sorted, *n, sizeof(*sorted), compare_by_name);
	return sorted;
}

/* Strings before those of the symbols: names of sections, the source, and what the source lacks. */
static size_t head_texts_size(const struct symbol_list *l)
{
	size_t n = strlen(l->source) + 1 + (l->lacks ? strlen(l->lacks) + 1 : 0);

	for (size_t i = 0; i < l->section_count; i++)
		n += strlen(l->sections[i]) + 1;
	return n;
}

static uint32_t put_text(char *names, uint32_t *at, const char *text)
{
	uint32_t here = *at;
	size_t n = strlen(text) + 1;

	memcpy(names + here, text, n);
	*at = here + (uint32_t)n;
	return here;
}

static int compare_place(const void *a, const void *b, void *rows)
{
	const struct index_row *x = (const struct index_row *)rows + *(const uint32_t *)a;
	const struct index_row *y = (const struct index_row *)rows + *(const uint32_t *)b;
	bool x_out = !x->section && (x->flags & SYMBOL_ABSOLUTE);
	bool y_out = !y->section && (y->flags & SYMBOL_ABSOLUTE);

	if (x_out != y_out)
		return x_out ? 1 : -1;
	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void fill_rows(struct index *x, const struct symbol_list *l, uint32_t at,
		      const struct by_name *sorted)
{
	struct index_row *rows = (struct index_row *)(uintptr_t)x->rows;
	char *names = (char *)(uintptr_t)x->names;
	const char *last = NULL;
	uint32_t last_at = 0;

	for (uint32_t i = 0; i < x->header->count; i++) {
		const struct raw_symbol *s = sorted[i].symbol;

		if (!last || !str_equal(last, sorted[i].name))
			last_at = put_text(names, &at, sorted[i].name);
		last = sorted[i].name;
		rows[i] = (struct index_row){
			.name = last_at,
			.offset = (uint32_t)row_offset(l, s, x->header->base),
			.size = s->size > UINT32_MAX ? UINT32_MAX : (uint32_t)s->size,
			.flags = (uint16_t)((s->flags & FLAGS_MASK) | s->obstacle << OBSTACLE_SHIFT),
			.section = l->section_count && has_place(s) ?
					   (uint8_t)PLACE_SECTION(s->address) : 0,
			.site = s->site,
		};
	}
}

static size_t names_total(const struct symbol_list *l, const struct by_name *sorted, size_t n)
{
	size_t total = head_texts_size(l);

	for (size_t i = 0; i < n; i++)
		if (!i || !str_equal(sorted[i - 1].name, sorted[i].name))
			total += strlen(sorted[i].name) + 1;
	return total;
}

static void set_pointers(struct index *x)
{
	x->header = x->data;
	x->rows = (const void *)((const char *)x->data + rows_at());
	x->by_address = (const void *)(x->rows + x->header->count);
	x->names = (const void *)(x->by_address + x->header->count);
}

void index_build(struct index *x, const struct symbol_list *l)
{
	uint64_t base = lowest_address(l);
	size_t n;
	struct by_name *sorted = sort_by_name(l, base, &n);
	size_t names_size = names_total(l, sorted, n);
	struct index_header *h;
	uint32_t *by_address, at = 0;
	char *names;

	*x = (struct index){ 0 };
	x->size = rows_at() + n * (sizeof(struct index_row) + sizeof(uint32_t)) + names_size;
	x->data = h = xcalloc(1, x->size);
	h->base = base;
	h->anchor = l->anchor;
	h->notes_address = l->notes_address;
	h->notes_size = l->notes_size;
	h->count = (uint32_t)n;
	h->names_size = (uint32_t)names_size;
	h->section_count = (uint32_t)l->section_count;
	h->is_kernel = !l->section_count;
	h->ftrace_sites = l->ftrace_sites;
	h->blacklist = l->blacklist;
	h->build_id_size = (uint32_t)l->build_id_size;
	memcpy(h->build_id, l->build_id, sizeof(h->build_id));
	set_pointers(x);
	names = (char *)(uintptr_t)x->names;
	for (size_t i = 0; i < l->section_count; i++)
		put_text(names, &at, l->sections[i]);
	h->source = put_text(names, &at, l->source);
	h->lacks = l->lacks ? put_text(names, &at, l->lacks) : 0;
	fill_rows(x, l, at, sorted);
	by_address = (uint32_t *)(uintptr_t)x->by_address;
	for (uint32_t i = 0; i < n; i++)
		by_address[i] = i;
	qsort_r(by_address, n, sizeof(*by_address), compare_place, (void *)(uintptr_t)x->rows);
	free(sorted);
}

/* ---- files ---- */

/* The hash ensures that the file is as it was written; this check ensures that it can be read
 * without further checks. */
static bool is_valid(const struct index *x)
{
	const struct index_header *h = x->data;
	uint64_t need;

	if (x->size < rows_at() || h->build_id_size > sizeof(h->build_id) ||
	    h->section_count > SYMBOL_SECTIONS)
		return false;
	need = rows_at() + (uint64_t)h->count * (sizeof(struct index_row) + sizeof(uint32_t)) +
	       h->names_size;
	return need == x->size && h->names_size && ((const char *)x->data)[x->size - 1] == '\0' &&
	       h->source < h->names_size && h->lacks < h->names_size;
}

bool index_open(struct index *x, const char *path)
{
	*x = (struct index){ 0 };
	if (!kept_open(&x->file, path))
		return false;
	x->data = (void *)(uintptr_t)x->file.content.data;
	x->size = x->file.content.size;
	if (!is_valid(x)) {
		index_close(x);
		return false;
	}
	set_pointers(x);
	return true;
}

bool index_save(const struct index *x, const char *path)
{
	return kept_save(path, x->data, x->size);
}

void index_close(struct index *x)
{
	if (x->file.data)
		kept_close(&x->file);
	else
		free(x->data);
	*x = (struct index){ 0 };
}

/* ---- queries ---- */

static int64_t from_anchor(const struct index *x, uint64_t address)
{
	return (int64_t)(address - x->header->anchor);
}

void index_facts(const struct index *x, struct debuginfo_facts *facts)
{
	const struct index_header *h = x->header;

	*facts = (struct debuginfo_facts){
		.source = x->names + h->source, .lacks = h->lacks ? x->names + h->lacks : NULL,
		.ftrace_sites = h->ftrace_sites, .blacklist = h->blacklist,
		.build_id = h->build_id, .build_id_size = h->build_id_size,
		.notes_offset = h->notes_size ? from_anchor(x, h->notes_address) : 0,
		.notes_size = h->notes_size,
	};
}

static const char *row_name(const struct index *x, const struct index_row *r)
{
	return r->name < x->header->names_size ? x->names + r->name : "";
}

static const char *section_name(const struct index *x, uint8_t section)
{
	const char *name = x->names;

	if (!section || section > x->header->section_count)
		return NULL;
	while (--section)
		name += strlen(name) + 1;
	return name;
}

static struct symbol symbol_of(const struct index *x, const struct index_row *r)
{
	const struct index_header *h = x->header;
	bool is_placed = !(r->flags & SYMBOL_ABSOLUTE);
	uint64_t address = r->section || !is_placed ? r->offset : h->base + r->offset;
	const char *name = row_name(x, r);

	return (struct symbol){
		.name = name, .module = x->module, .section = section_name(x, r->section),
		.offset = h->is_kernel && is_placed ? from_anchor(x, address) : (int64_t)address,
		.address = address, .size = r->size, .flags = r->flags & FLAGS_MASK, .site = r->site,
		.obstacle = r->flags >> OBSTACLE_SHIFT, .clone = symbol_clone(name),
	};
}

/* The first row whose name's first N bytes are not less than those of TEXT. */
static size_t lower_bound(const struct index *x, const char *text, size_t n)
{
	size_t low = 0, high = x->header->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strncmp(row_name(x, &x->rows[middle]), text, n) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t index_match(const struct index *x, struct arena *a, const char *pattern, uint32_t flags,
		   struct symbols *found)
{
	bool glob = is_glob(pattern) || strchr(pattern, '\\');
	size_t prefix = glob ? strcspn(pattern, "*?[\\") : strlen(pattern) + 1, n = 0;
	bool all_of_prefix = glob && str_equal(pattern + prefix, "*");

	for (size_t i = lower_bound(x, pattern, prefix); i < x->header->count; i++) {
		const struct index_row *r = &x->rows[i];

		if (strncmp(row_name(x, r), pattern, prefix))
			break;
		if ((r->flags & flags) != flags)
			continue;
		if (glob && !all_of_prefix && !glob_match(pattern + prefix, row_name(x, r) + prefix))
			continue;
		*vec_add(a, &found->list) = symbol_of(x, r);
		n++;
	}
	return n;
}

static bool is_before(const struct index *x, uint32_t row, uint8_t section, uint64_t offset)
{
	const struct index_row *r = &x->rows[row < x->header->count ? row : 0];

	if (!r->section && (r->flags & SYMBOL_ABSOLUTE))
		return false;
	return r->section < section || (r->section == section && r->offset <= offset);
}

static bool covers(const struct index_row *r, uint8_t section, uint64_t offset)
{
	return r->section == section && (r->flags & SYMBOL_FUNCTION) && r->offset <= offset &&
	       offset - r->offset < (r->size ? r->size : 1);
}

bool index_at(const struct index *x, const char *section, int64_t offset, struct symbol *found)
{
	uint64_t at = section ? (uint64_t)offset : x->header->anchor + (uint64_t)offset - x->header->base;
	uint8_t number = 0;
	size_t low = 0, high = x->header->count;

	if (section) {
		for (number = 1; section_name(x, number); number++)
			if (str_equal(section_name(x, number), section))
				break;
		if (!section_name(x, number))
			return false;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before(x, x->by_address[middle], number, at))
			low = middle + 1;
		else
			high = middle;
	}
	/* skip aliases, and labels inside a function: not far back */
	for (size_t back = 0; low-- > 0 && back < 64; back++) {
		uint32_t row = x->by_address[low];

		if (row < x->header->count && covers(&x->rows[row], number, at)) {
			*found = symbol_of(x, &x->rows[row]);
			return true;
		}
	}
	return false;
}

const char *index_suggest(const struct index *x, const char *name)
{
	const char **names = xcalloc(x->header->count, sizeof(*names)), *found;
	size_t n = 0, length = strlen(name);

	for (uint32_t i = 0; i < x->header->count; i++) {
		const char *other = row_name(x, &x->rows[i]);
		size_t m = strlen(other);

		if ((x->rows[i].flags & SYMBOL_FUNCTION) && other[0] == name[0] &&
		    (m > length ? m - length : length - m) <= length / 3 + 1)
			names[n++] = other;
	}
	found = nearest_name(name, names, n);
	free(names);
	return found;
}
