// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions hooked at their entry by ftrace. One ftrace_ops with a filter serves all of them, so that thousands are
 * patched in one pass, and a function with several rows calls us once.
 *
 * The functions of a row that has code for direct calls, and that no other row hooks, are a separate group, with an
 * ftrace_ops for each STEP of them. So are those of a row of entries and a row of returns that have the same functions.
 * If these cannot be attached, because a BPF program is there for example, they are hooked like all others.
 *
 * A callback may run in any context, including NMI, with preemption on; our own frames guard against recursion,
 * which is cheaper than ftrace's guard. If all places belong to one row the callback needs no look-up: the place is
 * only determined if the handler asks for it. */
#include "hook.h"

#include <linux/hash.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "caller.h"
#include "context.h"
#include "direct.h"
#include "direct_places.h"
#include "families.h"
#include "probe.h"
#include "tap_direct.h"

#ifdef TAP_FTRACE

#define HELD	1			/* in a filter */
#define WANTED	2
#define STEP	4096			/* ips patched at once */

struct hook {
	struct ftrace_ops ops, direct_ops;
	struct tap_row *row;		/* the row of all places */
	const struct tap_hooks *hooks;
	u32 first, count;		/* its part of ips */
	u32 held;			/* how many of them are in the filter; 0: not registered */
	bool direct;			/* by direct calls: all of them are held, or none */
};

/* A group of places; the first one has the places that no other group has. */
struct tap_hooks {
	struct tap_hooks *next;
	struct tap_row *direct;		/* the row whose code they call, or NULL; if it is of returns: */
	struct tap_row *pair;		/* of entries, whose handler they call, too; or NULL */
	struct tap_place *places;	/* sorted by ip, followed by one with ip 0 */
	unsigned long *ips;		/* the distinct ones */
	u8 *marks;			/* HELD | WANTED for each of these */
	unsigned long *step;		/* STEP ips at most */
	u32 count, ip_count;
	bool has_callers;		/* some places depend on the caller */
	u32 *slots;			/* hash of ip -> index of its first place + 1 */
	u32 bits;
	const struct tap_hooks_calls *calls;
	bool patched;			/* a live patch concerns some of them */
	bool silent;			/* callbacks do nothing yet */
	u32 hook_count;
	struct hook *hooks;
};

/* ---- at a hit ---- */

static const struct tap_place *hook_find(const struct tap_hooks *h, unsigned long ip)
{
	u32 mask = (1u << h->bits) - 1;

	for (u32 i = hash_long(ip, h->bits);; i = (i + 1) & mask) {
		u32 n = h->slots[i];

		if (!n)
			return NULL;
		if (h->places[n - 1].ip == ip)
			return &h->places[n - 1];
	}
}

static __always_inline void hook_hit_row(struct tap_row *row, unsigned long ip, struct ftrace_regs *fregs)
{
	void (*run)(struct tap_context *c) = READ_ONCE(row->run);
	struct tap_frame *f;

	if (!run)
		return;
	f = tap_enter(row, preempt_count());
	if (unlikely(!f))
		return;
	f->c.regs = tap_ftrace_regs(fregs);
	f->ip = ip;
	run(&f->c);
	tap_leave(f);
}

/* The calls of a handler are not those of the thread that is followed. */
static noinline void hook_return_by_path(const struct tap_hooks *h, struct tap_row *row, unsigned long ip,
					 struct ftrace_regs *fregs)
{
	struct tap_frame *f = tap_frame_at(preempt_count());
	s64 ticket = tap_is_busy(f) ? 0 : row->path->enter(row, tap_ftrace_regs(fregs), ip);

	if (!ticket)
		return;
	tap_begin_busy(f);
	f->ip = ip;
	f->ticket = ticket;
	h->calls->returns(row, tap_ftrace_regs(fregs));
	f->ticket = 0;
	tap_end_busy(f);
}

/* The kernel's own return hooks do not support recursion. */
static __always_inline void hook_return(const struct tap_hooks *h, struct tap_row *row, unsigned long ip,
					struct ftrace_regs *fregs)
{
	bool (*wants)(void) = READ_ONCE(row->wants);
	struct tap_frame *f;

