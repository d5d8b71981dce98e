/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options in the first lines of a script's file. */
#ifndef TAPC_SCRIPT_LINE_H
#define TAPC_SCRIPT_LINE_H

#include "base/arena.h"
#include "source/options.h"

/* A script that is run by its name, "#!/usr/bin/tapc -T 2 -v", gets everything after the program's
 * name as one word: split it into separate words of *ARGC and *ARGV. */
void script_line_split(struct arena *a, int *argc, char ***argv);
/* "# tapc: -D MAXSTRINGLEN=2048" among the comment lines at the start of TEXT: limits that the command line
 * does not set. Other options there are only notes to the reader: a file must not give itself rights. */
void script_line_limits(struct arena *a, const char *text, struct options *o);

#endif
