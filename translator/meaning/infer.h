/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of everything, to a fixed point over the whole program. */
#ifndef TAPC_INFER_H
#define TAPC_INFER_H

#include "syntax/ast.h"
#include "resolve.h"

struct translation;

/* As far as they can be told, without a word about what is wrong. */
void infer_types(struct translation *t, struct program *p);
/* And everything has to have one. */
bool infer_program(struct translation *t, struct program *p);
const char *type_name(enum type type);		/* "long", "string", "aggregate" */

#endif