	if (!READ_ONCE(row->run) || (wants && !wants()))
		return;
	if (unlikely(READ_ONCE(row->path))) {
		hook_return_by_path(h, row, ip, fregs);
		return;
	}
	f = tap_frame_at(preempt_count());
	if (unlikely(tap_is_busy(f))) {
		if (!wants)		/* the calls of a handler are not those of the thread that is followed */
			tap_skip(row, TAP_SKIP_REENTRANT);
		return;
	}
	tap_begin_busy(f);
	f->ip = ip;
	h->calls->returns(row, tap_ftrace_regs(fregs));
	tap_end_busy(f);
}

/* Preemption is off, and is turned on at the end. The arguments are in the same registers as the callback's, and
 * the compiler must not clone the function with other arguments. */
static noinline __noclone void hook_hit_pinned(unsigned long ip, struct tap_row *row, struct ftrace_ops *ops,
				struct ftrace_regs *fregs)
{
	hook_hit_row(row, ip, fregs);
	preempt_enable_notrace();
}

static noinline __noclone void hook_hit_in_idle(unsigned long ip, struct tap_row *row, struct ftrace_ops *ops,
				 struct ftrace_regs *fregs)
{
	if (!rcu_is_watching())
		return;
	preempt_disable_notrace();
	hook_hit_pinned(ip, row, ops, fregs);
}

/* This is the fast path, and each instruction counts. Unusual cases (an interrupt, a frame in use) take another
 * path by a tail call, so that no register needs to be saved here. */
static void notrace hook_hit_only_row(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				      struct ftrace_regs *fregs)
{
	struct tap_row *row = container_of(ops, struct hook, ops)->row;
	void (*run)(struct tap_context *c) = row->run;
	struct tap_frame *f;

	if (unlikely(!run))
		return;
	if (unlikely(!tap_rcu_is_surely_watching())) {
		hook_hit_in_idle(ip, row, ops, fregs);
		return;
	}
	preempt_disable_notrace();
	f = this_cpu_read(tap_cpu.frames[0]);
	if (unlikely(!tap_is_usual(f))) {
		hook_hit_pinned(ip, row, ops, fregs);
		return;
	}
	tap_begin_handler(f, row);
	f->c.regs = tap_ftrace_regs(fregs);
	f->ip = ip;
	run(&f->c);
	tap_leave(f);
	preempt_enable_notrace();
}

/* BACK must have been read before a return hook changes the return address. */
static __always_inline bool hook_is_called(const struct tap_place *p, struct ftrace_regs *fregs, unsigned long back)
{
	return likely(!p->site->callers) ||
	       tap_is_called(p->site->callers, p->base, tap_ftrace_regs(fregs), p->ip, back);
}

static __always_inline void hook_hit_places(const struct tap_hooks *h, const struct tap_place *p,
					    unsigned long ip, struct ftrace_regs *fregs)
{
	unsigned long back;

	if (!tap_rcu_is_watching() || READ_ONCE(h->silent))
		return;
	preempt_disable_notrace();
	back = h->has_callers ? tap_return_address(tap_ftrace_regs(fregs)) : 0;
	for (; p->ip == ip; p++) {
		if (!hook_is_called(p, fregs, back))
			continue;
		if (p->row->flags & TAP_PROBE_RETURN)
			hook_return(h, p->row, ip, fregs);
		else
			hook_hit_row(p->row, ip, fregs);
	}
	preempt_enable_notrace();
}

/* All rows are at one place. */
static void notrace hook_hit_only_place(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
					struct ftrace_regs *fregs)
{
	const struct tap_hooks *h = container_of(ops, struct hook, ops)->hooks;

	hook_hit_places(h, h->places, ip, fregs);
}

static void notrace hook_hit_any_row(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				     struct ftrace_regs *fregs)
{
	const struct tap_hooks *h = container_of(ops, struct hook, ops)->hooks;
	const struct tap_place *p = hook_find(h, ip);

	if (p)
		hook_hit_places(h, p, ip, fregs);
}

