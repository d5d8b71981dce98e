/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C text -> kernel module.
 *
 *	struct cache cache;
 *	struct kbuild kb;
 *
 *	if (!cache_open(&cache, t) || !kbuild_open(&kb, t, &cache))	finds headers and compiler
 *		return EXIT_BUILD;
 *	key = kbuild_key(&kb), the C texts, -D, --kbuild: all that decides the module;
 *	image = cache_get(&cache, key, &size);
 *	if (!image) {
 *		image = kbuild_module(&kb, &source, dir, &size);
 *		if (!image)
 *			return EXIT_BUILD;
 *		cache_put(&cache, key, image, size);
 *	}
 *	image = kbuild_finish(&kb, image, size, "tap_1234_77", &size);
 *
 * An image has a placeholder for a name, so one that is cached serves runs of any name. What goes
 * wrong is printed here and returned as false or NULL; the caller chooses the exit status. */
#ifndef TAPC_KBUILD_H
#define TAPC_KBUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel_target.h"
#include "template.h"

struct cache;
struct cache_key;
struct translation;

struct kbuild {
	struct translation *t;
	struct cache *cache;
	struct kernel_target target;
	struct template template;
};

struct module_source {
	const char *script;		/* generated C: includes "tap_script.h" alone */
	const char *embedded;		/* the user's C, which may include kernel headers; or NULL */
};

/* Where the runtime's sources are: -R, else TAPC_RUNTIME of the environment, else among tapc's own
 * files. */
const char *kbuild_runtime_dir(struct translation *t);

/* Find the kernel and the runtime; builds nothing. */
bool kbuild_open(struct kbuild *kb, struct translation *t, struct cache *c);
/* What the module depends on besides its own C: kernel, compiler, runtime, -B. To be part of a key. */
const char *kbuild_key(struct kbuild *kb);
/* The same sooner, by the runtime's files as they are: their contents are not read. */
void kbuild_add_ages(const struct kbuild *kb, struct cache_key *k);
/* Have the runtime built for the kernel, if it is not yet. kbuild_module does it too. */
bool kbuild_prepare(struct kbuild *kb);
/* Compile TEXT, which includes kernel headers, in the existing directory DIR, with debug information of all that
 * it declares. False: what make and the compiler said is in *LOG. */
bool kbuild_types(struct kbuild *kb, const char *text, const char *dir, const char **object, char **log);
/* What the compiler says of the stack frames of the script's functions (gcc -fstack-usage), from a compile in the
 * existing directory DIR. NULL, with a message, when that fails; "" where the way to build tells nothing of it. */
const char *kbuild_stack_usage(struct kbuild *kb, const char *script, const char *dir);
/* Build in the existing directory DIR, which keeps the files for -k. */
char *kbuild_module(struct kbuild *kb, const struct module_source *source, const char *dir, size_t *size);

/* Is NAME fit for a module: letters, digits, '_', at most 55 of them. */
bool kbuild_name_is_good(const char *name);
/* A copy of the image that is called NAME, signed if that was asked for; NULL with a message. */
char *kbuild_finish(struct kbuild *kb, const char *image, size_t size, const char *name, size_t *finished);

#endif
