// SPDX-License-Identifier: GPL-2.0-or-later
/* Each CPU has a ring of blocks. Only its own handlers write to it, which nest like interrupts: a cmpxchg that is
 * atomic on this CPU only reserves room for an event and counts it. The time is taken before that; if a handler on top
 * has written meanwhile, the cmpxchg fails and the time is taken again. So the events of a CPU are in the order of
 * time.
 *
 * Blocks are cleared before they are used again, and an event's first word is written last: a reader sees 0 or a whole
 * event. Its copy of a block is valid if the block had its number before, and its ring had not come around to it after.
 * So a snapshot takes no lock and stops nothing.
 *
 * The kernel's events call this file directly, without a frame, as nothing in here can fail. */
#include "recorder.h"

#include <linux/cpuhotplug.h>
#include <linux/hash.h>
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <asm/syscall.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>
#include <trace/events/syscalls.h>

#include "clock.h"
#include "compat.h"
#include "context.h"
#include "core/string.h"
#include "deferred.h"
#include "files.h"
#include "message.h"
#include "tap_recorder.h"
#include "tracepoints.h"

enum {
	HEAD = sizeof(struct tap_recorder_block),
	NO_ROOM = TAP_RECORDER_BLOCK - 1,	/* offset without memory */
	LEAST_BLOCKS = 4,		/* of a CPU */
	MOST_MEGABYTES = 1 << 20,
	NAMES = 512, NAME_PROBES = 16,
	NEW_THREADS = 64,		/* that may start while they are counted */
};

struct recorder_cpu {
	u64 head;			/* events << 32 | offset of the next one in data, in bytes; or NO_ROOM */
	u8 *data;			/* NULL: this CPU has not been online since the start */
	u32 size;
	bool turning;			/* the next block is being prepared */
	u64 newest;			/* number of the block that was begun last */
	u64 events;			/* before it */
};
static DEFINE_PER_CPU(struct recorder_cpu, recorder_cpu) = { .head = NO_ROOM };

/* FREE -> BUSY -> READY, and stays so. */
enum { NAME_FREE, NAME_BUSY, NAME_READY };
struct recorder_name {
	u32 state, size;
	char text[56];
};

/* FREE -> BUSY (being filled) -> REQUESTED -> READ -> FREE. */
enum { REQUEST_FREE, REQUEST_BUSY, REQUEST_MADE, REQUEST_READ };
static struct {
	u32 state;
	u64 number, from, to;
	atomic64_t refused;
} request;

static struct recorder_name *names;
static bool active;
static atomic64_t missed;
static DECLARE_WAIT_QUEUE_HEAD(readers);

/* ---- writing ---- */

static struct tap_recorder_block *recorder_block(const struct recorder_cpu *cpu, u64 number)
{
	return (void *)(cpu->data + (number - 1) % (cpu->size / TAP_RECORDER_BLOCK) * TAP_RECORDER_BLOCK);
}

/* An NMI on top may add events to the block before until head refers to the new one. */
static void recorder_begin_block(struct recorder_cpu *cpu)
{
	u64 number = cpu->newest + 1, head, next;
	struct tap_recorder_block *b = recorder_block(cpu, number);

	WRITE_ONCE(cpu->newest, number);
	smp_wmb();		/* pairs with recorder_copy_block */
	memset(b, 0, TAP_RECORDER_BLOCK);
	b->begun = tap_clock();
	b->thread = current->pid;
	do {
		head = READ_ONCE(cpu->head);
		b->events = cpu->events + (u32)((head >> 32) - cpu->events);
		next = head >> 32 << 32 | ((u8 *)b - cpu->data + HEAD);
	} while (cmpxchg_local(&cpu->head, head, next) != head);
	cpu->events = b->events;
	smp_store_release(&b->number, number);
}

