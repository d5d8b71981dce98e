/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All differences between kernel versions. The rest of the runtime is written for the newest kernel; this file
 * adapts older ones to it. Oldest: 5.10. Differences between architectures are in arch/. */
#ifndef TAP_COMPAT_H
#define TAP_COMPAT_H

#include <linux/version.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/hrtimer.h>
#include <linux/timer.h>
#include <linux/timex.h>
#include <linux/uaccess.h>
#include <linux/blk_types.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#include <linux/hex.h>					/* hex_to_bin(); in kernel.h before */
#endif

/* Whether a thread has a list of the kretprobes whose functions it is in. */
#if defined(CONFIG_KRETPROBES) && !defined(CONFIG_KRETPROBE_ON_RETHOOK) && \
	LINUX_VERSION_CODE >= KERNEL_VERSION(5, 12, 0)
#define TAP_KRETPROBE_INSTANCES
#endif

#include "arch/arch.h"

#ifndef __no_stack_protector				/* 5.18 */
#define __no_stack_protector
#endif

/* ---- time ---- */

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#ifndef timer_container_of				/* 6.16 */
#define timer_container_of(var, timer, field) container_of(timer, typeof(*(var)), field)
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)	/* and the stable kernels based on it, which have both */
#define timer_delete_sync(timer) del_timer_sync(timer)
#endif

/* ---- deferred work ---- */

#include <linux/irq_work.h>
#ifndef IRQ_WORK_INIT					/* 5.11 */
#define IRQ_WORK_INIT(function) { .flags = ATOMIC_INIT(0), .func = (function) }
#endif

/* ---- files ---- */

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 17, 0)
#define pde_data(inode) PDE_DATA(inode)
#endif

#include <linux/fs.h>
static inline struct file *tap_file_open_root(const struct path *root, const char *name, int flags)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 13, 0)
	return file_open_root(root->dentry, root->mnt, name, flags, 0);
#else
	return file_open_root(root, name, flags, 0);
#endif
}

/* The time of the file's last modification, in ns. */
static inline u64 tap_inode_modified(const struct inode *inode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	struct timespec64 t = inode_get_mtime(inode);
#else
	struct timespec64 t = inode->i_mtime;
#endif
	return (u64)t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

/* ---- tracepoints ---- */

/* The arguments of sched_process_exit after the task. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define TAP_EXIT_MORE
#else
#define TAP_EXIT_MORE , bool tap_unused_group_dead
#endif

/* The arguments of sched_switch after the tasks. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 18, 0)
#define TAP_SWITCH_MORE
#else
#define TAP_SWITCH_MORE , unsigned int tap_unused_state
#endif

/* The error of block_rq_complete, and the time of hrtimer_expire_entry. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 16, 0)
typedef int tap_block_error_t;
#define tap_request_disk(rq) ((rq)->rq_disk)
#else
typedef blk_status_t tap_block_error_t;
#define tap_request_disk(rq) ((rq)->q->disk)
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
typedef ktime_t *tap_expiry_t;
#else
typedef ktime_t tap_expiry_t;
#endif

/* Whether contention_begin reports all locks for which threads sleep. */
#define TAP_CONTENTION (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0))

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 14, 0)
#define tap_task_state(task) READ_ONCE((task)->state)
#else
#define tap_task_state(task) READ_ONCE((task)->__state)
#endif

/* Whether a function called through a pointer must have exactly the pointer's type (kCFI). */
#if defined(CONFIG_CFI_CLANG) || defined(CONFIG_CFI)	/* before 6.18, and since */
#define TAP_TYPED_CALLS 1
#else
#define TAP_TYPED_CALLS 0
#endif

/* ---- memory, threads ---- */

/* Whether RCU frees the stack of a thread that has ended (kernel/fork.c, thread_stack_delayed_free()). */
#define TAP_RCU_STACKS (IS_ENABLED(CONFIG_VMAP_STACK) && LINUX_VERSION_CODE >= KERNEL_VERSION(5, 18, 0))

/* Returns false if TO cannot be written. Page faults are off. */
#define TAP_STORE_NOFAULT(type) \
	static inline bool tap_store_nofault_##type(void *to, type value) \
	{ \
		__put_kernel_nofault(to, &value, type, fault); \
		return true; \
	fault: \
		return false; \
	}
