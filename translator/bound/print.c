/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output of --bound: a paragraph for each probe and one for memory; or JSON objects, one per
 * line (doc/json.md). */
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

static void print_places(const struct probe_bound *p)
{
	vec_each(m, &p->mechanisms) {
		if (m->how->instructions)
			line("places", "%zu by %s, about %u instructions per hit", m->places, m->how->name,
			     m->how->instructions);
		else
			line("places", "%zu by %s", m->places, m->how->name);
	}
}

static void print_memory(const struct memory_bound *m)
{
	printf("memory: %llu KB with %u CPU%s\n", kilobytes(m->all), m->cpus, m->cpus == 1 ? "" : "s");
	line("arrays", "%llu KB", kilobytes(m->arrays));
	line("buffers", "%llu KB", kilobytes(m->buffers));
	line("contexts", "%llu KB", kilobytes(m->contexts));
	line("probes", "%llu KB", kilobytes(m->probes));
	line("rest", "%llu KB", kilobytes(m->rest));
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
		print_places(p);
	}
	print_memory(&b->memory);
}

/* ---- JSON ---- */

static void json_text(const char *key, const char *text)
{
	printf(",\"%s\":\"", key);
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p == '"' || *p == '\\')
			printf("\\%c", *p);
		else if (*p < ' ')
			printf("\\u%04x", *p);
		else
			putchar(*p);
	}
	putchar('"');
}

static void json_number(const char *key, uint64_t value)
{
	printf(",\"%s\":%llu", key, (unsigned long long)value);
}

static void json_probe(struct arena *a, const struct probe_bound *p)
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
		printf("%s{\"count\":%zu", comma, m->places);
		json_text("by", m->how->name);
		if (m->how->instructions)
			json_number("instructions", m->how->instructions);
		putchar('}');
		comma = ",";
	}
	puts("]}");
}

static void print_json(const struct bound *b)
{
	const struct memory_bound *m = &b->memory;

	vec_each(p, &b->probes)
		json_probe(b->plan->arena, p);
	printf("{\"type\":\"bound_memory\",\"cpus\":%u", m->cpus);
	json_number("memory", m->all);
	json_number("arrays", m->arrays);
	json_number("buffers", m->buffers);
	json_number("contexts", m->contexts);
	json_number("probes", m->probes);
	json_number("rest", m->rest);
	puts("}");
}

void bound_print(const struct bound *b, bool json)
{
	if (json)
		print_json(b);
	else
		print_table(b);
}
