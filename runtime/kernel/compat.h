/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All differences between kernel versions, and all code for particular machines. The rest of
 * the runtime is written for the newest kernel; this file adapts older ones to it. Oldest:
 * 5.10. */
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
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#include <linux/hex.h>					/* hex_to_bin(); in kernel.h before */
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

/* A counter that is cheap to read (ordered: not before earlier instructions), its rate per second or 0, and whether
 * it is the same on all CPUs. Also whether we run in a virtual machine, whose host may take a CPU away for a while. */
#ifdef CONFIG_X86
#include <asm/tsc.h>
static __always_inline u64 tap_cycles(void) { return rdtsc(); }
static __always_inline u64 tap_cycles_ordered(void) { return rdtsc_ordered(); }
static inline u64 tap_cycles_rate(void) { return (u64)tsc_khz * 1000; }
static inline bool tap_are_cycles_steady(void) { return !check_tsc_unstable(); }
static inline bool tap_is_virtual_machine(void) { return boot_cpu_has(X86_FEATURE_HYPERVISOR); }
#elif defined(CONFIG_ARM64)
#include <asm/arch_timer.h>
static __always_inline u64 tap_cycles(void) { return get_cycles(); }
static __always_inline u64 tap_cycles_ordered(void) { isb(); return get_cycles(); }
static inline u64 tap_cycles_rate(void) { return arch_timer_get_cntfrq(); }
static inline bool tap_are_cycles_steady(void) { return true; }
#else
static __always_inline u64 tap_cycles(void) { return get_cycles(); }
static __always_inline u64 tap_cycles_ordered(void) { return get_cycles(); }
static inline u64 tap_cycles_rate(void) { return 0; }
static inline bool tap_are_cycles_steady(void) { return false; }
#endif

#ifndef CONFIG_X86			/* other machines have no general way to detect a guest */
static inline bool tap_is_virtual_machine(void) { return false; }
#endif

/* Whether the kernel derives its clocks from tap_cycles(). */
#include <linux/clocksource.h>
static inline bool tap_is_counter(const struct clocksource *source)
{
#ifdef CONFIG_X86
	return source->vdso_clock_mode == VDSO_CLOCKMODE_TSC;
#elif defined(CONFIG_ARM64)
	return source->vdso_clock_mode == VDSO_CLOCKMODE_ARCHTIMER;
#else
	return false;
#endif
}

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

/* The address of the current thread's storage, as its own code sees it. */
#ifdef CONFIG_X86
#include <asm/desc.h>
#include <asm/fsgsbase.h>
/* 32-bit programs have theirs in a descriptor selected by %gs, which keeps the program's value in the kernel. */
static inline unsigned long tap_narrow_thread_pointer(void)
{
	unsigned int selector;

	savesegment(gs, selector);
	selector = (selector >> 3) - GDT_ENTRY_TLS_MIN;
	return selector < GDT_ENTRY_TLS_ENTRIES ? get_desc_base(&current->thread.tls_array[selector]) : 0;
}
static inline unsigned long tap_thread_pointer(void)
{
	return test_thread_flag(TIF_ADDR32) ? tap_narrow_thread_pointer() : x86_fsbase_read_cpu();
}
#elif defined(CONFIG_ARM64)
static inline unsigned long tap_thread_pointer(void) { return read_sysreg(tpidr_el0); }
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

/* Sets argument N (from 0) of the system call that is being entered. */
static inline void tap_syscall_argument_set(struct pt_regs *regs, u32 n, unsigned long value, bool compat)
{
#ifdef CONFIG_X86
	unsigned long *const native[] = { &regs->di, &regs->si, &regs->dx, &regs->r10, &regs->r8, &regs->r9 };
	unsigned long *const narrow[] = { &regs->bx, &regs->cx, &regs->dx, &regs->si, &regs->di, &regs->bp };

	*(compat ? narrow : native)[n] = compat ? (u32)value : value;
#else
	regs->regs[n] = value;
	if (!n)
		regs->orig_x0 = value;
#endif
}

/* ---- functions ---- */

/* The first instruction of a function on kernels where indirect calls must land on ENDBR, and
 * so what is between a function's address and its ftrace site: ENDBR64, or what the kernel
 * replaces it by if the function is never called through a pointer (gen_endbr_poison() before
 * and since 6.10). */
#ifdef CONFIG_X86_KERNEL_IBT
static inline u32 tap_function_skip(unsigned long function)
{
	u32 first;

	if (copy_from_kernel_nofault(&first, (void *)function, sizeof(first)))
		return 0;
	return first == 0xfa1e0ff3 || first == 0x001f0f66 || first == 0xd6401f0f ? 4 : 0;
}
#else
static inline u32 tap_function_skip(unsigned long function) { return 0; }
#endif

