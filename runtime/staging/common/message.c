// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages become whole lines and go where they cannot block the session: to an output that the session
 * flushes, else to stderr in one write, else to the system log (-D). */
#include "message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "repeats.h"

static struct {
	bool no_warnings, coloured;
	void (*take)(int priority, const char *text, size_t size);
	int verbose;
	struct message_buffer through;	/* without ADD: none */
} message;

void message_open(enum message_colour colour, bool no_warnings, int verbose)
{
	const char *term = getenv("TERM");

	message.no_warnings = no_warnings;
	message.verbose = verbose;
	message.coloured = colour == COLOUR_ALWAYS ||
			   (colour == COLOUR_AUTO && isatty(2) && term && strcmp(term, "dumb") != 0);
}

static void write_stderr(const char *text, size_t size)
{
	while (size) {
		ssize_t n = write(2, text, size);

		if (n < 0 && errno != EINTR)
			return;
		if (n > 0) {
			text += n;
			size -= (size_t)n;
		}
	}
}

static void put(const char *text, size_t size)
{
	if (message.through.add)
		message.through.add(message.through.to, text, size);
	else
		write_stderr(text, size);
}

/* Builds PREFIX, TEXT and a newline in one buffer, so that the line is one write. */
static void put_line(const char *prefix, const char *colour, int priority, const char *text,
		     size_t size)
{
	const char *on = message.coloured ? colour : "", *off = *on ? "\033[m" : "";
	const char *end = size && text[size - 1] == '\n' ? "" : "\n";
	char *line;
	int n;

	if (message.take) {
		message.take(priority, text, size);
		return;
	}
	line = malloc(size + 64);
	if (!line)
		return;
	n = sprintf(line, "%s%s%s", on, prefix, off);
	memcpy(line + n, text, size);
	n += (int)size;
	n += sprintf(line + n, "%s", end);
	put(line, (size_t)n);
	free(line);
}

static void put_format(const char *prefix, const char *colour, int priority, const char *format,
		       va_list args)
{
	char text[4096];
	int n = vsnprintf(text, sizeof(text), format, args);

	if (n < 0)
		return;
	if ((size_t)n >= sizeof(text))
		n = sizeof(text) - 1;
	put_line(prefix, colour, priority, text, (size_t)n);
}

#define RED "\033[01;31m"
#define YELLOW "\033[33m"

void message_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_format("ERROR: ", RED, LOG_ERR, format, args);
	va_end(args);
}

void message_warning(const char *format, ...)
{
	va_list args;

	if (message.no_warnings)
		return;
	va_start(args, format);
	put_format("WARNING: ", YELLOW, LOG_WARNING, format, args);
	va_end(args);
}

void message_verbose(int level, const char *format, ...)
{
	va_list args;

	if (message.verbose < level)
		return;
	va_start(args, format);
	put_format("taprun: ", "", LOG_INFO, format, args);
	va_end(args);
}

void message_script(bool is_error, const char *text, size_t size)
{
	if (is_error)
		put_line("ERROR: ", RED, LOG_ERR, text, size);
	else if (!message.no_warnings && (message.verbose || !repeats(text, size)))
		put_line("WARNING: ", YELLOW, LOG_WARNING, text, size);
}

void message_through(const struct message_buffer *buffer)
{
	message.through = buffer ? *buffer : (struct message_buffer){ 0 };
}

void message_to(void (*take)(int priority, const char *text, size_t size))
{
	message.take = take;
}

static void log_line(int priority, const char *text, size_t size)
{
	const char *prefix = priority == LOG_ERR ? "ERROR: " : priority == LOG_WARNING ? "WARNING: " : "";

	syslog(priority, "%s%.*s", prefix, size > 4096 ? 4096 : (int)size, text);
}

void message_to_log(void)
{
	openlog("taprun", LOG_PID, LOG_DAEMON);
	message_to(log_line);
}

void message_close(void)
{
	if (message.through.add)
		message.through.flush(message.through.to);
	message_through(NULL);
}
