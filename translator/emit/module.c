/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of script.c. */
#include "module.h"

#include <string.h>

#include "core/hist.h"
#include "core/stat.h"
#include "filter.h"
#include "regex.h"
#include "row.h"
#include "points/family.h"
#include "points/place_row.h"
#include "source/options.h"
#include "base/util.h"

static void quoted(struct text *out, const char *s, size_t n)
{
	text_char(out, '"');
	text_c_escape(out, s, n);
	text_char(out, '"');
}

/* ---- aggregates ---- */

struct tap_stat_shape emit_stat_shape(const struct variable *v)
{
	struct tap_stat_shape shape = { .variance = v->stat_ops & 1u << STAT_VARIANCE };

	vec_each(h, &v->histograms) {
		struct tap_hist_shape *s = &shape.hists[shape.hist_count++];

		*s = (struct tap_hist_shape){ .op = h->op == STAT_HIST_LOG ? TAP_HIST_LOG : TAP_HIST_LINEAR };
		if (h->op == STAT_HIST_LOG)
			s->bits = (u8)h->low;
		else
			s->low = h->low, s->high = h->high, s->step = h->step;
	}
	if (!tap_stat_shape_finish(&shape))
		fatal("the histograms of '%s' have too many buckets", v->name);
	return shape;
}

static void write_stat_shape(const struct variable *v, struct text *out)
{
	struct tap_stat_shape shape = emit_stat_shape(v);

	text_printf(out, "static const struct tap_stat_shape shape_%s = {\n\t.variance = %d, "
		    ".hist_count = %d, .buckets = %u,\n", v->c_name, shape.variance, shape.hist_count,
		    shape.buckets);
	for (int i = 0; i < shape.hist_count; i++) {
		const struct tap_hist_shape *h = &shape.hists[i];

		text_printf(out, "\t.hists[%d] = { %d, %d, %lldll, %lldll, %lldll, %u, %u },\n", i, h->op,
			    h->bits, h->low, h->high, h->step, h->first, h->buckets);
	}
	text_add(out, "};\n");
}

/* ---- globals ---- */

static const char *map_type(enum type t)
{
	return t == TYPE_STRING ? "TAP_STRING_TYPE" : t == TYPE_STATS ? "TAP_STATS" : "TAP_LONG";
}

static enum tap_type map_type_number(enum type t)
{
	return t == TYPE_STRING ? TAP_STRING_TYPE : t == TYPE_STATS ? TAP_STATS : TAP_LONG;
}

void emit_map_shape(const struct global_plan *g, struct tap_map_shape *shape, struct tap_stat_shape *stat)
{
	const struct variable *v = g->variable;

	*shape = (struct tap_map_shape){ .name = v->name, .key_count = (u8)v->key_count, .wrap = v->wrap,
					 .unlisted = g->unlisted, .value_type = (u8)map_type_number(v->type),
					 .iterators = (u8)g->iterators,
					 .size = v->size ? (u32)v->size->number.value : 0 };
	for (int i = 0; i < v->key_count; i++)
		shape->key_types[i] = (u8)map_type_number(v->key_types[i]);
	if (v->type != TYPE_STATS)
		return;
	*stat = emit_stat_shape(v);
	shape->stat = stat;
}

static void write_map(const struct plan *p, const struct global_plan *g, struct text *out)
{
	const struct variable *v = g->variable;

	(void)p;
	text_printf(out, "static const struct tap_map_shape map_%s = {\n\t.name = ", v->c_name);
	quoted(out, v->name, strlen(v->name));
	text_printf(out, ", .key_count = %d, .key_types = { ", v->key_count);
	for (int i = 0; i < v->key_count; i++)
		text_printf(out, "%s, ", map_type(v->key_types[i]));
	text_printf(out, "},\n\t.value_type = %s, .wrap = %d, .unlisted = %d, .iterators = %u, .size = %lld,\n",
		    map_type(v->type), v->wrap, g->unlisted, g->iterators,
		    v->size ? (long long)v->size->number.value : 0ll);
	if (v->type == TYPE_STATS)
		text_printf(out, "\t.stat = &shape_%s,\n", v->c_name);
	text_printf(out, "};\nstatic struct tap_map *%s;\n", v->c_name);
}

