/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parsers for what a module writes: records of a cpuN file (tap_wire.h) and the items in them. The bytes may be
 * hostile or truncated: nothing outside them is accessed, and inconsistent sizes are rejected. */
#ifndef TAP_CORE_RECORD_H
#define TAP_CORE_RECORD_H

#include "tap_script.h"
#include "tap_wire.h"

enum tap_walk {
	TAP_WALK_END,		/* the end */
	TAP_WALK_OK,
	TAP_WALK_MALFORMED,
	TAP_WALK_CUT,		/* records only: the rest, from *at on, is not a complete record */
};

/* The record at *AT of [data, data + size); *AT moves past it. *PAYLOAD points into DATA, has
 * tap_record_payload() bytes and no alignment. */
static inline u32 tap_record_payload(const struct tap_record *record)
{
	return record->size - (u32)sizeof(*record);
}
enum tap_walk tap_record_next(const u8 *data, u64 size, u64 *at, struct tap_record *record,
			      const u8 **payload);
/* The same for the items of a record; FORMATS is the number of formats. */
enum tap_walk tap_item_next(const u8 *payload, u32 size, u32 *at, u32 formats, struct tap_item *item,
			    const u8 **body);
/* The entries of the meta file. */
enum tap_walk tap_meta_next(const u8 *data, u64 size, u64 *at, struct tap_meta *meta,
			    const u8 **payload);

#endif
