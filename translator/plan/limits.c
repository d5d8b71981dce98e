/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits: SystemTap's names for -D, with their defaults and ranges, and the scratch memory that a handler needs. */
#include "limits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "source/options.h"
#include "plan.h"
#include "source/diag.h"
#include "base/util.h"

static const struct definition {
	const char *name;
	size_t member;			/* of struct plan, an int64_t */
	int64_t value, low, high;
	bool is_number;
} limits[] = {
#define LIMIT(name, member, value, low, high) { #name, offsetof(struct plan, member), value, low, high, true },
#define SWITCH(name_) { .name = #name_ },
#include "limits.def"
#undef LIMIT
#undef SWITCH
};

enum {
#define LIMIT(name, member, value, low, high) DEFAULT_##name = (value),
#define SWITCH(name)
#include "limits.def"
#undef LIMIT
#undef SWITCH
};

static void take_definition(struct diag *d, const struct definition *limit, const char *text, int64_t *value)
{
	char *end;
	long long n;

	errno = 0;
	n = strtoll(text, &end, 0);
	if (!*end && *text && !errno && n >= limit->low && n <= limit->high) {
		*value = n;
		return;
	}
	error_print("-D %s takes a number from %lld to %lld, not '%s'", limit->name, (long long)limit->low,
		    (long long)limit->high, text);
	d->errors++;
}

static void read_limit(struct plan *p, const struct definition *limit)
{
	int64_t *value = (int64_t *)((char *)p + limit->member);

	if (!limit->is_number)
		return;
	*value = limit->value;
	vec_each(d, &p->options->defines)
		if (str_equal(d->name, limit->name))
			take_definition(p->diag, limit, d->value, value);
}

bool plan_limit_is_known(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		if (str_equal(name, limits[i].name))
			return true;
	return false;
}

/* A macro for C code can have any name, but without guru mode there is no C code that uses it. */
static void warn_misspelt(const struct plan *p)
{
	const struct options *o = p->options;
	const char *names[ARRAY_SIZE(limits)];

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		names[i] = limits[i].name;
	vec_each(d, &o->defines) {
		const char *near = nearest_name(d->name, names, ARRAY_SIZE(names));

		if (!near || str_equal(near, d->name) || o->guru || o->no_warnings)
			continue;
		fprintf(stderr, "tapc: %s: -D %s sets no limit; did you mean '%s'?\n",
			o->warnings_are_errors ? "error" : "warning", d->name, near);
		p->diag->warnings++;
		p->diag->errors += o->warnings_are_errors;
	}
}

void plan_limits(struct plan *p)
{
	const struct options *o = p->options;

	warn_misspelt(p);
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		read_limit(p, &limits[i]);
	if (!p->max_action_interruptible)
		p->max_action_interruptible = p->max_action > INT32_MAX / 10 ? INT32_MAX : p->max_action * 10;
	if (o->max_cost && p->max_action > (int64_t)o->max_cost)
		p->max_action = (int64_t)o->max_cost;
	/* in turns of the default delay */
	p->max_trylock = (p->max_trylock * p->trylock_delay + DEFAULT_TRYLOCKDELAY - 1) / DEFAULT_TRYLOCKDELAY;
	if (options_defines(o, "STP_NO_OVERLOAD"))
		p->overload_interval = 0;
	if (o->suppress_time_limits)
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

/* Bytes of the largest data that an entry handler saves: they are in scratch memory while it runs. */
static int64_t largest_entry(const struct plan *p)
{
	int64_t most = 0;

	vec_each(h, &p->handlers) {
		int64_t n = 8;

		vec_each(v, &h->handler->kept)
			n += (*v)->type == TYPE_STRING ? p->max_string + 16 : 8;
		most = n > most ? n : most;
	}
	return most;
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

		if (function_is_scripts_c(*f))
			strings += (int64_t)(*f)->parameters.n;
		if ((*f)->embedded)
			continue;
		vec_each(v, &(*f)->locals)
			n += (*v)->type == TYPE_STRING;
		strings += n * (p->cycles[(*f)->number] ? p->max_nesting : 1);
	}
	size = strings * ((p->max_string + 15) & ~15ll) + 16384 + 2 * largest_aggregate(p) + largest_entry(p);
	if (size > 512 * 1024)
		size = 512 * 1024;
	return (unsigned)(p->scratch_given ? p->scratch_given : size);
}
