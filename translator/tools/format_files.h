/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format: prints scripts formatted, checks them, or rewrites their files. */
#ifndef TAPC_FORMAT_FILES_H
#define TAPC_FORMAT_FILES_H

#include <stdbool.h>

struct library;
struct options;
struct source;
struct target_host;
struct text;

/* Formats the files in the options' arguments, -e's text, or standard input. Returns the exit status. A script with a
 * syntax error is reported like any other, and not changed. */
int format_files(struct options *o, const struct target_host *host, struct library *library);

/* Appends the formatted text of S to OUT. False, after a message, if it has a syntax error. Changes the options that
 * checking depends on. */
bool format_script(struct options *o, const struct target_host *host, struct library *library, struct source *s,
		   struct text *out);

#endif
