/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histograms: bucket arithmetic, their representation in a record, and the printed table.
 *
 * A log histogram is a log-linear one with 0 bits: a magnitude m whose top bit is k belongs to
 * bucket ((k - bits) << bits) + (m >> (k - bits)), counted from the bucket of zero, where the
 * second term has bits + 1 bits; below 2^bits each number has its own bucket. */
#include "core/hist.h"
#include "core/stat.h"

static u32 zero_bucket(const struct tap_hist_shape *h)
{
	return (u32)(64 - h->bits) << h->bits;
}

u32 tap_hist_buckets(const struct tap_hist_shape *h)
{
	u64 steps;

	if (h->op == TAP_HIST_LOG)
		return h->bits <= TAP_HIST_MOST_BITS ? 2 * zero_bucket(h) : 0;
	if (h->op != TAP_HIST_LINEAR || h->step <= 0 || h->high < h->low)
		return 0;
	steps = ((u64)h->high - (u64)h->low) / (u64)h->step;
	return steps <= TAP_STAT_MOST_BUCKETS - 3 ? (u32)steps + 3 : 0;
}

bool tap_hist_shape_valid(const struct tap_hist_shape *h)
{
	return h->buckets && h->buckets == tap_hist_buckets(h);
}

static void linear_range(const struct tap_hist_shape *h, u32 bucket, s64 *from, s64 *to)
{
	u64 above = (u64)h->low + (u64)(h->buckets - 2) * (u64)h->step;
	bool beyond = (((u64)1 << 63) - 1 - (u64)h->low) / (u64)h->step < h->buckets - 2;

	*from = (s64)((u64)h->low + (u64)(bucket - 1) * (u64)h->step);
	*to = (s64)((u64)*from + (u64)h->step - 1);
	if (bucket == 0) {
		*from = (s64)((u64)1 << 63);
		*to = h->low == *from ? h->low : h->low - 1;
	} else if (bucket == h->buckets - 1) {
		*from = beyond ? (s64)(~(u64)0 >> 1) : (s64)above;
		*to = (s64)(~(u64)0 >> 1);
	} else if (*to < *from) {
		*to = (s64)(~(u64)0 >> 1);
	}
}

void tap_hist_bucket_range(const struct tap_hist_shape *h, u32 bucket, s64 *from, s64 *to)
{
	u32 zero, n, shift;
	u64 first, last;

	if (h->op == TAP_HIST_LINEAR) {
		linear_range(h, bucket, from, to);
		return;
	}
	zero = zero_bucket(h);
	n = bucket < zero ? zero - bucket : bucket - zero;
	first = last = n;
	if (n >> h->bits) {
		shift = (n >> h->bits) - 1;
		first = (u64)(n - (shift << h->bits)) << shift;
		last = first + (((u64)1 << shift) - 1);
	}
	if (bucket < zero) {
		if (last > (u64)1 << 63)
			last = (u64)1 << 63;
		*from = (s64)(0 - last);
		*to = (s64)(0 - first);
	} else {
		*from = (s64)first;
		*to = (s64)last;
	}
}

/* ---- in a record ---- */

bool tap_hist_next(const struct tap_stat *s, const struct tap_hist_shape *h, s64 *i, s64 *bucket,
		   s64 *value)
{
	if (!s)
		return false;
	for (; *i >= 0 && *i < (s64)h->buckets; ++*i) {
		*value = s->buckets[h->first + (u32)*i];
		if (*value) {
			*bucket = (*i)++;
			return true;
		}
	}
	return false;
}

enum { PAIR = sizeof(u32) + sizeof(s64) };

u32 tap_hist_payload_size(const struct tap_stat *s, const struct tap_hist_shape *h)
{
	s64 i = 0, bucket, count;
	u32 used = 0;

	while (tap_hist_next(s, h, &i, &bucket, &count))
		used++;
	return used * PAIR;
}

void tap_hist_payload(u8 *payload, const struct tap_stat *s, const struct tap_hist_shape *h)
{
	s64 i = 0, bucket, count;

	while (tap_hist_next(s, h, &i, &bucket, &count)) {
		u32 number = (u32)bucket;

		__builtin_memcpy(payload, &number, sizeof(number));
		__builtin_memcpy(payload + sizeof(number), &count, sizeof(count));
		payload += PAIR;
	}
}

