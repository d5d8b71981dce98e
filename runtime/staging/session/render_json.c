// SPDX-License-Identifier: GPL-2.0-or-later
/* Converts a record to JSON (doc/json.md). Its text becomes one object; a histogram, or a global at exit,
 * becomes a separate object with its numbers. */
#include "render_json.h"

#include <string.h>

#include "core/format.h"
#include "core/hist.h"
#include "core/record.h"
#include "common/host.h"
#include "common/json.h"
#include "render.h"

enum { ROOM = 4096, PAIR = sizeof(u32) + sizeof(s64) };

struct render {
	struct tap_writer w;		/* first member: flush casts to struct render */
	char room[ROOM];
	char *text;			/* printed text that is not in an object yet */
	size_t size, most;
	const struct meta *meta;
	const struct tap_record *record;
	u32 cpu;
	struct output *out;
};

static void add_text(struct render *r, const char *text, size_t size)
{
	if (!size)
		return;		/* there may be no memory yet */
	if (r->size + size > r->most) {
		r->most = (r->size + size) * 2;
		r->text = host_grow(r->text, r->most);
	}
	memcpy(r->text + r->size, text, size);
	r->size += size;
}

static void flush(struct tap_writer *w)
{
	struct render *r = (struct render *)w;

	add_text(r, w->start, (size_t)(w->at - w->start));
	w->at = w->start;
}

static void begin(struct render *r, const char *type)
{
	json_begin(r->out, type);
	json_time(r->out, "time", (int64_t)r->record->stamp + r->meta->epoch);
	json_number(r->out, "cpu", r->cpu);
}

static void end_text(struct render *r)
{
	if (r->size) {
		begin(r, "text");
		json_text(r->out, "text", r->text, r->size);
		json_end(r->out);
	}
	r->size = 0;
}

/* ---- histograms ---- */

static void write_bucket(struct output *o, const struct tap_hist_shape *h, const u8 *pair)
{
	s64 count, from, to;
	u32 bucket;

	memcpy(&bucket, pair, sizeof(bucket));
	memcpy(&count, pair + sizeof(bucket), sizeof(count));
	tap_hist_bucket_range(h, bucket, &from, &to);
	json_open(o, NULL, '{');
	json_number(o, "from", from);
	json_number(o, "to", to);
	json_number(o, "count", count);
	json_close(o, '}');
}

static bool write_histogram(struct render *r, const struct tap_hist_shape *h, const u8 *body, u32 size)
{
	if (!tap_hist_payload_valid(h, body, size))
		return false;
	end_text(r);
	begin(r, "histogram");
	json_text(r->out, "scale", h->op == TAP_HIST_LOG ? "log" : "linear", h->op == TAP_HIST_LOG ? 3 : 6);
	json_open(r->out, "buckets", '[');
	for (u32 at = 0; at < size; at += PAIR)
		write_bucket(r->out, h, body + at);
	json_close(r->out, ']');
	json_end(r->out);
	return true;
}

/* ---- globals at exit: NAME[%s,%#x]=%#x, or after the name and keys @count=%#x @min=%#x ... ---- */

static void write_value(struct output *o, const char *key, const struct tap_directive *d,
			const union tap_value *value)
{
	if (d->argument == TAP_ARGUMENT_LONG)
		json_number(o, key, value->n);
	else
		json_text(o, key, value->s.data, value->s.size);
}

/* The member that the literal TEXT before a value stands for: "value", an operator's name, or NULL for a key. */
static const char *member_name(const char *text, u32 size, char name[16])
{
	const char *at = memchr(text, '@', size), *equals = memrchr(text, '=', size);

	if (!equals)
		return NULL;
	if (!at || equals - at > 15)
		return "value";
	memcpy(name, at + 1, (size_t)(equals - at) - 1);
	name[equals - at - 1] = 0;
	return name;
}

static void write_members(struct render *r, const struct meta_format *f, struct tap_format_payload p)
{
	struct tap_format_cursor cursor = { f->text, f->size, 0 };
	struct tap_directive d, before = { 0 };
	union tap_value values[3];
	bool keys = true;

	json_open(r->out, "keys", '[');
	while (tap_format_next(&cursor, &d) == TAP_FORMAT_OK) {
		char room[16];
		const char *name;

		if (!d.conversion) {
			before = d;
			continue;
		}
		tap_format_take(&p, &d, values);
		name = member_name(f->text + before.position, before.size, room);
		if (name && keys)
			json_close(r->out, ']');
		keys = keys && !name;
		write_value(r->out, name, &d, values);
	}
	if (keys)
		json_close(r->out, ']');
}

