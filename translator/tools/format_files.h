/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format: prints scripts formatted, checks them, or rewrites their files. */
#ifndef TAPC_FORMAT_FILES_H
#define TAPC_FORMAT_FILES_H

struct library;
struct options;
struct target_host;

/* Formats the files in the options' arguments, -e's text, or standard input. Returns the exit status. A script with a
 * syntax error is reported like any other, and not changed. */
int format_files(struct options *o, const struct target_host *host, struct library *library);

#endif
