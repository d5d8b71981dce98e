/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of the screen that shows some of many lines. */
#ifndef STAGING_PANE_H
#define STAGING_PANE_H

#include <stdbool.h>

struct pane {
	unsigned count, height;		/* total lines, visible lines */
	unsigned top;			/* first visible line */
	unsigned at;			/* selected line; with FOLLOWS the last visible line */
	bool follows;			/* new lines are shown, unless the user has scrolled back */
};

/* Sets the number of lines and the room for them. */
void pane_fit(struct pane *p, unsigned count, unsigned height);
void pane_move(struct pane *p, long by);

/* How LINES of a terminal are divided. The last line, of keys, is shown from three lines on, the board's head
 * from eight on. Output gets what the board leaves, but at least half. */
struct layout {
	unsigned head, board, bar, output, keys;
};
struct layout layout_divide(unsigned lines, unsigned board_wants, bool has_output, bool board_hidden);

#endif
