// SPDX-License-Identifier: GPL-2.0-or-later
/* Which functions call a row's own code (direct.h): those that no other row hooks, and those that have one row of
 * entries and one row of returns, which share a trampoline. */
#include "direct_places.h"

#include "compat.h"
#include "direct.h"
#include "hook.h"
#include "probe.h"
#include "scope.h"
#include "session.h"
#include "tap_direct.h"

#ifdef TAP_FTRACE

/* There is room for one direct call, and it can ask neither who the caller is nor which cgroup its task is in. BPF
 * programs that enforce a policy are attached to bpf_lsm_ functions: nothing may be in their way. */
static bool direct_place_may(const struct tap_place *p)
{
	const struct tap_direct *d = p->row->probe->direct;
	bool lsm = strstarts(p->site->symbol, "bpf_lsm_");

	if (!d || p->site->callers)
		return false;
	if (p->row->flags & TAP_PROBE_RETURN ? !d->gated || !p->site->gated : !d->call)
		return false;
	if (tap_scope_is_given() || lsm)
		tap_row_indirect(p->row, lsm ? TAP_INDIRECT_POLICY : TAP_INDIRECT_CGROUP);
	return !tap_scope_is_given() && !lsm;
}

/* How many of the COUNT places are at the first one's address. */
static u32 direct_places_function(const struct tap_place *places, u32 count)
{
	u32 n = 1;

	while (n < count && places[n].ip == places->ip)
		n++;
	return n;
}

static void direct_places_indirect(const struct tap_place *places, u32 count, enum tap_indirect why)
{
	for (u32 i = 0; i < count; i++)
		tap_row_indirect(places[i].row, why);
}

/* The rows of one function. */
static void direct_places_mark(struct tap_place *places, u32 count)
{
	struct tap_place *in = NULL, *out = NULL;
	bool may = true;

	for (u32 i = 0; i < count && may; i++) {
		struct tap_place *p = &places[i];
		struct tap_place **slot = p->row->flags & TAP_PROBE_RETURN ? &out : &in;

		if (!p->hooked)
			continue;
		may = !*slot && direct_place_may(p);
		*slot = p;
	}
	if (!may || (in && out && !in->row->probe->direct->paired)) {
		direct_places_indirect(places, count > 1 ? count : 0, TAP_INDIRECT_ROWS);
		return;
	}
	if (in)
		in->direct = out ? out->row : in->row;
	if (out)
		out->direct = out->row;
}

/* The group that a function belongs to; without a row: none. */
static struct tap_direct_group direct_places_group(const struct tap_place *places, u32 count)
{
	struct tap_direct_group g = { };

	for (u32 i = 0; i < count; i++) {
		if (!places[i].direct)
			continue;
		g.row = places[i].direct;
		if (places[i].row != g.row)
			g.pair = places[i].row;
	}
	return g;
}

/* The position of G, or N. */
static u32 direct_places_find(const struct tap_direct_group *list, u32 n, const struct tap_direct_group *g)
{
	u32 at = 0;

	while (at < n && (list[at].row != g->row || list[at].pair != g->pair))
		at++;
	return at;
}

static u32 direct_places_list(struct tap_place *places, u32 count, struct tap_direct_group list[TAP_DIRECT_GROUPS])
{
	u32 n = 0, at, size;

	for (u32 first = 0; first < count; first += size) {
		struct tap_direct_group g;

		size = direct_places_function(&places[first], count - first);
		direct_places_mark(&places[first], size);
		g = direct_places_group(&places[first], size);
		at = direct_places_find(list, n, &g);
		if (!g.row || at == TAP_DIRECT_GROUPS)
			continue;
		if (at == n)
			list[n++] = g;
		list[at].functions++;
	}
	return n;
}

/* A row has one trampoline, which serves functions with the same pair. */
static bool direct_places_largest(const struct tap_direct_group *list, u32 n, u32 i)
{
	for (u32 k = 0; k < n; k++)
		if (list[k].row == list[i].row &&
		    (list[k].functions > list[i].functions || (list[k].functions == list[i].functions && k < i)))
			return false;
	return true;
}

/* Those for which the kernel has room. */
static u32 direct_places_choose(struct tap_direct_group *list, u32 n)
{
	u32 room = TAP_DIRECT_PLACES - min_t(u64, TAP_DIRECT_PLACES, tap_session.sites_direct);
	bool chosen[TAP_DIRECT_GROUPS];
	u32 kept = 0;

	for (u32 i = 0; i < n; i++) {
		chosen[i] = list[i].functions <= room && direct_places_largest(list, n, i);
		room -= chosen[i] ? list[i].functions : 0;
	}
	for (u32 i = 0; i < n; i++)
		if (chosen[i])
			list[kept++] = list[i];
	return kept;
}

/* Whether ROW has functions with another pair. */
static bool direct_places_has(const struct tap_direct_group *list, u32 n, const struct tap_row *row)
{
	for (u32 i = 0; i < n; i++)
		if (list[i].row == row)
			return true;
	return false;
}

u32 tap_direct_groups(struct tap_place *places, u32 count, struct tap_direct_group list[TAP_DIRECT_GROUPS])
{
	u32 n = direct_places_choose(list, direct_places_list(places, count, list)), size;

	for (u32 first = 0; first < count; first += size) {
		struct tap_direct_group g;

		size = direct_places_function(&places[first], count - first);
		g = direct_places_group(&places[first], size);
		if (!g.row || direct_places_find(list, n, &g) < n)
			continue;
		direct_places_indirect(&places[first], size, direct_places_has(list, n, g.row) ? TAP_INDIRECT_ROWS :
				       TAP_INDIRECT_ROOM);
		for (u32 i = first; i < first + size; i++)
			places[i].direct = NULL;
	}
	return n;
}

#endif
