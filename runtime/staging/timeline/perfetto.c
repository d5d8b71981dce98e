// SPDX-License-Identifier: GPL-2.0-or-later
/* Perfetto's track events: a sequence of packets, each of which a reader can skip, so the file can end after any. The
 * numbers are those of the fields in the messages that the comments name (protos/perfetto/trace in Perfetto's sources).
 * Names of slices are written once, as interned data. */
#include "format.h"
#include "protobuf.h"

enum { SEQUENCE = 1, WHOLE = 1 << 30 };

enum { CLOCK_OF_1970 = 1, CLOCK_OF_STAMPS = 3, CLOCK_OF_BOOT = 6 };	/* BuiltinClock */

/* ---- packets: struct Trace has field 1; TracePacket ---- */

enum { PACKET_ROOM = 256 };

static char *packet_begin(struct timeline *t, size_t text)
{
	return message_begin(bytes_room(&t->out, PACKET_ROOM + text), 1);
}

static void packet_end(struct timeline *t, char *start, char *end)
{
	message_end(start, end);
	t->out.size = (size_t)(end - t->out.data);
}

/* ClockSnapshot.Clock */
static char *put_clock(char *at, uint32_t clock, uint64_t time)
{
	char *start = message_begin(at, 1);

	return message_end(start, put_varint(put_varint(start, 1, clock), 2, time));
}

/* How the stamps' clock relates to others: Perfetto orders traces by the time since boot. */
static void add_clocks(struct timeline *t)
{
	const struct timeline_settings *s = &t->settings;
	char *start = packet_begin(t, 0), *snapshot = message_begin(start, 6), *at = snapshot;

	at = put_clock(at, CLOCK_OF_STAMPS, t->time);
	at = put_clock(at, CLOCK_OF_BOOT, t->time + (uint64_t)s->boot);
	if (s->epoch)
		at = put_clock(at, CLOCK_OF_1970, t->time + (uint64_t)s->epoch);
	at = message_end(snapshot, put_varint(at, 2, CLOCK_OF_BOOT));
	packet_end(t, start, put_varint(at, 10, SEQUENCE));
}

/* TracePacketDefaults: the clock of all times. */
static void add_defaults(struct timeline *t)
{
	char *start = packet_begin(t, 0), *at, *defaults;

	at = put_varint(put_varint(start, 10, SEQUENCE), 13, 1);	/* SEQ_INCREMENTAL_STATE_CLEARED */
	defaults = message_begin(at, 59);
	packet_end(t, start, message_end(defaults, put_varint(defaults, 58, CLOCK_OF_STAMPS)));
}

/* ---- TrackDescriptor ---- */

static void add_track(struct timeline *t, uint64_t number, const char *text, size_t size, uint64_t parent)
{
	char *start = packet_begin(t, size), *track = message_begin(put_varint(start, 10, SEQUENCE), 60), *at;

	at = put_bytes(put_varint(track, 1, number), 2, text, size);
	if (parent)
		at = put_varint(at, 5, parent);
	packet_end(t, start, message_end(track, at));
}

enum { TRACK_OF_CPUS = WHOLE + 1 };

static void perfetto_head(struct timeline *t)
{
	char name[128];

	add_clocks(t);
	add_defaults(t);
	add_track(t, WHOLE, name, (size_t)snprintf(name, sizeof(name), "tapc"), 0);
	add_track(t, TRACK_OF_CPUS, "CPUs", 4, 0);
}

static void perfetto_process(struct timeline *t, const struct process *p)
{
	size_t size = p->name ? p->name->size : 0;
	char *start = packet_begin(t, size), *track = message_begin(put_varint(start, 10, SEQUENCE), 60);
	char *process = message_begin(put_varint(track, 1, p->number), 3), *at;

	at = put_varint(process, 1, (uint64_t)p->pid);
	if (p->name)
		at = put_bytes(at, 6, p->name->text, size);
	packet_end(t, start, message_end(track, message_end(process, at)));
}

static const char *track_name(const struct track *track)
{
	return track->name ? track->name->text : "(more)";
}

static void perfetto_thread(struct timeline *t, const struct track *track)
{
	const char *name = track_name(track);
	char *start = packet_begin(t, strlen(name)), *message = message_begin(put_varint(start, 10, SEQUENCE), 60);
	char *thread, *at = put_varint(put_varint(message, 1, track->number), 5, track->process->number);

	thread = message_begin(at, 4);
	at = put_varint(thread, 1, (uint64_t)track->process->pid);
	at = put_bytes(put_varint(at, 2, (uint32_t)track->id), 5, name, strlen(name));
	packet_end(t, start, message_end(message, message_end(thread, at)));
}

