/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A map's iterators, one for each foreach that may run at once: their memory, and moving them on when the entry that
 * comes next is deleted. */
#include "core/sort.h"
#include "core/table.h"

static void *claim(struct tap_map *m, u64 size, bool *failed)
{
	void *memory = tap_alloc(size);

	if (memory)
		m->bytes += size;
	else
		*failed = true;
	return memory;
}

bool tap_iterators_open(struct tap_map *m)
{
	u32 strings = tap_map_key_strings(m), i;
	bool failed = false;

	m->sorting = m->shape->iterators;
	m->iterator_count = m->sorting + tap_map_live_iterators(m);
	if (!m->iterator_count)
		return true;
	m->iterators = claim(m, (u64)m->iterator_count * sizeof(*m->iterators), &failed);
	for (i = 0; i < m->sorting && !failed; i++) {
		struct tap_iterator *it = &m->iterators[i];

		it->items = claim(m, (u64)m->size * sizeof(*it->items), &failed);
		if (!m->tables)
			continue;
		it->copies = claim(m, m->shape->key_count * sizeof(*it->copies), &failed);
		if (strings)
			it->texts = claim(m, (u64)strings * (m->string_size + 1), &failed);
	}
	return !failed;
}

void tap_iterators_close(struct tap_map *m)
{
	u32 i;

	for (i = 0; m->iterators && i < m->sorting; i++) {
		tap_free(m->iterators[i].items);
		tap_free(m->iterators[i].copies);
		tap_free(m->iterators[i].texts);
	}
	tap_free(m->iterators);
	m->iterators = NULL;
}

void tap_iterators_forget(struct tap_map *m, u32 ref, u32 newer)
{
	u32 i;

	for (i = m->sorting; i < m->iterator_count; i++) {
		struct tap_iterator *it = &m->iterators[i];

		if (it->newer && (it->newer == ref || ref == ~0u))
			it->newer = newer;
	}
}
