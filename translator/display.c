/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Globals that a script writes and never reads are printed when it ends: as a probe in the script's
 * own language, in SystemTap's format (numbers in hexadecimal, texts quoted, arrays sorted by value,
 * largest first). */
#include "display.h"

#include "text.h"
#include "translation.h"
#include "util.h"

static bool is_displayed(const struct variable *v)
{
	return v->is_written && !v->is_read && !v->span.source->is_library && v->type != TYPE_UNKNOWN &&
	       v->type != TYPE_ERROR;
}

static const char *directive(enum type t)
{
	return t == TYPE_STRING ? "\\\"%s\\\"" : "%#x";
}

static void write_value(struct text *out, const struct variable *v, const char *expr)
{
	static const char *const ops[] = { "count", "min", "max", "sum", "avg" };

	if (v->type != TYPE_STATS) {
		text_printf(out, "=%s\\n\"", directive(v->type));
		return;
	}
	(void)expr;
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		text_printf(out, " @%s=%%#x", ops[i]);
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

static void display_scalar(struct text *out, const struct variable *v)
{
	if (v->type == TYPE_STATS)
		text_printf(out, "\tif (@count(%s))\n\t", v->name);
	text_printf(out, "\tprintf(\"%s", v->name);
	write_value(out, v, v->name);
	write_arguments(out, v, v->name);
	text_add(out, ")\n");
}

static const char *key_list(struct arena *a, const struct variable *v)
{
	struct text t;

	text_init(&t, a);
	for (int i = 0; i < v->key_count; i++)
		text_printf(&t, "%s__%s_key%d", i ? ", " : "", v->name, i);
	return t.s;
}

static void display_array(struct text *out, const struct variable *v)
{
	const char *keys = key_list(out->arena, v);
	const char *element = arena_printf(out->arena, "%s[%s]", v->name, keys);

	text_printf(out, "\tforeach ([%s] in %s-)\n\t\tprintf(\"%s[", keys, v->name, v->name);
	for (int i = 0; i < v->key_count; i++)
		text_printf(out, "%s%s", i ? "," : "", directive(v->key_types[i]));
	text_char(out, ']');
	write_value(out, v, element);
	text_printf(out, ", %s", keys);
	write_arguments(out, v, element);
	text_add(out, ")\n");
}

const char *display_globals(struct translation *t, const struct program *p)
{
	struct text out;
	bool any = false;

	text_init(&out, t->arena);
	text_add(&out, "probe end {\n");
	vec_each(v, &p->globals) {
		if (!is_displayed(*v))
			continue;
		any = true;
		if ((*v)->key_count > 0)
			display_array(&out, *v);
		else
			display_scalar(&out, *v);
	}
	text_add(&out, "}\n");
	return any ? out.s : NULL;
}