static void perfetto_counter_track(struct timeline *t, const struct track *track)
{
	const char *name = track_name(track);
	char *start = packet_begin(t, strlen(name)), *message = message_begin(put_varint(start, 10, SEQUENCE), 60), *at;

	at = put_bytes(put_varint(message, 1, track->number), 2, name, strlen(name));
	if (track->parent)
		at = put_varint(at, 5, track->parent->number);
	at = put_bytes(at, 8, "", 0);		/* CounterDescriptor */
	packet_end(t, start, message_end(message, at));
}

static void perfetto_track(struct timeline *t, const struct track *track)
{
	const char *name = track_name(track);

	if (track->kind == TRACK_COUNTER)
		perfetto_counter_track(t, track);
	else if (track->parent)
		add_track(t, track->number, name, strlen(name), track->kind == TRACK_NAMED ? 0 : track->parent->number);
	else if (track->kind == TRACK_THREAD)
		perfetto_thread(t, track);
	else
		add_track(t, track->number, name, strlen(name), track->kind == TRACK_CPU ? TRACK_OF_CPUS : 0);
}

/* ---- TrackEvent ---- */

enum { SLICE_BEGIN = 1, SLICE_END, INSTANT, COUNTER };

/* InternedData.EventName */
static char *put_interned(char *at, const struct name *name)
{
	char *interned = message_begin(at, 12), *event = message_begin(interned, 2), *end;

	end = put_bytes(put_varint(event, 1, name->number), 2, name->text, name->size);
	return message_end(interned, message_end(event, end));
}

static void add_event(struct timeline *t, int type, uint64_t track, uint64_t time, struct name *name,
		      enum timeline_kind kind, uint64_t value)
{
	char *start = packet_begin(t, name ? name->size : 0), *at = start, *event;

	at = put_varint(put_varint(at, 8, time), 10, SEQUENCE);
	at = put_varint(at, 13, 2);	/* SEQ_NEEDS_INCREMENTAL_STATE */
	if (name && name->number && !name->written) {
		name->written = true;
		at = put_interned(at, name);
	}
	event = message_begin(at, 11);
	at = put_varint(put_varint(event, 9, (uint64_t)type), 11, track);
	if (name && name->number)
		at = put_varint(at, 10, name->number);
	else if (name)
		at = put_bytes(at, 23, name->text, name->size);
	if (type == COUNTER)
		at = put_varint(at, 30, value);
	else if (kind == TIMELINE_FROM || kind == TIMELINE_TO)
		at = put_fixed(at, kind == TIMELINE_FROM ? 47 : 48, value);	/* flow_ids, terminating_flow_ids */
	packet_end(t, start, message_end(event, at));
}

static void perfetto_begin(struct timeline *t, const struct track *track, uint64_t time, struct name *name)
{
	add_event(t, SLICE_BEGIN, track->number, time, name, TIMELINE_BEGIN, 0);
}

static void perfetto_end(struct timeline *t, const struct track *track, uint64_t time, const struct name *name)
{
	(void)name;
	add_event(t, SLICE_END, track->number, time, NULL, TIMELINE_END, 0);
}

static void perfetto_span(struct timeline *t, const struct track *track, uint64_t start, uint64_t end,
			  struct name *name)
{
	perfetto_begin(t, track, start, name);
	perfetto_end(t, track, end, name);
}

static void perfetto_point(struct timeline *t, const struct track *track, uint64_t time, struct name *name,
			   enum timeline_kind kind, uint64_t flow)
{
	add_event(t, INSTANT, track ? track->number : WHOLE, time, name, kind, flow);
}

static void perfetto_counter(struct timeline *t, const struct track *track, uint64_t time, int64_t value)
{
	add_event(t, COUNTER, track->number, time, NULL, TIMELINE_COUNTER, (uint64_t)value);
}

static void perfetto_tail(struct timeline *t)
{
	(void)t;	/* a file may end after any packet */
}

const struct timeline_format timeline_perfetto = {
	.name = "perfetto",
	.most = (2u << 30) - 1,		/* the UI reads a file into one buffer */
	.head = perfetto_head, .process = perfetto_process, .track = perfetto_track,
	.begin = perfetto_begin, .end = perfetto_end, .span = perfetto_span, .point = perfetto_point,
	.counter = perfetto_counter, .tail = perfetto_tail,
};
