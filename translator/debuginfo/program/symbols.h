/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program's symbols. */
#ifndef TAPC_DEBUGINFO_PROGRAM_SYMBOLS_H
#define TAPC_DEBUGINFO_PROGRAM_SYMBOLS_H

#include "image.h"

enum debuginfo_answer program_symbols(struct debuginfo *d, struct index *x, const char **reason);

#endif
