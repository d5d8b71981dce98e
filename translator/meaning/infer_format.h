/* SPDX-License-Identifier: GPL-2.0-or-later */
/* printf's format against its arguments. */
#ifndef TAPC_INFER_FORMAT_H
#define TAPC_INFER_FORMAT_H

#include "syntax/ast.h"

struct translation;

/* Check the format text of a printf or sprintf; with REPORTING, say what is wrong with it or with the
 * number of arguments. */
void infer_format(struct translation *t, struct expr *print, bool reporting);
/* The type that the format wants of argument I; UNKNOWN when there is no such directive. */
enum type infer_format_type(const struct expr *print, size_t i);

#endif
