/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of standard input: from a terminal with editing, history and completion, if readline was there at build time;
 * plain ones otherwise. Between two lines the terminal is in its own mode. */
#ifndef TAPC_SHELL_LINE_H
#define TAPC_SHELL_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* What completes a line: names; words, which a blank follows; or names of files, which are found here. */
enum line_kind { LINE_NAMES, LINE_WORDS, LINE_FILES };
/* What may replace the bytes from START to END of LINE: a NULL-terminated array, all of malloc; NULL: nothing. Sets
 * *KIND unless these are names. */
typedef char **line_completer(void *data, const char *line, size_t start, size_t end, enum line_kind *kind);

/* True if standard input and output are a terminal. HISTORY: the file that keeps it, or NULL. */
bool line_open(const char *history, line_completer *completer, void *data);
void line_close(void);
/* Shows the prompt, if this is a terminal, and waits for a line. */
void line_await(const char *prompt);
/* What is typed between two lines is not shown, because the next prompt shows it; a program that needs the terminal
 * turns that on. */
void line_echo(bool on);
/* Standard input is readable. */
void line_receive(void);
/* The next whole line, of malloc, without its newline; NULL: none yet. */
char *line_take(void);
bool line_has_ended(void);
/* Discards what is being typed. False if that is nothing. */
bool line_discard(void);
/* Prints whole lines to standard output, above the one that is being typed. */
void line_print_above(const char *text, size_t size);
/* Prints the history; false if there is none. */
bool line_print_history(void);

#endif
