/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values given to a script on the command line: see given.c. */
#ifndef TAPC_GIVEN_H
#define TAPC_GIVEN_H

#include <stdbool.h>

struct diag;
struct options;
struct script;

/* Sets the initial values of SCRIPT's globals. Prints errors and returns false if a global does not exist or cannot
 * have the value. */
bool given_set(const struct options *o, struct diag *d, struct script *script);
/* Checks in the resolved script that each global that was set is a single value; infer reports aggregates. Returns
 * false after messages, also if there were errors before. */
bool given_is_single(const struct options *o, struct diag *d, const struct script *script);
/* Warns of arguments that the script does not use; they may have been meant as options. */
void given_warn_unused(const struct options *o, struct diag *d, const bool *used);

#endif
