// SPDX-License-Identifier: GPL-2.0-or-later
/* The reader of a ring: /proc/tap:NAME/cpuN, how it is woken, and how the ring grows while it cannot follow. */
#include "ring.h"

#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/topology.h>
#include <linux/uaccess.h>

#include "clock.h"
#include "compat.h"

enum {
	STEP = 32 << 10,			/* bytes that are moved at once: a few microseconds */
	QUIET_JIFFIES = (HZ + 99) / 100,	/* between two wake-ups of the reader */
	MARGIN_NS = 10000,			/* clocks of CPUs may differ slightly */
};

/* ---- records ---- */

typedef const void *(*ring_reader_at_fn)(void *from, u32 at);

/* Bytes of complete records, of which AT returns the header, at most ROOM; stores the number of the last one. Records
 * may be overwritten meanwhile. */
static __always_inline u32 ring_reader_whole_records(ring_reader_at_fn at, void *from, u32 available, u32 room,
						     u32 *sequence)
{
	u32 n = 0;

	while (available - n >= sizeof(struct tap_record)) {
		const struct tap_record *record = at(from, n);
		u32 size = READ_ONCE(record->size);

		if (size < sizeof(*record) || tap_record_room(size) > min(available, room) - n)
			break;
		*sequence = READ_ONCE(record->sequence);
		n += tap_record_room(size);
		if (n >= room)
			break;
	}
	return n;
}

static __always_inline const void *ring_reader_in_memory(void *from, u32 at)
{
	return from + at;
}

static __always_inline const void *ring_reader_in_backlog(void *from, u32 at)
{
	return tap_backlog_at(from, at);
}

/* ---- growing ----
 * A ring keeps its size, so that its writers need no lock. When half of it is full, the irq_work that wakes the reader
 * also moves records to the backlog: it runs as soon as the CPU takes interrupts, whatever task keeps the reader from
 * running. Records of begin and end stay, because these handlers wait for the reader. A ring that no reader has open
 * only grows if -s says how far. */

static bool ring_reader_may_grow(const struct tap_ring *r)
{
	return r->relief != TAP_RING_NEVER && READ_ONCE(tap_session.state) == TAP_RUNNING &&
	       (r->opened || tap_session.configuration.buffer);
}

/* Moves up to STEP bytes, or one record, if half of the ring is full. Returns false if there is no room for them. */
static bool ring_reader_move(struct tap_ring *r)
{
	u32 consumed = r->consumed, filled = smp_load_acquire(&r->committed) - consumed, size, sequence;
	struct tap_record *first = tap_ring_at(r, consumed);

	if (filled < r->relief)
		return true;
	size = max_t(u32, STEP, tap_record_room(first->size));
	size = min(size, tap_backlog_make_room(&r->backlog, size));
	size = ring_reader_whole_records(ring_reader_in_memory, first, filled, size, &sequence);
	tap_backlog_add(&r->backlog, first, size);
	smp_store_release(&r->consumed, consumed + size);
	return size;
}

/* A reader that reads tries again; if there was no memory, so does the timer. */
static void ring_reader_relieve(struct tap_ring *r)
{
	unsigned long flags;
	bool moved, retry;

	if (!ring_reader_may_grow(r))
		return;
	spin_lock_irqsave(&r->moving, flags);
	moved = ring_reader_move(r);
	if (!moved)
		WRITE_ONCE(r->wake_at, TAP_RING_NEVER);
	retry = !moved && !tap_backlog_is_at_limit(&r->backlog);
	spin_unlock_irqrestore(&r->moving, flags);
	if (retry)
		mod_timer(&r->timer, jiffies + QUIET_JIFFIES);
}

/* ---- waking the reader ----
 * A handler cannot wake a task, but an irq_work can. The first record after a quiet period
 * wakes at once, later ones when QUIET_JIFFIES have passed or a quarter of the ring is full. */

static u32 ring_reader_position(const struct tap_ring *r)
{
	return r->overwrite ? READ_ONCE(r->consumed) : READ_ONCE(r->read);
}

static u32 ring_reader_unread(const struct tap_ring *r)
{
	return smp_load_acquire(&r->committed) - ring_reader_position(r);
}

static u32 ring_reader_filling(const struct tap_ring *r)
{
	return r->size / 4;
}

void tap_ring_reader_wake(struct tap_ring *r)
{
	WRITE_ONCE(r->wake_at, r->relief);
	r->woken = jiffies;
	wake_up_interruptible(&r->wait);
	ring_reader_relieve(r);
}