TAP_STORE_NOFAULT(u8)
TAP_STORE_NOFAULT(u16)
TAP_STORE_NOFAULT(u32)
TAP_STORE_NOFAULT(u64)
#define tap_store_nofault(to, value, type) tap_store_nofault_##type(to, value)

/* ---- cgroups ---- */

#ifdef CONFIG_CGROUPS
#include <linux/cgroup.h>
#define TAP_CGROUPS 1

/* The offset of the parent in a struct kernfs_node. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define TAP_KERNFS_PARENT offsetof(struct kernfs_node, parent)
#else
#define TAP_KERNFS_PARENT offsetof(struct kernfs_node, __parent)
#endif

/* In the hierarchy of version 2. The caller is a reader of RCU; TASK is current. */
static inline const struct cgroup *tap_task_cgroup(const struct task_struct *task)
{
	return rcu_dereference_raw(task->cgroups)->dfl_cgrp;
}

/* The number of the directory of CGROUP's ancestor at LEVEL, from 0, the root's, to its own. */
static inline u64 tap_cgroup_ancestor_id(const struct cgroup *cgroup, int level)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
	return cgroup->ancestor_ids[level];
#else
	return cgroup->ancestors[level]->kn->id;
#endif
}
#endif

/* ---- sockets ---- */

/* Rows of struct tap_name. Before 6.16 bits of struct socket.flags (linux/net.h) say what a socket passes on, since
 * then members of struct sock do. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define TAP_SOCKET_PASSES { 1ul << SOCK_PASSCRED, "PASSCRED" }, { 1ul << SOCK_PASSSEC, "PASSSEC" },
#else
#define TAP_SOCKET_PASSES
#endif

/* ---- performance counters ---- */

#include <linux/perf_event.h>
/* The I-th list of TASK's own counters. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
enum { TAP_PERF_CONTEXTS = perf_nr_task_contexts };
#define tap_perf_context(task, i) rcu_dereference((task)->perf_event_ctxp[i])
#else
enum { TAP_PERF_CONTEXTS = 1 };
#define tap_perf_context(task, i) rcu_dereference((task)->perf_event_ctxp)
#endif

/* ---- functions ---- */

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
#define TAP_FTRACE 1
#endif

#ifdef TAP_FTRACE
/* The registers that an ftrace callback gets: all of them if ops has FTRACE_OPS_FL_SAVE_REGS;
 * otherwise the arguments, ip and sp on x86 since 5.11, and none (NULL) before. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define ftrace_regs pt_regs
/* We guard against recursion ourselves. PERMANENT: while kernel.ftrace_enabled is 0 the start
 * fails, instead of probes without hits, and it cannot be switched off later. */
#define TAP_FTRACE_FLAGS (FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_PERMANENT)
#define TAP_FTRACE_ARGUMENTS 0
static __always_inline struct pt_regs *tap_ftrace_regs(struct ftrace_regs *fregs) { return fregs; }
#else
#define TAP_FTRACE_FLAGS FTRACE_OPS_FL_PERMANENT
#ifdef TAP_FTRACE_HAS_ARGUMENTS
#define TAP_FTRACE_ARGUMENTS 1
#ifndef arch_ftrace_regs				/* 6.13 and the stable kernels based on it */
#define arch_ftrace_regs(fregs) (fregs)
#endif
static __always_inline struct pt_regs *tap_ftrace_regs(struct ftrace_regs *fregs)
{
	return &arch_ftrace_regs(fregs)->regs;
}
#else
#define TAP_FTRACE_ARGUMENTS 0
static __always_inline struct pt_regs *tap_ftrace_regs(struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);

	if (regs)
		tap_ftrace_regs_complete(regs);
	return regs;
}
#endif
#endif

/* Setting a filter of n functions one at a time copies the filter n times. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 18, 0)
#define TAP_FTRACE_CHUNK 512
static inline int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips, unsigned int count,
					int remove, int reset)
{
	int err = 0;

	for (unsigned int i = 0; i < count && !err; i++)
		err = ftrace_set_filter_ip(ops, ips[i], remove, reset && i == 0);
	return err;
}
#else
#define TAP_FTRACE_CHUNK UINT_MAX
#endif

/* Frees the filter of an ftrace_ops that is not registered and is not used again. ftrace_free_filter() is exported from
 * 6.2 on, and by later 6.1. Before that an empty filter takes its place: this needs memory, and without any the filter
 * is lost. */
static inline void tap_ftrace_free_filter(struct ftrace_ops *ops)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 20)
	ftrace_set_filter(ops, NULL, 0, 1);
