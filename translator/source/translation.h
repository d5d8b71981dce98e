/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of the translator: the state that its stages share, from resolve to plan. */
#ifndef TAPC_TRANSLATION_H
#define TAPC_TRANSLATION_H

#include "diag.h"

struct images;
struct options;

struct translation {
	struct arena *arena;
	const struct options *options;
	struct diag diag;
	struct images *images;		/* what debug information is read from */
	const char *script_name;	/* the script's file, for messages of the module */
};

#endif
