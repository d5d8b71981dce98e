// SPDX-License-Identifier: GPL-2.0-or-later
#include "wait_origin.h"

#include <linux/blkdev.h>
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/netdevice.h>
#include <linux/percpu.h>
#include <trace/events/block.h>
#include <trace/events/irq.h>
#include <trace/events/net.h>
#include <trace/events/timer.h>

#include "chains.h"
#include "compat.h"
#include "context.h"
#include "tracepoints.h"

/* What interrupts this CPU's task, at the two levels of interrupts. */
struct moment {
	unsigned long timer;		/* its function */
	u64 disk[2], device[2];		/* names: of a disk, and of a network device */
	const char *handler;
	u32 vector;
};

struct interrupts {
	struct moment moments[2];
	struct task_struct *executor;	/* of softirqs, with PREEMPT_RT: only this thread executes them on this CPU */
	struct task_struct *sender;	/* of packets that the next softirq delivers to this machine */
};
static DEFINE_PER_CPU(struct interrupts, wait_origin_cpu);

/* ---- which one ---- */

static const u64 *wait_origin_text(u64 to[2], const char *text)
{
	to[0] = to[1] = 0;
	memcpy(to, text, strnlen(text, 16));
	return to;
}

static u32 wait_origin_softirq(u32 vector)
{
	static const char *const names[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET",
					     "SCHED", "HRTIMER", "RCU" };
	u64 text[2];

	wait_origin_text(text, vector < ARRAY_SIZE(names) ? names[vector] : "");
	return tap_chain_of(TAP_CHAIN_SOFTIRQ, tap_chain_name(text), TAP_PLACE_NONE, 0);
}

static u32 wait_origin_network(const u64 device[2])
{
	return tap_chain_of(TAP_CHAIN_NETWORK, device[0] ? tap_chain_name(device) : 0, TAP_PLACE_NONE, 0);
}

static u32 wait_origin_interrupt(const char *handler)
{
	u64 text[2];
	u32 name = handler ? tap_chain_name(wait_origin_text(text, handler)) : 0;

	return tap_chain_of(TAP_CHAIN_INTERRUPT, name, TAP_PLACE_NONE, 0);
}

/* 0: a thread, or the end of an interrupt. With PREEMPT_RT, threads execute softirqs, and others may preempt them. */
static u32 wait_origin_level(void)
{
	u32 level = tap_level(preempt_count());

	if (level || tap_is_on_irq_stack())
		return level;
	return this_cpu_read(wait_origin_cpu.executor) == current;
}

u32 tap_wait_origin(void)
{
	u32 level = wait_origin_level();
	const struct moment *m = &this_cpu_ptr(&wait_origin_cpu)->moments[level > 1];

	if (!level)
		return wait_origin_interrupt(tap_is_on_irq_stack() ? NULL : "idle CPU");
	if (m->timer)
		return tap_chain_of(TAP_CHAIN_TIMER, tap_chain_function(m->timer), TAP_PLACE_NONE, 0);
	if (m->disk[0])
		return tap_chain_of(TAP_CHAIN_DISK, tap_chain_name(m->disk), TAP_PLACE_NONE, 0);
	if (level > 1)
		return wait_origin_interrupt(m->handler);
	if (m->vector == NET_RX_SOFTIRQ || m->vector == NET_TX_SOFTIRQ)
		return wait_origin_network(m->device);
	return wait_origin_softirq(m->vector);
}

bool tap_wait_origin_is_thread(void)
{
	const struct interrupts *cpu = this_cpu_ptr(&wait_origin_cpu);
	u32 level = wait_origin_level();

	if (level == 1 && cpu->moments[0].vector == NET_RX_SOFTIRQ && cpu->sender == current)
		return current->pid;
	return !level && current->pid && !tap_is_on_irq_stack();
}

/* ---- what an interrupt does ---- */

/* NULL: a thread, which does the work of an interrupt, or an NMI. */
static struct moment *wait_origin_moment(void)
{
	u32 level = wait_origin_level();

	return level == 1 || level == 2 ? &this_cpu_ptr(&wait_origin_cpu)->moments[level - 1] : NULL;
}

static void wait_origin_irq_starts(void *data, int irq, struct irqaction *action)
{
	struct moment *m = wait_origin_moment();

	if (m)
		*m = (struct moment){ .handler = action->name };
}

