/* SPDX-License-Identifier: GPL-2.0-or-later */
/* readline calls back with a whole line and then is off, so that what the line prints and runs has the terminal in its
 * own mode. */
#include "line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#ifdef HAVE_READLINE
#include <readline/history.h>
#include <readline/readline.h>
#endif

#include "base/util.h"

enum { MOST_HISTORY = 1000 };

static struct {
	bool is_terminal, has_ended;
	bool is_awaited;		/* the prompt is shown */
	char *line;			/* from readline */
	char *received;			/* without it: bytes, of malloc */
	size_t size;
	const char *history;
	line_completer *completer;
	void *data;
	char **matches;			/* from the completer, and the next one to return */
} lines;

#ifdef HAVE_READLINE
/* ---- with readline ---- */

static void take(char *line)
{
	rl_callback_handler_remove();
	line_echo(false);
	lines.is_awaited = false;
	lines.line = line;
	lines.has_ended = !line;
	if (!line)
		putchar('\n');
}

static char *next_match(const char *text, int state)
{
	(void)text, (void)state;
	return lines.matches && *lines.matches ? *lines.matches++ : NULL;
}

static char **complete(const char *text, int start, int end)
{
	enum line_kind kind = LINE_NAMES;
	char **all = lines.completer(lines.data, rl_line_buffer, (size_t)start, (size_t)end, &kind), **matches;

	rl_attempted_completion_over = kind != LINE_FILES;
	rl_completion_append_character = kind == LINE_WORDS ? ' ' : '\0';
	rl_completion_suppress_quote = 1;
	lines.matches = all;
	matches = rl_completion_matches(text, next_match);	/* takes over the names */
	free(all);
	lines.matches = NULL;
	return matches;
}

static void open_editor(void)
{
	rl_readline_name = "tapc";
	rl_catch_signals = 0;
	rl_attempted_completion_function = complete;
	rl_completer_word_break_characters = (char *)" \t\n\"\\'`><=;|&{}()[],!+-*/%?^~";
	rl_variable_bind("blink-matching-paren", "off");
	using_history();
	stifle_history(MOST_HISTORY);
	if (lines.history)
		read_history(lines.history);
}

static void await_edited(const char *prompt)
{
	line_echo(true);
	rl_callback_handler_install(prompt, take);
}

static void close_editor(void)
{
	if (lines.is_awaited)
		rl_callback_handler_remove();
	if (lines.history && lines.is_terminal && history_length && write_history(lines.history))
		error_print("cannot write the history '%s': %s", lines.history, strerror(errno));
}

static void remember(const char *line)
{
	HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;

	if (*line && (!last || !str_equal(last->line, line)))
		add_history(line);
}

bool line_print_history(void)
{
	HIST_ENTRY **list = history_list();

	for (size_t i = 0; list && list[i]; i++)
		printf("%5zu  %s\n", i + 1, list[i]->line);
	return true;
}

bool line_discard(void)
{
	bool any = lines.is_terminal && lines.is_awaited && rl_end;

	if (!lines.is_terminal || !lines.is_awaited)
		return false;
	fputs("^C\n", stdout);
	fflush(stdout);
	rl_callback_handler_remove();
	lines.is_awaited = false;
	return any;
}

void line_print_above(const char *text, size_t size)
{
	bool is_shown = lines.is_terminal && lines.is_awaited;

	if (is_shown)
		rl_clear_visible_line();
	fwrite(text, 1, size, stdout);
	fflush(stdout);
	if (is_shown) {
		rl_on_new_line();
		rl_redisplay();
	}
}
#else
static void open_editor(void) { }
static void close_editor(void) { }
static void remember(const char *line) { (void)line; }

static void await_edited(const char *prompt)
{
	fputs(prompt, stdout);
	fflush(stdout);
}

bool line_print_history(void)
{
	return false;
}

bool line_discard(void)
{
	if (lines.is_terminal)
		putchar('\n');
	return false;
}

void line_print_above(const char *text, size_t size)
{
	fwrite(text, 1, size, stdout);
	fflush(stdout);
}
#endif

/* ---- the interface ---- */

void line_echo(bool on)
{
	struct termios modes;

	if (!lines.is_terminal || tcgetattr(STDIN_FILENO, &modes))
		return;
	modes.c_lflag = on ? modes.c_lflag | ECHO : modes.c_lflag & ~(tcflag_t)ECHO;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
}

bool line_open(const char *history, line_completer *completer, void *data)
{
	lines.is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	lines.history = lines.is_terminal ? history : NULL;
	lines.completer = completer;
	lines.data = data;
	open_editor();
	return lines.is_terminal;
}

void line_close(void)
{
	close_editor();
	line_echo(true);
	free(lines.received);
	lines.received = NULL;
}

void line_await(const char *prompt)
{
	if (lines.is_awaited || !lines.is_terminal)
		return;
	await_edited(prompt);
	lines.is_awaited = true;
}

static void receive_bytes(void)
{
	char piece[4096];
	ssize_t n = read(STDIN_FILENO, piece, sizeof(piece));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		lines.has_ended = true;
		return;
	}
	lines.received = realloc(lines.received, lines.size + (size_t)n);
	if (!lines.received)
		fatal("out of memory");
	memcpy(lines.received + lines.size, piece, (size_t)n);
	lines.size += (size_t)n;
}

void line_receive(void)
{
#ifdef HAVE_READLINE
	if (lines.is_terminal && lines.is_awaited) {
		rl_callback_read_char();
		return;
	}
	if (lines.is_terminal)
		return;
#endif
	receive_bytes();
}

/* The last line need not have a newline. */
static char *take_received(void)
{
	char *end = lines.size ? memchr(lines.received, '\n', lines.size) : NULL, *line;
	size_t n = end ? (size_t)(end - lines.received) : lines.size;

	if (!end && (!lines.has_ended || !lines.size))
		return NULL;
	line = strndup(lines.received, n);
	if (!line)
		fatal("out of memory");
	n += end != NULL;
	memmove(lines.received, lines.received + n, lines.size - n);
	lines.size -= n;
	lines.is_awaited = false;
	return line;
}

char *line_take(void)
{
	char *line = lines.line ? lines.line : take_received();

	lines.line = NULL;
	if (line)
		remember(line);
	return line;
}

bool line_has_ended(void)
{
	return lines.has_ended && !lines.size && !lines.line;
}
