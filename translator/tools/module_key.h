/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Under what name a module stands in the cache: see module_key.c. */
#ifndef TAPC_MODULE_KEY_H
#define TAPC_MODULE_KEY_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct cache_key;
struct kbuild;
struct text;
struct translation;

/* Of a module whose C is known. */
void module_key_of_code(struct cache_key *k, const struct translation *t, struct kbuild *kb,
			const struct text *code, const struct text *embedded);
/* The same told without reading the script's meaning, save for the files that its points made it ask. Under
 * this key the cache has their paths; with the same files as before, everything up to the load can be left
 * out. False when a folder of the library cannot be read, with a message. */
bool module_key_of_script(struct cache_key *k, struct translation *t, const struct kbuild *kb,
			  const char *text, size_t size);
/* Of the script of that key with these files (each ends with a byte 0) as they are now. */
const char *module_key_of_inputs(struct arena *a, const char *script_key, const char *paths, size_t size);

#endif