static void write_static(const struct plan *p, const struct variable *v, struct text *out)
{
	const struct expr *e = v->initial;

	if (v->type == TYPE_STRING)
		text_printf(out, "static union { struct tap_string_cell cell; "
			    "char room[sizeof(struct tap_string_cell) + %lld]; } %s;\n",
			    (long long)p->max_string, v->c_name);
	else
		text_printf(out, "static s64 %s = (s64)%lluull;\n", v->c_name,
			    e && e->kind == EXPR_NUMBER ? (unsigned long long)e->number.value : 0ull);
}

static void write_cells(const struct plan *p, struct text *out)
{
	text_add(out, "struct cells {\n");
	vec_each(g, &p->globals) {
		const struct variable *v = g->variable;

		if (g->storage == STORAGE_COUNTER) {
			text_printf(out, "\ts64 %s;\n", v->c_name);
		} else if (g->storage == STORAGE_CELL_STATS) {
			struct tap_stat_shape shape = emit_stat_shape(v);

			text_printf(out, "\tunion { struct tap_stat stat; char room[%u]; } %s;\n",
				    tap_stat_size(&shape), v->c_name);
		}
	}
	text_add(out, "};\n#define CELLS ((struct cells *)c->cells)\n\n");
}

u32 emit_stat_bytes(const struct variable *v)
{
	struct tap_stat_shape shape = emit_stat_shape(v);

	return tap_stat_size(&shape);
}

u32 emit_entry_bytes(const struct plan *p, const struct handler_plan *h)
{
	u64 n = sizeof(u64);

	vec_each(v, &h->handler->kept)
		n += (*v)->type == TYPE_STRING ? (sizeof(struct tap_string_cell) + (u64)p->max_string + 7) & ~7ull :
						 sizeof(s64);
	return (u32)n;
}

void emit_module_head(struct plan *p, struct text *out)
{
	bool direct = false, once = false, current = false;

	vec_each(f, &p->program->functions)
		current |= function_is_inline(*f);
	vec_each(h, &p->handlers) {
		direct |= h->direct != DIRECT_NEVER || h->gated.is_possible;
		once |= h->prints_once;
	}
	text_printf(out, "#include \"tap_script.h\"\n%s%s%s\n", current ? "#include \"tap_current.h\"\n" : "",
		    direct ? "#include \"tap_direct.h\"\n" : "", once ? "#include \"tap_print.h\"\n" : "");
	vec_each(g, &p->globals) {
		if (g->variable->type == TYPE_STATS)
			write_stat_shape(g->variable, out);
		if (g->storage == STORAGE_MAP)
			write_map(p, g, out);
		else if (g->storage != STORAGE_CELL_STATS)
			write_static(p, g->variable, out);
	}
	write_cells(p, out);
	if (p->lock_count)
		text_printf(out, "static struct tap_lock locks[%u];\n\n", p->lock_count);
	text_add(out, "extern struct tap_symbol symbols[];\n");
	emit_regexes(p, out);
	emit_filters(p, out);
}

/* ---- initial values ---- */

static void write_init(const struct plan *p, struct text *out)
{
	text_add(out, "static void init(void)\n{\n");
	vec_each(g, &p->globals) {
		const struct expr *e = g->variable->initial;

		if (!e || e->kind != EXPR_STRING || g->storage != STORAGE_STATIC)
			continue;
		text_printf(out, "\ttap_cell_set(&%s.cell, TAP_STRING(", g->c_name);
		quoted(out, e->string.text, e->string.size < (size_t)p->max_string ?
						    e->string.size : (size_t)p->max_string - 1);
		text_add(out, "));\n");
	}
	text_add(out, "}\n\n");
}

static size_t write_parameters(const struct plan *p, struct text *out)
{
	size_t n = 0;

	text_add(out, "static const struct tap_parameter parameters[] = {\n");
	vec_each(g, &p->globals) {
		const struct variable *v = g->variable;

		if (g->storage == STORAGE_MAP || g->storage == STORAGE_CELL_STATS || v->span.source->is_library ||
		    (v->is_private && !v->is_option))
			continue;
		text_printf(out, "\t{ \"%s\", %s, &%s },\n", v->name, map_type(v->type), v->c_name);
		n++;
	}
	text_add(out, n ? "};\n" : "\t{ 0, 0, 0 },\n};\n");
	return n;
}

