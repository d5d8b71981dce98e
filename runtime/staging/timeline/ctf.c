// SPDX-License-Identifier: GPL-2.0-or-later
/* CTF 1.8, the Common Trace Format: a folder with the description in TSDL, `metadata`, and the events, `stream`, in
 * packets, each of which has its size and the number of records lost so far. */
#include "format.h"

enum { MAGIC_SIZE = 8, UNKNOWN = -1 };

static const char description[] =
"/* CTF 1.8 */\n"
"typealias integer { size = 8; align = 8; signed = false; byte_order = le; } := uint8_t;\n"
"typealias integer { size = 32; align = 8; signed = false; byte_order = le; } := uint32_t;\n"
"typealias integer { size = 64; align = 8; signed = false; byte_order = le; } := uint64_t;\n"
"typealias integer { size = 64; align = 8; signed = true; byte_order = le; } := int64_t;\n"
"trace {\n"
"	major = 1; minor = 8; byte_order = le;\n"
"	packet.header := struct { uint32_t magic; uint32_t stream_id; };\n"
"};\n"
"env { domain = \"kernel\"; tracer_name = \"tapc\"; };\n"
"clock {\n"
"	name = monotonic; freq = 1000000000; description = \"CLOCK_MONOTONIC\";\n"
"	offset_s = %lld; offset = %lld;\n"
"};\n"
"typealias integer {\n"
"	size = 64; align = 8; signed = false; byte_order = le; map = clock.monotonic.value;\n"
"} := stamp_t;\n"
"stream {\n"
"	id = 0;\n"
"	packet.context := struct {\n"
"		stamp_t timestamp_begin; stamp_t timestamp_end; uint64_t content_size; uint64_t packet_size;\n"
"		uint64_t events_discarded;\n"
"	};\n"
"	event.header := struct { uint8_t id; stamp_t timestamp; };\n"
/* the row: its name, and the numbers of its process and thread, or -1 */
"	event.context := struct { string row; int64_t pid; int64_t tid; };\n"
"};\n"
"event { name = \"span_begin\"; id = 0; stream_id = 0; fields := struct { string name; }; };\n"
"event { name = \"span_end\"; id = 1; stream_id = 0; fields := struct { }; };\n"
"event { name = \"span\"; id = 2; stream_id = 0; fields := struct { string name; uint64_t start; uint64_t ns; }; };\n"
"event { name = \"instant\"; id = 3; stream_id = 0; fields := struct { string name; }; };\n"
"event { name = \"counter\"; id = 4; stream_id = 0; fields := struct { string name; int64_t value; }; };\n"
"event { name = \"flow_from\"; id = 5; stream_id = 0; fields := struct { string name; uint64_t flow; }; };\n"
"event { name = \"flow_to\"; id = 6; stream_id = 0; fields := struct { string name; uint64_t flow; }; };\n";

static void ctf_describe(const struct timeline_settings *s, struct bytes *to)
{
	int64_t seconds = s->epoch / 1000000000, rest = s->epoch % 1000000000;

	to->size += (size_t)snprintf(bytes_room(to, sizeof(description) + 64), sizeof(description) + 64, description,
				     (long long)seconds, (long long)rest);
}

/* ---- packets ---- */

static char *put_little(char *at, uint64_t value, int size)
{
	for (int i = 0; i < size; i++, value >>= 8)
		*at++ = (char)value;
	return at;
}

static void add_little(struct bytes *to, uint64_t value, int size)
{
	put_little(bytes_room(to, 8), value, size);
	to->size += (size_t)size;
}

/* The sizes are filled in at the end. */
static void packet_begin(struct timeline *t, uint64_t time)
{
	add_little(&t->out, 0xc1fc1fc1, 4);
	add_little(&t->out, 0, 4);
	add_little(&t->out, time, 8);
	for (int i = 0; i < 4; i++)
		add_little(&t->out, 0, 8);
}

static void ctf_part(struct timeline *t)
{
	char *at = t->out.data + MAGIC_SIZE + 8;

	at = put_little(at, t->time, 8);
	at = put_little(at, t->out.size * 8, 8);	/* in bits */
	at = put_little(at, t->out.size * 8, 8);
	put_little(at, t->lost, 8);
}

/* ---- events ---- */

static void add_text(struct bytes *to, const char *text)
{
	bytes_add(to, text, strlen(text) + 1);
}

/* Times of a stream must not go back, as those of a record that waited for too long would. */
static struct bytes *event_begin(struct timeline *t, enum timeline_kind kind, const struct track *row)
{
	struct bytes *to = &t->out;
	bool is_thread = row && row->kind == TRACK_THREAD;

	if (!to->size)
		packet_begin(t, t->time);
	add_little(to, kind, 1);
	add_little(to, t->time, 8);
	add_text(to, !row ? "tapc" : row->name ? row->name->text : "(more)");
	add_little(to, is_thread ? (uint64_t)row->process->pid : (uint64_t)UNKNOWN, 8);
	add_little(to, is_thread ? (uint32_t)row->id : (uint64_t)UNKNOWN, 8);
	return to;
}

static void ctf_head(struct timeline *t)
{
	(void)t;	/* the description is a file */
}

static void ctf_process(struct timeline *t, const struct process *p)
{
	(void)t, (void)p;
}

static void ctf_track(struct timeline *t, const struct track *track)
{
	(void)t, (void)track;	/* each event has its row */
}

static void ctf_begin(struct timeline *t, const struct track *track, uint64_t time, struct name *name)
{
	(void)time;
	add_text(event_begin(t, TIMELINE_BEGIN, track), name->text);
}

static void ctf_end(struct timeline *t, const struct track *track, uint64_t time, const struct name *name)
{
	(void)time;
	(void)name;
	event_begin(t, TIMELINE_END, track);
}

static void ctf_span(struct timeline *t, const struct track *track, uint64_t start, uint64_t end, struct name *name)
{
	struct bytes *to = event_begin(t, TIMELINE_SPAN, track);

	add_text(to, name->text);
	add_little(to, start, 8);
	add_little(to, end - start, 8);
}

static void ctf_point(struct timeline *t, const struct track *track, uint64_t time, struct name *name,
		      enum timeline_kind kind, uint64_t flow)
{
	struct bytes *to = event_begin(t, kind, track);

	(void)time;
	add_text(to, name->text);
	if (kind != TIMELINE_INSTANT)
		add_little(to, flow, 8);
}

static void ctf_counter(struct timeline *t, const struct track *track, uint64_t time, int64_t value)
{
	static const struct name everything = { .text = "all" };
	struct track all = { .kind = TRACK_NAMED, .name = (struct name *)&everything };
	struct bytes *to = event_begin(t, TIMELINE_COUNTER, track->parent ? track->parent : &all);

	(void)time;
	add_text(to, track->name ? track->name->text : "(more)");
	add_little(to, (uint64_t)value, 8);
}

static void ctf_tail(struct timeline *t)
{
	(void)t;
}

const struct timeline_format timeline_ctf = {
	.name = "ctf", .describe = ctf_describe, .part = ctf_part,
	.head = ctf_head, .process = ctf_process, .track = ctf_track,
	.begin = ctf_begin, .end = ctf_end, .span = ctf_span, .point = ctf_point,
	.counter = ctf_counter, .tail = ctf_tail,
};
