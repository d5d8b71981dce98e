/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory with the lifetime of one translation: allocated piece by piece, freed all at once. */
#ifndef TAPC_ARENA_H
#define TAPC_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_open(void);
void arena_close(struct arena *a);

/* Returns zeroed memory, aligned for any type. Never NULL: running out of memory is fatal. */
void *arena_alloc(struct arena *a, size_t size);
/* Returns a longer copy of OLD, which may be NULL. OLD stays valid. */
void *arena_grow(struct arena *a, const void *old, size_t old_size, size_t new_size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap);

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (n)))

#endif
