/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --simulate: builds a script's C with the simulating runtime and runs it as an ordinary process. */
#ifndef TAPC_SIMULATE_H
#define TAPC_SIMULATE_H

#include "base/text.h"

struct options;

/* Replaces this process; returns an exit status if that fails. */
int simulate_script(const struct options *o, const struct text *code, const struct text *embedded);

#endif
