// SPDX-License-Identifier: GPL-2.0-or-later
/* process probes: places in programs and libraries by uprobes, which the kernel maintains over exec, fork, dlopen
 * and exit; and the life of processes, see life.c.
 *
 * A uprobe is at a place of a file, in every process that maps it. If rows are limited to certain processes, the
 * filter keeps the breakpoint out of the others.
 *
 * Handlers run in the task with preemption off, so they can read the resident part of its memory. A handler that
 * could not read the rest, and has had no effect yet, is abandoned, and runs again when that is resident (fetch.h):
 * the kernel calls a probe of a program where it may sleep. Other handlers are not slower for that: rows that may
 * fetch have their own functions.
 *
 * A function of Go has its return instructions probed, because its return address must not be replaced. What a handler
 * finds there in the registers is what it would find after the return. */
#include <linux/fs.h>
#include <linux/slab.h>

#include "caller.h"
#include "families.h"
#include "fetch.h"
#include "kept.h"
#include "probe.h"
#include "services.h"
#include "user/goroutines.h"
#include "user/life.h"
#include "user/programs.h"

/* One place of a row. */
struct tap_point {
	struct uprobe_consumer consumer;
	struct tap_process_row *r;
	struct tap_row *row;
	const struct tap_user_site *site;
	u32 distance;			/* from the site's place to the probed instruction: a pad, or to a return */
	unsigned long address;		/* of the probed instruction */
	bool is_simple;			/* hit in any process of the target, with any caller; nothing to wait for */
	struct uprobe *uprobe;		/* NULL: not registered */
};

/* ---- hits ---- */

/* Whether one of the site's calls led to this hit, or is returning. */
static bool process_is_called(const struct tap_point *p, unsigned long function, struct pt_regs *regs, bool returns)
{
	unsigned long back;

	if (returns)
		back = instruction_pointer(regs);
	else if (!tap_user_return_address(regs, &back))
		return false;
	return tap_is_called_by(p->site->site.callers, function - p->address, back);
}

static noinline bool process_is_meant_after_all(const struct tap_point *p, unsigned long function, struct pt_regs *regs,
						bool returns)
{
	if (!tap_process_is_wanted(p->r, current) ||
	    (p->site->site.callers && !process_is_called(p, function, regs, returns)))
		return false;
	tap_services_await();
	return true;
}

/* Bytes from the place to its breakpoint: after a landing pad or a check of the stack, or on a static marker's second
 * nop. */
static __always_inline u32 process_pad_of(const struct tap_user_site *site)
{
	return site->pad + (TAP_UPROBE_CALLS ? site->second : 0);
}

/* The breakpoint's offset in the file. */
static u64 process_breakpoint_of(const struct tap_user_site *site)
{
	return site->site.offset + process_pad_of(site);
}

/* FUNCTION: the address of the function, or of the place. */
static __always_inline bool process_is_meant(const struct tap_point *p, unsigned long function, struct pt_regs *regs,
					     bool returns)
{
	return likely(p->is_simple) ? tap_process_is_of_target(current) :
				      process_is_meant_after_all(p, function, regs, returns);
}

static __always_inline struct tap_frame *process_enter(const struct tap_point *p, unsigned long ip)
{
	struct tap_frame *f = tap_enter_task(p->row);

	if (f) {
		f->ip = (unsigned long)p;
		f->bias = ip - p->address;
	}
	return f;
}

/* IP: of the probed place, or of the function that returns. ENTRY: the data that was saved at the function's entry; or
 * NULL. The members of the point are read late, so that few registers need to be saved. */
static __always_inline void process_hit_with(const struct tap_point *p, unsigned long ip, struct pt_regs *regs,
					     void *entry)
{
	void (*run)(struct tap_context *c);
	struct tap_frame *f;

	preempt_disable_notrace();
	run = READ_ONCE(p->row->run);
	f = likely(run) ? process_enter(p, ip) : NULL;
	if (likely(f)) {
		f->c.regs = regs;
		if (entry)
			f->c.entry = entry;
		run(&f->c);
		tap_leave(f);
	}
	preempt_enable_notrace();
}

