// SPDX-License-Identifier: GPL-2.0-or-later
/* Signals that scripts send to the current thread. Sending takes the thread's siglock, which the probed function
 * may hold, and which sleeps on a real-time kernel. So an irq_work of this CPU sends the signal: it runs when
 * interrupts are on again, when nothing on this CPU holds the lock; on a real-time kernel in its own thread. */
#include "raise.h"

#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "compat.h"
#include "context.h"
#include "services.h"

struct deferred {
	struct irq_work work;
	struct task_struct *task;	/* referenced; NULL: free */
	int signal;
};

static void raise_work(struct irq_work *work)
{
	struct deferred *d = container_of(work, struct deferred, work);
	struct task_struct *task = d->task;

	send_sig(d->signal, task, 0);	/* the thread may have ended meanwhile */
	smp_store_release(&d->task, NULL);
	put_task_struct(task);
}

static DEFINE_PER_CPU(struct deferred, deferred);

const char *tap_raise(struct tap_context *c, int signal)
{
	struct deferred *d = this_cpu_ptr(&deferred);

	if (tap_frame(c)->level || !current->mm || current->flags & (TAP_NO_USER | PF_EXITING))
		return "there is no thread that would handle it";
	if (cmpxchg(&d->task, NULL, current))
		return "an earlier signal is still pending";
	get_task_struct(current);
	d->signal = signal;
	irq_work_queue(&d->work);
	return NULL;
}

static int raise_open(void)
{
	for (u32 cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (cpu_possible(cpu))
			init_irq_work(&per_cpu_ptr(&deferred, cpu)->work, raise_work);
	return 0;
}

static void raise_settle(void)
{
	for (u32 cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (cpu_possible(cpu))
			irq_work_sync(&per_cpu_ptr(&deferred, cpu)->work);
}

const struct tap_service tap_raise_service = { .open = raise_open, .settle = raise_settle };
