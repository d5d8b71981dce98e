// SPDX-License-Identifier: GPL-2.0-or-later
/* Spans arrive in the order of their ends. A span overlaps an earlier slice of a lane, without containing it, if it
 * starts inside that slice; or if a slice that has begun and not ended started after it did. */
#include "tracks.h"

enum { CHAINS = 1 << 12 };

void tracks_open(struct tracks *t)
{
	*t = (struct tracks){ .next_number = 1 };
	names_open(&t->names);
	t->chains = bytes_grow(NULL, CHAINS * sizeof(*t->chains));
	t->processes = bytes_grow(NULL, CHAINS * sizeof(*t->processes));
	memset(t->chains, 0, CHAINS * sizeof(*t->chains));
	memset(t->processes, 0, CHAINS * sizeof(*t->processes));
}

static void track_free(struct track *track)
{
	for (struct track *lane = track, *next; lane; lane = next) {
		next = lane->lane;
		free(lane->open);
		free(lane->ended);
		free(lane->key);
		free(lane);
	}
}

void tracks_close(struct tracks *t)
{
	for (uint32_t i = 0; t->chains && i < CHAINS; i++) {
		for (struct track *one = t->chains[i], *next; one; one = next) {
			next = one->next;
			track_free(one);
		}
		for (struct process *one = t->processes[i], *next; one; one = next) {
			next = one->next;
			free(one);
		}
	}
	free(t->chains);
	free(t->processes);
	names_close(&t->names);
	*t = (struct tracks){ 0 };
}

/* ---- finding ---- */

static struct track *find(struct tracks *t, enum track_kind kind, uint64_t id, const char *key, size_t size,
			  bool *is_new)
{
	uint64_t hash = name_hash(id * 8 + kind, key, size);
	struct track **chain = &t->chains[hash % CHAINS], *one;

	for (one = *chain; one; one = one->next)
		if (one->hash == hash && one->kind == kind && one->id == id && one->key_size == size &&
		    memcmp(one->key, key, size) == 0)
			return one;
	if (t->count >= TRACKS_MOST && kind != TRACK_CPU && (id || size))
		return find(t, kind, 0, "", 0, is_new);
	one = bytes_grow(NULL, sizeof(*one));
	*one = (struct track){ .kind = kind, .id = id, .hash = hash, .number = t->next_number++, .next = *chain };
	one->key = bytes_grow(NULL, size + 1);
	memcpy(one->key, key, size);
	one->key[size] = 0;
	one->key_size = size;
	t->count++;
	*is_new = true;
	return *chain = one;
}

static struct process *process_of(struct tracks *t, int64_t pid)
{
	struct process **chain = &t->processes[(uint64_t)pid % CHAINS], *one;

	for (one = *chain; one; one = one->next)
		if (one->pid == pid)
			return one;
	one = bytes_grow(NULL, sizeof(*one));
	*one = (struct process){ .pid = pid, .number = t->next_number++, .next = *chain };
	return *chain = one;
}

static struct name *name_that_stays(struct tracks *t, const char *text, size_t size)
{
	struct name *name = name_of(&t->names, text, size);

	return name->number ? name : NULL;
}

static bool is_named(const struct name *name, struct timeline_text text)
{
	return name && name->key_size == text.size && memcmp(name->key, text.data, text.size) == 0;
}

struct track *track_of_cpu(struct tracks *t, uint32_t cpu)
{
	bool is_new = false;
	struct track *track = find(t, TRACK_CPU, cpu, "", 0, &is_new);
	char name[24];

	if (is_new)
		track->name = name_that_stays(t, name, (size_t)snprintf(name, sizeof(name), "CPU %u", cpu));
	return track;
}

struct track *track_of_thread(struct tracks *t, int64_t tid, int64_t pid, struct timeline_text execname, uint32_t cpu)
{
	struct track *track;
	bool is_new = false;

	if (tid == 0)
		return track_of_cpu(t, cpu);
	/* a thread's number that another process has now is another row */
	track = find(t, TRACK_THREAD, (uint64_t)pid << 32 | (uint32_t)tid, "", 0, &is_new);
	if (is_new)
		track->process = process_of(t, pid);
	if (is_named(track->name, execname) || t->names.count == NAMES_MOST)
		return track;
	track->name = name_that_stays(t, execname.data, execname.size);
	for (struct track *lane = track; lane; lane = lane->lane) {
		lane->name = track->name;
		lane->written = false;
	}
	if (tid == pid || !track->process->name) {
		track->process->name = track->name;
		track->process->written = false;
	}
	return track;
}

static struct track *track_of_description(struct tracks *t, const char *text)
{
	unsigned long long tid, pid;
	unsigned cpu;
	int n = 0;