static bool write_global(struct render *r, const struct meta_format *f, const u8 *body, u32 size)
{
	size_t length = strcspn(f->text, "[=@ ");

	if (!tap_format_record_parsed(NULL, &f->parsed, body, size))
		return false;
	end_text(r);
	begin(r, "global");
	json_text(r->out, "name", f->text, length);
	write_members(r, f, (struct tap_format_payload){ body, size });
	json_end(r->out);
	return true;
}

/* ---- functions of the timeline ---- */

static void write_value_of(struct output *o, enum timeline_kind kind, int64_t value)
{
	static const char *const keys[] = {
		[TIMELINE_SPAN] = "ns", [TIMELINE_COUNTER] = "value", [TIMELINE_FROM] = "flow", [TIMELINE_TO] = "flow",
	};

	json_number(o, keys[kind], value);
}

static bool write_timeline(struct render *r, const struct timeline_form *f, const u8 *body, u32 size)
{
	struct timeline_event e;

	if (!timeline_form_read(f, body, size, &e))
		return false;
	end_text(r);
	begin(r, f->type);
	if (e.has_name)
		json_text(r->out, "name", e.name.data, e.name.size);
	if (e.has_value)
		write_value_of(r->out, e.kind, e.value);
	if (e.ago)
		json_number(r->out, "ago_ns", e.ago);
	if (e.has_track)
		json_text(r->out, "track", e.track.data, e.track.size);
	if (e.has_thread) {
		json_text(r->out, "execname", e.execname.data, e.execname.size);
		json_number(r->out, "pid", e.pid);
		json_number(r->out, "tid", e.tid);
	}
	json_end(r->out);
	return true;
}

/* ---- rows of tables ---- */

static bool write_row(struct render *r, const struct table *t, const u8 *body, u32 size)
{
	_cleanup_free_ struct table_value *values = host_alloc(t->count * sizeof(*values));

	if (!table_read(t, body, size, values))
		return false;
	end_text(r);
	begin(r, "row");
	json_text(r->out, "table", t->name, strlen(t->name));
	json_open(r->out, "values", '{');
	for (unsigned i = 0; i < t->count; i++) {
		const char *name = t->columns[i].name;

		if (t->columns[i].is_text)
			json_text(r->out, name, values[i].text.data, values[i].text.size);
		else
			json_number(r->out, name, values[i].number);
	}
	json_close(r->out, '}');
	json_end(r->out);
	return true;
}

/* ---- records ---- */

static bool write_item(struct render *r, const struct tap_item *item, const u8 *body)
{
	const struct meta_format *f = &r->meta->formats[item->format];

	if (f->is_hist)
		return write_histogram(r, &f->hist, body, item->size);
	if (f->is_global)
		return write_global(r, f, body, item->size);
	if (f->table)
		return write_row(r, f->table, body, item->size);
	if (f->form)
		return write_timeline(r, f->form, body, item->size);
	if (!tap_format_record_parsed(&r->w, &f->parsed, body, item->size))
		return false;
	tap_write_end(&r->w);
	return true;
}

static bool obey_item(struct render *r, const struct tap_item *item, const u8 *body,
		      const struct render_requests *requests, void *session)
{
	if (item->format == TAP_ITEM_TEXT) {
		add_text(r, (const char *)body, item->size);
		return true;
	}
	end_text(r);
	return render_request(item, body, requests, session);
}

bool render_record_json(const struct meta *m, const struct tap_record *record, u32 cpu, struct output *out,
			const struct render_requests *requests, void *session)
{
	struct render r = { .w.flush = flush, .meta = m, .record = record, .cpu = cpu, .out = out };
	const u8 *payload = (const u8 *)(record + 1), *body;
	struct tap_item item;
	enum tap_walk walk;
	bool good = true;
	u32 at = 0;

	r.w.start = r.w.at = r.room;
	r.w.end = r.room + ROOM;
	while (good && (walk = tap_item_next(payload, tap_record_payload(record), &at, m->format_count, &item,
					     &body)) == TAP_WALK_OK)
		good = item.format < m->format_count ? write_item(&r, &item, body)
						     : obey_item(&r, &item, body, requests, session);
	end_text(&r);
	host_free(&r.text);
	return good && walk == TAP_WALK_END;
}
