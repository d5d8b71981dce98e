// SPDX-License-Identifier: GPL-2.0-or-later
/* The ring of one CPU; tap_wire.h describes its records.
 *
 * Writers are handlers of four levels on one CPU, so they nest like interrupts and need no
 * lock: room is reserved by a cmpxchg that is only atomic on this CPU, and the outermost writer
 * publishes its own records and those of the writers on top of it. Sequence and position change
 * together, so that records are numbered in the order of their position, and a lost record
 * takes a number too. The memory is mapped twice in succession: a record at the end continues
 * at the start without special treatment.
 *
 * A reader must know which records with an early stamp may still follow. A writer therefore
 * marks its level open, with a lower bound of its stamp, before it takes the stamp, and until
 * its record is published; see ring_reader_round_begin. */
#include "transport.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "clock.h"
#include "context.h"
#include "ring.h"
#include "tap_print.h"

enum {
	PATIENCE_JIFFIES = 2 * HZ,		/* how long to wait for a reader that reads nothing */
	/* shortly before positions overflow, so that every session that prints much shows whether that works */
	FIRST_POSITION = -65536,
};

static DEFINE_PER_CPU(struct tap_ring *, ring_here);	/* the published one; NULL: this CPU was never set up */

/* ---- writing ---- */

/* Drops the oldest records. Another writer on top of us, or the reader, may do the same at the
 * same time. */
static bool transport_make_room(struct tap_ring *r, u32 position, u32 size)
{
	for (;;) {
		u32 consumed = READ_ONCE(r->consumed);
		u32 oldest;

		if (size <= r->size - (position - consumed))
			return true;
		if (consumed == READ_ONCE(r->committed))
			return false;
		oldest = tap_record_room(READ_ONCE(tap_ring_at(r, consumed)->size));
		cmpxchg(&r->consumed, consumed, consumed + oldest);
	}
}

static __always_inline u32 transport_room(const struct tap_ring *r, u32 position)
{
	return r->size - (position - smp_load_acquire(&r->consumed));
}

static bool transport_has_room(struct tap_ring *r, u32 position, u32 size)
{
	if (likely(size <= transport_room(r, position)))
		return true;
	return r->overwrite && size <= r->size && transport_make_room(r, position, size);
}

/* A writer on top of us may have set a later one. Ours is right, too, only not as late. */
static void transport_limit(struct tap_ring *r, u32 position)
{
	u32 limit = smp_load_acquire(&r->consumed) + r->size;

	WRITE_ONCE(r->limit, limit < position ? (u32)-8 : limit);
}

/* Whether a record may end at POSITION, which is not 0; false: perhaps. */
static __always_inline bool transport_is_within(const struct tap_ring *r, u32 position)
{
	return (s32)(READ_ONCE(r->limit) - position) >= 0;
}

/* Takes the next number, and SIZE bytes if they fit. Returns the previous head; other writers on top of us may have
 * changed it meanwhile, but none below us. */
static __always_inline u64 transport_ring_advance(struct tap_ring *r, u32 size, bool *fits)
{
	u64 head, next;

	do {
		head = READ_ONCE(r->head);
		*fits = !size || transport_has_room(r, (u32)head, size);
		next = ((head >> 32) + 1) << 32 | (u32)((u32)head + (*fits ? size : 0));
	} while (unlikely(cmpxchg_local(&r->head, head, next) != head));
	transport_limit(r, (u32)next);
	return head;
}

/* Data up to POSITION can now be read: wakes the reader if necessary. */
static __always_inline void transport_ring_wake(struct tap_ring *r, u32 position)
{
	smp_mb();		/* pairs with ring_reader_poll: it sees the record, or we see that it waits */
	if (unlikely(position - READ_ONCE(r->consumed) >= READ_ONCE(r->wake_at)))
		tap_defer(&r->signal);
}

/* As perf_output_put_handle: a writer that runs between our read of head and nest = 0 leaves
 * the publishing to us, hence the second check. Returns the position up to which data can be read. */
static __always_inline u32 transport_ring_publish(struct tap_ring *r)
{
	u32 position;

	for (;;) {
		position = (u32)READ_ONCE(r->head);
		smp_store_release(&r->committed, position);
		barrier();
		WRITE_ONCE(r->nest, 0);
		barrier();
		if (likely(position == (u32)READ_ONCE(r->head)))
			return position;
		WRITE_ONCE(r->nest, 1);
		barrier();
	}
}

/* NULL until it is published: the CPU may be coming online just now. */
static struct tap_ring *transport_ring_on(u32 cpu)
{
	return smp_load_acquire(per_cpu_ptr(&ring_here, cpu));
}

u64 tap_rings_lost(void)
{
	u64 lost = 0;
	u32 cpu;

	for_each_possible_cpu(cpu) {
		struct tap_ring *r = transport_ring_on(cpu);

		if (r)
			lost += atomic64_read(&r->lost);
	}
	return lost;
}

