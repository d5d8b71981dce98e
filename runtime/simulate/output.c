/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats print records as text, as the loader does (staging/render.c), and carries out
 * requests. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "simulate.h"
#include "core/format.h"
#include "core/hist.h"
#include "core/host.h"
#include "core/record.h"
#include "staging/common/repeats.h"
#include "staging/common/status.h"
#include "staging/timeline/timeline.h"

/* ---- --output=perfetto and so on: times are those of timers ---- */

/* Of the script's formats */
static const struct timeline_form **forms;
static struct table **tables;
static size_t table_count;		/* in LISTED */
static const struct table **listed;

static void put(void *to, const char *data, size_t size)
{
	(void)to;
	fwrite(data, 1, size, session.out);
}

static FILE *open_in(const char *folder, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s%s%s", folder, name ? "/" : "", name ? name : "");
	return fopen(path, "w");
}

static bool write_description(const struct timeline_format *f, const struct timeline_settings *s, const char *folder)
{
	char *text = timeline_description(f, s);
	FILE *file;
	bool good;

	mkdir(folder, 0777);		/* if it fails, so does opening the file */
	file = open_in(folder, TIMELINE_DESCRIPTION);
	good = file && fputs(text, file) >= 0;
	good = file && fclose(file) == 0 && good;
	free(text);
	return good;
}

static bool open_file(const struct timeline_format *f, const struct timeline_settings *s, const char *path)
{
	bool is_folder = timeline_is_folder(f);
	FILE *file = is_folder && !write_description(f, s, path) ? NULL :
		     open_in(path, is_folder ? TIMELINE_STREAM : NULL);

	if (file)
		session.out = file;
	return file;
}

static void read_formats(void)
{
	u32 count = tap_script.format_count;

	forms = tap_alloc(count * sizeof(*forms));
	tables = tap_alloc(count * sizeof(*tables));
	listed = tap_alloc(count * sizeof(*listed));
	for (u32 i = 0; i < count; i++) {
		const struct tap_format *f = &tap_script.formats[i];

		forms[i] = f->text ? timeline_form_of(f->text) : NULL;
		tables[i] = f->kind == TAP_FORMAT_ROW ? table_of(f->text) : NULL;
		if (tables[i])
			listed[table_count++] = tables[i];
	}
}

int output_open_timeline(const char *name, const char *path)
{
	const struct timeline_format *f = timeline_format_of(name);
	struct timeline_settings settings = { .script = "", .put = put };
	char refusal[TIMELINE_REFUSAL];
	bool any = false;

	if (!f)
		broken("--output=%s", name);	/* tapc has checked it */
	read_formats();
	for (u32 i = 0; i < tap_script.format_count; i++)
		any |= tap_script.formats[i].text && timeline_can_show(f, tap_script.formats[i].text, tables[i]);
	if (timeline_refuses(f, any, table_count, refusal)) {
		fprintf(stderr, "ERROR: %s\n", refusal);
		return TAP_STATUS_USAGE;
	}
	if (timeline_is_database(f)) {
		fputs("ERROR: --simulate writes no database: --output=sql prints what sqlite3 reads\n", stderr);
		return TAP_STATUS_USAGE;
	}
	settings.tables = listed;
	settings.table_count = table_count;
	if (path && !open_file(f, &settings, path)) {
		fprintf(stderr, "ERROR: cannot write to '%s'\n", path);
		return TAP_STATUS_USAGE;
	}
	if (!path && timeline_is_folder(f)) {
		fputs("ERROR: this --output is a folder: -o FOLDER names it\n", stderr);
		return TAP_STATUS_USAGE;
	}
	if (!path && isatty(1) && !timeline_is_text(f)) {
		fputs("ERROR: a timeline is for a viewer, not for a terminal: -o FILE writes it to a file\n", stderr);
		return TAP_STATUS_USAGE;
	}
	session.timeline = timeline_open(f, &settings);
	return 0;
}

static void warn(const char *text)
{
	if (!session.no_warnings)
		output_message("WARNING: ", text, strlen(text));
}

void output_close_timeline(void)
{
	if (!session.timeline)
		return;
	timeline_end(session.timeline);
	timeline_warn(session.timeline, session.verbose, warn);
	timeline_close(session.timeline);
	for (u32 i = 0; i < tap_script.format_count; i++)
		table_free(tables[i]);
	tap_free(forms);
	tap_free(tables);
	tap_free(listed);
}

static void add_text(const char *text, size_t size)
{
	if (session.timeline)
		timeline_text(session.timeline, timers_now(), frame.cpu, text, size);
	else
		fwrite(text, 1, size, session.out);
}

static void flush(struct tap_writer *w)
{
	add_text(w->start, (size_t)(w->at - w->start));
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
		add_text(text, item->size);
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

	if (session.timeline && tables[item->format] && timeline_has_rows(session.timeline))
		return timeline_row(session.timeline, tables[item->format], timers_now(), frame.cpu, body, item->size);
	if (session.timeline && forms[item->format])
		return timeline_event(session.timeline, forms[item->format], timers_now(), frame.cpu, body, item->size);
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
	if (session.timeline)
		timeline_text_end(session.timeline, timers_now(), frame.cpu);
	if (walk != TAP_WALK_END)
		broken("the handler at %s printed a malformed record", frame.row->probe->position);
}
