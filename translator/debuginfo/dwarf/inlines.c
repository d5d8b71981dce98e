/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inlined functions around each call. DIEs of calls are nested in those of inlined functions, so no address range
 * has to be read. An inlined function without calls is left out: nothing is called from there, so no stack shows it. */
#include "inlines.h"

#include <stdlib.h>
#include <string.h>

#include "dwarf.h"
#include "base/util.h"
#include "harvest.h"
#include "walk.h"

enum { DEEPEST = 512, NO_NUMBER = 0 };

/* How the children of a DIE are handled. */
struct level {
	bool is_inlined;
	struct walk_die die;		/* if it is inlined */
	uint32_t number;		/* 1 + number in the list; NO_NUMBER: not added */
};

struct reader {
	struct dwarf_file *f;
	struct walk_unit u;
	Dwarf_Files *files;		/* of the unit */
	size_t file_count;
	struct level levels[DEEPEST];
	LIST(struct source_inlined) list;
	LIST(struct source_call) calls;
};

static const char *function_name(struct reader *r, const struct walk_die *die)
{
	Dwarf_Die full;

	return dwarf_offdie(r->f->dw, die->offset, &full) ? dwarf_diename(&full) : NULL;
}

/* The number of the innermost inlined function at DEPTH. */
static uint32_t number_at(struct reader *r, size_t depth)
{
	uint32_t outer = NO_NUMBER;

	for (size_t i = 0; i <= depth; i++) {
		struct level *l = &r->levels[i];
		const char *name, *file;

		if (!l->is_inlined)
			continue;
		if (!l->number) {
			name = function_name(r, &l->die);
			file = r->files && l->die.file < r->file_count ?
				dwarf_filesrc(r->files, l->die.file, NULL, NULL) : NULL;
			*list_add(&r->list) = (struct source_inlined){
				.function = name ? name : "?", .file = file ? file : "",
				.line = file ? (uint32_t)l->die.line : 0, .outer = outer,
			};
			l->number = (uint32_t)r->list.n;
		}
		outer = l->number;
	}
	return outer;
}

static void add_call(struct reader *r, const struct walk_die *die, size_t depth)
{
	const char *section;
	uint32_t number;
	int64_t offset;

	if (!die->has_entry || !dwarf_offset(r->f, die->entry - 1, &section, &offset) ||
	    (section && !str_equal(section, ".text")))
		return;
	number = number_at(r, depth);
	if (number)
		*list_add(&r->calls) = (struct source_call){ offset + 1, number - 1 };
}

/* Whether calls may be within the DIE. */
static bool may_contain_calls(const struct walk_die *die)
{
	switch (die->tag) {
	case DW_TAG_subprogram: case DW_TAG_inlined_subroutine:
		return die->has_entry;
	case DW_TAG_lexical_block: case DW_TAG_namespace: case DW_TAG_module:
		return true;
	}
	return false;
}

/* AT: after the unit's own DIE. What precedes damage is kept. */
static void read_dies(struct reader *r, uint64_t at)
{
	size_t depth = 0;

	r->levels[0] = (struct level){ 0 };
	while (at < r->u.end) {
		struct walk_die die;
		bool has_calls;

		if (!walk_die_at(&r->u, at, &die))
			return;
		at = die.next;
		if (!die.tag) {
			if (!depth--)
				return;
			continue;
		}
		if (die.tag == DW_TAG_call_site || die.tag == DW_TAG_GNU_call_site)
			add_call(r, &die, depth);
		if (!die.has_children)
			continue;
		has_calls = may_contain_calls(&die);
		if (!has_calls && die.sibling) {
			at = die.sibling;
			continue;
		}
		if (++depth == DEEPEST)
			return;
		r->levels[depth] = (struct level){ .is_inlined = die.tag == DW_TAG_inlined_subroutine, .die = die };
	}
}

static void read_unit(struct reader *r, const struct walk_unit *u)
{
	struct walk_die top;
	Dwarf_Die unit;

	r->u = *u;
	r->files = NULL;
	if (r->u.type != DW_UT_skeleton && walk_unit_open(&r->u, &top) && !r->u.is_split && top.has_children) {
		if (!dwarf_offdie(r->f->dw, top.offset, &unit) || dwarf_getsrcfiles(&unit, &r->files, &r->file_count))
			r->files = NULL;
		read_dies(r, top.next);
	}
	walk_unit_close(&r->u);
}

static int compare(const void *a, const void *b)
{
	const struct source_call *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

static void put_in_order(struct source_call *list, size_t *n)
{
	size_t kept = 0;

	if (*n)
		qsort(list, *n, sizeof(*list), compare);
	for (size_t i = 0; i < *n; i++)
		if (!kept || list[kept - 1].offset != list[i].offset)
			list[kept++] = list[i];
	*n = kept;
}

enum debuginfo_answer debuginfo_inlines(struct debuginfo *d, struct source_inlines *inlines)
{
	const char *reason;
	enum debuginfo_answer answer = dwarf_open(d, &reason);
	struct dwarf_sections s;
	struct walk_unit u;
	struct reader *r;

	*inlines = (struct source_inlines){ 0 };
	if (answer != DEBUGINFO_FOUND)
		return debuginfo_answered(d, answer, reason);
	r = xcalloc(1, sizeof(*r));
	r->f = d->dwarf;
	dwarf_read_sections(d, &s);
	for (uint64_t at = 0; walk_unit_at(&s, at, &u); at = u.end)
		read_unit(r, &u);
	put_in_order(r->calls.items, &r->calls.n);
	*inlines = (struct source_inlines){ r->list.items, r->list.n, r->calls.items, r->calls.n };
	free(r);
	return debuginfo_answered(d, DEBUGINFO_FOUND, "");
}