/* ---- printing ---- */

/* Non-empty buckets in order, of an aggregate or a payload. */
struct counts {
	const struct tap_hist_shape *h;
	const struct tap_stat *s;
	const u8 *payload;
	u32 pairs;
};

static bool next_used(const struct counts *c, s64 *i, s64 *bucket, s64 *count)
{
	u32 number;

	if (c->s)
		return tap_hist_next(c->s, c->h, i, bucket, count);
	if (*i >= (s64)c->pairs)
		return false;
	__builtin_memcpy(&number, c->payload + *i * PAIR, sizeof(number));
	__builtin_memcpy(count, c->payload + *i * PAIR + sizeof(number), sizeof(*count));
	*bucket = number;
	++*i;
	return true;
}

static bool payload_valid(const struct counts *c)
{
	s64 i = 0, last = -1, bucket, count;

	while (next_used(c, &i, &bucket, &count)) {
		if (bucket <= last || bucket >= (s64)c->h->buckets || count <= 0)
			return false;
		last = bucket;
	}
	return true;
}

enum { BAR = 50 };

struct table {
	struct tap_writer *w;
	const struct tap_hist_shape *h;
	struct tap_hist_style style;
	s64 low, high;			/* rows */
	s64 most;			/* the largest count */
	s32 value_width, count_width;
};

static void write_number(struct tap_writer *w, s64 n, s32 width, char prefix)
{
	char text[24];
	char *p = text + sizeof(text);
	u64 rest = n < 0 ? 0 - (u64)n : (u64)n;

	do
		*--p = (char)('0' + rest % 10);
	while (rest /= 10);
	if (n < 0)
		*--p = '-';
	if (prefix)
		*--p = prefix;
	if (width > text + sizeof(text) - p)
		tap_write_fill(w, ' ', (u64)(width - (text + sizeof(text) - p)));
	tap_write(w, p, (u64)(text + sizeof(text) - p));
}

static s32 digits(s64 n)
{
	u64 rest = n < 0 ? 0 - (u64)n : (u64)n;
	s32 count = 1 + (n < 0);

	while (rest /= 10)
		count++;
	return count;
}

/* The label of a row: the bucket's value nearest to zero (log) or its lowest one (linear). */
static s64 label(const struct tap_hist_shape *h, s64 bucket, char *prefix)
{
	s64 from, to;

	*prefix = 0;
	if (h->op == TAP_HIST_LOG) {
		tap_hist_bucket_range(h, (u32)bucket, &from, &to);
		return bucket < (s64)zero_bucket(h) ? to : from;
	}
	if (bucket == 0) {
		*prefix = '<';
		return h->low;
	}
	if (bucket == (s64)h->buckets - 1) {
		*prefix = '>';
		bucket--;
	}
	tap_hist_bucket_range(h, (u32)bucket, &from, &to);
	return from;
}

/* Selects the rows from the lowest to the highest used bucket, plus a few empty ones around
 * them, but no row below zero if all buckets there are empty, and none outside the range of a
 * linear histogram. */
static void choose_rows(struct table *t, const struct counts *c)
{
	s64 margin = t->style.elision < 0 ? 2 : t->style.elision;
	s64 first = 0, last = (s64)t->h->buckets - 1;
	s64 i = 0, bucket, count;

	t->low = -1;
	t->most = 0;
	while (next_used(c, &i, &bucket, &count)) {
		if (t->low < 0)
			t->low = bucket;
		t->high = bucket;
		if (count > t->most)
			t->most = count;
	}
	if (t->low < 0)
		return;
	if (t->h->op == TAP_HIST_LINEAR) {
		first = 1;
		last--;
	} else if (t->low >= (s64)zero_bucket(t->h)) {
		first = zero_bucket(t->h);
	}
	if (t->low > first)
		t->low = t->low - first < margin ? first : t->low - margin;
	if (t->high < last)
		t->high = last - t->high < margin ? last : t->high + margin;
}

static void choose_widths(struct table *t)
{
	char prefix[2];
	s32 low = digits(label(t->h, t->low, &prefix[0]));
	s32 high = digits(label(t->h, t->high, &prefix[1]));

	t->value_width = (low > high ? low : high) + (prefix[0] || prefix[1]);
	if (t->value_width < 5)
		t->value_width = 5;
	t->count_width = digits(t->most);
}

