// SPDX-License-Identifier: GPL-2.0-or-later
#include "points.h"

#include <linux/kprobes.h>

#include "caller.h"
#include "compat.h"
#include "context.h"
#include "families.h"
#include "override.h"
#include "probe.h"
#include "toll.h"

struct point {
	struct kretprobe returning;
	struct kprobe kp;
	struct tap_row *row;
	const struct tap_site *site;
	unsigned long ip;
	unsigned long base;		/* the addresses of the site's callers are relative to it */
	bool is_last;			/* the last of those that may override at this place: it decides */
};

struct tap_points {
	const struct tap_points_calls *calls;
	u32 count, room;
	struct point list[];
};

/* ---- hits ---- */

/* A kprobe that was optimised to a jump has no breakpoint. */
static bool point_is_breakpoint(const struct kprobe *kp)
{
#ifdef TAP_BREAKPOINT
	return preempt_count() & NMI_MASK && READ_ONCE(*(u8 *)kp->addr) == TAP_BREAKPOINT;
#else
	return true;
#endif
}

/* A breakpoint looks like an NMI; the level that it interrupted is what counts. */
static u32 point_count_before(const struct kprobe *kp)
{
	u32 count = preempt_count();

#ifdef TAP_BREAKPOINT_COUNT
	if (point_is_breakpoint(kp))
		count -= TAP_BREAKPOINT_COUNT;
#endif
	return count;
}

static bool point_is_called(const struct point *p, struct pt_regs *regs)
{
	return likely(!p->site->callers) ||
	       tap_is_called(p->site->callers, p->base, regs, p->ip,
			     p->site->into ? 0 : tap_return_address(regs));
}

static int point_hit(struct kprobe *kp, struct pt_regs *regs)
{
	struct point *p = container_of(kp, struct point, kp);
	u32 count = point_count_before(kp);

	if (point_is_called(p, regs))
		tap_hit_counted(p->row, regs, (unsigned long)p, count);
	if (point_is_breakpoint(kp))
		tap_toll_breakpoint(p->row, count);
	return 0;
}

/* 1: the registers say where to continue. After that the kernel calls no further kprobe here, so only the last one
 * returns it. */
static int point_hit_overriding(struct kprobe *kp, struct pt_regs *regs)
{
	point_hit(kp, regs);
	return container_of(kp, struct point, kp)->is_last && tap_is_overridden(regs);
}

static void point_after(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}

/* Nonzero: no return instance is needed. Without rethook the kernel clears what get_kretprobe() returns when it
 * unregisters the kretprobe, while other processors may still be here: the breakpoint stays if another kprobe has it
 * (unregister_kretprobes(), kernel/kprobes.c). */
static int point_entered(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	struct point *p = container_of(rp, struct point, returning);
	bool (*wants)(void);
	struct tap_row *row;
	u32 count;

	if (!rp)
		return 1;
	row = p->row;
	wants = READ_ONCE(row->wants);
	count = point_count_before(&rp->kp);
	if (!READ_ONCE(row->run) || (wants && !wants()) || !point_is_called(p, regs))
		return 1;
	tap_toll_breakpoint(row, count);
	return row->probe->entry && !tap_hit_entry(row, regs, (unsigned long)p, count, ri->data);
}

static int point_returned(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	struct point *p = container_of(rp, struct point, returning);

	tap_return_to(ri, regs);
	if (rp)
		tap_hit_return(p->row, regs, (unsigned long)p, ri->data);
	return 0;
}

/* ---- registration ---- */

u32 tap_points_most_active(const struct tap_row *row, bool shared)
{
	const struct tap_functions *f = row->probe->where;
	u32 least = max_t(u32, 15, 6 * num_possible_cpus());

	if (f->maxactive)
		return shared ? min_t(u32, f->maxactive * min_t(u32, f->count, 64), 1 << 16) : f->maxactive;
	if (!shared)
		return f->count > 16 ? least : max_t(u32, least, 128);
	return min_t(u32, max_t(u32, least, 256) + 4 * f->count, 8192);
}

static int point_register(struct point *p, const struct tap_place *place)
{
	u32 flags = KPROBE_FLAG_DISABLED;	/* see tap_points_open */

	p->row = place->row;
	p->site = place->site;
	p->ip = place->ip;
	p->base = place->base;
	if (tap_fail_here())
		return -EIO;
	if (p->row->flags & TAP_PROBE_RETURN) {
		p->returning.kp.addr = (kprobe_opcode_t *)place->ip;
		p->returning.kp.flags = flags;
		p->returning.handler = point_returned;
		p->returning.entry_handler = point_entered;
		p->returning.maxactive = tap_points_most_active(p->row, false);
		p->returning.data_size = p->row->probe->entry_size;
		return register_kretprobe(&p->returning);
	}
	p->kp.addr = (kprobe_opcode_t *)place->ip;
	p->kp.flags = flags;
	p->kp.pre_handler = point_hit;
	if (p->row->flags & TAP_PROBE_OVERRIDE) {
		p->kp.pre_handler = point_hit_overriding;
		p->kp.post_handler = point_after;
	}
	return register_kprobe(&p->kp);
}

