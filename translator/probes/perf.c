/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf.type(T).config(C): every N events of one of the kernel's performance counters, with .sample(N),
 * or N times per second, with .hz(N); on all processors, or, with the suffix .process, in the threads
 * of a program. .counter("name") has no hits: @perf("name") reads the count of the processor or of the
 * thread. T and C are defined by the kernel (perf_event_open(2)); tapsets/perf.stp has names for them.
 *
 * These are two families, because the runtime follows processes in the rows of process probes. */
#include "points/family.h"

#include <string.h>

#include "points/program_files.h"
#include "base/util.h"

#include "tap_script.h"

enum { EACH, SAMPLE, HERTZ, COUNTER };
enum { DEFAULT_SAMPLE = 1000000 };

#define COUNTER_SHAPES(process, of) \
	{ "perf.type(number).config(number)" process, "every 1000000 events of a performance counter" of, EACH }, \
	{ "perf.type(number).config(number).sample(number)" process, \
	  "every N events of a performance counter" of, SAMPLE }, \
	{ "perf.type(number).config(number).hz(number)" process, \
	  "events of a performance counter, about N times per second" of, HERTZ }, \
	{ "perf.type(number).config(number)" process ".counter(string)", \
	  "a performance counter that @perf(\"name\") reads" of, COUNTER }

static const struct point_shape shapes[] = {
	COUNTER_SHAPES("", ""),
	{ NULL, NULL, 0 },
};

static const struct point_shape process_shapes[] = {
	COUNTER_SHAPES(".process", ", in the program of -c or -x"),
	COUNTER_SHAPES(".process(string)", ", in a program"),
	{ NULL, NULL, 0 },
};

static const struct row_layout layout = ROW_LAYOUT(tap_perf,
	ROW_MEMBER(tap_perf, type),
	ROW_HEX(tap_perf, config),
	ROW_MEMBER(tap_perf, events),
	ROW_MEMBER(tap_perf, hertz));

static const struct row_layout process_layout = ROW_LAYOUT(tap_process,
	ROW_MEMBER(tap_process, kind),
	ROW_MEMBER(tap_process, within),
	ROW_SYMBOL(tap_process, follow, tap_perf_threads, tap_process_follow),
	ROW_POINTER(tap_process, perf, &layout));

const struct probe_family perf_family, perf_process_family;

/* The data of a site. */
struct perf_site {
	struct tap_perf row;
	struct site_counter counter;	/* its name is NULL: it has hits, and is not read */
};

/* The number of events between hits, or the hits per second; 0: the counter is only read. */
static bool find_period(const struct point *point, const struct point_shape *shape, struct sites *sites,
			int64_t *n)
{
	*n = shape->what == COUNTER ? 0 : shape->what == EACH ? DEFAULT_SAMPLE :
	     point_component(point, shape->what == HERTZ ? "hz" : "sample")->number;
	if (*n >= 1 || shape->what == COUNTER)
		return true;
	sites_reason(sites, shape->what == HERTZ ? "expected a frequency of at least 1, found %lld" :
		     "expected at least 1 event, found %lld", (long long)*n);
	return false;
}

/* READ: the function by which @perf reads the counter. */
static struct site *add_site(const struct probe_family *family, const struct point *point,
			     const struct point_shape *shape, const char *read, struct sites *sites)
{
	int64_t type = point_component(point, "type")->number, n;
	struct perf_site *data;
	struct site *s;

	if (shape->what == COUNTER && !*point_component(point, "counter")->text) {
		sites_reason(sites, "expected a name by which @perf reads the counter, found an empty string");
		return NULL;
	}
	if (type < 0 || type > UINT32_MAX) {
		sites_reason(sites, "expected a counter type of 32 bits, found %lld", (long long)type);
		return NULL;
	}
	if (!find_period(point, shape, sites, &n))
		return NULL;
	data = arena_new(sites->arena, struct perf_site);
	data->row.type = (u32)type;
	data->row.config = (u64)point_component(point, "config")->number;
	*(shape->what == HERTZ ? &data->row.hertz : &data->row.events) = (u64)n;
	if (shape->what == COUNTER)
		data->counter = (struct site_counter){ point_component(point, "counter")->text, read };
	s = site_add(sites, family, point, shape);
	s->data = data;
	return s;
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	return add_site(&perf_family, point, shape, "tap_perf_of_cpu", sites);
}

static bool resolve_process(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	const struct point_component *process = point_component(point, "process");
	program_files paths = { 0 };

	if (!program_find_process(sites, process, &paths))
		return false;
	if (shape->what == COUNTER && paths.n > 1) {
		sites_reason(sites, ".counter needs one program, found %zu", paths.n);
		return false;
	}
	vec_each(path, &paths) {
		struct site *s = add_site(&perf_process_family, point_met(sites, point, "process", *path), shape,
					  "tap_perf_of_thread", sites);

		if (!s)
			return false;
		s->program = *path;
		s->in_user = true;
	}
	return true;
}

static const struct site_counter *counter(const struct site *site)
{
	const struct perf_site *data = site->data;

	return data->counter.name ? &data->counter : NULL;
}

static bool variable(const struct site *site, const char *name, struct site_variable *out,
		     struct sites *sites)
{
	(void)site, (void)out;
	sites_reason(sites, "a performance counter has no '$%s'", name);
	return false;
}

static const void *describe(const struct site *const *sites, size_t n, struct arena *a)
{
	const struct perf_site *data = sites[0]->data;

	(void)n, (void)a;
	return &data->row;
}

static const void *describe_process(const struct site *const *sites, size_t n, struct arena *a)
{
	struct tap_process *row = arena_new(a, struct tap_process);
	const struct perf_site *data = sites[0]->data;

	(void)n;
	*row = (struct tap_process){ .kind = TAP_PROCESS_FOLLOWED, .within = sites[0]->program, .perf = &data->row };
	return row;
}

const struct probe_family perf_family = {
	.name = "perf",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_perf",
	.where = &layout,
	.describe = describe,
	.variable = variable,
	.counter = counter,
	.by = { "a counter of each CPU", 0, false },
	.row_bytes = 1024,
};

const struct probe_family perf_process_family = {
	.name = "perf.process",
	.shapes = process_shapes,
	.resolve = resolve_process,
	.runtime_ops = "tap_process",
	.where = &process_layout,
	.describe = describe_process,
	.variable = variable,
	.counter = counter,
	.by = { "a counter of each thread", 0, false },
	.row_bytes = 2048,
	.session_bytes = 640 << 10,
	.program_bytes = 513 << 10,
};
