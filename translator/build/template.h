/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runtime, built once for a kernel and kept in the cache: scripts are linked with it into modules. */
#ifndef TAPC_TEMPLATE_H
#define TAPC_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "recipe.h"
#include "base/vec.h"

struct cache;
struct cache_key;
struct kernel_target;
struct options;

/* Every module is built under this name, which is as long as the longest possible one (55
 * characters: MODULE_NAME_LEN is 64 - sizeof(long), with the NUL). */
#define TEMPLATE_NAME "tap_template_whose_name_is_replaced_for_every_module___"

struct template_source {
	const char *name;		/* relative to runtime/: "kernel/main.c" */
	const char *path;
	const char *text;		/* set by template_key */
	size_t size;
};

struct template {
	struct arena *arena;
	const struct options *options;
	struct cache *cache;
	const struct kernel_target *target;
	VEC(struct template_source) sources;
	const char *key;		/* set by template_key */
	const char *dir;		/* in the cache: include/ libtap.a main.o mod.o ... */
	bool ready;

	/* when ready */
	bool replay;			/* the recipe is understood */
	struct recipe recipe;
	struct map symbols;		/* all symbols that a script's object may leave undefined */
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
/* Find the template's directory or build it now. False with a message. */
bool template_prepare(struct template *tp);

/* The path of a file of the template. */
const char *template_file(const struct template *tp, const char *name);
/* Print the messages of compilers and checkers in kbuild's output; with ALL also make's progress. */
void template_print_log(const char *log, bool all);

#endif
