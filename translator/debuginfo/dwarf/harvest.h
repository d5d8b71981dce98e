/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is written down while names are collected, before it is put in order. */
#ifndef TAPC_DEBUGINFO_DWARF_HARVEST_H
#define TAPC_DEBUGINFO_DWARF_HARVEST_H

#include <pthread.h>

#include "names.h"

/* Growing arrays that are freed: this is too much for the arena, which is not for threads either. */
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
	uint32_t file, line;		/* file: number of a path, + 1 */
};

struct raw_copy {
	uint64_t address, die;
	uint64_t origin;		/* a DIE, itself when it is no copy */
	int32_t outer;			/* number of the copy that it is inlined in; NO_COPY */
	int32_t function;		/* number of a raw_function; -1: not yet known */
};

struct raw_thing {
	const char *name;
	uint64_t die;
	uint32_t file, kind;
};

/* What one thread finds. */
struct harvest {
	pthread_t thread;
	bool has_thread;
	const struct dwarf_sections *sections;
	struct names_part part;
	LIST(struct raw_function) functions;
	LIST(struct raw_copy) copies;
	LIST(struct raw_thing) things;
	LIST(char *) paths;
	uint8_t *seen;			/* for each byte of .debug_str, kinds of things with that name */
	bool failed;
	bool has_others;		/* units that are elsewhere */
};

#endif
