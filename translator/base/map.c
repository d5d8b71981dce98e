/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash map from names to pointers: open addressing, with entries in an array in order of insertion. */
#include "map.h"

#include "util.h"

void map_init(struct map *m, struct arena *a)
{
	*m = (struct map){ .arena = a };
}

static uint32_t *slot_of(const struct map *m, const char *key, uint64_t hash)
{
	size_t i = hash & (m->slot_count - 1);

	while (m->slots[i]) {
		const struct map_entry *e = &m->entries[m->slots[i] - 1];

		if (e->hash == hash && str_equal(e->key, key))
			break;
		i = (i + 1) & (m->slot_count - 1);
	}
	return &m->slots[i];
}

static void grow(struct map *m)
{
	m->slot_count = m->slot_count ? 2 * m->slot_count : 16;
	m->slots = arena_array(m->arena, uint32_t, m->slot_count);
	m->entries = arena_grow(m->arena, m->entries, m->n * sizeof(*m->entries),
				m->slot_count / 2 * sizeof(*m->entries));
	m->room = m->slot_count / 2;
	for (size_t i = 0; i < m->n; i++)
		*slot_of(m, m->entries[i].key, m->entries[i].hash) = (uint32_t)i + 1;
}

void *map_get(const struct map *m, const char *key)
{
	uint32_t slot;

	if (!m->n)
		return NULL;
	slot = *slot_of(m, key, hash_string(HASH_START, key));
	return slot ? m->entries[slot - 1].value : NULL;
}

bool map_set(struct map *m, const char *key, void *value)
{
	uint64_t hash = hash_string(HASH_START, key);
	uint32_t *slot;

	if (m->n == m->room)
		grow(m);
	slot = slot_of(m, key, hash);
	if (*slot) {
		m->entries[*slot - 1].value = value;
		return false;
	}
	m->entries[m->n] = (struct map_entry){ key, value, hash };
	*slot = (uint32_t)++m->n;
	return true;
}
