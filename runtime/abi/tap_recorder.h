/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the recorder keeps (tapsets/recorder.stp), and a snapshot of it: the file `recorder` in the directory of a
 * module whose script uses it. One process at a time can open it. poll: a snapshot was requested. Reads return the
 * snapshot as a sequence of struct tap_snapshot_item, whole items only, the last of which is TAP_SNAPSHOT_END; after
 * that, and while no snapshot was requested, they fail with EAGAIN. Times are stamps of records (tap_wire.h). */
#ifndef TAP_RECORDER_H
#define TAP_RECORDER_H

#include "tap_script.h"

/* ---- a block ----
 * The history of a CPU is a sequence of blocks, each as readable without the others. Words follow the header until one
 * is 0: an event is a word, and the words that its kind adds. */

enum { TAP_RECORDER_BLOCK = 4096 };	/* bytes */

struct tap_recorder_block {
	u64 number;			/* of this CPU, from 1; 0: not complete */
	u64 begun;			/* time to which those of the events are relative */
	u64 events;			/* of this CPU before this block */
	u32 thread;			/* that ran when it began */
	u32 reserved;
};

/* The low 32 bits of an event's word are the ns since its block began, then come 8 bits of kind and 24 of argument. */
enum tap_recorded {
	TAP_RECORDED_SLEEP = 1,		/* the CPU switches to the thread in the argument; the one before sleeps */
	TAP_RECORDED_PREEMPT,		/* the same; the one before can run */
	TAP_RECORDED_WAKE,		/* the thread in the argument is woken up */
	TAP_RECORDED_NEW,		/* the same for the first time */
	TAP_RECORDED_CALL,		/* system call; with TAP_RECORDED_NARROW: of a 32-bit program */
	TAP_RECORDED_RETURN,		/* the same one returns */
	TAP_RECORDED_FAULT_USER,	/* page fault */
	TAP_RECORDED_FAULT_KERNEL,
	TAP_RECORDED_IRQ,		/* number of the interrupt whose handler begins */
	TAP_RECORDED_IRQ_END,
	TAP_RECORDED_SOFTIRQ,		/* vector */
	TAP_RECORDED_SOFTIRQ_END,
	TAP_RECORDED_VALUE,		/* the script's: number of the name, 0: no room for it; then the value */
	TAP_RECORDED_EXIT,		/* the thread in the argument ends; then pid, and comm in two words */
	TAP_RECORDED_KINDS
};
#define TAP_RECORDED_NARROW (1u << 23)

/* With the event's own one. */
static inline u32 tap_recorded_words(u32 kind)
{
	return kind == TAP_RECORDED_VALUE ? 2 : kind == TAP_RECORDED_EXIT ? 4 : 1;
}

static inline u64 tap_recorded_word(u32 since, u32 kind, u32 argument)
{
	return since | (u64)kind << 32 | (u64)argument << 40;
}

static inline u32 tap_recorded_since(u64 word) { return (u32)word; }
static inline u32 tap_recorded_kind(u64 word) { return word >> 32 & 0xff; }
static inline u32 tap_recorded_argument(u64 word) { return word >> 40; }

/* ---- a snapshot ---- */

enum tap_snapshot_kind {
	TAP_SNAPSHOT_HEAD = 1,	/* struct tap_snapshot_head */
	TAP_SNAPSHOT_THREADS,	/* several struct tap_snapshot_thread: those that exist when it is read */
	TAP_SNAPSHOT_NAME,	/* u32 number, then the text and NULs: a name of the script's */
	TAP_SNAPSHOT_CPU,	/* struct tap_snapshot_cpu; its blocks follow */
	TAP_SNAPSHOT_BLOCK,	/* TAP_RECORDER_BLOCK bytes */
	TAP_SNAPSHOT_END,	/* struct tap_snapshot_end */
};

struct tap_snapshot_item {
	u32 kind;
	u32 size;		/* of what follows, a multiple of 8 */
};

struct tap_snapshot_head {
	u64 number;		/* from 1 */
	u64 from, to;		/* of the events between these times */
};

struct tap_snapshot_thread {
	u32 thread, process;
	char name[16];		/* a NUL follows if there is room */
};

struct tap_snapshot_cpu {
	u32 cpu;
	u32 reserved;
	u64 overwritten;	/* events before the oldest one that is kept */
};

struct tap_snapshot_end {
	u64 overtaken;		/* blocks that were overwritten before they had been read */
	u64 missed;		/* events that were not recorded since the start */
	u64 refused;		/* requests since the start that came while another snapshot was being read */
};

#endif
