/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the server reads once, and all workers inherit: the library and its manual. */
#ifndef TAPC_SERVER_KNOWLEDGE_H
#define TAPC_SERVER_KNOWLEDGE_H

#include <stdbool.h>

#include "analysis.h"
#include "library/library.h"
#include "tools/manual.h"
#include "worker.h"

struct knowledge {
	struct library library;
	struct manual manual;
	bool is_read;			/* otherwise nothing could be read */
	bool is_tried;			/* knowledge_try was called */
};

/* Reads the library, again if it was read before. */
void knowledge_read(struct knowledge *k, const struct analyst *analyst);
/* Starts a worker that reads symbols and types of the kernel, as most scripts need them: indexes may have to be made,
 * which takes seconds. If it returns an object, it went well, and knowledge_warm reads them here. */
bool knowledge_try(struct knowledge *k, const struct analyst *analyst, struct worker *w);
void knowledge_warm(const struct analyst *analyst);
/* May a change of the file PATH change the library? */
bool knowledge_needs(const struct knowledge *k, const char *path);

#endif
