/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts and merges the collected names: each string once, one function for all its copies, one type per
 * name. Most of the work is to drop the duplicates of thousands of units, so strings are compared by
 * address before their contents. The result is a single block of memory, which is stored unchanged. */
#include "merge.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "dwarf.h"
#include "harvest.h"
#include "base/util.h"
#include "names_layout.h"
#include "debuginfo/symbols/symbols.h"

/* ---- strings ---- */

/* Each string once. */
struct texts {
	LIST(const char *) list;	/* by number; number 0 is unused */
	uint32_t *slots;		/* hash of the string -> its number */
	unsigned bits;
	const struct bytes *str;
	uint32_t *by_place;		/* by offset in .debug_str */
};

static uint64_t hash_text(const char *s)
{
	uint64_t h = 0x9e3779b97f4a7c15ull;

	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 0x100000001b3ull;
	return h ^ h >> 29;
}

static void texts_widen(struct texts *t)
{
	uint32_t mask;

	t->bits = t->bits ? t->bits + 1 : 16;
	mask = (1u << t->bits) - 1;
	free(t->slots);
	t->slots = xcalloc((size_t)1 << t->bits, sizeof(*t->slots));
	for (uint32_t n = 1; n < t->list.n; n++) {
		uint32_t i = (uint32_t)hash_text(t->list.items[n]) & mask;

		while (t->slots[i])
			i = (i + 1) & mask;
		t->slots[i] = n;
	}
}

static void texts_init(struct texts *t, const struct bytes *str)
{
	*t = (struct texts){ .str = str, .by_place = xcalloc(str->size + 1, sizeof(*t->by_place)) };
	*list_add(&t->list) = "";
	texts_widen(t);
}

static uint32_t texts_find(struct texts *t, const char *s)
{
	uint32_t mask, i;

	if (2 * t->list.n > (size_t)1 << t->bits)
		texts_widen(t);
	mask = (1u << t->bits) - 1;
	for (i = (uint32_t)hash_text(s) & mask; t->slots[i]; i = (i + 1) & mask)
		if (str_equal(t->list.items[t->slots[i]], s))
			return t->slots[i];
	t->slots[i] = (uint32_t)t->list.n;
	*list_add(&t->list) = s;
	return t->slots[i];
}

static uint32_t texts_number(struct texts *t, const char *s)
{
	const uint8_t *p = (const uint8_t *)s;
	uint32_t *known;

	if (!s)
		return 0;
	if (p < t->str->data || p >= t->str->data + t->str->size)
		return texts_find(t, s);
	known = &t->by_place[p - t->str->data];
	if (!*known)
		*known = texts_find(t, s);
	return *known;
}

static void texts_free(struct texts *t)
{
	free(t->list.items);
	free(t->slots);
	free(t->by_place);
}

static int compare_texts(const void *a, const void *b, void *list)
{
	const char **texts = list;

	return strcmp(texts[*(const uint32_t *)a], texts[*(const uint32_t *)b]);
}

/* Compute the alphabetical rank of each string number; SORTED: the string numbers in that order. */
static uint32_t *rank_texts(const struct texts *t, uint32_t **sorted)
{
	uint32_t *ranks = xcalloc(t->list.n, sizeof(*ranks));

	*sorted = xcalloc(t->list.n, sizeof(**sorted));
	for (uint32_t i = 0; i < t->list.n; i++)
		(*sorted)[i] = i;
	qsort_r(*sorted, t->list.n, sizeof(**sorted), compare_texts, t->list.items);
	for (uint32_t i = 0; i < t->list.n; i++)
		ranks[(*sorted)[i]] = i;
	return ranks;
}

/* ---- merging ---- */

/* Until all strings are known, names and files are string numbers, then ranks, and finally offsets. */
struct merger {
	struct debuginfo *d;
	struct texts texts;
	struct { struct names_function f; uint64_t die; } *functions;
	size_t function_count;
	struct names_copy *copies;	/* function: 1 + number in functions; 0: not known */
	uint64_t *origins;
	size_t copy_count;
	struct names_thing *things;
	size_t thing_count;
	bool is_damaged;
};

static uint32_t file_number(struct merger *m, const struct harvest *h, uint32_t path)
{
	return path ? texts_number(&m->texts, h->paths.items[path - 1]) : 0;
}

