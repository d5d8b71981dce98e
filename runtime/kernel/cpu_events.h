/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One performance counter event on each processor, including those that go online later; to the kernel a watchpoint
 * is such an event, too. */
#ifndef TAP_CPU_EVENTS_H
#define TAP_CPU_EVENTS_H

#include <linux/perf_event.h>

#include "probe.h"

/* Creates events as described by ATTR, disabled, that call HIT with ROW as context; stores them in row->family.
 * Below 0 on failure: the kernel's error for the first event that it rejects. May sleep. */
int tap_cpu_events_open(struct tap_row *row, const struct perf_event_attr *attr, perf_overflow_handler_t hit);
/* This processor's event of ROW; NULL if it has none (yet). Preemption is off. */
struct perf_event *tap_cpu_events_here(const struct tap_row *row);

/* For the ops of families with such events; may sleep. */
void tap_cpu_events_arm(struct tap_row *row);
void tap_cpu_events_disarm(struct tap_row *row);
void tap_cpu_events_stop(struct tap_row *rows, u32 count);
void tap_cpu_events_changed(u32 cpu);

#endif
