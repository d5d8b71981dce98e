/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Infers all types, iterating over the whole program until nothing changes. */
#ifndef TAPC_INFER_H
#define TAPC_INFER_H

#include "syntax/ast.h"
#include "resolve.h"

struct translation;

/* Infers as many types as possible, without messages. */
void infer_types(struct translation *t, struct program *p);
/* Infers all types and reports conflicts and values without a type. */
bool infer_program(struct translation *t, struct program *p);
const char *type_name(enum type type);		/* "long", "string", "aggregate" */

#endif
