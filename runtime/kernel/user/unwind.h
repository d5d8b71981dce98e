/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks of user space, and what is at addresses there: for the tapset's functions. */
#ifndef TAP_UNWIND_H
#define TAP_UNWIND_H

#include <linux/proc_fs.h>

#include "session.h"

struct tap_known;

/* Why a stack ends where it does. */
enum tap_stack_end {
	TAP_STACK_WHOLE,		/* where the thread began */
	TAP_STACK_LONG,			/* it goes on; there is no room for more */
	TAP_STACK_NOT_YET,		/* a file has been asked for and its tables have not come */
	TAP_STACK_NO_TABLES,		/* nothing tells where the caller is */
	TAP_STACK_UNREADABLE,		/* its memory cannot be read, or makes no sense */
	TAP_STACK_BUSY,			/* the process is just changing its mappings */
	TAP_STACK_ENDS
};

/* An address of the current process, and what it belongs to. */
struct tap_user_address {
	u64 address;
	const struct tap_known *known;	/* NULL: nothing */
	u64 offset;			/* in the file */
	bool behind_call;		/* the call is what it belongs to */
};

struct tap_user_stack {
	/* of the handler that it was made in: */
	const void *row, *task;
	u32 begun;
	u64 stack;

	u32 count;
	enum tap_stack_end end;
	struct tap_user_address frames[];	/* limits.backtrace */
};

/* The stack of the task that was hit, as its program sees it; the place first. Made once in a handler. NULL:
 * there is no program. */
const struct tap_user_stack *tap_user_stack(struct tap_context *c);
/* The same from these registers on. Not kept for later. */
const struct tap_user_stack *tap_user_stack_from(struct tap_context *c, u64 place, u64 stack, u64 frame);

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
/* As a text on the scratch stack. What is not known is left out; of what is not known at all, the number. */
struct tap_string tap_user_text(struct tap_context *c, u64 address, enum tap_user_style style);
/* A line for each address, as far as whole lines fit. */
struct tap_string tap_user_stack_text(struct tap_context *c, enum tap_user_style style);
/* S may be NULL: that there is none. */
void tap_user_stack_print(struct tap_context *c, const struct tap_user_stack *s, enum tap_user_style style);
/* The addresses as hexadecimal numbers with spaces in between, at most MOST, as far as whole ones fit. */
struct tap_string tap_user_stack_numbers(struct tap_context *c, u32 most);
/* The same with lines of sources. Whoever calls one of these makes the daemon read them. */
struct tap_string tap_user_source(struct tap_context *c, u64 address, enum tap_user_style style);
void tap_user_stack_print_lines(struct tap_context *c, const struct tap_user_stack *s);
/* The short name of the file at ADDRESS; an error when there is none. */
struct tap_string tap_user_module(struct tap_context *c, u64 address);

/* ---- the flow ----
 * A script that uses none of this has none of it: then these do nothing, see main.c. */

int tap_user_open(struct proc_dir_entry *directory);
bool tap_user_is_there(void);	/* is any of this in the module? */
void tap_user_await(void);	/* in a task that is about to hit a probe and may sleep */
void tap_user_stop(void);	/* before probes are detached */
void tap_user_report(void);	/* after that, in process context: how many stacks were cut short */
void tap_user_close(void);
bool tap_user_wants_lines(void);	/* in lines.c */

#endif
