/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A terminal's whole screen, by ncurses. */
#ifndef STAGING_SCREEN_H
#define STAGING_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/* Keys beside characters. */
enum {
	SCREEN_NO_KEY = -1, SCREEN_UP = 0x10000000, SCREEN_DOWN, SCREEN_LEFT, SCREEN_RIGHT, SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN, SCREEN_HOME, SCREEN_END, SCREEN_ENTER, SCREEN_ERASE, SCREEN_RESIZED
};

enum screen_look { SCREEN_PLAIN, SCREEN_CHOSEN, SCREEN_HEAD, SCREEN_BAR, SCREEN_DIM };

/* Can there be a screen? If not, says why and what to do. */
bool screen_is_possible(void);
/* False, with a message. A child that was there before knows nothing of it. */
bool screen_open(void);
/* The terminal is as it was. */
void screen_close(void);

unsigned screen_lines(void);
unsigned screen_columns(void);
/* Lines come from the top downwards; LEFT columns of TEXT are left out, and what does not fit. */
void screen_line(unsigned row, const char *text, unsigned left, enum screen_look look);
/* What was drawn is seen; below ROWS it is empty. */
void screen_show(unsigned rows);

/* What was typed, a character or one of the above; never waits. SIGWINCH makes it SCREEN_RESIZED. */
int screen_key(void);

/* The part of TEXT, of the locale's encoding, from column LEFT on that fits into ROOM columns; tabs are blanks, what
 * cannot be shown is '?'. TO has room for MOST. Returns how many. */
size_t screen_fit(wchar_t *to, size_t most, const char *text, unsigned left, unsigned room);

#endif
