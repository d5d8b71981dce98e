// SPDX-License-Identifier: GPL-2.0-or-later
/* Performance counters of a program's threads, perf....process, and watched memory of processes, process.data,
 * which to the kernel is such a counter, too. A process gets a counter when it begins to run the program, before it
 * enters user space, and each thread that already runs the program gets one at the start. The threads and processes
 * that they create inherit it inside the kernel; so only the roots are kept here, until no inherited counter is
 * left.
 *
 * A thread's counter is found in the kernel's list of the thread's counters, by the row that it is for. The kernel
 * may swap the lists of two threads that inherited the same counters instead of switching them; with inherit_stat
 * it swaps the counts back (perf_event_sync_stat() of kernel/events/core.c). */
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "families.h"
#include "perf_event.h"
#include "programs.h"
#include "watch.h"

struct root {
	struct perf_event *event;
	struct root *next;
};

enum {
	BATCH = 64,			/* running threads handled at a time */
	MOST_ROUNDS = 1024,
};

static struct root *roots;
static DEFINE_MUTEX(roots_lock);	/* taken in process context only, with no other lock held */
static struct root *trials;

static void threads_reap_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(reap, threads_reap_work);

static void threads_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct tap_row *row = event->overflow_handler_context;

	if (tap_process_is_wanted(row->family, current))
		tap_hit(row, regs, 0);
}

/* The difference between the run-time and link-time address of the program of MM. */
static u64 threads_bias_of(const struct tap_process_row *r, const struct mm_struct *mm)
{
	return mm ? mm->start_code - r->what->code : 0;
}

static void threads_touched(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct tap_row *row = event->overflow_handler_context;
	void (*run)(struct tap_context *c) = READ_ONCE(row->run);
	u32 count = tap_watch_count(regs);
	struct tap_frame *f;

	if (!run || !tap_process_is_wanted(row->family, current))
		return;
	preempt_disable_notrace();
	f = tap_watch_is_own(regs, count) ? NULL : tap_enter(row, count);
	if (f) {
		f->ip = 0;
		f->bias = threads_bias_of(row->family, current->mm);
		f->c.regs = regs;
		run(&f->c);
		tap_leave(f);
	}
	preempt_enable_notrace();
}

/* Called in an RCU read-side section. */
static struct perf_event *threads_event_of(struct task_struct *task, const struct tap_row *row)
{
	struct perf_event *event;

	for (u32 i = 0; i < TAP_PERF_CONTEXTS; i++) {
		struct perf_event_context *context = tap_perf_context(task, i);

		if (!context)
			continue;
		list_for_each_entry_rcu(event, &context->event_list, event_entry)
			if (event->overflow_handler_context == row)
				return event;
	}
	return NULL;
}

/* It stays while the thread does: a root is kept as long as a counter inherited from it exists. */
static struct perf_event *threads_own_event(const struct tap_row *row)
{
	struct perf_event *event;

	rcu_read_lock();
	event = threads_event_of(current, row);
	rcu_read_unlock();
	return event;
}

s64 tap_perf_of_thread(struct tap_context *c, u32 row)
{
	struct perf_event *event;
	s64 count = 0;

	rcu_read_lock();
	event = threads_event_of(current, &tap_rows[row]);
	if (event)
		count = tap_perf_read(event);
	else
		tap_error(c, "the events of thread %d (%s) are not counted", current->pid, current->comm);
	rcu_read_unlock();
	return count;
}

/* ---- roots ---- */

/* TASK may be NULL: for no particular task. */
static struct perf_event_attr threads_attr_of(const struct tap_process_row *r, struct task_struct *task)
{
	struct perf_event_attr attr;
	struct mm_struct *mm = task ? get_task_mm(task) : NULL;

	if (r->what->perf) {
		attr = tap_perf_attr(r->what->perf);
		attr.inherit_stat = 1;
	} else {
		attr = tap_watch_attr(r->what->watch, r->what->watch->offset + threads_bias_of(r, mm));
	}
	if (mm)
		mmput(mm);
	attr.inherit = 1;
	return attr;
}

static int threads_root_add(struct root **list, struct tap_process_row *r, struct task_struct *task)
{
	struct root *root = kmalloc(sizeof(*root), GFP_KERNEL);
	struct perf_event_attr attr = threads_attr_of(r, list == &trials ? NULL : task);
	struct perf_event *event;

	attr.disabled = list == &trials;
	event = !root ? ERR_PTR(-ENOMEM) :
		perf_event_create_kernel_counter(&attr, -1, task, r->what->perf ? threads_overflow : threads_touched,
						 r->row);
	if (IS_ERR(event)) {
		kfree(root);
		return PTR_ERR(event);
	}
	root->event = event;
	mutex_lock(&roots_lock);
	root->next = *list;
	*list = root;
	mutex_unlock(&roots_lock);
	return 0;
}

