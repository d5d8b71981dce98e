/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script that looks at the globals of the session that runs. */
#ifndef TAPC_SHELL_VALUES_H
#define TAPC_SHELL_VALUES_H

#include "state.h"

/* A probe of begin, for the declarations of the script without its probes, that prints EXPRESSION: with the values of
 * the session's globals, if the module is loaded with --values-of. *IS_GLOBAL: it is the name of a global, and the
 * probe leaves it to the display at the end of a session. NULL, with a message, if the session cannot be read. */
const char *values_probe(struct shell *sh, const char *expression, bool *is_global);

#endif
