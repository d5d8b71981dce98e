/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module tap_gate (runtime/kernel/gate), which modules of scripts carry that have direct calls at returns. */
#ifndef TAPC_GATE_H
#define TAPC_GATE_H

#include <stdbool.h>
#include <stddef.h>

struct template;

/* Does the generated C have rows that use it? */
bool gate_is_wanted(const char *script);
/* The module's file, built in the directory DIR or from the cache. NULL: this kernel cannot have it, and the script
 * does without it. */
const char *gate_image(struct template *tp, const char *dir, size_t *size);

#endif
