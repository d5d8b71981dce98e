/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls and the meaning of their arguments: runtime/abi/syscalls.def in memory. */
#ifndef TAPC_SYSCALL_TABLE_H
#define TAPC_SYSCALL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* The variables that scripts get for an argument. */
enum syscall_form {
	SYSCALL_NUMBER,			/* fd: the number */
	SYSCALL_SHOWN,			/* flags: the number; flags_str: text */
	SYSCALL_TEXT,			/* args: text */
	SYSCALL_STRING,			/* filename: text in quotes; filename_unquoted, filename_uaddr */
	SYSCALL_BYTES,			/* buf_uaddr: the address; buf_str and buf: text */
	SYSCALL_SIGNAL,			/* sig: the number; sig_str and sig_name: text */
	SYSCALL_ADDRESS,		/* like SHOWN, with uaddr_af, uaddr_ip, uaddr_ip_port */
};

struct syscall_kind {
	const char *name;
	const char *type;		/* C type: "s32" */
	enum syscall_form form;
	int number;			/* TAP_SHOW_... */
};

struct syscall_argument {
	const struct syscall_kind *kind;
	const char *name;
};

struct syscall_call {
	const char *name;
	const char *text;		/* its arguments, as in the table */
};

/* What a variable that is defined for one call alone shows, besides those that follow from the arguments' kinds. */
enum syscall_view {
	SYSCALL_VIEW_ZERO,		/* 0: a similar call has this argument, but this call does not */
	SYSCALL_VIEW_ZERO_TEXT,		/* "0" */
	SYSCALL_VIEW_NUMBER,		/* the argument */
	SYSCALL_VIEW_PAGES,		/* the argument in pages of 4096 bytes */
	SYSCALL_VIEW_UNQUOTED,		/* the string that it points to */
	SYSCALL_VIEW_INT,		/* element DETAIL of the array that it points to, 4 bytes each */
	SYSCALL_VIEW_WORD,		/* the same, with elements as large as the program's words */
	SYSCALL_VIEW_AS,		/* formatted as kind DETAIL: TAP_SHOW_... */
};

struct syscall_variable {
	const char *call, *name;
	enum syscall_view view;
	size_t argument;		/* from 1 */
	int detail;
	unsigned only_if;		/* 0, or the value that argument 1 must have; otherwise the variable is 0 */
	bool at_return;			/* only at the return */
};

enum { SYSCALL_MOST_ARGUMENTS = 6 };

/* In the order of enum arch_call. */
extern const struct syscall_call syscall_calls[];
extern const size_t syscall_call_count;

extern const struct syscall_variable syscall_variables[];
extern const size_t syscall_variable_count;

/* Parse the call's arguments into OUT and return their number. */
size_t syscall_arguments(struct arena *a, const struct syscall_call *call,
			 struct syscall_argument out[SYSCALL_MOST_ARGUMENTS]);
/* The number of the call within socketcall, on i386; 0: not part of it. */
int syscall_socketcall(const struct syscall_call *call);
/* TAP_RESULT_...: how the result is formatted. */
int syscall_result(const struct syscall_call *call);
/* Is NAME, which may be a wildcard, another name of CALL in scripts? "stat" also means stat64. */
bool syscall_is_also(const struct syscall_call *call, const char *name);
/* What scripts call it where a pattern has met it: "pread" is pread64. */
const char *syscall_said(const struct syscall_call *call);

#endif
