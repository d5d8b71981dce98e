/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output of --bound: a paragraph for each probe and one for memory; or JSON objects, one per
 * line (doc/json.md). With --check also the names of the places, and their number in all. */
#include "print.h"

#include <stdarg.h>
#include <stdio.h>

#include "bound.h"
#include "points/family.h"
#include "source/options.h"
#include "base/util.h"

/* ---- a table ---- */

static void line(const char *what, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line(const char *what, const char *format, ...)
{
	va_list args;

	printf("    %-12s", what);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static const char *limit_name(const struct probe_bound *p)
{
	return p->unhurried ? "MAXACTION_INTERRUPTIBLE" : "MAXACTION";
}

static const char *why_cut(struct arena *a, const struct probe_bound *p)
{
	const char *where = p->cost.endless.source ? span_position(a, p->cost.endless) : NULL;

	if (!p->is_cut)
		return "";
	if (!where)
		return arena_printf(a, "; %s (%lld) is the limit", limit_name(p), (long long)p->limit);
	return arena_printf(a, "; only %s (%lld) ends the %s at %s", limit_name(p), (long long)p->limit,
			    p->cost.is_recursion ? "recursion" : "loop", where);
}

static void print_statements(struct arena *a, const struct probe_bound *p)
{
	if (p->statements == COST_ENDLESS)
		line("statements", "no bound (--suppress-time-limits): the loop at %s", span_position(a, p->cost.endless));
	else
		line("statements", "%llu%s", (unsigned long long)p->statements, why_cut(a, p));
}

static void print_locks(const struct probe_bound *p)
{
	if (p->locked)
		line("locks", "%s%s%s%s%s for %llu statement%s%s", p->writes ? "writing " : "",
		     p->writes ? p->writes : "", p->writes && p->reads ? ", " : "", p->reads ? "reading " : "",
		     p->reads ? p->reads : "", (unsigned long long)p->locked, p->locked == 1 ? "" : "s",
		     p->irqs_off ? ", interrupts off" : "");
}

static void print_stack(const struct probe_bound *p, int64_t least)
{
	if (p->stack)
		line("stack", "%llu bytes, plus those of the runtime; at least %lld are left",
		     (unsigned long long)p->stack, (long long)least);
}

/* A wildcard may have thousands of places; -l lists them all. */
static void print_names(struct arena *a, const struct bound_mechanism *m)
{
	enum { MOST = 8 };

	for (size_t i = 0; i < m->places.n && i < MOST; i++)
		line("", "%s", site_text(a, m->places.items[i]));
	if (m->places.n > MOST)
		line("", "and %zu more", m->places.n - MOST);
}

static void print_places(struct arena *a, const struct probe_bound *p, bool names)
{
	vec_each(m, &p->mechanisms) {
		if (m->how->instructions)
			line("places", "%zu by %s, about %u instructions per hit", m->places.n, m->how->name,
			     m->how->instructions);
		else
			line("places", "%zu by %s", m->places.n, m->how->name);
		if (names)
			print_names(a, m);
	}
}

/* ---- all probes together ---- */

struct total {
	size_t probes, places, breakpoints;
	uint64_t statements;		/* of the longest hit that other code waits for; COST_ENDLESS */
};

static struct total total_of(const struct bound *b)
{
	struct total t = { .probes = b->probes.n };

	vec_each(p, &b->probes) {
		vec_each(m, &p->mechanisms) {
			t.places += m->places.n;
			t.breakpoints += m->how->breakpoint ? m->places.n : 0;
		}
		if (!p->unhurried && p->statements > t.statements)
			t.statements = p->statements;
	}
	return t;
}

static void print_total(const struct bound *b)
{
	struct total t = total_of(b);

	printf("total: %zu probe%s at %zu place%s, %zu of them breakpoints; ", t.probes, t.probes == 1 ? "" : "s",
	       t.places, t.places == 1 ? "" : "s", t.breakpoints);
	if (t.statements == COST_ENDLESS)
		printf("no bound on the statements of a hit\n");
	else
		printf("at most %llu statement%s per hit, besides begin and end\n", (unsigned long long)t.statements,
		       t.statements == 1 ? "" : "s");
}

static void print_memory(const struct memory_bound *m)
{
	printf("memory: %llu KB with %u CPU%s\n", kilobytes(m->all), m->cpus, m->cpus == 1 ? "" : "s");
	line("arrays", "%llu KB", kilobytes(m->arrays));
	line("buffers", "%llu KB", kilobytes(m->buffers));
	line("contexts", "%llu KB", kilobytes(m->contexts));
	line("probes", "%llu KB", kilobytes(m->probes));
	if (m->recorder)
		line("recorder", "%llu KB", kilobytes(m->recorder));
	line("rest", "%llu KB", kilobytes(m->rest));
	if (m->growth)
		line("", "plus up to %llu KB of buffers while a reader cannot follow", kilobytes(m->growth));
	if (m->has_any_recorder)
		line("", "plus the recorder: the size given to recorder_start() is no constant");
	if (m->has_user_stacks)
		line("", "plus tables of the programs whose stacks are walked: up to 256 MB");
}

static void print_table(const struct bound *b)
{
	struct arena *a = b->plan->arena;

	vec_each(p, &b->probes) {
		printf("%s: %s\n", span_position(a, p->span), p->written);
		print_statements(a, p);
		print_locks(p);
		print_stack(p, b->plan->least_stack);
		print_places(a, p, b->plan->options->check);
	}
	print_memory(&b->memory);
	if (b->plan->options->check)
		print_total(b);
}

/* ---- JSON ---- */

static void json_characters(const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p == '"' || *p == '\\')
			printf("\\%c", *p);
		else if (*p < ' ')
			printf("\\u%04x", *p);
		else
			putchar(*p);
	}
}

