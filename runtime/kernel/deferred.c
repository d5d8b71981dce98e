// SPDX-License-Identifier: GPL-2.0-or-later
#include "deferred.h"

#include <linux/cpumask.h>

/* irq_work_run() is called for the last time shortly after the processor is no longer online (smpcfd_dying_cpu()). On
 * PREEMPT_RT a thread executes irq_works; it is parked between the change of active and that of online. */
static bool deferred_may_run_here(void)
{
	u32 cpu = smp_processor_id();

	return IS_ENABLED(CONFIG_PREEMPT_RT) ? cpu_active(cpu) : cpu_online(cpu);
}

static void deferred_arrived(void *d)
{
	irq_work_queue(&((struct tap_deferred *)d)->work);
}

/* Not in an NMI, which cannot send this interrupt: what it requests there waits for the next request. */
static noinline void deferred_send(struct tap_deferred *d)
{
	u32 cpu = cpumask_first(cpu_active_mask);

	if (in_nmi() || cpu >= nr_cpu_ids || cpu == smp_processor_id())
		return;
	d->elsewhere.func = deferred_arrived;
	d->elsewhere.info = d;
	WRITE_ONCE(d->was_elsewhere, true);
	smp_call_function_single_async(cpu, &d->elsewhere);	/* fails if it is already on its way */
}

void tap_defer(struct tap_deferred *d)
{
	preempt_disable_notrace();
	if (likely(deferred_may_run_here()))
		irq_work_queue(&d->work);
	else
		deferred_send(d);
	preempt_enable_notrace();
}

static void deferred_nothing(void *unused)
{
}

void tap_deferred_sync(struct tap_deferred *d)
{
	if (READ_ONCE(d->was_elsewhere))
		on_each_cpu(deferred_nothing, NULL, 1);		/* what was sent before has arrived */
	irq_work_sync(&d->work);
}
