/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probe points: kernel.{function("a"), function("b")}.return? if (x), syscall.*
 *
 * The parser keeps a list of the points read so far. Each component is appended to all of them; each
 * alternative in braces is appended to a copy of them. */
#include <string.h>

#include "source/diag.h"
#include "parse_state.h"
#include "base/intern.h"

static void parse_part(struct parser *p, point_list *points);

/* Does the current token follow the previous one without a blank, as in sys_*read? */
static bool is_glued(const struct parser *p)
{
	return p->last.span.source == p->token.span.source &&
	       p->last.span.end == p->token.span.start;
}

static bool is_word(enum token_kind k)
{
	return k == TOKEN_NAME || (k >= TOKEN_PROBE && k <= TOKEN_LONG_TYPE);
}

enum { MOST_ACROSS = 8 };

static unsigned count_across(const char *name)
{
	unsigned n = 0;

	while ((name = strstr(name, "**"))) {
		name += 2;
		n++;
	}
	return n;
}

/* "sys_*read": names and stars without blanks between them. */
static const char *parse_pattern(struct parser *p)
{
	const char *name = "";
	struct span start = p->token.span;

	while (is_word(p->token.kind) || parser_at(p, TOKEN_STAR)) {
		const char *text = parser_at(p, TOKEN_STAR) ? "*" : p->token.text;

		if (*name && !is_glued(p))
			break;
		if (strchr(text, '$')) {
			diag_error(p->token.span, "names in a probe point cannot contain '$'");
			parser_fail(p, p->token.span);
			break;
		}
		name = *name ? arena_printf(p->arena, "%s%s", name, text) : text;
		parser_advance(p);
	}
	if (count_across(name) > MOST_ACROSS && !p->failed) {
		diag_error(start, "a name in a probe point may contain '**' at most %d times", MOST_ACROSS);
		parser_fail(p, start);
	}
	return intern(p->strings, name, strlen(name));
}

static void parse_argument(struct parser *p, struct point_component *c)
{
	c->has_argument = true;
	if (parser_at(p, TOKEN_STRING)) {
		c->is_string = true;
		c->text = parser_string(p, "a string").text;
	} else if (parser_at(p, TOKEN_NUMBER) || parser_at(p, TOKEN_MINUS)) {
		c->number = parser_number(p, "a number");
	} else {
		parser_expected(p, "a string or a number");
	}
	parser_expect(p, TOKEN_RPAREN);
}

static struct point_component parse_component(struct parser *p)
{
	struct point_component c = { .span = p->token.span };

	if (!is_word(p->token.kind) && !parser_at(p, TOKEN_STAR)) {
		parser_expected(p, "a name, '*' or '{'");
		c.name = "";
		return c;
	}
	c.name = parse_pattern(p);
	if (parser_accept(p, TOKEN_LPAREN))
		parse_argument(p, &c);
	c.span = parser_span(p, c.span);
	return c;
}

static bool has_suffix(const struct point *point)
{
	return point->optional || point->sufficient || point->condition;
}

/* Adds a new point: BEGINNING followed by END. */
static void add_joined(struct parser *p, point_list *to, const struct point *beginning,
		       const struct point *end)
{
	struct point *joined = arena_new(p->arena, struct point);

	*joined = *end;
	joined->span = span_join(beginning->span, end->span);
	joined->components.items = NULL;
	joined->components.n = joined->components.room = 0;
	vec_each(c, &beginning->components)
		*vec_add(p->arena, &joined->components) = *c;
	vec_each(c, &end->components)
		*vec_add(p->arena, &joined->components) = *c;
	*vec_add(p->arena, to) = joined;
}

static bool check_continued(struct parser *p, const point_list *points)
{
	vec_each(point, points) {
		if (!has_suffix(*point) || p->failed)
			continue;
		diag_error((*point)->span, "'?', '!' and conditions are allowed only at the end of a point");
		parser_fail(p, (*point)->span);
	}
	return !p->failed;
}

