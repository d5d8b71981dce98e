// SPDX-License-Identifier: GPL-2.0-or-later
/* The records of threads: finding them, their names, and what is added to their histories. */
#include "wait_thread.h"

#include <linux/ctype.h>

#include "chains.h"
#include "clock.h"
#include "compat.h"

enum { DESCENT = 64 };			/* generations between the target and a thread */

struct tap_wait_settings tap_wait_settings;
struct tap_wait_thread *tap_wait_threads;	/* by hash */
DEFINE_PER_CPU(struct tap_wait_thread *, tap_wait_running);
bool tap_wait_active;
atomic64_t tap_wait_missed;

/* ---- histories ---- */

void tap_wait_thread_forget_slots(struct tap_wait_thread *t)
{
	t->running = 0;
	for (u32 i = 0; i < TAP_WAIT_KNOWN; i++)
		WRITE_ONCE(t->known[i].of.both, U64_MAX);
}

/* The slot of a chain in T's history. */
static noinline struct tap_wait_slot *wait_thread_slot(struct tap_wait_thread *t, u32 chain)
{
	bool lost = false;
	struct tap_wait_slot *slot = tap_wait_history_slot(&t->history, chain, &lost);

	if (lost)
		tap_wait_thread_forget_slots(t);
	return slot;
}

/* That of a chain of T's name alone. */
static noinline struct tap_wait_slot *wait_thread_slot_of(struct tap_wait_thread *t, enum tap_chain_kind kind)
{
	return wait_thread_slot(t, tap_chain_of(kind, t->name, TAP_PLACE_NONE, 0));
}

/* For a thread that runs, as far as is known. */
static u32 wait_thread_running_chain(struct tap_wait_thread *t)
{
	u32 running;

	if (t->unseen)
		return tap_chain_of(TAP_CHAIN_UNSEEN, t->name, TAP_PLACE_NONE, 0);
	running = READ_ONCE(t->running);
	if (!running) {
		running = tap_chain_of(TAP_CHAIN_RUNS, t->name, TAP_PLACE_NONE, 0);
		WRITE_ONCE(t->running, running);
	}
	return running;
}

static struct tap_wait_slot *wait_thread_runs(struct tap_wait_thread *t)
{
	return wait_thread_slot(t, wait_thread_running_chain(t));
}

/* For its wait by the chain REST. */
static struct tap_wait_slot *wait_thread_waits(struct tap_wait_thread *t, u32 rest)
{
	u32 kind = tap_wait_is_locked(t) ? TAP_CHAIN_LOCKED : TAP_CHAIN_WAITS;

	return wait_thread_slot(t, tap_chain_of(kind, t->name, tap_wait_place(t->of.call), rest));
}

static void wait_thread_push(struct tap_wait_thread *t, u64 end, struct tap_wait_slot *slot)
{
	tap_wait_history_push(&t->history, end, slot);
}

void tap_wait_thread_ran(struct tap_wait_thread *t, u64 until)
{
	wait_thread_push(t, until, wait_thread_runs(t));
}

void tap_wait_thread_collect(struct tap_wait_thread *t, u64 begin, u64 now, struct tap_wait_sums *to)
{
	u64 since = max(t->history.end, begin), unborn;

	tap_wait_sums_add(to, wait_thread_running_chain(t), now > since ? now - since : 0);
	unborn = tap_wait_history_collect(&t->history, begin, to);
	if (unborn)
		tap_wait_sums_add(to, tap_chain_of(TAP_CHAIN_UNBORN, t->name, TAP_PLACE_NONE, 0), unborn);
}

/* ---- names ---- */

void tap_wait_thread_end_name(struct tap_wait_thread *t, u64 now)
{
	if (t->history.counts && now > t->named)
		tap_chain_account_wall(t->name, now - t->named);
	t->named = now;
}

void tap_wait_thread_set_name(struct tap_wait_thread *t, u32 name)
{
	t->name = name;
	tap_wait_thread_forget_slots(t);
}

static void wait_thread_set_own_name(struct tap_wait_thread *t, u32 name)
{
	tap_wait_history_account(&t->history);
	t->own_name = name;
	t->history.counts = t->followed && (tap_wait_settings.names_all || name == tap_wait_settings.name);
	tap_wait_thread_set_name(t, name);
}