static void take_harvest(struct merger *m, const struct harvest *h)
{
	size_t base = m->function_count, first = m->copy_count;

	for (size_t i = 0; i < h->functions.n; i++) {
		const struct raw_function *f = &h->functions.items[i];

		m->functions[base + i].die = f->die;
		m->functions[base + i].f = (struct names_function){
			.name = texts_number(&m->texts, f->name), .file = file_number(m, h, f->file),
			.line = f->line };
	}
	for (size_t i = 0; i < h->copies.n; i++) {
		const struct raw_copy *c = &h->copies.items[i];

		m->copies[first + i] = (struct names_copy){
			.address = c->address, .die = c->die,
			.function = c->function < 0 ? 0 : (uint32_t)(base + (size_t)c->function + 1),
			.outer = c->outer == NO_COPY ? 0 : (uint32_t)(first + (size_t)c->outer + 1) };
	}
	for (size_t i = 0; i < h->copies.n; i++)
		m->origins[first + i] = h->copies.items[i].origin;
	for (size_t i = 0; i < h->things.n; i++) {
		const struct raw_thing *t = &h->things.items[i];

		m->things[m->thing_count++] = (struct names_thing){
			.name = texts_number(&m->texts, t->name), .file = file_number(m, h, t->file),
			.die = t->die, .kind = t->kind };
	}
	m->is_damaged |= h->failed;
	m->function_count += h->functions.n;
	m->copy_count += h->copies.n;
}

/* A copy of a function in another unit or file. */
static void link_far(struct merger *m, struct names_copy *c, uint64_t origin)
{
	size_t low = 0, high = m->function_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->functions[middle].die < origin)
			low = middle + 1;
		else
			high = middle;
	}
	if (origin && low < m->function_count && m->functions[low].die == origin)
		c->function = (uint32_t)low + 1;
}

/* Ask libdw for names that this reader does not follow: those in a supplementary file, and chains of references. */
static bool ask_libdw(struct merger *m, const struct names_copy *c, struct names_function *f)
{
	const char *name, *file;
	Dwarf_Die die;
	int line = 0;

	if (!dwarf_die(m->d->dwarf, c->die, &die) || !(name = dwarf_diename(&die)))
		return false;
	file = dwarf_file_of(&die);
	dwarf_decl_line(&die, &line);
	*f = (struct names_function){ .name = texts_number(&m->texts, name), .line = (uint32_t)line,
				      .file = file ? texts_number(&m->texts, file) : 0 };
	return true;
}

static void link_others(struct merger *m)
{
	size_t room = m->function_count;

	for (size_t i = 0; i < m->copy_count; i++) {
		struct names_copy *c = &m->copies[i];

		if (!c->function)
			link_far(m, c, m->origins[i]);
	}
	for (size_t i = 0; i < m->copy_count; i++) {
		struct names_function f;

		if (m->copies[i].function || !ask_libdw(m, &m->copies[i], &f))
			continue;
		if (m->function_count == room) {
			room += room / 2 + 64;
			m->functions = xrealloc(m->functions, room * sizeof(*m->functions));
		}
		m->functions[m->function_count].die = 0;
		m->functions[m->function_count++].f = f;
		m->copies[i].function = (uint32_t)m->function_count;
	}
}

/* Move entries of functions to their symbols. */
static void move_to_symbols(struct merger *m)
{
	int patchable = m->d->request.arch->patchable;
	const char *section;
	struct symbol symbol;
	int64_t offset;

	for (size_t i = 0; patchable && i < m->copy_count; i++) {
		struct names_copy *c = &m->copies[i];

		if (!c->outer && dwarf_offset(m->d->dwarf, c->address, &section, &offset) &&
		    debuginfo_symbol_at(m->d, section, offset, &symbol) == DEBUGINFO_FOUND &&
		    symbol.offset == offset - patchable)
			c->address -= (uint64_t)patchable;
	}
}

struct order {
	uint64_t key;			/* rank of the name, rank of the file */
	uint32_t line, number;
};