static __always_inline void process_hit(const struct tap_point *p, unsigned long ip, struct pt_regs *regs)
{
	process_hit_with(p, ip, regs, NULL);
}

/* Leaves F's handler. True: it wants memory, and has to run again. */
static bool process_leave(struct tap_frame *f)
{
	if (unlikely(f->c.fetch == TAP_FETCH_WANTED)) {
		tap_abandon(f);
		return true;
	}
	f->c.fetch = TAP_FETCH_NONE;
	tap_leave(f);
	return false;
}

static void process_may_fetch(struct tap_frame *f, struct tap_fetch *fetch)
{
	f->fetch = fetch;
	f->c.fetch = TAP_FETCH_READY;
}

/* IP, ENTRY: as for process_hit_with; after a landing pad the handler finds the place's address in the registers.
 * False: the handler wants memory. */
static bool process_try_hit(const struct tap_point *p, unsigned long ip, struct pt_regs *regs, void *entry,
			    struct tap_fetch *fetch)
{
	u32 pad = p->row->flags & TAP_PROBE_RETURN ? 0 : p->distance;
	void (*run)(struct tap_context *c);
	struct tap_frame *f;
	bool again = false;

	preempt_disable_notrace();
	run = READ_ONCE(p->row->run);
	f = run ? process_enter(p, ip) : NULL;
	if (f) {
		if (pad)
			instruction_pointer_set(regs, ip - pad);
		f->c.regs = regs;
		f->c.entry = entry;
		process_may_fetch(f, fetch);
		run(&f->c);
		if (pad)
			instruction_pointer_set(regs, ip);
		again = process_leave(f);
	}
	preempt_enable_notrace();
	return !again;
}

static void process_hit_fetching(const struct tap_point *p, unsigned long ip, struct pt_regs *regs, void *entry)
{
	struct tap_fetch fetch = { .rounds = 0 };

	while (!process_try_hit(p, ip, regs, entry, &fetch))
		tap_fetch(&fetch, p->row);
}

static int process_point_hit_fetching(struct uprobe_consumer *consumer, struct pt_regs *regs TAP_UPROBE_MORE)
{
	struct tap_point *p = container_of(consumer, struct tap_point, consumer);

	if (process_is_meant(p, instruction_pointer(regs), regs, false))
		process_hit_fetching(p, instruction_pointer(regs), regs, NULL);
	return 0;
}

static int process_point_hit(struct uprobe_consumer *consumer, struct pt_regs *regs TAP_UPROBE_MORE)
{
	struct tap_point *p = container_of(consumer, struct tap_point, consumer);

	if (process_is_meant(p, instruction_pointer(regs), regs, false))
		process_hit(p, instruction_pointer(regs), regs);
	return 0;
}

/* After a landing pad, or on a marker's second nop. The handler finds the place's address in the registers, not the
 * instruction's; the kernel continues at the address that it finds there afterwards. */
static int process_point_hit_after_pad(struct uprobe_consumer *consumer, struct pt_regs *regs TAP_UPROBE_MORE)
{
	struct tap_point *p = container_of(consumer, struct tap_point, consumer);
	unsigned long ip = instruction_pointer(regs);

	if (!process_is_meant(p, ip, regs, false))
		return 0;
	instruction_pointer_set(regs, ip - p->distance);
	process_hit(p, ip, regs);
	instruction_pointer_set(regs, ip);
	return 0;
}

/* Save in DATA what the return handler needs; *WANTED: the return is. False: the handler wants memory. */
static bool process_try_keep(struct tap_point *p, unsigned long ip, struct pt_regs *regs, void *data,
			     struct tap_fetch *fetch, bool *wanted)
{
	struct tap_frame *f;
	bool again = false;

