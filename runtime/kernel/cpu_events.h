/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One event of a performance counter on each processor, also on those that come later; to the kernel a
 * watchpoint is such an event, too. */
#ifndef TAP_CPU_EVENTS_H
#define TAP_CPU_EVENTS_H

#include <linux/perf_event.h>

#include "probe.h"

/* Events as ATTR says, switched off, that call HIT, whose context is ROW; they are row->family then. Below 0:
 * there are none, for what the kernel says of the first that it refuses. May sleep. */
int tap_cpu_events_open(struct tap_row *row, const struct perf_event_attr *attr, perf_overflow_handler_t hit);
/* This processor's event of ROW; NULL: it has none (yet). Preemption is off. */
struct perf_event *tap_cpu_events_here(const struct tap_row *row);

/* For the ops of families that have such events; may sleep. */
void tap_cpu_events_arm(struct tap_row *row);
void tap_cpu_events_disarm(struct tap_row *row);
void tap_cpu_events_stop(struct tap_row *rows, u32 count);
void tap_cpu_events_changed(u32 cpu);

#endif