static size_t write_maps(const struct plan *p, struct text *out)
{
	size_t n = 0;

	vec_each(g, &p->globals)
		if (g->storage == STORAGE_MAP)
			text_printf(out, "%s\t{ &map_%s, &%s },\n",
				    n++ ? "" : "static const struct tap_map_row maps[] = {\n", g->c_name, g->c_name);
	if (n)
		text_add(out, "};\n");
	return n;
}

static void write_formats(const struct plan *p, struct text *out)
{
	static const char *const kinds[] = {
		[TAP_FORMAT_TEXT] = "TAP_FORMAT_TEXT", [TAP_FORMAT_GLOBAL] = "TAP_FORMAT_GLOBAL",
		[TAP_FORMAT_ROW] = "TAP_FORMAT_ROW",
	};

	text_add(out, "static const struct tap_format formats[] = {\n");
	vec_each(f, &p->formats) {
		if (f->variable) {
			text_printf(out, "\t{ TAP_FORMAT_HIST, \"\", &shape_%s.hists[%u] },\n",
				    f->variable->c_name, f->histogram);
			continue;
		}
		text_printf(out, "\t{ %s, ", kinds[f->kind]);
		quoted(out, f->text, f->size);
		text_add(out, ", 0 },\n");
	}
	text_add(out, p->formats.n ? "};\n" : "\t{ 0, 0, 0 },\n};\n");
}

/* ---- probes ---- */

static unsigned script_probe_number(const struct plan *p, const struct row *r)
{
	unsigned n = 0;
	const struct probe *last = NULL;

	vec_each(h, &p->handlers) {
		if (last && h->handler->probe != last)
			n++;
		last = h->handler->probe;
		if (last == r->handler->handler->probe)
			break;
	}
	return n;
}

/* The registers that the handler reads, including its handler at the function's entry. */
static unsigned row_regs(const struct plan *p, const struct row *r)
{
	return r->handler->regs | (r->handler->entry < 0 ? 0 : p->handlers.items[r->handler->entry].regs);
}

static void write_where(const struct row *r, struct row_writer *w, struct text *out)
{
	const struct probe_family *f = r->family;
	const void *data = f->describe ? f->describe(r->sites.items, r->sites.n, out->arena) : r->sites.items[0]->data;

	if (!f->where) {
		text_char(out, '0');
		return;
	}
	text_printf(out, "&(const struct %s)", f->where->type);
	row_write(w, f->where, data, out);
}

/* Whether the script says so of the point, or of the alias that led to it. A sufficient point is optional, too. */
static bool is_optional(const struct point *p)
{
	while (p && !p->optional && !p->sufficient)
		p = p->derived_from;
	return p;
}

/* Whether some of the row's places are functions that may call its code directly. */
static bool has_direct(const struct row *r)
{
	const struct handler_plan *h = r->handler;
	bool returns = r->sites.items[0]->flags & TAP_PROBE_RETURN, any = false;

	vec_each(s, &r->sites)
		any |= r->family->indirect && !r->family->indirect(*s);
	return any && (returns ? h->gated.is_possible : h->direct != DIRECT_NEVER);
}

/* Whether the row has returns whose functions may call a trampoline. */
static bool is_gated(const struct row *r)
{
	return r->sites.items[0]->flags & TAP_PROBE_RETURN && has_direct(r);
}

static const char *write_gated(const struct plan *p, const struct row *r, struct text *out)
{
	const struct handler_plan *h = r->handler;
	const char *reads = h->regs ? "TAP_GATED_RESULT" : "TAP_GATED_NO_REGS";
	unsigned n = h->handler->number;

	if (h->direct == DIRECT_PLAIN)
		text_printf(out, "TAP_GATED_PLAIN(%u, body_%u)\n", r->number, n);
	else if (h->entry < 0)
		text_printf(out, "TAP_GATED_SIMPLE(%u, probe_%u, %s)\n", r->number, n, reads);
	else
		text_printf(out, "TAP_GATED_%s(%u, probe_%u, %s, sizeof(struct entry_%u), probe_%d, %s)\n",
			    h->gated.enters_late ? "LATE" : "ENTRY", r->number, n, reads, n, h->entry,
			    p->handlers.items[h->entry].regs ? "TAP_GATED_ARGUMENTS" : "TAP_GATED_NO_REGS");
	return arena_printf(out->arena, "&row_direct_%u", r->number);
}