	*wanted = false;
	preempt_disable_notrace();
	f = READ_ONCE(p->row->run) ? process_enter(p, ip) : NULL;
	if (f) {
		this_cpu_dec(p->row->count->hits);	/* the return counts as the hit */
		if (p->row->flags & TAP_PROBE_FETCH)
			process_may_fetch(f, fetch);
		instruction_pointer_set(regs, ip - p->distance);
		tap_run_entry(f, p->row, regs, data);
		instruction_pointer_set(regs, ip);
		*wanted = f->c.entering;
		again = process_leave(f);
	}
	preempt_enable_notrace();
	return !again;
}

/* Whether the return is wanted, for which DATA is to be kept. */
static bool process_keep(struct tap_point *p, unsigned long ip, struct pt_regs *regs, void *data)
{
	struct tap_fetch fetch = { .rounds = 0 };
	bool wanted;

	while (!process_try_keep(p, ip, regs, data, &fetch, &wanted))
		tap_fetch(&fetch, p->row);
	return wanted;
}

/* At the entry of a function whose return handler needs data from the entry. */
static int process_point_entered(struct uprobe_consumer *consumer, struct pt_regs *regs TAP_UPROBE_MORE)
{
	struct tap_point *p = container_of(consumer, struct tap_point, consumer);
	unsigned long ip = instruction_pointer(regs);
	void *data;

	if (!READ_ONCE(p->row->run) || !process_is_meant(p, ip, regs, false))
		return 0;
	data = tap_kept_add(p->r->kept, p, user_stack_pointer(regs) + tap_return_pops(regs));
	if (!data) {
		tap_process_miss(p->r);
		return 0;
	}
	if (!process_keep(p, ip, regs, data))
		tap_kept_drop(data);
	return 0;
}

static int process_point_returned(struct uprobe_consumer *consumer, unsigned long function,
				  struct pt_regs *regs TAP_UPROBE_MORE)
{
	struct tap_point *p = container_of(consumer, struct tap_point, consumer);

	if (process_is_meant(p, function, regs, true))
		process_hit(p, function, regs);
	return 0;
}

static int process_point_returned_fetching(struct uprobe_consumer *consumer, unsigned long function,
					   struct pt_regs *regs TAP_UPROBE_MORE)
{
	struct tap_point *p = container_of(consumer, struct tap_point, consumer);

	if (process_is_meant(p, function, regs, true))
		process_hit_fetching(p, function, regs, NULL);
	return 0;
}

/* With the data that process_point_entered saved. */
static int process_point_returned_kept(struct uprobe_consumer *consumer, unsigned long function,
				       struct pt_regs *regs TAP_UPROBE_MORE)
{
	struct tap_point *p = container_of(consumer, struct tap_point, consumer);
	void (*run)(struct tap_context *c) = READ_ONCE(p->row->run);
	struct tap_frame *f;
	void *data;

	if (!process_is_meant(p, function, regs, true))
		return 0;
	preempt_disable_notrace();
	data = tap_kept_find(p->r->kept, p, user_stack_pointer(regs), tap_return_slack(regs));
	if (data && p->row->flags & TAP_PROBE_FETCH) {
		preempt_enable_notrace();
		process_hit_fetching(p, function, regs, data);
		tap_kept_drop(data);
		return 0;
	}
	f = run && data ? process_enter(p, function) : NULL;
	if (f) {
		f->c.regs = regs;
		f->c.entry = data;
		run(&f->c);
		tap_leave(f);
	}
	if (data)
		tap_kept_drop(data);
	preempt_enable_notrace();
	return 0;
}

/* ---- return instructions ---- */

/* Makes the registers those after the return. False: the return address cannot be read. */
static bool process_leave_function(struct pt_regs *regs)
{
	unsigned long back;

	if (!tap_user_return_address(regs, &back))
		return false;
	instruction_pointer_set(regs, back);
	tap_return_pop(regs);
	return true;
}

/* ENTRY: as for process_try_hit. */
static void process_hit_leaving(struct tap_point *p, struct pt_regs *regs, void *entry)
{
	unsigned long ip = instruction_pointer(regs);
	bool left = process_leave_function(regs);

	if (p->row->flags & TAP_PROBE_FETCH)
		process_hit_fetching(p, ip, regs, entry);
	else
		process_hit_with(p, ip, regs, entry);
	if (left) {
		tap_return_push(regs);
		instruction_pointer_set(regs, ip);
	}
}