/* Replaces POINTS by all combinations of a point and one of ENDS. */
static void join_points(struct parser *p, point_list *points, const point_list *ends)
{
	point_list joined = { 0 };

	if (!check_continued(p, points))
		return;
	if (points->n * ends->n > MOST_POINTS) {
		diag_error(points->items[0]->span, "braces expand to more than %d probe points",
			   MOST_POINTS);
		parser_fail(p, points->items[0]->span);
		return;
	}
	vec_each(point, points)
		vec_each(end, ends)
			add_joined(p, &joined, *point, *end);
	*points = joined;
}

/* {a, b.c}: each alternative may have its own suffix, if nothing follows the braces. */
static point_list parse_alternatives(struct parser *p)
{
	point_list points = { 0 };

	parser_enter(p);
	parser_advance(p);
	do {
		point_list more = { 0 };

		parse_part(p, &more);
		vec_each(point, &more)
			*vec_add(p->arena, &points) = *point;
	} while (parser_accept(p, TOKEN_COMMA));
	if (!parser_accept(p, TOKEN_RBRACE))
		parser_expected(p, "',' or '}'");
	parser_leave(p);
	return points;
}

static void parse_suffix(struct parser *p, point_list *points)
{
	bool optional = parser_accept(p, TOKEN_QUESTION);
	bool sufficient = !optional && parser_accept(p, TOKEN_NOT);
	struct expr *condition = NULL;

	if (parser_accept(p, TOKEN_IF)) {
		parser_expect(p, TOKEN_LPAREN);
		condition = parse_expr(p);
		parser_expect(p, TOKEN_RPAREN);
	}
	if (!optional && !sufficient && !condition)
		return;
	if (!check_continued(p, points))
		return;
	vec_each(point, points) {
		(*point)->optional = optional;
		(*point)->sufficient = sufficient;
		(*point)->condition = condition && point > points->items ?
				      expr_copy(p->arena, condition) : condition;
		(*point)->span = parser_span(p, (*point)->span);
	}
}

/* A list of one empty point. */
static point_list start_points(struct parser *p)
{
	point_list points = { 0 };
	struct point *point = arena_new(p->arena, struct point);

	point->span = p->token.span;
	*vec_add(p->arena, &points) = point;
	return points;
}

static void check_length(struct parser *p, const struct point *point)
{
	if (point->components.n <= MOST_COMPONENTS || p->failed)
		return;
	diag_error(point->span, "a probe point has at most %d components", MOST_COMPONENTS);
	parser_fail(p, point->span);
}

static void parse_part(struct parser *p, point_list *points)
{
	*points = start_points(p);
	do {
		if (parser_at(p, TOKEN_LBRACE)) {
			point_list ends = parse_alternatives(p);

			join_points(p, points, &ends);
		} else {
			struct point_component c;

			if (!check_continued(p, points))
				return;
			c = parse_component(p);
			vec_each(point, points) {
				*vec_add(p->arena, &(*point)->components) = c;
				(*point)->span = parser_span(p, (*point)->span);
			}
		}
		check_length(p, points->items[0]);
	} while (parser_accept(p, TOKEN_DOT));
	parse_suffix(p, points);
}

void parse_points(struct parser *p, point_list *points)
{
	do {
		point_list more;

		parse_part(p, &more);
		vec_each(point, &more)
			*vec_add(p->arena, points) = *point;
		if (points->n > MOST_POINTS && !p->failed) {
			diag_error(more.items[0]->span, "more than %d probe points", MOST_POINTS);
			parser_fail(p, more.items[0]->span);
		}
	} while (parser_accept(p, TOKEN_COMMA));
}

static bool is_plain(const struct point *name)
{
	vec_each(c, &name->components)
		if (c->has_argument || strchr(c->name, '*'))
			return false;
	return !has_suffix(name);
}

bool parse_check_alias(struct parser *p, const point_list *names)
{
	const struct point *name = names->items[names->n - 1];

	if (p->failed)
		return false;
	if (names->n == 1 && is_plain(name))
		return true;
	diag_error(name->span, "an alias must have one plain name: no list, arguments, "
			       "'*', '{}', '?', '!' or 'if'");
	parser_fail(p, name->span);
	return false;
}