static bool threads_is_over(struct perf_event *event)
{
	bool over;

	mutex_lock(&event->child_mutex);
	over = READ_ONCE(event->state) <= PERF_EVENT_STATE_EXIT && list_empty(&event->child_list);
	mutex_unlock(&event->child_mutex);
	return over;
}

static void threads_release(struct root **list, bool all)
{
	mutex_lock(&roots_lock);
	for (struct root **next = list; *next;) {
		struct root *root = *next;

		if (!all && !threads_is_over(root->event)) {
			next = &root->next;
			continue;
		}
		*next = root->next;
		perf_event_release_kernel(root->event);
		kfree(root);
	}
	mutex_unlock(&roots_lock);
}

/* Runs some time later, because a thread still has its counters when its exit is reported. */
static void threads_reap_work(struct work_struct *work)
{
	threads_release(&roots, false);
}

static void threads_exited(void)
{
	schedule_delayed_work(&reap, HZ);
}

/* The program that inherited the event is at another address than the one that it was made for. The kernel may swap
 * the events of tasks that inherited the same ones, until one of them gets a separate event: this is the only
 * purpose of the one created and released here (unclone_ctx() of kernel/events/core.c). */
static int threads_event_move(struct tap_process_row *r, struct perf_event *event)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .size = sizeof(attr), .disabled = 1,
	};
	struct perf_event *own = perf_event_create_kernel_counter(&attr, -1, current, NULL, NULL);

	if (IS_ERR(own))
		return PTR_ERR(own);
	perf_event_release_kernel(own);
	attr = threads_attr_of(r, current);
	return modify_user_hw_breakpoint(event, &attr);
}

static void threads_begin(struct tap_process_row *r)
{
	struct perf_event *event = threads_own_event(r->row);
	int err = 0;

	if (!event)
		err = threads_root_add(&roots, r, current);
	else if (r->what->watch)
		err = threads_event_move(r, event);
	if (err)
		tap_process_miss(r);
}

/* ---- threads already running ---- */

static u32 threads_list_running(const struct tap_process_row *r, struct task_struct **list)
{
	struct task_struct *process, *thread;
	u32 n = 0;

	rcu_read_lock();
	for_each_process_thread(process, thread) {
		if (n == BATCH || thread->flags & (PF_KTHREAD | PF_EXITING) || !tap_process_is_wanted(r, thread) ||
		    threads_event_of(thread, r->row))
			continue;
		get_task_struct(thread);
		list[n++] = thread;
	}
	rcu_read_unlock();
	return n;
}

/* Repeats until all threads have a counter: a thread may create others before it gets its own. */
static int threads_follow_running(struct tap_process_row *r)
{
	struct task_struct **list = tap_zalloc(BATCH * sizeof(*list), NUMA_NO_NODE);
	u32 rounds = 0, n, refused;

	if (!list)
		return -ENOMEM;
	do {
		n = threads_list_running(r, list);
		refused = 0;
		for (u32 i = 0; i < n; i++) {
			int err = threads_root_add(&roots, r, list[i]);

			refused += err && err != -ESRCH;
			put_task_struct(list[i]);
		}
	} while (n > refused && ++rounds < MOST_ROUNDS);
	for (u32 i = 0; i < refused; i++)
		tap_process_miss(r);
	tap_zfree(list, BATCH * sizeof(*list));
	return 0;
}

/* Creates the events of all rows at the same time on the current task, to test whether the machine has room for
 * them. */
static int threads_start(struct tap_process_row *r)
{
	int err = tap_fail_here() ? -EIO : !r->what->perf && !TAP_MAY_WATCH ? -EOPNOTSUPP :
		  threads_root_add(&trials, r, current);

	if (!r->next)
		threads_release(&trials, true);
	if (err && r->what->perf)
		tap_perf_failed(r->row, r->what->perf, err);
	else if (err)
		tap_watch_failed(r->row, err);
	if (err)
		return 0;
	WRITE_ONCE(r->followed, true);
	return threads_follow_running(r);
}

/* The last callback of a counter may still be running when the counter is released. */
static void threads_stop(void)
{
	cancel_delayed_work_sync(&reap);
	threads_release(&trials, true);
	threads_release(&roots, true);
	synchronize_rcu();
}

const struct tap_process_follow tap_perf_threads = {
	.start = threads_start, .begin = threads_begin, .exited = threads_exited, .stop = threads_stop,
};