/* The row's code for direct calls. PAIRED: another row has returns, perhaps of the same functions. */
static const char *write_direct(const struct plan *p, const struct row *r, bool paired, struct text *out)
{
	static const char *const macros[] = {
		[DIRECT_PLAIN] = "PLAIN", [DIRECT_BARE] = "BARE", [DIRECT_REGS] = "REGS",
	};
	const struct handler_plan *h = r->handler;
	const char *kind = macros[h->direct], *handler;

	if (!has_direct(r))
		return NULL;
	if (is_gated(r))
		return write_gated(p, r, out);
	handler = arena_printf(out->arena, "%s_%u", h->direct == DIRECT_PLAIN ? "body" : "probe", h->handler->number);
	if (paired)
		text_printf(out, "TAP_GATED_PAIR_%s(%u, %s)\n", kind, r->number, handler);
	text_printf(out, "TAP_DIRECT_%s(%u, %s%s)\n", kind, r->number, handler,
		    paired ? arena_printf(out->arena, ", .paired = paired_%u", r->number) : "");
	return arena_printf(out->arena, "&row_direct_%u", r->number);
}

static unsigned row_fetches(const struct plan *p, const struct row *r)
{
	const struct handler_plan *h = r->handler;
	bool entry = h->entry >= 0 && p->handlers.items[h->entry].fetches;

	return r->family->may_fetch && (h->fetches || entry) ? TAP_PROBE_FETCH : 0;
}

static void write_row(const struct plan *p, const struct row *r, bool gates, struct row_writer *w, struct text *out)
{
	const struct site *first = r->sites.items[0];
	const char *position = span_position(out->arena, r->handler->handler->probe->span);
	const char *written = sites_written(out->arena, r->sites.items, r->sites.n), *direct;

	text_printf(out, "\t{\n\t\t.ops = &%s, .handler = probe_%u, ", r->family->runtime_ops,
		    r->handler->handler->number);
	if (r->handler->handler->conditions.n)
		text_printf(out, ".condition = condition_%u, ", r->handler->handler->number);
	text_add(out, "\n\t\t.point = ");
	quoted(out, first->name, strlen(first->name));
	if (first->point->alias) {
		text_add(out, ",\n\t\t.alias = ");
		quoted(out, first->point->alias, strlen(first->point->alias));
	}
	text_add(out, ",\n\t\t.written = ");
	quoted(out, written, strlen(written));
	text_add(out, ", .position = ");
	quoted(out, position, strlen(position));
	text_add(out, ",\n\t\t.where = ");
	write_where(r, w, out);
	text_printf(out, ",\n\t\t.flags = %u%s, .number = %u,", first->flags | row_regs(p, r) | row_fetches(p, r),
		    is_optional(first->point) ? " | TAP_PROBE_OPTIONAL" : "", script_probe_number(p, r));
	if (r->handler->entry >= 0)
		text_printf(out, "\n\t\t.entry = probe_%d, .entry_size = sizeof(struct entry_%u),",
			    r->handler->entry, r->handler->handler->number);
	direct = write_direct(p, r, gates, &w->declarations);
	if (direct)
		text_printf(out, "\n\t\t.direct = %s,", direct);
	text_add(out, "\n\t},\n");
}

static void write_rows(struct plan *p, struct text *out)
{
	struct row_writer w = { .tables = 0 };
	struct text rows;
	const struct probe_family *last = NULL;
	bool gates = false;

	text_init(&rows, out->arena);
	text_init(&w.declarations, out->arena);
	vec_each(r, &p->rows)
		gates |= is_gated(r);
	vec_each(r, &p->rows) {
		if (r->family != last)
			text_printf(&w.declarations, "extern const struct tap_probe_ops %s;\n",
				    r->family->runtime_ops);
		last = r->family;
		write_row(p, r, gates, &w, &rows);
	}
	text_add(out, w.declarations.s);
	text_printf(out, "static const struct tap_probe probes[] = {\n%s};\n\n",
		    p->rows.n ? rows.s : "\t{ 0 },\n");
}

