/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares aggregates with exact arithmetic on random data; buckets, percentiles within their
 * bound; cells of several CPUs; torn reads and clearing. */
#include "core-test.h"
#include "core/stat.h"
#include "core/hist.h"

enum { MOST = 3000 };

static struct tap_context *c;
static s64 samples[MOST];

static struct tap_stat_shape shape = {
	.variance = true, .hist_count = 4,
	.hists = {
		{ .op = TAP_HIST_LOG },
		{ .op = TAP_HIST_LOG, .bits = 4 },
		{ .op = TAP_HIST_LINEAR, .low = -1000, .high = 1000, .step = 7 },
		{ .op = TAP_HIST_LINEAR, .low = 1, .high = 3, .step = 1 },
	},
};

static s64 value_of(const struct tap_stat *s, u8 op, s64 param)
{
	return tap_stat_value(c, s, &shape, op, param);
}

static int compare(const void *a, const void *b)
{
	s64 x = *(const s64 *)a, y = *(const s64 *)b;

	return x < y ? -1 : x > y;
}

/* For values below 2^31, for which n * squares - sum^2 fits in 128 bits. */
static s64 exact_variance(u32 n)
{
	__int128 sum = 0, squares = 0;
	u32 i;

	if (n < 2)
		return 0;
	for (i = 0; i < n; i++) {
		sum += samples[i];
		squares += (__int128)samples[i] * samples[i];
	}
	return (s64)((squares * n - sum * sum) / ((__int128)n * (n - 1)));
}

static void check_percentiles(const struct tap_stat *s, u32 n)
{
	struct tap_stat_shape only = shape;
	u32 p, h;

	qsort(samples, n, sizeof(*samples), compare);
	for (h = 0; h < 4; h++)
	for (p = 0; p <= 100; p++) {
		u32 rank = (n * p + 99) / 100;
		s64 exact = samples[rank ? rank - 1 : 0], got, from, to;
		const char *reason;

		only.hist_count = 1;
		only.hists[0] = shape.hists[h];
		CHECK(tap_stat_compute(s, &only, TAP_PERCENTILE, p, &got, &reason));
		tap_hist_bucket_range(&shape.hists[h], tap_hist_bucket_of(&shape.hists[h], exact), &from, &to);
		if (got < from || got > to || got < s->min || got > s->max)
			fail(__FILE__, __LINE__, "percentile %u of %u: %lld, exact %lld [%lld, %lld]", p, n,
			     got, exact, from, to);
	}
}

static void random_data(void)
{
	struct tap_stat *parts[3], *s;
	u32 round, i, size = tap_stat_size(&shape);

	for (i = 0; i < 3; i++)
		parts[i] = calloc(1, size);
	s = calloc(1, size);
	for (round = 0; round < 300; round++) {
		u32 n = (u32)random_below(round < 20 ? 5 : MOST - 1) + 1;
		u32 wide = (u32)random_below(31) + 1;
		bool extreme = round % 7 == 0;
		s64 sum = 0, min = 0, max = 0;

		for (i = 0; i < 3; i++)
			tap_stat_reset(parts[i], &shape);
		for (i = 0; i < n; i++) {
			s64 v = extreme ? random_long() : (s64)(random_next() >> (64 - wide)) *
				(random_below(2) ? 1 : -1);

			samples[i] = v;
			sum = (s64)((u64)sum + (u64)v);
			min = !i || v < min ? v : min;
			max = !i || v > max ? v : max;
			tap_stat_add(parts[random_below(3)], &shape, v);
		}
		tap_stat_reset(s, &shape);
		for (i = 0; i < 3; i++)
			tap_stat_merge(s, parts[i], &shape);
		CHECK_LONG(value_of(s, TAP_COUNT, 0), n);
		CHECK_LONG(value_of(s, TAP_SUM, 0), sum);
		CHECK_LONG(value_of(s, TAP_MIN, 0), min);
		CHECK_LONG(value_of(s, TAP_MAX, 0), max);
		CHECK_LONG(value_of(s, TAP_AVG, 0), sum / (s64)n);
		if (!extreme)
			CHECK_LONG(value_of(s, TAP_VARIANCE, 0), exact_variance(n));
		for (i = 0; i < 4; i++) {
			const struct tap_hist_shape *h = &shape.hists[i];
			s64 at = 0, bucket, count, total = 0;

			while (tap_hist_next(s, h, &at, &bucket, &count)) {
				s64 from, to, j, exact = 0;

				total += count;
				CHECK_LONG(tap_hist_bucket(c, s, h, bucket), count);
				tap_hist_bucket_range(h, (u32)bucket, &from, &to);
				for (j = 0; j < (s64)n; j++)
					exact += samples[j] >= from && samples[j] <= to;
				if (round < 60)
					CHECK_LONG(count, exact);
			}
			CHECK_LONG(total, n);
		}
		check_percentiles(s, n);
		CHECK(!c->error);
	}
	for (i = 0; i < 3; i++)
		free(parts[i]);
	free(s);
}

