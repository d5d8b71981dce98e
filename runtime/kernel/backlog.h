/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes in order, for which memory is taken page by page while they wait, and given back as they are read. Adding and
 * dropping need the owner's lock; one reader may look at what was added before it took the lock last. */
#ifndef TAP_BACKLOG_H
#define TAP_BACKLOG_H

#include <linux/types.h>

struct tap_backlog_page;

struct tap_backlog {
	struct tap_backlog_page *first;		/* read from; NULL: the backlog has no pages */
	struct tap_backlog_page *last;		/* written to; those after it are empty */
	u32 read, written;			/* bytes of first and of last */
	u32 pages;
	u64 most;	/* bytes, of whole pages; TAP_SHARED: as many as all of the session's together may take */
	int node;
};

/* Takes memory until SIZE more bytes fit; returns how many do. Does not sleep. */
u32 tap_backlog_make_room(struct tap_backlog *b, u32 size);
/* Whether it may not take more memory, even if the machine has some. */
bool tap_backlog_is_at_limit(const struct tap_backlog *b);
/* There is room for them. */
void tap_backlog_add(struct tap_backlog *b, const void *data, u32 size);
/* The first SIZE bytes were read, or ALL. Returns pages for tap_backlog_free, which needs no lock. */
struct tap_backlog_page *tap_backlog_drop(struct tap_backlog *b, u32 size, bool all);
void tap_backlog_free(struct tap_backlog *b, struct tap_backlog_page *pages);

/* A place in it, which only moves forward. */
struct tap_backlog_cursor {
	const struct tap_backlog_page *page;
	u32 start;				/* where the page's bytes begin, from the first that was not read */
};
struct tap_backlog_cursor tap_backlog_begin(const struct tap_backlog *b);
/* The byte at AT, and those after it up to a multiple of 8. */
const void *tap_backlog_at(struct tap_backlog_cursor *c, u32 at);
/* Returns false if they cannot be written to TO. */
bool tap_backlog_copy(struct tap_backlog_cursor c, char __user *to, u32 size);

#endif
