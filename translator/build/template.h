/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runtime, built for a kernel and kept in the cache: scripts are linked with it into modules. Its sources are
 * compiled when a script first needs them. */
#ifndef TAPC_TEMPLATE_H
#define TAPC_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "parts.h"
#include "recipe.h"

struct cache;
struct cache_key;
struct kernel_target;
struct options;

/* Every module is built under this name, which is as long as the longest possible one (55
 * characters: MODULE_NAME_LEN is 64 - sizeof(long), with the NUL). */
#define TEMPLATE_NAME "tap_template_whose_name_is_replaced_for_every_module___"

/* Increment this when the contents of a template change. */
#define TEMPLATE_FORMAT "template 6"

struct template {
	struct arena *arena;
	const struct options *options;
	struct cache *cache;
	const struct kernel_target *target;
	struct template_sources sources;
	const char *key;		/* set by template_key */
	const char *own;		/* its directory in the cache */
	const char *dir;		/* the same, or the one for all users: include/ libtap.a base.o mod.o ... */
	bool ready;

	/* when ready */
	bool replay;			/* the recipe is understood */
	struct recipe recipe;
	struct map symbols;		/* all symbols that a script's object may leave undefined */
	struct map parts;		/* the sources that are compiled: their lines in the file "parts" */
	bool has_common;		/* module-common.o, kernels from 6.12 on */
};

/* Find the runtime's sources. False, with a message, if they are missing. */
bool template_open(struct template *tp, const struct options *o, struct cache *c,
		   const struct kernel_target *target, const char *runtime_dir);
/* Add everything to a key that decides the template and can be found without reading sources: for
 * these, size and time are used. */
void template_add_ages(const struct template *tp, struct cache_key *k);
/* The template's own key, from the contents of the sources: two copies of the same sources have the same key. */
const char *template_key(struct template *tp);
/* Find the template's directory, or build it now with what SCRIPT, a C text, needs; NULL: with everything. What is
 * found may lack something. False with a message. */
bool template_prepare(struct template *tp, const char *script);
/* Add what NAMES, a C text or a list of names, needs and the template does not have; NULL: everything. */
bool template_extend(struct template *tp, const char *names);

/* The path of a file of the template. */
const char *template_file(const struct template *tp, const char *name);

#endif
