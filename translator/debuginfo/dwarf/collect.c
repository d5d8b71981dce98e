/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the names in a file of debug information: threads walk over the units, each over a part
 * of them, and record every named entity; merge.c sorts the result. */
#include "collect.h"

#include <dwarf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dwarf.h"
#include "harvest.h"
#include "merge.h"
#include "others.h"
#include "base/util.h"

enum { DEEPEST = 512, MOST_THREADS = 16, PART_LEAST = 4 << 20 };

/* The current unit. */
struct visit {
	struct harvest *h;
	struct walk_unit u;
	struct walk_files files;
	bool files_asked;
	LIST(uint32_t) paths;		/* by file number: 1 + number of a path; 0: not known yet */
	LIST(struct raw_thing) variables;	/* including declarations, because definitions refer to them */
	size_t first_function, first_copy;
};

/* ---- files ---- */

static uint32_t path_of(struct visit *v, uint64_t number)
{
	char *path;

	if (!v->files_asked)
		walk_files_open(&v->u, &v->files);
	v->files_asked = true;
	if (number >= v->files.file_count + 1)
		return 0;
	while (v->paths.n <= number)
		*list_add(&v->paths) = 0;
	if (!v->paths.items[number] && (path = walk_files_path(&v->u, &v->files, number))) {
		*list_add(&v->h->paths) = path;
		v->paths.items[number] = (uint32_t)v->h->paths.n;
	}
	return v->paths.items[number];
}

/* ---- things ---- */

/* Has this thread already seen this name with this kind? Only names in .debug_str are recorded. */
static bool is_known(struct harvest *h, const char *name, unsigned kind)
{
	const struct bytes *str = &h->sections->str;
	uint64_t at = (uint64_t)((const uint8_t *)name - str->data);
	uint8_t bit = (uint8_t)(1 << kind);

	if ((const uint8_t *)name < str->data || at >= str->size)
		return false;
	if (h->seen[at] & bit)
		return true;
	h->seen[at] |= bit;
	return false;
}

static void add_thing(struct harvest *h, const struct walk_die *die, unsigned kind, uint64_t at)
{
	if (die->name && !die->is_declaration && !is_known(h, die->name, kind))
		*list_add(&h->things) = (struct raw_thing){ die->name, at, 0, kind };
}

static void add_variable(struct visit *v, const struct walk_die *die)
{
	struct raw_thing t = { die->name, die->offset, 0, NAMES_GLOBAL };

	if (die->name || die->line)
		t.file = path_of(v, die->file);
	for (size_t low = 0, high = v->variables.n; !die->name && low < high;) {
		size_t middle = low + (high - low) / 2;
		const struct raw_thing *o = &v->variables.items[middle];

		if (o->die == die->origin) {
			t.name = o->name;
			t.file = t.file ? t.file : o->file;
			break;
		}
		if (o->die < die->origin)
			low = middle + 1;
		else
			high = middle;
	}
	*list_add(&v->variables) = t;
	if (t.name && die->has_place && !die->is_declaration)
		*list_add(&v->h->things) = t;
	else if (die->name && die->is_declaration && !is_known(v->h, die->name, NAMES_DECLARED))
		*list_add(&v->h->things) = (struct raw_thing){ die->name, die->offset, 0, NAMES_DECLARED };
}

static void add_type(struct visit *v, const struct walk_die *die)
{
	switch (die->tag) {
	case DW_TAG_structure_type: case DW_TAG_class_type:
		add_thing(v->h, die, NAMES_STRUCT, die->offset);
		return;
	case DW_TAG_union_type:
		add_thing(v->h, die, NAMES_UNION, die->offset);
		return;
	case DW_TAG_enumeration_type:
		add_thing(v->h, die, NAMES_ENUM, die->offset);
		return;
	case DW_TAG_typedef: case DW_TAG_base_type:
		add_thing(v->h, die, NAMES_TYPEDEF, die->offset);
		return;
	}
}

/* ---- functions ---- */

