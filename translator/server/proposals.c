/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Long lists are cut: the editor asks again when more is typed. */
#include "proposals.h"

#include <string.h>

#include "base/arena.h"

enum { MOST = 1000 };

void proposals_open(struct proposals *p, struct question *q, const struct cursor *c)
{
	*p = (struct proposals){ .question = q, .cursor = c, .items = json_array() };
	map_init(&p->seen, q->arena);
}

void propose(struct proposals *p, int kind, enum proposal_rank rank, const char *name, const char *typed,
	     const char *detail)
{
	const struct cursor *c = p->cursor;
	json_t *item;

	if (!str_starts(name, c->word))
		return;
	if (json_array_size(p->items) >= MOST) {
		p->is_cut = true;
		return;
	}
	if (!map_set(&p->seen, name, (void *)1))
		return;
	item = json_pack("{s:s, s:i, s:o, s:s, s:{s:o, s:s}}", "label", name, "kind", kind, "sortText",
			 json_sprintf("%d%s", rank, name), "filterText", name, "textEdit",
			 "range", lines_range(&p->question->document->lines, c->start, c->at),
			 "newText", typed ? typed : name);
	if (item && detail)
		json_object_set_new(item, "detail", json_string(detail));
	if (item)
		json_array_append_new(p->items, item);
}

json_t *proposals_list(struct proposals *p)
{
	return json_pack("{s:b, s:o}", "isIncomplete", p->is_cut, "items", p->items);
}
