// SPDX-License-Identifier: GPL-2.0-or-later
/* The life of processes: creation, exec, system calls and exit. It serves process.begin and the like, tracks which
 * processes run a program, and the target's descendants, all by tracepoints.
 *
 * exec and exit are seen in the process concerned. A fork is seen in the parent, before the child has run: the
 * child's begin is a task work in the child, which runs before the child first enters user space. The kernel offers
 * no way to cancel a work, so stopping waits for pending ones. A child can be delayed for any time by its parent:
 * the kernel writes its thread id to memory chosen by the parent (CLONE_CHILD_SETTID) before that work is done, and
 * the page fault may never end. So the wait is limited: the session continues to stop, and the module stays loaded
 * until the last work has run. */
#include "life.h"

#include <linux/compat.h>
#include <linux/rwsem.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/task_work.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <asm/syscall.h>
#include <trace/events/sched.h>
#include <trace/events/syscalls.h>

#include "compat.h"
#include "kept.h"
#include "message.h"
#include "programs.h"
#include "tracepoints.h"

enum {
	PENDING = 512,			/* children that have not run yet */
	LONGEST_WAIT = 10,		/* seconds */
};

enum { TREE_BYTES = BITS_TO_LONGS(TAP_MOST_PIDS) * sizeof(long) };

static bool life_is_user(const struct task_struct *task)
{
	return !(task->flags & PF_KTHREAD);
}

/* REGS are those of the program, because the handlers are about the program and not about the kernel's code that
 * begins or ends it. */
static void life_hit_rows(enum tap_process_kind kind, struct pt_regs *regs)
{
	for_each_row_of(r, kind)
		if (tap_process_is_wanted(r, current))
			tap_hit(r->row, regs, 0);
}

/* ---- new processes and threads ---- */

struct pending {
	struct callback_head work;
	struct pending *next;		/* the next free one */
	enum tap_process_kind kind;
};

static struct pending *pending, *free_pending;
static DEFINE_RAW_SPINLOCK(pending_lock);
static atomic_t outstanding;
static DECLARE_WAIT_QUEUE_HEAD(none_outstanding);
static bool any_outstanding;		/* there has ever been one */
static bool is_over;			/* pending works do nothing any more, but hold the module */
static DECLARE_RWSEM(over_lock);	/* protects is_over: read in a new task, around its handlers */

static void life_let_go(struct work_struct *work);
static DECLARE_WORK(last_one, life_let_go);

static struct pending *life_take_pending(void)
{
	struct pending *p;
	unsigned long flags;

	raw_spin_lock_irqsave(&pending_lock, flags);
	p = free_pending;
	if (p)
		free_pending = p->next;
	raw_spin_unlock_irqrestore(&pending_lock, flags);
	return p;
}

static void life_give_pending(struct pending *p)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&pending_lock, flags);
	p->next = free_pending;
	free_pending = p;
	raw_spin_unlock_irqrestore(&pending_lock, flags);
}

static void life_follow_current(void)
{
	for_each_row_of(r, TAP_PROCESS_FOLLOWED)
		if (r->followed && tap_process_is_wanted(r, current))
			r->what->follow->begin(r);
}

static void life_begin(enum tap_process_kind kind)
{
	if (kind == TAP_PROCESS_FOLLOWED)
		life_follow_current();
	else
		life_hit_rows(kind, task_pt_regs(current));
}

/* The one that waits for the last child depends on whether the session is over. */
static void life_tell_stop(void)
{
	if (is_over)
		schedule_work(&last_one);
	else
		wake_up(&none_outstanding);
}

/* Runs in the new task. */
static void life_begin_work(struct callback_head *work)
{
	struct pending *p = container_of(work, struct pending, work);

	down_read(&over_lock);
	if (!is_over)
		life_begin(p->kind);
	life_give_pending(p);
	if (atomic_dec_and_test(&outstanding))
		life_tell_stop();
	up_read(&over_lock);
}

static bool life_is_to_be_told(const struct tap_process_row *r, const struct task_struct *child)
{
	return tap_process_is_wanted(r, child) && (r->followed || READ_ONCE(r->row->run));
}

static void life_tell_child(struct task_struct *child, enum tap_process_kind kind)
{
	struct pending *p = NULL;
	bool wanted = false;

	for_each_row_of(r, kind)
		wanted |= life_is_to_be_told(r, child);
	if (!wanted)
		return;
	p = life_take_pending();
	if (p) {
		p->kind = kind;
		init_task_work(&p->work, life_begin_work);
		atomic_inc(&outstanding);
		WRITE_ONCE(any_outstanding, true);
		if (!task_work_add(child, &p->work, TWA_RESUME))
			return;
		atomic_dec(&outstanding);
		life_give_pending(p);
	}
	for_each_row_of(r, kind)
		if (tap_process_is_wanted(r, child))
			tap_process_miss(r);
}

