/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of the translator: the state that its stages share. */
#ifndef TAPC_TRANSLATION_H
#define TAPC_TRANSLATION_H

#include "base/arena.h"
#include "base/intern.h"
#include "cache_dir.h"
#include "options.h"
#include "diag.h"

struct images;

struct translation {
	struct arena *arena;
	struct options *options;
	struct target_host *target;
	const char *script_name;	/* the script's file, for messages of the module */
	struct diag diag;
	struct interned names;
	bool *used_args;		/* which command line arguments the script has used */
	struct images *images;		/* what debug information is read from */
	struct cache_dir cache;
};

#endif