static void wait_origin_irq_ends(void *data, int irq, struct irqaction *action, int result)
{
	struct moment *m = wait_origin_moment();

	if (m)
		*m = (struct moment){ };
}

static void wait_origin_softirq_starts(void *data, unsigned int vector)
{
	struct moment *m;

	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		this_cpu_write(wait_origin_cpu.executor, current);
	m = wait_origin_moment();
	if (m)
		*m = (struct moment){ .vector = vector };
}

static void wait_origin_softirq_ends(void *data, unsigned int vector)
{
	struct moment *m = wait_origin_moment();

	if (m)
		*m = (struct moment){ .vector = NR_SOFTIRQS };
	this_cpu_write(wait_origin_cpu.executor, NULL);
	if (vector == NET_RX_SOFTIRQ)
		this_cpu_write(wait_origin_cpu.sender, NULL);
}

static void wait_origin_timer(unsigned long function)
{
	struct moment *m = wait_origin_moment();

	if (m)
		m->timer = function;
}

static void wait_origin_hrtimer_starts(void *data, struct hrtimer *timer, tap_expiry_t now)
{
	wait_origin_timer((unsigned long)ACCESS_PRIVATE(timer, function));
}

static void wait_origin_hrtimer_ends(void *data, struct hrtimer *timer)
{
	wait_origin_timer(0);
}

static void wait_origin_timer_starts(void *data, struct timer_list *timer, unsigned long base)
{
	wait_origin_timer((unsigned long)timer->function);
}

static void wait_origin_timer_ends(void *data, struct timer_list *timer)
{
	wait_origin_timer(0);
}

/* Just before those that wait for it are woken up. */
static void wait_origin_disk(void *data, struct request *rq, tap_block_error_t error, unsigned int bytes)
{
	struct moment *m = wait_origin_moment();
	const struct gendisk *disk = tap_request_disk(rq);

	if (m && disk)
		wait_origin_text(m->disk, disk->disk_name);
}

/* Each packet that the softirq delivers: the last one before a wake-up has caused it. */
static void wait_origin_received(void *data, struct sk_buff *skb)
{
	struct moment *m = wait_origin_moment();

	if (m && m->vector == NET_RX_SOFTIRQ)
		wait_origin_text(m->device, skb->dev->name);
}

static void wait_origin_sent(void *data, struct sk_buff *skb)
{
	if (!wait_origin_level())
		this_cpu_write(wait_origin_cpu.sender, current);
}

static struct tap_listener listeners[] = {
	{ "irq_handler_entry", wait_origin_irq_starts }, { "irq_handler_exit", wait_origin_irq_ends },
	{ "softirq_entry", wait_origin_softirq_starts }, { "softirq_exit", wait_origin_softirq_ends },
	{ "hrtimer_expire_entry", wait_origin_hrtimer_starts }, { "hrtimer_expire_exit", wait_origin_hrtimer_ends },
	{ "timer_expire_entry", wait_origin_timer_starts }, { "timer_expire_exit", wait_origin_timer_ends },
	{ "block_rq_complete", wait_origin_disk }, { "netif_rx", wait_origin_sent },
	{ "netif_receive_skb", wait_origin_received },
};

/* The compiler compares the types. */
static void __maybe_unused wait_origin_check_types(void)
{
	check_trace_callback_type_irq_handler_entry(wait_origin_irq_starts);
	check_trace_callback_type_irq_handler_exit(wait_origin_irq_ends);
	check_trace_callback_type_softirq_entry(wait_origin_softirq_starts);
	check_trace_callback_type_softirq_exit(wait_origin_softirq_ends);
	check_trace_callback_type_hrtimer_expire_entry(wait_origin_hrtimer_starts);
	check_trace_callback_type_hrtimer_expire_exit(wait_origin_hrtimer_ends);
	check_trace_callback_type_timer_expire_entry(wait_origin_timer_starts);
	check_trace_callback_type_timer_expire_exit(wait_origin_timer_ends);
	check_trace_callback_type_block_rq_complete(wait_origin_disk);
	check_trace_callback_type_netif_rx(wait_origin_sent);
	check_trace_callback_type_netif_receive_skb(wait_origin_received);
}

int tap_wait_origin_start(void)
{
	return tap_listeners_start(listeners, ARRAY_SIZE(listeners));
}

void tap_wait_origin_stop(void)
{
	tap_listeners_stop(listeners, ARRAY_SIZE(listeners));
}