/* The text that modinfo(8) shows; kernel headers have a macro for it. */
static void write_modinfo(const struct plan *p, struct text *out)
{
	const struct options *o = p->options;

	for (size_t i = 0; i < o->modinfo.n; i++) {
		text_printf(out, "static const char modinfo_%zu[] __attribute__((used, section(\".modinfo\"), aligned(1))) = ", i);
		quoted(out, o->modinfo.items[i], strlen(o->modinfo.items[i]));
		text_add(out, ";\n");
	}
}

static void write_symbols(const struct plan *p, struct text *out)
{
	text_add(out, "struct tap_symbol symbols[] = {\n");
	vec_each(s, &p->symbols) {
		size_t module = strcspn(*s, ":");

		text_printf(out, "\t{ \"%.*s\", \"%s\", 0 },\n", (int)module, *s, *s + module + 1);
	}
	text_add(out, p->symbols.n ? "};\n\n" : "\t{ 0 },\n};\n\n");
}

/* ---- source lines ---- */

/* The assembler includes the files. */
static void write_lines(const struct plan *p, struct text *out)
{
	struct row_writer w = { .tables = 0 };	/* an image has no tables */

	for (size_t i = 0; i < p->lines.n; i++) {
		const struct line_table *l = &p->lines.items[i];

		text_printf(out, "asm(\".pushsection .rodata\\n.balign 8\\nlines_%zu:\\n\"\n    \".incbin \\\"", i);
		text_c_escape(out, l->path, strlen(l->path));
		text_printf(out, "\\\", %zu, %zu\\n.popsection\");\nextern const char lines_%zu[];\n", l->skip, l->size, i);
	}
	if (p->lines.n)
		text_add(out, "static const struct tap_lines line_tables[] = {\n");
	vec_each(l, &p->lines) {
		text_add(out, "\t{ .image = ");
		row_write(&w, &row_functions, &l->image, out);
		text_printf(out, ",\n\t  .first = %lldll, .data = lines_%zu, .size = %zu", (long long)l->first,
			    (size_t)(l - p->lines.items), l->size);
		if (l->is_module)
			text_printf(out, ", .symbol = &symbols[%zu], .offset = %lldll", l->symbol,
				    (long long)l->offset);
		text_add(out, " },\n");
	}
	if (p->lines.n)
		text_add(out, "};\n\n");
}

/* ---- information for taprun ---- */

static void write_info(struct text *out, unsigned *number, const char *key, const char *value)
{
	text_printf(out, "static const char info_%u[] __attribute__((used, section(\".modinfo\"), aligned(1))) = \"%s=",
		    (*number)++, key);
	text_c_escape(out, value, strlen(value));
	text_add(out, "\";\n");
}

/* The run options with which a module was built to be kept; taprun reads them from the module's file. */
static void write_options(const struct options *o, struct text *out)
{
	unsigned number = 0;

	if (o->last_pass != 4 || o->simulate)
		return;
	vec_each(image, &o->images)
		write_info(out, &number, "tap_image", path_absolute(out->arena, *image));
	if (o->ldd)
		write_info(out, &number, "tap_ldd", "y");
	if (o->bulk)
		write_info(out, &number, "tap_bulk", "y");
	if (o->timing)
		write_info(out, &number, "tap_timing", "y");
	if (o->buffer_mb)
		write_info(out, &number, "tap_buffer", o->buffer_mb);
}

/* ---- --hand-over ---- */

/* A global of the library has its file in its name, because a private one may have the name of another. */
static const char *taken_name(struct arena *a, const struct variable *v)
{
	const struct source *s = v->span.source;

	return s->is_library || v->is_private ? arena_printf(a, "%s %s", path_base(s->name), v->name) : v->name;
}

