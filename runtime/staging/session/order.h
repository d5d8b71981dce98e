/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of all CPUs in one order: by stamp, then CPU, then sequence. A record may leave when
 * every CPU's horizon, its last heartbeat, is later. */
#ifndef STAGING_ORDER_H
#define STAGING_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORDER_NO_HORIZON UINT64_MAX	/* of a CPU that will say nothing more */

struct order_entry {
	uint64_t stamp;
	uint32_t sequence;
	uint32_t cpu;
	const void *record;
	void *owner;		/* whatever keeps the record's memory */
};

struct order {
	struct order_entry *heap;	/* [0] is the first of all */
	size_t count, room;
	uint64_t *horizons;		/* of each CPU */
	uint32_t cpus;
	uint64_t watermark;		/* the least horizon */
	uint64_t last;			/* stamp of the record that left last */
	uint64_t late;			/* records that left after a later one */
};

void order_open(struct order *o, uint32_t cpus);
void order_close(struct order *o);
void order_add(struct order *o, const struct order_entry *e);
void order_horizon(struct order *o, uint32_t cpu, uint64_t stamp);
/* The first record, if it may leave; FORCED: even if it may not. */
bool order_next(struct order *o, bool forced, struct order_entry *e);

#endif
