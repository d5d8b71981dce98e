/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls there are, and what their arguments mean: runtime/abi/syscalls.def in memory. */
#ifndef TAPC_SYSCALL_TABLE_H
#define TAPC_SYSCALL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* What scripts get of an argument. */
enum syscall_form {
	SYSCALL_NUMBER,			/* fd: the number */
	SYSCALL_SHOWN,			/* flags: the number; flags_str: as text */
	SYSCALL_TEXT,			/* args: a text */
	SYSCALL_STRING,			/* filename: a text in quotes; filename_unquoted, filename_uaddr */
	SYSCALL_BYTES,			/* buf_uaddr: where they are; buf_str and buf: as text */
	SYSCALL_SIGNAL,			/* sig: the number; sig_str and sig_name: as text */
	SYSCALL_ADDRESS,		/* SHOWN, and uaddr_af, uaddr_ip, uaddr_ip_port */
};

struct syscall_kind {
	const char *name;
	const char *type;		/* of C: "s32" */
	enum syscall_form form;
	int number;			/* TAP_SHOW_... */
};

struct syscall_argument {
	const struct syscall_kind *kind;
	const char *name;
};

struct syscall_call {
	const char *name;
	int x86_64, i386, aarch64;	/* -1: the machine has none of that name */
	const char *text;		/* of its arguments, in the table */
};

/* What a variable of a call's own is, beside those that come of the arguments' kinds. */
enum syscall_view {
	SYSCALL_VIEW_ZERO,		/* 0: the call has no such argument, one that is like it has */
	SYSCALL_VIEW_ZERO_TEXT,		/* "0" */
	SYSCALL_VIEW_NUMBER,		/* the argument */
	SYSCALL_VIEW_PAGES,		/* the same, bytes as pages of 4096 */
	SYSCALL_VIEW_UNQUOTED,		/* the text that it points to */
	SYSCALL_VIEW_INT,		/* element DETAIL of what it points to, 4 bytes each */
	SYSCALL_VIEW_WORD,		/* the same, each as large as the program's words */
	SYSCALL_VIEW_AS,		/* as it is shown when it is of kind DETAIL: TAP_SHOW_... */
};

struct syscall_variable {
	const char *call, *name;
	enum syscall_view view;
	size_t argument;		/* from 1 */
	int detail;
	unsigned only_if;		/* 0, or what argument 1 has to be; else the variable is 0 */
	bool at_return;			/* there alone */
};

enum { SYSCALL_MOST_ARGUMENTS = 6 };

extern const struct syscall_call syscall_calls[];
extern const size_t syscall_call_count;

extern const struct syscall_variable syscall_variables[];
extern const size_t syscall_variable_count;

/* The call's arguments, to OUT: how many it has. */
size_t syscall_arguments(struct arena *a, const struct syscall_call *call,
			 struct syscall_argument out[SYSCALL_MOST_ARGUMENTS]);
/* Which of the calls within socketcall it is, on i386; 0: none. */
int syscall_socketcall(const struct syscall_call *call);
/* TAP_RESULT_...: how what it returns is shown. */
int syscall_result(const struct syscall_call *call);
/* Is CALL what scripts also know as NAME? "stat" is stat64, too. NAME may be a wildcard. */
bool syscall_is_also(const struct syscall_call *call, const char *name);

#endif
