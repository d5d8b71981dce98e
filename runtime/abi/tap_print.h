/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The print of a handler that prints once: its record is opened, filled and published in one piece, in the handler's
 * code. Generated C includes this if it has such handlers (plan/once.h). It is the same protocol as that of
 * kernel/transport.c, whose comments have the reasons. What differs: the record is not kept open for more prints until
 * the handler ends, so nothing about it is kept in the frame; and its size is not compared with the largest possible
 * one, because the translator has made room for it (need_room() in emit/print.c).
 *
 * Only the case where the clock is the counter and the ring has room is here; in all others, and on other machines,
 * tap_print_instead() begins the record, which is then published at the end of the handler as that of any print. */
#ifndef TAP_PRINT_H
#define TAP_PRINT_H

#include "tap_script.h"
#include "tap_wire.h"

/* A record that is being written. */
struct tap_once {
	struct tap_print_ring *ring;
	u8 *at;				/* where the arguments go */
	u64 stamp;			/* 0: the ring does not know yet that this handler prints */
};

/* The counter's clock: ns per tick times 2^32, and the difference between the kernel's clock and the counter's ns;
 * RATE 0: use the kernel's clock. */
struct tap_clock_base {
	u64 rate, ns;
};

/* After tap_print_once() has failed; otherwise as tap_print(). */
TAP_SAVES u8 *tap_print_instead(struct tap_context *c, u32 format, u32 size, u64 stamp);

#if defined(__x86_64__)

/* The members of struct tap_ring, see kernel/ring.h, up to the last one that is used here. */
struct tap_print_ring {
	u64 head;
	u32 committed, nest;
	u64 open[4];
	u64 newest;
	s64 lost;
	u32 limit;
	u32 mask;
	u8 *data;
	u8 constant[48];
	u32 consumed, wake_at;
};
/* The offsets of ring and open in struct tap_frame. */
#define TAP_PRINT_RING 176
#define TAP_PRINT_OPEN 208

extern struct tap_clock_base tap_clock_base;
TAP_SAVES void tap_print_wake(struct tap_context *c);

#define TAP_PRINT_ALWAYS static inline __attribute__((__always_inline__))

/* Not before the mark was written, and no later instruction before it. */
TAP_PRINT_ALWAYS u64 tap_print_cycles(void)
{
	u64 low, high;			/* rdtsc clears the upper halves */

	__asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
	return high << 32 | low;
}

/* Atomic for this CPU only. */
TAP_PRINT_ALWAYS bool tap_print_exchange(u64 *at, u64 before, u64 after)
{
	bool done;

	__asm__ volatile("cmpxchgq %3, %1" : "=@ccz"(done), "+m"(*at), "+a"(before) : "r"(after) : "memory");
	return done;
}

/* tap_put_string() without a call, so that few registers have to be saved. S is not in the ring. */
TAP_PRINT_ALWAYS u8 *tap_print_string(u8 *p, struct tap_string s)
{
	u16 size = (u16)s.size;
	u64 last;

	__builtin_memcpy(p, &size, sizeof(size));
	p += sizeof(size);
	if (tap_likely(s.size <= 16)) {
		tap_copy((char *)p, s.data, s.size);
	} else {
		u64 words = s.size / 8;
		const char *from = s.data;
		u8 *to = p;

		__builtin_memcpy(&last, from + s.size - 8, 8);
		__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
		__builtin_memcpy(p + s.size - 8, &last, 8);
	}
	return p + s.size;
}

/* Read at each use, as registers are few. */
TAP_PRINT_ALWAYS u64 *tap_print_open(struct tap_context *c) { return *(u64 *volatile *)((char *)c + TAP_PRINT_OPEN); }

TAP_PRINT_ALWAYS void tap_print_barrier(void) { __asm__ volatile("" : : : "memory"); }

/* Of what other CPUs change, or a handler on top of this one (which restores nest): an operand of an instruction, not a
 * register; barriers make it one access. */
#ifdef __SANITIZE_THREAD__
#define TAP_PRINT_NOW(x) (*(volatile u32 *)&(x))
#else
#define TAP_PRINT_NOW(x) (*(u32 *)&(x))
#endif

