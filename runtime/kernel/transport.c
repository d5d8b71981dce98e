// SPDX-License-Identifier: GPL-2.0-or-later
/* The ring of one CPU, as tap_wire.h describes its records.
 *
 * Writers are handlers of four levels on one CPU, so they nest like interrupts do and need no lock:
 * room is reserved by a cmpxchg that is only atomic on this CPU, and the outermost writer publishes
 * what it and those on top of it have written. Sequence and position change together, so that a
 * record's number is its place, and a lost record takes a number too. The memory is mapped twice in
 * a row: a record at the end goes on at the start without anybody noticing.
 *
 * A reader has to know what may still come with an early stamp. A writer therefore marks its level
 * open, with a lower bound of its stamp, before it takes the stamp, and open until its record is
 * published; see round_begin. */
#include "transport.h"

#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "clock.h"
#include "context.h"

enum {
	QUIET_JIFFIES = (HZ + 99) / 100,	/* between two wake-ups of the reader */
	PATIENCE_JIFFIES = 2 * HZ,		/* with a reader that takes nothing */
	MARGIN_NS = 10000,	/* clocks may differ a little between CPUs */
	BOUNCE = 64 << 10,
};

enum waiting { NOBODY, READER, TIMER };	/* the reader sleeps; and a timer will wake it */

struct tap_ring {
	/* Changed by writers */
	u64 head;			/* sequence << 32 | position */
	u32 committed;			/* position up to which records are whole */
	u32 nest;			/* writers at work */
	u64 open[TAP_LEVELS];		/* 0, or a lower bound of the stamp, or the stamp itself */
	u64 newest;			/* no later stamp will be less */
	atomic64_t lost;

	/* Constant */
	u8 *data;
	u32 size, cpu;
	bool overwrite;
	struct page **pages;
	struct proc_dir_entry *file;

	/* Changed by the reader (and, overwriting, by writers) */
	u32 consumed ____cacheline_aligned;
	u32 waiting;			/* enum waiting */
	bool given_up;			/* tap_ring_wait waited in vain, when consumed was: */
	u32 given_up_at;
	unsigned long woken;		/* jiffies */
	u32 round_end;			/* position */
	u32 last_sequence;		/* of what was read */
	u32 round_sequence;
	u64 round_stamp, heartbeat;
	/* One reader at a time; nothing else takes it. */
	struct mutex reading;
	unsigned long opened;
	u8 *bounce;
	wait_queue_head_t wait;
	struct irq_work signal;
	struct timer_list timer;
};

static struct tap_record *ring_at(struct tap_ring *r, u32 position)
{
	return (struct tap_record *)(r->data + (position & (r->size - 1)));
}

/* ---- writing ---- */

u64 tap_ring_begin(struct tap_ring *r, u32 level)
{
	u64 stamp;

	WRITE_ONCE(r->open[level], r->newest);
	smp_mb();		/* with the one in round_begin: it sees the mark, or we the later time */
	stamp = tap_clock();
	WRITE_ONCE(r->open[level], stamp);
	r->newest = stamp;
	return stamp;
}

void tap_ring_end(struct tap_ring *r, u32 level)
{
	smp_store_release(&r->open[level], 0);
}

/* The oldest records go. Another writer on top of us, or the reader, may do so at the same time. */
static bool make_room(struct tap_ring *r, u32 position, u32 size)
{
	for (;;) {
		u32 consumed = READ_ONCE(r->consumed);
		u32 oldest;

		if (size <= r->size - (position - consumed))
			return true;
		if (consumed == READ_ONCE(r->committed))
			return false;
		oldest = READ_ONCE(ring_at(r, consumed)->size);
		cmpxchg(&r->consumed, consumed, consumed + oldest);
	}
}

static bool has_room(struct tap_ring *r, u32 position, u32 size)
{
	if (likely(size <= r->size - (position - smp_load_acquire(&r->consumed))))
		return true;
	return r->overwrite && size <= r->size && make_room(r, position, size);
}

/* The next number, and SIZE bytes of place for it. What the head was; other writers on top of us may
 * have changed it meanwhile, none below. */
