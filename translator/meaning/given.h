/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a script is given from outside: see given.c. */
#ifndef TAPC_GIVEN_H
#define TAPC_GIVEN_H

#include <stdbool.h>

struct script;
struct translation;

/* Sets the initial values of SCRIPT's globals. False, with messages, when one is not there or takes no such
 * value. */
bool given_set(struct translation *t, struct script *script);
/* What only the resolved script tells: whether each global that was set is one value. infer tells of
 * aggregates. False, with messages, also when there were errors before. */
bool given_is_single(struct translation *t, const struct script *script);
/* Arguments that the script never asks for: perhaps meant as options. */
void given_warn_unused(struct translation *t);
/* --help behind the script's name. */
void given_print_help(const struct translation *t, const struct script *script);

#endif
