// SPDX-License-Identifier: GPL-2.0-or-later
/* A minimal kernel module that does the same work, for comparison. For 6.1.
 *
 * 	insmod bare.ko mode=ftrace|regs|kprobe|kretprobe|latency|timer|tracepoint [functions=GLOB:GLOB]
 * 	insmod bare.ko mode=uprobe|uretprobe path=PROGRAM place=OFFSET */
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/tracepoint.h>
#include <linux/uprobes.h>

static char *mode = "empty";
module_param(mode, charp, 0);
static char *functions = "security_file_fcntl";
module_param(functions, charp, 0);
static ulong period = 1000000;
module_param(period, ulong, 0);
static char *path = "";
module_param(path, charp, 0);
static ulong place;
module_param(place, ulong, 0);
static ulong attach_ns;
module_param(attach_ns, ulong, 0444);

static DEFINE_PER_CPU(u64, hits);
static DEFINE_PER_CPU(u64 [64], histogram);

static void notrace on_ftrace(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			      struct ftrace_regs *regs)
{
	this_cpu_inc(hits);
}

static struct ftrace_ops ops = { .func = on_ftrace };

static int on_kprobe(struct kprobe *p, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static struct kprobe kprobe = { .symbol_name = "security_file_fcntl", .pre_handler = on_kprobe };

static int on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static struct kretprobe kretprobe = { .kp.symbol_name = "security_file_fcntl", .handler = on_return };

static int on_latency_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	*(u64 *)ri->data = ktime_get_ns();
	return 0;
}

static int on_latency_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	this_cpu_inc(histogram[ilog2((ktime_get_ns() - *(u64 *)ri->data) | 1)]);
	return 0;
}

static struct kretprobe latency = {
	.kp.symbol_name = "security_file_fcntl", .entry_handler = on_latency_entry,
	.handler = on_latency_return, .data_size = sizeof(u64),
};

static enum hrtimer_restart on_timer(struct hrtimer *t)
{
	this_cpu_inc(hits);
	hrtimer_forward_now(t, ns_to_ktime(period));
	return HRTIMER_RESTART;
}

static struct hrtimer timer;

static void on_rename(void *data, struct task_struct *task, const char *name)
{
	this_cpu_inc(hits);
}

static struct tracepoint *renames;

static void find_renames(struct tracepoint *t, void *data)
{
	if (!strcmp(t->name, "task_rename"))
		renames = t;
}

static int on_uprobe(struct uprobe_consumer *consumer, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static int on_uretprobe(struct uprobe_consumer *consumer, unsigned long function, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static struct uprobe_consumer consumer;
static struct path program;

static int attach_user(void)
{
	int err = kern_path(path, LOOKUP_FOLLOW, &program);

	if (err)
		return err;
	if (!strcmp(mode, "uprobe"))
		consumer.handler = on_uprobe;
	else
		consumer.ret_handler = on_uretprobe;
	return uprobe_register(d_real_inode(program.dentry), place, &consumer);
}

static int hook(void)
{
	char *rest = functions, *glob;
	int err = 0;

	while (!err && (glob = strsep(&rest, ":")))
		err = ftrace_set_filter(&ops, glob, strlen(glob), 0);
	return err ?: register_ftrace_function(&ops);
}

static int attach(void)
{
	if (!strcmp(mode, "ftrace"))
		return hook();
	if (!strcmp(mode, "regs")) {
		ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
		return hook();
	}
	if (!strcmp(mode, "kprobe"))
		return register_kprobe(&kprobe);
	if (!strcmp(mode, "kretprobe"))
		return register_kretprobe(&kretprobe);
	if (!strcmp(mode, "latency"))
		return register_kretprobe(&latency);
	if (!strcmp(mode, "tracepoint")) {
		for_each_kernel_tracepoint(find_renames, NULL);
		return renames ? tracepoint_probe_register(renames, on_rename, NULL) : -ENOENT;
	}
	if (*path)
		return attach_user();
	if (!strcmp(mode, "timer")) {
		hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
		timer.function = on_timer;
		hrtimer_start(&timer, ns_to_ktime(period), HRTIMER_MODE_REL);
	}
	return 0;
}

static void detach(void)
{
	if (ops.flags & FTRACE_OPS_FL_ENABLED) {
		unregister_ftrace_function(&ops);
		ftrace_free_filter(&ops);
	}
	if (!strcmp(mode, "kprobe"))
		unregister_kprobe(&kprobe);
	if (!strcmp(mode, "kretprobe"))
		unregister_kretprobe(&kretprobe);
	if (!strcmp(mode, "latency"))
		unregister_kretprobe(&latency);
	if (!strcmp(mode, "timer"))
		hrtimer_cancel(&timer);
	if (renames) {
		tracepoint_probe_unregister(renames, on_rename, NULL);
		tracepoint_synchronize_unregister();
	}
	if (*path) {
		uprobe_unregister(d_real_inode(program.dentry), place, &consumer);
		path_put(&program);
	}
}

static int __init bare_init(void)
{
	u64 begun = ktime_get_ns();
	int err = attach();

	attach_ns = ktime_get_ns() - begun;
	return err;
}

static void __exit bare_exit(void)
{
	u64 begun = ktime_get_ns();

	detach();
	pr_info("bare: detached in %llu ns\n", ktime_get_ns() - begun);
}

module_init(bare_init);
module_exit(bare_exit);
MODULE_LICENSE("GPL");
