// SPDX-License-Identifier: GPL-2.0-or-later
/* The file is handed over in parts of some 64 KB that end between events, and where the last parts start is remembered.
 * So a file that a full disk has cut can be shortened to whole events, with room for a mark. */
#include "timeline.h"

#include "format.h"

enum { PART = 64 << 10, END_ROOM = 4096 };

#define FORMAT(name_, slices_) extern const struct timeline_format timeline_##name_;
#include "../common/timelines.def"
#undef FORMAT

static const struct timeline_format *const formats[] = {
#define FORMAT(name_, slices_) &timeline_##name_,
#include "../common/timelines.def"
#undef FORMAT
};

const struct timeline_format *timeline_format_of(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}

/* A profile needs a stack, a space and a count at the end of a line: "%s %d\n", or a line without directives. */
bool timeline_can_show(const struct timeline_format *f, const char *format, const struct table *table)
{
	const char *last = strrchr(format, '%'), *space = strrchr(format, ' ');

	if (!f->is_profile)
		return !f->row || table;
	if (!last)
		return space && space[1] >= '0' && space[1] <= '9';
	return space && space + 1 == last && strcspn(last, "du") < strcspn(last, "\n");
}

static const char *shown_by(const struct timeline_format *f)
{
	if (f->row)
		return "rows of tables, which @row() prints";
	return f->is_profile ? "folded stacks, lines such as \"main;read;vfs_read 42\" (fold_stacks() makes them)" :
			       "span_begin(), span_end(), span(), instant(), counter() or lines";
}

bool timeline_refuses(const struct timeline_format *f, bool any, size_t tables, char text[TIMELINE_REFUSAL])
{
	bool too_many = f->row && tables > f->most_tables;

	if (!any)
		snprintf(text, TIMELINE_REFUSAL, "the script prints nothing for this --output: it shows %s", shown_by(f));
	else if (too_many)
		snprintf(text, TIMELINE_REFUSAL, "this --output has the rows of one table, but the script has %zu tables: "
			 "--output=sql has all", tables);
	return !any || too_many;
}

bool timeline_is_database(const struct timeline_format *f)
{
	return f->is_database;
}

bool timeline_has_slices(const struct timeline_format *f)
{
	return !f->is_profile && !f->row;
}

bool timeline_is_text(const struct timeline_format *f)
{
	return f->is_text;
}

bool timeline_is_folder(const struct timeline_format *f)
{
	return f->describe;
}

char *timeline_description(const struct timeline_format *f, const struct timeline_settings *s)
{
	struct bytes text = { 0 };

	f->describe(s, &text);
	return text.data;
}

static size_t widest_row(const struct timeline_settings *s)
{
	size_t most = 0;

	for (size_t i = 0; i < s->table_count; i++)
		if (s->tables[i]->count > most)
			most = s->tables[i]->count;
	return most;
}

struct timeline *timeline_open(const struct timeline_format *f, const struct timeline_settings *s)
{
	struct timeline *t = bytes_grow(NULL, sizeof(*t));

	*t = (struct timeline){ .format = f, .settings = *s };
	names_open(&t->names);
	tracks_open(&t->tracks);
	t->values = bytes_grow(NULL, (widest_row(s) + 1) * sizeof(*t->values));
	return t;
}

const struct timeline_settings *timeline_settings_of(const struct timeline *t)
{
	return &t->settings;
}

const struct timeline_report *timeline_report_of(const struct timeline *t)
{
	return &t->report;
}

static void warn_of(uint64_t count, const char *what, void (*warn)(const char *text))
{
	char text[192];

	snprintf(text, sizeof(text), "%llu %s", (unsigned long long)count, what);
	if (count)
		warn(text);
}

void timeline_warn(const struct timeline *t, bool all, void (*warn)(const char *text))
{
	const struct timeline_report *r = &t->report;

	warn_of(r->left_out, "events are not in the file, which has the largest size that viewers can open", warn);
	warn_of(r->backward, "spans would end before they start: span() takes ns of gettimeofday_ns() or ktime_get_ns()",
		warn);
	warn_of(r->too_deep, "slices are in more slices than viewers show, and are not in the file", warn);
	warn_of(r->others, t->format->row ? "lines or events are not rows of a table, and are not in the file" :
					    "lines or events are not folded stacks, and are not in the file", warn);
	warn_of(all ? r->ends : 0, "calls of span_end() found no slice that had begun", warn);
}