/* The block has no room, or is too old for the event's time. False: an NMI came while that was done. */
static noinline bool recorder_turn(struct recorder_cpu *cpu, u64 seen)
{
	unsigned long flags;
	bool good;

	raw_local_irq_save(flags);
	good = cpu->data && !cpu->turning;
	if (good) {
		cpu->turning = true;
		barrier();
		if (READ_ONCE(cpu->head) == seen)
			recorder_begin_block(cpu);
		barrier();
		cpu->turning = false;
	}
	raw_local_irq_restore(flags);
	if (!good)
		atomic64_inc(&missed);
	return good;
}

static __always_inline u64 recorder_begun(const struct recorder_cpu *cpu, u32 at)
{
	return ((const struct tap_recorder_block *)(cpu->data + (at & -TAP_RECORDER_BLOCK)))->begun;
}

/* The last word of a block is never used, so that head stays in it. */
static __always_inline bool recorder_has_room(u32 at, u32 size)
{
	return at % TAP_RECORDER_BLOCK + size < TAP_RECORDER_BLOCK;
}

static __always_inline bool recorder_reserve(struct recorder_cpu *cpu, u64 head, u32 size)
{
	return cmpxchg_local(&cpu->head, head, head + (1ull << 32) + size) == head;
}

static __always_inline void recorder_put_event(u64 *to, u32 words, u64 word, const u64 *more)
{
	for (u32 i = 1; i < words; i++)
		to[i] = more[i - 1];
	smp_store_release(to, word);
}

static noinline void recorder_write_otherwise(u32 kind, u32 argument, const u64 *more)
{
	struct recorder_cpu *cpu = this_cpu_ptr(&recorder_cpu);
	u32 words = tap_recorded_words(kind), size = words * sizeof(u64), at;
	u64 head, since;

	for (;;) {
		head = READ_ONCE(cpu->head);
		at = (u32)head;
		since = recorder_has_room(at, size) ? tap_clock() - recorder_begun(cpu, at) : U64_MAX;
		if (since >> 32) {
			if (!recorder_turn(cpu, head))
				return;
		} else if (recorder_reserve(cpu, head, size)) {
			break;
		}
	}
	recorder_put_event((u64 *)(cpu->data + at), words, tap_recorded_word(since, kind, argument), more);
}

/* An event of this many WORDS. What is usual needs no call, so few registers are saved. */
static __always_inline void recorder_write_words(u32 words, u32 kind, u32 argument, const u64 *more)
{
	struct recorder_cpu *cpu = this_cpu_ptr(&recorder_cpu);
	u64 rate = READ_ONCE(tap_clock_base.rate), head = READ_ONCE(cpu->head), since;
	u32 at = (u32)head, size = words * sizeof(u64);

	if (likely(rate && recorder_has_room(at, size))) {
		since = tap_clock_counted(rate) - recorder_begun(cpu, at);
		if (likely(!(since >> 32) && recorder_reserve(cpu, head, size))) {
			recorder_put_event((u64 *)(cpu->data + at), words, tap_recorded_word(since, kind, argument),
					   more);
			return;
		}
	}
	recorder_write_otherwise(kind, argument, more);
}

static __always_inline void recorder_write(u32 kind, u32 argument)
{
	recorder_write_words(1, kind, argument, NULL);
}

/* ---- the kernel's events ---- */

static void recorder_switched(void *data, bool preempted, struct task_struct *from,
			      struct task_struct *to TAP_SWITCH_MORE)
{
	recorder_write(preempted || !tap_task_state(from) ? TAP_RECORDED_PREEMPT : TAP_RECORDED_SLEEP, to->pid);
}

static void recorder_waking(void *data, struct task_struct *task)
{
	recorder_write(TAP_RECORDED_WAKE, task->pid);
}

static void recorder_new(void *data, struct task_struct *task)
{
	recorder_write(TAP_RECORDED_NEW, task->pid);
}

static u32 recorder_call_number(long number)
{
	return (number & (TAP_RECORDED_NARROW - 1)) | (tap_is_32bit_program() ? TAP_RECORDED_NARROW : 0);
}

