// SPDX-License-Identifier: GPL-2.0-or-later
/* See event_names.h. */
#include "event_names.h"

#include <linux/hash.h>

#include "core/string.h"

enum { MOST_TRIES = 16 };

/* FREE -> BUSY -> READY, and stays so. */
enum { NAME_FREE, NAME_BUSY, NAME_READY };
struct event_name {
	u32 state, size;
	char text[TAP_EVENT_NAME];
};

static struct event_name *names;

int tap_event_names_allocate(void)
{
	names = tap_zalloc(TAP_EVENT_NAMES * sizeof(*names), NUMA_NO_NODE);
	return names ? 0 : -ENOMEM;
}

void tap_event_names_free(void)
{
	tap_zfree(names, TAP_EVENT_NAMES * sizeof(*names));
	names = NULL;
}

static u32 event_name_hash(struct tap_string s)
{
	u64 hash = s.size;

	for (u32 i = 0; i < s.size; i++)
		hash = hash * 31 + s.data[i];
	return hash_64(hash, 32);
}

static u32 event_name_add(struct event_name *n, struct tap_string s)
{
	n->size = s.size;
	memcpy(n->text, s.data, s.size);
	smp_store_release(&n->state, NAME_READY);
	return n - names;
}

/* Two CPUs may add the same name at the same time, to two places. Number 0 is for those that have no room. */
u32 tap_event_name(struct tap_string s)
{
	u32 first;

	s.size = min_t(u64, s.size, TAP_EVENT_NAME);
	first = event_name_hash(s);
	for (u32 i = 0; i < MOST_TRIES; i++) {
		struct event_name *n = &names[(first + i) % TAP_EVENT_NAMES];
		u32 state = smp_load_acquire(&n->state);

		if (n == names)
			continue;
		if (state == NAME_FREE && cmpxchg(&n->state, NAME_FREE, NAME_BUSY) == NAME_FREE)
			return event_name_add(n, s);
		if (state == NAME_READY && n->size == s.size && !memcmp(n->text, s.data, s.size))
			return n - names;
	}
	return 0;
}

int tap_event_name_copy(u32 number, char *text)
{
	const struct event_name *n = &names[number];

	if (smp_load_acquire(&n->state) != NAME_READY)
		return -1;
	memcpy(text, n->text, n->size);
	return n->size;
}
