/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates: add, merge, and the value of each operator. Integers only; sums of squares have
 * 128 bits, which is enough for 2^64 samples below 2^32 or for 4 of any size. */
#include "core/stat.h"
#include "core/hist.h"
#include "core/host.h"

bool tap_stat_shape_finish(struct tap_stat_shape *shape)
{
	u32 i, total = 0;

	for (i = 0; i < shape->hist_count; i++) {
		struct tap_hist_shape *h = &shape->hists[i];

		h->first = total;
		h->buckets = tap_hist_buckets(h);
		total += h->buckets;
		if (!h->buckets || total > TAP_STAT_MOST_BUCKETS)
			return false;
	}
	shape->buckets = total;
	return true;
}

static u32 buckets(const struct tap_stat_shape *shape)
{
	return shape ? shape->buckets : 0;
}

u32 tap_stat_size(const struct tap_stat_shape *shape)
{
	return (u32)sizeof(struct tap_stat) + buckets(shape) * (u32)sizeof(s64);
}

void tap_stat_reset(struct tap_stat *s, const struct tap_stat_shape *shape)
{
	__builtin_memset(s, 0, tap_stat_size(shape));
}

static void add_square(struct tap_stat *s, u64 low, u64 high)
{
	unsigned __int128 sum = ((unsigned __int128)s->square_high << 64) | s->square_low;

	sum += ((unsigned __int128)high << 64) | low;
	s->square_low = (u64)sum;
	s->square_high = (u64)(sum >> 64);
}

/* Another CPU cleared this aggregate: resets all but sequence, which is odd. */
static __attribute__((__noinline__)) void start_over(struct tap_stat *s, const struct tap_stat_shape *shape)
{
	u32 sequence = s->sequence;

	tap_stat_reset(s, shape);
	s->sequence = sequence;
}

void tap_stat_add_extra(struct tap_stat *s, const struct tap_stat_shape *shape, s64 value)
{
	const struct tap_hist_shape *h, *end = shape->hists + shape->hist_count;

	if (shape->variance) {
		u64 n = value < 0 ? 0 - (u64)value : (u64)value;
		unsigned __int128 square = (unsigned __int128)n * n;

		add_square(s, (u64)square, (u64)(square >> 64));
	}
	for (h = shape->hists; h < end; h++)
		s->buckets[h->first + tap_hist_bucket_of(h, value)]++;
}

void tap_stat_add(struct tap_stat *s, const struct tap_stat_shape *shape, s64 value)
{
	u32 sequence = s->sequence;

	__atomic_store_n(&s->sequence, sequence + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	if (tap_unlikely(__atomic_load_n(&s->cleared, __ATOMIC_RELAXED)))
		start_over(s, shape);
	tap_stat_count(s, value);
	if (tap_stat_has_extra(shape))
		tap_stat_add_extra(s, shape, value);
	__atomic_store_n(&s->sequence, sequence + 2, __ATOMIC_RELEASE);
}

/* Makes calls only at the end, so no register needs to be saved. */
void tap_stat_add_log(struct tap_stat *s, const struct tap_stat_shape *shape, s64 value)
{
	u32 sequence = s->sequence;

	if (tap_unlikely(__atomic_load_n(&s->cleared, __ATOMIC_RELAXED))) {
		tap_stat_add(s, shape, value);
		return;
	}
	__atomic_store_n(&s->sequence, sequence + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	tap_stat_count(s, value);
	s->buckets[tap_hist_log_bucket(0, value)]++;
	__atomic_store_n(&s->sequence, sequence + 2, __ATOMIC_RELEASE);
}

enum { COPY_TRIES = 100 };

/* A consistent copy; after many tries, one that may be off by a sample. */
static void tap_stat_copy(struct tap_stat *to, const struct tap_stat *from,
			  const struct tap_stat_shape *shape)
{
	u32 size = tap_stat_size(shape);
	u32 tries, sequence;

	for (tries = 0; tries < COPY_TRIES; tries++) {
		sequence = __atomic_load_n(&from->sequence, __ATOMIC_ACQUIRE);
		if (sequence & 1) {
			/* Its writer is active; or we interrupted the writer, and then waiting does not help. */
			tap_host_relax();
			continue;
		}
		__builtin_memcpy(to, from, size);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&from->sequence, __ATOMIC_RELAXED) == sequence)
			break;
	}
	if (tries == COPY_TRIES)
		__builtin_memcpy(to, from, size);
	if (to->cleared)
		tap_stat_reset(to, shape);
	to->sequence = 0;
}