static int process_point_leaving(struct uprobe_consumer *consumer, struct pt_regs *regs TAP_UPROBE_MORE)
{
	struct tap_point *p = container_of(consumer, struct tap_point, consumer);

	if (READ_ONCE(p->row->run) && process_is_meant(p, instruction_pointer(regs), regs, false))
		process_hit_leaving(p, regs, NULL);
	return 0;
}

/* The call that is being entered or left. What describes it is fetched if it is absent, since without it a return would
 * be lost. */
static bool process_describe_call(const struct tap_point *p, struct pt_regs *regs, struct tap_call *call)
{
	struct tap_fetch fetch = { .size = sizeof(unsigned long) };

	while (!tap_call_describe(call, p->r->what, p->site, regs, &fetch.from)) {
		if (!tap_fetch_may_help(&fetch, fetch.from, fetch.size))
			return false;
		tap_fetch(&fetch, p->row);
	}
	return true;
}

static int process_point_leaving_kept(struct uprobe_consumer *consumer, struct pt_regs *regs TAP_UPROBE_MORE)
{
	struct tap_point *p = container_of(consumer, struct tap_point, consumer);
	struct tap_call call;
	void *data;

	if (!process_is_meant(p, instruction_pointer(regs), regs, false) || !process_describe_call(p, regs, &call))
		return 0;
	data = tap_calls_take(p->r->calls, &call);
	if (!data)
		return 0;
	if (READ_ONCE(p->row->run))
		process_hit_leaving(p, regs, data);
	tap_calls_drop(data);
	return 0;
}

static int process_point_entered_by_goroutine(struct uprobe_consumer *consumer, struct pt_regs *regs TAP_UPROBE_MORE)
{
	struct tap_point *p = container_of(consumer, struct tap_point, consumer);
	unsigned long ip = instruction_pointer(regs);
	struct tap_call call;
	bool lost = false;
	void *data;

	if (!READ_ONCE(p->row->run) || !process_is_meant(p, ip, regs, false))
		return 0;
	data = process_describe_call(p, regs, &call) ? tap_calls_add(p->r->calls, &call, &lost) : NULL;
	if (!data || lost)
		tap_process_miss(p->r);
	if (data && process_keep(p, ip, regs, data))
		tap_calls_keep(data);
	else if (data)
		tap_calls_drop(data);
	return 0;
}

/* Whether this process gets a breakpoint. A process that is being created has its owner already. */
static bool process_point_filter(struct uprobe_consumer *consumer TAP_UPROBE_FILTER_MORE, struct mm_struct *mm)
{
	bool wanted = true;
#ifdef CONFIG_MEMCG
	struct tap_point *p = container_of(consumer, struct tap_point, consumer);
	const struct task_struct *owner;

	rcu_read_lock();
	owner = rcu_dereference(mm->owner);
	wanted = !owner || tap_process_is_wanted(p->r, owner);
	rcu_read_unlock();
#endif
	return wanted;
}

u64 tap_user_address(struct tap_context *c, s64 linked)
{
	return tap_frame(c)->bias + linked;
}

static const struct tap_site *process_site(struct tap_row *row, unsigned long ip)
{
	const struct tap_process *what = row->probe->where;
	const struct tap_process_row *r = row->family;
	const struct tap_point *p = (const struct tap_point *)ip;

	if (!r || !r->points || p < r->points || p >= r->points + r->point_count)
		return what->count ? &what->sites[0].site : NULL;
	return &p->site->site;
}

/* ---- places ---- */

static const char *process_reason_of(long err)
{
	switch (err) {
	case -EINVAL:
		return "the file has no such place, or another tool probes it without its semaphore";
	case -EOPNOTSUPP:
	case -ENOEXEC:
		return "the instruction there cannot be probed";
	case -EIO:
		return "the file system cannot be probed";
	case -ENOMEM:
		return "no memory";
	}
	return "it was refused";
}

