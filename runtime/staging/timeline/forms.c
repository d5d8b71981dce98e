// SPDX-License-Identifier: GPL-2.0-or-later
#include "forms.h"

#include <string.h>

#include "values.h"

/* The texts are those of tapsets/timeline.stp. */
static const struct timeline_form forms[] = {
	{ "span_begin %s [%s %d/%d]\n", TIMELINE_BEGIN, "ncpt", "span_begin" },
	{ "span_begin %s [%s]\n", TIMELINE_BEGIN, "nk", "span_begin" },
	{ "span_end [%s %d/%d]\n", TIMELINE_END, "cpt", "span_end" },
	{ "span_end %s [%s %d/%d]\n", TIMELINE_END, "ncpt", "span_end" },
	{ "span_end %s [%s]\n", TIMELINE_END, "nk", "span_end" },
	{ "span %s %d ns [%s %d/%d]\n", TIMELINE_SPAN, "nvcpt", "span" },
	{ "span %s %d ns [%s]\n", TIMELINE_SPAN, "nvk", "span" },
	{ "span %s %d ns, %d ns ago [%s]\n", TIMELINE_SPAN, "nvak", "span" },
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

static bool take_value(struct values *v, char what, struct timeline_event *e)
{
	switch (what) {
	case 'n':
		return e->has_name = values_text(v, &e->name);
	case 'k':
		return e->has_track = values_text(v, &e->track);
	case 'c':
		return e->has_thread = values_text(v, &e->execname);
	case 'v':
		return e->has_value = values_number(v, &e->value);
	case 'a':
		return values_number(v, &e->ago);
	case 'p':
		return values_number(v, &e->pid);
	default:
		return values_number(v, &e->tid);
	}
}

bool timeline_form_read(const struct timeline_form *f, const uint8_t *body, size_t size, struct timeline_event *e)
{
	struct values rest = { body, size };

	*e = (struct timeline_event){ .kind = f->kind };
	for (const char *what = f->values; *what; what++)
		if (!take_value(&rest, *what, e))
			return false;
	return rest.left == 0;
}