void tap_rings_wake(void)
{
	u32 cpu;

	for_each_possible_cpu(cpu) {
		struct tap_ring *r = transport_ring_on(cpu);

		if (r)
			tap_ring_reader_wake(r);
	}
}

/* ---- prints ----
 * A handler's prints are written directly into the ring, as items of one record that grows with each of them. If a
 * handler on top also writes, the record ends, and another one with the same stamp continues after it. A record
 * without room is lost as a whole, including all further prints to it. */

static u8 no_room[1];

static u32 transport_record_size(const struct tap_record *record, const u8 *end)
{
	return ALIGN(end - (const u8 *)record, 8);
}

static noinline u8 *transport_lose(struct tap_frame *f, u32 size)
{
	atomic64_inc(&f->ring->lost);
	f->record = NULL;
	f->lost = size;
	f->c.out = no_room;
	return NULL;
}

/* HEAD is its new value, SIZE the bytes after the header. */
static __always_inline void *transport_record_open(struct tap_frame *f, struct tap_ring *r, u64 head, u32 position,
						   u64 stamp, u32 size)
{
	struct tap_record *record = tap_ring_at(r, position);

	f->head = head;
	f->record = record;
	record->size = sizeof(*record) + size;
	record->sequence = head >> 32;
	record->stamp = stamp;
	return record + 1;
}

/* Pairs with the mb in transport_round_begin: it sees the mark, or our stamp is later than its time. */
static __always_inline void transport_print_mark(struct tap_frame *f, struct tap_ring *r)
{
	smp_store_mb(*f->open, READ_ONCE(r->newest));
}

static __always_inline void transport_print_stamp(struct tap_frame *f, struct tap_ring *r, u64 stamp)
{
	WRITE_ONCE(r->newest, stamp);
	f->stamp = stamp;
	data_race(r->nest++);
	barrier();
}

/* Called when the group is complete, or has to pause. */
static __always_inline void transport_print_close(struct tap_ring *r, u64 *open)
{
	u32 position;

	barrier();
	if (unlikely(data_race(r->nest) > 1)) {
		data_race(r->nest--);
		smp_store_release(open, 0);
		return;
	}
	position = transport_ring_publish(r);
	smp_store_release(open, 0);
	transport_ring_wake(r, position);
}

static bool transport_fits(const struct tap_ring *r, u32 size)
{
	u32 whole = ALIGN(sizeof(struct tap_record) + size, 8);

	return r->overwrite || whole <= r->size - ((u32)READ_ONCE(r->head) - smp_load_acquire(&r->consumed));
}

/* Sleeps until SIZE bytes of payload fit; returns false if the reader reads nothing. On any
 * CPU. The writers that filled the ring have woken its reader. */
