// SPDX-License-Identifier: GPL-2.0-or-later
/* A script's output is data: none of it reaches the terminal as a control sequence. */
#include "screen.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wctype.h>

#ifdef HAVE_NCURSES
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
#endif

#include "common/host.h"
#include "common/message.h"

enum { TAB = 8 };

/* The next character of TEXT, which is not empty. */
static wchar_t next_character(const char **text)
{
	mbstate_t state = { 0 };
	wchar_t c;
	size_t n = mbrtowc(&c, *text, strlen(*text), &state);

	if (n == (size_t)-1 || n == (size_t)-2) {
		(*text)++;
		return L'?';
	}
	*text += n;
	return c == L'\t' || iswprint((wint_t)c) ? c : L'?';
}

size_t screen_fit(wchar_t *to, size_t most, const char *text, unsigned left, unsigned room)
{
	unsigned at = 0, end = left + room;
	size_t n = 0;

	while (*text && at < end && n < most) {
		wchar_t c = next_character(&text);
		int width = c == L'\t' ? (int)(TAB - at % TAB) : wcwidth(c);

		if (at + (unsigned)width > end && c != L'\t')
			break;
		if (c != L'\t' && at >= left) {
			to[n++] = c;
			at += (unsigned)width;
			continue;
		}
		/* a tab, or half of a wide character, becomes blanks */
		for (; width > 0; width--, at++)
			if (at >= left && at < end && n < most)
				to[n++] = L' ';
	}
	return n;
}

#ifdef HAVE_NCURSES

static SCREEN *screen;

bool screen_is_possible(void)
{
	const char *terminal = getenv("TERM");
	int err;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		message_error("--monitor needs a terminal for its screen and keys: run without it, and watch with "
			      "taprun --monitor=NAME");
		return false;
	}
	if (setupterm(NULL, STDOUT_FILENO, &err) == OK && cursor_address && clear_screen)
		return true;
	message_error("--monitor cannot draw on a terminal of type '%s': set TERM to its type, such as xterm or "
		      "linux (ncurses comes with the descriptions)", terminal ? terminal : "");
	return false;
}

/* Uses newterm, because initscr ends the program on failure. */
bool screen_open(void)
{
	if (!screen_is_possible())
		return false;
	setlocale(LC_CTYPE, "");
	screen = newterm(NULL, stdout, stdin);
	if (!screen) {
		message_error("--monitor cannot use this terminal");
		return false;
	}
	if (has_colors() && start_color() == OK && use_default_colors() == OK) {
		init_pair(SCREEN_HEAD, COLOR_CYAN, -1);
		init_pair(SCREEN_DIM, COLOR_YELLOW, -1);
	}
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, true);
	nodelay(stdscr, true);
	set_escdelay(50);
	curs_set(0);
	return true;
}

void screen_close(void)
{
	endwin();
	delscreen(screen);
}

unsigned screen_lines(void)
{
	return (unsigned)getmaxy(stdscr);
}

static unsigned screen_columns(void)
{
	return (unsigned)getmaxx(stdscr);
}

void screen_line(unsigned row, const char *text, unsigned left, enum screen_look look)
{
	static const attr_t attributes[] = {
		[SCREEN_PLAIN] = A_NORMAL,
		[SCREEN_CHOSEN] = A_REVERSE, [SCREEN_HEAD] = A_BOLD, [SCREEN_BAR] = A_REVERSE,
		[SCREEN_DIM] = A_DIM,
	};
	short pair = has_colors() && (look == SCREEN_HEAD || look == SCREEN_DIM) ? (short)look : 0;
	size_t most = 4 * (size_t)screen_columns();	/* some characters combine with others */
	_cleanup_free_ wchar_t *wide = host_alloc(most * sizeof(*wide));

	move((int)row, 0);
	clrtobot();
	addnwstr(wide, (int)screen_fit(wide, most, text, left, screen_columns()));
	mvchgat((int)row, 0, -1, pair && look == SCREEN_DIM ? A_NORMAL : attributes[look], pair, NULL);
}

void screen_show(unsigned rows)
{
	if (move((int)rows, 0) == OK)
		clrtobot();
	refresh();
}

int screen_key(void)
{
	static const struct { int curses, ours; } keys[] = {
		{ ERR, SCREEN_NO_KEY }, { KEY_UP, SCREEN_UP }, { KEY_DOWN, SCREEN_DOWN }, { KEY_LEFT, SCREEN_LEFT },
		{ KEY_RIGHT, SCREEN_RIGHT }, { KEY_PPAGE, SCREEN_PAGE_UP }, { KEY_NPAGE, SCREEN_PAGE_DOWN },
		{ KEY_HOME, SCREEN_HOME }, { KEY_END, SCREEN_END }, { KEY_ENTER, SCREEN_ENTER },
		{ '\r', SCREEN_ENTER }, { '\n', SCREEN_ENTER }, { KEY_BACKSPACE, SCREEN_ERASE }, { '\b', SCREEN_ERASE },
		{ 127, SCREEN_ERASE }, { KEY_RESIZE, SCREEN_RESIZED },
	};
	int key = getch();

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].curses == key)
			return keys[i].ours;
	return key;
}

#else

bool screen_is_possible(void)
{
	message_error("this taprun was built without ncurses, which --monitor needs for its screen; "
		      "taprun --monitor=NAME | cat prints what it would show");
	return false;
}

bool screen_open(void)
{
	return screen_is_possible();
}

void screen_close(void)
{
}

unsigned screen_lines(void)
{
	return 0;
}

void screen_line(unsigned row, const char *text, unsigned left, enum screen_look look)
{
	(void)row, (void)text, (void)left, (void)look;
}

void screen_show(unsigned rows)
{
	(void)rows;
}

int screen_key(void)
{
	return SCREEN_NO_KEY;
}

#endif
