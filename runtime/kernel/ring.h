/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ring of one CPU, which transport.c writes and ring_reader.c reads. */
#ifndef TAP_RING_H
#define TAP_RING_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/wait.h>

#include "backlog.h"
#include "context.h"
#include "deferred.h"
#include "files.h"
#include "session.h"

enum { TAP_RING_AT_ONCE = 0, TAP_RING_NEVER = U32_MAX };	/* tap_ring.wake_at */

struct tap_ring {
	/* Modified by writers */
	u64 head;			/* sequence << 32 | position */
	u32 committed;			/* position up to which records are complete */
	u32 nest;			/* number of active writers: one on top of another restores it */
	u64 open[TAP_LEVELS];		/* 0, or a lower bound of the stamp */
	u64 newest;			/* no later stamp is lower */
	atomic64_t lost;
	u32 limit;			/* position up to which there is room, for what does not cross position 0; it
					 * follows consumed when a record does not fit */

	/* Constant */
	u32 mask;			/* size - 1 */
	u8 *data;
	u32 size, cpu;
	u32 relief;			/* how many bytes in it are too many: TAP_RING_NEVER if it cannot grow */
	bool overwrite;
	struct page **pages;
	struct tap_file file;

	/* Modified by the reader (by writers when overwriting), and when records are moved to the backlog */
	u32 consumed ____cacheline_aligned;	/* position from which writers may not write */
	u32 wake_at;			/* the reader is woken when this many bytes are in the ring */
	bool given_up;			/* transport.c waited in vain for room when consumed was: */
	u32 given_up_at;
	unsigned long woken;		/* jiffies */
	u32 round_end;			/* position */
	u32 last_sequence;		/* of the last record read */
	u32 round_sequence;
	u64 round_stamp, heartbeat;
	/* Allows one reader at a time; nothing else takes it. */
	struct mutex reading;
	unsigned long opened;
	u8 *bounce;
	/* Protects what is read and moved: consumed, read and backlog. Handlers never take it. */
	spinlock_t moving;
	struct tap_backlog backlog;	/* the records from position read to consumed */
	u32 read;			/* position of the reader, without overwrite */
	wait_queue_head_t wait;
	struct tap_deferred signal;
	struct timer_list timer;
};

static inline struct tap_record *tap_ring_at(struct tap_ring *r, u32 position)
{
	return (struct tap_record *)(r->data + (position & r->mask));
}

/* The file cpuN. */
extern const struct tap_file_ops tap_ring_file_ops;
/* R may take up to GROWTH bytes more while its reader cannot follow. */
void tap_ring_reader_init(struct tap_ring *r, u64 growth);
/* Wakes a reader that waits, for records or for a change of the session's state. */
void tap_ring_reader_wake(struct tap_ring *r);
/* Readers and writers are gone. */
void tap_ring_reader_close(struct tap_ring *r);

#endif