static void json_text(const char *key, const char *text)
{
	printf(",\"%s\":\"", key);
	json_characters(text);
	putchar('"');
}

static void json_number(const char *key, uint64_t value)
{
	printf(",\"%s\":%llu", key, (unsigned long long)value);
}

static void json_names(struct arena *a, const struct bound_mechanism *m)
{
	const char *comma = "";

	printf(",\"breakpoint\":%s,\"names\":[", m->how->breakpoint ? "true" : "false");
	vec_each(s, &m->places) {
		printf("%s\"", comma);
		json_characters(site_text(a, *s));
		putchar('"');
		comma = ",";
	}
	putchar(']');
}

static void json_total(const struct bound *b)
{
	struct total t = total_of(b);

	printf("{\"type\":\"bound_total\",\"probes\":%zu", t.probes);
	json_number("places", t.places);
	json_number("breakpoints", t.breakpoints);
	if (t.statements != COST_ENDLESS)
		json_number("statements", t.statements);
	puts("}");
}

static void json_probe(struct arena *a, const struct probe_bound *p, bool names)
{
	const char *comma = "";

	printf("{\"type\":\"bound\"");
	json_text("point", p->written);
	json_text("position", span_position(a, p->span));
	if (p->statements != COST_ENDLESS)
		json_number("statements", p->statements);
	json_number("limit", (uint64_t)p->limit);
	printf(",\"limited\":%s", p->is_cut ? "true" : "false");
	if (p->cost.endless.source)
		json_text("endless", span_position(a, p->cost.endless));
	json_number("locked", p->locked);
	printf(",\"interrupts_off\":%s", p->locked && p->irqs_off ? "true" : "false");
	if (p->stack)
		json_number("stack", p->stack);
	printf(",\"places\":[");
	vec_each(m, &p->mechanisms) {
		printf("%s{\"count\":%zu", comma, m->places.n);
		json_text("by", m->how->name);
		if (m->how->instructions)
			json_number("instructions", m->how->instructions);
		if (names)
			json_names(a, m);
		putchar('}');
		comma = ",";
	}
	puts("]}");
}

static void print_json(const struct bound *b)
{
	const struct memory_bound *m = &b->memory;

	vec_each(p, &b->probes)
		json_probe(b->plan->arena, p, b->plan->options->check);
	printf("{\"type\":\"bound_memory\",\"cpus\":%u", m->cpus);
	json_number("memory", m->all);
	json_number("arrays", m->arrays);
	json_number("buffers", m->buffers);
	json_number("contexts", m->contexts);
	json_number("probes", m->probes);
	json_number("recorder", m->recorder);
	json_number("rest", m->rest);
	json_number("growth", m->growth);
	puts("}");
	if (b->plan->options->check)
		json_total(b);
}

void bound_print(const struct bound *b, bool json)
{
	if (json)
		print_json(b);
	else
		print_table(b);
}
