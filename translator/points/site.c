/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that families use to make sites: points with a pattern replaced by its match, and reasons. */
#include "site.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "syntax/print.h"

struct site *site_add(struct sites *sites, const struct probe_family *family, const struct point *point,
		      const struct point_shape *shape)
{
	struct site *s = vec_add(sites->arena, &sites->list);
	struct point plain = *point;

	plain.optional = plain.sufficient = false;
	plain.condition = NULL;
	*s = (struct site){ .family = family, .shape = shape, .point = point };
	s->name = point_text(sites->arena, &plain);
	return s;
}

const struct point_component *point_component(const struct point *point, const char *name)
{
	vec_each(c, &point->components)
		if (str_equal(c->name, name))
			return c;
	return NULL;
}

const struct point *point_met(struct sites *sites, const struct point *point, const char *name, const char *text)
{
	const struct point_component *pattern = point_component(point, name);
	struct point *met;

	if (!pattern || !pattern->is_string || !is_glob(pattern->text))
		return point;
	met = arena_new(sites->arena, struct point);
	*met = *point;
	met->components.items = NULL;
	met->components.n = met->components.room = 0;
	vec_each(c, &point->components) {
		struct point_component *copy = vec_add(sites->arena, &met->components);

		*copy = *c;
		if (c == pattern)
			copy->text = text;
	}
	return met;
}

bool point_maxactive(const struct point *point, struct sites *sites, int64_t *n)
{
	const struct point_component *c = point_component(point, "maxactive");

	*n = c ? c->number : 0;
	if (*n >= 0 && *n <= UINT16_MAX)
		return true;
	sites_reason(sites, "expected maxactive from 0 (tapc chooses) to %d, found %lld", UINT16_MAX, (long long)*n);
	return false;
}

void sites_reason(struct sites *sites, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	*vec_add(sites->arena, &sites->reasons) = arena_vprintf(sites->arena, fmt, ap);
	va_end(ap);
}

const char *sites_written(struct arena *a, const struct site *const *sites, size_t n)
{
	const struct point *last = NULL;
	struct text t;
	int points = 0;

	text_init(&t, a);
	for (size_t i = 0; i < n; i++) {
		if (sites[i]->point == last)
			continue;
		last = sites[i]->point;
		if (points++ == 3) {
			text_add(&t, ", ...");
			break;
		}
		text_printf(&t, "%s%s", points > 1 ? ", " : "", point_text(a, last));
	}
	return t.s;
}

const char *site_text(struct arena *a, const struct site *s)
{
	struct text t;

	text_init(&t, a);
	for (const char *p = s->name; *p; p++) {
		if (*p == 1)
			text_add(&t, s->shown);
		else
			text_char(&t, *p);
	}
	return t.s;
}