static void process_point_failed(const struct tap_point *p, long err)
{
	struct tap_row *row = p->r->row;

	tap_session.sites_failed++;
	if (!(row->flags & TAP_PROBE_SITES))
		tap_start_failed(row, "%s in %s: %s (error %ld)", p->site->site.symbol, p->r->what->path,
				 process_reason_of(err), err);
}

static u64 process_place_of(const struct tap_point *p)
{
	return p->site->site.offset + p->distance;
}

/* If a place has a static marker with a semaphore, the kernel requires the semaphore from all probes at that place,
 * for example of the function that begins with the marker (uprobes.c, ref_ctr_offset). */
static u64 process_counter_of(const struct tap_point *p)
{
	if (p->site->counter)
		return p->site->counter;
	for_each_row_of(r, TAP_PROCESS_PLACES) {
		if (!r->has_counters || r->program->places != p->r->program->places)
			continue;
		for (u32 i = 0; i < r->what->count; i++)
			if (r->what->sites[i].counter &&
			    process_breakpoint_of(&r->what->sites[i]) == process_place_of(p))
				return r->what->sites[i].counter;
	}
	return 0;
}

static void process_point_start(struct tap_point *p)
{
	struct uprobe *uprobe;

	uprobe = tap_fail_here() ? ERR_PTR(-EBUSY) :
		 tap_uprobe_register(p->r->program->places, process_place_of(p), process_counter_of(p), &p->consumer);
	if (IS_ERR(uprobe)) {
		process_point_failed(p, PTR_ERR(uprobe));
		return;
	}
	p->uprobe = uprobe;
	tap_session.sites++;
}

static void process_point_prepare(struct tap_point *p, struct tap_process_row *r, const struct tap_user_site *site,
				  u32 distance)
{
	p->r = r;
	p->row = r->row;
	p->site = site;
	p->distance = distance;
	p->address = site->address + distance;
	p->is_simple = !r->is_narrow && !site->site.callers && !tap_services_have_await();
	if (r->what->pid || tap_target_tree)
		p->consumer.filter = process_point_filter;
}

/* At the place itself; or on the function's return address. */
static void process_point_choose(struct tap_point *p, const struct tap_process_row *r)
{
	bool fetches = r->row->flags & TAP_PROBE_FETCH;

	if (!(r->row->flags & TAP_PROBE_RETURN))
		p->consumer.handler = fetches ? process_point_hit_fetching : p->distance ? process_point_hit_after_pad :
				      process_point_hit;
	else
		p->consumer.ret_handler = r->kept ? process_point_returned_kept :
					  fetches ? process_point_returned_fetching : process_point_returned;
	if (r->kept)
		p->consumer.handler = process_point_entered;
}

/* How many breakpoints SITE needs. */
static u32 process_points_of(const struct tap_process_row *r, const struct tap_user_site *site)
{
	return site->return_count ? site->return_count + (r->calls ? 1 : 0) : 1;
}

/* Prepares the points of SITE from P on; returns the next point. */
static struct tap_point *process_site_prepare(struct tap_point *p, struct tap_process_row *r,
					      const struct tap_user_site *site)
{
	if (!site->return_count || r->calls) {
		process_point_prepare(p, r, site, process_pad_of(site));
		if (site->return_count)
			p->consumer.handler = process_point_entered_by_goroutine;
		else
			process_point_choose(p, r);
		p++;
	}
	for (u32 i = 0; i < site->return_count; i++, p++) {
		process_point_prepare(p, r, site, site->returns[i].at);
		p->consumer.handler = r->calls ? process_point_leaving_kept : process_point_leaving;
	}
	return p;
}

