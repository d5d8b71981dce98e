// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects, sorts and packs the tables of a file. Entries that overlap an earlier one are left out, so that the
 * packed tables are strictly ascending. */
#include "tables.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/host.h"

enum { MOST_RULES = 0xffff, MOST_NAME = 4096, MOST_NAMES = 128 << 20 };
#define MOST_WORK (1ull << 29)

static void *grow(void *items, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return items;
	*room = *room ? 2 * *room : 64;
	return host_grow(items, *room * size);
}

#define ADD(list) \
	((list)->items = grow((list)->items, (list)->count, &(list)->room, sizeof(*(list)->items)), \
	 &(list)->items[(list)->count++])

/* ---- collecting ---- */

void tables_init(struct tables *t, const char *path)
{
	static const struct tap_unwind_rule none;

	*t = (struct tables){ 0 };
	tables_name(t, path);
	*ADD(&t->rules) = none;
}

void tables_free(struct tables *t)
{
	free(t->rules.items);
	free(t->rules_found.items);
	free(t->rows.items);
	free(t->symbols.items);
	free(t->lines.items);
	free(t->names.items);
}

bool tables_work(struct tables *t, u64 amount)
{
	if (t->work <= MOST_WORK)
		t->work += amount;
	return t->work <= MOST_WORK;
}

static size_t hash(const struct tap_unwind_rule *rule)
{
	u64 words[sizeof(*rule) / sizeof(u64)], h = 0;

	_Static_assert(sizeof(words) == sizeof(*rule), "a rule is whole words");
	memcpy(words, rule, sizeof(words));
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		h = (h + words[i]) * 0x9e3779b97f4a7c15ull;
	return (size_t)(h ^ h >> 32);
}

/* The slot of a rule in the hash table. */
static u32 *find_rule(const struct tables *t, const struct tap_unwind_rule *rule)
{
	size_t mask = t->rules_found.room - 1;

	for (size_t i = hash(rule) & mask;; i = (i + 1) & mask) {
		u32 *number = &t->rules_found.items[i];

		if (!*number || memcmp(&t->rules.items[*number], rule, sizeof(*rule)) == 0)
			return number;
	}
}

static void make_room_for_rules(struct tables *t)
{
	if (2 * t->rules.count < t->rules_found.room)
		return;
	free(t->rules_found.items);
	t->rules_found.room = t->rules_found.room ? 4 * t->rules_found.room : 1024;
	t->rules_found.items = host_alloc(t->rules_found.room * sizeof(*t->rules_found.items));
	for (u32 i = 1; i < t->rules.count; i++)
		*find_rule(t, &t->rules.items[i]) = i;
}

u32 tables_rule(struct tables *t, const struct tap_unwind_rule *rule)
{
	u32 *number;

	if (rule->kind == TAP_UNWIND_NONE)
		return 0;
	make_room_for_rules(t);
	number = find_rule(t, rule);
	if (*number || t->rules.count >= MOST_RULES)
		return *number;
	*number = (u32)t->rules.count;
	*ADD(&t->rules) = *rule;
	return *number;
}

void tables_frame(struct tables *t)
{
	t->frames++;
}

void tables_row(struct tables *t, u64 at, u32 rule)
{
	*ADD(&t->rows) = (struct tables_row){ at, rule, t->frames };
}

void tables_symbol(struct tables *t, const struct tables_symbol *symbol)
{
	*ADD(&t->symbols) = *symbol;
}

static u32 add_name(struct tables *t, const char *name, size_t size)
{
	size_t at = t->names.count;

	if (size > MOST_NAME)
		size = MOST_NAME;
	if (at + size >= MOST_NAMES)
		return 0;		/* the file's own name: there is no room for this one */
	while (t->names.room < at + size + 1)
		t->names.items = grow(t->names.items, t->names.room, &t->names.room, 1);
	memcpy(t->names.items + at, name, size);
	t->names.items[at + size] = 0;
	t->names.count = at + size + 1;
	return (u32)at;
}

u32 tables_name(struct tables *t, const char *name)
{
	return add_name(t, name, strnlen(name, MOST_NAME));
}

/* Without the version that linkers append: "name@@LIB_1.2". */
static u32 add_symbol_name(struct tables *t, const char *name)
{
	size_t size = *name ? 1 + strcspn(name + 1, "@") : 0;

	return add_name(t, name, size);
}

void tables_line(struct tables *t, u64 at, u32 file, u32 line)
{
	*ADD(&t->lines) = (struct tables_line){ at, file, line };
}

/* ---- sorting ---- */

static int compare(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, PLACE_BITS = 64 };

struct place {
	u64 at;
	const char *item;
};

