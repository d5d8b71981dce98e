/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the cpuN files and returns their records in one order, without copying them, in bounded memory. Counts
 * the gaps in the sequence numbers. */
#ifndef STAGING_RELAY_H
#define STAGING_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/tap_wire.h"
#include "order.h"

struct relay_chunk;

struct relay_cpu {
	int fd;				/* -1: not open */
	bool known;			/* sequence is valid */
	bool gone;			/* its file ended or had invalid data: do not reopen it */
	uint32_t sequence;		/* of the last record read */
	uint32_t made;			/* sequence number of the last heartbeat */
	uint64_t records, lost;
	struct relay_chunk *chunk;	/* the one being filled */
};

/* Records of a CPU that are missing before the one with this stamp. */
struct relay_gap {
	uint64_t stamp;
	uint32_t cpu;
	uint32_t first, last;		/* sequence numbers */
	uint64_t count;			/* of those that have not come after their successors */
};

enum { RELAY_GAPS = 256 };

struct relay {
	struct order order;
	struct relay_cpu *cpu;
	uint32_t cpus;
	bool whole;			/* we read from the first record on, whose number is 1 */
	size_t least_room;		/* minimum size of a read */
	struct relay_chunk *free;
	size_t memory, most_memory;	/* of chunks; above most_memory, records leave out of order */
	struct order_entry current;	/* the record that relay_next returned */
	uint64_t records;
	struct relay_gap *gaps;		/* not taken yet; when there are RELAY_GAPS of them, they are joined */
	uint32_t gap_count;
	bool broken;			/* the module has sent invalid data */
};

/* The result of one round of reading. */
struct relay_round {
	size_t bytes;			/* of records, without heartbeats */
	bool more;			/* a CPU filled its room: read again at once */
};

/* LARGEST: bytes of the largest record's payload. WHOLE: no other process has read records before. */
void relay_open(struct relay *r, uint32_t cpus, size_t largest, bool whole);
/* The relay takes over FD. */
void relay_add_cpu(struct relay *r, uint32_t cpu, int fd);
/* Opens the files of directory DIR that are not open yet; CPUs may come online later. 0 or errno. */
int relay_open_files(struct relay *r, int dir);
/* Reads each CPU once. */
struct relay_round relay_read(struct relay *r);
/* The next record that may leave, and its CPU number; NULL: none yet. Valid until the next call. FORCED: do not
 * wait for other CPUs. */
const struct tap_record *relay_next(struct relay *r, bool forced, uint32_t *cpu);
/* Takes a gap before the record that relay_next returned; after relay_end any. False: no more. */
bool relay_next_gap(struct relay *r, bool any, struct relay_gap *gap);
/* The number of CPUs that are open. */
uint32_t relay_cpus(const struct relay *r);
static inline size_t relay_held(const struct relay *r) { return r->order.count; }
/* Called when the module adds no more and everything was read: records that were made and not read are lost. */
void relay_end(struct relay *r);
uint64_t relay_lost(const struct relay *r);
void relay_close(struct relay *r);

#endif
