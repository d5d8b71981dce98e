/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chain of sources of symbols, and the cache in front of it. */
#ifndef TAPC_DEBUGINFO_SYMBOLS_SOURCES_H
#define TAPC_DEBUGINFO_SYMBOLS_SOURCES_H

#include "debuginfo/handle.h"

/* Open the symbols of D: from the cache or from the first source that has them. */
enum debuginfo_answer symbols_open(struct debuginfo *d, const char **reason);

#endif