void timeline_close(struct timeline *t)
{
	names_close(&t->names);
	tracks_close(&t->tracks);
	bytes_free(&t->out);
	bytes_free(&t->line);
	stacks_free(&t->stacks);
	marks_free(&t->marks);
	columns_free(&t->columns);
	free(t->values);
	free(t);
}

/* ---- parts ---- */

static void put_part(struct timeline *t)
{
	if (t->start_count < 2 || t->handed >= t->starts[(t->start_count - 1) % TIMELINE_STARTS].at + END_ROOM)
		t->starts[t->start_count++ % TIMELINE_STARTS] = (struct timeline_start){ t->handed, t->time };
	if (t->format->part)
		t->format->part(t);
	t->settings.put(t->settings.to, t->out.data, t->out.size);
	t->handed += t->out.size;
	t->out.size = 0;
}

uint64_t timeline_flush(struct timeline *t)
{
	if (t->out.size)
		put_part(t);
	return t->format->save ? t->format->save(t) : 0;
}

static void add_mark(struct timeline *t, const char *text)
{
	char json[128];
	struct name name = {
		.text = text, .size = strlen(text), .json = json,
		.json_size = (size_t)snprintf(json, sizeof(json), "\"%s\"", text),
	};

	t->format->point(t, NULL, t->time, &name, TIMELINE_INSTANT, 0);
}

static bool has_most(const struct timeline *t)
{
	if (t->format->is_whole)
		return t->marks.count >= MARKS_MOST;
	return t->format->most && !t->out.size && t->handed + 2 * PART + END_ROOM > t->format->most;
}

/* Called before an event: the head needs the time of the first one. False: the file is full. */
static bool make_room(struct timeline *t, uint64_t time)
{
	if (!t->started) {
		t->started = true;
		t->time = time;
		if (t->format->head)
			t->format->head(t);
		timeline_flush(t);
	}
	if (t->full)
		return t->report.left_out++, false;
	if (t->out.size >= PART)
		timeline_flush(t);
	if (has_most(t)) {
		t->full = true;
		add_mark(t, "the file has the largest size that viewers can open: later events are left out");
		return t->report.left_out++, false;
	}
	if (time > t->time)
		t->time = time;
	return true;
}

size_t timeline_shorten(struct timeline *t, uint64_t size, const char **end, size_t *end_size)
{
	static const char why[] = "the disk is full: later events are missing";

	*end_size = 0;
	if (t->format->shorten) {
		uint64_t kept = t->format->shorten(t, size, why);

		*end = t->out.data;
		*end_size = t->out.size;
		return kept;
	}
	if (t->format->is_profile || t->format->is_database)	/* half of it would be wrong */
		return 0;
	for (uint64_t i = t->start_count; i-- > 1 && i + TIMELINE_STARTS >= t->start_count;) {
		const struct timeline_start *start = &t->starts[i % TIMELINE_STARTS];

		if (start->at + END_ROOM > size)
			continue;
		t->out.size = 0;
		t->time = start->time;
		if (t->format->point)
			add_mark(t, why);
		if (t->format->tail)
			t->format->tail(t);
		if (t->format->part)
			t->format->part(t);
		*end = t->out.data;
		*end_size = t->out.size;
		return start->at;
	}
	return 0;
}

void timeline_end(struct timeline *t)
{
	if (!t->started && !t->format->is_profile) {
		t->started = true;
		if (t->format->head)
			t->format->head(t);
	}
	if (t->format->tail)
		t->format->tail(t);
	if (t->out.size)
		put_part(t);	/* there is nothing to save any more */
}

/* ---- events ---- */

static const struct track *described(struct timeline *t, struct track *track)
{
	if (track->written)
		return track;
	if (track->process && !track->process->written) {
		t->format->process(t, track->process);
		track->process->written = true;
	}
	if (track->parent)
		described(t, track->parent);
	track->written = true;
	t->format->track(t, track);
	return track;
}

static struct track *track_of(struct timeline *t, const struct timeline_event *e, uint32_t cpu)
{
	if (e->kind == TIMELINE_COUNTER)
		return track_of_counter(&t->tracks, e->name,
					e->has_track ? track_of_text(&t->tracks, e->track, cpu) : NULL);
	if (e->has_track)
		return track_of_text(&t->tracks, e->track, cpu);
	return track_of_thread(&t->tracks, e->tid, e->pid, e->execname, cpu);
}

static void add_begin(struct timeline *t, struct track *track, uint64_t time, struct name *name)
{
	if (track_begin(track, time, name))
		t->format->begin(t, described(t, track), time, name);
	else
		t->report.too_deep++;
}