static __always_inline u64 ring_advance(struct tap_ring *r, u32 size, bool *fits)
{
	u64 head, next;

	do {
		head = READ_ONCE(r->head);
		*fits = !size || has_room(r, (u32)head, size);
		next = ((head >> 32) + 1) << 32 | (u32)((u32)head + (*fits ? size : 0));
	} while (unlikely(cmpxchg_local(&r->head, head, next) != head));
	return head;
}

static void ring_signal(struct tap_ring *r);

/* As perf_output_put_handle: who comes between our look at head and nest = 0 leaves the publishing
 * to us, hence the second look. */
static __always_inline void ring_commit(struct tap_ring *r)
{
	u32 position;

	barrier();
	if (unlikely(r->nest > 1)) {
		r->nest--;
		return;
	}
	do {
		WRITE_ONCE(r->nest, 1);
		barrier();
		position = (u32)READ_ONCE(r->head);
		smp_store_release(&r->committed, position);
		barrier();
		WRITE_ONCE(r->nest, 0);
		barrier();
	} while (unlikely(position != (u32)READ_ONCE(r->head)));

	smp_mb();		/* with the one in ring_poll: it sees the record, or we that it waits */
	if (unlikely(READ_ONCE(r->waiting)))
		ring_signal(r);
}

/* Both are aligned to 8 and have room up to a multiple of 8. Most are short, and memcpy's start takes
 * longer than that. */
static __always_inline void copy_words(void *to, const void *from, u32 size)
{
	if (unlikely(size > 256)) {
		memcpy(to, from, size);
		return;
	}
	for (u32 i = 0; i < size; i += sizeof(u64))
		*(u64 *)(to + i) = *(const u64 *)(from + i);
}

void tap_ring_write(struct tap_ring *r, u64 stamp, const void *payload, u32 size)
{
	u32 whole = ALIGN(sizeof(struct tap_record) + size, 8);
	bool fits;
	u64 head;

	r->nest++;
	barrier();
	head = ring_advance(r, whole, &fits);
	if (likely(fits)) {
		struct tap_record *record = ring_at(r, (u32)head);

		record->size = whole;
		record->payload = size;
		record->sequence = (u32)(head >> 32) + 1;
		record->kind = TAP_RECORD_ITEMS;
		record->cpu = r->cpu;
		record->stamp = stamp;
		copy_words(record + 1, payload, size);
	} else {
		atomic64_inc(&r->lost);
	}
	ring_commit(r);
}

void tap_ring_lose(struct tap_ring *r)
{
	bool fits;

	ring_advance(r, 0, &fits);
	atomic64_inc(&r->lost);
}

bool tap_ring_fits(const struct tap_ring *r, u32 size)
{
	u32 whole = ALIGN(sizeof(struct tap_record) + size, 8);

	return r->overwrite || whole <= r->size - ((u32)READ_ONCE(r->head) - smp_load_acquire(&r->consumed));
}

/* What fills the ring has woken its reader. */
bool tap_ring_wait(struct tap_ring *r, u32 size)
{
	unsigned long patience = r->opened ? PATIENCE_JIFFIES : PATIENCE_JIFFIES / 20;
	u32 consumed = READ_ONCE(r->consumed);
	unsigned long since = jiffies;

	if (r->given_up && r->given_up_at == consumed)
		return false;
	r->given_up = false;
	while (!tap_ring_fits(r, size)) {
		if (fatal_signal_pending(current) || time_after(jiffies, since + patience)) {
			r->given_up = true;
			r->given_up_at = consumed;
			return false;
		}
		schedule_timeout_killable(1);
		if (consumed != READ_ONCE(r->consumed)) {
			consumed = READ_ONCE(r->consumed);
			since = jiffies;
		}
	}
	return true;
}

u64 tap_ring_lost(const struct tap_ring *r)
{
	return atomic64_read(&r->lost);
}

/* ---- waking the reader ----
 * A handler cannot wake anybody, an irq_work can. The first record after some quiet wakes at once,
 * later ones when QUIET_JIFFIES have passed or a quarter of the ring is full. */

static bool is_filling(const struct tap_ring *r)
{
	return READ_ONCE(r->committed) - READ_ONCE(r->consumed) >= r->size / 4;
}

static void ring_signal(struct tap_ring *r)
{
	if (READ_ONCE(r->waiting) == READER || is_filling(r))
		irq_work_queue(&r->signal);
}

