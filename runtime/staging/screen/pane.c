// SPDX-License-Identifier: GPL-2.0-or-later
/* Scrolling arithmetic: the selected line is always shown, and no room is left empty while there are lines to
 * fill it. */
#include "pane.h"

#include "board.h"

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static unsigned last_of(const struct pane *p)
{
	return p->count ? p->count - 1 : 0;
}

static unsigned last_top(const struct pane *p)
{
	return p->count > p->height ? p->count - p->height : 0;
}

static void show_chosen(struct pane *p)
{
	if (p->at < p->top)
		p->top = p->at;
	if (p->at >= p->top + p->height)
		p->top = p->at - p->height + 1;
	p->top = least(p->top, last_top(p));
}

void pane_fit(struct pane *p, unsigned count, unsigned height)
{
	bool at_end = p->follows && p->at >= last_of(p);

	p->count = count;
	p->height = height ? height : 1;
	p->at = at_end ? last_of(p) : least(p->at, last_of(p));
	show_chosen(p);
}

/* If no line is highlighted, the first key must scroll at once. */
void pane_move(struct pane *p, long by)
{
	long from = !p->follows ? p->at : by < 0 ? p->top : least(p->top + p->height - 1, last_of(p));
	long to = from + by, last = last_of(p);

	p->at = (unsigned)(to < 0 ? 0 : to > last ? last : to);
	show_chosen(p);
	if (p->follows)
		p->at = least(p->top + p->height - 1, last_of(p));
}

struct layout layout_divide(unsigned lines, unsigned board_wants, bool has_output, bool board_hidden)
{
	struct layout l = { 0 };

	if (board_hidden && has_output)
		board_wants = 0;
	if (lines >= 3)
		l.keys = 1;
	lines -= l.keys;
	if (board_wants && lines >= 8)
		l.head = BOARD_HEAD;
	lines -= l.head;
	if (has_output && board_wants && lines >= 3)
		l.bar = 1;
	lines -= l.bar;
	if (has_output && (l.bar || !board_wants))
		l.output = lines - least(board_wants, lines / 2);
	l.board = lines - l.output;
	return l;
}