static int compare_orders(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Merge functions with the same name, file and line; NEW maps old numbers to new ones. Returns the
 * number of functions. Functions without code are dropped. */
static size_t merge_functions(struct merger *m, const uint32_t *ranks, uint32_t *new)
{
	struct order *orders = xcalloc(m->function_count + 1, sizeof(*orders));
	struct names_function *merged = xcalloc(m->function_count + 1, sizeof(*merged));
	size_t n = 0, count = 0;

	for (size_t i = 0; i < m->copy_count; i++)
		if (m->copies[i].function)
			new[m->copies[i].function - 1] = 1;
	for (size_t i = 0; i < m->function_count; i++) {
		const struct names_function *f = &m->functions[i].f;

		if (new[i])
			orders[n++] = (struct order){ (uint64_t)ranks[f->name] << 32 | ranks[f->file], f->line,
						      (uint32_t)i };
	}
	qsort(orders, n, sizeof(*orders), compare_orders);
	for (size_t i = 0; i < n; i++) {
		if (!i || orders[i].key != orders[i - 1].key || orders[i].line != orders[i - 1].line)
			merged[count++] = m->functions[orders[i].number].f;
		new[orders[i].number] = (uint32_t)count - 1;
	}
	for (size_t i = 0; i < count; i++)
		m->functions[i].f = merged[i];
	free(merged);
	free(orders);
	return count;
}

static int compare_copies(const void *a, const void *b)
{
	const struct names_copy *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->die < y->die ? -1 : x->die > y->die;
}

/* Replace the numbers of old functions by those of new ones. */
static void renumber_copies(struct merger *m, const uint32_t *new)
{
	uint32_t *outers = xcalloc(m->copy_count + 1, sizeof(*outers));
	size_t n = 0;

	for (size_t i = 0; i < m->copy_count; i++) {
		const struct names_copy *outer = m->copies[i].outer ? &m->copies[m->copies[i].outer - 1] : NULL;

		outers[i] = outer && outer->function ? new[outer->function - 1] + 1 : 0;
	}
	for (size_t i = 0; i < m->copy_count; i++) {
		struct names_copy c = m->copies[i];

		if (!c.function || (c.outer && !outers[i]))
			continue;
		c.function = new[c.function - 1];
		c.outer = outers[i];
		m->copies[n++] = c;
	}
	m->copy_count = n;
	free(outers);
	qsort(m->copies, n, sizeof(*m->copies), compare_copies);
}

static int compare_things(const void *a, const void *b)
{
	const struct names_thing *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return x->die < y->die ? -1 : x->die > y->die;
}

/* One type of each name is enough. */
static void merge_things(struct merger *m, const uint32_t *ranks)
{
	size_t n = 0;

	for (size_t i = 0; i < m->thing_count; i++) {
		m->things[i].name = ranks[m->things[i].name];
		m->things[i].file = ranks[m->things[i].file];
	}
	qsort(m->things, m->thing_count, sizeof(*m->things), compare_things);
	for (size_t i = 0; i < m->thing_count; i++)
		if (!n || m->things[i].kind == NAMES_GLOBAL || m->things[i].kind != m->things[n - 1].kind ||
		    m->things[i].name != m->things[n - 1].name)
			m->things[n++] = m->things[i];
	m->thing_count = n;
}

static int compare_addresses(const void *a, const void *b, void *copies)
{
	const struct names_copy *x = (const struct names_copy *)copies + *(const uint32_t *)a;
	const struct names_copy *y = (const struct names_copy *)copies + *(const uint32_t *)b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* The offset of each string by rank; rank 0 is "". Strings that are not needed are left out. */
static uint32_t *place_texts(struct merger *m, const uint32_t *sorted, const uint8_t *needed,
			     uint64_t *size)
{
	uint32_t *places = xcalloc(m->texts.list.n, sizeof(*places));

	*size = 1;
	for (size_t rank = 1; rank < m->texts.list.n; rank++) {
		if (!needed[rank])
			continue;
		places[rank] = (uint32_t)*size;
		*size += strlen(m->texts.list.items[sorted[rank]]) + 1;
	}
	return places;
}

static void write_names(struct merger *m, size_t function_count, const uint32_t *sorted,
			struct dwarf_names *x, uint64_t identity)
{
	uint8_t *needed = xcalloc(m->texts.list.n, 1);
	struct names_header h = { .identity = identity, .is_damaged = m->is_damaged,
				  .function_count = (uint32_t)function_count,
				  .copy_count = (uint32_t)m->copy_count,
				  .thing_count = (uint32_t)m->thing_count };
	struct names_function *functions;
	struct names_thing *things;
	uint32_t *places, *by_address;
	char *texts;

	for (size_t i = 0; i < function_count; i++)
		needed[m->functions[i].f.name] = needed[m->functions[i].f.file] = 1;
	for (size_t i = 0; i < m->thing_count; i++)
		needed[m->things[i].name] = needed[m->things[i].file] = 1;
	for (size_t i = 0; i < m->copy_count; i++)
		h.out_of_line_count += !m->copies[i].outer;
	places = place_texts(m, sorted, needed, &h.texts_size);
	x->size = h.size = names_parts_size(&h) + h.texts_size;
	x->data = xcalloc(1, x->size);
	*(struct names_header *)x->data = h;
	texts = (char *)x->data + names_parts_size(&h);
	names_set(x, identity);

	memcpy((void *)(uintptr_t)x->copies, m->copies, m->copy_count * sizeof(*m->copies));
	functions = (struct names_function *)(uintptr_t)x->functions;
	for (size_t i = 0; i < function_count; i++) {
		functions[i] = m->functions[i].f;
		functions[i].name = places[functions[i].name];
		functions[i].file = places[functions[i].file];
	}
	for (size_t i = m->copy_count; i-- > 0;) {
		functions[m->copies[i].function].first_copy = (uint32_t)i;
		functions[m->copies[i].function].copy_count++;
	}
	things = (struct names_thing *)(uintptr_t)x->things;
	for (size_t i = 0; i < m->thing_count; i++) {
		things[i] = m->things[i];
		things[i].name = places[things[i].name];
		things[i].file = places[things[i].file];
	}
	by_address = (uint32_t *)(uintptr_t)x->by_address;
	for (size_t i = 0, n = 0; i < m->copy_count; i++)
		if (!m->copies[i].outer)
			by_address[n++] = (uint32_t)i;
	qsort_r(by_address, h.out_of_line_count, sizeof(*by_address), compare_addresses, m->copies);
	for (size_t rank = 1; rank < m->texts.list.n; rank++)
		if (needed[rank])
			strcpy(texts + places[rank], m->texts.list.items[sorted[rank]]);
	free(places);
	free(needed);
}

static void put_together(struct merger *m, struct dwarf_names *x, uint64_t identity)
{
	uint32_t *sorted, *ranks, *new;
	size_t count;

	link_others(m);
	move_to_symbols(m);
	ranks = rank_texts(&m->texts, &sorted);
	new = xcalloc(m->function_count + 1, sizeof(*new));
	count = merge_functions(m, ranks, new);
	for (size_t i = 0; i < count; i++) {
		m->functions[i].f.name = ranks[m->functions[i].f.name];
		m->functions[i].f.file = ranks[m->functions[i].f.file];
	}
	renumber_copies(m, new);
	merge_things(m, ranks);
	write_names(m, count, sorted, x, identity);
	free(new);
	free(ranks);
	free(sorted);
}

void names_merge(struct debuginfo *d, const struct dwarf_sections *s, const struct harvest *harvests, size_t n,
		 struct dwarf_names *x)
{
	struct merger m = { .d = d };
	size_t functions = 0, copies = 0, things = 0;

	for (size_t i = 0; i < n; i++) {
		functions += harvests[i].functions.n;
		copies += harvests[i].copies.n;
		things += harvests[i].things.n;
	}
	m.functions = xcalloc(functions + 1, sizeof(*m.functions));
	m.copies = xcalloc(copies + 1, sizeof(*m.copies));
	m.origins = xcalloc(copies + 1, sizeof(*m.origins));
	m.things = xcalloc(things + 1, sizeof(*m.things));
	texts_init(&m.texts, &s->str);
	for (size_t i = 0; i < n; i++)
		take_harvest(&m, &harvests[i]);
	put_together(&m, x, names_identity(d));
	texts_free(&m.texts);
	free(m.functions);
	free(m.copies);
	free(m.origins);
	free(m.things);
}