/* A process id is given a new meaning here and by exec, so nothing is cleared at exit, where the threads of a
 * process arrive in any order. */
static void life_note_fork(unsigned long *processes, pid_t parent, pid_t child)
{
	if (processes && test_bit(parent, processes))
		set_bit(child, processes);
	else if (processes)
		clear_bit(child, processes);
}

static void life_forked(void *data, struct task_struct *parent, struct task_struct *child)
{
	bool is_process = child->tgid == child->pid;

	if (!life_is_user(child))
		return;
	if (is_process) {
		life_note_fork(tap_target_tree, parent->tgid, child->tgid);
		for (struct tap_program *p = tap_programs; p; p = p->next)
			life_note_fork(p->running, parent->tgid, child->tgid);
	}
	life_tell_child(child, is_process ? TAP_PROCESS_BEGIN : TAP_PROCESS_THREAD_BEGIN);
}

/* ---- programs ---- */

static struct inode *life_program(struct mm_struct *mm)
{
	struct file *file = mm ? rcu_dereference(mm->exe_file) : NULL;

	return file ? file_inode(file) : NULL;
}

static void life_note_program(const struct task_struct *task, const struct inode *inode)
{
	for (struct tap_program *p = tap_programs; p; p = p->next) {
		if (!p->running)
			continue;
		if (inode && p->file && inode == file_inode(p->file))
			set_bit(task->tgid, p->running);
		else
			clear_bit(task->tgid, p->running);
	}
}

static void life_executed(void *data, struct task_struct *task, pid_t old, struct linux_binprm *program)
{
	rcu_read_lock();
	life_note_program(task, life_program(task->mm));
	rcu_read_unlock();
	life_hit_rows(TAP_PROCESS_BEGIN, task_pt_regs(task));
	life_tell_child(current, TAP_PROCESS_FOLLOWED);
}

static void life_exited(void *data, struct task_struct *task TAP_EXIT_MORE)
{
	for_each_row_of(r, TAP_PROCESS_PLACES)
		if (r->kept)
			tap_kept_forget(r->kept);
	if (tap_process_rows[TAP_PROCESS_FOLLOWED])
		tap_process_rows[TAP_PROCESS_FOLLOWED]->what->follow->exited();
	if (life_is_user(task))
		life_hit_rows(task->tgid == task->pid ? TAP_PROCESS_END : TAP_PROCESS_THREAD_END, task_pt_regs(task));
}

/* ---- system calls ---- */

static void life_entered_call(void *data, struct pt_regs *regs, long number)
{
	life_hit_rows(TAP_PROCESS_SYSCALL, regs);
}

static void life_left_call(void *data, struct pt_regs *regs, long result)
{
	life_hit_rows(TAP_PROCESS_SYSCALL_RETURN, regs);
}

static struct pt_regs *life_regs(struct tap_context *c)
{
	return (struct pt_regs *)c->regs;
}

s64 tap_syscall_number(struct tap_context *c)
{
	return syscall_get_nr(current, life_regs(c));
}

s64 tap_syscall_argument(struct tap_context *c, u32 n)
{
	unsigned long arguments[6];

	syscall_get_arguments(current, life_regs(c), arguments);
	return arguments[n];
}

s64 tap_syscall_result(struct tap_context *c)
{
	return syscall_get_return_value(current, life_regs(c));
}

s64 tap_syscall_compat(struct tap_context *c)
{
	return in_compat_syscall();
}

/* ---- life ---- */

/* A listener has no type, but some kernels check types at each call: here the compiler checks
 * them. */
static void __maybe_unused life_check_types(void)
{
	check_trace_callback_type_sched_process_fork(life_forked);
	check_trace_callback_type_sched_process_exec(life_executed);
	check_trace_callback_type_sched_process_exit(life_exited);
	check_trace_callback_type_sys_enter(life_entered_call);
	check_trace_callback_type_sys_exit(life_left_call);
}

static struct tap_listener of_life[] = {
	{ .name = "sched_process_fork", .probe = life_forked },
	{ .name = "sched_process_exec", .probe = life_executed },
	{ .name = "sched_process_exit", .probe = life_exited },
};
static struct tap_listener of_calls[] = { { .name = "sys_enter", .probe = life_entered_call } };
static struct tap_listener of_returns[] = { { .name = "sys_exit", .probe = life_left_call } };

/* Records the processes that already run. The tracepoint reports those that are created
 * meanwhile. */
