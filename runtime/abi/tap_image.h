/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the daemon tells a module about a mapped file: where the frame of each function is, and which symbol and
 * line is at which place. The module asks through /proc/tap:NAME/images when a handler meets a file that it does
 * not know; see runtime/kernel/user/images.c and runtime/staging/images/service.c.
 *
 * Places are offsets in the file, so they are valid wherever it is mapped. Register number 16 is the return
 * address. The other numbers on x86-64 are DWARF's (System V ABI, AMD64 supplement, figure 3.36). On arm64 only the
 * registers that calls preserve are numbered: x19 to x24 are 0 to 5, x25 to x28 are 8 to 11, x29 is 6, sp is 7, and
 * x30 is 12. An i386 register has the number of the x86-64 register that it is half of; a stack word is 4 bytes on
 * i386, 8 elsewhere. */
#ifndef TAP_IMAGE_H
#define TAP_IMAGE_H

#include "tap_script.h"

enum { TAP_UNWIND_REGISTERS = 17, TAP_UNWIND_FRAME = 6, TAP_UNWIND_STACK = 7, TAP_UNWIND_RETURN = 16,
       TAP_UNWIND_LINK = 12 };

enum tap_unwind_kind {
	TAP_UNWIND_NONE,		/* these places are not described */
	TAP_UNWIND_REGISTER,		/* the caller's stack is at base + offset */
	TAP_UNWIND_MEMORY,		/* at the address stored at base + offset, + more */
	TAP_UNWIND_PLT,			/* as REGISTER, plus one word from byte THRESHOLD of each 16 bytes on */
	TAP_UNWIND_LAST,		/* the outermost frame: it has no caller */
	TAP_UNWIND_KINDS
};

/* How to get from a frame to its caller. "The frame" is the value of the stack pointer before
 * the call. */
struct tap_unwind_rule {
	u8 kind;
	u8 base;			/* register */
	u8 signal;			/* the caller was interrupted: its address is exact, not a return address */
	u8 threshold;
	u8 return_in;			/* the register with the return address; RETURN: it is in memory */
	u8 based_on;			/* register, see based */
	u8 reserved[2];
	s32 offset, more;
	u32 saved;			/* saved registers, one bit each: at the frame + at[i] words */
	u32 based;			/* of these, at the register BASED_ON + at[i] words instead */
	u32 lost;			/* registers whose values are unknown after this step */
	s16 at[TAP_UNWIND_REGISTERS];
	s16 more_reserved;
};

struct tap_image_symbol {
	u32 at, size;
	u32 name;			/* offset in the names */
};

/* The file's names begin with its path. The head is followed by its arrays in this order. */
struct tap_image_head {
	u32 magic;			/* TAP_IMAGE_MAGIC */
	u32 request;			/* the request that this answers; 0: none */
	s32 fd;				/* the file, if request is 0; negative: the vdso */
	u32 rule_count;			/* struct tap_unwind_rule; number 0 is of kind NONE */
	u32 symbol_count;		/* struct tap_image_symbol, sorted by place, without duplicates */
	u32 row_count;			/* u32: where each row begins, ascending; then u16: the number of its rule */
	u32 line_count;			/* struct tap_image_line, sorted by place */
	u32 names_size;			/* strings, each with its NUL */
	u32 call_count;			/* struct tap_image_call, sorted by place; after the lines */
	u32 inlined_count;		/* struct tap_image_inlined; after the calls */
	u32 python_at;			/* place of CPython's _PyRuntime; 0: it has none */
	u32 python_version;		/* PY_VERSION_HEX: 0x030b02f0 is 3.11.2 */
};
#define TAP_IMAGE_MAGIC 0x6a706174u	/* "tapj" */

/* The result of a read: one file that the module asks for; or the names of code that a process has made, in memory
 * without a file. Places are then offsets from the address WINDOW. */
struct tap_image_request {
	u32 request;			/* never 0 */
	s32 fd;				/* O_PATH, in the reader's process; negative: not available */
	s32 made;			/* the process that made the code; -1: not visible here; 0: a file */
	s32 reserved;
	u64 window;
	char path[4096 - 24];
};

enum { TAP_IMAGE_MOST = 256 << 20 };	/* largest answer, in bytes */

/* A source line, from this place to the next one: */
struct tap_image_line {
	u32 at;
	u32 file;			/* offset in the names */
	u32 line;			/* 0: unknown */
};

/* A call in code that is inlined: */
struct tap_image_call {
	u32 at;				/* the place that it returns to */
	u32 inlined;			/* number of a struct tap_image_inlined, from 0 */
};

/* A function that is inlined at a place: */
struct tap_image_inlined {
	u32 name, file;			/* its name and the file with the call of it: offsets in the names */
	u32 line;			/* of the call; 0: unknown */
	u32 outer;			/* 0: the call is in a function that is not inlined; otherwise in number
					 * OUTER - 1, which is less than this one's */
};

#endif
