/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines on stderr, in SystemTap's form: "ERROR: ...", "WARNING: ...", and lines without a prefix with -v. */
#ifndef STAGING_MESSAGE_H
#define STAGING_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

enum message_colour { COLOUR_AUTO, COLOUR_NEVER, COLOUR_ALWAYS };

void message_open(enum message_colour colour, bool no_warnings, int verbose);

void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Shown if -v was given at least LEVEL times. */
void message_verbose(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A script's warn() or error; TEXT may contain any bytes. Equal warnings are shown once, or every time with -v. */
void message_script(bool is_error, const char *text, size_t size);

/* While a session runs nothing may block, so lines are added to a buffer, TO, that the session flushes. */
struct message_buffer {
	void (*add)(void *to, const char *line, size_t size);
	bool (*flush)(void *to);
	void *to;
};
/* BUFFER is copied. NULL: directly to stderr again. */
void message_through(const struct message_buffer *buffer);
/* Passes each line to TAKE, for processes without a terminal. PRIORITY is syslog's. NULL: as before. */
void message_to(void (*take)(int priority, const char *text, size_t size));
/* Sends messages to the system log. */
void message_to_log(void);
void message_close(void);

#endif