/* The distance between a kprobe at a function's entry and the address that ftrace passes to its callbacks: on arm64
 * "bti c", if the kernel uses it, and "mov x9, x30", a nop until boot has set it; the call is after these
 * (arch/arm64/kernel/ftrace.c, ftrace_call_adjust()). The first may already be a kprobe's "brk". */
#ifdef CONFIG_ARM64
static inline u32 tap_ftrace_skip(unsigned long function)
{
	const u32 move = 0xaa1e03e9, nop = 0xd503201f, bti = 0xd503245f, brk = 0xd4200000;
	u32 first[2];
	bool is_probed;

	if (copy_from_kernel_nofault(first, (void *)function, sizeof(first)))
		return 0;
	is_probed = (first[0] & 0xffe0001f) == brk;
	if ((is_probed || first[0] == bti) && first[1] == move)
		return 8;
	return is_probed || first[0] == move || first[0] == nop ? 4 : 0;
}
#else
static inline u32 tap_ftrace_skip(unsigned long function) { return 0; }
#endif

/* int3 kprobes and hardware breakpoints interrupt like an NMI, and preempt_count shows that. */
#ifdef CONFIG_X86
#define TAP_BREAKPOINT_COUNT (NMI_OFFSET + HARDIRQ_OFFSET)
#define TAP_BREAKPOINT 0xcc
#endif

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
#ifdef CONFIG_X86
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

#ifdef CONFIG_ARM64
	if (regs)
		regs->pstate = PSR_MODE_EL1h;	/* is not saved */
#endif
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
#endif /* TAP_FTRACE */

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
#if defined(CONFIG_KRETPROBE_ON_RETHOOK) && defined(CONFIG_X86) && defined(TAP_FTRACE)
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