/* Whether the name of a thread of the kernel ends with its CPU or pool: kworker/0:1, kworker/u4:2; not irq/24-eth0. */
static bool wait_thread_is_one_of_many(const char *after)
{
	after += *after == 'u';
	if (!isdigit(*after))
		return false;
	while (isdigit(*after))
		after++;
	return !*after || *after == ':';
}

/* Threads of the kernel that there are of each CPU have one name. */
static u32 wait_thread_own_name(const struct task_struct *task, const u64 comm[2])
{
	union { u64 words[2]; char bytes[16]; } name = { { comm[0], comm[1] } };
	u32 size = strnlen(name.bytes, sizeof(name.bytes) - 1);

	name.bytes[size] = 0;
	if (task->flags & PF_KTHREAD)
		for (u32 i = 0; i < size; i++)
			if (name.bytes[i] == '/' && wait_thread_is_one_of_many(name.bytes + i + 1))
				size = i;
	memset(name.bytes + size, 0, sizeof(name.bytes) - size);
	return tap_chain_name(name.words);
}

/* The kernel tells before it changes a name. Since the last turn it has the new one. A worker's is compared after its
 * work. */
void tap_wait_thread_check_name(struct tap_wait_thread *t, const struct task_struct *task)
{
	if (!READ_ONCE(t->renamed) || t->name != t->own_name)
		return;
	if (!memcmp(t->comm, task->comm, sizeof(t->comm))) {
		t->renamed--;
		return;
	}
	WRITE_ONCE(t->renamed, 0);
	tap_wait_thread_end_name(t, t->history.end);
	memcpy(t->comm, task->comm, sizeof(t->comm));
	wait_thread_set_own_name(t, wait_thread_own_name(task, t->comm));
}

/* ---- threads ---- */

struct tap_wait_thread *tap_wait_thread_find(const struct task_struct *task)
{
	struct tap_wait_thread *t = tap_wait_thread_bucket(task);

	for (u32 i = 0; i < TAP_WAIT_WAYS; i++)
		if (smp_load_acquire(&t[i].task) == task)
			return &t[i];
	return NULL;
}

/* Preemption is off, which keeps the parents from being freed, unless the task has left its lists before: it may still
 * be on its CPU then. No rcu_read_lock(): its end might wake up a thread. */
static bool wait_thread_descends(const struct task_struct *task)
{
	bool found = false;

	if (!pid_alive(task))
		return false;
	for (u32 i = 0; i < DESCENT && task->pid > 1 && !found; i++) {
		found = task->tgid == tap_wait_settings.target;
		task = rcu_dereference_raw(task->real_parent);
	}
	return found;
}

bool tap_wait_is_wanted(struct task_struct *task)
{
	if (tap_wait_settings.pid)
		return task->tgid == tap_wait_settings.pid;
	return !tap_wait_settings.target || wait_thread_descends(task);
}

static void wait_thread_reset(struct tap_wait_thread *t, struct task_struct *task, u64 born)
{
	const size_t kept = offsetof(struct tap_wait_thread, asleep);

	memset((char *)t + kept, 0, sizeof(*t) - kept);
	for (u32 i = 0; i < TAP_WAIT_KNOWN; i++)
		t->known[i].ran = t->known[i].slept = t->known[i].runnable = t->history.slots;
	t->of.call = TAP_PLACE_NONE;
	t->named = born;
	tap_wait_history_begin(&t->history, born);
	t->followed = tap_wait_is_wanted(task);
	memcpy(t->comm, task->comm, sizeof(t->comm));
	wait_thread_set_own_name(t, wait_thread_own_name(task, t->comm));
}

/* A thread that is met for the first time while it is not running has slept all the time, if it is on no queue. */
static void wait_thread_meet(struct tap_wait_thread *t, struct task_struct *task)
{
	wait_thread_reset(t, task, tap_wait_settings.started);
	if (task == current || READ_ONCE(task->on_rq)) {
		t->unseen = true;
		t->of.cause = TAP_CAUSE_UNSEEN;
	} else {
		t->asleep = t->left = tap_wait_settings.started;
	}
}

