// SPDX-License-Identifier: GPL-2.0-or-later
/* pprof's Profile (profile.proto), as `go tool pprof` reads it: each frame is a function with one location of the same
 * number. The gzip file around it holds the bytes as they are (RFC 1951, 3.2.4): no library is needed for that. */
#include "format.h"
#include "protobuf.h"

enum { SAMPLE_TYPE = 1, SAMPLE = 2, LOCATION = 4, FUNCTION = 5, STRING = 6, TIME = 9, ROOM = 64 };
enum { SAMPLES_TEXT = 1, COUNT_TEXT, FIRST_NAME };	/* numbers of strings; 0 is "" */

/* ---- Profile ---- */

static void add_string(struct bytes *to, const char *text, size_t size)
{
	to->size = (size_t)(put_bytes(bytes_room(to, size + ROOM), STRING, text, size) - to->data);
}

/* A name's first use: its string, function and location. */
static void add_function(struct bytes *to, struct name *name)
{
	char *start = bytes_room(to, ROOM + name->size), *at, *message, *line;

	name->written = true;
	message = message_begin(start, FUNCTION);
	at = message_end(message, put_varint(put_varint(message, 1, name->number), 2, FIRST_NAME + name->number - 1));
	message = message_begin(at, LOCATION);
	line = message_begin(put_varint(message, 1, name->number), 4);
	at = message_end(message, message_end(line, put_varint(line, 1, name->number)));
	to->size = (size_t)(at - to->data);
	add_string(to, name->text, name->size);
}

/* The locations of a stack, the innermost first; returns their number. */
static size_t find_locations(struct timeline *t, struct bytes *to, const struct stack *s, uint32_t *locations)
{
	const char *frame;
	size_t at = 0, size, n = 0;

	while (n < STACK_DEEPEST && (frame = stack_frame(s, &at, &size))) {
		struct name *name = name_of(&t->names, frame, size);

		if (!size || !name->number)	/* there are too many functions */
			continue;
		if (!name->written)
			add_function(to, name);
		locations[n++] = name->number;
	}
	return n;
}

static void add_sample(struct timeline *t, struct bytes *to, const struct stack *s)
{
	uint32_t locations[STACK_DEEPEST];
	size_t n = find_locations(t, to, s, locations);
	char *message = message_begin(bytes_room(to, ROOM + n * 8), SAMPLE), *at = message;

	while (n-- > 0)
		at = put_varint(at, 1, locations[n]);
	to->size = (size_t)(message_end(message, put_varint(at, 2, s->count)) - to->data);
}

static void add_profile(struct timeline *t, struct bytes *to)
{
	char *message = message_begin(bytes_room(to, ROOM), SAMPLE_TYPE), *at;

	at = message_end(message, put_varint(put_varint(message, 1, SAMPLES_TEXT), 2, COUNT_TEXT));
	if (t->settings.epoch)
		at = put_varint(at, TIME, t->time + (uint64_t)t->settings.epoch);
	to->size = (size_t)(at - to->data);
	add_string(to, "", 0);
	add_string(to, "samples", 7);
	add_string(to, "count", 5);
	for (size_t i = 0; i < t->stacks.count; i++)
		add_sample(t, to, t->stacks.all[i]);
}

/* ---- gzip (RFC 1952) ---- */

static uint32_t checksum(const unsigned char *data, size_t size)
{
	uint32_t table[256], sum = 0xffffffff;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
	}
	for (size_t i = 0; i < size; i++)
		sum = table[(sum ^ data[i]) & 0xff] ^ sum >> 8;
	return ~sum;
}

static void add_little(struct bytes *to, uint64_t value, int size)
{
	char *at = bytes_room(to, 8);

	for (int i = 0; i < size; i++, value >>= 8)
		*at++ = (char)value;
	to->size += (size_t)size;
}

static void add_gzip(struct bytes *to, const struct bytes *from)
{
	enum { MOST = 65535 };

	bytes_add(to, "\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
	for (size_t at = 0; at < from->size; at += MOST) {
		size_t size = from->size - at < MOST ? from->size - at : MOST;

		add_little(to, at + size == from->size, 1);
		add_little(to, size, 2);
		add_little(to, ~size, 2);
		bytes_add(to, from->data + at, size);
	}
	add_little(to, checksum((const unsigned char *)from->data, from->size), 4);
	add_little(to, from->size, 4);
}

static void pprof_tail(struct timeline *t)
{
	struct bytes profile = { 0 };

	add_profile(t, &profile);
	add_gzip(&t->out, &profile);
	bytes_free(&profile);
}

const struct timeline_format timeline_pprof = { .name = "pprof", .is_profile = true, .tail = pprof_tail };
