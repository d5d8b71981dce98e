/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that a handler requests and that runs soon in an irq_work, when interrupts are on again. A processor that goes
 * offline does not execute irq_works any more, and one that is pending there could not be waited for: the work is
 * given to another processor. */
#ifndef TAP_DEFERRED_H
#define TAP_DEFERRED_H

#include <linux/irq_work.h>
#include <linux/smp.h>

#include "compat.h"

struct tap_deferred {
	struct irq_work work;
	call_single_data_t elsewhere;
	bool was_elsewhere;
};

#define TAP_DEFERRED(run) { .work = IRQ_WORK_INIT(run) }

void tap_defer(struct tap_deferred *d);
/* Waits until the work is done; no handler requests it any more. May sleep. */
void tap_deferred_sync(struct tap_deferred *d);

#endif