static void add_end(struct timeline *t, struct track *track, uint64_t time, uint64_t name)
{
	int ends = track_end(track, time, name);

	if (ends < 0)
		t->report.ends++;
	for (int i = 0; i < ends; i++)
		t->format->end(t, described(t, track), time, track_ended(track, i, ends));
}

static void add_span(struct timeline *t, struct track *track, uint64_t time, int64_t ns, struct name *name)
{
	if (ns < 0) {
		t->report.backward++;
		ns = 0;
	}
	if ((uint64_t)ns > time)
		ns = (int64_t)time;
	track = track_lane(&t->tracks, track, time - (uint64_t)ns, time);
	t->format->span(t, described(t, track), time - (uint64_t)ns, time, name);
}

static uint64_t ns_ago(const struct timeline_event *e, uint64_t time)
{
	return e->ago <= 0 ? 0 : (uint64_t)e->ago < time ? (uint64_t)e->ago : time;
}

void timeline_draw(struct timeline *t, const struct timeline_event *e, uint64_t time, uint32_t cpu)
{
	struct track *track;
	struct name *name;

	if (!make_room(t, time))
		return;
	track = track_of(t, e, cpu);
	name = e->has_name && e->kind != TIMELINE_COUNTER ? name_of(&t->names, e->name.data, e->name.size) : NULL;
	switch (e->kind) {
	case TIMELINE_BEGIN:
		add_begin(t, track, time, name);
		break;
	case TIMELINE_END:
		add_end(t, track, time, name && e->name.size ? name->hash : 0);
		break;
	case TIMELINE_SPAN:
		add_span(t, track, time - ns_ago(e, time), e->value, name);
		break;
	case TIMELINE_COUNTER:
		t->format->counter(t, described(t, track), time, e->value);
		break;
	default:
		t->format->point(t, described(t, track), time, name, e->kind, (uint64_t)e->value);
	}
}

bool timeline_event(struct timeline *t, const struct timeline_form *f, uint64_t time, uint32_t cpu,
		    const uint8_t *body, size_t size)
{
	struct timeline_event e;

	if (!timeline_form_read(f, body, size, &e))
		return false;
	if (timeline_has_slices(t->format))
		timeline_draw(t, &e, time, cpu);
	else
		t->report.others++;
	return true;
}

bool timeline_has_rows(const struct timeline *t)
{
	return t->format->row;
}

bool timeline_row(struct timeline *t, const struct table *table, uint64_t time, uint32_t cpu, const uint8_t *body,
		  size_t size)
{
	if (!table_read(table, body, size, t->values))
		return false;
	if (make_room(t, time)) {
		t->format->row(t, table, (int64_t)time + t->settings.epoch, cpu, t->values);
		t->lost_before = 0;
	}
	return true;
}

static void add_point(struct timeline *t, uint64_t time, uint32_t cpu, const char *text, size_t size)
{
	struct track *track;

	if (t->format->is_profile) {
		t->report.others += !stacks_add(&t->stacks, text, size);
		t->time = time;
		return;
	}
	if (t->format->takes_stacks && memchr(text, ';', size) && stacks_add(&t->stacks, text, size))
		return;
	t->report.others += t->format->row != NULL;
	if (!size || t->format->row || !make_room(t, time))
		return;
	track = track_of_cpu(&t->tracks, cpu);
	t->format->point(t, described(t, track), time, name_of(&t->names, text, size), TIMELINE_INSTANT, 0);
}

void timeline_text(struct timeline *t, uint64_t time, uint32_t cpu, const char *text, size_t size)
{
	const char *end;

	while ((end = size ? memchr(text, '\n', size) : NULL)) {
		bytes_add(&t->line, text, (size_t)(end - text));
		timeline_text_end(t, time, cpu);
		size -= (size_t)(end - text) + 1;
		text = end + 1;
	}
	bytes_add(&t->line, text, size);
}

void timeline_text_end(struct timeline *t, uint64_t time, uint32_t cpu)
{
	if (!t->line.size)
		return;
	add_point(t, time, cpu, t->line.data, t->line.size);
	t->line.size = 0;
}

void timeline_lost(struct timeline *t, uint64_t time, uint32_t cpu, uint64_t count)
{
	char text[64];

	t->lost += count;
	t->lost_before += count;
	if (t->format->lost && make_room(t, time))
		t->format->lost(t, (int64_t)time + t->settings.epoch, cpu, count);
	if (t->format->row)
		return;
	add_point(t, time, cpu, text,
		  (size_t)snprintf(text, sizeof(text), "%llu records lost", (unsigned long long)count));
}
