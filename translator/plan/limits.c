/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits: SystemTap's names for -D, with their defaults and ranges, and the scratch memory that a handler needs. */
#include "limits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "source/options.h"
#include "plan.h"
#include "source/translation.h"
#include "base/util.h"

enum { DEFAULT_STRING = 512, DEFAULT_ACTIONS = 1000, DEFAULT_NESTING = 10, DEFAULT_ENTRIES = 2048,
       DEFAULT_SKIPPED = 100, DEFAULT_TRYLOCK = 100, DEFAULT_ELISION = 2,
       DEFAULT_STACK = 1024, DEFAULT_BACKTRACE = 20, DEFAULT_DELAY = 10 };

static bool define_number(struct translation *t, const char *name, int64_t low, int64_t high,
			  int64_t *value)
{
	bool ok = true;

	vec_each(d, &t->options->defines) {
		char *end;
		long long n;

		if (!str_equal(d->name, name))
			continue;
		errno = 0;
		n = strtoll(d->value, &end, 0);
		if (*end || !*d->value || errno || n < low || n > high) {
			fprintf(stderr, "tapc: error: -D %s takes a number from %lld to %lld, not '%s'\n",
				name, (long long)low, (long long)high, d->value);
			t->errors++;
			ok = false;
			continue;
		}
		*value = n;
	}
	return ok;
}

/* SystemTap counts cycles. Here both numbers are nanoseconds; their ratio is the same. */
static void read_overload_limits(struct plan *p)
{
	struct translation *t = p->translation;

	p->overload_interval = 1000000000;
	p->overload_threshold = 500000000;
	define_number(t, "STP_OVERLOAD_INTERVAL", 10000000, INT64_MAX / 4, &p->overload_interval);
	define_number(t, "STP_OVERLOAD_THRESHOLD", 0, INT64_MAX / 4, &p->overload_threshold);
	if (options_defines(t->options, "STP_NO_OVERLOAD"))
		p->overload_interval = 0;
}

/* Names for -D: those of SystemTap, including those without an effect here. */
static const char *const limits[] = {
	"MAXSTRINGLEN", "MAXACTION", "MAXACTION_INTERRUPTIBLE", "MAXNESTING", "MAXMAPENTRIES", "MAXERRORS",
	"MAXSKIPPED", "MAXTRYLOCK", "TRYLOCKDELAY", "MINSTACKSPACE", "MAXBACKTRACE", "HIST_ELISION", "SCRATCH",
	"STP_OVERLOAD_INTERVAL", "STP_OVERLOAD_THRESHOLD", "STP_NO_OVERLOAD", "STAP_CALLEE_MATCHALL",
	"MAXUPROBES", "KRETACTIVE", "INTERRUPTIBLE", "DEBUG_UNWIND",
};

bool plan_limit_is_known(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		if (str_equal(name, limits[i]))
			return true;
	return false;
}

/* A macro for C code can have any name, but without guru mode there is no C code that uses it. */
static void warn_misspelt(struct translation *t)
{
	vec_each(d, &t->options->defines) {
		const char *near = nearest_name(d->name, limits, ARRAY_SIZE(limits));

		if (!near || str_equal(near, d->name) || t->options->guru || t->options->no_warnings)
			continue;
		fprintf(stderr, "tapc: %s: -D %s sets no limit; did you mean '%s'?\n",
			t->options->warnings_are_errors ? "error" : "warning", d->name, near);
		t->warnings++;
		t->errors += t->options->warnings_are_errors;
	}
}