static void write_taken(const struct global_plan *g, struct text *out)
{
	const struct variable *v = g->variable;
	const char *name = taken_name(out->arena, v);

	text_add(out, "\t{ .name = ");
	quoted(out, name, strlen(name));
	text_printf(out, ", .type = %s, ", map_type(v->type));
	switch (g->storage) {
	case STORAGE_MAP:
		text_printf(out, ".map = &%s", g->c_name);
		break;
	case STORAGE_CELL_STATS:
		text_printf(out, ".cell = __builtin_offsetof(struct cells, %s), .stat = &shape_%s", g->c_name, g->c_name);
		break;
	case STORAGE_COUNTER:
		text_printf(out, ".value = &%s, .is_counter = 1, .cell = __builtin_offsetof(struct cells, %s)", g->c_name,
			    g->c_name);
		break;
	case STORAGE_STATIC:
		text_printf(out, ".value = &%s", g->c_name);
		break;
	}
	text_add(out, " },\n");
}

/* The values of options are given again. */
static void write_hand_over(const struct plan *p, struct text *out)
{
	size_t n = 0;

	text_add(out, "static const struct tap_global taken[] = {\n");
	vec_each(g, &p->globals)
		if (!g->variable->is_option) {
			write_taken(g, out);
			n++;
		}
	text_printf(out, "%s};\nstatic const struct tap_lock_need all_locks[] = {\n", n ? "" : "\t{ 0 },\n");
	for (unsigned i = 0; i < p->lock_count; i++)
		text_printf(out, "\t{ &locks[%u], 0 },\n", i);
	text_printf(out, "%s};\nstatic const struct tap_globals globals = { &tap_globals_ops, taken, %zu, all_locks, %u };\n\n",
		    p->lock_count ? "" : "\t{ 0, 0 },\n", n, p->lock_count);
}

/* ---- the script ---- */

void emit_module_tables(struct plan *p, struct text *out)
{
	const struct options *o = p->options;
	const char *name = p->script_name;
	size_t parameters, maps;

	write_init(p, out);
	parameters = write_parameters(p, out);
	maps = write_maps(p, out);
	write_formats(p, out);
	write_rows(p, out);
	write_symbols(p, out);
	write_modinfo(p, out);
	write_lines(p, out);
	write_options(o, out);
	if (o->hand_over && !o->simulate)
		write_hand_over(p, out);
	text_add(out, "const struct tap_script tap_script = {\n"
		      "\t.abi_version = TAP_ABI_VERSION,\n\t.name = ");
	quoted(out, name, strlen(name));
	text_printf(out, ",\n\t.limits = {\n"
		    "\t\t.string = %lld, .map_entries = %lld, .actions = %lld, "
		    ".actions_interruptible = %lld,\n"
		    "\t\t.nesting = %lld, .errors = %lld, .skipped = %lld, .lock_tries = %lld,\n"
		    "\t\t.scratch = %u, .out = %u, .hist_elision = %lld,\n"
		    "\t\t.least_stack = %lld, .backtrace = %lld, .overload_interval = %lldull, "
		    ".overload_threshold = %lldull, .memory = %lluull, .strict = %d,\n"
		    "\t\t.suppress_handler_errors = %d, .suppress_time_limits = %d, .bursts = %d,\n\t},\n",
		    (long long)p->max_string, (long long)p->max_entries, (long long)p->max_action,
		    (long long)p->max_action_interruptible, (long long)p->max_nesting,
		    (long long)p->max_errors, (long long)p->max_skipped, (long long)p->max_trylock,
		    p->scratch, p->out, (long long)p->hist_elision, (long long)p->least_stack,
		    (long long)p->backtrace,
		    (long long)p->overload_interval, (long long)p->overload_threshold,
		    (unsigned long long)o->max_memory, o->strict,
		    o->suppress_handler_errors, o->suppress_time_limits, p->bursts);
	if (o->hand_over && !o->simulate)
		text_add(out, "\t.globals = &globals,\n");
	if (p->lines.n)
		text_printf(out, "\t.lines = line_tables, .line_count = %zu,\n", p->lines.n);
	if (maps)
		text_printf(out, "\t.maps = maps, .map_count = %zu, .map_ops = &tap_maps,\n", maps);
	text_printf(out, "\t.probes = probes, .probe_count = %zu,\n"
		    "\t.formats = formats, .format_count = %zu,\n"
		    "\t.parameters = parameters, .parameter_count = %zu,\n"
		    "\t.symbols = symbols, .symbol_count = %zu,\n"
		    "\t.cells_size = sizeof(struct cells),\n\t.init = init,\n};\n",
		    p->rows.n, p->formats.n, parameters, p->symbols.n);
}
