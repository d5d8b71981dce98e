/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The whole screen of a terminal, through ncurses. */
#ifndef STAGING_SCREEN_H
#define STAGING_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/* Keys that are not characters. */
enum {
	SCREEN_NO_KEY = -1, SCREEN_UP = 0x10000000, SCREEN_DOWN, SCREEN_LEFT, SCREEN_RIGHT, SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN, SCREEN_HOME, SCREEN_END, SCREEN_ENTER, SCREEN_ERASE, SCREEN_RESIZED
};

enum screen_look { SCREEN_PLAIN, SCREEN_CHOSEN, SCREEN_HEAD, SCREEN_BAR, SCREEN_DIM };

/* Can the screen be used? If not, a message says why and what to do. */
bool screen_is_possible(void);
/* False, with a message. A child forked earlier is not affected. */
bool screen_open(void);
/* Restores the terminal. */
void screen_close(void);

unsigned screen_lines(void);
/* Call this from the top line downwards. LEFT columns of TEXT are skipped; what does not fit is cut off. */
void screen_line(unsigned row, const char *text, unsigned left, enum screen_look look);
/* Makes the drawn lines visible and clears the screen from line ROWS on. */
void screen_show(unsigned rows);

/* The next key, a character or one of the above; never waits. SIGWINCH gives SCREEN_RESIZED. */
int screen_key(void);

/* Converts the part of TEXT, in the locale's encoding, that starts at column LEFT and fits into ROOM columns.
 * Tabs become blanks, unprintable characters '?'. TO has room for MOST characters. Returns their number. */
size_t screen_fit(wchar_t *to, size_t most, const char *text, unsigned left, unsigned room);

#endif