/* Begins the record, with SIZE bytes of arguments. */
TAP_PRINT_ALWAYS bool tap_print_once(struct tap_context *c, struct tap_once *o, u32 format, u32 size)
{
	struct tap_print_ring *r = *(struct tap_print_ring **)((char *)c + TAP_PRINT_RING);
	u64 whole = ((u32)sizeof(struct tap_record) + (u32)sizeof(struct tap_item) + size + 7) & ~7u;
	u64 rate = *(volatile u64 *)&tap_clock_base.rate, head, next;
	struct tap_record *record;

	o->stamp = 0;
	if (tap_unlikely(!rate))
		return false;
	o->ring = r;
	__atomic_exchange_n(tap_print_open(c), *(volatile u64 *)&r->newest, __ATOMIC_SEQ_CST);
	o->stamp = tap_clock_base.ns + (u64)((unsigned __int128)tap_print_cycles() * rate >> 32);
	*(volatile u64 *)&r->newest = o->stamp;
	TAP_PRINT_NOW(r->nest)++;
	tap_print_barrier();
	head = *(volatile u64 *)&r->head;
	next = head + ((u64)1 << 32) + whole;
	if (tap_unlikely((s32)(TAP_PRINT_NOW(r->limit) - (u32)next) < 0 || !tap_print_exchange(&r->head, head, next)))
		return false;
	record = (struct tap_record *)(r->data + ((u32)head & r->mask));
	*(volatile u64 *)record = next;		/* the sequence, and below it what is no size */
	record->size = (u32)sizeof(*record) + (u32)sizeof(struct tap_item) + size;
	record->stamp = o->stamp;
	/* an item in one store */
	*(u64 *)(record + 1) = (u64)TAP_ITEM_REST << 32 | TAP_ITEM_LAST | format;
	o->at = (u8 *)(record + 1) + sizeof(struct tap_item);
	return true;
}

TAP_PRINT_ALWAYS u8 *tap_print_otherwise(struct tap_context *c, u32 format, u32 size, u64 stamp)
{
#ifdef TAP_CALL_SAVING
	u8 *p;

	TAP_CALL_SAVING(tap_print_instead, p, "D"(c), "S"(format), "d"(size), "c"(stamp));
	return p;
#else
	return tap_print_instead(c, format, size, stamp);
#endif
}

/* The arguments are written: publishes the record. */
TAP_PRINT_ALWAYS void tap_print_done(struct tap_context *c, const struct tap_once *o)
{
	struct tap_print_ring *r = o->ring;
	u32 position;

	tap_print_barrier();
	if (tap_unlikely(TAP_PRINT_NOW(r->nest) > 1)) {
		tap_print_barrier();
		TAP_PRINT_NOW(r->nest)--;
		__atomic_store_n(tap_print_open(c), 0, __ATOMIC_RELEASE);
		return;
	}
	for (;;) {
		position = *(volatile u32 *)&r->head;
		*(volatile u32 *)&r->committed = position;	/* a store is a release */
		*(volatile u32 *)&r->nest = 0;
		tap_print_barrier();
		if (tap_likely(position == TAP_PRINT_NOW(r->head)))
			break;
		*(volatile u32 *)&r->nest = 1;
		tap_print_barrier();
	}
	__atomic_store_n(tap_print_open(c), 0, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (tap_unlikely(position - TAP_PRINT_NOW(r->consumed) >= TAP_PRINT_NOW(r->wake_at)))
		tap_print_wake(c);
}

#else

static inline bool tap_print_once(struct tap_context *c, struct tap_once *o, u32 format, u32 size)
{
	(void)c, (void)format, (void)size;
	o->stamp = 0;
	return false;
}
static inline u8 *tap_print_string(u8 *p, struct tap_string s) { return tap_put_string(p, s); }
static inline void tap_print_done(struct tap_context *c, const struct tap_once *o) { (void)c, (void)o; }
static inline u8 *tap_print_otherwise(struct tap_context *c, u32 format, u32 size, u64 stamp)
{
	return tap_print_instead(c, format, size, stamp);
}

#endif

#endif
