/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of modules in the cache: see module_key.c. */
#ifndef TAPC_MODULE_KEY_H
#define TAPC_MODULE_KEY_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct cache_key;
struct kbuild;
struct text;
struct options;
struct target_host;

/* The key of a module whose C is known. */
void module_key_of_code(struct cache_key *k, const struct options *o, struct kbuild *kb,
			const struct text *code, const struct text *embedded);
/* The same without parsing the script, except for the files that its points were resolved from. The
 * cache has the paths of these files under this key; if they are unchanged, everything up to the
 * load can be skipped. False, with a message, if a directory of the library cannot be read. */
bool module_key_of_script(struct cache_key *k, const struct options *o, const struct target_host *host,
			  const struct kbuild *kb, const char *name, const char *text, size_t size);
/* The key for the script of that key, with these files (each path ends with a null byte) as they are now. */
const char *module_key_of_inputs(struct arena *a, const char *script_key, const char *paths, size_t size);

#endif