/* Two CPUs may meet a thread at the same time for the first time. */
static noinline struct tap_wait_thread *wait_thread_claim(struct task_struct *task)
{
	static atomic_t claiming;
	struct tap_wait_thread *t, *bucket = tap_wait_thread_bucket(task);

	if (!tap_chains_lock(&claiming)) {
		atomic64_inc(&tap_wait_missed);
		return NULL;
	}
	t = tap_wait_thread_find(task);
	for (u32 i = 0; i < TAP_WAIT_WAYS && !t; i++) {
		if (bucket[i].task)
			continue;
		t = &bucket[i];
		wait_thread_meet(t, task);
		smp_store_release(&t->task, task);
	}
	tap_chains_unlock(&claiming);
	if (!t)
		atomic64_inc(&tap_wait_missed);
	return t;
}

struct tap_wait_thread *tap_wait_thread_search(struct task_struct *task)
{
	return task->pid ? tap_wait_thread_find(task) ?: wait_thread_claim(task) : NULL;
}

void tap_wait_thread_begin(struct tap_wait_thread *t, struct task_struct *task, const struct tap_wait_thread *parent)
{
	wait_thread_reset(t, task, tap_clock());
	t->left = t->history.born;
	t->of.cause = TAP_CAUSE_NONE;
	if (!tap_wait_settings.pid && parent && parent->followed && !t->followed) {
		t->followed = true;
		wait_thread_set_own_name(t, t->own_name);
	}
}

/* ---- waits ---- */

/* It ran, and then slept until WOKEN for the chain REST, if not 0, or did not. Its slots have to be found first, and
 * one that gets a slot may take that of another. */
noinline void tap_wait_thread_add(struct tap_wait_thread *t, u32 rest, u64 woken, u64 now)
{
	struct tap_wait_known k = { .of = t->of };

	for (u32 i = 0; i < 3; i++) {
		k.slept = rest ? wait_thread_waits(t, rest) : NULL;
		k.ran = wait_thread_runs(t);
		k.runnable = wait_thread_slot_of(t, TAP_CHAIN_IS_RUNNABLE);
	}
	if (rest == t->of.cause && !t->unseen)
		t->known[rest % TAP_WAIT_KNOWN] = k;
	tap_wait_history_add(&t->history, t->left, woken, now, k.ran, k.slept, k.runnable);
}

void tap_wait_thread_arrive(struct tap_wait_thread *t, u64 now)
{
	switch (t->of.cause) {
	case TAP_CAUSE_UNSEEN:
		tap_wait_thread_ran(t, now);
		break;
	case TAP_CAUSE_ADDED:
		wait_thread_push(t, now, wait_thread_slot_of(t, TAP_CHAIN_IS_RUNNABLE));
		break;
	case TAP_CAUSE_MISSING:
		if (t->early && t->early_at >= t->history.end)
			tap_wait_thread_add(t, t->early, t->left, now);
		else
			tap_wait_thread_add(t, tap_chain_of(TAP_CHAIN_UNKNOWN, 0, TAP_PLACE_NONE, 0), now, now);
		break;
	case TAP_CAUSE_NONE:
		tap_wait_thread_add(t, 0, t->left, now);
		break;
	default:
		tap_wait_thread_add(t, t->of.cause, t->woken, now);
	}
	t->unseen = false;
	t->asleep = t->left = 0;
}

void tap_wait_thread_add_wait(struct tap_wait_thread *t, u64 now, const struct tap_wait_sums *from)
{
	u64 end = t->left;

	tap_wait_thread_ran(t, t->left);
	for (u32 i = from->used; i-- > 0;) {
		end += from->ns[i];
		wait_thread_push(t, i ? end : now, wait_thread_waits(t, from->chains[i]));
	}
	t->added = from->used;
}

void tap_wait_thread_end_wait(struct tap_wait_thread *t, u64 now, const struct tap_wait_sums *from)
{
	t->woken = now;
	t->of.cause = TAP_CAUSE_ADDED;
	if (now - min(now, t->left) < tap_wait_settings.least_ns) {
		tap_wait_thread_ran(t, t->left);
		wait_thread_push(t, now, wait_thread_slot_of(t, TAP_CHAIN_SHORT));
		t->added = 1;
	} else if (from->used == 1) {
		t->of.cause = from->chains[0];
	} else {
		tap_wait_thread_add_wait(t, now, from);
	}
}