static bool points_have(const struct tap_points *points, unsigned long ip)
{
	for (const struct point *p = points->list; p < points->list + points->count; p++)
		if (p->ip == ip)
			return true;
	return false;
}

static void points_add(struct tap_points *points, const struct tap_place *place)
{
	struct point *p = &points->list[points->count];
	int err;

	if (place->row->flags & TAP_PROBE_OVERRIDE)
		p->is_last = !points_have(points, place->ip);
	err = point_register(p, place);
	if (err) {
		points->calls->failed(place, err);
		*p = (struct point){ };
	} else {
		points->count++;
	}
	cond_resched();
}

/* The kernel calls the kprobes at a place in the reverse order of their registration. So they run in the order of
 * the script, and those that may override run after all others. */
static void points_register(struct tap_points *points, const struct tap_place *places, u32 count)
{
	for (int overrides = 1; overrides >= 0; overrides--)
		for (u32 i = count; i-- > 0;)
			if (!places[i].hooked && !!(places[i].row->flags & TAP_PROBE_OVERRIDE) == overrides)
				points_add(points, &places[i]);
}

static void points_enable(struct tap_points *points)
{
	for (u32 i = 0; i < points->count; i++) {
		struct point *p = &points->list[i];
		const struct tap_place place = { .row = p->row, .site = p->site, .ip = p->ip };
		int err = p->row->flags & TAP_PROBE_RETURN ? enable_kretprobe(&p->returning) :
							     enable_kprobe(&p->kp);

		if (err)
			points->calls->failed(&place, err);
		else
			points->calls->attached(&place);
		cond_resched();
	}
}

static size_t points_size(u32 room)
{
	return struct_size((struct tap_points *)NULL, list, room);
}

/* An armed kprobe makes the kernel wait for a grace period of all tasks, again and again, to replace breakpoints by
 * jumps, and until that is over no other kprobe can be registered. So all are registered before the first is armed. */
int tap_points_open(struct tap_points **opened, const struct tap_place *places, u32 count,
		    const struct tap_points_calls *calls)
{
	struct tap_points *points;
	u32 room = 0;

	*opened = NULL;
	for (u32 i = 0; i < count; i++)
		room += !places[i].hooked;
	if (!room)
		return 0;
	points = tap_zalloc(points_size(room), NUMA_NO_NODE);
	if (!points)
		return -ENOMEM;
	points->calls = calls;
	points->room = room;
	*opened = points;
	points_register(points, places, count);
	points_enable(points);
	return 0;
}

/* All kprobes at once, then all kretprobes: this takes one grace period for each kind, not for each probe. */
static void points_unregister(struct tap_points *points, bool returning, void **list)
{
	int n = 0;

	for (struct point *p = points->list; p < points->list + points->count; p++) {
		if (!!(p->row->flags & TAP_PROBE_RETURN) != returning)
			continue;
		if (list)
			list[n++] = returning ? (void *)&p->returning : (void *)&p->kp;
		else if (returning)
			unregister_kretprobe(&p->returning);
		else
			unregister_kprobe(&p->kp);
	}
	if (n && returning)
		unregister_kretprobes((struct kretprobe **)list, n);
	else if (n)
		unregister_kprobes((struct kprobe **)list, n);
}

void tap_points_close(struct tap_points *points)
{
	void **list;

	if (!points)
		return;
	list = tap_zalloc(points->count * sizeof(*list), NUMA_NO_NODE);
	points_unregister(points, false, list);
	points_unregister(points, true, list);
	tap_zfree(list, points->count * sizeof(*list));
	tap_zfree(points, points_size(points->room));
}

/* ---- what a hit stands for ---- */

static const struct point *points_at(const struct tap_points *points, unsigned long ip)
{
	const struct point *p = (const struct point *)ip;

	return points && p >= points->list && p < points->list + points->room ? p : NULL;
}

unsigned long tap_points_address(const struct tap_points *points, unsigned long ip)
{
	const struct point *p = points_at(points, ip);

	return p ? p->ip : 0;
}

const struct tap_site *tap_points_site(const struct tap_points *points, unsigned long ip)
{
	const struct point *p = points_at(points, ip);

	return p ? p->site : NULL;
}

u64 tap_points_missed(const struct tap_points *points, const struct tap_row *row)
{
	u64 n = 0;

	for (u32 i = 0; points && i < points->count; i++)
		if (points->list[i].row == row)
			n += points->list[i].returning.nmissed + points->list[i].kp.nmissed;
	return n;
}
