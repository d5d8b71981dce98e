/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates: what <<< adds to and @count ... @percentile read. The shape says what is kept,
 * see struct tap_stat_shape; count, sum, min and max are always kept.
 *
 * Each copy of an aggregate (one per CPU and level) has one writer, which makes sequence odd
 * while it modifies it; others copy it and try again if it changed meanwhile. To clear another CPU's copy, set its
 * 'cleared': it then counts as empty, and its writer starts from zero at its next sample. */
#ifndef TAP_CORE_STAT_H
#define TAP_CORE_STAT_H

#include "tap_script.h"

/* Fills in first and buckets of each histogram and the shape's buckets: for the translator.
 * False if a histogram has no buckets or too many: a shape of TAP_STAT_MOST_BUCKETS can still
 * be handled. */
enum { TAP_STAT_MOST_BUCKETS = 16384, TAP_HIST_MOST_BITS = 6 };
bool tap_stat_shape_finish(struct tap_stat_shape *shape);

u32 tap_stat_size(const struct tap_stat_shape *shape);		/* bytes, a multiple of 8 */
/* Here and below SHAPE may be NULL: count, sum, min and max only. */
void tap_stat_reset(struct tap_stat *s, const struct tap_stat_shape *shape);
/* The two halves of tap_stat_add, for a copy protected by another lock: count, sum, min and
 * max; and everything else that the shape keeps. */
static inline void tap_stat_count(struct tap_stat *s, s64 value)
{
	if (tap_unlikely(s->count == 0)) {
		s->min = value;
		s->max = value;
	} else {
		if (value < s->min)
			s->min = value;
		if (value > s->max)
			s->max = value;
	}
	s->count++;
	s->sum = tap_add(s->sum, value);
}
static inline bool tap_stat_has_extra(const struct tap_stat_shape *shape)
{
	return shape && (shape->variance || shape->hist_count);
}
void tap_stat_add_extra(struct tap_stat *s, const struct tap_stat_shape *shape, s64 value);
/* The caller owns both. */
void tap_stat_merge(struct tap_stat *into, const struct tap_stat *from,
		    const struct tap_stat_shape *shape);

/* tap_stat_value without a context: false if there is no value; *REASON says why. */
bool tap_stat_compute(const struct tap_stat *s, const struct tap_stat_shape *shape, u8 op, s64 param,
		      s64 *value, const char **reason);
/* @variance is that of a sample (divided by count - 1; 0 for one value), exact to the integer below, as sums of
 * squares are kept in 128 bits. PARAM has no effect: in SystemTap the bits restore the precision that its algorithm
 * loses.
 *
 * @percentile(v, p): of n sorted values, the one of rank ceil(n * p / 100), the first for 0. Taken from the shape's
 * finest log histogram, or else its linear one; inside a bucket values count as evenly spread, and the result stays
 * between min and max. So its error is less than the bucket's width: a 2^-bits part of the value (log), or the step
 * (linear, within the range). */

/* For the hosts: the functions of the ABI, by a walk over all copies: cells(i) is the base of
 * the i-th struct cells (of a CPU and level), NULL after the last. */
const struct tap_stat *tap_stat_read_cells(struct tap_context *c, char *(*cells)(u32 i), u32 cell,
					   const struct tap_stat_shape *shape);
void tap_stat_clear_cells(char *(*cells)(u32 i), u32 cell, const struct tap_stat_shape *shape);
s64 tap_counter_read_cells(char *(*cells)(u32 i), u32 cell);

#endif