/* The kernel may call these with preemption on, since 6.13. */
static void recorder_called(void *data, struct pt_regs *regs, long number)
{
	preempt_disable_notrace();
	recorder_write(TAP_RECORDED_CALL, recorder_call_number(number));
	preempt_enable_notrace();
}

static void recorder_returned(void *data, struct pt_regs *regs, long result)
{
	preempt_disable_notrace();
	recorder_write(TAP_RECORDED_RETURN, recorder_call_number(syscall_get_nr(current, regs)));
	preempt_enable_notrace();
}

static void recorder_faulted(void *data, unsigned long address, struct pt_regs *regs, unsigned long error)
{
	recorder_write(TAP_RECORDED_FAULT_USER, 0);
}

static void recorder_faulted_in_kernel(void *data, unsigned long address, struct pt_regs *regs, unsigned long error)
{
	recorder_write(TAP_RECORDED_FAULT_KERNEL, 0);
}

static void recorder_irq_starts(void *data, int irq, struct irqaction *action)
{
	recorder_write(TAP_RECORDED_IRQ, irq);
}

static void recorder_irq_ends(void *data, int irq, struct irqaction *action, int result)
{
	recorder_write(TAP_RECORDED_IRQ_END, irq);
}

static void recorder_softirq_starts(void *data, unsigned int vector)
{
	recorder_write(TAP_RECORDED_SOFTIRQ, vector);
}

static void recorder_softirq_ends(void *data, unsigned int vector)
{
	recorder_write(TAP_RECORDED_SOFTIRQ_END, vector);
}

/* A snapshot knows the names of threads that exist when it is read; others have left theirs here. */
static void recorder_exited(void *data, struct task_struct *task TAP_EXIT_MORE)
{
	u64 more[3] = { task->tgid };

	BUILD_BUG_ON(TASK_COMM_LEN != 2 * sizeof(u64));
	memcpy(more + 1, task->comm, TASK_COMM_LEN);
	preempt_disable_notrace();
	recorder_write_words(tap_recorded_words(TAP_RECORDED_EXIT), TAP_RECORDED_EXIT, task->pid, more);
	preempt_enable_notrace();
}

static struct tap_listener switches[] = {
	{ "sched_switch", recorder_switched }, { "sched_process_exit", recorder_exited },
};
static struct tap_listener wakeups[] = {
	{ "sched_waking", recorder_waking }, { "sched_wakeup_new", recorder_new },
};
static struct tap_listener calls[] = {
	{ "sys_enter", recorder_called }, { "sys_exit", recorder_returned },
};
static struct tap_listener faults[] = {
	{ "page_fault_user", recorder_faulted }, { "page_fault_kernel", recorder_faulted_in_kernel },
};
static struct tap_listener interrupts[] = {
	{ "irq_handler_entry", recorder_irq_starts }, { "irq_handler_exit", recorder_irq_ends },
	{ "softirq_entry", recorder_softirq_starts }, { "softirq_exit", recorder_softirq_ends },
};

/* The compiler compares the types. Those of page faults are in a header of some architectures. */
static void __maybe_unused recorder_check_types(void)
{
	check_trace_callback_type_sched_switch(recorder_switched);
	check_trace_callback_type_sched_process_exit(recorder_exited);
	check_trace_callback_type_sched_waking(recorder_waking);
	check_trace_callback_type_sched_wakeup_new(recorder_new);
	check_trace_callback_type_sys_enter(recorder_called);
	check_trace_callback_type_sys_exit(recorder_returned);
	check_trace_callback_type_irq_handler_entry(recorder_irq_starts);
	check_trace_callback_type_irq_handler_exit(recorder_irq_ends);
	check_trace_callback_type_softirq_entry(recorder_softirq_starts);
	check_trace_callback_type_softirq_exit(recorder_softirq_ends);
}