/* Returns the number of the copy that contains the code below the DIE. */
static int32_t add_function(struct visit *v, const struct walk_die *die, int32_t outer)
{
	struct harvest *h = v->h;

	if (die->tag == DW_TAG_subprogram && die->name && !die->has_origin &&
	    (!die->is_declaration || die->has_entry))
		*list_add(&h->functions) = (struct raw_function){ die->name, die->offset,
								  path_of(v, die->file), (uint32_t)die->line };
	if (!die->has_entry || (die->tag == DW_TAG_inlined_subroutine && outer == NO_COPY))
		return outer;
	*list_add(&h->copies) = (struct raw_copy){
		.address = die->entry, .die = die->offset, .outer = outer, .function = -1,
		.origin = die->has_origin ? die->origin : die->offset,
	};
	return outer == NO_COPY ? (int32_t)h->copies.n - 1 : outer;
}

static int find_function(const struct raw_function *list, size_t n, uint64_t die)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list[middle].die < die)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && list[low].die == die ? (int)low : -1;
}

static void link_copies(struct visit *v)
{
	struct harvest *h = v->h;

	for (size_t i = v->first_copy; i < h->copies.n; i++) {
		struct raw_copy *c = &h->copies.items[i];
		int found = find_function(h->functions.items + v->first_function,
					  h->functions.n - v->first_function, c->origin);

		if (found >= 0)
			c->function = (int32_t)(v->first_function + (size_t)found);
	}
}

/* ---- the walk ---- */

/* How the children of a DIE are handled. */
struct level {
	enum { IN_UNIT, IN_FUNCTION, IN_ENUM, IN_NOTHING } where;
	int32_t outer;			/* IN_FUNCTION */
	uint64_t die;			/* IN_ENUM */
};

static struct level visit_in_unit(struct visit *v, const struct walk_die *die)
{
	struct level inside = { .where = IN_NOTHING, .outer = NO_COPY };

	switch (die->tag) {
	case DW_TAG_subprogram:
		inside.outer = add_function(v, die, NO_COPY);
		inside.where = inside.outer == NO_COPY ? IN_NOTHING : IN_FUNCTION;
		break;
	case DW_TAG_variable:
		add_variable(v, die);
		break;
	case DW_TAG_enumeration_type:
		add_type(v, die);
		inside = (struct level){ .where = IN_ENUM, .die = die->offset };
		break;
	case DW_TAG_namespace: case DW_TAG_module:
		inside.where = IN_UNIT;
		break;
	default:
		add_type(v, die);
	}
	return inside;
}

static struct level visit_die(struct visit *v, const struct level *level, const struct walk_die *die)
{
	switch (level->where) {
	case IN_UNIT:
		return visit_in_unit(v, die);
	case IN_FUNCTION:
		if (die->tag == DW_TAG_inlined_subroutine)
			add_function(v, die, level->outer);
		if (die->tag == DW_TAG_inlined_subroutine || die->tag == DW_TAG_lexical_block)
			return *level;
		break;
	case IN_ENUM:
		if (die->tag == DW_TAG_enumerator)
			add_thing(v->h, die, NAMES_ENUMERATOR, level->die);
		break;
	case IN_NOTHING:
		break;
	}
	return (struct level){ .where = IN_NOTHING, .outer = NO_COPY };
}

/* False: the unit is damaged; names found before the damage are kept. */
static bool visit_unit(struct visit *v, const struct walk_die *top)
{
	struct level levels[DEEPEST] = { { .where = IN_UNIT, .outer = NO_COPY } };
	struct walk_die die;
	uint64_t at = top->next;
	size_t depth = 0;

	if (!top->has_children)
		return true;
	while (at < v->u.end) {
		struct level inside;

		if (!walk_die_at(&v->u, at, &die))
			return false;
		at = die.next;
		if (!die.tag) {
			if (!depth--)
				return true;
			continue;
		}
		inside = visit_die(v, &levels[depth], &die);
		if (!die.has_children)
			continue;
		if (inside.where == IN_NOTHING && die.sibling)
			at = die.sibling;
		else if (++depth < DEEPEST)
			levels[depth] = inside;
		else
			return false;
	}
	return true;
}

