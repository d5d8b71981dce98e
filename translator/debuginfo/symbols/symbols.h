/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries of an image's symbols for internal use; the public ones are in debuginfo.h. */
#ifndef TAPC_DEBUGINFO_SYMBOLS_SYMBOLS_H
#define TAPC_DEBUGINFO_SYMBOLS_SYMBOLS_H

#include "debuginfo/handle.h"

/* The only variable NAME in the symbol table of D, or else of the kernel. */
enum debuginfo_answer debuginfo_datum(struct debuginfo *d, const char *name, struct symbol *s, const char **reason);

#endif
