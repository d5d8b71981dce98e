/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps from a frame to its caller, by tables that the daemon made from a file's call frame information. The tables
 * are checked once, when they arrive; memory contents are never trusted. */
#ifndef TAP_CORE_UNWIND_H
#define TAP_CORE_UNWIND_H

#include "tap_image.h"

struct tap_unwind_state {
	u64 registers[TAP_UNWIND_REGISTERS];	/* number 16: the code address */
	u32 known;				/* registers with known values, one bit each */
	bool interrupted;			/* at the address itself, not after a call there */
	u64 returned_from;			/* where the last return address was; 0: in a register */
	u64 signature;				/* bits of a return address that are not part of the address */
	bool narrow;				/* a stack word has 4 bytes, not 8 */
	bool records_below;			/* a chain record ends at the frame register; else it begins there */
	bool records_float;			/* the position of a chain record within its frame is unknown */
};

enum tap_unwind_result {
	TAP_UNWIND_DONE,		/* the state is now the caller's */
	TAP_UNWIND_END,			/* there is no caller */
	TAP_UNWIND_UNKNOWN,		/* no table covers this place */
	TAP_UNWIND_FAILED,		/* the tables' rule is impossible here, or memory cannot be read */
};

/* Reads a word of the unwound thread's memory. */
typedef bool tap_unwind_read(void *reader, u64 address, u64 *word);

/* Tables, as pointers into the data that the daemon sent. */
struct tap_image {
	const struct tap_unwind_rule *rules;
	const struct tap_image_symbol *symbols;
	const u32 *rows;
	const u16 *row_rules;
	const struct tap_image_line *lines;
	const struct tap_image_call *calls;
	const struct tap_image_inlined *inlined;
	const char *names;
	u32 rule_count, symbol_count, row_count, line_count, call_count, inlined_count, names_size;
	u32 python_at, python_version;	/* of struct tap_image_head */
};

/* False if DATA does not have the form described in tap_image.h. DATA is SIZE bytes, aligned to
 * 8, and is not copied. */
bool tap_image_open(struct tap_image *image, const void *data, u64 size);

/* The rule at PLACE (an offset in the file), or NULL. */
const struct tap_unwind_rule *tap_image_rule(const struct tap_image *image, u64 place);
/* The function or variable that contains PLACE, or NULL. */
const struct tap_image_symbol *tap_image_symbol(const struct tap_image *image, u64 place);
/* The source line of PLACE; NULL if unknown. */
const struct tap_image_line *tap_image_line(const struct tap_image *image, u64 place);
/* The innermost inlined function that contains the call which returns to PLACE; NULL if that is not known or none. */
const struct tap_image_inlined *tap_image_inlined(const struct tap_image *image, u64 place);
/* The inlined function that contains the call of INLINED, or NULL. */
const struct tap_image_inlined *tap_image_outer(const struct tap_image *image, const struct tap_image_inlined *inlined);

/* Moves one frame up. The state is unspecified unless the result is DONE. */
enum tap_unwind_result tap_unwind_step(struct tap_unwind_state *s, const struct tap_unwind_rule *rule,
				       tap_unwind_read *read, void *reader);
/* The same for code without tables that keeps a chain of frame records: DONE only if the record found is above the
 * stack pointer. */
enum tap_unwind_result tap_unwind_chain(struct tap_unwind_state *s, tap_unwind_read *read, void *reader);

#endif