static void wake_reader(struct tap_ring *r)
{
	WRITE_ONCE(r->waiting, NOBODY);
	r->woken = jiffies;
	wake_up_interruptible(&r->wait);
}

static void signal_work(struct irq_work *work)
{
	struct tap_ring *r = container_of(work, struct tap_ring, signal);

	if (is_filling(r) || time_after_eq(jiffies, r->woken + QUIET_JIFFIES)) {
		wake_reader(r);
	} else {
		WRITE_ONCE(r->waiting, TIMER);
		mod_timer(&r->timer, r->woken + QUIET_JIFFIES);
	}
}

static void timer_over(struct timer_list *timer)
{
	struct tap_ring *r = timer_container_of(r, timer, timer);

	wake_reader(r);
}

void tap_ring_wake(struct tap_ring *r)
{
	wake_reader(r);
}

/* ---- reading ---- */

/* What is committed now will be read, perhaps by several reads, and then the heartbeat is due that
 * was true at this moment: any record that is not committed has an open mark that we see, or a
 * later stamp. (A record below another writer is not published before that one's mark, which is
 * older, has gone.) */
static void round_begin(struct tap_ring *r)
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
	/* All numbers up to the head's are published or lost, unless somebody writes just now. */
	r->round_sequence = (u32)head == r->round_end ? (u32)(head >> 32) : 0;
}

static bool is_round_over(const struct tap_ring *r)
{
	return (s32)(r->round_end - READ_ONCE(r->consumed)) <= 0;
}

/* Bytes of whole records at DATA, at most ROOM; notes the last one's number. */
static u32 whole_records(struct tap_ring *r, const u8 *data, u32 available, u32 room, u32 *sequence)
{
	u32 n = 0;

	while (available - n >= sizeof(struct tap_record)) {
		const struct tap_record *record = (const struct tap_record *)(data + n);

		if (record->size < sizeof(*record) || record->size > min(available, room) - n)
			break;
		*sequence = record->sequence;
		n += record->size;
		if (n >= room)
			break;
	}
	return n;
}

static ssize_t copy_records(struct tap_ring *r, char __user *to, u32 room)
{
	u32 consumed = r->consumed;
	const u8 *data = (u8 *)ring_at(r, consumed);
	u32 n = whole_records(r, data, r->round_end - consumed, room, &r->last_sequence);

	if (!n)
		return -EMSGSIZE;
	if (copy_to_user(to, data, n))
		return -EFAULT;
	smp_store_release(&r->consumed, consumed + n);
	return n;
}

