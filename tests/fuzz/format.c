/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer: what the loader reads from a module: formats, the payloads of print records and of histograms,
 * framing. An accepted payload gives the same bytes as sprintf for its values.
 *
 * sources: runtime/core/{format,hist,record,writer}.c
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "core/hist.h"
#include "core/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OUT = 1 << 20, VALUES = 512 };

static char out[OUT], again[OUT];
static u64 written;

static void collect(struct tap_writer *w)
{
	u64 n = (u64)(w->at - w->start);

	if (written + n <= OUT)
		memcpy(out + written, w->start, n);
	written += n;
	w->at = w->start;
}

/* The values of a payload that was accepted. */
static u32 decode(const char *format, u32 size, const u8 *p, union tap_value *values)
{
	struct tap_format_cursor f = { format, size, 0 };
	struct tap_directive d;
	u32 n = 0, stars;
	u16 length;

	while (tap_format_next(&f, &d) == TAP_FORMAT_OK && n + 3 < VALUES) {
		stars = (u32)d.star_width + d.star_precision + (d.argument == TAP_ARGUMENT_LONG);
		for (; stars; stars--, p += 8)
			memcpy(&values[n++].n, p, 8);
		if (d.argument != TAP_ARGUMENT_STRING && d.argument != TAP_ARGUMENT_MEMORY)
			continue;
		memcpy(&length, p, 2);
		values[n++].s = (struct tap_string){ (const char *)p + 2, length };
		p += 2 + length;
	}
	return n;
}

static void record(const u8 *data, u32 size)
{
	static union tap_value values[VALUES];
	u32 format_size = size ? data[0] % 64 : 0, chunk;
	char *format, buffer[256];
	struct tap_writer w;
	u8 *payload;
	u32 n;

	if (size < 2 || size - 2 < format_size)
		return;
	chunk = 1 + data[1] % sizeof(buffer);
	format = calloc(1, format_size + 1);
	memcpy(format, data + 2, format_size);
	size -= 2 + format_size;
	payload = malloc(size ? size : 1);
	memcpy(payload, data + 2 + format_size, size);
	w = (struct tap_writer){ buffer, buffer, buffer + (chunk < sizeof(buffer) ? chunk : sizeof(buffer)), collect };
	written = 0;
	if (tap_format_record(&w, format, format_size, payload, size)) {
		tap_write_end(&w);
		if (!memchr(format, 0, format_size) && written < OUT - 1) {
			decode(format, format_size, payload, values);
			n = tap_format_values(again, OUT, format, values);
			if (n != written || memcmp(out, again, n))
				abort();
		}
	} else if (written || w.at != w.start) {
		abort();
	}
	free(payload);
	free(format);
}

static void hist(const u8 *data, u32 size)
{
	struct tap_hist_shape h = { .op = TAP_HIST_LOG };
	char buffer[64];
	struct tap_writer w = { buffer, buffer, buffer + sizeof(buffer), collect };
	u8 *payload;

	if (size < 26)
		return;
	h.op = data[0] & 1 ? TAP_HIST_LOG : TAP_HIST_LINEAR;
	h.bits = data[0] >> 1 & 7;
	memcpy(&h.low, data + 2, 8);
	memcpy(&h.high, data + 10, 8);
	memcpy(&h.step, data + 18, 8);
	h.buckets = tap_hist_buckets(&h);
	payload = malloc(size - 25);
	memcpy(payload, data + 26, size - 26);
	tap_hist_print_payload(&w, &h, (struct tap_hist_style){ data[1] & 1, (s8)data[1] >> 1 }, payload,
			       size - 26);
	free(payload);
}

static void framing(const u8 *data, u32 size)
{
	struct tap_record r;
	struct tap_meta m;
	const u8 *payload, *body;
	u64 at = 0;
	volatile u32 sum = 0;

	while (tap_record_next(data, size, &at, &r, &payload) == TAP_WALK_OK) {
		struct tap_item item;
		u32 place = 0;

		while (tap_item_next(payload, tap_record_payload(&r), &place, 7, &item, &body) == TAP_WALK_OK)
			if (item.size)
				sum += body[0] + body[item.size - 1];
	}
	if (at > size)
		abort();
	for (at = 0; tap_meta_next(data, size, &at, &m, &payload) == TAP_WALK_OK; )
		if (m.size)
			sum += payload[0] + payload[m.size - 1];
	(void)sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	switch (data[0] % 8) {
	case 0: framing(data + 1, (u32)size - 1); break;
	case 1: hist(data + 1, (u32)size - 1); break;
	default: record(data + 1, (u32)size - 1); break;
	}
	return 0;
}
