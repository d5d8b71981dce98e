/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats print records as text, as the loader does (staging/render.c), and carries out
 * requests. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "simulate.h"
#include "core/format.h"
#include "core/hist.h"
#include "core/record.h"
#include "staging/common/repeats.h"

static void flush(struct tap_writer *w)
{
	fwrite(w->start, 1, (size_t)(w->at - w->start), session.out);
	w->at = w->start;
}

void output_message(const char *prefix, const char *text, u64 size)
{
	fflush(session.out);
	fprintf(stderr, "%s%.*s%s", prefix, (int)size, text, size && text[size - 1] == '\n' ? "" : "\n");
}

static void run_command(const char *text, u32 size)
{
	char *command = strndup(text, size);

	fflush(session.out);
	if (!command || system(command) < 0)
		output_message("ERROR: ", "cannot run a command", 20);
	free(command);
}

static bool obey(const struct tap_item *item, const char *text)
{
	switch (item->format) {
	case TAP_ITEM_TEXT:
		fwrite(text, 1, item->size, session.out);
		return true;
	case TAP_ITEM_WARNING:
		if (!session.no_warnings && (session.verbose || !repeats(text, item->size)))
			output_message("WARNING: ", text, item->size);
		return true;
	case TAP_ITEM_ERROR:
		output_message("ERROR: ", text, item->size);
		return true;
	case TAP_ITEM_SYSTEM:
		run_command(text, item->size);
		return true;
	case TAP_ITEM_EXIT:
	case TAP_ITEM_SWITCH_FILE:	/* there is only one file */
		return true;
	default:
		return false;
	}
}

static bool print_item(const struct tap_item *item, const u8 *body)
{
	const struct tap_format *f = &tap_script.formats[item->format];
	const struct tap_hist_style style = { session.pretty, tap_script.limits.hist_elision };
	char room[4096];
	struct tap_writer w = { room, room, room + sizeof(room), flush };
	bool good;

	if (f->kind == TAP_FORMAT_HIST)
		good = tap_hist_print_payload(&w, f->hist, style, body, item->size);
	else
		good = tap_format_record(&w, f->text, (u32)strlen(f->text), body, item->size);
	tap_write_end(&w);
	return good;
}

void output_items(const u8 *items, u32 size)
{
	struct tap_item item;
	const u8 *body;
	enum tap_walk walk;
	u32 at = 0;

	while ((walk = tap_item_next(items, size, &at, tap_script.format_count, &item, &body)) == TAP_WALK_OK)
		if (!(item.format < tap_script.format_count ? print_item(&item, body) :
							      obey(&item, (const char *)body)))
			break;
	if (walk != TAP_WALK_END)
		broken("the handler at %s printed a malformed record", frame.row->probe->position);
}
