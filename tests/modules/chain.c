// SPDX-License-Identifier: GPL-2.0-or-later
/* A module whose functions call each other in known chains, when /proc/chain is written:
 * 	task N		chain_top -> chain_middle, twice -> chain_bottom, three times each; all that N times
 * 	irq		chain_bottom in an interrupt, while the writer waits in chain_spin
 * 	nmi		chain_nmi in an NMI, while the writer waits in chain_spin; not on machines without NMIs
 * 	deep N		chain_deep calls itself N times, then chain_bottom
 * 	sleep		chain_sleep waits there until it is killed */
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#ifdef CONFIG_X86
#include <asm/apic.h>
#include <asm/nmi.h>
#endif

#define KEPT __attribute__((noipa))

static struct proc_dir_entry *entry;
static volatile int done;

KEPT int chain_bottom(int n)
{
	void *p = kmalloc(n + 1, GFP_ATOMIC);		/* a tracepoint */

	kfree(p);
	barrier();
	return n;
}

KEPT int chain_middle(int n)
{
	int sum = 0;

	for (int i = 0; i < 3; i++)
		sum += chain_bottom(i);
	return sum + n;
}

KEPT int chain_top(int n)
{
	return chain_middle(n) + chain_middle(n + 1) + 1;
}

KEPT int chain_deep(int n)
{
	int below = n > 1 ? chain_deep(n - 1) : chain_bottom(n);

	barrier();					/* otherwise it would become a loop */
	return below + 1;
}

static enum hrtimer_restart ticked(struct hrtimer *timer)
{
	chain_bottom(100);
	done = 1;
	return HRTIMER_NORESTART;
}

static struct hrtimer timer;

KEPT int chain_nmi(void)
{
	barrier();
	return 0;
}

#ifdef CONFIG_X86
static int got_nmi(unsigned int kind, struct pt_regs *regs)
{
	if (done)
		return NMI_DONE;
	chain_nmi();
	done = 1;
	return NMI_HANDLED;
}

static void send_nmi(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
	apic->send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
#else
	__apic_send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
#endif
}

static int open_nmi(void) { return register_nmi_handler(NMI_LOCAL, got_nmi, 0, "chain"); }
static void close_nmi(void) { unregister_nmi_handler(NMI_LOCAL, "chain"); }
#else
static void send_nmi(void) { done = 1; }
static int open_nmi(void) { return 0; }
static void close_nmi(void) { }
#endif

static void start_timer(void)
{
	const enum hrtimer_mode mode = HRTIMER_MODE_REL_PINNED_HARD;

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
	hrtimer_init(&timer, CLOCK_MONOTONIC, mode);
	timer.function = ticked;
#else
	hrtimer_setup(&timer, ticked, CLOCK_MONOTONIC, mode);
#endif
	hrtimer_start(&timer, ns_to_ktime(40000000), mode);
}

KEPT void chain_spin(void (*start)(void))
{
	preempt_disable();
	done = 0;
	start();
	/* and long enough for samples, even if a guest gets little processor time */
	for (int n = 0; !done || n < 100000; n++)
		cpu_relax();
	preempt_enable();
}

KEPT int chain_sleep(void)
{
	int err = 0;

	while (!signal_pending(current)) {
		set_current_state(TASK_INTERRUPTIBLE);
		schedule();
	}
	barrier();
	return err;
}

static ssize_t chain_write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	char text[32] = "";
	int n = 1;

	if (size >= sizeof(text) || copy_from_user(text, from, size))
		return -EINVAL;
	if (sscanf(text, "task %d", &n))
		for (; n; n--)
			chain_top(n);
	else if (!strncmp(text, "irq", 3))
		chain_spin(start_timer);
	else if (!strncmp(text, "nmi", 3))
		chain_spin(send_nmi);
	else if (sscanf(text, "deep %d", &n))
		chain_deep(n);
	else
		chain_sleep();
	return size;
}

static const struct proc_ops ops = { .proc_write = chain_write };

static int __init chain_init(void)
{
	int err;

	done = 1;
	err = open_nmi();
	if (err)
		return err;
	entry = proc_create("chain", 0200, NULL, &ops);
	if (!entry)
		close_nmi();
	return entry ? 0 : -ENOMEM;
}
module_init(chain_init);

static void __exit chain_exit(void)
{
	proc_remove(entry);
	close_nmi();
}
module_exit(chain_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("known chains of calls, for tests");
