/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of the translator: the state that its stages share. */
#ifndef TAPC_TRANSLATION_H
#define TAPC_TRANSLATION_H

#include "base/arena.h"
#include "base/map.h"
#include "cache_dir.h"
#include "options.h"
#include "source.h"
#include "base/vec.h"

/* A place in the script that leads to a definition in the library; see diag_used. */
struct library_use {
	struct span definition, use;
};

struct images;

struct translation {
	struct arena *arena;
	struct options *options;
	struct target_host *target;
	const char *script_name;	/* the script's file, for messages of the module */
	unsigned errors, warnings;
	bool mute;			/* the last message was suppressed, and so are its notes */
	struct span shown;		/* the line of the script that was printed last */
	struct map said;		/* messages printed so far */
	VEC(struct library_use) library_uses;
	struct map strings;		/* interned names */
	bool *used_args;		/* which command line arguments the script has used */
	struct images *images;		/* what debug information is read from */
	struct cache_dir cache;
};

/* Returns the same pointer for equal names. */
const char *intern(struct translation *t, const char *s, size_t n);

#endif
