// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of the script's table of probes at run time.
 *
 * A row is armed while the session runs, it is not switched off and its condition holds: then
 * 'run' is its handler. Only this decides; the family's arm and disarm follow, if they have
 * something to do (timers), later and in process context. A work item re-evaluates a condition
 * after a handler has changed a global that it reads. */
#include "rows.h"

#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/workqueue.h>

#include "context.h"
#include "probe.h"
#include "symbol.h"

enum { ROWS_A_CHUNK = 512 };	/* a per-CPU allocation must be below 32 KB */

struct tap_row *tap_rows;

static void rows_update_work(struct work_struct *work);
static void rows_changed_work(struct irq_work *work);
static DECLARE_DELAYED_WORK(update, rows_update_work);
static struct irq_work changed = IRQ_WORK_INIT(rows_changed_work);

#define for_each_row(row) \
	for (struct tap_row *row = tap_rows; row < tap_rows + tap_script.probe_count; row++)

/* ---- life ---- */

/* Number of rows from I on whose counts are allocated together. */
static u32 row_chunk(u32 i)
{
	return min_t(u32, tap_script.probe_count - i, ROWS_A_CHUNK);
}

int tap_rows_open(void)
{
	struct tap_row_count __percpu *counts = NULL;
	u32 n = tap_script.probe_count;

	BUILD_BUG_ON(sizeof(struct tap_row) > TAP_ROW_BYTES);
	BUILD_BUG_ON(sizeof(struct tap_row_count) + sizeof(struct tap_row_time) > TAP_ROW_CPU_BYTES);
	tap_rows = tap_zalloc(n * sizeof(*tap_rows), NUMA_NO_NODE);
	if (!tap_rows)
		return -ENOMEM;
	for (u32 i = 0; i < n; i++) {
		u32 in_chunk = i % ROWS_A_CHUNK;
		struct tap_row *row = &tap_rows[i];

		if (!in_chunk)
			counts = tap_zalloc_percpu(row_chunk(i) * sizeof(*counts), 16);
		if (!counts)
			return -ENOMEM;
		*row = (struct tap_row){
			.count = counts + in_chunk, .flags = tap_script.probes[i].flags,
			.probe = &tap_script.probes[i],
		};
	}
	return 0;
}

int tap_rows_start(void)
{
	struct tap_row_time __percpu *times = NULL;
	u32 n = tap_script.probe_count;

	if (!tap_session.timing)
		return 0;
	for (u32 i = 0; i < n; i++) {
		u32 in_chunk = i % ROWS_A_CHUNK;

		if (!in_chunk)
			times = tap_zalloc_percpu(row_chunk(i) * sizeof(*times), 8);
		if (!times)
			return -ENOMEM;
		tap_rows[i].time = times + in_chunk;
	}
	return 0;
}

static void rows_forget_changes(void)
{
	irq_work_sync(&changed);
	cancel_delayed_work_sync(&update);
}

/* A handler that was still running when the session stopped may have requested an update since. */
void tap_rows_close(void)
{
	rows_forget_changes();
	for (u32 i = 0; tap_rows && i < tap_script.probe_count; i += ROWS_A_CHUNK) {
		tap_zfree_percpu(tap_rows[i].count, row_chunk(i) * sizeof(*tap_rows->count));
		tap_zfree_percpu(tap_rows[i].time, row_chunk(i) * sizeof(*tap_rows->time));
	}
	tap_zfree(tap_rows, tap_script.probe_count * sizeof(*tap_rows));
	tap_rows = NULL;
}

/* ---- arming ---- */

/* If it cannot be evaluated now, the state remains and it is evaluated again later. */
static bool row_is_condition_true(struct tap_row *row)
{
	struct tap_frame *f;
	bool holds, decided;

	if (!row->probe->condition)
		return true;
	f = tap_frame_take(row);
	holds = f && row->probe->condition(&f->c);
	decided = f && !f->undecided;
	if (f)
		tap_frame_give(f);
	if (decided)
		return holds;
	schedule_delayed_work(&update, 1);
	return row->active;
}

static void row_update(struct tap_row *row)
{
	const struct tap_probe_ops *ops = row->probe->ops;
	bool on = tap_session.state == TAP_RUNNING && !tap_session.exiting && !row->off && !row->shed &&
		  row_is_condition_true(row);

	if (on == row->active)
		return;
	row->active = on;
	WRITE_ONCE(row->run, on ? row->probe->handler : NULL);
	if (on && ops->arm)
		ops->arm(row);
	if (!on && ops->disarm)
		ops->disarm(row);
}

void tap_rows_update(void)
{
	for_each_row(row)
		row_update(row);
	/* an exit() in between has cleared the handlers before some were set */
	smp_mb();
	if (READ_ONCE(tap_session.exiting))
		tap_rows_disarm_at_once();
}

void tap_rows_disarm_at_once(void)
{
	for_each_row(row)
		WRITE_ONCE(row->run, NULL);
}

int tap_rows_switch(u32 number, bool on)
{
	int err = -ENOENT;

	for_each_row(row) {
		if (row->probe->number != number)
			continue;
		row->off = !on;
		row->shed &= !on;
		err = 0;
		row_update(row);
	}
	return err;
}

struct tap_row *tap_rows_shed(void)
{
	struct tap_row *worst = NULL;
	s64 most = 0;

	for_each_row(row) {
		s64 load = atomic64_xchg(&row->load, 0);

		if (load <= most || !READ_ONCE(row->run))
			continue;
		most = load;
		worst = row;
	}
	if (!worst)
		return NULL;
	worst->shed = true;
	WRITE_ONCE(worst->run, NULL);
	irq_work_queue(&changed);	/* so that the family disarms it as well */
	return worst;
}

