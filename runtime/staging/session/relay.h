/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the cpuN files and gives their records in one order, without copying them, in bounded memory;
 * counts what is missing from the sequence numbers. */
#ifndef STAGING_RELAY_H
#define STAGING_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/tap_wire.h"
#include "order.h"

struct relay_chunk;

struct relay_cpu {
	int fd;				/* -1: there is none */
	bool known;			/* sequence is */
	bool gone;			/* its file said nonsense or ended: not to be opened again */
	uint32_t sequence;		/* of the last record read */
	uint32_t made;			/* the last heartbeat's */
	uint64_t records, lost;
	struct relay_chunk *chunk;	/* the one being filled */
};

struct relay {
	struct order order;
	struct relay_cpu *cpu;
	uint32_t cpus;
	bool whole;			/* we see it from its first record on, whose number is 1 */
	size_t least_room;		/* a read gets at least this much */
	struct relay_chunk *free;
	size_t memory, most_memory;	/* of chunks; above most, records leave before their time */
	struct order_entry current;	/* what relay_next gave */
	uint64_t records;
	bool broken;			/* the module sends nonsense */
};

/* What one round of reading brought. */
struct relay_round {
	size_t bytes;			/* of records, without heartbeats */
	bool more;			/* some CPU filled its room: read again at once */
};

/* LARGEST: bytes of the largest record's payload. WHOLE: nobody has read before us. */
void relay_open(struct relay *r, uint32_t cpus, size_t largest, bool whole);
/* FD is the relay's now. */
void relay_add_cpu(struct relay *r, uint32_t cpu, int fd);
/* The files of the directory DIR that are not open yet; CPUs may come late. 0 or errno. */
int relay_open_files(struct relay *r, int dir);
/* Read each CPU once. */
struct relay_round relay_read(struct relay *r);
/* The next record whose time has come, with its CPU's number; NULL: none yet. Good until the next
 * call. FORCED: do not wait for other CPUs. */
const struct tap_record *relay_next(struct relay *r, bool forced, uint32_t *cpu);
/* How many CPUs are open. */
uint32_t relay_cpus(const struct relay *r);
static inline size_t relay_held(const struct relay *r) { return r->order.count; }
/* The module adds no more and all was read: what was made and not read is lost. */
void relay_end(struct relay *r);
uint64_t relay_lost(const struct relay *r);
void relay_close(struct relay *r);

#endif
