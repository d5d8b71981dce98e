// SPDX-License-Identifier: GPL-2.0-or-later
/* Each thread has a history: pieces of time, each with a chain (chains.h) that says what it did or waited for. When
 * it is woken up, its wait is divided as the history of the waking thread divides the same time: what that one
 * waited for, this one waited for, too. An interrupt that wakes it up ends the chain. So the pieces of a thread add
 * up to its wall time.
 *
 * The kernel's events call this file directly, without a frame, as nothing in here can fail. The lock of one thread is
 * held at a time, with interrupts off. A CPU that does not get it for long gives up and counts the event as missed:
 * the holder's virtual CPU does not run, or a probe of something in here calls waitchain_finish(). */
#include "waitchain.h"

#include <linux/ctype.h>
#include <linux/hash.h>
#include <linux/irqflags.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/workqueue.h>
#include <asm/syscall.h>
#include <trace/events/sched.h>
#include <trace/events/workqueue.h>

#include "chains.h"
#include "clock.h"
#include "compat.h"
#include "context.h"
#include "core/string.h"
#include "tracepoints.h"
#include "wait_history.h"
#include "wait_origin.h"

enum {
	BUCKET_BITS = 10, WAYS = 4,
	THREADS = WAYS << BUCKET_BITS,
	DESCENT = 64,			/* generations between the target and a thread */
	MOST_THREADS = THREADS,		/* of the target at the start */
};

enum state { STATE_UNSEEN, STATE_RUNS, STATE_RUNNABLE, STATE_SLEEPS };

struct thread {
	atomic_t lock;
	u32 place;
	u64 start;			/* of the thread: its address may be used again */
	u64 since;			/* when the state began */
	u64 named;			/* since when it has this name */
	u64 comm[2];
	u8 state;
	bool followed;
	bool is_early;			/* woken up before it slept: by EARLY, chain of the waker */
	u16 name;			/* work's function, or that of the thread */
	u16 own_name;
	u32 runs, runnable, early;	/* chains */
	u32 wait_from, wait_to;		/* pieces of the last wait */
	struct tap_wait_history history;
};

static struct task_struct **owners;
static struct thread *threads;
static bool active;
static u64 started, least_ns;
static u64 stopped;
static pid_t only_pid, only_target;
static u32 only_name;
static bool names_all;
static atomic64_t missed;

/* ---- histories ---- */

static bool waitchain_counts(const struct thread *t)
{
	return t->followed && (names_all || t->own_name == only_name);
}

/* The time from the last piece until END. */
static void waitchain_push(struct thread *t, u64 end, u32 chain)
{
	u64 begin = tap_wait_history_end(&t->history);

	if (end < begin)		/* clocks of CPUs may differ by some ns */
		end = begin;
	if (waitchain_counts(t))
		tap_chain_account(chain, end - begin);
	tap_wait_history_push(&t->history, end, chain);
}

/* A thread that runs, as far as is known. */
static u32 waitchain_running(const struct thread *t)
{
	return t->state == STATE_RUNS ? t->runs : tap_chain_of(TAP_CHAIN_UNSEEN, t->name, TAP_PLACE_NONE, 0);
}

/* What T, which runs, did since BEGIN. */
static void waitchain_collect(const struct thread *t, u64 begin, u64 now, struct tap_wait_sums *to)
{
	u64 since = max(tap_wait_history_end(&t->history), begin), unborn;

	tap_wait_sums_add(to, waitchain_running(t), now > since ? now - since : 0);
	unborn = tap_wait_history_collect(&t->history, begin, to);
	if (unborn)
		tap_wait_sums_add(to, tap_chain_of(TAP_CHAIN_UNBORN, t->name, TAP_PLACE_NONE, 0), unborn);
}

/* ---- threads ---- */

static bool waitchain_lock(struct thread *t)
{
	if (tap_chains_lock(&t->lock))
		return true;
	atomic64_inc(&missed);
	return false;
}

static void waitchain_unlock(struct thread *t)
{
	tap_chains_unlock(&t->lock);
}

static u32 waitchain_bucket(const struct task_struct *task)
{
	return hash_ptr(task, BUCKET_BITS) * WAYS;
}

static struct thread *waitchain_find(const struct task_struct *task)
{
	u32 first = waitchain_bucket(task);

	for (u32 i = first; i < first + WAYS; i++)
		if (READ_ONCE(owners[i]) == task)
			return &threads[i];
	return NULL;
}

