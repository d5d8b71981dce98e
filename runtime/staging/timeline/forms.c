// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of a record: a number has 8 bytes, a string 2 bytes of size and its bytes (core/format.h). */
#include "forms.h"

#include <string.h>

/* The texts are those of tapsets/timeline.stp. */
static const struct timeline_form forms[] = {
	{ "span_begin %s [%s %d/%d]\n", TIMELINE_BEGIN, "ncpt", "span_begin" },
	{ "span_begin %s [%s]\n", TIMELINE_BEGIN, "nk", "span_begin" },
	{ "span_end [%s %d/%d]\n", TIMELINE_END, "cpt", "span_end" },
	{ "span_end %s [%s %d/%d]\n", TIMELINE_END, "ncpt", "span_end" },
	{ "span_end %s [%s]\n", TIMELINE_END, "nk", "span_end" },
	{ "span %s %d ns [%s %d/%d]\n", TIMELINE_SPAN, "nvcpt", "span" },
	{ "span %s %d ns [%s]\n", TIMELINE_SPAN, "nvk", "span" },
	{ "instant %s [%s %d/%d]\n", TIMELINE_INSTANT, "ncpt", "instant" },
	{ "instant %s [%s]\n", TIMELINE_INSTANT, "nk", "instant" },
	{ "counter %s = %d\n", TIMELINE_COUNTER, "nv", "counter" },
	{ "counter %s = %d [%s]\n", TIMELINE_COUNTER, "nvk", "counter" },
	{ "flow_from %s %d [%s %d/%d]\n", TIMELINE_FROM, "nvcpt", "flow_from" },
	{ "flow_from %s %d [%s]\n", TIMELINE_FROM, "nvk", "flow_from" },
	{ "flow_to %s %d [%s %d/%d]\n", TIMELINE_TO, "nvcpt", "flow_to" },
	{ "flow_to %s %d [%s]\n", TIMELINE_TO, "nvk", "flow_to" },
};

const struct timeline_form *timeline_form_of(const char *format)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (strcmp(forms[i].text, format) == 0)
			return &forms[i];
	return NULL;
}

struct rest {
	const uint8_t *at;
	size_t left;
};

static bool take(struct rest *r, void *to, size_t size)
{
	if (r->left < size)
		return false;
	memcpy(to, r->at, size);
	r->at += size;
	r->left -= size;
	return true;
}

static bool take_text(struct rest *r, struct timeline_text *text)
{
	uint16_t size;

	if (!take(r, &size, sizeof(size)) || r->left < size)
		return false;
	*text = (struct timeline_text){ (const char *)r->at, size };
	r->at += size;
	r->left -= size;
	return true;
}

static bool take_value(struct rest *r, char what, struct timeline_event *e)
{
	switch (what) {
	case 'n':
		return e->has_name = take_text(r, &e->name);
	case 'k':
		return e->has_track = take_text(r, &e->track);
	case 'c':
		return e->has_thread = take_text(r, &e->execname);
	case 'v':
		return e->has_value = take(r, &e->value, sizeof(e->value));
	case 'p':
		return take(r, &e->pid, sizeof(e->pid));
	default:
		return take(r, &e->tid, sizeof(e->tid));
	}
}

bool timeline_form_read(const struct timeline_form *f, const uint8_t *body, size_t size, struct timeline_event *e)
{
	struct rest r = { body, size };

	*e = (struct timeline_event){ .kind = f->kind };
	for (const char *what = f->values; *what; what++)
		if (!take_value(&r, *what, e))
			return false;
	return r.left == 0;
}
