/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The meaning of symbols: from nm's letters, addresses and the linker script's symbols to
 * functions, sizes and obstacles. This must agree with populate_kprobe_blacklist and
 * arch_populate_kprobe_blacklist in kernel/kprobes.c and arch/x86/kernel/kprobes. */
#include "symtab.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/util.h"

void symbol_list_init(struct symbol_list *l, struct arena *a)
{
	*l = (struct symbol_list){ .arena = a };
}

static uint32_t add_name(struct symbol_list *l, const char *name, size_t length)
{
	size_t at = l->names.n, room = l->names.room;

	if (at + length + 1 > room) {
		room = room ? 2 * room : 1 << 16;
		while (at + length + 1 > room)
			room *= 2;
		l->names.items = arena_grow(l->arena, l->names.items, at, room);
		l->names.room = room;
	}
	memcpy(l->names.items + at, name, length);
	l->names.items[at + length] = '\0';
	l->names.n = at + length + 1;
	return (uint32_t)at;
}

struct raw_symbol *symbol_list_add(struct symbol_list *l, const char *name, size_t length,
				   uint64_t address, char letter)
{
	struct raw_symbol *s = vec_add(l->arena, &l->symbols);

	*s = (struct raw_symbol){
		.address = address, .name = add_name(l, name, length), .letter = letter,
	};
	return s;
}

const struct raw_symbol *symbol_list_find(const struct symbol_list *l, const char *name)
{
	vec_each (s, &l->symbols)
		if (str_equal(raw_symbol_name(l, s), name))
			return s;
	return NULL;
}

void symbol_list_build_id(struct symbol_list *l, const uint8_t *id, size_t size)
{
	l->build_id_size = size < sizeof(l->build_id) ? size : sizeof(l->build_id);
	if (size)
		memcpy(l->build_id, id, l->build_id_size);
}

/* ---- ranges between symbols of the linker script ---- */

struct range { uint64_t start, end; };

static struct range range_of(const struct symbol_list *l, const char *start, const char *end)
{
	const struct raw_symbol *s = symbol_list_find(l, start), *e = symbol_list_find(l, end);

	if (!s || !e || s->address >= e->address)
		return (struct range){ 0, 0 };
	return (struct range){ s->address, e->address };
}

static bool in_range(const struct range *r, uint64_t address)
{
	return address >= r->start && address < r->end;
}

/* In order of precedence: a place may be in several ranges. */
static const struct {
	const char *start, *end;
	enum symbol_obstacle obstacle;
} ranges[] = {
	{ "_sinittext", "_einittext", OBSTACLE_INIT },
	{ "__noinstr_text_start", "__noinstr_text_end", OBSTACLE_NOINSTR },
	{ "__kprobes_text_start", "__kprobes_text_end", OBSTACLE_KPROBES },
	{ "__entry_text_start", "__entry_text_end", OBSTACLE_ENTRY },
	{ "__idmap_text_start", "__idmap_text_end", OBSTACLE_ENTRY },
	{ "__hyp_text_start", "__hyp_text_end", OBSTACLE_ENTRY },
};

struct places {
	struct range text, percpu;
	struct range init;		/* contains __init and __exit code, and data */
	struct range range[ARRAY_SIZE(ranges)];
};

/* Names that the linker script gives to places: they are not functions, whatever nm's letter is. */
static bool is_place_name(const char *name)
{
	static const char *const names[] = {
		"_text", "_stext", "_etext", "_sinittext", "_einittext", "_head", "__head",
		"__init_begin", "__init_end", "_sexittext", "_eexittext", "__exittext_begin",
		"__exittext_end", "__inittext_begin", "__inittext_end", "__kvm_nvhe_text_end",
	};

	if (str_starts(name, "__") && (str_ends(name, "_text_start") || str_ends(name, "_text_end")))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (str_equal(name, names[i]))
			return true;
	return false;
}

static bool is_padding_name(const char *name)
{
	return name[0] == '_' && (str_starts(name, "__pfx_") || str_starts(name, "__cfi_"));
}

/* nm's letter is not reliable: from 6.16 on .data of x86 is executable in the file, so all of it
 * has T or t; a weak symbol has W in code and in data. */
static bool is_code(const struct places *places, const struct raw_symbol *s)
{
	if (!strchr("TtWw", s->letter))
		return false;
	if (in_range(&places->text, s->address) || in_range(&places->init, s->address))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		if (in_range(&places->range[i], s->address))
			return true;
	return false;
}

static uint16_t letter_flags(const struct places *places, const char *name, const struct raw_symbol *s)
{
	uint16_t flags = isupper((unsigned char)s->letter) ? SYMBOL_GLOBAL : 0;

	if (strchr("WwVv", s->letter))
		flags |= SYMBOL_WEAK | SYMBOL_GLOBAL;
	/* x86 before 6.15 links per-CPU variables at 0 and up, where they are not relocated */
	if (in_range(&places->percpu, s->address))
		return flags | SYMBOL_DATA | SYMBOL_PERCPU |
		       (places->percpu.start ? 0 : SYMBOL_ABSOLUTE);
	if (s->letter == 'A' || s->letter == 'a')
		return flags | SYMBOL_ABSOLUTE;
	return flags | (is_code(places, s) && !is_place_name(name) ? SYMBOL_FUNCTION : SYMBOL_DATA);
}

