/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the daemon tells a module of a file that processes have mapped: where each function's frame is,
 * and what is at which place. The module asks, in /proc/tap:NAME/images, when a handler meets a file that
 * it knows nothing of; see runtime/kernel/user/images.c and runtime/staging/images/service.c.
 *
 * Places are offsets in the file, so they hold wherever it is mapped. Number 16 of the registers is the return
 * address. The others have DWARF's numbers on x86-64 (System V ABI, AMD64 supplement, figure 3.36); of arm64 there are
 * those that calls keep: x19 to x24 as 0 to 5, x25 to x28 as 8 to 11, x29 as 6, sp as 7; and x30 as 12. Of i386 each
 * has the number of the x86-64 register that it is a half of; a word on the stack has 4 bytes there, 8 elsewhere. */
#ifndef TAP_IMAGE_H
#define TAP_IMAGE_H

#include "tap_script.h"

enum { TAP_UNWIND_REGISTERS = 17, TAP_UNWIND_FRAME = 6, TAP_UNWIND_STACK = 7, TAP_UNWIND_RETURN = 16,
       TAP_UNWIND_LINK = 12 };

enum tap_unwind_kind {
	TAP_UNWIND_NONE,		/* nothing is known of these places */
	TAP_UNWIND_REGISTER,		/* the caller's stack is at base + offset */
	TAP_UNWIND_MEMORY,		/* at what lies at base + offset, + more */
	TAP_UNWIND_PLT,			/* as REGISTER, a word more from byte THRESHOLD of each 16 on */
	TAP_UNWIND_LAST,		/* nobody has called this */
	TAP_UNWIND_KINDS
};

/* How to get from a frame to its caller's. "The frame" is the stack pointer before the call. */
struct tap_unwind_rule {
	u8 kind;
	u8 base;			/* register */
	u8 signal;			/* the caller was interrupted: it is at its place, not behind a call */
	u8 threshold;
	u8 return_in;			/* the register with the return address; RETURN: it is saved */
	u8 based_on;			/* register, see based */
	u8 reserved[2];
	s32 offset, more;
	u32 saved;			/* registers that are saved, a bit each: at the frame + at[i] words */
	u32 based;			/* of these, at the register BASED_ON + at[i] words instead */
	u32 lost;			/* registers of which nothing is known then */
	s16 at[TAP_UNWIND_REGISTERS];
	s16 more_reserved;
};

struct tap_image_symbol {
	u32 at, size;
	u32 name;			/* in the names */
};

/* The file's names begin with its path. The head is followed by its arrays in this order. */
struct tap_image_head {
	u32 magic;			/* TAP_IMAGE_MAGIC */
	u32 request;			/* what this answers; 0: nothing */
	s32 fd;				/* the file, for a request's number 0; negative: the vdso */
	u32 rule_count;			/* struct tap_unwind_rule; number 0 is of kind NONE */
	u32 symbol_count;		/* struct tap_image_symbol, sorted by place, none twice */
	u32 row_count;			/* u32: where each row begins, ascending; then u16: its rule's number */
	u32 line_count;			/* struct tap_image_line, sorted by place */
	u32 names_size;			/* texts, each with its NUL */
};
#define TAP_IMAGE_MAGIC 0x6a706174u	/* "tapj" */

/* What a read gives: one file that is asked for. */
struct tap_image_request {
	u32 request;			/* never 0 */
	s32 fd;				/* O_PATH, in the reader's process; negative: there is none */
	char path[4096 - 8];
};

enum { TAP_IMAGE_MOST = 256 << 20 };	/* bytes of an answer */

/* From this place on, up to the next one's: */
struct tap_image_line {
	u32 at;
	u32 file;			/* in the names */
	u32 line;			/* 0: not known */
};

#endif