/* Preemption is off, which keeps the parents from being freed. No rcu_read_lock(): its end might wake up a thread. */
static bool waitchain_descends(const struct task_struct *task)
{
	bool found = false;

	for (u32 i = 0; i < DESCENT && task->pid > 1 && !found; i++) {
		found = task->tgid == only_target;
		task = rcu_dereference_raw(task->real_parent);
	}
	return found;
}

static bool waitchain_is_wanted(struct task_struct *task)
{
	if (only_pid)
		return task->tgid == only_pid;
	return !only_target || waitchain_descends(task);
}

static void waitchain_end_name(struct thread *t, u64 now)
{
	if (waitchain_counts(t) && now > t->named)
		tap_chain_account_wall(t->name, now - t->named);
	t->named = now;
}

static void waitchain_set_name(struct thread *t, u32 name)
{
	t->name = name;
	t->runs = tap_chain_of(TAP_CHAIN_RUNS, name, TAP_PLACE_NONE, 0);
	t->runnable = tap_chain_of(TAP_CHAIN_IS_RUNNABLE, name, TAP_PLACE_NONE, 0);
}

/* Whether the name of a thread of the kernel ends with its CPU or pool: kworker/0:1, kworker/u4:2; not irq/24-eth0. */
static bool waitchain_is_one_of_many(const char *after)
{
	after += *after == 'u';
	if (!isdigit(*after))
		return false;
	while (isdigit(*after))
		after++;
	return !*after || *after == ':';
}

/* Threads of the kernel that there are of each CPU have one name. */
static u32 waitchain_own_name(const struct task_struct *task, const u64 comm[2])
{
	union { u64 words[2]; char bytes[16]; } name = { { comm[0], comm[1] } };
	u32 size = strnlen(name.bytes, sizeof(name.bytes) - 1);

	name.bytes[size] = 0;
	if (task->flags & PF_KTHREAD)
		for (u32 i = 0; i < size; i++)
			if (name.bytes[i] == '/' && waitchain_is_one_of_many(name.bytes + i + 1))
				size = i;
	memset(name.bytes + size, 0, sizeof(name.bytes) - size);
	return tap_chain_name(name.words);
}

/* After a change of its name, which it has since AT. */
static __always_inline void waitchain_check_name(struct thread *t, const struct task_struct *task, u64 at)
{
	u64 comm[2];

	memcpy(comm, task->comm, sizeof(comm));
	if (likely(comm[0] == t->comm[0] && comm[1] == t->comm[1]))
		return;
	waitchain_end_name(t, at);
	memcpy(t->comm, comm, sizeof(comm));
	t->own_name = waitchain_own_name(task, comm);
	waitchain_set_name(t, t->own_name);
}

static void waitchain_reset(struct thread *t, struct task_struct *task, enum state state, u64 born)
{
	memset((char *)t + sizeof(t->lock), 0, sizeof(*t) - sizeof(t->lock));
	t->start = task->start_time;
	t->state = state;
	t->place = TAP_PLACE_NONE;
	t->since = t->named = born;
	tap_wait_history_begin(&t->history, born);
	t->followed = waitchain_is_wanted(task);
	memcpy(t->comm, task->comm, sizeof(t->comm));
	t->own_name = waitchain_own_name(task, t->comm);
	waitchain_set_name(t, t->own_name);
}

/* A thread that is met for the first time while it is not running has slept all the time, if it is on no queue. */
static enum state waitchain_first_state(const struct task_struct *task)
{
	return task == current || READ_ONCE(task->on_rq) ? STATE_UNSEEN : STATE_SLEEPS;
}

static struct thread *waitchain_claim(struct task_struct *task)
{
	static atomic_t claiming;
	struct thread *t = NULL;
	u32 first = waitchain_bucket(task);

	if (!tap_chains_lock(&claiming))
		return NULL;
	for (u32 i = first; i < first + WAYS && !t; i++)
		if (owners[i] == task)
			t = &threads[i];
	for (u32 i = first; i < first + WAYS && !t; i++) {
		if (owners[i])
			continue;
		t = &threads[i];
		waitchain_reset(t, task, waitchain_first_state(task), started);
		smp_store_release(&owners[i], task);
	}
	tap_chains_unlock(&claiming);
	return t;
}

/* Returns it locked. */
static struct thread *waitchain_thread(struct task_struct *task)
{
	struct thread *t = waitchain_find(task) ?: waitchain_claim(task);

