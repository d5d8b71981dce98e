// SPDX-License-Identifier: GPL-2.0-or-later
/* A hash table of whole stacks. */
#include "stacks.h"

#include "bytes.h"
#include "names.h"

enum { CHAINS = 1 << 14 };

/* The count after the last space; false: the line does not end with one. */
static bool split(const char *line, size_t size, size_t *frames, uint64_t *count)
{
	size_t at = size;

	*count = 0;
	while (at && line[at - 1] >= '0' && line[at - 1] <= '9')
		at--;
	if (at == size || size - at > 18 || at < 2 || line[at - 1] != ' ')
		return false;
	for (size_t i = at; i < size; i++)
		*count = *count * 10 + (uint64_t)(line[i] - '0');
	*frames = at - 1;
	return *count > 0;
}

static struct stack *find(struct stacks *s, const char *frames, size_t size)
{
	uint64_t hash = name_hash(0, frames, size);
	struct stack **chain = &s->chains[hash % CHAINS], *one;

	for (one = *chain; one; one = one->next)
		if (one->hash == hash && one->size == size && memcmp(one->frames, frames, size) == 0)
			return one;
	one = bytes_grow(NULL, sizeof(*one));
	*one = (struct stack){ .hash = hash, .size = size, .next = *chain };
	one->frames = memcpy(bytes_grow(NULL, size), frames, size);
	if (s->count == s->room) {
		s->room = 2 * s->room + 64;
		s->all = bytes_grow(s->all, s->room * sizeof(*s->all));
	}
	s->all[s->count++] = one;
	return *chain = one;
}

bool stacks_add(struct stacks *s, const char *line, size_t size)
{
	uint64_t count;
	size_t frames;

	if (!split(line, size, &frames, &count))
		return false;
	if (!s->chains) {
		s->chains = bytes_grow(NULL, CHAINS * sizeof(*s->chains));
		memset(s->chains, 0, CHAINS * sizeof(*s->chains));
	}
	find(s, line, frames)->count += count;
	return true;
}

const char *stack_frame(const struct stack *s, size_t *at, size_t *size)
{
	const char *start = s->frames + *at, *end;

	if (*at >= s->size)
		return NULL;
	end = memchr(start, ';', s->size - *at);
	*size = end ? (size_t)(end - start) : s->size - *at;
	*at += *size + 1;
	return start;
}

void stacks_free(struct stacks *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->all[i]->frames);
		free(s->all[i]);
	}
	free(s->all);
	free(s->chains);
	*s = (struct stacks){ 0 };
}