static const struct recorder_group {
	const char *name;
	struct tap_listener *list;
	u32 count;
	bool may_lack;		/* not all architectures have them */
} groups[] = {
	{ "switches", switches, ARRAY_SIZE(switches) },
	{ "wakeups", wakeups, ARRAY_SIZE(wakeups) },
	{ "calls", calls, ARRAY_SIZE(calls) },
	{ "faults", faults, ARRAY_SIZE(faults), true },
	{ "interrupts", interrupts, ARRAY_SIZE(interrupts) },
};

/* ---- the script's events ---- */

static u32 recorder_hash(struct tap_string s)
{
	u64 hash = s.size;

	for (u32 i = 0; i < s.size; i++)
		hash = hash * 31 + s.data[i];
	return hash_64(hash, 32);
}

static u32 recorder_add_name(struct recorder_name *n, struct tap_string s)
{
	n->size = s.size;
	memcpy(n->text, s.data, s.size);
	smp_store_release(&n->state, NAME_READY);
	return n - names;
}

/* Two CPUs may add the same name at the same time, to two places. Number 0 is for those that have no room. */
static u32 recorder_name(struct tap_string s)
{
	u32 first = recorder_hash(s);

	for (u32 i = 0; i < NAME_PROBES; i++) {
		struct recorder_name *n = &names[(first + i) % NAMES];
		u32 state = smp_load_acquire(&n->state);

		if (n == names)
			continue;
		if (state == NAME_FREE && cmpxchg(&n->state, NAME_FREE, NAME_BUSY) == NAME_FREE)
			return recorder_add_name(n, s);
		if (state == NAME_READY && n->size == s.size && !memcmp(n->text, s.data, s.size))
			return n - names;
	}
	return 0;
}

void tap_recorder_add(struct tap_string name, s64 value)
{
	u64 more = value;

	if (!READ_ONCE(active))
		return;
	name.size = min_t(u64, name.size, sizeof(names->text));
	recorder_write_words(tap_recorded_words(TAP_RECORDED_VALUE), TAP_RECORDED_VALUE, recorder_name(name), &more);
}

/* ---- requests ---- */

static void recorder_wake_readers(struct irq_work *work)
{
	wake_up_interruptible(&readers);
}

static struct tap_deferred wake = TAP_DEFERRED(recorder_wake_readers);

bool tap_recorder_snapshot(s64 ns)
{
	u64 now = tap_clock();

	if (!READ_ONCE(active))
		return false;
	if (cmpxchg(&request.state, REQUEST_FREE, REQUEST_BUSY) != REQUEST_FREE) {
		atomic64_inc(&request.refused);
		return false;
	}
	request.number++;
	request.to = now;
	request.from = ns > 0 && ns < now ? now - ns : 0;
	smp_store_release(&request.state, REQUEST_MADE);
	tap_defer(&wake);
	return true;
}

static int recorder_obey(void)
{
	if (!READ_ONCE(active))
		return -ENODEV;
	return tap_recorder_snapshot(0) ? 0 : -EBUSY;
}

s64 tap_recorder_ns(void)
{
	return tap_clock();
}

s64 tap_recorder_events(void)
{
	u64 events = 0;
	u32 i;

	for_each_possible_cpu(i) {
		const struct recorder_cpu *cpu = per_cpu_ptr(&recorder_cpu, i);
		u64 before = READ_ONCE(cpu->events);

		events += before + (u32)((READ_ONCE(cpu->head) >> 32) - before);
	}
	return events;
}

s64 tap_recorder_missed(void)
{
	return atomic64_read(&missed);
}

/* ---- reading ---- */

enum stage { STAGE_HEAD, STAGE_THREADS, STAGE_NAMES, STAGE_CPU, STAGE_BLOCKS, STAGE_END };

