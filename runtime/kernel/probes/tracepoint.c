// SPDX-License-Identifier: GPL-2.0-or-later
/* Tracepoints, found by name among those of the kernel and of modules as they are loaded and unloaded. A probe of a
 * tracepoint is called with a pointer of ours and the tracepoint's arguments, all of them words by the calling
 * convention; there is one function for each number of arguments, which stores them where the handler reads them.
 * Its type differs from that of the tracepoint's probes, and a kernel that checks types at each call would panic: the
 * translator writes functions for such a kernel. Tracepoints whose types it cannot write are rejected there. */
#include <linux/bsearch.h>
#include <linux/tracepoint.h>

#include "families.h"
#include "probe.h"

struct point {
	struct tap_row *row;
	const struct tap_tracepoint *where;
	struct tracepoint *attached;	/* protected by the session's lock or the notifier,
					 * never both: points of the kernel and of modules are
					 * different */
	void *probe;
};

static struct tap_row *our_rows;
static u32 our_count;
static bool has_notifier;

static const struct tap_tracepoints *tracepoint_points_of(const struct tap_row *row)
{
	return row->probe->where;
}

/* ---- hits ---- */

static __always_inline void tracepoint_run(const struct point *p, u64 *given, struct tap_frame *f,
					   void (*run)(struct tap_context *c))
{
	f->c.regs = NULL;
	f->c.entry = given;
	f->ip = (unsigned long)p->where;
	run(&f->c);
	tap_leave(f);
}

/* Preemption is off. */
static noinline void tracepoint_hit_unusual(const struct point *p, u64 *given)
{
	void (*run)(struct tap_context *c) = READ_ONCE(p->row->run);
	struct tap_frame *f = run ? tap_enter(p->row, preempt_count()) : NULL;

	if (f)
		tracepoint_run(p, given, f, run);
}

/* As hook_hit_only_row: the unusual cases are elsewhere, so that the usual one needs one register after the handler. */
static __always_inline void tracepoint_hit(const struct point *p, u64 *given)
{
	struct tap_row *row = p->row;
	void (*run)(struct tap_context *c) = READ_ONCE(row->run);
	struct tap_frame *f;

	if (unlikely(!run))
		return;
	preempt_disable_notrace();
	f = this_cpu_read(tap_cpu.frames[0]);
	if (unlikely(!tap_is_usual(f))) {
		tracepoint_hit_unusual(p, given);
	} else {
		tap_begin_handler(f, row);
		tracepoint_run(p, given, f, run);
	}
	preempt_enable_notrace();
}

/* Called by functions of the script. */
void tap_tracepoint_hit(void *data, u64 *given)
{
	tracepoint_hit(data, given);
}

/* The words are stored at constant places only: a guard after them would cost as much as they do. */
#define HIT(n, parameters, ...) \
	static void __no_stack_protector tracepoint_hit_##n parameters \
	{ \
		u64 given[] = { __VA_ARGS__ }; \
		tracepoint_hit(data, given); \
	}
#define P1 void *data, u64 a
#define P4 P1, u64 b, u64 c, u64 d
#define P8 P4, u64 e, u64 f, u64 g, u64 h
HIT(0, (void *data), 0)
HIT(1, (P1), a)
HIT(2, (P1, u64 b), a, b)
HIT(3, (P1, u64 b, u64 c), a, b, c)
HIT(4, (P4), a, b, c, d)
HIT(5, (P4, u64 e), a, b, c, d, e)
HIT(6, (P4, u64 e, u64 f), a, b, c, d, e, f)
HIT(7, (P4, u64 e, u64 f, u64 g), a, b, c, d, e, f, g)
HIT(8, (P8), a, b, c, d, e, f, g, h)
HIT(9, (P8, u64 i), a, b, c, d, e, f, g, h, i)
HIT(10, (P8, u64 i, u64 j), a, b, c, d, e, f, g, h, i, j)
HIT(11, (P8, u64 i, u64 j, u64 k), a, b, c, d, e, f, g, h, i, j, k)
HIT(12, (P8, u64 i, u64 j, u64 k, u64 l), a, b, c, d, e, f, g, h, i, j, k, l)