static int process_points_start(struct tap_process_row *r)
{
	const struct tap_process *what = r->what;
	struct tap_point *next;

	for (u32 i = 0; i < what->count; i++)
		r->point_count += process_points_of(r, &what->sites[i]);
	r->points = tap_zalloc(r->point_count * sizeof(*r->points), NUMA_NO_NODE);
	if (!r->points)
		return -ENOMEM;
	next = r->points;
	for (u32 i = 0; i < what->count; i++)
		next = process_site_prepare(next, r, &what->sites[i]);
	for (u32 i = 0; i < r->point_count; i++) {
		process_point_start(&r->points[i]);
		cond_resched();
	}
	return 0;
}

static void process_points_stop(struct tap_process_row *r)
{
	for (u32 i = 0; r->points && i < r->point_count; i++) {
		struct tap_point *p = &r->points[i];

		if (p->uprobe)
			tap_uprobe_unregister(p->uprobe, r->program->places, process_place_of(p), &p->consumer);
		p->uprobe = NULL;
		cond_resched();
	}
}

/* ---- rows ---- */

/* Room for BYTES of each call in progress. A row may have functions of both kinds. */
static int process_row_keep(struct tap_process_row *r, u32 bytes)
{
	bool by_goroutine = false, by_task = false;

	for (u32 i = 0; i < r->what->count; i++) {
		by_goroutine |= r->what->sites[i].return_count != 0;
		by_task |= !r->what->sites[i].return_count;
	}
	if (by_task)
		r->kept = tap_kept_new(bytes);
	if (by_goroutine)
		r->calls = tap_calls_new(bytes);
	return (by_task && !r->kept) || (by_goroutine && !r->calls) ? -ENOMEM : 0;
}

/* Returns 0 also if the row is skipped. */
static int process_row_start(struct tap_row *row)
{
	struct tap_process_row *r = tap_zalloc(sizeof(*r), NUMA_NO_NODE), **last;
	int err = 0;

	if (!r)
		return -ENOMEM;
	row->family = r;
	r->row = row;
	r->what = row->probe->where;
	r->is_narrow = r->what->pid || r->what->within;
	if (r->what->path) {
		r->program = tap_program_open(r, r->what->path, &err);
		if (!r->program)
			return err;
	}
	if (r->what->within) {
		r->within = tap_program_open(r, r->what->within, &err);
		if (!r->within)
			return err;
		err = tap_program_watch(r->within);
	}
	if (!err && row->probe->entry)
		err = process_row_keep(r, row->probe->entry_size);
	for (last = &tap_process_rows[r->what->kind]; *last;)
		last = &(*last)->next;
	*last = r;
	return err;
}

static void process_note_counters(struct tap_process_row *r)
{
	for (u32 i = 0; i < r->what->count; i++)
		r->has_counters |= r->what->sites[i].counter != 0;
}

static int process_start(struct tap_row *rows, u32 count)
{
	int err = 0;

	for (struct tap_row *row = rows; row < rows + count && !err; row++)
		err = process_row_start(row);
	if (!err)
		err = tap_life_start();
	for_each_row_of(r, TAP_PROCESS_PLACES)
		process_note_counters(r);
	for (struct tap_process_row *r = tap_process_rows[TAP_PROCESS_PLACES]; r && !err; r = r->next)
		err = process_points_start(r);
	return err;
}

static void process_stop(struct tap_row *rows, u32 count)
{
	for_each_row_of(r, TAP_PROCESS_PLACES)
		process_points_stop(r);
	tap_uprobe_sync();
	tap_life_stop();
	memset(tap_process_rows, 0, sizeof(tap_process_rows));
	for (struct tap_row *row = rows; row < rows + count; row++) {
		struct tap_process_row *r = row->family;

		if (!r)
			continue;
		row->family = NULL;
		tap_kept_free(r->kept);
		tap_calls_free(r->calls);
		tap_zfree(r->points, r->point_count * sizeof(*r->points));
		tap_zfree(r, sizeof(*r));
	}
	tap_programs_stop();
}

static void process_close(struct tap_row *rows, u32 count)
{
	tap_life_close();
}

const struct tap_probe_ops tap_process = {
	.name = "process", .start = process_start,
	.stop = process_stop, .close = process_close, .site = process_site,
};