/* Where the reader is. */
static struct {
	struct tap_file file;
	struct mutex lock;		/* one read at a time; nothing else takes it */
	unsigned long opened;
	enum stage stage;
	u32 index;			/* of the thread, the name, the CPU */
	u64 next, last;			/* blocks of this CPU */
	u64 overtaken;
	struct tap_snapshot_thread *threads;
	u32 thread_count, thread_room;
} reading = { .lock = __MUTEX_INITIALIZER(reading.lock) };

struct recorder_output {
	char __user *to;
	size_t room;
	int err;
};

/* False: it does not fit, or err is set. */
static bool recorder_put(struct recorder_output *o, u32 kind, const void *data, u32 size)
{
	struct tap_snapshot_item item = { kind, size };

	if (o->room < sizeof(item) + size)
		return false;
	if (copy_to_user(o->to, &item, sizeof(item)) || copy_to_user(o->to + sizeof(item), data, size)) {
		o->err = -EFAULT;
		return false;
	}
	o->to += sizeof(item) + size;
	o->room -= sizeof(item) + size;
	return true;
}

static void recorder_free_threads(void)
{
	tap_zfree(reading.threads, reading.thread_room * sizeof(*reading.threads));
	reading.threads = NULL;
	reading.thread_room = reading.thread_count = 0;
}

static u32 recorder_list_threads(struct tap_snapshot_thread *to, u32 room)
{
	struct task_struct *process, *task;
	u32 n = 0;

	rcu_read_lock();
	for_each_process(process) {
		for_each_thread(process, task) {
			if (n < room) {
				to[n] = (struct tap_snapshot_thread){ task->pid, task->tgid };
				memcpy(to[n].name, task->comm, sizeof(to[n].name));
			}
			n++;
		}
	}
	rcu_read_unlock();
	return n;
}

/* Without memory for them, threads have no names. */
static void recorder_get_threads(void)
{
	u32 room = recorder_list_threads(NULL, 0) + NEW_THREADS;

	reading.threads = tap_zalloc(room * sizeof(*reading.threads), NUMA_NO_NODE);
	if (!reading.threads)
		return;
	reading.thread_room = room;
	reading.thread_count = min(recorder_list_threads(reading.threads, room), room);
}

static bool recorder_put_head(struct recorder_output *o)
{
	struct tap_snapshot_head head = { request.number, request.from, request.to };

	return recorder_put(o, TAP_SNAPSHOT_HEAD, &head, sizeof(head));
}

static bool recorder_put_threads(struct recorder_output *o)
{
	while (reading.index < reading.thread_count) {
		u32 n = min_t(u64, reading.thread_count - reading.index, 1024);

		if (!recorder_put(o, TAP_SNAPSHOT_THREADS, reading.threads + reading.index,
				  n * sizeof(*reading.threads)))
			return false;
		reading.index += n;
	}
	recorder_free_threads();
	return true;
}

static bool recorder_put_names(struct recorder_output *o)
{
	for (; reading.index < NAMES; reading.index++) {
		const struct recorder_name *n = &names[reading.index];
		struct { u32 number; char text[ALIGN(sizeof(n->text), 8) + 4]; } item = { reading.index };

		if (smp_load_acquire(&n->state) != NAME_READY)
			continue;
		memcpy(item.text, n->text, n->size);
		if (!recorder_put(o, TAP_SNAPSHOT_NAME, &item, ALIGN(sizeof(item.number) + n->size, 8)))
			return false;
	}
	return true;
}

static bool recorder_is_kept(const struct recorder_cpu *cpu, u64 number)
{
	smp_rmb();		/* pairs with recorder_begin_block */
	return READ_ONCE(cpu->newest) - number < cpu->size / TAP_RECORDER_BLOCK;
}

/* The oldest block that is kept, and the events before it. */
static u64 recorder_oldest(const struct recorder_cpu *cpu, u64 *events)
{
	for (;;) {
		u64 newest = READ_ONCE(cpu->newest), blocks = cpu->size / TAP_RECORDER_BLOCK;
		u64 number = newest > blocks ? newest - blocks + 1 : 1;

		*events = READ_ONCE(recorder_block(cpu, number)->events);
		if (number >= newest || recorder_is_kept(cpu, number))
			return number;
		cond_resched();
	}
}