/* Buckets cover all numbers, in order and without gaps. */
static void ranges(void)
{
	u32 bits, i;

	for (bits = 0; bits <= TAP_HIST_MOST_BITS; bits++) {
		struct tap_hist_shape h = { .op = TAP_HIST_LOG, .bits = (u8)bits };
		s64 from, to, last = (s64)(1ull << 63);

		h.buckets = tap_hist_buckets(&h);
		CHECK(tap_hist_shape_valid(&h));
		for (i = 0; i < h.buckets; i++) {
			tap_hist_bucket_range(&h, i, &from, &to);
			if (i ? from != last + 1 : from != last)
				fail(__FILE__, __LINE__, "bits %u bucket %u: from %lld", bits, i, from);
			CHECK(from <= to);
			CHECK_LONG(tap_hist_bucket_of(&h, from), i);
			CHECK_LONG(tap_hist_bucket_of(&h, to), i);
			CHECK_LONG(tap_hist_bucket_of(&h, from + (s64)((u64)(to - from) / 3)), i);
			last = to;
		}
		CHECK_LONG(last, (s64)(~0ull >> 1));
	}
	for (i = 0; i < 2000; i++) {
		s64 a = random_long(), b = random_long(), from, to, last = 0;
		struct tap_hist_shape h = { .op = TAP_HIST_LINEAR, .low = a < b ? a : b, .high = a < b ? b : a };
		u32 j;

		if (a == b)
			continue;
		h.step = (s64)(((u64)h.high - (u64)h.low) / (random_below(300) + 1) >> 1) + 1;
		h.buckets = tap_hist_buckets(&h);
		CHECK(h.buckets >= 3);
		for (j = 0; j < h.buckets; j++) {
			tap_hist_bucket_range(&h, j, &from, &to);
			if (h.low == (s64)(1ull << 63) && !j)
				continue;
			if (last == (s64)(~0ull >> 1) && j > 1)
				continue;	/* the range extends to the end of s64 */
			if (j > 1 && from != last + 1)
				fail(__FILE__, __LINE__, "bucket %u from %lld last %lld", j, from, last);
			CHECK_LONG(tap_hist_bucket_of(&h, from), j);
			CHECK_LONG(tap_hist_bucket_of(&h, to), j);
			last = to;
		}
		CHECK_LONG(last, (s64)(~0ull >> 1));
		if (failures)
			return;
	}
}

static void numbering(void)
{
	const struct tap_hist_shape *log = &shape.hists[0], *linear = &shape.hists[3];
	static const s64 values[] = { -100, 1, 2, 3, 100 };
	u32 i;

	CHECK_LONG(log->buckets, 128);
	CHECK_LONG(tap_hist_bucket_of(log, 0), 64);
	CHECK_LONG(tap_hist_bucket_of(log, 1), 65);
	CHECK_LONG(tap_hist_bucket_of(log, 3), 66);
	CHECK_LONG(tap_hist_bucket_of(log, -1), 63);
	CHECK_LONG(tap_hist_bucket_of(log, -4), 61);
	CHECK_LONG(tap_hist_bucket_of(log, (s64)(1ull << 63)), 0);
	CHECK_LONG(tap_hist_bucket_of(log, (s64)(~0ull >> 1)), 127);
	CHECK_LONG(linear->buckets, 5);
	for (i = 0; i < 5; i++)
		CHECK_LONG(tap_hist_bucket_of(linear, values[i]), i);
}

static void refusing(void)
{
	struct tap_stat_shape bad = { .hist_count = 1 };
	struct tap_stat *s = calloc(1, tap_stat_size(&shape));
	u8 op;

	bad.hists[0] = (struct tap_hist_shape){ .op = TAP_HIST_LINEAR, .low = 3, .high = 2, .step = 1 };
	CHECK(!tap_stat_shape_finish(&bad));
	bad.hists[0].high = 3;
	CHECK(tap_stat_shape_finish(&bad) && bad.hists[0].buckets == 3);
	bad.hists[0].high = 10;
	bad.hists[0].step = 0;
	CHECK(!tap_stat_shape_finish(&bad));
	bad.hists[0].step = 1;
	CHECK(tap_stat_shape_finish(&bad));
	bad.hists[0].high = 1ll << 40;
	CHECK(!tap_stat_shape_finish(&bad));
	bad.hists[0] = (struct tap_hist_shape){ .op = TAP_HIST_LOG, .bits = 7 };
	CHECK(!tap_stat_shape_finish(&bad));

	for (op = TAP_COUNT; op <= TAP_PERCENTILE; op++) {
		c = host_context();
		CHECK_LONG(value_of(s, op, 50), 0);
		CHECK_LONG(value_of(NULL, op, 50), 0);
		CHECK((c->error == NULL) == (op == TAP_COUNT || op == TAP_SUM));
	}
	c = host_context();
	tap_stat_add(s, &shape, 5);
	tap_hist_bucket(c, s, &shape.hists[0], 128);
	CHECK(c->error);
	c = host_context();
	tap_hist_bucket(c, s, &shape.hists[0], -1);
	CHECK(c->error);
	c = host_context();
	value_of(s, TAP_PERCENTILE, 101);
	CHECK(c->error);
	c = host_context();
	CHECK_LONG(value_of(s, TAP_VARIANCE, 0), 0);
	CHECK_LONG(value_of(s, TAP_PERCENTILE, 50), 5);
	CHECK(!c->error);
	free(s);
}

