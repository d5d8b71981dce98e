/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One ring of records per CPU: handlers of that CPU write, the reader of /proc/tap:NAME/cpuN reads. */
#ifndef TAP_TRANSPORT_H
#define TAP_TRANSPORT_H

#include <linux/proc_fs.h>
#include "session.h"

struct tap_ring;

/* SIZE bytes, a power of two, and GROWTH more while its reader cannot follow (tap_ring_growth()); up to LEVELS writers
 * may nest. */
struct tap_ring *tap_ring_open(u32 cpu, u32 size, u64 growth, bool overwrite);
void tap_ring_close(struct tap_ring *r);
/* Creates cpuN in DIRECTORY, which must be removed before tap_ring_close. */
int tap_ring_publish(struct tap_ring *r, struct proc_dir_entry *directory);

struct tap_frame;

/* The frame's handler, which is not printing at the moment, will print into this ring. */
void tap_ring_use(struct tap_frame *f, struct tap_ring *r);

/* The output of a frame's handler (tap_print) is complete. */
void tap_print_end(struct tap_frame *f);
/* For a frame with may_wait: lets other tasks run; the handler continues its output in a new record. */
void tap_ring_rest(struct tap_frame *f);

/* The published rings of all CPUs: records lost; readers are notified of a change of state, which may sleep */
u64 tap_rings_lost(void);
void tap_rings_wake(void);
void tap_rings_close(void);

#endif
