/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash map from names to pointers, in an arena. It keeps the order of insertion. */
#ifndef TAPC_MAP_H
#define TAPC_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"

struct map_entry {
	const char *key;
	void *value;
	uint64_t hash;
};

struct map {
	struct arena *arena;
	struct map_entry *entries;	/* n entries, in order of insertion */
	size_t n, room;
	uint32_t *slots;		/* index into entries plus 1; 0: empty */
	size_t slot_count;
};

void map_init(struct map *m, struct arena *a);
/* Returns the value of KEY, or NULL. */
void *map_get(const struct map *m, const char *key);
/* Sets KEY; returns true if it is new. The map keeps the pointer KEY and does not copy the text. */
bool map_set(struct map *m, const char *key, void *value);

#endif
