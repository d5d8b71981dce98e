/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays of the script, beside what tap_script.h declares: how a host makes and ends them.
 *
 * Who may call what at the same time. A map of longs or strings has no lock of its own: the script's
 * lock of the global is held, for writing around slot, set, delete and clear, for reading at least
 * around find, get, has and a whole foreach. Several readers may run at once; but a foreach that works on
 * a list has one of shape->iterators to its end, so where these are as many as its loops nest, it needs
 * the lock for writing.
 * A map of aggregates keeps a table a CPU, each with a lock that is held for a few microseconds with
 * interrupts off; tap_map_add_stat needs no lock of the script, the rest is held as above. An NMI
 * that finds its own CPU's table in use drops its update and counts it (tap_host_skipped).
 *
 * How long interrupts are off: never for longs and strings, sorting included. For aggregates around one
 * element at a time (find, add, merge, copy the keys), 256 elements of a slice, or one table's clear
 * (4 bytes for each element it has room for). Anything long asks tap_host_go_on() each 1,000 steps. */
#ifndef TAP_CORE_MAP_H
#define TAP_CORE_MAP_H

#include "tap_script.h"

/* NULL without memory. SEED is random: users choose keys. Keeps SHAPE, copies what it needs of
 * LIMITS. */
struct tap_map *tap_map_open(const struct tap_map_shape *shape, const struct tap_limits *limits,
			     u64 seed);
void tap_map_close(struct tap_map *m);			/* NULL is fine */
/* A CPU comes up: its table of aggregates. True when it is there already; false without memory.
 * In a context that may allocate, not beside itself for one map. */
bool tap_map_open_cpu(struct tap_map *m, u32 cpu);
u64 tap_map_memory(const struct tap_map *m);		/* bytes allocated */
/* The same before it is opened, with CPUS for tap_host_cpus() and ONLINE of them that run handlers. */
u64 tap_map_size(const struct tap_map_shape *shape, const struct tap_limits *limits, u32 cpus, u32 online);
u64 tap_map_cpu_size(const struct tap_map *m);		/* bytes of one CPU's table; 0: the map has none */
/* Elements in the array; of aggregates, in the fullest table. */
u32 tap_map_count(const struct tap_map *m);
const struct tap_map_shape *tap_map_shape(const struct tap_map *m);

/* Strings of up to 15 bytes lie within an entry; longer ones in a store that has room for every
 * entry's longest where that is at most 1.25 MB (a CPU's table: 256 KB), else that much, or for 64 bytes
 * a string where this is more. A full store is an error like a full array, and with wrap makes the oldest entries go. */

/* foreach: an unsorted one over longs or strings follows the entries live, and sees no entry that
 * came after it began; any other works on a list of the elements at its beginning and skips those
 * deleted since. Equal elements keep the order of their insertion. Keys and string values that it
 * gives are good until the next tap_foreach_next (of aggregates, a copy; else see tap_script.h). */

#endif