void tap_stat_merge(struct tap_stat *into, const struct tap_stat *from,
		    const struct tap_stat_shape *shape)
{
	u32 i;

	if (!from->count)
		return;
	if (!into->count || from->min < into->min)
		into->min = from->min;
	if (!into->count || from->max > into->max)
		into->max = from->max;
	into->count += from->count;
	into->sum = tap_add(into->sum, from->sum);
	add_square(into, from->square_low, from->square_high);
	for (i = 0; i < buckets(shape); i++)
		into->buckets[i] += from->buckets[i];
}

/* ---- values ---- */

/* Bit by bit: this is rarely called. */
static unsigned __int128 divide(unsigned __int128 n, u64 by, u64 *remainder)
{
	unsigned __int128 quotient = 0;
	unsigned __int128 rest = 0;
	int bit;

	for (bit = 127; bit >= 0; bit--) {
		rest = rest << 1 | ((u64)(n >> bit) & 1);
		if (rest >= by) {
			rest -= by;
			quotient |= (unsigned __int128)1 << bit;
		}
	}
	*remainder = (u64)rest;
	return quotient;
}

/* floor((squares - sum^2 / n) / (n - 1)), without rounding before the last division. */
static s64 variance(const struct tap_stat *s)
{
	u64 n = (u64)s->count, remainder;
	u64 sum = s->sum < 0 ? 0 - (u64)s->sum : (u64)s->sum;
	unsigned __int128 squares = ((unsigned __int128)s->square_high << 64) | s->square_low;
	unsigned __int128 mean = divide((unsigned __int128)sum * sum, n, &remainder);
	unsigned __int128 result;

	if (remainder)
		mean++;
	if (n < 2 || squares < mean)
		return 0;
	result = divide(squares - mean, n - 1, &remainder);
	return result >> 63 ? (s64)(~0ull >> 1) : (s64)result;
}

static const struct tap_hist_shape *finest(const struct tap_stat_shape *shape)
{
	const struct tap_hist_shape *best = NULL;
	u32 i;

	for (i = 0; shape && i < shape->hist_count; i++) {
		const struct tap_hist_shape *h = &shape->hists[i];

		if (!best || (h->op == TAP_HIST_LOG) > (best->op == TAP_HIST_LOG) ||
		    (h->op == best->op && (h->op == TAP_HIST_LOG ? h->bits > best->bits
								 : h->step < best->step)))
			best = h;
	}
	return best;
}

/* The value of rank RANK (1...) among COUNT values spread evenly over bucket I. */
static s64 within_bucket(const struct tap_stat *s, const struct tap_hist_shape *h, u32 i, u64 rank,
			 u64 count)
{
	u64 remainder;
	s64 from, to;

	tap_hist_bucket_range(h, i, &from, &to);
	if (from < s->min)
		from = s->min;
	if (to > s->max)
		to = s->max;
	return (s64)((u64)from + (u64)divide((unsigned __int128)((u64)to - (u64)from) * (2 * rank - 1),
					     2 * count, &remainder));
}