static bool transport_ring_wait(struct tap_ring *r, u32 size)
{
	unsigned long patience = r->opened ? PATIENCE_JIFFIES : PATIENCE_JIFFIES / 20;
	u32 consumed = READ_ONCE(r->consumed);
	unsigned long since = jiffies;

	if (r->given_up && r->given_up_at == consumed)
		return false;
	r->given_up = false;
	while (!transport_fits(r, size)) {
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

void tap_ring_use(struct tap_frame *f, struct tap_ring *r)
{
	f->ring = r;
	f->open = &r->open[f->level];
}

/* After a handler has slept. A CPU whose memory could not be allocated when it came online has no ring: the handler
 * keeps the one it has, as it keeps its frame. */
static void transport_ring_here(struct tap_frame *f)
{
	struct tap_ring *here = this_cpu_read(ring_here);

	tap_ring_use(f, here ? here : f->ring);
}

/* The output of begin and end is what a user waits for, and they delay nothing else. So they sleep until the reader
 * has made room. No other handler runs meanwhile, they hold no lock, and it does not matter if they continue on
 * another CPU, in its ring. The time does not count as the handler's. */
static noinline void transport_await_room(struct tap_frame *f, u32 size)
{
	bool sliced = f->sliced == f->begun, hope = true;
	u32 start = (u32)tap_cycles();

	transport_print_close(f->ring, f->open);
	while (hope && !transport_fits(f->ring, size)) {
		preempt_enable_notrace();
		hope = transport_ring_wait(f->ring, size);
		preempt_disable_notrace();
		transport_ring_here(f);
	}
	transport_print_mark(f, f->ring);
	transport_print_stamp(f, f->ring, tap_clock());
	f->begun += (u32)tap_cycles() - start;
	if (sliced)
		f->sliced = f->begun;
}

/* Begins a new record with SIZE bytes of payload. */
static u8 *transport_record_begin(struct tap_frame *f, u32 size)
{
	u32 whole = ALIGN(sizeof(struct tap_record) + size, 8);
	bool has_place;
	u64 head;

	if (unlikely(tap_may_wait(f)) && !transport_fits(f->ring, size))
		transport_await_room(f, size);
	head = transport_ring_advance(f->ring, whole <= f->most ? whole : 0, &has_place);
	if (!has_place || whole > f->most)
		return transport_lose(f, size);
	return transport_record_open(f, f->ring, ((head >> 32) + 1) << 32 | (u32)((u32)head + whole), head, f->stamp,
				     size);
}

/* There is no room for SIZE more bytes: drops the whole record, unless another handler has written after it. */
static u8 *transport_record_drop(struct tap_frame *f, u32 size)
{
	struct tap_ring *r = f->ring;
	u32 whole = transport_record_size(f->record, f->c.out);
	u64 before = (f->head >> 32) << 32 | (u32)((u32)f->head - whole);
	bool has_place;

	transport_limit(r, (u32)before);	/* in case the record has crossed position 0 */
	if (cmpxchg_local(&r->head, f->head, before) != f->head)
		transport_ring_advance(r, 0, &has_place);
	return transport_lose(f, whole + size);
}

/* Extends the open record by SIZE bytes; NULL with f->record set if the record has to end. */
static u8 *transport_record_grow(struct tap_frame *f, u32 size)
{
	u32 whole = transport_record_size(f->record, f->c.out);
	u32 more = transport_record_size(f->record, f->c.out + size) - whole;
	u64 next = (f->head >> 32) << 32 | (u32)((u32)f->head + more);

	if (whole + more > f->most)
		return NULL;
	if (READ_ONCE(f->ring->head) == f->head && !transport_has_room(f->ring, (u32)f->head, more))
		return tap_may_wait(f) ? NULL : transport_record_drop(f, size);
	if (cmpxchg_local(&f->ring->head, f->head, next) != f->head)
		return NULL;
	f->head = next;
	f->record->size += size;
	return f->c.out;
}

/* For every print after the handler's first. */
static u8 *transport_print_more(struct tap_frame *f, u32 size)
{
	u8 *p;

	if (f->record) {
		p = transport_record_grow(f, size);
		if (p || !f->record)
			return p;
		if (data_race(f->ring->nest) == 1) {
			u32 position = (u32)READ_ONCE(f->ring->head);

			smp_store_release(&f->ring->committed, position);
			transport_ring_wake(f->ring, position);
		}
	} else if (f->lost + size <= f->most) {
		f->lost += size;
		return NULL;
	}
	return transport_record_begin(f, size);
}

static __always_inline u8 *transport_put_item(struct tap_frame *f, u8 *p, u32 format, u32 size)
{
	struct tap_item item = { format, size };

	__builtin_memcpy(p, &item.format, sizeof(u32));	/* in pieces, so that no word has to be assembled */
	__builtin_memcpy(p + sizeof(u32), &item.size, sizeof(u32));
	f->c.out = p + sizeof(item) + size;
	return p + sizeof(item);
}

/* OPEN: the ring knows already that the handler prints. */
static noinline u8 *transport_print_slow(struct tap_frame *f, u32 format, u32 size, bool open)
{
	u32 whole = sizeof(struct tap_item) + size;
	u8 *p;

	if (f->c.out) {
		p = transport_print_more(f, whole);
	} else {
		if (!open) {
			transport_print_mark(f, f->ring);
			transport_print_stamp(f, f->ring, tap_clock());
		}
		p = transport_record_begin(f, whole);
	}
	return p ? transport_put_item(f, p, format, size) : NULL;
}

/* Most handlers print once, into a ring with room: this path makes no call. */
u8 *tap_print(struct tap_context *c, u32 format, u32 size)
{
	u32 whole = ALIGN(sizeof(struct tap_record) + sizeof(struct tap_item) + size, 8);
	u64 rate = READ_ONCE(tap_clock_base.rate), head, next, stamp;
	struct tap_frame *f = tap_frame(c);
	struct tap_ring *r = f->ring;

	if (unlikely(c->out || !rate))
		return transport_print_slow(f, format, size, false);
	transport_print_mark(f, r);
	stamp = tap_clock_counted(tap_cycles_ordered(), rate);
	transport_print_stamp(f, r, stamp);
	head = READ_ONCE(r->head);
	next = head + ((u64)1 << 32) + whole;
	if (unlikely(whole > f->most || !transport_is_within(r, (u32)next) ||
		     cmpxchg_local(&r->head, head, next) != head))
		return transport_print_slow(f, format, size, true);
	return transport_put_item(f, transport_record_open(f, r, next, head, stamp, sizeof(struct tap_item) + size),
				  format, size);
}

/* ---- the only print of a handler: what tap_print.h leaves to C ---- */

TAP_SAVES u8 *tap_print_instead(struct tap_context *c, u32 format, u32 size, u64 stamp)
{
	if (!stamp)
		return tap_print(c, format, size);
	tap_frame(c)->stamp = stamp;
	return transport_print_slow(tap_frame(c), format, size, true);
}

#ifdef TAP_PRINT_RING

#define TRANSPORT_SAME(member) \
	static_assert(offsetof(struct tap_print_ring, member) == offsetof(struct tap_ring, member) && \
		      sizeof_field(struct tap_print_ring, member) == sizeof_field(struct tap_ring, member))
TRANSPORT_SAME(head);
TRANSPORT_SAME(committed);
TRANSPORT_SAME(nest);
TRANSPORT_SAME(newest);
TRANSPORT_SAME(limit);
TRANSPORT_SAME(mask);
TRANSPORT_SAME(data);
TRANSPORT_SAME(consumed);
TRANSPORT_SAME(wake_at);
static_assert(offsetof(struct tap_frame, ring) == TAP_PRINT_RING && offsetof(struct tap_frame, open) == TAP_PRINT_OPEN);

TAP_SAVES void tap_print_wake(struct tap_context *c)
{
	tap_defer(&tap_frame(c)->ring->signal);
}

#endif

static __always_inline void transport_print_end(struct tap_frame *f)
{
	f->c.out = NULL;
	transport_print_close(f->ring, f->open);
}

void tap_print_end(struct tap_frame *f)
{
	transport_print_end(f);
}

/* As transport_await_room, but to yield the CPU. */
void tap_ring_rest(struct tap_frame *f)
{
	if (f->c.out)
		transport_print_end(f);
	preempt_enable_notrace();
	cond_resched();
	preempt_disable_notrace();
	transport_ring_here(f);
}

/* ---- life ---- */

static u32 transport_pages_bytes(u32 size)
{
	return 2 * (size >> PAGE_SHIFT) * sizeof(struct page *);
}

static void transport_free_pages_of(struct tap_ring *r)
{
	u32 n = r->size >> PAGE_SHIFT;

	for (u32 i = 0; i < n && r->pages[i]; i++)
		__free_page(r->pages[i]);
	atomic64_sub(r->size, &tap_session.memory);
	tap_zfree(r->pages, transport_pages_bytes(r->size));
}

/* Maps each page twice, in two successive runs. */
static int transport_map_pages(struct tap_ring *r)
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

struct tap_ring *tap_ring_open(u32 cpu, u32 size, u64 growth, bool overwrite)
{
	struct tap_ring *r = tap_zalloc(sizeof(*r), cpu_to_node(cpu));

	BUILD_BUG_ON(sizeof(*r) > TAP_RING_BYTES);
	if (!r)
		return NULL;
	if (!tap_session_allows(size))
		goto no_pages;
	r->cpu = cpu;
	r->size = size;
	r->mask = size - 1;
	r->committed = r->consumed = r->read = r->round_end = FIRST_POSITION;
	r->head = r->committed;
	transport_limit(r, r->committed);
	r->overwrite = overwrite;
	r->newest = tap_clock();
	tap_ring_reader_init(r, growth);
	r->pages = tap_zalloc(transport_pages_bytes(size), cpu_to_node(cpu));
	if (!r->pages)
		goto no_pages;
	atomic64_add(size, &tap_session.memory);
	if (transport_map_pages(r))
		goto no_map;
	if (overwrite) {
		r->bounce = tap_zalloc(TAP_BOUNCE_BYTES, NUMA_NO_NODE);
		if (!r->bounce)
			goto no_map;
	}
	return r;

no_map:
	vunmap(r->data);
	transport_free_pages_of(r);
no_pages:
	tap_zfree(r, sizeof(*r));
	return NULL;
}

int tap_ring_publish(struct tap_ring *r, struct proc_dir_entry *directory)
{
	char name[16];

	snprintf(name, sizeof(name), "cpu%u", r->cpu);
	if (!tap_file_create(&r->file, &tap_ring_file_ops, name, 0444, directory))
		return -ENOMEM;
	smp_store_release(per_cpu_ptr(&ring_here, r->cpu), r);
	return 0;
}

/* No writer or reader exists any more: the directory was removed, or there never was a file. */
void tap_ring_close(struct tap_ring *r)
{
	if (!r)
		return;
	per_cpu(ring_here, r->cpu) = NULL;
	tap_ring_reader_close(r);
	vunmap(r->data);
	transport_free_pages_of(r);
	if (r->bounce)
		tap_zfree(r->bounce, TAP_BOUNCE_BYTES);
	tap_zfree(r, sizeof(*r));
}

void tap_rings_close(void)
{
	u32 cpu;

	for_each_possible_cpu(cpu)
		tap_ring_close(per_cpu(ring_here, cpu));
}
