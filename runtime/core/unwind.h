/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a frame to its caller's, by tables that the daemon made of a file's call frame information. What the
 * tables say is checked once, when they come; what memory says is never trusted. */
#ifndef TAP_CORE_UNWIND_H
#define TAP_CORE_UNWIND_H

#include "tap_image.h"

struct tap_unwind_state {
	u64 registers[TAP_UNWIND_REGISTERS];	/* number 16: the place */
	u32 known;				/* of registers, a bit each */
	bool interrupted;			/* at the place itself, not behind a call there */
	u64 returned_from;			/* where the last return address was; 0: in a register */
	u64 signature;				/* bits of a return address that are none of the address */
	bool narrow;				/* a word of the stack has 4 bytes, not 8 */
	bool records_float;			/* where in its frame a record of the chain is, nothing tells */
};

enum tap_unwind_result {
	TAP_UNWIND_DONE,		/* the state is the caller's */
	TAP_UNWIND_END,			/* there is no caller */
	TAP_UNWIND_UNKNOWN,		/* no table tells */
	TAP_UNWIND_FAILED,		/* what the tables ask for makes no sense here, or cannot be read */
};

/* A word of the unwound thread's memory. */
typedef bool tap_unwind_read(void *reader, u64 address, u64 *word);

/* Tables, as pointers into what the daemon has sent. */
struct tap_image {
	const struct tap_unwind_rule *rules;
	const struct tap_image_symbol *symbols;
	const u32 *rows;
	const u16 *row_rules;
	const struct tap_image_line *lines;
	const char *names;
	u32 rule_count, symbol_count, row_count, line_count, names_size;
};

/* False: it is not what tap_image.h says. DATA is SIZE bytes, aligned to 8, and stays. */
bool tap_image_open(struct tap_image *image, const void *data, u64 size);

/* The rule at PLACE (an offset in the file); NULL: none. */
const struct tap_unwind_rule *tap_image_rule(const struct tap_image *image, u64 place);
/* The function or variable that PLACE is in; NULL: none. */
const struct tap_image_symbol *tap_image_symbol(const struct tap_image *image, u64 place);
/* The line that PLACE is of; NULL: not known. */
const struct tap_image_line *tap_image_line(const struct tap_image *image, u64 place);

/* One frame up. The state is unspecified unless DONE. */
enum tap_unwind_result tap_unwind_step(struct tap_unwind_state *s, const struct tap_unwind_rule *rule,
				       tap_unwind_read *read, void *reader);
/* The same for code without tables that keeps its frames in a chain: DONE only when what is found there is
 * behind the stack pointer. */
enum tap_unwind_result tap_unwind_chain(struct tap_unwind_state *s, tap_unwind_read *read, void *reader);

#endif
