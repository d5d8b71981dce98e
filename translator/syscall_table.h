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

enum { SYSCALL_MOST_ARGUMENTS = 6 };

extern const struct syscall_call syscall_calls[];
extern const size_t syscall_call_count;

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
