// SPDX-License-Identifier: GPL-2.0-or-later
/* Formats records with core/format, the code that also makes sprintf's text in the module, directly into the
 * output's buffer. */
#include "render.h"

#include "core/format.h"
#include "core/hist.h"
#include "core/record.h"

enum { ROOM = 4096 };

struct render {
	struct tap_writer w;		/* first member: flush casts to struct render */
	struct output *out;
};

static inline void take_room(struct render *r)
{
	r->w.start = r->w.at = output_room(r->out, ROOM);
	r->w.end = r->w.start + ROOM;
}

static void flush(struct tap_writer *w)
{
	struct render *r = (struct render *)w;

	output_used(r->out, (size_t)(w->at - w->start));
	take_room(r);
}

static bool print_item(struct render *r, const struct meta *m, const struct tap_item *item,
		       const u8 *body)
{
	const struct meta_format *f = &m->formats[item->format];

	if (f->is_hist)
		return tap_hist_print_payload(&r->w, &f->hist, m->hist_style, body, item->size);
	return tap_format_record_parsed(&r->w, &f->parsed, body, item->size);
}

bool render_request(const struct tap_item *item, const u8 *body, const struct render_requests *requests,
		    void *session)
{
	const char *text = (const char *)body;

	switch (item->format) {
	case TAP_ITEM_WARNING:
	case TAP_ITEM_ERROR:
		requests->message(session, item->format == TAP_ITEM_ERROR, text, item->size);
		return true;
	case TAP_ITEM_EXIT:
		requests->exit(session);
		return true;
	case TAP_ITEM_SYSTEM:
		requests->system(session, text, item->size);
		return true;
	case TAP_ITEM_SWITCH_FILE:
		requests->switch_file(session);
		return true;
	}
	return false;
}

/* Handles items that are not formatted text. They may write to the output themselves. */
static bool obey_item(struct render *r, const struct tap_item *item, const u8 *body,
		      const struct render_requests *requests, void *session)
{
	bool good = true;

	tap_write_end(&r->w);
	if (item->format == TAP_ITEM_TEXT)
		output_text(r->out, (const char *)body, item->size);
	else
		good = render_request(item, body, requests, session);
	take_room(r);
	return good;
}

bool render_record(const struct meta *m, const struct tap_record *record, u32 cpu, struct output *out,
		   const struct render_requests *requests, void *session)
{
	struct render r = { .w.flush = flush, .out = out };
	const u8 *payload = (const u8 *)(record + 1), *body;
	struct tap_item item;
	enum tap_walk walk;
	bool good = true;
	u32 at = 0;

	(void)cpu;	/* is only in JSON */
	take_room(&r);
	while (good && (walk = tap_item_next(payload, tap_record_payload(record), &at, m->format_count, &item,
					     &body)) == TAP_WALK_OK)
		good = item.format < m->format_count ? print_item(&r, m, &item, body)
						     : obey_item(&r, &item, body, requests, session);
	tap_write_end(&r.w);
	return good && walk == TAP_WALK_END;
}
