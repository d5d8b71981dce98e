/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Framing: only this file checks sizes; see record.h. */
#include "core/record.h"

enum tap_walk tap_record_next(const u8 *data, u64 size, u64 *at, struct tap_record *record,
			      const u8 **payload)
{
	u64 left = size - *at;

	if (!left)
		return TAP_WALK_END;
	if (left < sizeof(*record))
		return TAP_WALK_CUT;
	__builtin_memcpy(record, data + *at, sizeof(*record));
	if (record->size < sizeof(*record))
		return TAP_WALK_MALFORMED;
	if (tap_record_room(record->size) > left)
		return TAP_WALK_CUT;
	*payload = data + *at + sizeof(*record);
	*at += tap_record_room(record->size);
	return TAP_WALK_OK;
}

enum tap_walk tap_item_next(const u8 *payload, u32 size, u32 *at, u32 formats, struct tap_item *item,
			    const u8 **body)
{
	u32 left = size - *at;

	if (!left)
		return TAP_WALK_END;
	if (left < sizeof(*item))
		return TAP_WALK_MALFORMED;
	__builtin_memcpy(item, payload + *at, sizeof(*item));
	if (item->size == TAP_ITEM_REST) {
		item->size = left - (u32)sizeof(*item);
		item->format &= ~(u32)TAP_ITEM_LAST;
	}
	if (item->size > left - sizeof(*item))
		return TAP_WALK_MALFORMED;
	if (item->format >= formats &&
	    (item->format < TAP_ITEM_WARNING || item->format > TAP_ITEM_SWITCH_FILE))
		return TAP_WALK_MALFORMED;
	if ((item->format == TAP_ITEM_EXIT || item->format == TAP_ITEM_SWITCH_FILE) && item->size)
		return TAP_WALK_MALFORMED;
	*body = payload + *at + sizeof(*item);
	*at += (u32)sizeof(*item) + item->size;
	return TAP_WALK_OK;
}

enum tap_walk tap_meta_next(const u8 *data, u64 size, u64 *at, struct tap_meta *meta,
			    const u8 **payload)
{
	u64 left = size - *at;

	if (!left)
		return TAP_WALK_END;
	if (left < sizeof(*meta))
		return TAP_WALK_MALFORMED;
	__builtin_memcpy(meta, data + *at, sizeof(*meta));
	if (meta->size > left - sizeof(*meta))
		return TAP_WALK_MALFORMED;
	*payload = data + *at + sizeof(*meta);
	*at += sizeof(*meta) + meta->size;
	return TAP_WALK_OK;
}