void tap_rows_stop(void)
{
	tap_rows_disarm_at_once();
	rows_forget_changes();		/* may wait for the update, because that only tries to take the session's
					 * lock, which we hold */
	tap_rows_update();
}

/* ---- conditions ---- */

static void rows_update_work(struct work_struct *work)
{
	if (READ_ONCE(tap_session.state) != TAP_RUNNING)
		return;
	if (!mutex_trylock(&tap_session.lock)) {
		schedule_delayed_work(&update, 1);
		return;
	}
	tap_rows_update();
	mutex_unlock(&tap_session.lock);
}

static void rows_changed_work(struct irq_work *work)
{
	schedule_delayed_work(&update, 0);
}

void tap_conditions_changed(struct tap_context *c)
{
	if (READ_ONCE(tap_session.state) == TAP_RUNNING)
		irq_work_queue(&changed);
}

/* ---- statistics ---- */

void tap_rows_reset(void)
{
	for_each_row(row)
		for (u32 cpu = 0; cpu < nr_cpu_ids; cpu++) {
			if (!cpu_possible(cpu))
				continue;
			*per_cpu_ptr(row->count, cpu) = (struct tap_row_count){ 0 };
			if (row->time)
				*per_cpu_ptr(row->time, cpu) = (struct tap_row_time){ 0 };
		}
}

static u64 row_nanoseconds(u64 cycles)
{
	u64 khz = div_u64(tap_cycles_rate(), 1000);

	return khz ? mul_u64_u64_div_u64(cycles, 1000000, khz) : 0;
}

static void row_add_times(struct tap_row *row, struct tap_probe_report *report)
{
	for (u32 cpu = 0; cpu < nr_cpu_ids; cpu++) {
		struct tap_row_time *t;

		if (!cpu_possible(cpu))
			continue;
		t = per_cpu_ptr(row->time, cpu);
		report->time += t->total;
		report->time_max = max(report->time_max, t->most);
		if (t->least && (!report->time_min || t->least < report->time_min))
			report->time_min = t->least;
	}
	report->time = row_nanoseconds(report->time);
	report->time_min = row_nanoseconds(report->time_min);
	report->time_max = row_nanoseconds(report->time_max);
}

void tap_row_report(struct tap_row *row, struct tap_probe_report *report)
{
	*report = (struct tap_probe_report){ .number = row->probe->number, .armed = !!row->run,
					       .shed = row->shed };
	for (u32 cpu = 0; cpu < nr_cpu_ids; cpu++) {
		if (!cpu_possible(cpu))
			continue;
		report->hits += per_cpu_ptr(row->count, cpu)->hits;
		report->skipped += per_cpu_ptr(row->count, cpu)->skipped;
	}
	/* a hit counted before TAP_RESET may have been taken back after it */
	report->hits = max_t(s64, report->hits, 0);
	if (row->time)
		row_add_times(row, report);
	if (row->probe->ops->report)
		row->probe->ops->report(row);
	report->missed = row->missed;
}

/* ---- queries of a handler about its probe ---- */

/* All code of a script runs for a probe; still nothing here depends on that. */
const struct tap_probe *tap_probe_of(const struct tap_context *c)
{
	static const struct tap_probe_ops no_family = { .name = "" };
	static const struct tap_probe none = { .ops = &no_family, .point = "", .written = "", .position = "" };
	const struct tap_row *row = tap_frame(c)->row;

	return row ? row->probe : &none;
}

/* NULL if nothing was hit, or the site has no name. */
static const struct tap_site *row_site(const struct tap_frame *f)
{
	const struct tap_probe_ops *ops = tap_probe_of(&f->c)->ops;

	return ops->site && !f->asks ? ops->site(f->row, f->ip) : NULL;
}

struct tap_string tap_probe_type(struct tap_context *c)
{
	const char *name = tap_probe_of(c)->ops->name;

	return (struct tap_string){ name, strlen(name) };
}

/* The function is the text before an '@', unless an address is shown. A place given by its absolute address has no
 * other name: it is looked up. */
struct tap_string tap_ppfunc(struct tap_context *c)
{
	const struct tap_site *site = row_site(tap_frame(c));
	const char *shown = !site ? "" : site->shown && site->shown[0] != '0' ? site->shown : site->symbol;

	if (shown[0] == '0')
		return tap_symbol_name(c, site->offset);
	return (struct tap_string){ shown, strchrnul(shown, '@') - shown };
}

struct tap_string tap_pp(struct tap_context *c)
{
	struct tap_frame *f = tap_frame(c);
	const char *point = tap_probe_of(c)->point, *mark = strchr(point, 1);
	const struct tap_site *site;
	const char *shown;
	struct tap_string before = { point, mark ? mark - point : strlen(point) };

	if (!mark)
		return before;
	site = row_site(f);
	shown = !site ? "" : site->shown ? site->shown : site->symbol;
	before = tap_concat(c, before, (struct tap_string){ shown, strlen(shown) });
	return tap_concat(c, before, (struct tap_string){ mark + 1, strlen(mark + 1) });
}

/* As written in the script, unless that can match several points. */
struct tap_string tap_pn(struct tap_context *c)
{
	const struct tap_probe *probe = tap_probe_of(c);
	const char *name = probe->alias;

	if (!name && !strpbrk(probe->written, "*?[{,"))
		name = probe->written;
	return name ? (struct tap_string){ name, strlen(name) } : tap_pp(c);
}
