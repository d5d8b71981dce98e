/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The print functions: print, printf, ... */
#ifndef TAPC_SYNTAX_PRINT_OP_H
#define TAPC_SYNTAX_PRINT_OP_H

#include "ast.h"
#include "base/util.h"

const struct print_op *print_op_of(const char *name);		/* or NULL */
/* The names of print, printf, ... */
void print_op_names(struct arena *a, name_list *names);

#endif