	if (unlikely(!t)) {
		atomic64_inc(&missed);
		return NULL;
	}
	if (!waitchain_lock(t))
		return NULL;
	if (unlikely(t->start != task->start_time))
		waitchain_reset(t, task, waitchain_first_state(task), started);
	return t;
}

/* ---- switches ---- */

static u32 waitchain_place(const struct task_struct *task)
{
	int number;

	if (task->flags & TAP_NO_USER)
		return TAP_PLACE_NONE;
	if (tap_is_32bit_program())
		return TAP_PLACE_NARROW;
	number = syscall_get_nr((struct task_struct *)task, task_pt_regs((struct task_struct *)task));
	return number < 0 ? TAP_PLACE_FAULT : min_t(u32, number, TAP_PLACE_NARROW - 1);
}

static void waitchain_leave(struct task_struct *task, bool preempted, u64 now)
{
	struct thread *t = waitchain_thread(task);
	unsigned int state = tap_task_state(task);

	if (!t)
		return;
	if (t->name == t->own_name)
		waitchain_check_name(t, task, tap_wait_history_end(&t->history));
	waitchain_push(t, now, waitchain_running(t));
	t->since = now;
	t->state = preempted || !state ? STATE_RUNNABLE : STATE_SLEEPS;
	if (t->state == STATE_SLEEPS)
		t->place = waitchain_place(task);
	t->wait_from = t->wait_to = t->history.pushed;
	if (unlikely(!preempted && state & TASK_DEAD)) {
		waitchain_end_name(t, now);
		WRITE_ONCE(owners[t - threads], NULL);
	}
	waitchain_unlock(t);
}

/* A wait for each of the chains of FROM, in the order in which they occurred. */
static void waitchain_push_wait(struct thread *t, u64 now, const struct tap_wait_sums *from)
{
	u64 end = tap_wait_history_end(&t->history);

	t->wait_from = t->history.pushed;
	if (now - min(now, t->since) < least_ns) {
		waitchain_push(t, now, tap_chain_of(TAP_CHAIN_SHORT, t->name, TAP_PLACE_NONE, 0));
	} else {
		for (u32 i = from->used; i-- > 0;) {
			end += from->ns[i];
			waitchain_push(t, i ? end : now,
				       tap_chain_of(TAP_CHAIN_WAITS, t->name, t->place, from->chains[i]));
		}
	}
	t->wait_to = t->history.pushed;
}

/* It runs after a sleep whose end was not seen: it was woken up on the way to it, or the event was missed. */
static void waitchain_push_unseen(struct thread *t, u64 now)
{
	struct tap_wait_sums from = { .used = 1 };

	from.chains[0] = t->is_early ? t->early : tap_chain_of(TAP_CHAIN_UNKNOWN, 0, TAP_PLACE_NONE, 0);
	waitchain_push_wait(t, t->is_early ? t->since : now, &from);
	t->since = t->is_early ? t->since : now;
}

static void waitchain_arrive(struct task_struct *task, u64 now)
{
	struct thread *t = waitchain_thread(task);

	if (!t)
		return;
	if (t->state == STATE_SLEEPS) {
		waitchain_push_unseen(t, now);
		t->state = STATE_RUNNABLE;
	}
	waitchain_push(t, now, t->state == STATE_RUNNABLE ? t->runnable :
						   tap_chain_of(TAP_CHAIN_UNSEEN, t->name, TAP_PLACE_NONE, 0));
	t->state = STATE_RUNS;
	t->since = now;
	t->is_early = false;
	waitchain_unlock(t);
}

/* With interrupts off. */
static void waitchain_switched(void *data, bool preempted, struct task_struct *from,
			       struct task_struct *to TAP_SWITCH_MORE)
{
	u64 now;

	if (!READ_ONCE(active))
		return;
	now = tap_clock();
	if (from->pid)
		waitchain_leave(from, preempted, now);
	if (to->pid)
		waitchain_arrive(to, now);
}

/* ---- wake-ups ---- */

static void waitchain_cause(u64 since, u64 now, struct tap_wait_sums *to)
{
	struct thread *t;

	if (!tap_wait_origin_is_thread()) {
		tap_wait_sums_add(to, tap_wait_origin(), now - min(now, since));
		return;
	}
	t = waitchain_thread(current);
	if (t) {
		if (t->name == t->own_name)
			waitchain_check_name(t, current, tap_wait_history_end(&t->history));
		waitchain_collect(t, since, now, to);
		waitchain_unlock(t);
	} else {
		tap_wait_sums_add(to, tap_chain_of(TAP_CHAIN_MORE, 0, TAP_PLACE_NONE, 0), now - min(now, since));
	}
}

