// SPDX-License-Identifier: GPL-2.0-or-later
/* A list of single pages, which the allocator has at hand in any context but that of an NMI. */
#include "backlog.h"

#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/uaccess.h>

#include "session.h"
#include "tap_room.h"

struct tap_backlog_page {
	struct tap_backlog_page *next;
	u8 data[PAGE_SIZE - sizeof(struct tap_backlog_page *)];
};

enum { ROOM = sizeof_field(struct tap_backlog_page, data) };

static atomic64_t shared;		/* bytes of those with TAP_SHARED */

/* ---- memory ---- */

bool tap_backlog_is_at_limit(const struct tap_backlog *b)
{
	u64 taken = b->most == TAP_SHARED ? (u64)atomic64_read(&shared) : (u64)b->pages * PAGE_SIZE;
	u64 most = b->most == TAP_SHARED ? tap_backlog_share((u64)totalram_pages() << PAGE_SHIFT) : b->most;

	return taken + PAGE_SIZE > most || !tap_session_spares(PAGE_SIZE);
}

/* Leaves alone what the kernel keeps for its own needs, also when an interrupt of a task that may use it comes here. */
static struct tap_backlog_page *backlog_new_page(struct tap_backlog *b)
{
	struct tap_backlog_page *new;
	struct page *page;

	BUILD_BUG_ON(sizeof(*new) != PAGE_SIZE || ROOM % 8);
	if (tap_backlog_is_at_limit(b))
		return NULL;
	page = alloc_pages_node(b->node, GFP_NOWAIT | __GFP_NOWARN | __GFP_NOMEMALLOC, 0);
	if (!page)
		return NULL;
	atomic64_add(PAGE_SIZE, &tap_session.memory);
	if (b->most == TAP_SHARED)
		atomic64_add(PAGE_SIZE, &shared);
	b->pages++;
	new = page_address(page);
	new->next = NULL;
	return new;
}

void tap_backlog_free(struct tap_backlog *b, struct tap_backlog_page *pages)
{
	struct tap_backlog_page *next;

	for (; pages; pages = next) {
		next = pages->next;
		atomic64_sub(PAGE_SIZE, &tap_session.memory);
		if (b->most == TAP_SHARED)
			atomic64_sub(PAGE_SIZE, &shared);
		free_page((unsigned long)pages);
	}
}

/* ---- writing ---- */

u32 tap_backlog_make_room(struct tap_backlog *b, u32 size)
{
	struct tap_backlog_page **end = b->last ? &b->last->next : &b->first;
	u32 room = b->last ? ROOM - b->written : 0;

	for (; room < size; room += ROOM) {
		if (!*end)
			*end = backlog_new_page(b);
		if (!*end)
			break;
		end = &(*end)->next;
	}
	if (!b->last) {
		b->last = b->first;
		b->read = b->written = 0;
	}
	return room;
}

void tap_backlog_add(struct tap_backlog *b, const void *data, u32 size)
{
	while (size) {
		u32 n = min(size, ROOM - b->written);

		memcpy(b->last->data + b->written, data, n);
		b->written += n;
		data += n;
		size -= n;
		if (size) {
			b->last = b->last->next;
			b->written = 0;
		}
	}
}

/* ---- reading ---- */

struct tap_backlog_page *tap_backlog_drop(struct tap_backlog *b, u32 size, bool all)
{
	struct tap_backlog_page *dropped = b->first, **end = &dropped;

	if (all) {
		b->first = b->last = NULL;
		b->pages = 0;
		return dropped;
	}
	for (b->read += size; b->read >= ROOM; b->read -= ROOM) {
		end = &b->first->next;
		b->first = b->first->next;
		b->pages--;
	}
	*end = NULL;
	return dropped;
}

struct tap_backlog_cursor tap_backlog_begin(const struct tap_backlog *b)
{
	return (struct tap_backlog_cursor){ .page = b->first, .start = -b->read };
}

const void *tap_backlog_at(struct tap_backlog_cursor *c, u32 at)
{
	for (; at - c->start >= ROOM; c->start += ROOM)
		c->page = c->page->next;
	return c->page->data + (at - c->start);
}

bool tap_backlog_copy(struct tap_backlog_cursor c, char __user *to, u32 size)
{
	u32 done = 0, n;

	for (; done < size; done += n) {
		const void *data = tap_backlog_at(&c, done);

		n = min(size - done, ROOM - (done - c.start));
		if (copy_to_user(to + done, data, n))
			return false;
	}
	return true;
}