const struct tap_site *tap_hooks_site(const struct tap_hooks *h, const struct tap_row *row,
				      unsigned long ip)
{
	for (; h; h = h->next) {
		const struct tap_place *p = hook_find(h, ip);

		for (; p && p->ip == ip; p++)
			if (p->row == row)
				return p->site;
	}
	return NULL;
}

/* ---- which places ---- */

static int hook_compare(const void *a, const void *b)
{
	const struct tap_place *x = a, *y = b;

	if (x->ip != y->ip)
		return x->ip < y->ip ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static bool hook_may_be_hooked(const struct tap_place *p)
{
	return p->ip && !p->site->into && !(p->row->flags & TAP_PROBE_OVERRIDE) &&
	       (TAP_RETURN_BY_FTRACE || !(p->row->flags & TAP_PROBE_RETURN));
}

/* An overridden function is left before ftrace is called, unless its kprobe is based on ftrace: then all rows at
 * its place use kprobes. */
static void hook_unhook_overridden(struct tap_place *places, u32 count)
{
	u32 end;

	for (u32 first = 0; first < count && !IS_ENABLED(CONFIG_KPROBES_ON_FTRACE); first = end) {
		u32 flags = 0;

		for (end = first; end < count && places[end].ip == places[first].ip; end++)
			flags |= places[end].row->flags;
		for (u32 i = first; i < end && flags & TAP_PROBE_OVERRIDE; i++)
			places[i].hooked = false;
	}
}

/* Lists the distinct ips of marked places. */
static u32 hook_list_ips(const struct tap_place *places, u32 count, unsigned long *ips)
{
	unsigned long last = 0;
	u32 n = 0;

	for (u32 i = 0; i < count; i++) {
		if (!places[i].hooked || places[i].ip == last)
			continue;
		last = places[i].ip;
		ips[n++] = last;
	}
	return n;
}

static void hook_mark_one_by_one(struct ftrace_ops *ops, struct tap_place *places, u32 count)
{
	unsigned long last = 0;
	bool last_hooked = false;

	for (u32 i = 0; i < count; i++) {
		if (!places[i].hooked)
			continue;
		if (places[i].ip != last) {
			last = places[i].ip;
			last_hooked = !ftrace_set_filter_ip(ops, last, 0, 1);
		}
		places[i].hooked = last_hooked;
		cond_resched();
	}
}

/* No function reports which addresses ftrace can hook, but a filter accepts only those. All are
 * tried at once, and one by one if that fails. */
int tap_hooks_choose(struct tap_place *places, u32 count)
{
	struct ftrace_ops *ops = tap_zalloc(sizeof(*ops), NUMA_NO_NODE);
	unsigned long *ips = tap_zalloc(count * sizeof(*ips), NUMA_NO_NODE);
	int err = -ENOMEM;
	u32 n;

	if (!ops || !ips)
		goto out;
	err = 0;
	sort(places, count, sizeof(*places), hook_compare, NULL);
	for (u32 i = 0; i < count; i++)
		places[i].hooked = hook_may_be_hooked(&places[i]);
	hook_unhook_overridden(places, count);
	n = hook_list_ips(places, count, ips);
	if (n && (n > TAP_FTRACE_CHUNK || ftrace_set_filter_ips(ops, ips, n, 0, 1)))
		hook_mark_one_by_one(ops, places, count);
	tap_ftrace_free_filter(ops);
out:
	tap_zfree(ips, count * sizeof(*ips));
	tap_zfree(ops, sizeof(*ops));
	return err;
}

/* ---- attaching ---- */

/* The only row, if it requires only that its handler is called once per hit. */
static struct tap_row *hook_only_row(const struct tap_hooks *h)
{
	struct tap_row *row = h->places[0].row;

	if (h->ip_count != h->count || h->has_callers || row->flags & TAP_PROBE_RETURN)
		return NULL;
	for (u32 i = 1; i < h->count; i++)
		if (h->places[i].row != row)
			return NULL;
	return row;
}

static unsigned long hook_ops_flags(const struct tap_hooks *h)
{
	u32 want = TAP_PROBE_ALL_REGS | (TAP_FTRACE_ARGUMENTS ? 0 : TAP_PROBE_REGS | TAP_PROBE_RETURN);

	for (u32 i = 0; i < h->count; i++)
		if (h->places[i].row->flags & want || h->has_callers)
			return TAP_FTRACE_FLAGS | FTRACE_OPS_FL_SAVE_REGS;
	return TAP_FTRACE_FLAGS;
}

static bool hook_is_in(const struct tap_hooks *h, const struct tap_place *p)
{
	return p->hooked && p->direct == h->direct;
}

static int hook_make_places(struct tap_hooks *h, const struct tap_place *places, u32 count)
{
	u32 n = 0;

	for (u32 i = 0; i < count; i++)
		n += hook_is_in(h, &places[i]);
	h->places = tap_zalloc((n + 1) * sizeof(*h->places), NUMA_NO_NODE);
	if (!h->places)
		return -ENOMEM;
	for (u32 i = 0; i < count; i++) {
		if (!hook_is_in(h, &places[i]))
			continue;
		h->has_callers |= places[i].site->callers != NULL;
		h->places[h->count] = places[i];
		h->places[h->count++].ip += tap_ftrace_skip(places[i].ip);
	}
	return 0;
}

static int hook_make_slots(struct tap_hooks *h)
{
	unsigned long last = 0;
	u32 mask;

	h->bits = ilog2(h->count) + 2;		/* at most half full */
	mask = (1u << h->bits) - 1;
	h->slots = tap_zalloc(sizeof(*h->slots) << h->bits, NUMA_NO_NODE);
	if (!h->slots)
		return -ENOMEM;
	for (u32 n = 0; n < h->count; n++) {
		u32 i = hash_long(h->places[n].ip, h->bits);

		if (h->places[n].ip == last)
			continue;
		last = h->places[n].ip;
		while (h->slots[i])
			i = (i + 1) & mask;
		h->slots[i] = n + 1;
	}
	return 0;
}

/* Collects the next places with this mark; *END is the position after them. */
static u32 hook_next_step(struct tap_hooks *h, u32 first, u32 last, u8 mark, u32 *end)
{
	u32 n = 0, i;

	for (i = first; i < last && n < STEP; i++)
		if (h->marks[i] == mark)
			h->step[n++] = h->ips[i];
	*end = i;
	return n;
}

static void hook_remark(struct tap_hooks *h, u32 first, u32 end, u8 from, u8 to)
{
	for (u32 i = first; i < end; i++)
		if (h->marks[i] == from)
			h->marks[i] = to;
	cond_resched();
}

/* A live patch changes the return address of the call, by which the row's code knows the place: with several places
 * the callback has to take over. */
static int hook_patched(struct ftrace_ops *ops, bool is_attached)
{
	struct tap_hooks *h = (struct tap_hooks *)container_of(ops, struct hook, direct_ops)->hooks;

	if (h->ip_count == 1)
		return 0;
	if (!is_attached)
		return -EBUSY;
	h->patched = true;
	h->calls->changed();
	return 0;
}

static void hook_indirect(struct tap_hooks *h, int err)
{
	enum tap_indirect why = err == -EBUSY ? TAP_INDIRECT_TAKEN : err == -ENXIO ? TAP_INDIRECT_GATE :
				TAP_INDIRECT_REFUSED;

	tap_row_indirect(h->direct, why);
	if (h->pair)
		tap_row_indirect(h->pair, why);
}

static int hook_attach_direct(struct tap_hooks *h, struct hook *hook)
{
	int err;

	hook->direct_ops = (struct ftrace_ops){ };
	err = ftrace_set_filter_ips(&hook->direct_ops, &h->ips[hook->first], hook->count, 0, 1);
	if (!err)
		err = tap_direct_attach(&hook->direct_ops, h->direct, h->pair, h->ips[hook->first], hook_patched);
	if (err) {
		tap_ftrace_free_filter(&hook->direct_ops);
		hook_indirect(h, err);
	}
	return err;
}

static int hook_detach_direct(struct tap_hooks *h, struct hook *hook)
{
	int err = tap_direct_detach(&hook->direct_ops, h->direct);

	if (!err)
		tap_ftrace_free_filter(&hook->direct_ops);
	return err;
}

/* All of the places, or none. */
static int hook_add_direct(struct tap_hooks *h, struct hook *hook)
{
	if (hook->held || h->marks[hook->first] != WANTED)
		return 0;
	if (hook_attach_direct(h, hook)) {
		hook->direct = false;
		return -EBUSY;
	}
	hook->held = hook->count;
	hook_remark(h, hook->first, hook->first + hook->count, WANTED, WANTED | HELD);
	return 0;
}

/* In steps: the kernel patches the places of one step without a pause, and tens of thousands
 * would trigger its watchdogs. */
static int hook_add(struct tap_hooks *h, struct hook *hook)
{
	u32 n, end, last = hook->first + hook->count;
	int err;

	if (hook->direct && !hook_add_direct(h, hook))
		return 0;
	for (u32 i = hook->first; (n = hook_next_step(h, i, last, WANTED, &end)); i = end) {
		err = ftrace_set_filter_ips(&hook->ops, h->step, n, 0, !hook->held);
		if (!err && !hook->held)
			err = register_ftrace_function(&hook->ops);
		if (err)
			return err;
		hook->held += n;
		hook_remark(h, i, end, WANTED, WANTED | HELD);
	}
	return 0;
}

/* An empty filter would match all functions. */
static int hook_drop(struct tap_hooks *h, struct hook *hook)
{
	u32 n, end, last = hook->first + hook->count;
	int err;

	if (hook->direct && (!hook->held || h->marks[hook->first] != HELD))
		return 0;
	for (u32 i = hook->first; (n = hook_next_step(h, i, last, HELD, &end)); i = end) {
		if (hook->direct)
			err = hook_detach_direct(h, hook);
		else if (n < hook->held)
			err = ftrace_set_filter_ips(&hook->ops, h->step, n, 1, 0);
		else
			err = unregister_ftrace_function(&hook->ops);
		if (err)
			return err;
		hook->held -= n;
		hook_remark(h, i, end, HELD, 0);
	}
	return 0;
}

/* The places of an ftrace_ops. */
static u32 hook_chunk(const struct tap_hooks *h)
{
	return h->direct ? STEP : TAP_FTRACE_CHUNK;
}

static int hooks_register(struct tap_hooks *h)
{
	struct tap_row *row = hook_only_row(h);
	unsigned long flags = hook_ops_flags(h);
	u32 chunk = hook_chunk(h);
	int err = 0;

	for (u32 i = 0; i < h->hook_count && !err; i++) {
		struct hook *hook = &h->hooks[i];

		hook->ops.func = row ? hook_hit_only_row : h->ip_count == 1 ? hook_hit_only_place : hook_hit_any_row;
		hook->ops.flags = flags;
		hook->row = row;
		hook->direct = h->direct;
		hook->hooks = h;
		hook->first = i * chunk;
		hook->count = min_t(u32, chunk, h->ip_count - hook->first);
		memset(h->marks + hook->first, WANTED, hook->count);
		err = tap_fail_here() ? -EIO : hook_add(h, hook);
	}
	return err;
}

static int hooks_fill(struct tap_hooks *h, const struct tap_place *places, u32 count)
{
	int err = hook_make_places(h, places, count);

	if (!err)
		err = hook_make_slots(h);
	if (err)
		return err;
	h->ips = tap_zalloc(h->count * sizeof(*h->ips), NUMA_NO_NODE);
	h->marks = tap_zalloc(h->count * sizeof(*h->marks), NUMA_NO_NODE);
	h->step = tap_zalloc(min_t(u32, STEP, h->count) * sizeof(*h->step), NUMA_NO_NODE);
	if (!h->ips || !h->marks || !h->step)
		return -ENOMEM;
	h->ip_count = hook_list_ips(h->places, h->count, h->ips);
	h->hook_count = (h->ip_count - 1) / hook_chunk(h) + 1;
	h->hooks = tap_zalloc(h->hook_count * sizeof(*h->hooks), NUMA_NO_NODE);
	return h->hooks ? hooks_register(h) : -ENOMEM;
}

static bool hook_is_needed(const struct tap_hooks *h, unsigned long ip)
{
	for (const struct tap_place *p = hook_find(h, ip); p && p->ip == ip; p++)
		if (READ_ONCE(p->row->run))
			return true;
	return false;
}

/* Where filters are set one by one, and for direct calls, all places or none are wanted. */
static void hook_mark_wanted(struct tap_hooks *h, const struct hook *hook)
{
	bool some = false;
	u32 last = hook->first + hook->count;

	for (u32 i = hook->first; i < last; i++) {
		bool needed = hook_is_needed(h, h->ips[i]);

		h->marks[i] = (h->marks[i] & HELD) | (needed ? WANTED : 0);
		some |= needed;
	}
	for (u32 i = hook->first; i < last && some && (hook->direct || TAP_FTRACE_CHUNK < UINT_MAX); i++)
		h->marks[i] |= WANTED;
}

static struct tap_row hook_no_row;	/* is never armed */

static bool hook_calls_direct(const struct hook *hook)
{
	return hook->direct && hook->held;
}

static const struct tap_gated_ops *hook_gated(const struct tap_hooks *h)
{
	return h->direct ? h->direct->probe->direct->gated : NULL;
}

/* Adds the callback of a row that is never armed. */
static int hook_add_in_vain(struct tap_hooks *h, struct hook *hook)
{
	int err = ftrace_set_filter_ips(&hook->ops, &h->ips[hook->first], hook->count, 0, 1);

	hook->row = &hook_no_row;
	return err ?: register_ftrace_function(&hook->ops);
}

static void hooks_remove_in_vain(struct tap_hooks *h, u32 count)
{
	for (u32 i = 0; i < count; i++)
		if (hook_calls_direct(&h->hooks[i]))
			unregister_ftrace_function(&h->hooks[i].ops);
}

/* The callback is there before the row's code becomes silent, and the code is detached after that. */
static int hooks_leave_direct(struct tap_hooks *h)
{
	int err = 0;

	h->patched = false;
	WRITE_ONCE(h->silent, true);
	for (u32 i = 0; i < h->hook_count; i++) {
		if (hook_calls_direct(&h->hooks[i]))
			err = hook_add_in_vain(h, &h->hooks[i]);
		if (err) {
			hooks_remove_in_vain(h, i);
			WRITE_ONCE(h->silent, false);
			return err;
		}
	}
	if (hook_gated(h))
		hook_gated(h)->follow(h->direct, false);
	else
		WRITE_ONCE(h->direct->probe->direct->row, &hook_no_row);
	WRITE_ONCE(h->silent, false);
	for (u32 i = 0; i < h->hook_count; i++)
		WRITE_ONCE(h->hooks[i].row, h->direct);
	for (u32 i = 0; i < h->hook_count; i++) {
		if (hook_calls_direct(&h->hooks[i]))
			hook_detach_direct(h, &h->hooks[i]);
		h->hooks[i].direct = false;
	}
	return 0;
}

static void hooks_follow(struct tap_hooks *h)
{
	if (hook_gated(h))
		hook_gated(h)->follow(h->direct, READ_ONCE(h->direct->run));
}

void tap_hooks_disarmed(struct tap_hooks *h)
{
	for (; h; h = h->next)
		hooks_follow(h);
}

static int hooks_adjust(struct tap_hooks *h, bool spare)
{
	int err = READ_ONCE(h->patched) ? hooks_leave_direct(h) : 0;

	hooks_follow(h);

	for (u32 i = 0; i < h->hook_count && !err; i++) {
		hook_mark_wanted(h, &h->hooks[i]);
		err = hook_add(h, &h->hooks[i]);
		if (spare && !err)
			err = hook_drop(h, &h->hooks[i]);
	}
	return err;
}

/* Places are only dropped when there is time (SPARE). */
int tap_hooks_adjust(struct tap_hooks *h, bool spare)
{
	int err = 0;

	for (; h && !err; h = h->next)
		err = hooks_adjust(h, spare);
	return err;
}

u32 tap_hooks_direct(const struct tap_hooks *h, const struct tap_row *row)
{
	u32 n = 0;

	for (; h; h = h->next)
		for (u32 i = 0; (h->direct == row || h->pair == row) && i < h->hook_count; i++)
			n += h->hooks[i].direct ? h->hooks[i].held : 0;
	return n;
}

/* ---- groups ---- */

/* OF: the row whose group it is, or NULL. */
static int hooks_open_group(struct tap_hooks **hooks, const struct tap_place *places, u32 count,
			    const struct tap_direct_group *of, const struct tap_hooks_calls *calls)
{
	struct tap_hooks *h = tap_zalloc(sizeof(*h), NUMA_NO_NODE);

	if (!h)
		return -ENOMEM;
	h->next = *hooks;
	if (of) {
		h->direct = of->row;
		h->pair = of->pair;
	}
	h->calls = calls;
	*hooks = h;
	return hooks_fill(h, places, count);
}

static bool hook_has_common(const struct tap_place *places, u32 count)
{
	for (u32 i = 0; i < count; i++)
		if (places[i].hooked && !places[i].direct)
			return true;
	return false;
}

int tap_hooks_open(struct tap_hooks **hooks, struct tap_place *places, u32 count, const struct tap_hooks_calls *calls)
{
	struct tap_direct_group list[TAP_DIRECT_GROUPS];
	int err = 0;
	u32 n;

	*hooks = NULL;
	n = tap_direct_is_possible() ? tap_direct_groups(places, count, list) : 0;
	for (u32 i = 0; i < count && !tap_direct_is_possible(); i++)
		tap_row_indirect(places[i].row, TAP_INDIRECT_KERNEL);
	if (hook_has_common(places, count))
		err = hooks_open_group(hooks, places, count, NULL, calls);
	for (u32 i = 0; i < n && !err; i++)
		err = hooks_open_group(hooks, places, count, &list[i], calls);
	if (err) {
		tap_hooks_close(*hooks);
		*hooks = NULL;
	}
	return err;
}

/* Even if places cannot be dropped: in the end nothing is registered. */
static void hook_close(struct tap_hooks *h, struct hook *hook)
{
	for (u32 i = hook->first; i < hook->first + hook->count; i++)
		h->marks[i] &= HELD;
	if (hook_drop(h, hook) && hook->held && !hook->direct)
		unregister_ftrace_function(&hook->ops);
	tap_ftrace_free_filter(&hook->ops);
}

static void hooks_close(struct tap_hooks *h)
{
	for (u32 i = 0; h->hooks && i < h->hook_count; i++)
		hook_close(h, &h->hooks[i]);
	if (hook_gated(h))
		hook_gated(h)->close(h->direct);
	if (h->hooks)
		tap_zfree(h->hooks, h->hook_count * sizeof(*h->hooks));
	if (h->slots)
		tap_zfree(h->slots, sizeof(*h->slots) << h->bits);
	if (h->step)
		tap_zfree(h->step, min_t(u32, STEP, h->count) * sizeof(*h->step));
	if (h->marks)
		tap_zfree(h->marks, h->count * sizeof(*h->marks));
	if (h->ips)
		tap_zfree(h->ips, h->count * sizeof(*h->ips));
	if (h->places)
		tap_zfree(h->places, (h->count + 1) * sizeof(*h->places));
	tap_zfree(h, sizeof(*h));
}

void tap_hooks_close(struct tap_hooks *h)
{
	struct tap_hooks *next;

	for (; h; h = next) {
		next = h->next;
		hooks_close(h);
	}
}

#else	/* no ftrace with registers: no function can be hooked */

int tap_hooks_choose(struct tap_place *places, u32 count)
{
	return 0;
}

int tap_hooks_open(struct tap_hooks **h, struct tap_place *places, u32 count, const struct tap_hooks_calls *calls)
{
	*h = NULL;
	return 0;
}

int tap_hooks_adjust(struct tap_hooks *h, bool spare)
{
	return 0;
}

u32 tap_hooks_direct(const struct tap_hooks *h, const struct tap_row *row)
{
	return 0;
}

void tap_hooks_disarmed(struct tap_hooks *h)
{
}

void tap_hooks_close(struct tap_hooks *h)
{
}

const struct tap_site *tap_hooks_site(const struct tap_hooks *h, const struct tap_row *row,
				      unsigned long ip)
{
	return NULL;
}

#endif
