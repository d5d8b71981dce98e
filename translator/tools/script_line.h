/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the first lines of a script's file say of options. */
#ifndef TAPC_SCRIPT_LINE_H
#define TAPC_SCRIPT_LINE_H

#include "base/arena.h"
#include "source/options.h"

/* A script that is run by its name, "#!/usr/bin/tapc -T 2 -v", gets all behind the program's name as one word:
 * *ARGC and *ARGV with the words apart. */
void script_line_split(struct arena *a, int *argc, char ***argv);
/* "# tapc: -D MAXSTRINGLEN=2048" among the lines that TEXT begins with: limits that the command line does not set.
 * Other options there are notes to the reader: a file may not ask for rights. */
void script_line_limits(struct arena *a, const char *text, struct options *o);

#endif
