/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory with the lifetime of one translation. Block sizes double, so a small script uses one small
 * block and a large script a few. Allocations are never freed individually. */
#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fatal.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif
#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#define RED_ZONE 16
#define POISON(p, n) ASAN_POISON_MEMORY_REGION((p), (n))
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
#else
#define RED_ZONE 0
#define POISON(p, n) ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#endif

enum { ALIGN = 16, FIRST_BLOCK = 16 * 1024, LARGEST_BLOCK = 4 * 1024 * 1024 };

struct block {
	struct block *next;
	size_t size, used;
	_Alignas(ALIGN) char data[];
};

struct arena {
	struct block *blocks;
	size_t next_size;
};

struct arena *arena_open(void)
{
	struct arena *a = xcalloc(1, sizeof(*a));

	a->next_size = FIRST_BLOCK;
	return a;
}

void arena_close(struct arena *a)
{
	if (!a)
		return;
	for (struct block *b = a->blocks, *next; b; b = next) {
		next = b->next;
		UNPOISON(b->data, b->size);
		free(b);
	}
	free(a);
}

static struct block *add_block(struct arena *a, size_t need)
{
	size_t size = a->next_size > need ? a->next_size : need;
	struct block *b = xcalloc(1, sizeof(*b) + size);

	b->size = size;
	POISON(b->data, size);
	if (a->next_size < LARGEST_BLOCK)
		a->next_size *= 2;
	b->next = a->blocks;
	a->blocks = b;
	return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct block *b = a->blocks;
	size_t need;
	char *p;

	if (size > SIZE_MAX / 2)
		fatal("out of memory: a request of %zu bytes", size);
	need = (size + RED_ZONE + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (!b || b->size - b->used < need)
		b = add_block(a, need);
	p = b->data + b->used;
	b->used += need;
	UNPOISON(p, size);
	return p;
}

void *arena_grow(struct arena *a, const void *old, size_t old_size, size_t new_size)
{
	void *p = arena_alloc(a, new_size);

	if (old_size)
		memcpy(p, old, old_size < new_size ? old_size : new_size);
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	memcpy(p, s, n);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	int n;
	char *p;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		fatal("cannot format '%s'", fmt);
	p = arena_alloc(a, (size_t)n + 1);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	p = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return p;
}
