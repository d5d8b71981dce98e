/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes that a session allocates in the kernel, as in the session's own report: arrays as core makes them, rings
 * and contexts of each CPU by tap_room.h, probes by their families. Not included are allocations by the kernel
 * itself for a registered probe (filters of ftrace, instances of returns) and the module's own text and data. */
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/map.h"
#include "source/diag.h"
#include "emit/module.h"
#include "points/family.h"
#include "source/options.h"
#include "base/util.h"

#include "tap_room.h"
#include "core/map_size.h"

enum { SESSION_BYTES = 32 << 10, FORMAT_BYTES = 64, RECORDER_NAMES_BYTES = 32 << 10 };

/* ---- CPUs: this machine's, unless --bound names a number ---- */

static unsigned cpus_online(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (unsigned)n : 1;
}

/* CPU numbers are below this: one more than the last number of "0-3,8". */
static unsigned cpus_possible(struct arena *a)
{
	size_t size;
	const char *text = file_read(a, "/sys/devices/system/cpu/possible", &size), *last = text;

	for (const char *p = text; p && *p; p++)
		if (*p == '-' || *p == ',')
			last = p + 1;
	return text ? (unsigned)strtoul(last, NULL, 10) + 1 : cpus_online();
}

/* ---- parts ---- */

static struct tap_limits limits_of(const struct plan *p)
{
	return (struct tap_limits){ .string = (u32)p->max_string, .map_entries = (u32)p->max_entries,
				    .scratch = p->scratch, .out = p->out, .bursts = p->bursts };
}

static uint64_t cells_bytes(const struct plan *p)
{
	uint64_t n = 0;

	vec_each(g, &p->globals)
		n += g->storage == STORAGE_COUNTER ? 8 :
		     g->storage == STORAGE_CELL_STATS ? emit_stat_bytes(g->variable) : 0;
	return n;
}

static void find_arrays(struct memory_bound *m, const struct plan *p, const struct tap_limits *limits,
			unsigned possible)
{
	vec_each(g, &p->globals) {
		struct tap_stat_shape stat;
		struct tap_map_shape shape;
		uint64_t n;

		if (g->storage != STORAGE_MAP)
			continue;
		emit_map_shape(g, &shape, &stat);
		n = tap_map_size(&shape, limits, possible, m->cpus);
		m->arrays += n;
		if (n > m->largest_bytes) {
			m->largest = g->variable;
			m->largest_bytes = n;
		}
	}
}

/* The module keeps growth within --max-memory. */
static uint64_t find_growth(const struct memory_bound *m, const struct options *o, uint64_t wanted)
{
	uint64_t growth = tap_ring_growth(wanted, (uint32_t)(m->buffers / m->cpus), o->flight_recorder);

	growth = growth == TAP_SHARED ? TAP_MOST_SHARE : growth * m->cpus;
	if (o->max_memory && m->all + growth > o->max_memory)
		growth = m->all < o->max_memory ? o->max_memory - m->all : 0;
	return growth;
}

static bool uses_family(const struct plan *p, size_t until, const struct probe_family *f)
{
	for (size_t i = 0; i < until; i++)
		if (p->rows.items[i].family == f)
			return true;
	return false;
}

static const char *program_of(const struct site *s)
{
	const struct point_component *first = &s->point->components.items[0];

	return s->family->program_bytes && first->is_string ? first->text : NULL;
}

/* A process is looked up among the processes of each program that a probe names. */
static uint64_t programs_bytes(const struct plan *p)
{
	struct map seen;
	uint64_t n = 0;

	map_init(&seen, p->arena);
	vec_each(r, &p->rows)
		vec_each(s, &r->sites)
			if (program_of(*s) && map_set(&seen, program_of(*s), (void *)1))
				n += r->family->program_bytes;
	return n;
}

static uint64_t kept_bytes(const struct plan *p, const struct row *r)
{
	bool keeps = r->family->keeps && r->handler->entry >= 0;

	return keeps ? tap_kept_bytes(r->family->call_bytes + emit_entry_bytes(p, r->handler)) : 0;
}