static s64 percentile(const struct tap_stat *s, const struct tap_hist_shape *h, u64 percent)
{
	u64 n = (u64)s->count;
	u64 rank = n / 100 * percent + (n % 100 * percent + 99) / 100;
	u64 before = 0;
	u32 i;

	if (rank <= 1)
		return s->min;
	if (rank >= n)
		return s->max;
	for (i = 0; i < h->buckets; i++) {
		u64 count = (u64)s->buckets[h->first + i];

		if (count && before + count >= rank)
			return within_bucket(s, h, i, rank - before, count);
		before += count;
	}
	return s->max;
}

bool tap_stat_compute(const struct tap_stat *s, const struct tap_stat_shape *shape, u8 op, s64 param,
		      s64 *value, const char **reason)
{
	const struct tap_hist_shape *h;

	*value = 0;
	if (!s || !s->count) {
		*reason = "the aggregate is empty";
		return op == TAP_COUNT || op == TAP_SUM;
	}
	switch (op) {
	case TAP_COUNT:
		*value = s->count;
		return true;
	case TAP_SUM:
		*value = s->sum;
		return true;
	case TAP_MIN:
		*value = s->min;
		return true;
	case TAP_MAX:
		*value = s->max;
		return true;
	case TAP_AVG:
		*value = s->sum / s->count;
		return true;
	case TAP_VARIANCE:
		*value = variance(s);
		*reason = "no variance is kept";
		return shape && shape->variance;
	case TAP_PERCENTILE:
		h = finest(shape);
		*reason = h ? "a percentile is from 0 to 100" : "no histogram is kept";
		if (!h || param < 0 || param > 100)
			return false;
		*value = percentile(s, h, (u64)param);
		return true;
	}
	*reason = "no such operator";
	return false;
}

s64 tap_stat_value(struct tap_context *c, const struct tap_stat *s, const struct tap_stat_shape *shape,
		   u8 op, s64 param)
{
	const char *reason;
	s64 value;

	if (tap_stat_compute(s, shape, op, param, &value, &reason))
		return value;
	tap_error(c, "%s", reason);
	return 0;
}

s64 tap_hist_bucket(struct tap_context *c, const struct tap_stat *s, const struct tap_hist_shape *h,
		    s64 bucket)
{
	if (!s || !s->count) {
		tap_error(c, "the aggregate is empty");
		return 0;
	}
	if (bucket < 0 || bucket >= (s64)h->buckets) {
		tap_error(c, "the histogram has no bucket %lld; its buckets are 0 to %u", bucket,
			  h->buckets - 1);
		return 0;
	}
	return s->buckets[h->first + (u32)bucket];
}

/* ---- for the hosts ---- */

const struct tap_stat *tap_stat_read_cells(struct tap_context *c, char *(*cells)(u32 i), u32 cell,
					   const struct tap_stat_shape *shape)
{
	u32 size = tap_stat_size(shape);
	struct tap_stat *all = tap_scratch(c, size);
	char *keep = c->scratch;
	struct tap_stat *one = tap_scratch(c, size);
	char *base;
	u32 i;

	if (!all || !one)
		return NULL;
	tap_stat_reset(all, shape);
	for (i = 0; (base = cells(i)); i++) {
		tap_stat_copy(one, (const struct tap_stat *)(base + cell), shape);
		tap_stat_merge(all, one, shape);
	}
	c->scratch = keep;
	return all;
}

void tap_stat_clear_cells(char *(*cells)(u32 i), u32 cell, const struct tap_stat_shape *shape)
{
	char *base;
	u32 i;

	(void)shape;
	for (i = 0; (base = cells(i)); i++)
		__atomic_store_n(&((struct tap_stat *)(base + cell))->cleared, 1, __ATOMIC_RELAXED);
}

s64 tap_counter_read_cells(char *(*cells)(u32 i), u32 cell)
{
	s64 sum = 0;
	char *base;
	u32 i;

	for (i = 0; (base = cells(i)); i++)
		sum = tap_add(sum, __atomic_load_n((s64 *)(base + cell), __ATOMIC_RELAXED));
	return sum;
}