static void *const hits[TAP_MOST_ARGUMENTS + 1] = {
	tracepoint_hit_0, tracepoint_hit_1, tracepoint_hit_2, tracepoint_hit_3, tracepoint_hit_4,
	tracepoint_hit_5, tracepoint_hit_6, tracepoint_hit_7, tracepoint_hit_8, tracepoint_hit_9,
	tracepoint_hit_10, tracepoint_hit_11, tracepoint_hit_12,
};

static const struct tap_tracepoint *tracepoint_hit_point(struct tap_context *c)
{
	return (const struct tap_tracepoint *)tap_frame(c)->ip;
}

struct tap_string tap_tracepoint_name(struct tap_context *c)
{
	const char *name = tracepoint_hit_point(c)->site.symbol;

	return (struct tap_string){ name, strlen(name) };
}

struct tap_string tap_tracepoint_system(struct tap_context *c)
{
	const char *shown = tracepoint_hit_point(c)->site.shown, *colon = strchr(shown, ':');

	return colon ? (struct tap_string){ shown, colon - shown } : TAP_EMPTY;
}

static const struct tap_site *tracepoint_site_of(struct tap_row *row, unsigned long ip)
{
	return ip ? &((const struct tap_tracepoint *)ip)->site : NULL;
}

/* ---- attaching ---- */

static int tracepoint_compare_name(const void *name, const void *point)
{
	return strcmp(name, ((const struct tap_tracepoint *)point)->site.symbol);
}

static bool tracepoint_is_in(const struct tap_tracepoint *where, const struct module *module)
{
	if (!where->module || !module)
		return !where->module && !module;
	return strcmp(where->module, module->name) == 0;
}

static void tracepoint_attach(struct tracepoint *tp, struct point *p)
{
	int err;

	if (TAP_TYPED_CALLS && p->where->arguments && !p->where->typed) {
		tap_start_failed(p->row, "the types of the arguments of tracepoint '%s' are not known: this kernel checks "
				 "the types of calls (CONFIG_CFI), and would not call its probe", tp->name);
		return;
	}
	err = tap_fail_here() ? -EIO : tracepoint_probe_register(tp, p->probe, p);
	p->attached = err ? NULL : tp;
	if (err)
		tap_start_failed(p->row, "tracepoint '%s' refuses a probe (error %d)", tp->name, err);
}

static void tracepoint_detach(struct point *p)
{
	if (p->attached)
		tracepoint_probe_unregister(p->attached, p->probe, p);
	p->attached = NULL;
}

/* Attaches the points of ROW with the name of TP: several modules may have a tracepoint of that
 * name. */
static void tracepoint_attach_row(struct tap_row *row, struct tracepoint *tp, const struct module *module)
{
	const struct tap_tracepoints *all = tracepoint_points_of(row);
	const struct tap_tracepoint *found;
	struct point *points = row->family;
	u32 i;

	found = bsearch(tp->name, all->points, all->count, sizeof(*found), tracepoint_compare_name);
	if (!found || !points)
		return;
	for (i = found - all->points; i && !tracepoint_compare_name(tp->name, &all->points[i - 1]); i--)
		;
	for (; i < all->count && !tracepoint_compare_name(tp->name, &all->points[i]); i++)
		if (tracepoint_is_in(&all->points[i], module) && !points[i].attached)
			tracepoint_attach(tp, &points[i]);
}

static void tracepoint_attach_kernel(struct tracepoint *tp, void *unused)
{
	for (struct tap_row *row = our_rows; row < our_rows + our_count; row++)
		tracepoint_attach_row(row, tp, NULL);
}

static void tracepoint_detach_module(const struct module *module)
{
	for (struct tap_row *row = our_rows; row < our_rows + our_count; row++) {
		struct point *points = row->family;

		for (u32 i = 0; points && i < tracepoint_points_of(row)->count; i++)
			if (points[i].where->module && tracepoint_is_in(points[i].where, module))
				tracepoint_detach(&points[i]);
	}
}

