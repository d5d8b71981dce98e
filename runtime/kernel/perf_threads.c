// SPDX-License-Identifier: GPL-2.0-or-later
/* Performance counters of a program's threads: perf....process. A process gets one when it begins to run
 * the program, before it sees user space, and each thread that runs the program already gets one at the
 * start. Those that they make inherit it, which is the kernel's own business; so only the roots are kept
 * here, until nobody has inherited of them any more.
 *
 * A thread's counter is found in the kernel's list of the thread's counters by the row that it calls. The
 * kernel may swap the lists of two threads that have inherited the same ones instead of switching them;
 * with inherit_stat it swaps the counts back (perf_event_sync_stat() of kernel/events/core.c). */
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "perf_event.h"
#include "process.h"

struct root {
	struct perf_event *event;
	struct root *next;
};

enum {
	BATCH = 64,			/* threads that run already, at once */
	MOST_ROUNDS = 1024,
};

static struct root *roots;
static DEFINE_MUTEX(roots_lock);	/* taken in process context only, with nothing else held */

static void reap_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(reap, reap_work);

static void overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct tap_row *row = event->overflow_handler_context;

	if (tap_process_is_wanted(row->family, current))
		tap_hit(row, regs, 0);
}

/* RCU's reader side. */
static struct perf_event *event_of(struct task_struct *task, const struct tap_row *row)
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

static bool has_event(struct task_struct *task, const struct tap_row *row)
{
	bool has;

	rcu_read_lock();
	has = event_of(task, row);
	rcu_read_unlock();
	return has;
}

s64 tap_perf_of_thread(struct tap_context *c, u32 row)
{
	struct perf_event *event;
	s64 count = 0;

	rcu_read_lock();
	event = event_of(current, &tap_rows[row]);
	if (event)
		count = tap_perf_read(event);
	else
		tap_error(c, "the events of thread %d (%s) are not counted", current->pid, current->comm);
	rcu_read_unlock();
	return count;
}

/* ---- roots ---- */

static struct perf_event *event_new(struct tap_process_row *r, struct task_struct *task)
{
	struct perf_event_attr attr = tap_perf_attr(r->what->perf);

	attr.inherit = attr.inherit_stat = 1;
	return perf_event_create_kernel_counter(&attr, -1, task, overflow, r->row);
}

static int root_add(struct tap_process_row *r, struct task_struct *task)
{
	struct root *root = kmalloc(sizeof(*root), GFP_KERNEL);
	struct perf_event *event = root ? event_new(r, task) : ERR_PTR(-ENOMEM);

	if (IS_ERR(event)) {
		kfree(root);
		return PTR_ERR(event);
	}
	root->event = event;
	mutex_lock(&roots_lock);
	root->next = roots;
	roots = root;
	mutex_unlock(&roots_lock);
	return 0;
}

static bool is_over(struct perf_event *event)
{
	bool over;

	mutex_lock(&event->child_mutex);
	over = READ_ONCE(event->state) <= PERF_EVENT_STATE_EXIT && list_empty(&event->child_list);
	mutex_unlock(&event->child_mutex);
	return over;
}

static void release(bool all)
{
	mutex_lock(&roots_lock);
	for (struct root **next = &roots; *next;) {
		struct root *root = *next;

		if (!all && !is_over(root->event)) {
			next = &root->next;
			continue;
		}
		*next = root->next;
		perf_event_release_kernel(root->event);
		kfree(root);
	}
	mutex_unlock(&roots_lock);
}

/* Some time later, for a thread that says it ends still has its counters. */
static void reap_work(struct work_struct *work)
{
	release(false);
}

static void exited(void)
{
	schedule_delayed_work(&reap, HZ);
}

static void begin(struct tap_process_row *r)
{
	if (!has_event(current, r->row) && root_add(r, current))
		tap_process_miss(r);
}

/* ---- those that run already ---- */

static u32 list_running(const struct tap_process_row *r, struct task_struct **list)
{
	struct task_struct *process, *thread;
	u32 n = 0;

	rcu_read_lock();
	for_each_process_thread(process, thread) {
		if (n == BATCH || thread->flags & (PF_KTHREAD | PF_EXITING) || !tap_process_is_wanted(r, thread) ||
		    event_of(thread, r->row))
			continue;
		get_task_struct(thread);
		list[n++] = thread;
	}
	rcu_read_unlock();
	return n;
}

/* Until there are none without: one may make others before it gets its own. */
static int follow_running(struct tap_process_row *r)
{
	struct task_struct **list = tap_zalloc(BATCH * sizeof(*list), NUMA_NO_NODE);
	u32 rounds = 0, n;

	if (!list)
		return -ENOMEM;
	do {
		n = list_running(r, list);
		for (u32 i = 0; i < n; i++) {
			int err = root_add(r, list[i]);

			if (err && err != -ESRCH)
				tap_process_miss(r);
			put_task_struct(list[i]);
		}
	} while (n && ++rounds < MOST_ROUNDS);
	tap_zfree(list, BATCH * sizeof(*list));
	return 0;
}

static int start(struct tap_process_row *r)
{
	struct perf_event *trial = tap_fail_here() ? ERR_PTR(-EIO) : event_new(r, current);

	if (IS_ERR(trial)) {
		tap_perf_failed(r->row, r->what->perf, PTR_ERR(trial));
		return 0;
	}
	perf_event_release_kernel(trial);
	WRITE_ONCE(r->followed, true);
	return follow_running(r);
}

/* A counter's last call may still be on its way when it is gone. */
static void stop(void)
{
	cancel_delayed_work_sync(&reap);
	release(true);
	synchronize_rcu();
}

const struct tap_process_follow tap_perf_threads = {
	.start = start, .begin = begin, .exited = exited, .stop = stop,
};