/* Blocks that ended before the snapshot's time are left out. One that is overwritten meanwhile looks later. */
static u64 recorder_first(const struct recorder_cpu *cpu, u64 oldest)
{
	u64 number = oldest;

	while (number < reading.last && READ_ONCE(recorder_block(cpu, number + 1)->begun) <= request.from)
		if (!(++number % 1024))
			cond_resched();
	return number;
}

/* The next CPU with memory, or the end. */
static bool recorder_put_cpu(struct recorder_output *o)
{
	for (; reading.index < nr_cpu_ids; reading.index++) {
		const struct recorder_cpu *cpu = per_cpu_ptr(&recorder_cpu, reading.index);
		struct tap_snapshot_cpu item = { .cpu = reading.index };

		if (!cpu_possible(reading.index) || !smp_load_acquire(&cpu->data))
			continue;
		reading.next = recorder_oldest(cpu, &item.overwritten);
		if (!recorder_put(o, TAP_SNAPSHOT_CPU, &item, sizeof(item)))
			return false;
		reading.last = READ_ONCE(cpu->newest);
		reading.next = recorder_first(cpu, reading.next);
		return true;
	}
	return true;
}

/* Copies it to the reader, and lets it take no room if it was overwritten meanwhile. */
static bool recorder_copy_block(struct recorder_output *o, const struct recorder_cpu *cpu, u64 number)
{
	struct tap_recorder_block *b = recorder_block(cpu, number);
	struct recorder_output before = *o;

	if (smp_load_acquire(&b->number) != number) {
		reading.overtaken += !recorder_is_kept(cpu, number);	/* or it is just being begun */
		return true;
	}
	if (!recorder_put(o, TAP_SNAPSHOT_BLOCK, b, TAP_RECORDER_BLOCK))
		return false;
	if (!recorder_is_kept(cpu, number)) {
		*o = before;
		reading.overtaken++;
	}
	return true;
}

static bool recorder_put_blocks(struct recorder_output *o)
{
	const struct recorder_cpu *cpu = per_cpu_ptr(&recorder_cpu, reading.index);

	for (; reading.next <= reading.last; reading.next++) {
		if (!recorder_copy_block(o, cpu, reading.next))
			return false;
		cond_resched();
	}
	return true;
}

static bool recorder_put_end(struct recorder_output *o)
{
	struct tap_snapshot_end end = { reading.overtaken, atomic64_read(&missed), atomic64_read(&request.refused) };

	return recorder_put(o, TAP_SNAPSHOT_END, &end, sizeof(end));
}

static void recorder_finish(void)
{
	recorder_free_threads();
	reading.stage = STAGE_HEAD;
	smp_store_release(&request.state, REQUEST_FREE);
}

/* The stage is complete. False: it was the last one. */
static bool recorder_next_stage(void)
{
	switch (reading.stage) {
	case STAGE_CPU:
		reading.stage = reading.index < nr_cpu_ids ? STAGE_BLOCKS : STAGE_END;
		return true;
	case STAGE_BLOCKS:
		reading.index++;
		reading.stage = STAGE_CPU;
		return true;
	case STAGE_END:
		recorder_finish();
		return false;
	default:
		reading.index = 0;
		reading.stage++;
		return true;
	}
}

static ssize_t recorder_continue(char __user *to, size_t room)
{
	static bool (*const stages[])(struct recorder_output *o) = {
		recorder_put_head, recorder_put_threads, recorder_put_names, recorder_put_cpu, recorder_put_blocks,
		recorder_put_end,
	};
	struct recorder_output o = { to, room };

	if (cmpxchg(&request.state, REQUEST_MADE, REQUEST_READ) == REQUEST_MADE) {
		reading.overtaken = 0;
		recorder_get_threads();
	}
	if (smp_load_acquire(&request.state) != REQUEST_READ)
		return -EAGAIN;
	while (stages[reading.stage](&o))
		if (!recorder_next_stage())
			break;
	if (o.err)
		return o.err;
	return o.room == room ? -EINVAL : room - o.room;
}

