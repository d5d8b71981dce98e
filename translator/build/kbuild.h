/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C text -> kernel module.
 *
 *	struct cache cache;
 *	struct kbuild kb;
 *
 *	if (!cache_open(&cache, t) || !kbuild_open(&kb, t, &cache))	finds headers and compiler
 *		return EXIT_BUILD;
 *	key = kbuild_key(&kb), the C texts, -D, --kbuild: all inputs of the module;
 *	image = cache_get(&cache, key, &size);
 *	if (!image) {
 *		image = kbuild_module(&kb, &source, dir, &size);
 *		if (!image)
 *			return EXIT_BUILD;
 *		cache_put(&cache, key, image, size);
 *	}
 *	image = kbuild_finish(&kb, image, size, "tap_1234_77", &size);
 *
 * An image has a placeholder for its name, so a cached image serves runs of any name. Errors are
 * printed here and returned as false or NULL; the caller chooses the exit status. */
#ifndef TAPC_KBUILD_H
#define TAPC_KBUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel_target.h"
#include "template.h"

struct cache;
struct cache_key;
struct options;
struct target_host;

struct kbuild {
	struct arena *arena;
	const struct options *options;
	struct cache *cache;
	struct kernel_target target;
	struct template template;
};

struct module_source {
	const char *script;		/* generated C: includes only "tap_script.h" */
	const char *embedded;		/* the user's C, which may include kernel headers; or NULL */
};

/* Find the kernel and the runtime; builds nothing. */
bool kbuild_open(struct kbuild *kb, const struct options *o, struct target_host *host, struct cache *c);
/* Everything that the module depends on besides its own C: headers, compiler, runtime, -B. To be part of a key. The
 * kernel that runs may be another build with these headers (target.build_id): only places in scripts depend on that. */
const char *kbuild_key(struct kbuild *kb);
/* The same, faster: from the sizes and times of the runtime's files, without reading them. */
void kbuild_add_ages(const struct kbuild *kb, struct cache_key *k);
/* Compile TEXT, which includes kernel headers, in the existing directory DIR, with debug
 * information of all types that it declares. False: the output of make and the compiler is in *LOG. */
bool kbuild_types(struct kbuild *kb, const char *text, const char *dir, const char **object, char **log);
/* The compiler's report on the stack frames of the script's functions (gcc -fstack-usage), from a compile in
 * the existing directory DIR. NULL, with a message, if that fails; "" if this way of building reports nothing. */
const char *kbuild_stack_usage(struct kbuild *kb, const char *script, const char *dir);
/* Build in the existing directory DIR; the files stay there for -k. */
char *kbuild_module(struct kbuild *kb, const struct module_source *source, const char *dir, size_t *size);

/* A copy of the image named NAME, signed if the user asked for it; NULL with a message. */
char *kbuild_finish(struct kbuild *kb, const char *image, size_t size, const char *name, size_t *finished);

#endif
