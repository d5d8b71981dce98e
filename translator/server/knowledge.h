/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the server reads once, and all workers inherit: the library and its manual. */
#ifndef TAPC_SERVER_KNOWLEDGE_H
#define TAPC_SERVER_KNOWLEDGE_H

#include <stdbool.h>

#include "analysis.h"
#include "library/library.h"
#include "tools/manual.h"

struct knowledge {
	struct library library;
	struct manual manual;
	bool is_read;			/* otherwise nothing could be read */
	bool is_warm;			/* what most scripts need of debug information was tried to read */
};

/* Reads the library, again if it was read before. */
void knowledge_read(struct knowledge *k, const struct analyst *analyst);
/* Reads symbols and types of the kernel. */
void knowledge_warm(struct knowledge *k, const struct analyst *analyst);
/* May a change of the file PATH change the library? */
bool knowledge_needs(const struct knowledge *k, const char *path);

#endif
