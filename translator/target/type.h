/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operators on types and raw memory. */
#ifndef TAPC_TARGET_TYPE_H
#define TAPC_TARGET_TYPE_H

#include <stdbool.h>

struct expr;
struct target_scope;

/* Replace E (@sizeof, @enum and so on) by its value. Reports errors. */
bool target_resolve_type_op(const struct target_scope *at, struct expr *e);

#endif