static ssize_t recorder_read(struct tap_file *f, struct file *file, char __user *to, size_t count, loff_t *offset)
{
	ssize_t n;

	if (mutex_lock_interruptible(&reading.lock))
		return -ERESTARTSYS;
	n = recorder_continue(to, min_t(size_t, count, S32_MAX));
	mutex_unlock(&reading.lock);
	return n;
}

static __poll_t recorder_poll(struct tap_file *f, struct file *file, struct poll_table_struct *table)
{
	poll_wait(file, &readers, table);
	return READ_ONCE(request.state) >= REQUEST_MADE ? EPOLLIN | EPOLLRDNORM : 0;
}

static int recorder_file_open(struct tap_file *f, struct inode *inode, struct file *file)
{
	if (!tap_session_is_owner())
		return -EACCES;
	if (test_and_set_bit(0, &reading.opened))
		return -EBUSY;
	return stream_open(inode, file);
}

/* What the reader has not read of a snapshot is given up. */
static void recorder_file_release(struct tap_file *f, struct file *file)
{
	mutex_lock(&reading.lock);
	if (READ_ONCE(request.state) == REQUEST_READ)
		recorder_finish();
	mutex_unlock(&reading.lock);
	clear_bit(0, &reading.opened);
}

static const struct tap_file_ops file_ops = {
	.open = recorder_file_open, .read = recorder_read, .poll = recorder_poll, .release = recorder_file_release,
};

/* ---- starting ---- */

static u32 cpu_size;
static int cpus_state;

static int recorder_allocate_cpu(u32 number)
{
	struct recorder_cpu *cpu = per_cpu_ptr(&recorder_cpu, number);
	u8 *data = cpu->data ?: tap_zalloc(cpu_size, cpu_to_node(number));

	if (!data)
		return -ENOMEM;
	cpu->size = cpu_size;
	smp_store_release(&cpu->data, data);
	return 0;
}

/* Before it runs. Without memory its events are missed, but it goes online. */
static int recorder_cpu_comes(unsigned int cpu)
{
	if (recorder_allocate_cpu(cpu))
		tap_message(TAP_ITEM_WARNING, "no memory for the recorder on processor %u: its events are missed", cpu);
	return 0;
}

static void recorder_forget_cpus(void)
{
	if (cpus_state > 0)
		cpuhp_remove_state_nocalls(cpus_state);
	cpus_state = 0;
}

static void recorder_free(void)
{
	u32 i;

	recorder_forget_cpus();
	for_each_possible_cpu(i) {
		struct recorder_cpu *cpu = per_cpu_ptr(&recorder_cpu, i);

		tap_zfree(cpu->data, cpu->size);
		*cpu = (struct recorder_cpu){ };
	}
	tap_zfree(names, NAMES * sizeof(*names));
	names = NULL;
}

/* CPUs that are online have equal parts; one that goes online later gets another such part. The kernel has few states
 * of this kind: see frames_expect_cpus(). */
static int recorder_allocate_cpus(u64 bytes)
{
	u64 size = div64_u64(bytes, num_online_cpus()) & -TAP_RECORDER_BLOCK;
	int err = 0;
	u32 i;

	if (size < LEAST_BLOCKS * TAP_RECORDER_BLOCK || size > S32_MAX)
		return -ERANGE;
	cpu_size = size;
	if (num_online_cpus() < num_possible_cpus())
		cpus_state = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_BP_PREPARE_DYN, "tap:recorder",
								  recorder_cpu_comes, NULL);
	if (cpus_state < 0)
		return cpus_state;
	for_each_online_cpu(i)
		if (!err)
			err = recorder_allocate_cpu(i);
	return err;
}

