/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges the records of all CPUs: ordered by time stamp, then CPU, then sequence number. A record may leave
 * when every CPU's horizon, its last heartbeat, is later. */
#ifndef STAGING_ORDER_H
#define STAGING_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORDER_NO_HORIZON UINT64_MAX	/* for a CPU that adds no more records */

struct order_entry {
	uint64_t stamp;
	uint32_t sequence;
	uint32_t cpu;
	const void *record;
	void *owner;		/* of the memory of the record */
};

struct order_queue;

struct order {
	struct order_queue *queues;	/* one per CPU */
	uint32_t *heap;			/* CPUs with records; [0] has the first record */
	uint32_t active;		/* their number */
	uint32_t cpus;
	size_t count;			/* of records */
	uint64_t *horizons;		/* one per CPU */
	uint64_t watermark;		/* the lowest horizon */
	uint64_t last;			/* time stamp of the last record that left */
	uint64_t late;			/* records that left after a later one */
};

void order_open(struct order *o, uint32_t cpus);
void order_close(struct order *o);
void order_add(struct order *o, const struct order_entry *e);
void order_horizon(struct order *o, uint32_t cpu, uint64_t stamp);
/* Takes the first record, if it may leave; FORCED: in any case. */
bool order_next(struct order *o, bool forced, struct order_entry *e);

#endif
