// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of returns whose functions call a trampoline of the module tap_gate (tap_gate.h). taprun loads that module
 * before this one, if it can; without it, or if all of its trampolines are lent, the rows use return hooks. */
#include "compat.h"
#include "context.h"
#include "direct.h"
#include "probe.h"
#include "tap_direct.h"
#include "tap_gate.h"

#include <linux/module.h>

#ifdef TAP_GATE

static_assert(sizeof_field(struct tap_gate_frame, data) == TAP_GATED_BYTES);

/* ---- at a hit: preemption is off, and RCU is watching ---- */

/* The registers at the entry, as ftrace gives them to a callback. */
static void gated_regs(struct pt_regs *regs, const struct tap_gate_frame *g)
{
	regs->di = g->arguments[0];
	regs->si = g->arguments[1];
	regs->dx = g->arguments[2];
	regs->cx = g->arguments[3];
	regs->r8 = g->arguments[4];
	regs->r9 = g->arguments[5];
	regs->orig_ax = regs->cs = regs->flags = regs->ss = 0;
	regs->ip = g->body;
	regs->sp = (unsigned long)&g->back;
}

static void gated_result(struct pt_regs *regs, const struct tap_gate_frame *g)
{
	regs->ax = g->result[0];
	regs->dx = g->result[1];
	regs->ip = g->back;
	regs->sp = (unsigned long)(&g->back + 1);
	regs->orig_ax = regs->cs = regs->flags = regs->ss = 0;
}

/* Which of several functions it is. */
static unsigned long gated_ip(const struct tap_direct *d, const struct tap_gate_frame *g)
{
	return (g->body - TAP_DIRECT_CALL) & d->several;
}

bool tap_gated_hit(const struct tap_direct *d, struct tap_gate_frame *g)
{
	struct pt_regs regs __attribute__((uninitialized));	/* no handler reads the others */

	gated_regs(&regs, g);
	tap_hit(d->row, &regs, gated_ip(d, g));
	return tap_gated_is_armed(g);
}

bool tap_gated_entered(struct tap_gate_frame *g)
{
	struct tap_row *row = g->slot->owner;
	struct pt_regs regs __attribute__((uninitialized));

	if (!READ_ONCE(row->run))
		return false;
	gated_regs(&regs, g);
	return tap_hit_entry(row, &regs, gated_ip(row->probe->direct, g), preempt_count(), g->data);
}

/* The row of the return has an entry handler as well. */
static bool gated_pair_entered(struct tap_gate_frame *g)
{
	const struct tap_row *row = g->slot->owner;
	const struct tap_direct *d = row->probe->direct;

	return d->pair->paired(g) && d->entered(g);
}

void tap_gated_returned(struct tap_gate_frame *g)
{
	struct tap_row *row = g->slot->owner;
	void (*run)(struct tap_context *c) = READ_ONCE(row->run);
	struct pt_regs regs __attribute__((uninitialized));
	struct tap_frame *f;

	f = run ? tap_enter(row, preempt_count()) : NULL;
	if (!f)
		return;
	f->ip = gated_ip(row->probe->direct, g);
	if (row->probe->direct->enters_late) {
		gated_regs(&regs, g);
		tap_run_entry(f, row, &regs, g->data);
		f->c.entering = false;
	}
	gated_result(&regs, g);
	f->c.regs = &regs;
	f->c.entry = g->data;
	run(&f->c);
	tap_leave(f);
}

/* ---- a path in place of handlers ---- */

static unsigned long gated_path_ip(const struct tap_gate_frame *g)
{
	const struct tap_row *row = g->slot->owner;

	return gated_ip(row->probe->direct, g);
}

static void gated_path_late(struct tap_gate_frame *g, s64 ticket)
{
	struct pt_regs regs __attribute__((uninitialized));

	gated_result(&regs, g);
	tap_hit_late(g->slot->owner, &regs, gated_path_ip(g), ticket);
}

/* Not for a trampoline that serves a row of entries, too. */
static void gated_shorten(struct tap_row *row)
{
	struct tap_direct *d = row->probe->direct;

	if (!d->slot || d->pair)
		return;
	WRITE_ONCE(d->slot->returned, row->path->returned);
	smp_store_release(&d->slot->entered, row->path->entered);
}

