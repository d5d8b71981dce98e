/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format: prints scripts formatted, checks them, or rewrites their files. */
#ifndef TAPC_FORMAT_FILES_H
#define TAPC_FORMAT_FILES_H

struct library;
struct translation;

/* Formats the files in the options' arguments, -e's text, or standard input. Returns the exit status. A script with a
 * syntax error is reported like any other, and not changed. */
int format_files(struct translation *t, struct library *library);

#endif