#else
	ftrace_free_filter(ops);
#endif
}
#endif /* TAP_FTRACE */

/* Where a CPU's preempt_count is, and the pointer to its task. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define TAP_PREEMPT_COUNT pcpu_hot.preempt_count
#define TAP_CURRENT pcpu_hot.current_task
#else
#define TAP_PREEMPT_COUNT __preempt_count
#define TAP_CURRENT current_task
#endif

/* Direct calls: a hooked function calls TRAMPOLINE instead of ftrace, if it has no other hook. TAP_DIRECT_OPS: the
 * kernel can do that for all functions of an ftrace_ops, and unregistering waits until no task is in a trampoline
 * of a module (ftrace_shutdown(), kernel/trace/ftrace.c), by the two functions that are named here. */
#if defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) && defined(CONFIG_X86_64) && defined(CONFIG_CC_IS_GCC) && \
	defined(CONFIG_PREEMPT_COUNT) && defined(CONFIG_TASKS_RCU) && LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
#define TAP_DIRECT_OPS 1
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define tap_direct_register register_ftrace_direct_multi
static inline int tap_direct_unregister(struct ftrace_ops *ops, unsigned long trampoline)
{
	return unregister_ftrace_direct_multi(ops, trampoline);
}
#else
#define tap_direct_register register_ftrace_direct
static inline int tap_direct_unregister(struct ftrace_ops *ops, unsigned long trampoline)
{
	return unregister_ftrace_direct(ops, trampoline, false);
}
#endif
/* The arguments of ftrace_ops.ops_func. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
#define TAP_OPS_COMMAND struct ftrace_ops *ops, enum ftrace_ops_cmd command
#else
#define TAP_OPS_COMMAND struct ftrace_ops *ops, unsigned long ip, enum ftrace_ops_cmd command
#endif
#ifndef X86_FEATURE_CALL_DEPTH				/* 6.2 */
#define X86_FEATURE_CALL_DEPTH (NCAPINTS * 32)
#endif
#endif

/* The module tap_gate can be built. It describes its stack for ORC only, and waits for idle tasks as ftrace does. */
#if defined(TAP_DIRECT_OPS) && defined(CONFIG_SMP) && defined(CONFIG_UNWINDER_ORC) && defined(CONFIG_TASKS_RUDE_RCU)
#define TAP_GATE 1
#endif

/* How many functions may have direct calls. Before 6.7 the kernel loses 32 KB for each one of more than 8,192, of all
 * users together (ftrace_add_rec_direct(), kernel/trace/ftrace.c). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
#define TAP_DIRECT_PLACES 2048
#else
#define TAP_DIRECT_PLACES 65536
#endif

/* In old kernels the idle loop calls traceable functions while RCU is not watching. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static __always_inline bool tap_rcu_is_surely_watching(void) { return !(current->flags & PF_IDLE); }
#else
static __always_inline bool tap_rcu_is_surely_watching(void) { return true; }
#endif
static __always_inline bool tap_rcu_is_watching(void)
{
	return likely(tap_rcu_is_surely_watching()) || rcu_is_watching();
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 15, 0)
static inline struct kretprobe *get_kretprobe(struct kretprobe_instance *ri) { return ri->rp; }
/* The registers at a return: their instruction pointer must be the address that is returned to. */
static inline void tap_return_to(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	instruction_pointer_set(regs, (unsigned long)ri->ret_addr);
}
#else
static inline void tap_return_to(struct kretprobe_instance *ri, struct pt_regs *regs) { }
#endif

/* A kretprobe whose own kprobe is disabled can serve as a return hook for any function with an
 * ftrace callback: its pre_handler needs only the registers. Before rethook (6.1) that handler
 * takes locks, and only the hit of a real kprobe is protected from meeting them again. */
#if defined(CONFIG_KRETPROBE_ON_RETHOOK) && defined(TAP_RETHOOK_BY_FTRACE) && defined(TAP_FTRACE)
#define TAP_RETURN_BY_FTRACE 1
#else
#define TAP_RETURN_BY_FTRACE 0
#endif

/* The read-only data of a module: since 6.4 in a separate memory area. */
static inline const u8 *tap_module_rodata(const struct module *module, u32 *size)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
	*size = module->mem[MOD_RODATA].size;
	return module->mem[MOD_RODATA].base;