static void life_note_process(struct task_struct *task)
{
	task_lock(task);
	if (life_is_user(task))
		life_note_program(task, life_program(task->mm));
	task_unlock(task);
}

static bool life_has_ancestor(const struct task_struct *task, pid_t pid)
{
	for (; task->tgid > 1; task = rcu_dereference(task->real_parent))
		if (task->tgid == pid)
			return true;
	return false;
}

static void life_note_processes(void)
{
	struct task_struct *task;

	rcu_read_lock();
	for_each_process(task) {
		life_note_process(task);
		if (tap_target_tree && life_has_ancestor(task, tap_session.configuration.target))
			set_bit(task->tgid, tap_target_tree);
	}
	rcu_read_unlock();
}

static int life_pending_start(void)
{
	pending = tap_zalloc(PENDING * sizeof(*pending), NUMA_NO_NODE);
	if (!pending)
		return -ENOMEM;
	for (u32 i = 0; i < PENDING; i++)
		life_give_pending(&pending[i]);
	return 0;
}

static bool life_is_followed(void)
{
	bool needed = tap_target_tree;

	for (u32 kind = TAP_PROCESS_BEGIN; kind < TAP_PROCESS_KINDS; kind++)
		needed |= tap_process_rows[kind] != NULL;
	for_each_row_of(r, TAP_PROCESS_PLACES)
		needed |= r->kept || r->within;
	return needed;
}

int tap_life_start(void)
{
	int err = 0;

	if (tap_session.configuration.target) {
		tap_target_tree = tap_zalloc(TREE_BYTES, NUMA_NO_NODE);
		if (!tap_target_tree)
			return -ENOMEM;
	}
	if (!life_is_followed())
		return 0;
	if (tap_process_rows[TAP_PROCESS_BEGIN] || tap_process_rows[TAP_PROCESS_THREAD_BEGIN] ||
	    tap_process_rows[TAP_PROCESS_FOLLOWED])
		err = life_pending_start();
	if (!err)
		err = tap_listeners_start(of_life, ARRAY_SIZE(of_life));
	if (!err)
		life_note_processes();
	if (!err && tap_process_rows[TAP_PROCESS_SYSCALL])
		err = tap_listeners_start(of_calls, ARRAY_SIZE(of_calls));
	if (!err && tap_process_rows[TAP_PROCESS_SYSCALL_RETURN])
		err = tap_listeners_start(of_returns, ARRAY_SIZE(of_returns));
	for_each_row_of(r, TAP_PROCESS_FOLLOWED)
		if (!err)
			err = r->what->follow->start(r);
	return err;
}

static void life_pending_free(void)
{
	tap_zfree(pending, PENDING * sizeof(*pending));
	pending = free_pending = NULL;
}

/* The last instructions of life_begin_work are still our code: no task may be executing them. */
static void life_await_last_lines(void)
{
	synchronize_rcu_tasks();
	synchronize_rcu();
}

/* The module's exit waits until this has returned (tap_life_close). */
static void life_let_go(struct work_struct *work)
{
	life_await_last_lines();
	life_pending_free();
	module_put(THIS_MODULE);
}

/* Returns how many children are left: from now on they access nothing that stopping frees. */
static int life_end_without_them(void)
{
	int left;

	down_write(&over_lock);
	left = atomic_read(&outstanding);
	is_over = left;
	if (left)
		__module_get(THIS_MODULE);
	up_write(&over_lock);
	return left;
}

static void life_wait_for_children(void)
{
	int left = 0;

	if (any_outstanding &&
	    !wait_event_timeout(none_outstanding, !atomic_read(&outstanding), LONGEST_WAIT * HZ))
		left = life_end_without_them();
	if (left) {
		tap_message(TAP_ITEM_WARNING, "%d new processes have not started to run: the module stays loaded until they do",
			    left);
		return;
	}
	if (any_outstanding)
		life_await_last_lines();
	any_outstanding = false;
	life_pending_free();
}

void tap_life_stop(void)
{
	tap_listeners_stop(of_returns, ARRAY_SIZE(of_returns));
	tap_listeners_stop(of_calls, ARRAY_SIZE(of_calls));
	tap_listeners_stop(of_life, ARRAY_SIZE(of_life));
	life_wait_for_children();
	if (tap_process_rows[TAP_PROCESS_FOLLOWED])
		tap_process_rows[TAP_PROCESS_FOLLOWED]->what->follow->stop();
	tap_zfree(tap_target_tree, TREE_BYTES);
	tap_target_tree = NULL;
}

void tap_life_close(void)
{
	flush_work(&last_one);
}
