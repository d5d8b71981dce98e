/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of a screen that shows some of many lines. */
#ifndef STAGING_PANE_H
#define STAGING_PANE_H

#include <stdbool.h>

struct pane {
	unsigned count, height;		/* lines that there are, that are shown */
	unsigned top;			/* the first one that is shown */
	unsigned at;			/* the chosen one; with FOLLOWS the last that is shown */
	bool follows;			/* new lines are shown, unless somebody looks at earlier ones */
};

/* It has so many lines now, and so much room. */
void pane_fit(struct pane *p, unsigned count, unsigned height);
void pane_move(struct pane *p, long by);

/* How LINES of a terminal are divided. The last one, of keys, stays from three lines on, the board's head
 * from eight on; output has what the board leaves, half of it at least. */
struct layout {
	unsigned head, board, bar, output, keys;
};
struct layout layout_divide(unsigned lines, unsigned board_wants, bool has_output, bool board_hidden);

#endif
