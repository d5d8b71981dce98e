/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints globals with a probe in the script language, and so under the usual locks. At the end of the script it prints
 * the globals that the script writes and never reads, in SystemTap's format: numbers in decimal, pointers in
 * hexadecimal, strings quoted, arrays sorted by value, largest first. For --monitor-globals it prints all globals
 * whenever a file is read; writing to the file resets them. */
#include "display.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "syntax/print.h"

struct form {
	const char *print;
	bool marks_pointers;		/* prints them in hexadecimal */
	const char *limit;		/* of each foreach */
};

/* The generated text uses names with this prefix: it could not refer to private globals, whose names need not be
 * unique. */
static const char name_prefix[] = "__global_";

static const char *text_name(struct arena *a, const struct program *p, const struct variable *v)
{
	size_t i = 0;

	while (p->globals.items[i] != v)
		i++;
	return arena_printf(a, "%s%zu", name_prefix, i);
}

static bool is_known(const struct variable *v)
{
	return !v->span.source->is_library && v->type != TYPE_UNKNOWN && v->type != TYPE_ERROR;
}

static bool is_displayed(const struct variable *v)
{
	return v->is_written && !v->is_read && is_known(v);
}

static const char *directive(enum type t)
{
	return t == TYPE_STRING ? "\\\"%s\\\"" : "%d";
}

static void write_value(struct text *out, const struct form *f, const struct variable *v)
{
	static const char *const ops[] = { "count", "min", "max", "sum", "avg" };

	if (v->type != TYPE_STATS) {
		text_printf(out, "=%s\\n\"", v->pointee && f->marks_pointers ? "%#x" : directive(v->type));
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		text_printf(out, " @%s=%%d", ops[i]);
	text_add(out, "\\n\"");
}

static void write_arguments(struct text *out, const struct variable *v, const char *expr)
{
	if (v->type != TYPE_STATS)
		text_printf(out, ", %s", expr);
	else
		text_printf(out, ", @count(%s), @min(%s), @max(%s), @sum(%s), @avg(%s)", expr, expr, expr, expr,
			    expr);
}

static void display_scalar(struct text *out, const struct form *f, const struct variable *v, const char *name)
{
	if (v->type == TYPE_STATS)
		text_printf(out, "\tif (@count(%s))\n\t", name);
	text_printf(out, "\t%s(\"%s", f->print, v->name);
	write_value(out, f, v);
	write_arguments(out, v, name);
	text_add(out, ")\n");
}

static const char *key_list(struct arena *a, const struct variable *v, const char *name)
{
	struct text t;

	text_init(&t, a);
	for (int i = 0; i < v->key_count; i++)
		text_printf(&t, "%s__%s_key%d", i ? ", " : "", v->is_private ? name : v->name, i);
	return t.s;
}

static void display_array(struct text *out, const struct form *f, const struct variable *v, const char *name)
{
	const char *keys = key_list(out->arena, v, name);
	const char *element = arena_printf(out->arena, "%s[%s]", name, keys);

	text_printf(out, "\tforeach ([%s] in %s-%s)\n\t\t%s(\"%s[", keys, name, f->limit, f->print, v->name);
	for (int i = 0; i < v->key_count; i++)
		text_printf(out, "%s%s", i ? "," : "", directive(v->key_types[i]));
	text_char(out, ']');
	write_value(out, f, v);
	text_printf(out, ", %s", keys);
	write_arguments(out, v, element);
	text_add(out, ")\n");
}

static const char *display(struct arena *a, const struct program *p, const char *point,
			   const struct form *f, bool (*wanted)(const struct variable *))
{
	struct text out;
	bool any = false;

	text_init(&out, a);
	text_printf(&out, "probe %s {\n", point);
	vec_each(v, &p->globals) {
		if (!wanted(*v))
			continue;
		any = true;
		if ((*v)->key_count > 0)
			display_array(&out, f, *v, text_name(a, p, *v));
		else
			display_scalar(&out, f, *v, text_name(a, p, *v));
	}
	text_add(&out, "}\n");
	return any ? out.s : NULL;
}

const char *display_globals(struct arena *a, const struct program *p)
{
	static const struct form at_exit = { "printf", true, "" };

	return display(a, p, "end", &at_exit, is_displayed);
}

/* Resets the globals that the script writes to their initial values. */
static const char *reset(struct arena *a, const struct program *p)
{
	struct text out;
	bool any = false;

	text_init(&out, a);
	text_add(&out, "probe procfs(\"globals\").write {\n");
	vec_each(g, &p->globals) {
		const struct variable *v = *g;

		if (!is_known(v) || !v->is_written || v->is_option)	/* an option's value is not known here */
			continue;
		any = true;
		if (v->initial) {
			text_printf(&out, "\t%s = ", text_name(a, p, v));
			print_expr(&out, v->initial);
			text_char(&out, '\n');
		} else {
			text_printf(&out, "\tdelete %s\n", text_name(a, p, v));
		}
	}
	text_add(&out, "}\n");
	return any ? out.s : "";
}

const char *display_for_monitor(struct arena *a, const struct program *p)
{
	static const struct form on_request = { "$value .= sprintf", false, " limit 10" };
	const char *show = display(a, p, "procfs(\"globals\").read.maxsize(16384)", &on_request, is_known);

	return show ? arena_printf(a, "%s%s", show, reset(a, p)) : NULL;
}

/* ---- names in the generated text ---- */

static void bind_expr(struct expr **ep, void *data)
{
	const struct program *p = data;
	struct expr *e = *ep;

	if (!e)
		return;
	if (e->kind == EXPR_NAME && str_starts(e->name.name, name_prefix)) {
		e->name.variable = p->globals.items[strtoul(e->name.name + strlen(name_prefix), NULL, 10)];
		e->name.name = e->name.variable->name;
	}
	expr_each(e, bind_expr, data);
}

static void bind_stmt(struct stmt **sp, void *data)
{
	if (*sp)
		stmt_each(*sp, bind_expr, bind_stmt, data);
}

void display_bind(struct script *s, struct program *p)
{
	vec_each(probe, &s->probes)
		bind_stmt(&(*probe)->body, p);
}
