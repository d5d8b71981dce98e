/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions about an image's symbols that only its other files ask; the rest is in debuginfo.h. */
#ifndef TAPC_DEBUGINFO_SYMBOLS_SYMBOLS_H
#define TAPC_DEBUGINFO_SYMBOLS_SYMBOLS_H

#include "debuginfo/handle.h"

/* The one variable NAME of the symbol table, of D or else of the kernel. */
enum debuginfo_answer debuginfo_datum(struct debuginfo *d, const char *name, struct symbol *s, const char **reason);

#endif
