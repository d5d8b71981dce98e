// SPDX-License-Identifier: GPL-2.0-or-later
/* A processed profile for profiler.firefox.com (https://github.com/firefox-devtools/profiler, docs-developer and
 * src/types/profile.ts): JSON with a table of markers for each thread, a row here, so it is written at the end. Tables
 * have an array for each column. Version 60 is the first one whose tables of stacks and strings are those of the whole
 * file; the viewer makes later versions of it.
 *
 * Slices and points are markers, arrows share a flow, and folded stacks are samples of a thread, one for each stack,
 * with its count as the weight. Times are milliseconds. */
#include "format.h"

#define NO_MARKERS "\"markers\":{\"category\":[],\"data\":[],\"endTime\":[],\"name\":[],\"phase\":[],\"startTime\":[],\"length\":0}"
#define NO_SAMPLES "\"samples\":{\"stack\":[],\"time\":[],\"weight\":null,\"weightType\":\"samples\",\"length\":0}"

enum { FORMAT_VERSION = 60, FIRST_LANE = 1 << 22 };	/* PID_MAX_LIMIT */

/* How a mark is written (MarkerPhase). */
static const char phases[] = {
	[MARK_POINT] = '0', [MARK_FROM] = '0', [MARK_TO] = '0', [MARK_SPAN] = '1', [MARK_OPEN] = '2',
};

/* What is written, made for the whole file. */
struct file {
	struct timeline *t;
	struct bytes *to;
	uint32_t count;			/* of marks */
	uint32_t *order, *starts;	/* of marks_by_row() */
	uint32_t *rows, row_count;	/* their numbers in the order of the file, from 1 */
	uint32_t *place;		/* of a row, by its number: in the array of threads */
	const struct name **names;	/* of the strings, after one for those that are not kept */
	uint32_t *string;		/* of a name, by its number */
	uint32_t name_count;
	uint64_t *flows;		/* that arrows have, sorted; their strings follow */
	size_t flow_count;
	int64_t value;			/* the last one of a counter */
};

/* ---- columns ---- */

static void add_repeated(struct bytes *to, const char *name, const char *value, size_t count)
{
	bytes_text(to, name);
	for (size_t i = 0; i < count; i++) {
		bytes_text(to, i ? "," : "");
		bytes_text(to, value);
	}
	bytes_text(to, "],");
}

static void add_length(struct bytes *to, size_t count)
{
	bytes_text(to, "\"length\":");
	bytes_number(to, count);
	bytes_text(to, "}");
}

static void add_json(struct bytes *to, const struct name *name)
{
	if (name)
		bytes_add(to, name->json, name->json_size);
	else
		bytes_text(to, "\"(more)\"");
}

/* ---- rows ---- */

static int class_of(const struct track *track)
{
	return track->kind == TRACK_CPU ? 0 : track->kind == TRACK_NAMED ? 1 : 2;
}

static bool is_main(const struct track *track)
{
	return track->kind == TRACK_THREAD && !track->parent && (int64_t)(uint32_t)track->id == track->process->pid;
}