/* Called for all modules with tracepoints: at registration for those already loaded, then as they are loaded and
 * unloaded, and at the end for those still loaded. */
static int tracepoint_module_changed(struct notifier_block *block, unsigned long what, void *data)
{
	const struct module *module = ((struct tp_module *)data)->mod;

	if (what == MODULE_STATE_GOING)
		tracepoint_detach_module(module);
	if (what != MODULE_STATE_COMING)
		return NOTIFY_OK;
	for (u32 i = 0; i < module->num_tracepoints; i++)
		for (struct tap_row *row = our_rows; row < our_rows + our_count; row++)
			tracepoint_attach_row(row, tracepoint_ptr_deref(&module->tracepoints_ptrs[i]), module);
	return NOTIFY_OK;
}

static struct notifier_block notifier = { .notifier_call = tracepoint_module_changed };

/* ---- life ---- */

static int tracepoint_row_start(struct tap_row *row, bool *has_modules)
{
	const struct tap_tracepoints *all = tracepoint_points_of(row);
	struct point *points = tap_zalloc(all->count * sizeof(*points), NUMA_NO_NODE);

	if (!points)
		return -ENOMEM;
	for (u32 i = 0; i < all->count; i++) {
		points[i] = (struct point){ .row = row, .where = &all->points[i],
					    .probe = all->points[i].typed ? (void *)all->points[i].typed :
						     hits[all->points[i].arguments] };
		*has_modules |= all->points[i].module != NULL;
	}
	row->family = points;
	return 0;
}

struct question {
	const char *name;
	bool answer;
};

static void tracepoint_compare(struct tracepoint *tp, void *data)
{
	struct question *q = data;

	q->answer |= strcmp(tp->name, q->name) == 0;
}

static bool tracepoint_is_in_kernel(const char *name)
{
	struct question q = { .name = name };

	for_each_kernel_tracepoint(tracepoint_compare, &q);
	return q.answer;
}

static void tracepoint_say_what_is_absent(struct tap_row *row)
{
	const struct point *points = row->family;

	for (u32 i = 0; i < tracepoint_points_of(row)->count; i++)
		if (!points[i].attached && !points[i].where->module && !(row->flags & TAP_PROBE_SITES) &&
		    !tracepoint_is_in_kernel(points[i].where->site.symbol))
			tap_start_failed(row, "this kernel has no tracepoint '%s'", points[i].where->site.symbol);
}

static int tracepoint_start(struct tap_row *rows, u32 count)
{
	bool has_modules = false;
	int err;

	our_rows = rows;
	our_count = count;
	for (struct tap_row *row = rows; row < rows + count; row++) {
		err = tracepoint_row_start(row, &has_modules);
		if (err)
			return err;
	}
	for_each_kernel_tracepoint(tracepoint_attach_kernel, NULL);
	for (struct tap_row *row = rows; row < rows + count; row++)
		tracepoint_say_what_is_absent(row);
	if (!has_modules)
		return 0;
	err = register_tracepoint_module_notifier(&notifier);
	has_notifier = !err;
	return err;
}

static void tracepoint_stop(struct tap_row *rows, u32 count)
{
	if (has_notifier)
		unregister_tracepoint_module_notifier(&notifier);
	has_notifier = false;
	for (struct tap_row *row = rows; row < rows + count; row++) {
		struct point *points = row->family;

		for (u32 i = 0; points && i < tracepoint_points_of(row)->count; i++)
			tracepoint_detach(&points[i]);
	}
	tracepoint_synchronize_unregister();
	for (struct tap_row *row = rows; row < rows + count; row++) {
		if (row->family)
			tap_zfree(row->family, tracepoint_points_of(row)->count * sizeof(struct point));
		row->family = NULL;
	}
}

const struct tap_probe_ops tap_tracepoint = {
	.name = "tracepoint", .start = tracepoint_start, .stop = tracepoint_stop, .site = tracepoint_site_of,
};