#else
	*size = module->core_layout.ro_size - module->core_layout.text_size;
	return (const u8 *)module->core_layout.base + module->core_layout.text_size;
#endif
}

/* The size of a module's code, and of all its data. */
static inline void tap_module_sizes(s64 *text, s64 *data)
{
	const struct module *module = THIS_MODULE;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
	*text = module->mem[MOD_TEXT].size;
	*data = module->mem[MOD_DATA].size + module->mem[MOD_RODATA].size + module->mem[MOD_RO_AFTER_INIT].size;
#else
	*text = module->core_layout.text_size;
	*data = module->core_layout.size - module->core_layout.text_size;
#endif
}

/* ---- user space ---- */

#include <linux/magic.h>
#ifndef FUSE_SUPER_MAGIC				/* 5.18; it was in fs/fuse */
#define FUSE_SUPER_MAGIC 0x65735546
#endif

/* Makes the page at ADDRESS of the current process present, without waiting; its mappings are locked. 1: it is; 0,
 * -EAGAIN, -EBUSY: it may be later; otherwise it cannot be. */
static inline long tap_fault_in(unsigned long address)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)	/* before, it is implied */
	return get_user_pages(address, 1, FOLL_NOWAIT | FOLL_HONOR_NUMA_FAULT, NULL);
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
	return get_user_pages(address, 1, FOLL_NOWAIT, NULL);
#else
	return get_user_pages(address, 1, FOLL_NOWAIT, NULL, NULL);
#endif
}

#include <linux/uprobes.h>
struct uprobe;

/* Does the kernel replace a probed nop of ten bytes by a call (arch/x86/kernel/uprobes.c, can_optimize)? Not known for
 * those between 6.18, which did so with five bytes, and 7.2. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0) && defined(CONFIG_X86_64)
#define TAP_UPROBE_CALLS 1
#else
#define TAP_UPROBE_CALLS 0
#endif
/* COUNTER: offset in the file of a counter to increment while a consumer is registered; 0: none. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
static inline struct uprobe *tap_uprobe_register(struct inode *inode, loff_t offset, loff_t counter,
						 struct uprobe_consumer *consumer)
{
	int err = counter ? uprobe_register_refctr(inode, offset, counter, consumer) :
			    uprobe_register(inode, offset, consumer);

	return err ? ERR_PTR(err) : (struct uprobe *)consumer;
}
/* Handlers may still run until tap_uprobe_sync(). */
static inline void tap_uprobe_unregister(struct uprobe *uprobe, struct inode *inode, loff_t offset,
					 struct uprobe_consumer *consumer)
{
	uprobe_unregister(inode, offset, consumer);
}
static inline void tap_uprobe_sync(void) { }
#define TAP_UPROBE_FILTER_MORE , enum uprobe_filter_ctx why
#else
#define tap_uprobe_register uprobe_register
static inline void tap_uprobe_unregister(struct uprobe *uprobe, struct inode *inode, loff_t offset,
					 struct uprobe_consumer *consumer)
{
	uprobe_unregister_nosync(uprobe, consumer);
}
#define tap_uprobe_sync uprobe_unregister_sync
#define TAP_UPROBE_FILTER_MORE
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define TAP_UPROBE_MORE
#else
#define TAP_UPROBE_MORE , __u64 *tap_unused_data
#endif

/* user_mode() for const registers: on x86 it takes a pointer to others. */
static inline bool tap_in_user_mode(const struct pt_regs *regs)
{
	return user_mode((struct pt_regs *)regs);
}

/* Kernel threads that borrow a process's memory, and threads of a process that never run in user space. */
#ifdef PF_USER_WORKER					/* 6.4 */
#define TAP_NO_USER (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER)
#elif defined(PF_IO_WORKER)
#define TAP_NO_USER (PF_KTHREAD | PF_IO_WORKER)
#else
#define TAP_NO_USER PF_KTHREAD
#endif

/* ---- embedded C in scripts, which may be written for older kernels ---- */

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
#define strlcpy(to, from, size) strscpy(to, from, size)
#endif
/* Names of SystemTap's for what it detects in the kernel. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 10, 220)	/* 5.11, and the stable kernels based on 5.10 */
#define STAPCONF_FILES_LOOKUP_FD_RAW 1
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define STAPCONF_LINUX_FILELOCK_H 1
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
#define STAPCONF_DO_SOCK_GETSOCKOPT 1
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
#define STAPCONF_FILE_LOCK_CORE 1
#endif

#endif
