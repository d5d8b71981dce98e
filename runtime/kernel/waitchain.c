// SPDX-License-Identifier: GPL-2.0-or-later
/* What scripts ask for: when the chains of threads begin and end, and the pieces of the last wait. The kernel's events
 * fill the records of threads (wait_events.h, wait_thread.h). */
#include "waitchain.h"

#include <linux/irqflags.h>
#include <linux/sched/signal.h>

#include "chains.h"
#include "clock.h"
#include "compat.h"
#include "context.h"
#include "core/string.h"
#include "wait_events.h"
#include "wait_lock.h"
#include "wait_thread.h"

static u64 stopped;

/* ---- the script's functions ---- */

/* The target's threads that exist already: some may sleep all the time. */
static void waitchain_meet(void)
{
	struct task_struct *process, *task;
	u32 met = 0;

	if (!tap_wait_settings.pid && !tap_wait_settings.target)
		return;
	rcu_read_lock();
	for_each_process(process) {
		if (met >= TAP_WAIT_THREADS)
			break;
		if (!tap_wait_is_wanted(process))
			continue;
		for_each_thread(process, task) {
			unsigned long flags;

			if (met++ >= TAP_WAIT_THREADS)
				break;
			local_irq_save(flags);
			tap_wait_thread_search(task);
			local_irq_restore(flags);
		}
	}
	rcu_read_unlock();
}

void tap_waitchain_start(struct tap_context *c, s64 pid, struct tap_string name, s64 least)
{
	u64 text[2] = { };

	if (tap_frame(c)->level || tap_wait_settings.started)
		return;
	memcpy(text, name.data, min_t(u64, name.size, TASK_COMM_LEN - 1));
	tap_wait_settings.names_all = !name.size;
	tap_wait_settings.name = tap_wait_settings.names_all ? 0 : tap_chain_name(text);
	tap_wait_settings.pid = pid;
	tap_wait_settings.target = tap_target();
	tap_wait_settings.least_ns = max_t(s64, least, 0);
	tap_wait_settings.started = tap_clock();
	smp_wmb();
	WRITE_ONCE(tap_wait_active, true);
	waitchain_meet();
}

/* T sleeps. If it waits for a lock, it waits for what the holder did. */
static void waitchain_finish_wait(struct tap_wait_thread *t, u64 now)
{
	const struct tap_wait_thread *owner = tap_wait_lock_owner(t);
	struct tap_wait_sums from;

	from.used = 0;
	if (owner)
		tap_wait_history_collect(&owner->history, t->left, &from);
	if (from.used) {
		tap_wait_thread_add_wait(t, now, &from);
		return;
	}
	if (tap_wait_is_locked(t))
		t->of.call &= ~TAP_CALL_LOCKED;
	tap_wait_thread_add(t, tap_chain_of(TAP_CHAIN_UNFINISHED, 0, TAP_PLACE_NONE, 0), now, now);
}

static void waitchain_finish_thread(struct tap_wait_thread *t, u64 now)
{
	if (!t->left)
		tap_wait_thread_ran(t, now);
	else if (t->of.cause == TAP_CAUSE_MISSING)
		waitchain_finish_wait(t, now);
	else
		tap_wait_thread_arrive(t, now);
	tap_wait_thread_end_name(t, now);
	tap_wait_history_account(&t->history);
}

/* Those that hold the locks for which threads wait come first. */
static void waitchain_finish_with_owners(struct tap_wait_thread *t, u64 now)
{
	struct tap_wait_thread *way[TAP_CHAIN_DEPTH];
	u32 n = 0;

	for (; t && !t->over && n < TAP_CHAIN_DEPTH; t = tap_wait_lock_owner(t)) {
		t->over = true;
		way[n++] = t;
	}
	while (n--)
		waitchain_finish_thread(way[n], now);
}

/* The end of a session has stopped the kernel's events before. Elsewhere, what other CPUs are doing at this moment may
 * be lost or counted twice. */