/* The kernel holds the sleeping thread's lock, so only its own switch can happen at the same time. */
static void waitchain_wakes(struct task_struct *task, u64 now)
{
	struct thread *t = waitchain_find(task) ?: waitchain_claim(task);
	struct tap_wait_sums from;
	u64 since = t ? READ_ONCE(t->since) : now;
	bool sleeps = t && READ_ONCE(t->state) == STATE_SLEEPS;

	from.used = 0;
	waitchain_cause(sleeps ? since : now, now, &from);
	t = waitchain_thread(task);
	if (!t)
		return;
	if (sleeps && t->state == STATE_SLEEPS && t->since == since) {
		waitchain_push_wait(t, now, &from);
		t->state = STATE_RUNNABLE;
		t->since = now;
	} else {
		t->early = from.chains[0];
		t->is_early = true;
	}
	waitchain_unlock(t);
}

static void waitchain_waking(void *data, struct task_struct *task)
{
	unsigned long flags;

	if (!READ_ONCE(active))
		return;
	local_irq_save(flags);
	waitchain_wakes(task, tap_clock());
	local_irq_restore(flags);
}

static void waitchain_new(void *data, struct task_struct *task)
{
	const struct thread *parent;
	unsigned long flags;
	struct thread *t;

	if (!READ_ONCE(active))
		return;
	local_irq_save(flags);
	parent = waitchain_find(current);
	t = waitchain_thread(task);
	if (t) {
		waitchain_reset(t, task, STATE_RUNNABLE, tap_clock());
		t->followed |= !only_pid && parent && parent->followed;
		waitchain_unlock(t);
	}
	local_irq_restore(flags);
}

/* ---- the work of a worker ---- */

/* A worker has the name of its work. */
static void waitchain_work(unsigned long function)
{
	unsigned long flags;
	struct thread *t;
	u64 now;

	if (!READ_ONCE(active))
		return;
	local_irq_save(flags);
	now = tap_clock();
	t = waitchain_thread(current);
	if (t) {
		waitchain_push(t, now, waitchain_running(t));
		t->state = STATE_RUNS;
		waitchain_end_name(t, now);
		waitchain_set_name(t, function ? tap_chain_function(function) : t->own_name);
		waitchain_unlock(t);
	}
	local_irq_restore(flags);
}

static void waitchain_work_starts(void *data, struct work_struct *work)
{
	waitchain_work((unsigned long)work->func);
}

static void waitchain_work_ends(void *data, struct work_struct *work, work_func_t function)
{
	waitchain_work(0);
}

static struct tap_listener listeners[] = {
	{ "sched_switch", waitchain_switched }, { "sched_waking", waitchain_waking },
	{ "sched_wakeup_new", waitchain_new },
	{ "workqueue_execute_start", waitchain_work_starts }, { "workqueue_execute_end", waitchain_work_ends },
};

/* The compiler compares the types. */
static void __maybe_unused waitchain_check_types(void)
{
	check_trace_callback_type_sched_switch(waitchain_switched);
	check_trace_callback_type_sched_waking(waitchain_waking);
	check_trace_callback_type_sched_wakeup_new(waitchain_new);
	check_trace_callback_type_workqueue_execute_start(waitchain_work_starts);
	check_trace_callback_type_workqueue_execute_end(waitchain_work_ends);
}

/* ---- the script's functions ---- */

/* The target's threads that exist already: some may sleep all the time. */
static void waitchain_meet(void)
{
	struct task_struct *process, *task;
	u32 met = 0;

	if (!only_pid && !only_target)
		return;
	rcu_read_lock();
	for_each_process(process) {
		if (met >= MOST_THREADS)
			break;
		if (!waitchain_is_wanted(process))
			continue;
		for_each_thread(process, task) {
			unsigned long flags;
			struct thread *t;

			if (met++ >= MOST_THREADS)
				break;
			local_irq_save(flags);
			t = waitchain_thread(task);
			if (t)
				waitchain_unlock(t);
			local_irq_restore(flags);
		}
	}
	rcu_read_unlock();
}