static enum symbol_obstacle obstacle_of(const struct places *places, const char *name,
					const struct raw_symbol *s)
{
	if (!(s->flags & SYMBOL_FUNCTION))
		return OBSTACLE_DATA;
	if (is_padding_name(name))
		return OBSTACLE_PADDING;
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		if (in_range(&places->range[i], s->address))
			return ranges[i].obstacle;
	return in_range(&places->text, s->address) ? OBSTACLE_NONE : OBSTACLE_EXIT;
}

/* ---- the whole list ---- */

static int compare_address(const void *a, const void *b)
{
	const struct raw_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static bool is_sorted(const struct symbol_list *l)
{
	for (size_t i = 1; i < l->symbols.n; i++)
		if (compare_address(&l->symbols.items[i - 1], &l->symbols.items[i]) > 0)
			return false;
	return true;
}

/* Sizes as the kernel computes them: up to the next symbol with a different address. */
static void compute_sizes(struct symbol_list *l)
{
	uint64_t next = 0;

	for (size_t i = l->symbols.n; i-- > 0;) {
		struct raw_symbol *s = &l->symbols.items[i];

		if (i + 1 < l->symbols.n && s[1].address != s->address)
			next = s[1].address;
		if (l->section_count && PLACE_SECTION(next) != PLACE_SECTION(s->address))
			continue;
		if (!s->size && next > s->address)
			s->size = next - s->address;
	}
}

static void find_notes(struct symbol_list *l)
{
	struct range notes = range_of(l, "__start_notes", "__stop_notes");

	l->notes_address = notes.start;
	l->notes_size = notes.end - notes.start;
}

static void sort_by_address(struct symbol_list *l)
{
	if (!is_sorted(l))
		qsort(l->symbols.items, l->symbols.n, sizeof(*l->symbols.items), compare_address);
}

enum debuginfo_answer symtab_classify(struct symbol_list *l, const char **reason)
{
	const struct raw_symbol *anchor = symbol_list_find(l, TAP_ANCHOR);
	struct places places = { .text = range_of(l, "_stext", "_etext") };

	if (!places.text.end) {
		*reason = "it has no symbols _stext and _etext around the kernel's code";
		return DEBUGINFO_BROKEN;
	}
	if (!anchor) {
		*reason = "this kernel has no kprobes: it lacks '" TAP_ANCHOR "'";
		return DEBUGINFO_ABSENT;
	}
	l->anchor = anchor->address;
	if (!in_range(&places.text, l->anchor)) {
		*reason = "'" TAP_ANCHOR "' is outside of the kernel's code in it";
		return DEBUGINFO_BROKEN;
	}
	find_notes(l);
	places.percpu = range_of(l, "__per_cpu_start", "__per_cpu_end");
	places.init = range_of(l, "__init_begin", "__init_end");
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		places.range[i] = range_of(l, ranges[i].start, ranges[i].end);
	sort_by_address(l);
	compute_sizes(l);
	vec_each (s, &l->symbols) {
		const char *name = raw_symbol_name(l, s);

		s->flags |= letter_flags(&places, name, s);
		s->obstacle = obstacle_of(&places, name, s);
	}
	return DEBUGINFO_FOUND;
}

void symtab_classify_module(struct symbol_list *l)
{
	sort_by_address(l);
	compute_sizes(l);
	vec_each (s, &l->symbols)
		if ((s->flags & SYMBOL_FUNCTION) && is_padding_name(raw_symbol_name(l, s)))
			s->obstacle = OBSTACLE_PADDING;
}

struct raw_symbol *symtab_at(const struct symbol_list *l, uint64_t address)
{
	size_t low = 0, high = l->symbols.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (l->symbols.items[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &l->symbols.items[low - 1] : NULL;
}

static bool mark_site(struct symbol_list *l, uint64_t start, uint64_t site)
{
	struct raw_symbol *s = symtab_at(l, start);
	bool any = false;

	/* mark aliases too */
	for (; s && s >= l->symbols.items && s->address == start; s--)
		if ((s->flags & SYMBOL_FUNCTION) && s->obstacle != OBSTACLE_PADDING) {
			s->flags |= SYMBOL_FTRACE;
			s->site = site > start ? (uint8_t)(site - start) : 0;
			any = true;
		}
	return any;
}

void symtab_mark_sites(struct symbol_list *l, const uint64_t *sites, size_t n, const struct arch *arch)
{
	size_t marked = 0;

	for (size_t i = 0; i < n; i++) {
		const struct raw_symbol *s = symtab_at(l, sites[i]);

		if (s && sites[i] - s->address <= (arch ? arch->ftrace_reach : 0) &&
		    mark_site(l, s->address, sites[i]))
			marked++;
		else if (arch && arch->ftrace_before)
			marked += mark_site(l, sites[i] + arch->ftrace_before, sites[i]);
	}
	l->ftrace_sites |= marked || !n;
}

void symtab_mark_listed(struct symbol_list *l, uint64_t start, uint64_t end)
{
	struct raw_symbol *s = symtab_at(l, start), *last = l->symbols.items + l->symbols.n;

	if (!s || s->address != start)
		return;
	while (s > l->symbols.items && s[-1].address == start)
		s--;
	for (; s < last && (s->address == start || s->address < end); s++)
		if ((s->flags & SYMBOL_FUNCTION) && s->obstacle == OBSTACLE_NONE)
			s->obstacle = OBSTACLE_LISTED;
}
