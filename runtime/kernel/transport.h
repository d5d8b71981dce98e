/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One ring of records a CPU: handlers of that CPU write, the reader of /proc/tap:NAME/cpuN reads. */
#ifndef TAP_TRANSPORT_H
#define TAP_TRANSPORT_H

#include <linux/proc_fs.h>
#include "session.h"

struct tap_ring;

/* SIZE bytes a CPU, a power of two; LEVELS writers may nest. */
struct tap_ring *tap_ring_open(u32 cpu, u32 size, bool overwrite);
void tap_ring_close(struct tap_ring *r);
/* Make cpuN in DIRECTORY, which goes before tap_ring_close. */
int tap_ring_publish(struct tap_ring *r, struct proc_dir_entry *directory);

struct tap_frame;

/* The frame's handler, that prints nothing just now, will print into this ring. */
void tap_ring_use(struct tap_frame *f, struct tap_ring *r);

/* What the handler of a frame has printed (tap_print) is whole. */
void tap_print_end(struct tap_frame *f);
/* Of a frame with may_wait: other tasks may run, and it goes on with what it prints in a new record. */
void tap_ring_rest(struct tap_frame *f);

u64 tap_ring_lost(const struct tap_ring *r);
void tap_ring_wake(struct tap_ring *r);		/* tell the reader of a change of state; may sleep */

#endif
