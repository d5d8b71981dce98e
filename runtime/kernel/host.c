// SPDX-License-Identifier: GPL-2.0-or-later
/* The host functions that runtime/core needs (core/host.h), and the few functions of the ABI that are one line on
 * top of core. */
#include <linux/cpu.h>
#include <linux/irqflags.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "context.h"
#include "frames.h"
#include "probe.h"
#include "core/add.h"
#include "core/hist.h"
#include "core/host.h"
#include "core/regex.h"
#include "core/stat.h"

void *tap_alloc(u64 size)
{
	return kvzalloc(size, GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY);
}

void tap_free(void *memory)
{
	kvfree(memory);
}

u32 tap_host_cpus(void)
{
	return nr_cpu_ids;
}

bool tap_host_cpu_online(u32 cpu)
{
	return cpu_online(cpu);
}

u32 tap_host_cpu(void)
{
	return raw_smp_processor_id();
}

unsigned long tap_host_irq_save(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);	/* local_irq_save() has tracepoints */
	return flags;
}

void tap_host_irq_restore(unsigned long flags)
{
	raw_local_irq_restore(flags);
}

void tap_host_relax(void)
{
	cpu_relax();
}

bool tap_host_go_on(struct tap_context *c)
{
	return tap_look_at_clock(c);
}

void tap_host_skipped(struct tap_context *c)
{
	if (c && tap_frame(c)->row)
		tap_skip(tap_frame(c)->row, TAP_SKIP_LOCK);
}

struct tap_groups *tap_host_groups(struct tap_context *c)
{
	return tap_frame(c)->groups;
}

/* ---- functions of the ABI on top of core ---- */

const struct tap_stat *tap_stat_read(struct tap_context *c, u32 cell, const struct tap_stat_shape *shape)
{
	return tap_stat_read_cells(c, tap_cells, cell, shape);
}

void tap_stat_clear(struct tap_context *c, u32 cell, const struct tap_stat_shape *shape)
{
	tap_stat_clear_cells(tap_cells, cell, shape);
}

s64 tap_counter_read(u32 cell)
{
	return tap_counter_read_cells(tap_cells, cell);
}

void tap_map_add_stat_number(struct tap_context *c, struct tap_map *m, s64 key, s64 value)
{
	unsigned long flags;
	bool done;

	raw_local_irq_save(flags);
	done = add_number(m, raw_smp_processor_id(), key, value);
	raw_local_irq_restore(flags);
	if (unlikely(!done))
		tap_add_other_number(c, m, key, value);
}

void tap_map_add_stat_text(struct tap_context *c, struct tap_map *m, struct tap_string key, s64 value)
{
	unsigned long flags;
	struct slot slot;
	bool done;

	if (unlikely(key.size > SHORT_TEXT)) {
		tap_add_other_text(c, m, key, value);
		return;
	}
	slot = short_slot(key.data, key.size);
	raw_local_irq_save(flags);
	done = add_text(m, raw_smp_processor_id(), slot, value);
	raw_local_irq_restore(flags);
	if (unlikely(!done))
		tap_add_other_text(c, m, key, value);
}

void tap_print_hist(struct tap_context *c, u32 format, const struct tap_stat *s,
		    const struct tap_hist_shape *h)
{
	u8 *payload = s ? tap_print(c, format, tap_hist_payload_size(s, h)) : NULL;

	if (payload)
		tap_hist_payload(payload, s, h);
}