static void order_by_digit(const struct place *from, struct place *to, size_t count, unsigned shift)
{
	size_t next[DIGITS + 1] = { 0 };

	for (size_t i = 0; i < count; i++)
		next[(from[i].at >> shift) % DIGITS + 1]++;
	for (size_t digit = 0; digit < DIGITS; digit++)
		next[digit + 1] += next[digit];
	for (size_t i = 0; i < count; i++)
		to[next[(from[i].at >> shift) % DIGITS]++] = from[i];
}

/* Sorts places of one address. qsort() asks the kernel for the machine's memory, which a reader must not do, and
 * may do the square of this number of comparisons. */
static void order_by_item(struct place *places, struct place *room, size_t count, tables_compare *compare)
{
	size_t half = count / 2, left = 0, right = half;

	if (count < 2)
		return;
	order_by_item(places, room, half, compare);
	order_by_item(places + half, room, count - half, compare);
	memcpy(room, places, half * sizeof(*places));
	for (struct place *to = places; left < half; to++) {
		bool smaller = right < count && compare(places[right].item, room[left].item) < 0;

		*to = smaller ? places[right++] : room[left++];
	}
}

/* Radix sort, because comparisons took a third of the time for a file. */
void *tables_ordered(void *list, size_t count, size_t size, tables_compare *compare)
{
	char *items = list;
	struct place *places = host_alloc(2 * count * sizeof(*places) + 1), *others = places + count;
	char *result = host_alloc(count * size + 1);
	u64 most = 0;

	for (size_t i = 0; i < count; i++) {
		memcpy(&places[i].at, items + i * size, sizeof(places[i].at));
		places[i].item = items + i * size;
		most |= places[i].at;
	}
	for (unsigned shift = 0; shift < PLACE_BITS && most >> shift; shift += DIGIT_BITS) {
		struct place *from = places;

		order_by_digit(from, others, count, shift);
		places = others;
		others = from;
	}
	for (size_t i = 0, n; i < count; i += n) {
		for (n = 1; i + n < count && places[i + n].at == places[i].at;)
			n++;
		order_by_item(places + i, others, n, compare);
	}
	for (size_t i = 0; i < count; i++)
		memcpy(result + i * size, places[i].item, size);
	free(places < others ? places : others);
	free(items);
	return result;
}

#define ORDER(list, compare) \
	((list)->items = tables_ordered((list)->items, (list)->count, sizeof(*(list)->items), compare), \
	 (list)->room = (list)->count)

struct frame {
	u64 at;
	size_t first, count;
};

static int compare_frames(const void *a, const void *b)
{
	const struct frame *f = a, *g = b;
	int order = compare(f->at, g->at);

	return order ? order : compare(f->first, g->first);
}

/* Sorts functions by address, leaving out the ones that overlap the previous function. */
static void order_rows(struct tables *t)
{
	struct frame *frames = host_alloc((t->frames + 1) * sizeof(*frames));
	struct tables_row *rows = host_alloc((t->rows.count + 1) * sizeof(*rows));
	size_t n = 0, count = 0;
	u64 end = 0;

	for (size_t i = 0; i < t->rows.count; i++) {
		if (!n || t->rows.items[i].frame != t->rows.items[frames[n - 1].first].frame)
			frames[n++] = (struct frame){ t->rows.items[i].at, i, 0 };
		frames[n - 1].count++;
	}
	frames = tables_ordered(frames, n, sizeof(*frames), compare_frames);
	for (size_t i = 0; i < n; i++) {
		const struct tables_row *row = &t->rows.items[frames[i].first];

		if (frames[i].at < end)
			continue;
		for (size_t j = 0; j < frames[i].count; j++) {
			if (count && rows[count - 1].at == row[j].at)
				count--;
			if (!count || rows[count - 1].rule != row[j].rule)
				rows[count++] = row[j];
		}
		end = row[frames[i].count - 1].at;
	}
	free(frames);
	free(t->rows.items);
	t->rows.items = rows;
	t->rows.count = count;
	t->rows.room = count + 1;
}

/* Of the names of one address, the best comes first. */
static int compare_symbols(const void *a, const void *b)
{
	const struct tables_symbol *s = a, *u = b;
	int order = compare(s->at, u->at);

	if (!order)
		order = compare(u->rank, s->rank);
	if (!order)
		order = compare(strlen(s->name), strlen(u->name));
	return order ? order : strcmp(s->name, u->name);
}

