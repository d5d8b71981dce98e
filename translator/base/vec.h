/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing arrays in an arena. A vector of T is any struct with members `T *items; size_t n, room;`.
 * Zeroed, it is empty:
 *
 *	struct sites { struct site *items; size_t n, room; };
 *	*vec_add(arena, &sites) = site;
 */
#ifndef TAPC_VEC_H
#define TAPC_VEC_H

#include "arena.h"

#define VEC(type) struct { type *items; size_t n, room; }

typedef VEC(const char *) name_list;

/* Adds a zeroed element at the end and returns a pointer to it. */
#define vec_add(a, v)                                                                      \
	({                                                                                 \
		__typeof__(v) v_ = (v);                                                    \
		if (v_->n == v_->room) {                                                   \
			size_t room_ = v_->room ? 2 * v_->room : 8;                        \
			v_->items = arena_grow((a), v_->items, v_->n * sizeof(*v_->items), \
					       room_ * sizeof(*v_->items));                \
			v_->room = room_;                                                  \
		}                                                                          \
		&v_->items[v_->n++];                                                       \
	})

#define vec_each(item, v)                                          \
	for (__typeof__((v)->items + 0) item = (v)->items;         \
	     (v)->n && item < (v)->items + (v)->n; item++)

#endif
