/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histograms: which bucket a value belongs to, how a histogram is stored in a print record, and how it is printed.
 * Needs no host functions: the loader uses this too.
 *
 * Buckets are numbered as in SystemTap. Linear: 0 holds the values below low, then 1 ... N = (high - low) / step +
 * 1, then N + 1 for the values above. Log, with b bits: Z = (64 - b) * 2^b is the bucket of 0, Z + 1 that of 1, Z -
 * 1 that of -1, and so on, 2^b buckets per power of two; there are 2 * Z (128 with SystemTap's 0 bits, where 64
 * holds 0 and 64 + k holds 2^(k-1) to 2^k - 1).
 *
 * In a record: for each non-empty bucket, in order, its number as u32 and its count as s64, not aligned. */
#ifndef TAP_CORE_HIST_H
#define TAP_CORE_HIST_H

#include "tap_script.h"
#include "core/writer.h"

static inline u32 tap_hist_linear_bucket(const struct tap_hist_shape *h, s64 value)
{
	u64 n;

	if (value < h->low)
		return 0;
	n = ((u64)value - (u64)h->low) / (u64)h->step;
	return n < h->buckets - 2 ? (u32)n + 1 : h->buckets - 1;
}
static inline u32 tap_hist_log_bucket(u32 bits, s64 value)
{
	u64 n = value < 0 ? 0 - (u64)value : (u64)value;
	u32 zero = (64 - bits) << bits;
	u32 shift;

	if (!bits) {
		n = n ? 64 - (u32)__builtin_clzll(n) : 0;
	} else if (n >> bits) {
		shift = 63 - (u32)__builtin_clzll(n) - bits;
		n = (n >> shift) + ((u64)shift << bits);
	}
	return value < 0 ? zero - (u32)n : zero + (u32)n;
}
static inline u32 tap_hist_bucket_of(const struct tap_hist_shape *h, s64 value)
{
	return h->op == TAP_HIST_LOG ? tap_hist_log_bucket(h->bits, value)
				     : tap_hist_linear_bucket(h, value);
}
/* The range of values of a bucket, inclusive. The outer ones of a linear histogram extend to
 * the limits of s64. */
void tap_hist_bucket_range(const struct tap_hist_shape *h, u32 bucket, s64 *from, s64 *to);

/* Finds the next non-empty bucket from number *I on; false at the end. S may be NULL. */
bool tap_hist_next(const struct tap_stat *s, const struct tap_hist_shape *h, s64 *i, s64 *bucket,
		   s64 *value);

/* The size of a record's payload, and the payload itself: for tap_print_hist. S must not change
 * between the two calls (it is a merged copy). */
u32 tap_hist_payload_size(const struct tap_stat *s, const struct tap_hist_shape *h);
void tap_hist_payload(u8 *payload, const struct tap_stat *s, const struct tap_hist_shape *h);

struct tap_hist_style {
	bool pretty;		/* UTF-8 bars instead of @ */
	s32 elision;		/* number of empty rows kept on each side of a gap shown as ~; < 0: all */
};
#define TAP_HIST_STYLE ((struct tap_hist_style){ false, 2 })

/* Prints the table followed by a blank line. Returns false and writes nothing if the payload is
 * malformed for this shape. An empty histogram prints nothing. */
bool tap_hist_print_payload(struct tap_writer *w, const struct tap_hist_shape *h,
			    struct tap_hist_style style, const u8 *payload, u32 size);
/* Whether the payload can be printed. */
bool tap_hist_payload_valid(const struct tap_hist_shape *h, const u8 *payload, u32 size);
void tap_hist_print(struct tap_writer *w, const struct tap_hist_shape *h,
		    struct tap_hist_style style, const struct tap_stat *s);

/* Whether the functions above can handle the shape. For shapes received over the wire. */
bool tap_hist_shape_valid(const struct tap_hist_shape *h);

#endif
