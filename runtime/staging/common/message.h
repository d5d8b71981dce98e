/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines on stderr, in SystemTap's words: "ERROR: ...", "WARNING: ...", and plain ones with -v. */
#ifndef STAGING_MESSAGE_H
#define STAGING_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

struct output;

enum message_colour { COLOUR_AUTO, COLOUR_NEVER, COLOUR_ALWAYS };

void message_open(enum message_colour colour, bool no_warnings, int verbose);

void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Shown from -v (1), -v -v (2) on. */
void message_verbose(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A script's warn() or error; TEXT may hold anything. Equal warnings are shown once, but with -v. */
void message_script(bool is_error, const char *text, size_t size);

/* While a session runs nothing may block: lines go through O. NULL: straight to stderr again. */
void message_through(struct output *o);
/* Without a terminal, each line to whoever cares; PRIORITY is syslog's. NULL: as before. */
void message_to(void (*take)(int priority, const char *text, size_t size));
/* To the system's log. */
void message_to_log(void);
void message_close(void);

#endif
