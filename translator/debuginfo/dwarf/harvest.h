/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data that is recorded while names are collected, before it is sorted. */
#ifndef TAPC_DEBUGINFO_DWARF_HARVEST_H
#define TAPC_DEBUGINFO_DWARF_HARVEST_H

#include <pthread.h>

#include "names.h"
#include "collect.h"

/* Growing arrays that can be freed: the data is too large for the arena, and an arena must not be
 * used by several threads. */
#define LIST(type) struct { type *items; size_t n, room; }
#define list_add(l)                                                                              \
	({                                                                                       \
		__typeof__(l) l_ = (l);                                                          \
		if (l_->n == l_->room) {                                                         \
			l_->room = l_->room ? 2 * l_->room : 256;                                \
			l_->items = xrealloc(l_->items, l_->room * sizeof(*l_->items));          \
		}                                                                                \
		&l_->items[l_->n++];                                                             \
	})

enum { NO_COPY = -1 };

struct raw_function {
	const char *name;
	uint64_t die;
	uint32_t file, line;		/* file: 1 + number of a path */
};

struct raw_copy {
	uint64_t address, die;
	uint64_t origin;		/* a DIE; its own if it is not a copy */
	int32_t outer;			/* number of the copy that contains it; NO_COPY */
	int32_t function;		/* number of a raw_function; -1: not known yet */
};

struct raw_thing {
	const char *name;
	uint64_t die;
	uint32_t file, kind;
};

/* The data that one thread collects. */
struct harvest {
	pthread_t thread;
	bool has_thread;
	const struct dwarf_sections *sections;
	struct names_part part;
	LIST(struct raw_function) functions;
	LIST(struct raw_copy) copies;
	LIST(struct raw_thing) things;
	LIST(char *) paths;
	uint8_t *seen;			/* for each byte of .debug_str, the kinds of things whose
					 * name starts there */
	bool failed;
	bool has_others;		/* units that are in other files */
};

#endif
