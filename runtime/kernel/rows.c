// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of the script's table of probes at run time: their memory and their counts. arming.c decides which of them
 * are armed. */
#include "rows.h"

#include <linux/percpu.h>

#include "compat.h"
#include "deferred.h"
#include "probe.h"

enum { ROWS_A_CHUNK = 512 };	/* a per-CPU allocation must be below 32 KB */

struct tap_row *tap_rows;

struct delayed_work tap_rows_due;

static void rows_changed_work(struct irq_work *work)
{
	schedule_delayed_work(&tap_rows_due, 0);
}

static struct tap_deferred changed = TAP_DEFERRED(rows_changed_work);

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

void tap_rows_forget_changes(void)
{
	tap_deferred_sync(&changed);
	cancel_delayed_work_sync(&tap_rows_due);
}

/* A handler that was still running when the session stopped may have requested an update since. */
void tap_rows_close(void)
{
	tap_rows_forget_changes();
	for (u32 i = 0; tap_rows && i < tap_script.probe_count; i += ROWS_A_CHUNK) {
		tap_zfree_percpu(tap_rows[i].count, row_chunk(i) * sizeof(*tap_rows->count));
		tap_zfree_percpu(tap_rows[i].time, row_chunk(i) * sizeof(*tap_rows->time));
	}
	tap_zfree(tap_rows, tap_script.probe_count * sizeof(*tap_rows));
	tap_rows = NULL;
}

/* ---- from any context ---- */

void tap_rows_changed(void)
{
	tap_defer(&changed);
}

void tap_rows_disarm_at_once(void)
{
	for_each_row(row)
		WRITE_ONCE(row->run, NULL);
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
	tap_defer(&changed);	/* so that the family disarms it as well */
	return worst;
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
					       .shed = row->shed, .direct = row->direct,
					       .indirect = row->indirect };
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
