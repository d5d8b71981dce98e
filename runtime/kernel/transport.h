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
/* Make cpuN in DIRECTORY; gone with tap_ring_close. */
int tap_ring_publish(struct tap_ring *r, struct proc_dir_entry *directory);

/* All of these: on the ring's CPU, preemption off, any level. */
/* A handler's prints begin: the stamp of all that it writes until tap_ring_end. */
u64 tap_ring_begin(struct tap_ring *r, u32 level);
/* A whole record, or a lost one. PAYLOAD is aligned to 8 and readable up to a multiple of 8. */
void tap_ring_write(struct tap_ring *r, u64 stamp, const void *payload, u32 size);
void tap_ring_end(struct tap_ring *r, u32 level);
void tap_ring_lose(struct tap_ring *r);		/* a record that could not even be made */

bool tap_ring_fits(const struct tap_ring *r, u32 size);
/* Sleeps until SIZE bytes of payload fit; false when the reader takes nothing. From any CPU. */
bool tap_ring_wait(struct tap_ring *r, u32 size);

u64 tap_ring_lost(const struct tap_ring *r);
void tap_ring_wake(struct tap_ring *r);		/* tell the reader of a change of state; may sleep */

#endif
