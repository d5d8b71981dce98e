// SPDX-License-Identifier: GPL-2.0-or-later
/* Formats that a function of the timeline prints are events; all other text is formatted, and its lines are points. */
#include "render_timeline.h"

#include "core/format.h"
#include "core/hist.h"
#include "core/record.h"

enum { ROOM = 4096 };

struct render {
	struct tap_writer w;		/* first member: flush casts to struct render */
	char room[ROOM];
	struct timeline *timeline;
	uint64_t time;
	u32 cpu;
};

static void flush(struct tap_writer *w)
{
	struct render *r = (struct render *)w;

	timeline_text(r->timeline, r->time, r->cpu, w->start, (size_t)(w->at - w->start));
	w->at = w->start;
}

static bool add_item(struct render *r, const struct meta *m, const struct tap_item *item, const u8 *body)
{
	const struct meta_format *f = &m->formats[item->format];
	bool good;

	if (f->table && timeline_has_rows(r->timeline))
		return timeline_row(r->timeline, f->table, r->time, r->cpu, body, item->size);
	if (f->form)
		return timeline_event(r->timeline, f->form, r->time, r->cpu, body, item->size);
	good = f->is_hist ? tap_hist_print_payload(&r->w, &f->hist, m->hist_style, body, item->size) :
			    tap_format_record(&r->w, f->text, f->size, body, item->size);
	tap_write_end(&r->w);
	return good;
}

static bool obey_item(struct render *r, const struct tap_item *item, const u8 *body,
		      const struct render_requests *requests, void *session)
{
	if (item->format != TAP_ITEM_TEXT)
		return render_request(item, body, requests, session);
	timeline_text(r->timeline, r->time, r->cpu, (const char *)body, item->size);
	return true;
}

bool render_record_timeline(const struct meta *m, const struct tap_record *record, u32 cpu, struct timeline *timeline,
			    const struct render_requests *requests, void *session)
{
	struct render r;
	const u8 *payload = (const u8 *)(record + 1), *body;
	struct tap_item item;
	enum tap_walk walk;
	bool good = true;
	u32 at = 0;

	r.w = (struct tap_writer){ .start = r.room, .at = r.room, .end = r.room + ROOM, .flush = flush };
	r.timeline = timeline;
	r.time = record->stamp;
	r.cpu = cpu;
	while (good && (walk = tap_item_next(payload, tap_record_payload(record), &at, m->format_count, &item,
					     &body)) == TAP_WALK_OK)
		good = item.format < m->format_count ? add_item(&r, m, &item, body)
						     : obey_item(&r, &item, body, requests, session);
	timeline_text_end(timeline, record->stamp, cpu);
	return good && walk == TAP_WALK_END;
}
