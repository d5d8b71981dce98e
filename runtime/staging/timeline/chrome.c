// SPDX-License-Identifier: GPL-2.0-or-later
/* Chrome's trace events: a JSON array of objects, one a line. Times are microseconds with three decimals. Rows that are
 * no threads are threads of two processes whose numbers no process can have. */
#include "format.h"

enum { FIRST_PSEUDO = 1 << 22 };	/* PID_MAX_LIMIT */
enum { PID_OF_ALL = FIRST_PSEUDO, PID_OF_CPUS, PID_OF_NAMES, FIRST_LANE };

/* ---- JSON ---- */

static void add_time(struct bytes *to, const char *key, uint64_t ns)
{
	bytes_text(to, key);
	bytes_decimal(to, ns, 3);
}

static void add_name(struct bytes *to, const struct name *name)
{
	bytes_text(to, ",\"name\":");
	if (name)
		bytes_add(to, name->json, name->json_size);
	else
		bytes_text(to, "\"(more)\"");
}

static uint64_t pid_of(const struct track *track)
{
	if (!track)
		return PID_OF_ALL;
	if (track->kind == TRACK_THREAD)
		return (uint64_t)track->process->pid;
	return track->kind == TRACK_CPU ? PID_OF_CPUS : PID_OF_NAMES;
}

static uint64_t tid_of(const struct track *track)
{
	if (!track)
		return 0;
	if (track->parent)
		return FIRST_LANE + (uint64_t)track->number;
	return track->kind == TRACK_THREAD ? (uint32_t)track->id : track->kind == TRACK_CPU ? track->id : track->number;
}

static void add_row(struct bytes *to, const struct track *track)
{
	bytes_text(to, ",\"pid\":");
	bytes_number(to, pid_of(track));
	bytes_text(to, ",\"tid\":");
	bytes_number(to, tid_of(track));
}

/* ---- descriptions ---- */

static void add_process_name(struct bytes *to, uint64_t pid, const char *json, size_t size)
{
	bytes_text(to, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":");
	bytes_number(to, pid);
	bytes_text(to, ",\"tid\":0,\"args\":{\"name\":");
	bytes_add(to, json, size);
	bytes_text(to, "}}");
}

static void add_process(struct timeline *t, uint64_t pid, const char *json, size_t size)
{
	bytes_text(&t->out, ",\n");
	add_process_name(&t->out, pid, json, size);
}

static void chrome_head(struct timeline *t)
{
	bytes_text(&t->out, "[\n");
	add_process_name(&t->out, PID_OF_ALL, "\"tapc\"", 6);
	add_process(t, PID_OF_CPUS, "\"CPUs\"", 6);
	add_process(t, PID_OF_NAMES, "\"tracks\"", 8);
}

static void chrome_process(struct timeline *t, const struct process *p)
{
	if (p->name)
		add_process(t, (uint64_t)p->pid, p->name->json, p->name->json_size);
}

static void chrome_track(struct timeline *t, const struct track *track)
{
	if (track->kind == TRACK_COUNTER)	/* an event has its name */
		return;
	bytes_text(&t->out, ",\n{\"ph\":\"M\",\"name\":\"thread_name\"");
	add_row(&t->out, track);
	bytes_text(&t->out, ",\"args\":{\"name\":");
	if (track->name)
		bytes_add(&t->out, track->name->json, track->name->json_size);
	else
		bytes_text(&t->out, "\"(more)\"");
	bytes_text(&t->out, "}}");
}

/* ---- events ---- */

static struct bytes *event_begin(struct timeline *t, char phase, const struct track *track, uint64_t time)
{
	char start[] = ",\n{\"ph\":\"?\"";

	start[sizeof(start) - 3] = phase;
	bytes_add(&t->out, start, sizeof(start) - 1);
	add_row(&t->out, track);
	add_time(&t->out, ",\"ts\":", time);
	return &t->out;
}

static void chrome_begin(struct timeline *t, const struct track *track, uint64_t time, struct name *name)
{
	struct bytes *to = event_begin(t, 'B', track, time);

	add_name(to, name);
	bytes_text(to, "}");
}

static void chrome_end(struct timeline *t, const struct track *track, uint64_t time, const struct name *name)
{
	struct bytes *to = event_begin(t, 'E', track, time);

	add_name(to, name);	/* the format does not ask for it, but some viewers do */
	bytes_text(to, "}");
}

static void chrome_span(struct timeline *t, const struct track *track, uint64_t start, uint64_t end, struct name *name)
{
	struct bytes *to = event_begin(t, 'X', track, start);

	add_time(to, ",\"dur\":", end - start);
	add_name(to, name);
	bytes_text(to, "}");
}

/* An arrow starts and ends at slices, so its points are slices without a duration. */
static void chrome_point(struct timeline *t, const struct track *track, uint64_t time, struct name *name,
			 enum timeline_kind kind, uint64_t flow)
{
	struct bytes *to = event_begin(t, kind == TIMELINE_INSTANT ? 'i' : 'X', track, time);
	char id[64];

	add_name(to, name);
	if (kind == TIMELINE_INSTANT) {
		bytes_text(to, track ? ",\"s\":\"t\"}" : ",\"s\":\"g\"}");
		return;
	}
	snprintf(id, sizeof(id), ",\"dur\":0,\"bind_id\":\"0x%llx\",\"flow_%s\":true}", (unsigned long long)flow,
		 kind == TIMELINE_FROM ? "out" : "in");
	bytes_text(to, id);
}

static void chrome_counter(struct timeline *t, const struct track *track, uint64_t time, int64_t value)
{
	const struct track *row = track->parent ? track->parent : track;
	struct bytes *to = event_begin(t, 'C', row, time);

	add_name(to, track->name);
	if (track->parent) {	/* counters of one process are told apart by name and number */
		bytes_text(to, ",\"id\":");
		bytes_number(to, tid_of(row));
	}
	bytes_text(to, ",\"args\":{\"value\":");
	if (value < 0)
		bytes_text(to, "-");
	bytes_number(to, value < 0 ? -(uint64_t)value : (uint64_t)value);
	bytes_text(to, "}}");
}

static void chrome_tail(struct timeline *t)
{
	bytes_text(&t->out, "\n]\n");
}

const struct timeline_format timeline_chrome = {
	.name = "chrome",
	.most = (512u << 20) - 64,	/* of a string in a browser */
	.head = chrome_head, .process = chrome_process, .track = chrome_track,
	.begin = chrome_begin, .end = chrome_end, .span = chrome_span, .point = chrome_point,
	.counter = chrome_counter, .tail = chrome_tail,
};
