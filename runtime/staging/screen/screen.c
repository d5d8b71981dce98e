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
#define NCURSES_NOMACROS
#include <curses.h>
#include <term.h>
#endif

#include "common/host.h"
#include "common/library.h"
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

#define CURSES_FUNCTIONS(X) X(setupterm) X(tigetstr) X(newterm) X(newwin) X(has_colors) X(start_color) \
	X(use_default_colors) X(init_pair) X(cbreak) X(noecho) X(nonl) X(keypad) X(nodelay) X(set_escdelay) \
	X(curs_set) X(delwin) X(endwin) X(delscreen) X(getmaxy) X(getmaxx) X(wmove) X(wclrtobot) X(waddnwstr) \
	X(wchgat) X(wrefresh) X(wgetch)
LIBRARY(curses, "libncursesw.so.6", CURSES_FUNCTIONS)

static SCREEN *screen;
static WINDOW *window;		/* all of it */

static bool terminal_has(const char *capability)
{
	const char *text = curses.tigetstr(capability);

	return text && text != (char *)-1;
}

bool screen_is_possible(void)
{
	const char *terminal = getenv("TERM");
	int err;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		message_error("--monitor needs a terminal for its screen and keys: run without it, and watch with "
			      "taprun --monitor=NAME");
		return false;
	}
	if (!curses_load()) {
		message_error("--monitor needs ncurses for its screen: install libncursesw6 (Debian) or ncurses-libs (Fedora); "
			      "taprun --monitor=NAME | cat prints what it would show");
		return false;
	}
	if (curses.setupterm(NULL, STDOUT_FILENO, &err) == OK && terminal_has("cup") && terminal_has("clear"))
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
	screen = curses.newterm(NULL, stdout, stdin);
	window = screen ? curses.newwin(0, 0, 0, 0) : NULL;
	if (!window) {
		if (screen)
			screen_close();
		message_error("--monitor cannot use this terminal");
		return false;
	}
	if (curses.has_colors() && curses.start_color() == OK && curses.use_default_colors() == OK) {
		curses.init_pair(SCREEN_HEAD, COLOR_CYAN, -1);
		curses.init_pair(SCREEN_DIM, COLOR_YELLOW, -1);
	}
	curses.cbreak();
	curses.noecho();
	curses.nonl();
	curses.keypad(window, true);
	curses.nodelay(window, true);
	curses.set_escdelay(50);
	curses.curs_set(0);
	return true;
}

void screen_close(void)
{
	curses.endwin();
	curses.delwin(window);
	curses.delscreen(screen);
}

unsigned screen_lines(void)
{
	return (unsigned)curses.getmaxy(window);
}

static unsigned screen_columns(void)
{
	return (unsigned)curses.getmaxx(window);
}

void screen_line(unsigned row, const char *text, unsigned left, enum screen_look look)
{
	static const attr_t attributes[] = {
		[SCREEN_PLAIN] = A_NORMAL,
		[SCREEN_CHOSEN] = A_REVERSE, [SCREEN_HEAD] = A_BOLD, [SCREEN_BAR] = A_REVERSE,
		[SCREEN_DIM] = A_DIM,
	};
	short pair = curses.has_colors() && (look == SCREEN_HEAD || look == SCREEN_DIM) ? (short)look : 0;
	size_t most = 4 * (size_t)screen_columns();	/* some characters combine with others */
	_cleanup_free_ wchar_t *wide = host_alloc(most * sizeof(*wide));

	curses.wmove(window, (int)row, 0);
	curses.wclrtobot(window);
	curses.waddnwstr(window, wide, (int)screen_fit(wide, most, text, left, screen_columns()));
	curses.wmove(window, (int)row, 0);
	curses.wchgat(window, -1, pair && look == SCREEN_DIM ? A_NORMAL : attributes[look], pair, NULL);
}

void screen_show(unsigned rows)
{
	if (curses.wmove(window, (int)rows, 0) == OK)
		curses.wclrtobot(window);
	curses.wrefresh(window);
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
	int key = curses.wgetch(window);

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
