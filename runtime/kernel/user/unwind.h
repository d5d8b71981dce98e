/* SPDX-License-Identifier: GPL-2.0-or-later */
/* User-space stacks, and descriptions of user-space addresses: for tapset functions. */
#ifndef TAP_UNWIND_H
#define TAP_UNWIND_H

#include "session.h"

struct tap_known;

/* Why a stack ends where it does. */
enum tap_stack_end {
	TAP_STACK_WHOLE,		/* it reaches the start of the thread */
	TAP_STACK_LONG,			/* it continues; there is no room for more */
	TAP_STACK_NOT_YET,		/* a file has been asked for, and its tables have not arrived */
	TAP_STACK_NO_TABLES,		/* nothing describes where the caller is */
	TAP_STACK_UNREADABLE,		/* its memory cannot be read, or is inconsistent */
	TAP_STACK_BUSY,			/* the process is changing its mappings */
	TAP_STACK_ENDS
};

/* An address of the current process, and what it belongs to. */
struct tap_user_address {
	u64 address;
	const struct tap_known *known;	/* NULL: unknown */
	u64 offset;			/* in the file */
	bool behind_call;		/* a return address: it belongs to the call before it */
};

struct tap_user_stack {
	/* of the handler that built it: */
	const void *row, *task;
	u32 begun;
	u64 stack;

	u32 count;
	enum tap_stack_end end;
	struct tap_user_address frames[];	/* limits.backtrace */
};

/* Whether the task runs a program, whose memory can be read from here. */
bool tap_user_is_readable(const struct tap_context *c);

/* The user-space stack of the task that was hit, innermost frame first. Built once per handler. NULL if the task
 * runs no program. */
const struct tap_user_stack *tap_user_stack(struct tap_context *c);
/* The same from these registers on. Not cached. */
const struct tap_user_stack *tap_user_stack_from(struct tap_context *c, u64 place, u64 stack, u64 frame);
/* The address of the innermost frame only, which needs no tables of the program. False if the task runs no program. */
bool tap_user_place(struct tap_context *c, u64 *address);

/* SystemTap's ways to write an address. */
enum tap_user_style {
	TAP_STYLE_NAME,			/* main */
	TAP_STYLE_DATA,			/* main+0x5/0x20 [/bin/x] */
	TAP_STYLE_FULL,			/* " 0x401136 : main+0x5/0x20 [/bin/x]" and a newline */
	TAP_STYLE_LINES,		/* lines.c: " 0x401136 : main+0x5/0x20 at x.c:7 [/bin/x]" and a newline */
	TAP_STYLE_BRIEF,		/* "main+0x5" and a newline */
	TAP_STYLE_SIMPLE,		/* "main+0x5 [x]" and a newline */
	TAP_STYLE_FILE, TAP_STYLE_LINE, TAP_STYLE_FILE_LINE,	/* lines.c */
};
/* A text on the scratch stack. Unknown parts are left out; if everything is unknown it is the number. */
struct tap_string tap_user_text(struct tap_context *c, u64 address, enum tap_user_style style);
/* One line per address, as far as complete lines fit. */
struct tap_string tap_user_stack_text(struct tap_context *c, enum tap_user_style style);
/* S may be NULL: no stack. */
void tap_user_stack_print(struct tap_context *c, const struct tap_user_stack *s, enum tap_user_style style);
/* The addresses as hexadecimal numbers separated by spaces, at most MOST, as far as complete ones fit. */
struct tap_string tap_user_stack_numbers(struct tap_context *c, u32 most);
/* The base name of the file at ADDRESS; an error if no file is mapped there. */
struct tap_string tap_user_module(struct tap_context *c, u64 address);
/* Where that file is mapped; 0 and an error if none is. */
u64 tap_user_module_start(struct tap_context *c, u64 address);
/* In build_id.c: its build ID in hexadecimal, read from the process's memory; an error if there is none. */
struct tap_string tap_user_build_id(struct tap_context *c, u64 address);

#endif