	if (sscanf(text, "cpu:%u%n", &cpu, &n) == 1 && !text[n])
		return track_of_cpu(t, cpu);
	/* the idle thread of no CPU in particular has no row */
	if (sscanf(text, "thread:%llu:%llu:%n", &tid, &pid, &n) == 2 && n && tid && tid <= INT32_MAX &&
	    pid <= INT32_MAX)
		return track_of_thread(t, (int64_t)tid, (int64_t)pid,
				       (struct timeline_text){ text + n, strlen(text + n) }, 0);
	return NULL;
}

struct track *track_of_text(struct tracks *t, struct timeline_text text, uint32_t cpu)
{
	bool is_new = false;
	struct track *alias, *track;

	if (text.size == 3 && memcmp(text.data, "cpu", 3) == 0)
		return track_of_cpu(t, cpu);
	alias = find(t, TRACK_ALIAS, 0, text.data, text.size, &is_new);
	if (!is_new && alias->target)
		return alias->target;
	track = track_of_description(t, alias->key);
	is_new = false;
	if (!track) {
		track = find(t, TRACK_NAMED, 0, alias->key, alias->key_size, &is_new);
		track->name = name_that_stays(t, alias->key, alias->key_size);
	}
	return alias->target = track;
}

struct track *track_of_counter(struct tracks *t, struct timeline_text name, struct track *parent)
{
	bool is_new = false;
	struct track *track = find(t, TRACK_COUNTER, parent ? parent->number : 0, name.data, name.size, &is_new);

	if (is_new) {
		track->parent = parent;
		track->name = name_that_stays(t, name.data, name.size);
	}
	return track;
}

/* ---- nesting ---- */

bool track_begin(struct track *t, uint64_t time, const struct name *name)
{
	if (t->depth >= TRACK_DEEPEST) {
		t->depth++;
		return false;
	}
	if (t->depth == t->open_room) {
		t->open_room = 2 * t->open_room + 4;
		t->open = bytes_grow(t->open, t->open_room * sizeof(*t->open));
	}
	t->open[t->depth++] = (struct slice){ .name = name->number ? name : NULL, .hash = name->hash, .start = time };
	return true;
}

static void remember(struct track *t, uint64_t start, uint64_t end)
{
	while (t->ended_count && t->ended[t->ended_count - 1].start >= start)
		t->ended_count--;
	if (!t->ended)
		t->ended = bytes_grow(NULL, TRACK_ENDED * sizeof(*t->ended));
	if (t->ended_count == TRACK_ENDED) {
		t->forgotten.start = t->forgotten.end ? t->forgotten.start : t->ended[0].start;
		t->forgotten.end = t->ended[TRACK_ENDED / 2 - 1].end;
		t->ended_count = TRACK_ENDED / 2;
		memmove(t->ended, t->ended + TRACK_ENDED / 2, TRACK_ENDED / 2 * sizeof(*t->ended));
	}
	t->ended[t->ended_count++] = (struct interval){ start, end };
}

int track_end(struct track *t, uint64_t time, uint64_t name)
{
	uint32_t kept = t->depth;

	if (t->depth > TRACK_DEEPEST) {
		t->depth--;
		return 0;
	}
	while (kept && name && t->open[kept - 1].hash != name)
		kept--;
	if (!kept)
		return -1;
	kept--;
	remember(t, t->open[kept].start, time);
	name = t->depth - kept;
	t->depth = kept;
	return (int)name;
}

const struct name *track_ended(const struct track *t, int i, int count)
{
	return t->open[t->depth + (uint32_t)(count - 1 - i)].name;
}

static bool fits(const struct track *t, uint64_t start)
{
	uint32_t open = t->depth < TRACK_DEEPEST ? t->depth : TRACK_DEEPEST;

	if ((start > t->forgotten.start && start < t->forgotten.end) || (open && t->open[open - 1].start > start))
		return false;
	for (uint32_t i = t->ended_count; i-- && t->ended[i].end > start;)
		if (t->ended[i].start < start)
			return false;
	return true;
}

struct track *track_lane(struct tracks *all, struct track *t, uint64_t start, uint64_t end)
{
	struct track *lane = t;

	while (!fits(lane, start)) {
		if (!lane->lane) {
			lane->lane = bytes_grow(NULL, sizeof(*lane));
			*lane->lane = (struct track){
				.kind = t->kind, .id = t->id, .number = all->next_number++, .process = t->process,
				.name = t->name, .parent = t, .lane_number = lane->lane_number + 1,
			};
		}
		lane = lane->lane;
	}
	remember(lane, start, end);
	return lane;
}
