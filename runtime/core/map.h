/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays of the script, in addition to tap_script.h: how a host creates and frees them.
 *
 * Concurrency. A map of longs or strings has no lock; the script's lock of the global is held: for writing around
 * slot, set, delete and clear, at least for reading around find, get, has and a whole foreach. Several readers may
 * run at once; but a foreach that works on a list occupies one of shape->iterators to its end, so when there are
 * only as many as its loops nest, it needs the lock for writing.
 * A map of aggregates has one table per CPU, each with a lock that is held for a few microseconds with interrupts
 * off; tap_map_add_stat needs no lock of the script, the other functions need it as above. An NMI that finds its own
 * CPU's table in use drops its update and counts it (tap_host_skipped).
 *
 * How long interrupts are off: for longs and strings never, not even while sorting. For aggregates around one
 * element at a time (find, add, merge, copy the keys), 256 elements of a slice, or the clearing of one table (4
 * bytes for each element it has room for). Every long operation calls tap_host_go_on() each 1,000 steps. */
#ifndef TAP_CORE_MAP_H
#define TAP_CORE_MAP_H

#include "tap_script.h"

/* NULL if out of memory. SEED is random, because users choose the keys. Keeps SHAPE, copies
 * what it needs from LIMITS. */
struct tap_map *tap_map_open(const struct tap_map_shape *shape, const struct tap_limits *limits,
			     u64 seed);
void tap_map_close(struct tap_map *m);			/* NULL is allowed */
/* A CPU goes online: creates its table of aggregates. True if it exists already; false if out
 * of memory. Called in a context that may allocate, and not concurrently for the same map. */
bool tap_map_open_cpu(struct tap_map *m, u32 cpu);
u64 tap_map_memory(const struct tap_map *m);		/* bytes allocated */
/* Elements in the array; for aggregates, in the fullest table. */
u32 tap_map_count(const struct tap_map *m);
const struct tap_map_shape *tap_map_shape(const struct tap_map *m);

/* Strings of up to 15 bytes are stored in the entry; longer ones in a store that has room for the maximum length
 * in every entry if that takes at most 1.25 MB (a CPU's table: 256 KB), otherwise for that much, or for 64 bytes
 * per string if this is more. Up to 64 KB every long string has that maximum, so that the store is never full;
 * beyond it a string takes what it needs, and strings that grow may leave gaps. A full store is an error, as a
 * full array is; with wrap the oldest entries are deleted. */

/* foreach: an unsorted loop over longs or strings follows the entries live, and does not see
 * entries inserted after it began; any other works on a list of the elements at its beginning
 * and skips those deleted since. Equal elements keep the order of their insertion. The keys and
 * string values that it returns are valid until the next tap_foreach_next (for aggregates a
 * copy; otherwise see tap_script.h). */

#endif