void tap_waitchain_finish(struct tap_context *c)
{
	u64 now;

	if (!tap_wait_settings.started || (!xchg(&tap_wait_active, false) && !stopped))
		return;
	now = stopped ?: tap_clock();
	for (u32 i = 0; i < TAP_WAIT_THREADS; i++) {
		if (READ_ONCE(tap_wait_threads[i].task) && !tap_wait_threads[i].over)
			waitchain_finish_with_owners(&tap_wait_threads[i], now);
	}
}

s64 tap_waitchain_missed(void)
{
	return atomic64_read(&tap_wait_missed);
}

static const struct tap_wait_thread *waitchain_given(s64 task)
{
	const struct task_struct *key = (const struct task_struct *)(unsigned long)task;
	const struct tap_wait_thread *t = tap_wait_threads && key ? tap_wait_thread_find(key) : NULL;

	return t && t->history.counts ? t : NULL;
}

bool tap_waitchain_follows(s64 task)
{
	return waitchain_given(task);
}

/* If they were added before it ran again, there is one turn for each of them, and then one for the time in which it was
 * runnable. */
static u32 waitchain_pieces(const struct tap_wait_thread *t)
{
	const struct tap_wait_turn *last;

	if (!t || t->left || t->of.cause == TAP_CAUSE_NONE || t->of.cause == TAP_CAUSE_UNSEEN)
		return 0;
	last = tap_wait_history_turn(&t->history, 0);
	return last->slept ? 1 : min_t(u32, t->added, TAP_WAIT_SUMS);
}

s64 tap_waitchain_pieces(s64 task)
{
	return waitchain_pieces(waitchain_given(task));
}

struct piece {
	u32 chain;
	u64 begin, end;
};

static struct piece waitchain_piece(s64 task, s64 i)
{
	const struct tap_wait_thread *t = waitchain_given(task);
	const struct tap_wait_turn *turn;
	u32 pieces = waitchain_pieces(t);

	if (i < 0 || i >= pieces)
		return (struct piece){ };
	turn = tap_wait_history_turn(&t->history, 0);
	if (turn->slept)
		return (struct piece){ tap_wait_slot_chain(turn->slept, turn->woken), turn->left, turn->woken };
	turn = tap_wait_history_turn(&t->history, pieces - i);
	return (struct piece){ tap_wait_slot_chain(turn->ran, turn->left),
			       tap_wait_history_turn(&t->history, pieces - i + 1)->arrived, turn->left };
}

s64 tap_waitchain_piece_chain(s64 task, s64 i)
{
	return waitchain_piece(task, i).chain;
}

s64 tap_waitchain_piece_ns(s64 task, s64 i)
{
	struct piece p = waitchain_piece(task, i);

	return p.end - p.begin;
}

s64 tap_waitchain_piece_ago(s64 task, s64 i)
{
	struct piece p = waitchain_piece(task, i);

	return p.end ? tap_clock() - p.end : 0;
}

/* ---- the service ---- */

static int waitchain_start(void)
{
	tap_wait_threads = tap_zalloc(TAP_WAIT_THREADS * sizeof(*tap_wait_threads), NUMA_NO_NODE);
	if (!tap_wait_threads || tap_chains_start())
		return -ENOMEM;
	return tap_wait_lock_start() ?: tap_wait_events_start();
}

static void waitchain_stop(void)
{
	if (READ_ONCE(tap_wait_active))
		stopped = tap_clock();
	WRITE_ONCE(tap_wait_active, false);
	tap_wait_events_stop();
	tap_wait_lock_stop();
}

static void waitchain_close(void)
{
	waitchain_stop();
	tap_zfree(tap_wait_threads, TAP_WAIT_THREADS * sizeof(*tap_wait_threads));
	tap_wait_threads = NULL;
	tap_chains_stop();
}

const struct tap_service tap_waitchain_service = {
	.start = waitchain_start, .stop = waitchain_stop, .close = waitchain_close,
	.follows_all = true };
