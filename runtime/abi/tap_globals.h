/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The globals of a session as bytes: the file "globals" of a module that was translated with --hand-over. A read
 * returns them while the session runs; what is written before TAP_START is what they begin with. All of it is a
 * sequence of 8-byte words in the machine's byte order.
 *
 * For each global a struct tap_saved, its name, padded with NULs, and its elements: the keys and the value, for an
 * array of aggregates after the number of the CPU. A number is one word. A string is its size and its bytes, padded
 * with NULs. An aggregate is a struct tap_stat with the buckets of its shape. */
#ifndef TAP_GLOBALS_H
#define TAP_GLOBALS_H

#include "tap_script.h"

struct tap_saved {
	u64 size;			/* bytes of all of this, with the elements */
	u32 name_size;			/* without padding, at least 1 */
	u32 count;			/* elements; 1, if it is not an array */
	u8 type;			/* of the value: enum tap_type */
	u8 key_count;			/* 0: not an array */
	u8 reserved[6];
	u8 key_types[TAP_MOST_KEYS];
	struct tap_stat_shape stat;	/* of aggregates */
};

enum { TAP_MOST_GLOBALS = 16 << 20 };	/* bytes of a file */

#endif