static void harvest_unit(struct harvest *h, const struct walk_unit *u)
{
	struct visit v = { .h = h, .u = *u, .first_function = h->functions.n, .first_copy = h->copies.n };
	struct walk_die top;

	if (v.u.type == DW_UT_skeleton)
		h->has_others = true;
	else if (!walk_unit_open(&v.u, &top) || !visit_unit(&v, &top))
		h->failed = true;
	h->has_others |= v.u.is_split;
	link_copies(&v);
	walk_unit_close(&v.u);
	walk_files_close(&v.files);
	free(v.paths.items);
	free(v.variables.items);
}

static void *harvest_part(void *data)
{
	struct harvest *h = data;
	struct walk_unit u;

	h->seen = xcalloc(1, h->sections->str.size + 1);
	for (uint64_t at = h->part.from; at < h->part.to; at = u.end) {
		if (!walk_unit_at(h->sections, at, &u)) {
			h->failed = true;
			break;
		}
		harvest_unit(h, &u);
	}
	free(h->seen);
	return NULL;
}

static void harvest_free(struct harvest *h)
{
	for (size_t i = 0; i < h->paths.n; i++)
		free(h->paths.items[i]);
	free(h->functions.items);
	free(h->copies.items);
	free(h->things.items);
	free(h->paths.items);
}

/* ---- the whole file ---- */

/* Cut large parts into several of about the same size. */
static size_t cut_parts(const struct dwarf_sections *s, const struct names_part *parts, size_t n,
			struct harvest **harvests)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t threads = cpus < 1 ? 1 : cpus > MOST_THREADS ? MOST_THREADS : (uint64_t)cpus;
	LIST(struct harvest) list = { 0 };

	for (size_t i = 0; i < n; i++) {
		uint64_t size = (parts[i].to - parts[i].from) / threads + 1, at = parts[i].from;
		struct walk_unit u;

		if (size < PART_LEAST)
			size = PART_LEAST;
		while (at < parts[i].to) {
			struct harvest *h = list_add(&list);
			uint64_t end = at;

			while (end < parts[i].to && end - at < size)
				end = walk_unit_at(s, end, &u) ? u.end : parts[i].to;
			*h = (struct harvest){ .sections = s, .part = { at, end } };
			at = end;
		}
	}
	*harvests = list.items;
	return list.n;
}

/* If no more threads can be created, one does all the work. */
static void harvest_all(struct harvest *harvests, size_t n)
{
	for (size_t i = 1; i < n; i++)
		harvests[i].has_thread = !pthread_create(&harvests[i].thread, NULL, harvest_part,
							 &harvests[i]);
	for (size_t i = 0; i < n; i++)
		if (!harvests[i].has_thread)
			harvest_part(&harvests[i]);
	for (size_t i = 0; i < n; i++)
		if (harvests[i].has_thread)
			pthread_join(harvests[i].thread, NULL);
}

/* Names from other sections and files are added to the last harvest, so that functions stay in the
 * order of their DIEs. */
static void add_others(struct debuginfo *d, struct harvest *harvests, size_t n)
{
	bool has_others = false;

	for (size_t i = 0; i < n; i++)
		has_others |= harvests[i].has_others;
	if (n && (has_others || dwarf_has_more(d->dwarf)))
		others_harvest(d, &harvests[n - 1], has_others);
}

bool names_collect(struct debuginfo *d, const struct names_part *parts, size_t n, struct dwarf_names *x)
{
	struct dwarf_sections s;
	struct harvest *harvests;

	*x = (struct dwarf_names){ 0 };
	dwarf_read_sections(d, &s);
	if (!s.info.size || s.info.size > UINT32_MAX || s.str.size > UINT32_MAX)
		return false;
	n = cut_parts(&s, parts, n, &harvests);
	harvest_all(harvests, n);
	add_others(d, harvests, n);
	names_merge(d, &s, harvests, n, x);
	for (size_t i = 0; i < n; i++)
		harvest_free(&harvests[i]);
	free(harvests);
	return true;
}
