/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all stages of compiling a regular expression use: memory, errors, and sets that are numbered as they are met. */
#include "core/regex_shared_compile.h"

void *tap_regex_fail_at(struct compiler *c, u32 position, const char *text)
{
	if (!c->failed) {
		c->failed = true;
		c->error->position = position;
		c->error->text = text;
	}
	return NULL;
}

void *tap_regex_make(struct compiler *c, u64 size)
{
	struct block *b = c->blocks;

	size = (size + 15) & ~(u64)15;
	if (!b || b->size - b->used < size) {
		u64 room = size > 65536 ? size : 65536;

		b = tap_alloc(sizeof(*b) + 16 + room);
		if (!b)
			return fail(c, "out of memory");
		b->next = c->blocks;
		b->size = room;
		c->blocks = b;
	}
	b->used += size;
	return (char *)b + ((sizeof(*b) + 15) & ~15ul) + b->used - size;
}

/* ---- DFA states by key ---- */

struct numbering *tap_regex_numbering(struct compiler *c, u32 columns)
{
	struct numbering *n = tap_regex_make(c, sizeof(*n));

	if (n) {
		n->c = c;
		n->columns = columns;
		n->most = TAP_REGEX_MOST_CELLS / columns;
		if (n->most > MOST_STATES)
			n->most = MOST_STATES;
	}
	return n;
}

static struct known **head_of(struct numbering *n, const u8 *key, u32 size)
{
	u32 hash = 2166136261u, i;

	for (i = 0; i < size; i++)
		hash = (hash ^ key[i]) * 16777619u;
	return &n->heads[(hash ^ hash >> 15) % 1024];
}

struct known *tap_regex_new(struct numbering *n, const u8 *key, u32 size)
{
	struct known **head = head_of(n, key, size), *k;

	if (n->count == n->most)
		return tap_regex_fail_at(n->c, 0,
					 "the expression is too complex: its tables would be too large");
	k = tap_regex_make(n->c, sizeof(*k) + n->columns * sizeof(*k->cells) + size);
	if (!k)
		return NULL;
	k->cells = (u16 *)(k + 1);
	k->key = (u8 *)(k->cells + n->columns);
	__builtin_memcpy(k->key, key, size);
	k->size = size;
	k->number = n->count++;
	k->next = *head;
	*head = k;
	if (n->last)
		n->last->after = k;
	else
		n->first = k;
	n->last = k;
	return k;
}

struct known *tap_regex_known(struct numbering *n, const u8 *key, u32 size)
{
	struct known *k;

	for (k = *head_of(n, key, size); k; k = k->next)
		if (k->size == size && !__builtin_memcmp(k->key, key, size))
			return k;
	return tap_regex_new(n, key, size);
}