static inline bool tap_is_32bit_program(void)
{
#ifdef CONFIG_X86
	return test_thread_flag(TIF_ADDR32);
#else
	return test_thread_flag(TIF_32BIT);
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

#include <linux/uprobes.h>
struct uprobe;

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

/* user_mode() for const registers: on x86 it takes a non-const pointer since 7.x. */
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

/* The address of the vdso in this process's memory; 0: none. */
#if defined(CONFIG_X86) || defined(CONFIG_ARM64)
static inline unsigned long tap_vdso(const struct mm_struct *mm) { return (unsigned long)mm->context.vdso; }
#else
static inline unsigned long tap_vdso(const struct mm_struct *mm) { return 0; }
#endif

/* Gets the registers by the numbers of tap_image.h, the instruction pointer as number 16; NARROW: a stack word has
 * 4 bytes. Returns false for an unsupported kind of program. Followed by the other machine-dependent properties of
 * stacks, see core/unwind.h. */
#ifdef CONFIG_X86_64
#include <asm/processor.h>
#define TAP_RETURN_SIGNATURE 0ul
#define TAP_RECORDS_FLOAT false
static inline bool tap_user_frame(struct pt_regs *r, u64 registers[17], bool *narrow)
{
	const u64 numbered[17] = { r->ax, r->dx, r->cx, r->bx, r->si, r->di, r->bp, r->sp, r->r8, r->r9,
				   r->r10, r->r11, r->r12, r->r13, r->r14, r->r15, r->ip };

	memcpy(registers, numbered, sizeof(numbered));
	*narrow = !user_64bit_mode(r);
	return true;
}
/* Whether the 7 bytes before a return address end in a call: E8; FF /2 followed by up to 5
 * bytes. */
#define TAP_BEFORE_RETURN 7
static inline bool tap_is_call_before(const u8 code[TAP_BEFORE_RETURN])
{
	if (code[2] == 0xe8)
		return true;
	for (int i = 0; i < TAP_BEFORE_RETURN - 1; i++)
		if (i != 2 && code[i] == 0xff && (code[i + 1] >> 3 & 7) == 2)
			return true;
	return false;
}
#elif defined(CONFIG_ARM64)
static inline bool tap_user_frame(struct pt_regs *r, u64 registers[17], bool *narrow)
{
	const u64 *x = r->regs;
	const u64 numbered[17] = { x[19], x[20], x[21], x[22], x[23], x[24], x[29], r->sp, x[25], x[26], x[27], x[28],
				   x[30], [16] = r->pc };

	memcpy(registers, numbered, sizeof(numbered));
	*narrow = false;
	return !compat_user_mode(r);
}
#define TAP_BEFORE_RETURN 4
/* BL; BLR and its variants that authenticate the pointer (Arm ARM, C4.1.66). */
static inline bool tap_is_call_before(const u8 code[TAP_BEFORE_RETURN])
{
	u32 word = code[0] | code[1] << 8 | code[2] << 16 | (u32)code[3] << 24;

	return (word & 0xfc000000) == 0x94000000 || (word & 0xfefff000) == 0xd63f0000;
}
/* Pointer authentication signs return addresses in the bits above a process's address space. */
#define TAP_RETURN_SIGNATURE (~(TASK_SIZE_MAX - 1))
#define TAP_RECORDS_FLOAT true
#else
#define TAP_RETURN_SIGNATURE 0ul
#define TAP_RECORDS_FLOAT false
static inline bool tap_user_frame(struct pt_regs *r, u64 registers[17], bool *narrow)
{
	memset(registers, 0, 17 * sizeof(registers[0]));
	registers[16] = instruction_pointer(r);
	*narrow = false;
	return false;
}
#define TAP_BEFORE_RETURN 1
static inline bool tap_is_call_before(const u8 code[TAP_BEFORE_RETURN]) { return false; }
#endif

/* Whether uprobes.c identifies a return by the stack slot of the return address, or by the stack pointer. */
#define TAP_RETURN_ON_STACK IS_ENABLED(CONFIG_X86)

/* The difference between the stack pointer before the call and at the entry of a program's function; and how much
 * higher it may be at the return: functions for 32-bit x86 that return a struct, and some others, pop arguments off
 * the stack. */
#ifdef CONFIG_X86_64
static inline unsigned long tap_return_pops(struct pt_regs *regs) { return user_64bit_mode(regs) ? 8 : 4; }
static inline unsigned long tap_return_slack(struct pt_regs *regs) { return user_64bit_mode(regs) ? 0 : 64; }
#else
static inline unsigned long tap_return_pops(struct pt_regs *regs) { return 0; }
static inline unsigned long tap_return_slack(struct pt_regs *regs) { return 0; }
#endif

/* At a function's entry, the address that the call returns to: in the kernel, and in a process (false: its page is
 * not in memory). */
#ifdef CONFIG_X86
static inline unsigned long tap_return_address(struct pt_regs *regs)
{
	return *(unsigned long *)regs->sp;
}

static inline bool tap_user_return_address(struct pt_regs *regs, unsigned long *at)
{
	*at = 0;
	return !copy_from_user_nofault(at, (void __user *)regs->sp, user_64bit_mode(regs) ? 8 : 4);
}

/* The target of the direct call that returns to BACK: in the kernel, where it may skip the ENDBR at the start of
 * the function, and in a process; 0 if that is no direct call. */
static inline unsigned long tap_called_before(unsigned long back)
{
	struct { u8 call; s32 distance; } __packed code;

	if (copy_from_kernel_nofault(&code, (void *)(back - sizeof(code)), sizeof(code)) || code.call != 0xe8)
		return 0;
	back += code.distance;
	return tap_function_skip(back - 4) == 4 ? back - 4 : back;
}

static inline unsigned long tap_called_before_by_user(unsigned long back)
{
	struct { u8 call; s32 distance; } __packed code;

	if (copy_from_user_nofault(&code, (void __user *)(back - sizeof(code)), sizeof(code)) || code.call != 0xe8)
		return 0;
	return back + code.distance;
}
#elif defined(CONFIG_ARM64)
static inline unsigned long tap_called_before(unsigned long back) { return 0; }
static inline unsigned long tap_called_before_by_user(unsigned long back) { return 0; }

/* A kretprobe's breakpoint runs before ftrace and replaces the return address by a trampoline's; its instance has
 * the original, identified by the stack pointer at the entry (arch/arm64/kernel/probes/kprobes.c, 6.1). */
static inline unsigned long tap_return_address(struct pt_regs *regs)
{
	enum { MOST = 64 };
	unsigned long back = regs->regs[30];
#if defined(CONFIG_KRETPROBES) && !defined(CONFIG_KRETPROBE_ON_RETHOOK) && LINUX_VERSION_CODE >= KERNEL_VERSION(5, 12, 0)
	const struct llist_node *at = READ_ONCE(current->kretprobe_instances.first);
	struct kretprobe_instance ri;

	for (u32 i = 0; at && i < MOST; i++, at = ri.llist.next) {
		if (copy_from_kernel_nofault(&ri, container_of(at, struct kretprobe_instance, llist), sizeof(ri)) ||
		    (unsigned long)ri.fp != regs->sp)
			break;
		back = (unsigned long)ri.ret_addr;
	}
#endif
	return back;
}

static inline bool tap_user_return_address(struct pt_regs *regs, unsigned long *at)
{
	*at = regs->regs[30];
	return true;
}
#endif

/* ---- embedded C in scripts, which may be written for older kernels ---- */

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
#define strlcpy(to, from, size) strscpy(to, from, size)
#endif

#endif