static void ring_reader_signal_work(struct irq_work *work)
{
	struct tap_ring *r = container_of(work, struct tap_ring, signal.work);

	if (ring_reader_unread(r) >= ring_reader_filling(r) || time_after_eq(jiffies, r->woken + QUIET_JIFFIES)) {
		tap_ring_reader_wake(r);
	} else {
		WRITE_ONCE(r->wake_at, ring_reader_filling(r));	/* the timer wakes for less */
		mod_timer(&r->timer, r->woken + QUIET_JIFFIES);
	}
}

static void ring_reader_timer_over(struct timer_list *timer)
{
	struct tap_ring *r = timer_container_of(r, timer, timer);

	tap_ring_reader_wake(r);
}

/* ---- reading ---- */

/* What is committed now will be read, perhaps by several reads, followed by a heartbeat that is
 * valid for this moment: any record that is not committed has an open mark that we see, or a
 * later stamp. (A record below another writer is not published before that writer's mark, which
 * is older, is cleared.) */
static void ring_reader_round_begin(struct tap_ring *r)
{
	u64 bound, head;

	tap_clock_check();
	bound = tap_clock() - MARGIN_NS;
	smp_mb();
	for (u32 level = 0; level < TAP_LEVELS; level++) {
		u64 open = smp_load_acquire(&r->open[level]);

		if (open && open < bound)
			bound = open;
	}
	head = READ_ONCE(r->head);
	smp_rmb();
	r->round_end = smp_load_acquire(&r->committed);
	r->round_stamp = max(bound, r->heartbeat);
	/* All numbers up to the head's are published or lost, unless a writer is active at this
	 * moment. */
	r->round_sequence = (u32)head == r->round_end ? (u32)(head >> 32) : 0;
}

static bool ring_reader_is_round_over(const struct tap_ring *r)
{
	return (s32)(r->round_end - ring_reader_position(r)) <= 0;
}

/* Bytes that wait in the backlog. */
static u32 ring_reader_moved(struct tap_ring *r)
{
	unsigned long flags;
	u32 size;

	spin_lock_irqsave(&r->moving, flags);
	size = r->consumed - r->read;
	spin_unlock_irqrestore(&r->moving, flags);
	return size;
}

static ssize_t ring_reader_copy_moved(struct tap_ring *r, char __user *to, u32 moved, u32 room)
{
	struct tap_backlog_cursor start = tap_backlog_begin(&r->backlog), cursor = start;
	struct tap_backlog_page *pages;
	u32 sequence, n = ring_reader_whole_records(ring_reader_in_backlog, &cursor, min(moved, r->round_end - r->read),
						    room, &sequence);
	unsigned long flags;

	if (!n)
		return -EMSGSIZE;
	if (!tap_backlog_copy(start, to, n))
		return -EFAULT;
	r->last_sequence = sequence;
	spin_lock_irqsave(&r->moving, flags);
	WRITE_ONCE(r->read, r->read + n);
	pages = tap_backlog_drop(&r->backlog, n, r->read == r->consumed);
	spin_unlock_irqrestore(&r->moving, flags);
	tap_backlog_free(&r->backlog, pages);
	return n;
}

/* Records may be moved while we copy them; the copy is valid if they were not. Otherwise, 0. */
static ssize_t ring_reader_copy_ring(struct tap_ring *r, char __user *to, u32 room)
{
	u32 from = r->read, sequence, n;
	void *data = tap_ring_at(r, from);
	unsigned long flags;
	bool valid;

	n = ring_reader_whole_records(ring_reader_in_memory, data, r->round_end - from, room, &sequence);
	if (copy_to_user(to, data, n))
		return -EFAULT;
	spin_lock_irqsave(&r->moving, flags);
	valid = r->consumed == from;
	if (valid) {
		WRITE_ONCE(r->read, from + n);
		smp_store_release(&r->consumed, from + n);
	}
	spin_unlock_irqrestore(&r->moving, flags);
	if (valid && !n)
		return -EMSGSIZE;
	if (valid)
		r->last_sequence = sequence;
	return valid ? n : 0;
}

/* First those that were moved, which are older. */
static ssize_t ring_reader_copy_records(struct tap_ring *r, char __user *to, u32 room)
{
	ssize_t done = 0, n;

	while (!ring_reader_is_round_over(r)) {
		u32 moved = ring_reader_moved(r);

		n = moved ? ring_reader_copy_moved(r, to + done, moved, room - done) :
			    ring_reader_copy_ring(r, to + done, room - done);
		if (n < 0)
			return done ? done : n;
		done += n;
	}
	return done;
}

/* The ring may be full, so that no writer would try again. */
static void ring_reader_resume_growth(struct tap_ring *r)
{
	if (cmpxchg(&r->wake_at, TAP_RING_NEVER, r->relief) == TAP_RING_NEVER)
		ring_reader_relieve(r);
}

