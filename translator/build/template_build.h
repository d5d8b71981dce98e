/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building the runtime for a kernel, or more of it. */
#ifndef TAPC_TEMPLATE_BUILD_H
#define TAPC_TEMPLATE_BUILD_H

#include <stdbool.h>

struct map;
struct template;

/* Make TP's directory of the sources NEEDED (their names), among which are all that it has if it is ready. The caller
 * holds its lock. False with a message. */
bool template_build(struct template *tp, const struct map *needed);

/* Print the messages of compilers and checkers in kbuild's output; with ALL also make's progress. */
void template_print_log(const char *log, bool all);

#endif
