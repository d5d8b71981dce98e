/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the arguments of printf against its format. */
#ifndef TAPC_INFER_FORMAT_H
#define TAPC_INFER_FORMAT_H

#include "syntax/ast.h"

struct arena;

/* Checks the format of a printf or sprintf. With REPORTING, reports errors in it and a wrong number of
 * arguments. */
void infer_format(struct arena *a, struct expr *print, bool reporting);
/* The type that the format expects for argument I; UNKNOWN if it has no directive for it. */
enum type infer_format_type(const struct expr *print, size_t i);

#endif