/* Writers may overwrite what we copy; the copy is good when consumed has not moved. */
static ssize_t copy_overwritten(struct tap_ring *r, char __user *to, u32 room)
{
	for (u32 most = BOUNCE; !is_round_over(r); most = max(most / 2, 4096u)) {
		u32 consumed = READ_ONCE(r->consumed);
		u32 sequence = r->last_sequence, n = min(r->round_end - consumed, most);

		memcpy(r->bounce, ring_at(r, consumed), n);
		n = whole_records(r, r->bounce, n, room, &sequence);
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

static ssize_t ring_read(struct file *file, char __user *to, size_t count, loff_t *offset)
{
	struct tap_ring *r = pde_data(file_inode(file));
	struct tap_record beat = {
		.size = sizeof(beat), .kind = TAP_RECORD_HEARTBEAT, .cpu = r->cpu,
	};
	ssize_t n = 0;
	u32 room;

	if (count < sizeof(beat))
		return -EINVAL;
	room = min_t(size_t, count - sizeof(beat), S32_MAX);
	if (mutex_lock_interruptible(&r->reading))
		return -ERESTARTSYS;
	if (is_round_over(r))
		round_begin(r);
	if (!is_round_over(r))
		n = r->overwrite ? copy_overwritten(r, to, room) : copy_records(r, to, room);
	if (n >= 0) {
		if (is_round_over(r)) {
			r->heartbeat = r->round_stamp;
			if (r->round_sequence)
				r->last_sequence = r->round_sequence;
		}
		beat.stamp = r->heartbeat;
		beat.sequence = r->last_sequence;
		n = copy_to_user(to + n, &beat, sizeof(beat)) ? -EFAULT : n + (ssize_t)sizeof(beat);
	}
	mutex_unlock(&r->reading);
	return n;
}

static bool has_records(const struct tap_ring *r)
{
	return smp_load_acquire(&r->committed) != READ_ONCE(r->consumed);
}

static __poll_t ring_poll(struct file *file, struct poll_table_struct *table)
{
	struct tap_ring *r = pde_data(file_inode(file));

	poll_wait(file, &r->wait, table);
	if (has_records(r))
		return EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(tap_session.state) >= TAP_DRAINING)
		return EPOLLIN | EPOLLRDNORM | EPOLLHUP;
	WRITE_ONCE(r->waiting, READER);
	smp_mb();
	return has_records(r) ? EPOLLIN | EPOLLRDNORM : 0;
}

static int ring_file_open(struct inode *inode, struct file *file)
{
	struct tap_ring *r = pde_data(inode);

	if (test_and_set_bit(0, &r->opened))
		return -EBUSY;
	return stream_open(inode, file);
}

static int ring_file_release(struct inode *inode, struct file *file)
{
	struct tap_ring *r = pde_data(inode);

	WRITE_ONCE(r->waiting, NOBODY);
	clear_bit(0, &r->opened);
	return 0;
}

static const struct proc_ops ring_ops = {
	.proc_open = ring_file_open,
	.proc_read = ring_read,
	.proc_poll = ring_poll,
	.proc_release = ring_file_release,
};

/* ---- life ---- */

static void free_pages_of(struct tap_ring *r)
{
	u32 n = r->size >> PAGE_SHIFT;

	for (u32 i = 0; i < n && r->pages[i]; i++)
		__free_page(r->pages[i]);
	atomic64_sub(r->size, &tap_session.memory);
	kvfree(r->pages);
}

/* Each page twice, in a row. */
static int map_pages(struct tap_ring *r)
{
	u32 n = r->size >> PAGE_SHIFT;

	for (u32 i = 0; i < n; i++) {
		r->pages[i] = alloc_pages_node(cpu_to_node(r->cpu),
					       GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_NORETRY, 0);
		if (!r->pages[i])
			return -ENOMEM;
		r->pages[n + i] = r->pages[i];
	}
	r->data = vmap(r->pages, 2 * n, VM_MAP, PAGE_KERNEL);
	return r->data ? 0 : -ENOMEM;
}

struct tap_ring *tap_ring_open(u32 cpu, u32 size, bool overwrite)
{
	struct tap_ring *r = tap_zalloc(sizeof(*r), cpu_to_node(cpu));

	if (!r)
		return NULL;
	r->cpu = cpu;
	r->size = size;
	r->overwrite = overwrite;
	r->newest = tap_clock();
	r->woken = jiffies - QUIET_JIFFIES;
	mutex_init(&r->reading);
	init_waitqueue_head(&r->wait);
	init_irq_work(&r->signal, signal_work);
	timer_setup(&r->timer, timer_over, 0);
	r->pages = kvcalloc(2 * (size >> PAGE_SHIFT), sizeof(*r->pages), GFP_KERNEL);
	if (!r->pages)
		goto no_pages;
	atomic64_add(size, &tap_session.memory);
	if (map_pages(r))
		goto no_map;
	if (overwrite) {
		r->bounce = tap_zalloc(BOUNCE, NUMA_NO_NODE);
		if (!r->bounce)
			goto no_map;
	}
	return r;

no_map:
	vunmap(r->data);
	free_pages_of(r);
no_pages:
	tap_zfree(r, sizeof(*r));
	return NULL;
}

int tap_ring_publish(struct tap_ring *r, struct proc_dir_entry *directory)
{
	char name[16];

	snprintf(name, sizeof(name), "cpu%u", r->cpu);
	r->file = proc_create_data(name, 0400, directory, &ring_ops, r);
	if (!r->file)
		return -ENOMEM;
	proc_set_user(r->file, make_kuid(&init_user_ns, tap_session.configuration.user),
		      GLOBAL_ROOT_GID);
	return 0;
}

/* No writer any more. */
void tap_ring_close(struct tap_ring *r)
{
	if (!r)
		return;
	proc_remove(r->file);
	irq_work_sync(&r->signal);	/* may start the timer */
	timer_delete_sync(&r->timer);
	vunmap(r->data);
	free_pages_of(r);
	if (r->bounce)
		tap_zfree(r->bounce, BOUNCE);
	tap_zfree(r, sizeof(*r));
}
