/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runtime, built once for a kernel and kept in the cache: what a script's module is linked from. */
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
struct translation;

/* Every module is built under this name, which leaves room for the longest one (55 characters:
 * MODULE_NAME_LEN is 64 - sizeof(long), with the NUL). */
#define TEMPLATE_NAME "tap_template_whose_name_is_replaced_for_every_module___"

struct template_source {
	const char *name;		/* below runtime/: "kernel/main.c" */
	const char *path;
	const char *text;		/* once template_key has read it */
	size_t size;
};

struct template {
	struct translation *t;
	struct cache *cache;
	const struct kernel_target *target;
	VEC(struct template_source) sources;
	const char *key;		/* once template_key has told it */
	const char *dir;		/* in the cache: include/ libtap.a main.o mod.o ... */
	bool ready;

	/* when ready */
	bool replay;			/* the recipe is understood */
	struct recipe recipe;
	struct map symbols;		/* all that a script's object may leave undefined */
	bool has_common;		/* module-common.o, kernels from 6.12 on */
};

/* Find the runtime's sources. False, with a message, when they are not there. */
bool template_open(struct template *tp, struct translation *t, struct cache *c,
		   const struct kernel_target *target, const char *runtime_dir);
/* Add to a key what decides the template as far as it can be told without reading sources: by their ages. */
void template_add_ages(const struct template *tp, struct cache_key *k);
/* The template's own key, of the sources' texts: it is the same where the files are others. */
const char *template_key(struct template *tp);
/* The template's directory is there and sound: found, or built now. False with a message. */
bool template_prepare(struct template *tp);

/* A file of the template. */
const char *template_file(const struct template *tp, const char *name);
/* Print what compilers and checkers said in kbuild's output; with ALL also what make did. */
void template_print_log(const char *log, bool all);

#endif