/* The example in the documentation: 1 to 5 has variance 2.5. */
static void documented(void)
{
	struct tap_stat *s = calloc(1, tap_stat_size(&shape));
	s64 i;

	for (i = 1; i <= 5; i++)
		tap_stat_add(s, &shape, i);
	CHECK_LONG(value_of(s, TAP_VARIANCE, 0), 2);
	CHECK_LONG(value_of(s, TAP_VARIANCE, 1), 2);
	free(s);
}

/* A single log histogram has a separate code path with the same result; also when another CPU has cleared it. */
static void lone_log(void)
{
	static const s64 ends[] = { 0, 1, -1, (s64)(~0ull >> 1), (s64)(1ull << 63) };
	struct tap_stat_shape only = { .hist_count = 1, .hists = { { .op = TAP_HIST_LOG } } };
	struct tap_stat *s, *t;
	u32 i, n;

	CHECK(tap_stat_shape_finish(&only));
	s = calloc(1, tap_stat_size(&only));
	t = calloc(1, tap_stat_size(&only));
	for (i = 0; i < MOST; i++) {
		n = random_below(64);
		s64 v = i < 5 ? ends[i] : (s64)(((u64)random_below(1u << 31) << 32 | random_below(1u << 31)) >> n);

		if (i == MOST / 2)
			s->cleared = t->cleared = 1;
		tap_stat_add(s, &only, n & 1 ? v : tap_neg(v));
		tap_stat_add_log(t, &only, n & 1 ? v : tap_neg(v));
	}
	CHECK_LONG(s->count, MOST - MOST / 2);
	CHECK(!memcmp(s, t, tap_stat_size(&only)));
	free(s);
	free(t);
}

static void cells(void)
{
	u32 cell = 64, counter = 8, i;
	const struct tap_stat *s;

	for (i = 0; i < 16; i++) {
		tap_stat_add((struct tap_stat *)(host_cells(i) + cell), &shape, i);
		*(s64 *)(host_cells(i) + counter) += i;
	}
	s = tap_stat_read_cells(c, host_cells, cell, &shape);
	CHECK_LONG(value_of(s, TAP_COUNT, 0), 16);
	CHECK_LONG(value_of(s, TAP_SUM, 0), 120);
	CHECK_LONG(value_of(s, TAP_MAX, 0), 15);
	CHECK_LONG(tap_counter_read_cells(host_cells, counter), 120);
	tap_stat_clear_cells(host_cells, cell, &shape);
	s = tap_stat_read_cells(c, host_cells, cell, &shape);
	CHECK_LONG(value_of(s, TAP_COUNT, 0), 0);
	tap_stat_add((struct tap_stat *)(host_cells(3) + cell), &shape, 7);
	s = tap_stat_read_cells(c, host_cells, cell, &shape);
	CHECK_LONG(value_of(s, TAP_COUNT, 0), 1);
	CHECK_LONG(value_of(s, TAP_MIN, 0), 7);
	CHECK_LONG(tap_hist_bucket(c, s, &shape.hists[0], 67), 1);
	CHECK(!c->error);
	c->scratch = c->scratch_end - 100;
	CHECK(!tap_stat_read_cells(c, host_cells, cell, &shape) && c->error);
	c = host_context();
}

/* A writer is interrupted in the middle: readers neither hang nor crash. */
static void interrupted(void)
{
	struct tap_stat *s = (struct tap_stat *)(host_cells(0) + 64);

	s->sequence |= 1;
	CHECK(tap_stat_read_cells(c, host_cells, 64, &shape) != NULL);
	s->sequence++;
}

int main(void)
{
	CHECK(tap_stat_shape_finish(&shape));
	c = host_context();
	random_data();
	ranges();
	numbering();
	refusing();
	documented();
	lone_log();
	cells();
	interrupted();
	return report("core-stat");
}
