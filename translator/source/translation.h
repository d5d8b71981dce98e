/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of the translator: what its stages share. */
#ifndef TAPC_TRANSLATION_H
#define TAPC_TRANSLATION_H

#include "base/arena.h"
#include "base/map.h"
#include "options.h"
#include "source.h"
#include "base/vec.h"

/* What the script has to do with something in the library; see diag_used. */
struct library_use {
	struct span definition, use;
};

struct translation {
	struct arena *arena;
	struct options *options;
	struct target_host *target;
	const char *script_name;	/* the script's file, for messages of the module */
	unsigned errors, warnings;
	bool mute;			/* the last message was suppressed, so are its notes */
	struct span shown;		/* the line of the script that was printed last */
	struct map said;		/* messages printed so far */
	VEC(struct library_use) library_uses;
	struct map strings;		/* interned names */
	bool *used_args;		/* which arguments of the script it has asked for */
	size_t skipped_sites;		/* places that wildcards met and that cannot be probed */
	struct debuginfo *kernel;	/* the target kernel's symbols; see sites_kernel */
	struct map programs;		/* struct debuginfo by path; see sites_program */
	bool names_programs;		/* what a name of a program means was looked up on this machine */
	/* headers_object(); NULL: nothing can be compiled here */
	const char *(*header_types)(struct translation *t, const char *headers, bool in_kernel, const char **reason);
	const char *cache;		/* see cache_dir() */
	bool cache_tried;
	struct map inputs;		/* paths of files that what is known of these was read from */
};

/* The same pointer for equal names. */
const char *intern(struct translation *t, const char *s, size_t n);

#endif