static void write_text(struct tap_writer *w, const char *text)
{
	tap_write(w, text, __builtin_strlen(text));
}

static void print_head(const struct table *t)
{
	u32 i;

	tap_write_fill(t->w, ' ', (u64)(t->value_width - 5));
	write_text(t->w, t->style.pretty ? "value ┌" : "value |");
	for (i = 0; i < BAR; i++)
		write_text(t->w, t->style.pretty ? "─" : "-");
	write_text(t->w, " count\n");
}

/* Bars are scaled down by an integer, and never longer than their count. */
static u32 print_plain_bar(const struct table *t, s64 count)
{
	u64 scale = ((u64)t->most + BAR - 1) / BAR;
	u32 length = (u32)((u64)count / scale);

	tap_write_fill(t->w, '@', length);
	return length;
}

/* Bars use the full width, in eighths of a column. */
static u32 print_pretty_bar(const struct table *t, s64 count)
{
	static const char *const parts[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	u64 n = (u64)count, most = (u64)t->most;
	u32 eighths, i;

	while (most >> 54) {		/* n * 400 must fit */
		n >>= 1;
		most >>= 1;
	}
	eighths = (u32)(n * (BAR * 8) / most);
	if (count && !eighths)
		eighths = 1;
	for (i = 0; i < eighths / 8; i++)
		write_text(t->w, "█");
	write_text(t->w, parts[eighths % 8]);
	return (eighths + 7) / 8;
}

static void print_row(const struct table *t, s64 bucket, s64 count)
{
	char prefix;
	s64 value = label(t->h, bucket, &prefix);
	u32 length;

	write_number(t->w, value, t->value_width, prefix);
	write_text(t->w, t->style.pretty ? " │" : " |");
	length = t->style.pretty ? print_pretty_bar(t, count) : print_plain_bar(t, count);
	tap_write_fill(t->w, ' ', BAR - length + 1);
	write_number(t->w, count, t->count_width, 0);
	tap_write_byte(t->w, '\n');
}

/* Further output would be dropped. */
static bool is_full(const struct tap_writer *w)
{
	return !w->flush && w->at == w->end;
}

/* Prints the empty rows FROM to TO; the middle of a long gap is a single ~. */
static void print_gap(const struct table *t, s64 from, s64 to)
{
	s64 kept = t->style.elision;
	bool cut = kept >= 0 && to - from + 1 > 2 * kept;
	s64 i;

	for (i = from; i <= to && !is_full(t->w); i++) {
		if (cut && i == from + kept) {
			tap_write_fill(t->w, ' ', (u64)t->value_width + 1);
			write_text(t->w, t->style.pretty ? "┊\n" : "~\n");
			i = to - kept;
		} else {
			print_row(t, i, 0);
		}
	}
}

static void print_table(struct tap_writer *w, struct tap_hist_style style, const struct counts *c)
{
	struct table t = { .w = w, .h = c->h, .style = style };
	s64 i = 0, row, bucket, count;

	choose_rows(&t, c);
	if (t.low < 0)
		return;
	choose_widths(&t);
	print_head(&t);
	for (row = t.low; !is_full(w) && next_used(c, &i, &bucket, &count); row = bucket + 1) {
		print_gap(&t, row, bucket - 1);
		print_row(&t, bucket, count);
	}
	print_gap(&t, row, t.high);
	tap_write_byte(w, '\n');
}

bool tap_hist_payload_valid(const struct tap_hist_shape *h, const u8 *payload, u32 size)
{
	struct counts c = { h, NULL, payload, size / PAIR };

	return tap_hist_shape_valid(h) && size % PAIR == 0 && payload_valid(&c);
}

bool tap_hist_print_payload(struct tap_writer *w, const struct tap_hist_shape *h,
			    struct tap_hist_style style, const u8 *payload, u32 size)
{
	struct counts c = { h, NULL, payload, size / PAIR };

	if (!tap_hist_payload_valid(h, payload, size))
		return false;
	print_table(w, style, &c);
	return true;
}

void tap_hist_print(struct tap_writer *w, const struct tap_hist_shape *h,
		    struct tap_hist_style style, const struct tap_stat *s)
{
	struct counts c = { h, s, NULL, 0 };

	print_table(w, style, &c);
}
