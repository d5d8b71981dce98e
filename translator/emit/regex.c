/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles regular expressions to the tables that runtime/core uses for matching. Equal patterns share
 * tables. */
#include "regex.h"

#include <string.h>

#include "core/regex.h"
#include "source/diag.h"
#include "base/util.h"
#include "core/regex_compile.h"

struct regex_walk {
	struct plan *plan;
	bool groups;			/* the program uses matched() or ngroups() */
};

static bool same_pattern(const struct expr *a, const struct expr *b)
{
	return a->match.pattern_size == b->match.pattern_size &&
	       !memcmp(a->match.pattern, b->match.pattern, a->match.pattern_size);
}

static void add_pattern(struct expr *e, void *data)
{
	struct regex_walk *w = data;
	struct plan *p = w->plan;
	struct tap_regex_error error = { 0 };
	struct tap_regex *re;

	if (e->kind != EXPR_MATCH)
		return;
	for (size_t i = 0; i < p->regexes.n; i++)
		if (same_pattern(p->regexes.items[i].match, e)) {
			e->match.regex = (unsigned)i;
			return;
		}
	re = tap_regex_compile(e->match.pattern, (u32)e->match.pattern_size, w->groups, &error);
	if (!re) {
		diag_error(e->match.pattern_span, "in the regular expression, at character %u: %s",
			   error.position + 1, error.text);
		return;
	}
	e->match.regex = (unsigned)p->regexes.n;
	*vec_add(p->arena, &p->regexes) = (struct regex_plan){ e, re };
}

static bool asks_for_groups(const struct program *p)
{
	vec_each(f, &p->functions)
		if (str_equal((*f)->name, "matched") || str_equal((*f)->name, "ngroups"))
			return true;
	return false;
}

bool plan_regexes(struct plan *p)
{
	struct regex_walk w = { p, asks_for_groups(p->program) };
	unsigned errors = p->diag->errors;

	plan_each_expr(p, add_pattern, &w);
	return p->diag->errors == errors;
}

/* ---- as C ---- */

static void write_numbers(struct text *out, const char *type, const char *name, size_t number,
			  const void *data, size_t size, size_t n)
{
	text_printf(out, "static const %s %s_%zu[] = {", type, name, number);
	for (size_t i = 0; i < n; i++)
		text_printf(out, "%s%u,", i % 16 ? " " : "\n\t",
			    size == 1 ? ((const u8 *)data)[i] : ((const u16 *)data)[i]);
	text_add(out, "\n};\n");
}

static void write_nodes(struct text *out, size_t number, const struct tap_regex *re)
{
	text_printf(out, "static const struct tap_regex_node re_nodes_%zu[] = {\n", number);
	for (u32 i = 0; i < re->node_count; i++) {
		const struct tap_regex_node *n = &re->nodes[i];

		text_printf(out, "\t{ %u, %u, %u, %u, %u, %u },\n", n->op, n->group, n->last_group, n->fork,
			    n->next, n->other);
	}
	text_add(out, "};\n");
}

static void write_regex(struct text *out, size_t i, const struct tap_regex *re)
{
	write_numbers(out, "u8", "re_classes", i, re->classes, 1, 256);
	write_numbers(out, "u16", "re_next", i, re->next, 2, (size_t)re->states * re->columns);
	write_numbers(out, "u8", "re_at_end", i, re->at_end, 1, re->states);
	if (re->back) {
		write_numbers(out, "u16", "re_back", i, re->back, 2,
			      (size_t)re->back_states * re->back_columns);
		write_numbers(out, "u8", "re_begins", i, re->begins, 1, re->back_states);
		write_numbers(out, "u16", "re_rows", i, re->rows, 2, re->back_states);
		write_numbers(out, "u8", "re_choices", i, re->choices, 1,
			      (size_t)re->choice_rows * re->choice_size);
		write_nodes(out, i, re);
	}
	text_printf(out, "static const struct tap_regex regex_%zu = {\n\t.classes = re_classes_%zu, "
		    ".columns = %u, .groups = %u,\n\t.next = re_next_%zu, .states = %u, .start = %u, "
		    ".at_end = re_at_end_%zu,\n", i, i, re->columns, re->groups, i, re->states, re->start,
		    i);
	if (re->back)
		text_printf(out, "\t.back = re_back_%zu, .back_states = %u, .back_columns = %u, "
			    ".back_start = %u,\n\t.back_start_empty = %u, .begins = re_begins_%zu, "
			    ".rows = re_rows_%zu,\n\t.choices = re_choices_%zu, .choice_size = %u, "
			    ".choice_rows = %u, "
			    ".nodes = re_nodes_%zu, .node_count = %u,\n", i, re->back_states,
			    re->back_columns, re->back_start, re->back_start_empty, i, i, i,
			    re->choice_size, re->choice_rows, i, re->node_count);
	text_add(out, "};\n\n");
}

void emit_regexes(const struct plan *p, struct text *out)
{
	if (p->regexes.n)
		text_add(out, "#include \"core/regex.h\"\n");
	for (size_t i = 0; i < p->regexes.n; i++)
		write_regex(out, i, p->regexes.items[i].compiled);
}