static uint64_t probes_bytes(const struct plan *p, unsigned possible)
{
	uint64_t n = programs_bytes(p);

	for (size_t i = 0; i < p->rows.n; i++) {
		const struct row *r = &p->rows.items[i];

		n += TAP_ROW_BYTES + (uint64_t)possible * TAP_ROW_CPU_BYTES + r->family->row_bytes +
		     kept_bytes(p, r);
		vec_each(s, &r->sites)
			n += r->family->site_bytes;
		if (!uses_family(p, i, r->family))
			n += r->family->session_bytes;
	}
	return n;
}

static bool asks_for_user_stacks(const struct plan *p)
{
	vec_each(f, &p->program->functions)
		if (embedded_says(*f, "tap_user_"))
			return true;
	return false;
}

/* One call at most succeeds. That of the tapset with one argument calls the other. */
static void find_recorder(struct expr *e, void *data)
{
	struct memory_bound *m = data;
	const struct expr *megabytes;
	uint64_t n;

	if (e->kind != EXPR_CALL || e->span.source->is_system || strcmp(e->call.name, "recorder_start") != 0)
		return;
	megabytes = e->call.args.items[0];
	if (megabytes->kind != EXPR_NUMBER) {
		m->has_any_recorder = true;
		return;
	}
	n = megabytes->number.value > 0 ? ((uint64_t)megabytes->number.value << 20) + RECORDER_NAMES_BYTES : 0;
	m->recorder = n > m->recorder ? n : m->recorder;
}

void bound_find_memory(struct bound *b, size_t code)
{
	const struct plan *p = b->plan;
	const struct options *o = p->options;
	struct tap_limits limits = limits_of(p);
	struct memory_bound *m = &b->memory;
	unsigned possible = o->bound_cpus ? o->bound_cpus : cpus_possible(p->arena);
	uint64_t wanted = o->buffer_mb ? strtoull(o->buffer_mb, NULL, 10) << 20 : 0, cpu;

	m->cpus = o->bound_cpus ? o->bound_cpus : cpus_online();
	find_arrays(m, p, &limits, possible);
	cpu = tap_cpu_bytes(&limits, wanted, m->cpus, cells_bytes(p), o->flight_recorder);
	m->buffers = (uint64_t)m->cpus * tap_ring_size(&limits, wanted, m->cpus, o->flight_recorder);
	m->contexts = m->cpus * cpu - m->buffers + 8ull * TAP_CONTEXTS * possible;
	m->probes = probes_bytes(p, possible);
	plan_each_expr(p, find_recorder, m);
	/* each name of a probe or format is in the module's description for readers, and in the C */
	m->rest = SESSION_BYTES + code + FORMAT_BYTES * (p->rows.n + p->formats.n) +
		  sizeof(struct tap_lock) * p->lock_count;
	m->all = m->arrays + m->buffers + m->contexts + m->probes + m->recorder + m->rest;
	m->growth = find_growth(m, o, wanted);
	m->has_user_stacks = asks_for_user_stacks(p);
}

/* ---- limits ---- */

bool bound_memory_is_allowed(const struct bound *b, uint64_t most)
{
	const struct memory_bound *m = &b->memory;
	struct span at = b->probes.items[0].span;

	if (m->all <= most)
		return true;
	diag_error(m->largest_bytes > m->all / 2 ? m->largest->span : at,
		   "a session of this script may take %llu KB of memory with %u CPUs, but --max-memory allows %llu KB",
		   kilobytes(m->all), m->cpus, kilobytes(most));
	if (m->largest_bytes > m->all / 2)
		diag_note(m->largest->span, "the array '%s' takes %llu KB: give it a size, as in %s[100], or limit all "
			  "arrays with -D MAXMAPENTRIES=", m->largest->name, kilobytes(m->largest_bytes),
			  m->largest->name);
	else if (m->recorder > m->all / 2)
		diag_note(at, "the recorder takes %llu KB: recorder_start() can get less", kilobytes(m->recorder));
	else
		diag_note(at, "buffers take %llu KB (-s), contexts of handlers %llu KB (-D MAXSTRINGLEN=), arrays %llu "
			  "KB (-D MAXMAPENTRIES=), probes %llu KB", kilobytes(m->buffers), kilobytes(m->contexts),
			  kilobytes(m->arrays), kilobytes(m->probes));
	return false;
}
