/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What runtime/core needs from its host: the kernel runtime, the simulating runtime, or a unit test
 * (tests/unit/support/core-host.c). Programs that link only format.c, hist.c and record.c (the loader) need none of
 * it.
 *
 * Core in turn defines these functions of tap_script.h; a host defines all others:
 *	number.c	tap_div tap_mod tap_decimal
 *	string.c	tap_concat tap_join tap_string_hold tap_string_compare tap_string_store tap_cell_set
 *			tap_sprintf tap_sprint_hist
 *	regex.c		tap_regex_match
 *	map.c		tap_map_*, except for tap_map_add_stat_number and tap_map_add_stat_text (add.h)
 *	foreach.c	tap_foreach*
 *	stat.c hist.c	tap_stat_add tap_stat_value tap_hist_bucket tap_hist_buckets
 * tap_stat_read, tap_stat_clear and tap_counter_read are one line each in a host: see stat.h. Of tap_script itself
 * core reads only limits.string. */
#ifndef TAP_CORE_HOST_H
#define TAP_CORE_HOST_H

#include "tap_script.h"

struct tap_groups;

/* ---- only at the start and end of a session, never from a handler ---- */

/* SIZE zeroed bytes, aligned to 16, or NULL. kernel: vzalloc; user: calloc. */
void *tap_alloc(u64 size);
void tap_free(void *memory);		/* NULL is allowed */
/* CPU numbers are below this; it never changes while a map is open. */
u32 tap_host_cpus(void);
/* Whether CPU runs handlers at present. For a CPU that goes online later: tap_map_open_cpu(). */
bool tap_host_cpu_online(u32 cpu);

/* ---- from handlers: any context, NMI included; none of these may sleep ---- */

/* The current CPU; called with interrupts off or from a handler, which never migrates. */
u32 tap_host_cpu(void);
/* Around sections of at most a few microseconds. kernel: local_irq_save; user: nothing. */
unsigned long tap_host_irq_save(void);
void tap_host_irq_restore(unsigned long flags);
/* One iteration of a bounded spin on a word that another CPU will change soon. kernel:
 * cpu_relax. */
void tap_host_relax(void);
/* Called about every TAP_STEPS_BETWEEN steps of a long operation (collecting, sorting, deleting
 * a slice), with interrupts as the handler has them. False, with the error set, when the
 * handler must not go on: the operation is abandoned, and the map stays consistent. */
bool tap_host_go_on(struct tap_context *c);
/* The kernel defines "noinline" as a macro: core writes __attribute__((__noinline__)). */
enum { TAP_STEPS_BETWEEN = 1000 };
/* An update was dropped: its own CPU's table was in use (an NMI interrupted it), or another CPU
 * held it for too long. C may be NULL (delete has no context). */
void tap_host_skipped(struct tap_context *c);
/* Where to store the match of a regular expression, see regex.h; NULL if the script never calls
 * matched() or ngroups(). */
struct tap_groups *tap_host_groups(struct tap_context *c);

#endif
