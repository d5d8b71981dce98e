/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of a value, and what a pointer points to. */
#ifndef TAPC_DEBUGINFO_LOCATION_PART_H
#define TAPC_DEBUGINFO_LOCATION_PART_H

#include "place.h"

/* The part of type T that begins OFFSET bytes into the value at L; if BIT_SIZE is not 0, a bit-field of that
 * size from bit BIT_OFFSET of T's bytes. The result is IN_MEMORY if L is (the caller must extract a bit-field
 * from T's bytes there), IS_VALUE for a number or pointer that is elsewhere, combined from its pieces and
 * extended as T requires, or NOWHERE; a struct, union or array that is not in memory is IN_PIECES. */
struct location location_part(struct arena *a, const struct location *l, int64_t offset,
			      const struct debug_type *t, uint32_t bit_offset, uint32_t bit_size);
/* The target of the pointer L of kind POINTS_TO, plus OFFSET bytes. */
struct location location_pointee(struct arena *a, const struct location *l, int64_t offset,
				 const struct debug_type *t, uint32_t bit_offset, uint32_t bit_size);

#endif