/* Writers may overwrite data while we copy it; the copy is valid if consumed has not changed. */
static ssize_t ring_reader_copy_overwritten(struct tap_ring *r, char __user *to, u32 room)
{
	for (u32 most = TAP_BOUNCE_BYTES; !ring_reader_is_round_over(r); most = max(most / 2, 4096u)) {
		u32 consumed = READ_ONCE(r->consumed);
		u32 sequence = r->last_sequence, n = min(r->round_end - consumed, most);

		memcpy(r->bounce, tap_ring_at(r, consumed), n);
		n = ring_reader_whole_records(ring_reader_in_memory, r->bounce, n, room, &sequence);
		if (!n && READ_ONCE(r->consumed) == consumed)
			return -EMSGSIZE;
		if (!n || cmpxchg(&r->consumed, consumed, consumed + n) != consumed) {
			cond_resched();
			continue;
		}
		r->last_sequence = sequence;
		return copy_to_user(to, r->bounce, n) ? -EFAULT : n;
	}
	return 0;
}

static struct tap_ring *ring_reader_ring(struct tap_file *f)
{
	return container_of(f, struct tap_ring, file);
}

static ssize_t ring_reader_read(struct tap_file *f, struct file *file, char __user *to, size_t count, loff_t *offset)
{
	struct tap_ring *r = ring_reader_ring(f);
	struct tap_record beat = {
		.size = sizeof(beat),
	};
	ssize_t n = 0;
	u32 room;

	if (count < sizeof(beat))
		return -EINVAL;
	room = min_t(size_t, count - sizeof(beat), S32_MAX);
	if (mutex_lock_interruptible(&r->reading))
		return -ERESTARTSYS;
	if (ring_reader_is_round_over(r))
		ring_reader_round_begin(r);
	if (!ring_reader_is_round_over(r))
		n = r->overwrite ? ring_reader_copy_overwritten(r, to, room) : ring_reader_copy_records(r, to, room);
	if (n >= 0) {
		if (ring_reader_is_round_over(r)) {
			r->heartbeat = r->round_stamp;
			if (r->round_sequence)
				r->last_sequence = r->round_sequence;
		}
		ring_reader_resume_growth(r);
		beat.stamp = r->heartbeat;
		beat.sequence = r->last_sequence;
		n = copy_to_user(to + n, &beat, sizeof(beat)) ? -EFAULT : n + (ssize_t)sizeof(beat);
	}
	mutex_unlock(&r->reading);
	return n;
}

static __poll_t ring_reader_poll(struct tap_file *f, struct file *file, struct poll_table_struct *table)
{
	struct tap_ring *r = ring_reader_ring(f);

	poll_wait(file, &r->wait, table);
	if (ring_reader_unread(r))
		return EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(tap_session.state) >= TAP_DRAINING)
		return EPOLLIN | EPOLLRDNORM | EPOLLHUP;
	WRITE_ONCE(r->wake_at, TAP_RING_AT_ONCE);
	smp_mb();
	return ring_reader_unread(r) ? EPOLLIN | EPOLLRDNORM : 0;
}

static int ring_reader_open(struct tap_file *f, struct inode *inode, struct file *file)
{
	struct tap_ring *r = ring_reader_ring(f);

	if (!tap_session_is_owner())
		return -EACCES;
	if (test_and_set_bit(0, &r->opened))
		return -EBUSY;
	WRITE_ONCE(r->wake_at, r->relief);
	return stream_open(inode, file);
}

static void ring_reader_release(struct tap_file *f, struct file *file)
{
	struct tap_ring *r = ring_reader_ring(f);

	WRITE_ONCE(r->wake_at, r->relief);
	clear_bit(0, &r->opened);
}

const struct tap_file_ops tap_ring_file_ops = {
	.open = ring_reader_open, .read = ring_reader_read, .poll = ring_reader_poll,
	.release = ring_reader_release,
};

/* ---- life ---- */

void tap_ring_reader_init(struct tap_ring *r, u64 growth)
{
	r->relief = r->wake_at = growth ? r->size / 2 : TAP_RING_NEVER;
	r->backlog = (struct tap_backlog){ .most = growth, .node = cpu_to_node(r->cpu) };
	spin_lock_init(&r->moving);
	r->woken = jiffies - QUIET_JIFFIES;
	mutex_init(&r->reading);
	init_waitqueue_head(&r->wait);
	r->signal = (struct tap_deferred)TAP_DEFERRED(ring_reader_signal_work);
	timer_setup(&r->timer, ring_reader_timer_over, 0);
}

void tap_ring_reader_close(struct tap_ring *r)
{
	tap_deferred_sync(&r->signal);	/* may start the timer */
	timer_delete_sync(&r->timer);
	tap_backlog_free(&r->backlog, tap_backlog_drop(&r->backlog, 0, true));
}