void plan_limits(struct plan *p)
{
	struct translation *t = p->translation;
	int64_t delay = DEFAULT_DELAY;

	warn_misspelt(t);

	p->max_string = DEFAULT_STRING;
	p->max_action = DEFAULT_ACTIONS;
	p->max_nesting = DEFAULT_NESTING;
	p->max_entries = DEFAULT_ENTRIES;
	p->max_skipped = DEFAULT_SKIPPED;
	p->max_trylock = DEFAULT_TRYLOCK;
	p->hist_elision = DEFAULT_ELISION;
	p->least_stack = DEFAULT_STACK;
	p->backtrace = DEFAULT_BACKTRACE;
	define_number(t, "MAXSTRINGLEN", 16, 65535, &p->max_string);
	define_number(t, "MAXACTION", 1, INT32_MAX, &p->max_action);
	p->max_action_interruptible = p->max_action > INT32_MAX / 10 ? INT32_MAX : p->max_action * 10;
	define_number(t, "MAXACTION_INTERRUPTIBLE", 1, INT32_MAX, &p->max_action_interruptible);
	if (t->options->max_cost && p->max_action > (int64_t)t->options->max_cost)
		p->max_action = (int64_t)t->options->max_cost;
	define_number(t, "MAXNESTING", 1, 1000, &p->max_nesting);
	define_number(t, "MAXMAPENTRIES", 1, 1 << 24, &p->max_entries);
	define_number(t, "MAXERRORS", 0, INT32_MAX, &p->max_errors);
	define_number(t, "MAXSKIPPED", 0, INT32_MAX, &p->max_skipped);
	define_number(t, "MAXTRYLOCK", 1, 1000000, &p->max_trylock);
	define_number(t, "TRYLOCKDELAY", 1, 10000, &delay);
	p->max_trylock = (p->max_trylock * delay + DEFAULT_DELAY - 1) / DEFAULT_DELAY;
	define_number(t, "MINSTACKSPACE", 0, 16384, &p->least_stack);
	define_number(t, "MAXBACKTRACE", 1, 500, &p->backtrace);
	define_number(t, "HIST_ELISION", -1, 4096, &p->hist_elision);
	read_overload_limits(p);
	if (t->options->suppress_time_limits)
		p->max_action = p->max_action_interruptible = INT32_MAX;
}

static bool uses_strings(const struct program *p)
{
	vec_each(f, &p->functions)
		if ((*f)->type == TYPE_STRING || (*f)->locals.n || (*f)->parameters.n)
			return true;
	vec_each(h, &p->handlers)
		vec_each(v, &(*h)->locals)
			if ((*v)->type == TYPE_STRING)
				return true;
	return p->globals.n > 0;
}

int64_t plan_histogram_buckets(const struct histogram *h)
{
	return h->op == STAT_HIST_LOG ? 2 * (64 - h->low) << h->low :
		(int64_t)(((uint64_t)h->high - (uint64_t)h->low) / (uint64_t)h->step) + 3;
}

/* Size in bytes of the largest aggregate. To read an aggregate, it is merged in scratch memory. */
static int64_t largest_aggregate(const struct plan *p)
{
	int64_t most = 0;

	vec_each(g, &p->globals) {
		int64_t buckets = 0;

		vec_each(h, &g->variable->histograms)
			buckets += plan_histogram_buckets(h);
		most = buckets > most ? buckets : most;
	}
	return most * 8 + 128;
}

/* Room for the locals of the deepest chain of calls and a dozen temporaries. A script that needs more gets
 * an error at run time, which suggests -D SCRATCH. */
unsigned plan_scratch(struct plan *p)
{
	int64_t strings = 16, size = 0;

	if (!uses_strings(p->program))
		return 8192;
	vec_each(h, &p->handlers) {
		int64_t n = 0;

		vec_each(v, &h->handler->locals)
			n += (*v)->type == TYPE_STRING;
		strings = n + 16 > strings ? n + 16 : strings;
	}
	vec_each(f, &p->program->functions) {
		int64_t n = 4;

		if ((*f)->embedded)
			continue;
		vec_each(v, &(*f)->locals)
			n += (*v)->type == TYPE_STRING;
		strings += n * (p->cycles[(*f)->number] ? p->max_nesting : 1);
	}
	size = strings * ((p->max_string + 15) & ~15ll) + 16384 + 2 * largest_aggregate(p);
	if (size > 512 * 1024)
		size = 512 * 1024;
	define_number(p->translation, "SCRATCH", 4096, 4 * 1024 * 1024, &size);
	return (unsigned)size;
}