/* CPUs, then names of the script's, then processes in the order in which they appeared, their first threads first. */
static int compare_tracks(const void *left, const void *right)
{
	const struct track *a = *(const struct track *const *)left, *b = *(const struct track *const *)right;

	if (class_of(a) != class_of(b))
		return class_of(a) - class_of(b);
	if (a->process != b->process)
		return a->process->number < b->process->number ? -1 : 1;
	if (is_main(a) != is_main(b))
		return is_main(a) ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static void find_rows(struct file *f)
{
	const struct marks *m = &f->t->marks;
	const struct track **tracks = bytes_grow(NULL, (m->row_count + 1) * sizeof(*tracks));
	uint32_t n = 0;

	f->rows = bytes_grow(NULL, (m->row_count + 1) * sizeof(*f->rows));
	f->place = bytes_grow(NULL, (m->row_count + 1) * sizeof(*f->place));
	memset(f->place, 0, (m->row_count + 1) * sizeof(*f->place));
	for (uint32_t i = 1; i < m->row_count; i++)
		if (m->rows[i].track && m->rows[i].track->kind != TRACK_COUNTER)
			tracks[n++] = m->rows[i].track;
	if (n)
		qsort(tracks, n, sizeof(*tracks), compare_tracks);
	for (f->row_count = 0; f->row_count < n; f->row_count++) {
		f->rows[f->row_count] = tracks[f->row_count]->number;
		f->place[tracks[f->row_count]->number] = 1 + f->row_count;	/* after the row of the whole file */
	}
	free(tracks);
}

/* ---- arrows ---- */

static int compare_flows(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

static bool is_arrow(const struct mark *mark)
{
	return mark->kind == MARK_FROM || mark->kind == MARK_TO;
}

static void find_flows(struct file *f)
{
	const struct mark *all = f->t->marks.all;
	size_t n = 0;

	for (uint32_t i = 0; i < f->count; i++)
		n += is_arrow(&all[i]);
	f->flows = bytes_grow(NULL, (n + 1) * sizeof(*f->flows));
	n = 0;
	for (uint32_t i = 0; i < f->count; i++)
		if (is_arrow(&all[i]))
			f->flows[n++] = all[i].flow;
	if (n)
		qsort(f->flows, n, sizeof(*f->flows), compare_flows);
	for (size_t i = 0; i < n; i++)
		if (!i || f->flows[i] != f->flows[i - 1])
			f->flows[f->flow_count++] = f->flows[i];
}

static void add_flow(const struct file *f, const struct mark *mark)
{
	const uint64_t *found = bsearch(&mark->flow, f->flows, f->flow_count, sizeof(*f->flows), compare_flows);

	bytes_text(f->to, mark->kind == MARK_FROM ? "{\"type\":\"from\",\"flow\":" : "{\"type\":\"to\",\"flow\":");
	bytes_number(f->to, 1 + f->name_count + (uint64_t)(found - f->flows));
	bytes_text(f->to, "}");
}

static void add_strings(const struct file *f)
{
	bytes_text(f->to, "\"stringArray\":[\"(more)\"");
	for (uint32_t i = 0; i < f->name_count; i++) {
		bytes_text(f->to, ",\n");
		add_json(f->to, f->names[i]);
	}
	for (size_t i = 0; i < f->flow_count; i++)
		bytes_format(f->to, ",\n\"0x%llx\"", (unsigned long long)f->flows[i]);
	bytes_text(f->to, "]");
}

/* ---- markers ---- */

/* A column of the marks of a row, each by ADD. */
static void add_column(struct file *f, const char *name, uint32_t row,
		       void (*add)(struct file *f, const struct mark *mark))
{
	bytes_text(f->to, name);
	for (uint32_t i = f->starts[row]; i < f->starts[row + 1]; i++) {
		bytes_text(f->to, i > f->starts[row] ? "," : "");
		add(f, &f->t->marks.all[f->order[i]]);
	}
	bytes_text(f->to, "],\n");
}

static void add_data(struct file *f, const struct mark *mark)
{
	if (is_arrow(mark))
		add_flow(f, mark);
	else
		bytes_text(f->to, "null");
}

static void add_name(struct file *f, const struct mark *mark)
{
	bytes_number(f->to, f->string[mark->name]);
}

static void add_phase(struct file *f, const struct mark *mark)
{
	bytes_add(f->to, &phases[mark->kind], 1);
}

static void add_start(struct file *f, const struct mark *mark)
{
	bytes_decimal(f->to, mark->time, 6);
}

static void add_end(struct file *f, const struct mark *mark)
{
	if (mark->kind == MARK_SPAN)
		bytes_decimal(f->to, mark->end, 6);
	else
		bytes_text(f->to, "null");
}

/* A counter has the differences of its values. */
static void add_difference(struct file *f, const struct mark *mark)
{
	bytes_format(f->to, "%lld", (long long)((uint64_t)mark->value - (uint64_t)f->value));
	f->value = mark->value;
}

static void add_markers(struct file *f, uint32_t row)
{
	uint32_t count = f->starts[row + 1] - f->starts[row];

	add_repeated(f->to, "\"markers\":{\"category\":[", "0", count);
	add_column(f, "\n\"data\":[", row, add_data);
	add_column(f, "\"name\":[", row, add_name);
	add_column(f, "\"phase\":[", row, add_phase);
	add_column(f, "\"startTime\":[", row, add_start);
	add_column(f, "\"endTime\":[", row, add_end);
	add_length(f->to, count);
}

/* ---- threads ---- */

static void add_thread_start(struct bytes *to, bool first_thread)
{
	bytes_text(to, "{\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,"
		   "\"unregisterTime\":null,\"pausedRanges\":[],\"showMarkersInTimeline\":true,\"isMainThread\":");
	bytes_text(to, first_thread ? "true" : "false");
}

/* The process of a row that is not a thread's. */
static const char *group_of(const struct track *track)
{
	return !track ? "\"tapc\"" : track->kind == TRACK_CPU ? "\"CPUs\"" : "\"tracks\"";
}

static void add_pid(struct bytes *to, const struct track *track)
{
	if (track && track->kind == TRACK_THREAD)
		bytes_format(to, "\"%lld\"", (long long)track->process->pid);
	else
		bytes_text(to, group_of(track));
}

static void add_process_name(struct bytes *to, const struct track *track)
{
	bytes_text(to, ",\"processName\":");
	if (track->kind == TRACK_THREAD)
		add_json(to, track->process->name);
	else
		bytes_text(to, group_of(track));
}

static void add_row(struct file *f, uint32_t row)
{
	const struct track *track = f->t->marks.rows[row].track;

	bytes_text(f->to, ",\n");
	add_thread_start(f->to, is_main(track));
	bytes_text(f->to, ",\"name\":");
	add_json(f->to, track->name);
	add_process_name(f->to, track);
	bytes_text(f->to, ",\"pid\":");
	add_pid(f->to, track);
	bytes_text(f->to, ",\"tid\":");
	bytes_number(f->to, track->kind == TRACK_THREAD && !track->parent ? (uint32_t)track->id :
			    (uint64_t)FIRST_LANE + track->number);
	bytes_text(f->to, "," NO_SAMPLES ",\n");
	add_markers(f, row);
	bytes_text(f->to, "}");
}

/* ---- counters ---- */

static void add_counter(struct file *f, uint32_t row)
{
	const struct track *track = f->t->marks.rows[row].track, *of = track->parent;

	bytes_text(f->to, "{\"category\":\"Other\",\"description\":\"\",\"name\":");
	add_json(f->to, track->name);
	bytes_text(f->to, ",\"pid\":");
	add_pid(f->to, of);
	bytes_text(f->to, ",\"mainThreadIndex\":");
	bytes_number(f->to, of ? f->place[of->number] : 0);
	bytes_text(f->to, ",\"display\":{\"graphType\":\"line-accumulated\",\"unit\":\"\",\"color\":\"grey\",\"sortWeight\":50,"
		   "\"markerSchemaLocation\":null,\"label\":");
	add_json(f->to, track->name);
	bytes_text(f->to, "},\n\"samples\":{");
	add_column(f, "\"time\":[", row, add_start);
	f->value = 0;
	add_column(f, "\"count\":[", row, add_difference);
	add_length(f->to, f->starts[row + 1] - f->starts[row]);
	bytes_text(f->to, "}");
}

static void add_counters(struct file *f)
{
	bool any = false;

	bytes_text(f->to, ",\n\"counters\":[");
	for (uint32_t row = 1; row < f->t->marks.row_count; row++) {
		const struct track *track = f->t->marks.rows[row].track;

		if (!track || track->kind != TRACK_COUNTER)
			continue;
		bytes_text(f->to, any ? ",\n" : "");
		add_counter(f, row);
		any = true;
	}
	bytes_text(f->to, "]");
}

/* ---- stacks: nodes of a tree ---- */

struct node {
	uint32_t prefix, name;		/* prefix: 1 + the number of the outer one, or 0 */
	uint32_t next;			/* 1 + the next one of its chain, or 0 */
};

struct tree {
	struct node *all;
	uint32_t count, room;
	uint32_t *chains;
};

enum { TREE_CHAINS = 1 << 14 };

static uint32_t find_node(struct tree *tree, uint32_t prefix, uint32_t name)
{
	uint32_t *chain = &tree->chains[(prefix * 0x9e3779b1u ^ name * 0x85ebca6bu) % TREE_CHAINS];

	for (uint32_t i = *chain; i; i = tree->all[i - 1].next)
		if (tree->all[i - 1].prefix == prefix && tree->all[i - 1].name == name)
			return i;
	if (tree->count == tree->room) {
		tree->room = 2 * tree->room + 256;
		tree->all = bytes_grow(tree->all, tree->room * sizeof(*tree->all));
	}
	tree->all[tree->count++] = (struct node){ .prefix = prefix, .name = name, .next = *chain };
	return *chain = tree->count;
}

/* The number of the innermost frame's node, for each stack. */
static uint32_t *make_tree(struct timeline *t, struct tree *tree)
{
	uint32_t *leaves = bytes_grow(NULL, (t->stacks.count + 1) * sizeof(*leaves));

	tree->chains = bytes_grow(NULL, TREE_CHAINS * sizeof(*tree->chains));
	memset(tree->chains, 0, TREE_CHAINS * sizeof(*tree->chains));
	for (size_t i = 0; i < t->stacks.count; i++) {
		const char *frame;
		size_t at = 0, size;

		leaves[i] = 0;
		for (int deep = 0; deep < STACK_DEEPEST && (frame = stack_frame(t->stacks.all[i], &at, &size)); deep++)
			if (size)
				leaves[i] = find_node(tree, leaves[i], name_of(&t->names, frame, size)->number);
	}
	return leaves;
}

/* Stacks have no times: the samples are one ms after the other, from the first event on. */
static void add_samples(const struct file *f, const uint32_t *leaves)
{
	uint64_t first = f->count ? f->t->marks.all[0].time / 1000000 : 0;
	size_t count = f->t->stacks.count;

	add_thread_start(f->to, true);
	bytes_text(f->to, ",\"name\":\"stacks\",\"processName\":\"stacks\",\"pid\":\"stacks\",\"tid\":0," NO_MARKERS ",\n\"samples\":{\"stack\":[");
	for (size_t i = 0; i < count; i++)
		bytes_format(f->to, leaves[i] ? "%s%u" : "%snull", i ? "," : "", leaves[i] - 1);
	bytes_text(f->to, "],\n\"time\":[");
	for (size_t i = 0; i < count; i++)
		bytes_format(f->to, "%s%llu", i ? "," : "", (unsigned long long)(first + i));
	bytes_text(f->to, "],\n\"weight\":[");
	for (size_t i = 0; i < count; i++)
		bytes_format(f->to, "%s%llu", i ? "," : "", (unsigned long long)f->t->stacks.all[i]->count);
	bytes_text(f->to, "],\n\"weightType\":\"samples\",");
	add_length(f->to, count);
	bytes_text(f->to, "}");
}

/* Each string of a name is a function with one frame of the same number. */
static void add_tables(const struct file *f, const struct tree *tree)
{
	size_t frames = tree->count ? 1 + (size_t)f->name_count : 0;
	struct bytes *to = f->to;

	bytes_text(to, ",\n\"shared\":{");
	bytes_text(to, "\"stackTable\":{\"frame\":[");
	for (uint32_t i = 0; i < tree->count; i++)
		bytes_format(to, "%s%u", i ? "," : "", f->string[tree->all[i].name]);
	bytes_text(to, "],\n\"prefix\":[");
	for (uint32_t i = 0; i < tree->count; i++)
		bytes_format(to, tree->all[i].prefix ? "%s%u" : "%snull", i ? "," : "", tree->all[i].prefix - 1);
	bytes_text(to, "],");
	add_length(to, tree->count);

	bytes_text(to, ",\n\"frameTable\":{\"func\":[");
	for (size_t i = 0; i < frames; i++)
		bytes_format(to, "%s%zu", i ? "," : "", i);
	bytes_text(to, "],");
	add_repeated(to, "\"address\":[", "-1", frames);
	add_repeated(to, "\"inlineDepth\":[", "0", frames);
	add_repeated(to, "\"category\":[", "0", frames);
	add_repeated(to, "\"subcategory\":[", "0", frames);
	add_repeated(to, "\"nativeSymbol\":[", "null", frames);
	add_repeated(to, "\"innerWindowID\":[", "0", frames);
	add_repeated(to, "\"line\":[", "null", frames);
	add_repeated(to, "\"column\":[", "null", frames);
	add_length(to, frames);

	bytes_text(to, ",\n\"funcTable\":{\"name\":[");
	for (size_t i = 0; i < frames; i++)
		bytes_format(to, "%s%zu", i ? "," : "", i);
	bytes_text(to, "],");
	add_repeated(to, "\"isJS\":[", "false", frames);
	add_repeated(to, "\"relevantForJS\":[", "false", frames);
	add_repeated(to, "\"resource\":[", "-1", frames);
	add_repeated(to, "\"source\":[", "null", frames);
	add_repeated(to, "\"lineNumber\":[", "null", frames);
	add_repeated(to, "\"columnNumber\":[", "null", frames);
	add_length(to, frames);

	bytes_text(to, ",\n\"resourceTable\":{\"lib\":[],\"name\":[],\"host\":[],\"type\":[],\"length\":0},"
		   "\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],\"length\":0},"
		   "\"sources\":{\"id\":[],\"filename\":[],\"startLine\":[],\"startColumn\":[],\"sourceMapURL\":[],\"length\":0},\n");
	add_strings(f);
	bytes_text(to, "}");
}

/* ---- strings: names that are used ---- */

static void use_name(struct file *f, const struct name **all, uint32_t name)
{
	if (!name || f->string[name])
		return;
	f->names[f->name_count++] = all[name];
	f->string[name] = f->name_count;
}

static void find_names(struct file *f, const struct tree *tree)
{
	const struct name **all = names_by_number(&f->t->names);
	size_t size = ((size_t)f->t->names.count + 1) * sizeof(*f->string);

	f->names = bytes_grow(NULL, ((size_t)f->t->names.count + 1) * sizeof(*f->names));
	f->string = memset(bytes_grow(NULL, size), 0, size);
	for (uint32_t i = 0; i < f->count; i++)
		use_name(f, all, f->t->marks.all[i].name);
	for (uint32_t i = 0; i < tree->count; i++)
		use_name(f, all, tree->all[i].name);
	free(all);
}

/* ---- the file ---- */

static void add_meta(const struct file *f, bool has_stacks)
{
	uint64_t epoch = f->t->settings.epoch > 0 ? (uint64_t)f->t->settings.epoch : 0;

	bytes_text(f->to, "{\"meta\":{\"interval\":1,\"startTime\":");
	bytes_decimal(f->to, epoch, 6);
	bytes_format(f->to, ",\"version\":30,\"preprocessedProfileVersion\":%d,", FORMAT_VERSION);
	bytes_text(f->to, "\"processType\":0,\"product\":\"tapc\",\"importedFrom\":\"tapc\",\"stackwalk\":0,\"debug\":false,"
		   "\"symbolicated\":true,\"symbolicationNotSupported\":true,\"keepProfileThreadOrder\":true,"
		   "\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,\n"
		   "\"extensions\":{\"id\":[],\"name\":[],\"baseURL\":[],\"length\":0},"
		   "\"categories\":[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}],\n"
		   "\"markerSchema\":["
		   "{\"name\":\"from\",\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
		   "\"fields\":[{\"key\":\"flow\",\"label\":\"Flow\",\"format\":\"flow-id\"}]},"
		   "{\"name\":\"to\",\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
		   "\"fields\":[{\"key\":\"flow\",\"label\":\"Flow\",\"format\":\"terminating-flow-id\"}]}],\n"
		   "\"initialVisibleThreads\":[0");
	for (uint32_t i = 1; i <= f->row_count + has_stacks; i++)
		bytes_format(f->to, ",%u", i);
	bytes_text(f->to, "]},\n\"libs\":[],\"pages\":[],\n\"threads\":[\n");
}

/* Only its first COUNT events. The first thread has what is of the whole file. */
static void add_file(struct timeline *t, uint32_t count)
{
	bool has_stacks = t->stacks.count;
	struct file f = { .t = t, .to = &t->out, .count = count };
	struct tree tree = { 0 };
	uint32_t *leaves = make_tree(t, &tree);

	f.order = marks_by_row(&t->marks, count, &f.starts);
	find_rows(&f);
	find_flows(&f);
	find_names(&f, &tree);
	add_meta(&f, has_stacks);
	add_thread_start(f.to, true);
	bytes_text(f.to, ",\"name\":\"tapc\",\"processName\":\"tapc\",\"pid\":\"tapc\",\"tid\":0," NO_SAMPLES ",\n");
	add_markers(&f, 0);
	bytes_text(f.to, "}");
	for (uint32_t i = 0; i < f.row_count; i++)
		add_row(&f, f.rows[i]);
	if (has_stacks) {
		bytes_text(f.to, ",\n");
		add_samples(&f, leaves);
	}
	bytes_text(f.to, "]");
	add_counters(&f);
	add_tables(&f, &tree);
	bytes_text(f.to, "}\n");
	free(f.order);
	free(f.starts);
	free(f.rows);
	free(f.place);
	free(f.flows);
	free(f.names);
	free(f.string);
	free(tree.all);
	free(tree.chains);
	free(leaves);
}

static void firefox_tail(struct timeline *t)
{
	add_file(t, t->marks.count);
}

/* Fewer and fewer of its events, and WHY as the last one. */
static uint64_t firefox_shorten(struct timeline *t, uint64_t size, const char *why)
{
	uint32_t name = name_of(&t->names, why, strlen(why))->number, count = t->marks.count;

	t->out.size = 0;
	firefox_tail(t);
	while (t->out.size > size) {
		if (count)
			count = (uint32_t)((uint64_t)count * size / t->out.size);
		else
			name = 0;
		t->out.size = 0;
		if (!name)
			break;
		count -= count / 16;
		t->marks.count = count;
		marks_add(&t->marks, 0, MARK_POINT, count ? t->marks.all[count - 1].time : t->time, name);
		firefox_tail(t);
	}
	return 0;
}

/* ---- events ---- */

static void firefox_process(struct timeline *t, const struct process *p)
{
	(void)t;
	(void)p;	/* its threads have its name */
}

static void firefox_track(struct timeline *t, const struct track *track)
{
	marks_describe(&t->marks, track);
}

static void firefox_begin(struct timeline *t, const struct track *track, uint64_t time, struct name *name)
{
	marks_begin(&t->marks, track->number, time, name ? name->number : 0);
}

static void firefox_end(struct timeline *t, const struct track *track, uint64_t time, const struct name *name)
{
	(void)name;
	marks_end(&t->marks, track->number, time);
}

static void firefox_span(struct timeline *t, const struct track *track, uint64_t start, uint64_t end, struct name *name)
{
	marks_add(&t->marks, track->number, MARK_SPAN, start, name ? name->number : 0)->end = end;
}

static void firefox_point(struct timeline *t, const struct track *track, uint64_t time, struct name *name,
			  enum timeline_kind kind, uint64_t flow)
{
	enum mark_kind shown = kind == TIMELINE_FROM ? MARK_FROM : kind == TIMELINE_INSTANT ? MARK_POINT : MARK_TO;

	/* the name of a point of the whole file is not one of the table */
	if (!track)
		name = name_of(&t->names, name->text, name->size);
	marks_add(&t->marks, track ? track->number : 0, shown, time, name ? name->number : 0)->flow = flow;
}

static void firefox_counter(struct timeline *t, const struct track *track, uint64_t time, int64_t value)
{
	marks_add(&t->marks, track->number, MARK_COUNTER, time, 0)->value = value;
}

const struct timeline_format timeline_firefox = {
	.name = "firefox",
	.is_whole = true, .takes_stacks = true,
	.process = firefox_process, .track = firefox_track,
	.begin = firefox_begin, .end = firefox_end, .span = firefox_span, .point = firefox_point,
	.counter = firefox_counter, .tail = firefox_tail, .shorten = firefox_shorten,
};