static int recorder_allocate(u64 bytes)
{
	int err;

	names = tap_zalloc(NAMES * sizeof(*names), NUMA_NO_NODE);
	if (!names)
		return -ENOMEM;
	cpus_read_lock();
	err = recorder_allocate_cpus(bytes);
	cpus_read_unlock();
	return err;
}

static bool recorder_takes_word(const struct recorder_group *g, const char **word, u32 *left)
{
	u32 size = strlen(g->name);

	if (*left < size || memcmp(*word, g->name, size) || (*left > size && (*word)[size] != ' '))
		return false;
	*word += size;
	*left -= size;
	return true;
}

/* The groups in WHAT as bits; -EINVAL: another word. */
static int recorder_groups(struct tap_string what)
{
	const char *word = what.data;
	u32 left = what.size;
	int chosen = what.size ? 0 : (1 << ARRAY_SIZE(groups)) - 1;

	while (left) {
		u32 i = 0;

		if (*word == ' ') {
			word++;
			left--;
			continue;
		}
		while (i < ARRAY_SIZE(groups) && !recorder_takes_word(&groups[i], &word, &left))
			i++;
		if (i == ARRAY_SIZE(groups))
			return -EINVAL;
		chosen |= 1 << i;
	}
	return chosen;
}

static int recorder_listen(int chosen)
{
	int err = 0;

	for (u32 i = 0; i < ARRAY_SIZE(groups) && !err; i++) {
		if (chosen & 1 << i)
			err = tap_listeners_start(groups[i].list, groups[i].count);
		if (err == -ENOENT && groups[i].may_lack)
			err = 0;
	}
	return err;
}

static void recorder_stop(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(groups); i++)
		tap_listeners_stop(groups[i].list, groups[i].count);
}

static int recorder_begin(u64 megabytes, int chosen)
{
	int err = recorder_allocate(megabytes << 20);

	if (!err) {
		WRITE_ONCE(active, true);
		err = recorder_listen(chosen);
	}
	if (err) {
		recorder_stop();
		WRITE_ONCE(active, false);
		recorder_free();
	}
	return err;
}

/* Sleeps, as transport_await_room() does. */
void tap_recorder_start(struct tap_context *c, s64 megabytes, struct tap_string what)
{
	struct tap_frame *f = tap_frame(c);
	int chosen = recorder_groups(what), err;

	if (chosen < 0) {
		tap_error(c, "recorder_start() has no events '%.*s': switches wakeups calls faults interrupts",
			  (int)min_t(u64, what.size, 100), what.data);
	} else if (!tap_may_wait(f) || active) {
		tap_error(c, "recorder_start() is for a probe of begin, once");
	} else if (megabytes < 1 || megabytes > MOST_MEGABYTES) {
		tap_error(c, "the recorder can have 1 to %d MB, not %lld", MOST_MEGABYTES, megabytes);
	} else {
		tap_ring_rest(f);
		preempt_enable_notrace();
		err = recorder_begin(megabytes, chosen);
		preempt_disable_notrace();
		tap_ring_rest(f);
		f->rested = (u32)tap_cycles();
		if (err == -ENOMEM)
			tap_error(c, "not enough kernel memory for a recorder of %lld MB", megabytes);
		else if (err)
			tap_error(c, "the recorder cannot start with %lld MB on %u processors (error %d)", megabytes,
				  num_online_cpus(), err);
	}
}

/* ---- the service ---- */

static int recorder_publish(void)
{
	return tap_file_create(&reading.file, &file_ops, "recorder", 0444, tap_session.directory) ? 0 : -ENOMEM;
}

static void recorder_close(void)
{
	recorder_stop();
	WRITE_ONCE(active, false);
	tap_deferred_sync(&wake);
	recorder_free_threads();
	recorder_free();
}

const struct tap_service tap_recorder_service = {
	.publish = recorder_publish, .stop = recorder_stop, .close = recorder_close, .snapshot = recorder_obey,
	.follows_all = true };
