/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rows of kernel, module and process probes have in common: sites, the callers that sites of .callees are
 * hit from, and the build that offsets are from. */
#include "place_row.h"

#include <stdlib.h>

#include "debuginfo/debuginfo.h"
#include "debuginfo/program/program.h"

static const struct row_layout caller = ROW_LAYOUT(tap_caller,
	ROW_MEMBER(tap_caller, at),
	ROW_MEMBER(tap_caller, is_root),
	ROW_MEMBER(tap_caller, is_jump));

static const struct row_layout callers = ROW_LAYOUT(tap_callers,
	ROW_TABLE(tap_callers, list, count, &caller),
	ROW_MEMBER(tap_callers, count),
	ROW_MEMBER(tap_callers, depth));

const struct row_layout row_site = ROW_LAYOUT(tap_site,
	ROW_MEMBER(tap_site, symbol),
	ROW_MEMBER(tap_site, offset),
	ROW_MEMBER(tap_site, into),
	ROW_MEMBER(tap_site, shown),
	ROW_MEMBER(tap_site, gated),
	ROW_MEMBER(tap_site, taken),
	ROW_MEMBER(tap_site, parameters),
	ROW_SHARED(tap_site, callers, &callers));

const struct row_layout row_functions = ROW_LAYOUT(tap_functions,
	ROW_MEMBER(tap_functions, module),
	ROW_TABLE(tap_functions, sites, count, &row_site),
	ROW_MEMBER(tap_functions, count),
	ROW_MEMBER(tap_functions, maxactive),
	ROW_MEMBER(tap_functions, absolute),
	ROW_BYTES(tap_functions, build_id, build_id_size),
	ROW_MEMBER(tap_functions, build_id_size),
	ROW_MEMBER(tap_functions, notes),
	ROW_MEMBER(tap_functions, notes_size));

/* ---- callers ---- */

static int compare_callers(const void *a, const void *b)
{
	const struct tap_caller *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->is_jump != y->is_jump)
		return x->is_jump - y->is_jump;
	return y->is_root - x->is_root;
}

/* Of the same address only the first is kept. */
static u32 sort_unique(struct tap_caller *list, size_t n)
{
	u32 kept = 0;

	if (n)
		qsort(list, n, sizeof(*list), compare_callers);
	for (size_t i = 0; i < n; i++)
		if (!kept || list[i].at != list[kept - 1].at || list[i].is_jump != list[kept - 1].is_jump)
			list[kept++] = list[i];
	return kept;
}

const struct tap_callers *place_row_callers(struct arena *a, const struct site *const *sites, size_t n,
					    const struct place_callers *(*of)(const struct site *site))
{
	struct tap_callers *row = arena_new(a, struct tap_callers);
	const struct place_callers *last = NULL;
	VEC(struct tap_caller) all = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct place_callers *some = of(sites[i]);

		if (!some || some == last)
			continue;
		last = some;
		vec_each(one, &some->list)
			*vec_add(a, &all) = *one;
	}
	if (!last)
		return NULL;
	row->count = sort_unique(all.items, all.n);
	row->list = all.items;
	row->depth = last->depth;
	return row;
}

/* ---- builds ---- */

void place_row_image(struct tap_functions *row, const struct debuginfo_facts *facts)
{
	row->build_id = facts->build_id;
	row->build_id_size = facts->build_id_size;
	row->notes = facts->notes_offset;
	row->notes_size = (u32)facts->notes_size;
}

void place_row_program(struct tap_process *row, struct debuginfo *program)
{
	uint64_t offset;
	size_t size;

	if (!program_build_id(program, &row->build_id, &size, &offset))
		return;
	row->build_id_size = (u32)size;
	row->build_id_at = offset;
}