void tap_waitchain_start(struct tap_context *c, s64 pid, struct tap_string name, s64 least)
{
	u64 text[2] = { };

	if (tap_frame(c)->level || started)
		return;
	memcpy(text, name.data, min_t(u64, name.size, TASK_COMM_LEN - 1));
	names_all = !name.size;
	only_name = names_all ? 0 : tap_chain_name(text);
	only_pid = pid;
	only_target = tap_target();
	least_ns = max_t(s64, least, 0);
	started = tap_clock();
	smp_wmb();
	WRITE_ONCE(active, true);
	waitchain_meet();
}

static void waitchain_finish_thread(struct thread *t, u64 now)
{
	struct tap_wait_sums from = { .used = 1 };

	if (t->state == STATE_SLEEPS) {
		from.chains[0] = tap_chain_of(TAP_CHAIN_UNFINISHED, 0, TAP_PLACE_NONE, 0);
		waitchain_push_wait(t, now, &from);
	} else if (t->state == STATE_RUNNABLE) {
		waitchain_push(t, now, t->runnable);
	} else {
		waitchain_push(t, now, waitchain_running(t));
	}
	waitchain_end_name(t, now);
}

void tap_waitchain_finish(struct tap_context *c)
{
	unsigned long flags;

	if (!started)
		return;
	WRITE_ONCE(active, false);
	for (u32 i = 0; i < THREADS; i++) {
		if (!READ_ONCE(owners[i]))
			continue;
		local_irq_save(flags);
		if (waitchain_lock(&threads[i])) {
			waitchain_finish_thread(&threads[i], stopped ?: tap_clock());
			WRITE_ONCE(owners[i], NULL);
			waitchain_unlock(&threads[i]);
		}
		local_irq_restore(flags);
	}
}

s64 tap_waitchain_missed(void)
{
	return atomic64_read(&missed);
}

static const struct thread *waitchain_given(s64 task)
{
	const struct thread *t = owners ? waitchain_find((const struct task_struct *)(unsigned long)task) : NULL;

	return t && waitchain_counts(t) ? t : NULL;
}

bool tap_waitchain_follows(s64 task)
{
	return waitchain_given(task);
}

s64 tap_waitchain_pieces(s64 task)
{
	const struct thread *t = waitchain_given(task);

	return t && t->state == STATE_RUNS ? min_t(u32, t->wait_to - t->wait_from, TAP_WAIT_SUMS) : 0;
}

static bool waitchain_has(const struct thread *t, s64 i)
{
	return t && i >= 0 && i < t->wait_to - t->wait_from;
}

s64 tap_waitchain_piece_chain(s64 task, s64 i)
{
	const struct thread *t = waitchain_given(task);

	return waitchain_has(t, i) ? tap_wait_history_piece(&t->history, t->wait_from + i)->chain : 0;
}

s64 tap_waitchain_piece_ns(s64 task, s64 i)
{
	const struct thread *t = waitchain_given(task);

	return waitchain_has(t, i) ? tap_wait_history_piece_ns(&t->history, t->wait_from + i) : 0;
}

s64 tap_waitchain_piece_ago(s64 task, s64 i)
{
	const struct thread *t = waitchain_given(task);

	return waitchain_has(t, i) ? tap_clock() - tap_wait_history_piece(&t->history, t->wait_from + i)->end : 0;
}

/* ---- the service ---- */

static int waitchain_start(void)
{
	owners = tap_zalloc(THREADS * sizeof(*owners), NUMA_NO_NODE);
	threads = tap_zalloc(THREADS * sizeof(*threads), NUMA_NO_NODE);
	if (!owners || !threads || tap_chains_start())
		return -ENOMEM;
	return tap_wait_origin_start() ?: tap_listeners_start(listeners, ARRAY_SIZE(listeners));
}

static void waitchain_stop(void)
{
	if (READ_ONCE(active))
		stopped = tap_clock();
	WRITE_ONCE(active, false);
	tap_listeners_stop(listeners, ARRAY_SIZE(listeners));
	tap_wait_origin_stop();
}

static void waitchain_close(void)
{
	waitchain_stop();
	tap_zfree(owners, THREADS * sizeof(*owners));
	tap_zfree(threads, THREADS * sizeof(*threads));
	owners = NULL;
	threads = NULL;
	tap_chains_stop();
}

const struct tap_service tap_waitchain_service = {
	.start = waitchain_start, .stop = waitchain_stop, .close = waitchain_close,
	.follows_all = true };