/* A symbol without a size extends to the next one, and is used only where no other symbol is. */
static void order_symbols(struct tables *t)
{
	struct tables_symbol *s;
	size_t n = 0;
	u64 end = 0;

	ORDER(&t->symbols, compare_symbols);
	s = t->symbols.items;
	for (size_t i = 0; i < t->symbols.count; i++) {
		u64 size = s[i].size;

		if (n && s[n - 1].at == s[i].at) {
			if (!s[n - 1].size)
				s[n - 1].size = size;	/* another name of the same object */
		} else if (size || s[i].at >= end) {
			s[n++] = s[i];
		}
		if (size && s[i].at + size > end)
			end = s[i].at + size;
	}
	for (size_t i = 0; i + 1 < n; i++)
		if (!s[i].size)
			s[i].size = s[i + 1].at - s[i].at;
	t->symbols.count = n;
}

static int compare_lines(const void *a, const void *b)
{
	const struct tables_line *l = a, *m = b;
	int order = compare(l->at, m->at);

	/* if one sequence ends where the next begins, the beginning is used */
	return order ? order : compare(m->line != 0, l->line != 0);
}

static void order_lines(struct tables *t)
{
	struct tables_line *l;
	size_t n = 0;

	ORDER(&t->lines, compare_lines);
	l = t->lines.items;
	for (size_t i = 0; i < t->lines.count; i++) {
		if (n && l[n - 1].at == l[i].at)
			continue;
		if (!n || l[n - 1].line != l[i].line || l[n - 1].file != l[i].file)
			l[n++] = l[i];
	}
	t->lines.count = n;
}

/* ---- packing ---- */

static char *put(char *to, const void *from, size_t size)
{
	if (size)
		memcpy(to, from, size);
	return to + size;
}

/* Offsets above 4 GB are left out. */
static size_t below_4g(const u64 *first, size_t count, size_t stride)
{
	while (count && *(const u64 *)((const char *)first + (count - 1) * stride) > UINT32_MAX)
		count--;
	return count;
}

#define BELOW_4G(list) \
	((list).count ? below_4g(&(list).items->at, (list).count, sizeof(*(list).items)) : 0)

static char *pack_symbols(const struct tables *t, char *to)
{
	for (size_t i = 0; i < t->symbols.count; i++) {
		const struct tables_symbol *s = &t->symbols.items[i];
		struct tap_image_symbol packed = {
			.at = (u32)s->at, .size = s->size > UINT32_MAX ? UINT32_MAX : (u32)s->size,
			.name = s->named,
		};

		to = put(to, &packed, sizeof(packed));
	}
	return to;
}

static char *pack_lines(const struct tables *t, char *to)
{
	for (size_t i = 0; i < t->lines.count; i++) {
		const struct tables_line *l = &t->lines.items[i];
		struct tap_image_line packed = { (u32)l->at, l->file, l->line };

		to = put(to, &packed, sizeof(packed));
	}
	return to;
}

static char *pack_rows(const struct tables *t, char *to)
{
	for (size_t i = 0; i < t->rows.count; i++) {
		u32 at = (u32)t->rows.items[i].at;

		to = put(to, &at, sizeof(at));
	}
	for (size_t i = 0; i < t->rows.count; i++) {
		u16 rule = (u16)t->rows.items[i].rule;

		to = put(to, &rule, sizeof(rule));
	}
	return to;
}

void *tables_pack(struct tables *t, size_t *size)
{
	struct tap_image_head head = { .magic = TAP_IMAGE_MAGIC };
	char *data, *to;

	order_rows(t);
	order_symbols(t);
	order_lines(t);
	t->rows.count = BELOW_4G(t->rows);
	t->symbols.count = BELOW_4G(t->symbols);
	t->lines.count = BELOW_4G(t->lines);
	for (size_t i = 0; i < t->symbols.count; i++)
		t->symbols.items[i].named = add_symbol_name(t, t->symbols.items[i].name);
	head.rule_count = (u32)t->rules.count;
	head.symbol_count = (u32)t->symbols.count;
	head.row_count = (u32)t->rows.count;
	head.line_count = (u32)t->lines.count;
	head.names_size = (u32)t->names.count;
	head.python_at = t->python_at;
	head.python_version = t->python_version;
	*size = sizeof(head) + head.rule_count * sizeof(struct tap_unwind_rule) +
		head.symbol_count * sizeof(struct tap_image_symbol) +
		head.line_count * sizeof(struct tap_image_line) +
		head.row_count * (sizeof(u32) + sizeof(u16)) + head.names_size;
	data = to = host_alloc(*size);
	to = put(to, &head, sizeof(head));
	to = put(to, t->rules.items, head.rule_count * sizeof(struct tap_unwind_rule));
	to = pack_symbols(t, to);
	to = pack_lines(t, to);
	to = pack_rows(t, to);
	put(to, t->names.items, head.names_size);
	return data;
}
