/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line tables of all units. If several lines have the same address, the last one is used, as
 * debuggers do; further rows of the same line are dropped. */
#include "lines.h"

#include <stdlib.h>

#include "dwarf.h"
#include "base/util.h"

struct collector {
	struct dwarf_file *f;
	struct source_lines *lines;
	size_t room;
};

static void add(struct collector *c, const struct source_line *line)
{
	struct source_lines *l = c->lines;

	if (l->n == c->room) {
		c->room = c->room ? 2 * c->room : 4096;
		l->list = xrealloc(l->list, c->room * sizeof(*l->list));
	}
	l->list[l->n++] = *line;
}

/* False: the row has no usable line. */
static bool read_line(struct collector *c, Dwarf_Line *from, struct source_line *line, bool *ends)
{
	const char *section;
	Dwarf_Addr address;
	int number;

	if (dwarf_lineaddr(from, &address) || dwarf_lineno(from, &number) ||
	    dwarf_lineendsequence(from, ends) ||
	    !dwarf_offset(c->f, address - *ends, &section, &line->offset) ||
	    (section && !str_equal(section, ".text")))
		return false;
	line->offset += *ends;
	line->file = *ends ? NULL : dwarf_linesrc(from, NULL, NULL);
	line->line = line->file && number > 0 ? (uint32_t)number : 0;
	return true;
}

/* The unit's sequences, which are in ascending order. */
static void read_unit(struct collector *c, Dwarf_Die *unit)
{
	struct source_line last = { 0 };
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(unit, &lines, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		struct source_line line;
		bool ends;

		if (!read_line(c, dwarf_onesrcline(lines, i), &line, &ends))
			continue;
		if (last.line && last.offset == line.offset)
			c->lines->n--;
		else if (last.line && last.line == line.line && last.file == line.file)
			continue;
		add(c, &line);
		last = line;
	}
}

/* If one sequence ends where the next one begins, the beginning is used. */
static int compare(const void *a, const void *b)
{
	const struct source_line *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (y->line != 0) - (x->line != 0);
}

static void put_in_order(struct source_lines *l)
{
	size_t n = 0;

	if (l->n)
		qsort(l->list, l->n, sizeof(*l->list), compare);
	for (size_t i = 0; i < l->n; i++)
		if (!n || l->list[n - 1].offset != l->list[i].offset)
			l->list[n++] = l->list[i];
	l->n = n;
}

enum debuginfo_answer debuginfo_lines(struct debuginfo *d, struct source_lines *lines)
{
	struct collector c = { .lines = lines };
	const char *reason;
	enum debuginfo_answer answer = dwarf_open(d, &reason);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	*lines = (struct source_lines){ 0 };
	if (answer != DEBUGINFO_FOUND)
		return debuginfo_answered(d, answer, reason);
	c.f = d->dwarf;
	while (dwarf_get_units(c.f->dw, cu, &cu, NULL, NULL, &unit, NULL) == 0)
		read_unit(&c, &unit);
	put_in_order(lines);
	if (lines->n)
		return debuginfo_answered(d, DEBUGINFO_FOUND, "");
	return debuginfo_answered(d, DEBUGINFO_ABSENT,
				  arena_printf(d->arena, "%s has no line table", c.f->path));
}