/* ---- trampolines ---- */

static bool (*gated_entered(const struct tap_direct *d))(struct tap_gate_frame *g)
{
	if (d->pair)
		return d->entered ? gated_pair_entered : d->pair->paired;
	return d->entered;
}

static u64 gated_several(const struct tap_row *row)
{
	return ((const struct tap_functions *)row->probe->where)->count > 1 ? U64_MAX : 0;
}

static void gated_follow(struct tap_row *row, bool follow)
{
	const struct tap_direct *d = row->probe->direct;

	if (d->slot)
		tap_gate_follow(d->slot, follow || (d->pair && READ_ONCE(d->pair->row->run)));
}

/* The address of the row's trampoline; 0: tap_gate is not loaded, has no free one, or the row has one with another
 * PAIR, for its functions in other images. */
static unsigned long gated_open(struct tap_row *row, struct tap_direct *pair)
{
	struct tap_direct *d = row->probe->direct;
	const struct tap_gate *gate;

	if (d->slot)
		return d->pair == pair ? d->slot->call : 0;
	gate = __symbol_get("tap_gate");
	if (!gate)
		return 0;
	d->several = gated_several(row);
	d->pair = pair;
	if (pair)
		pair->several = gated_several(pair->row);
	if (gate->version == TAP_GATE_VERSION)
		d->slot = gate->take(gated_entered(d), d->returned, row);
	if (!d->slot) {
		__symbol_put("tap_gate");
		return 0;
	}
	gated_follow(row, READ_ONCE(row->run));
	return d->slot->call;
}

static int gated_attach(struct ftrace_ops *ops, struct tap_row *row, struct tap_row *pair, unsigned long some_ip,
			int (*patched)(struct ftrace_ops *ops, bool is_attached))
{
	unsigned long address = gated_open(row, pair ? pair->probe->direct : NULL);

	return address ? tap_direct_attach_to(ops, address, some_ip, patched) : -ENXIO;
}

static int gated_detach(struct ftrace_ops *ops, struct tap_row *row)
{
	return tap_direct_unregister(ops, row->probe->direct->slot->call);
}

static u64 gated_missed(const struct tap_row *row)
{
	const struct tap_direct *d = row->probe->direct;

	return d->missed + (d->slot ? READ_ONCE(d->slot->missed) : 0);
}

static void gated_close(struct tap_row *row)
{
	struct tap_direct *d = row->probe->direct;
	const struct tap_gate *gate;

	if (!d->slot)
		return;
	gate = __symbol_get("tap_gate");	/* cannot fail: there is a reference */
	d->missed = gated_missed(row);
	gate->give(d->slot);
	d->slot = NULL;
	__symbol_put("tap_gate");
	__symbol_put("tap_gate");
}

#else

bool tap_gated_hit(const struct tap_direct *d, struct tap_gate_frame *g) { return false; }
bool tap_gated_entered(struct tap_gate_frame *g) { return false; }
void tap_gated_returned(struct tap_gate_frame *g) { }
static int gated_attach(struct ftrace_ops *ops, struct tap_row *row, struct tap_row *pair, unsigned long some_ip,
			int (*patched)(struct ftrace_ops *ops, bool is_attached))
{
	return -ENXIO;
}
static int gated_detach(struct ftrace_ops *ops, struct tap_row *row) { return -EOPNOTSUPP; }
static void gated_follow(struct tap_row *row, bool follow) { }
static void gated_shorten(struct tap_row *row) { }
static unsigned long gated_path_ip(const struct tap_gate_frame *g) { return 0; }
static void gated_path_late(struct tap_gate_frame *g, s64 ticket) { }
static u64 gated_missed(const struct tap_row *row) { return 0; }
static void gated_close(struct tap_row *row) { }

#endif

const struct tap_gated_ops tap_gated = {
	.attach = gated_attach, .detach = gated_detach, .follow = gated_follow, .missed = gated_missed,
	.close = gated_close, .shorten = gated_shorten, .ip = gated_path_ip, .late = gated_path_late,
};
