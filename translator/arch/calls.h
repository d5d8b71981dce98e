/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls as an architecture numbers them: a table that is made of its runtime/abi/syscalls_NAME.def. */
#ifndef TAPC_ARCH_CALLS_H
#define TAPC_ARCH_CALLS_H

#include <stdint.h>

#define SOCKETCALL(name, number)
#define SYSCALL_ALSO(name, call)
#define SYSCALL_NAMED(name, call)
#define SYSCALL_VARIABLE(call, name, view, argument, detail)
#define SYSCALL_RETURN_VARIABLE(call, name, view, argument, detail, only_if)

/* The rows of syscalls.def. */
enum arch_call {
#define SYSCALL(name, arguments) CALL_##name,
#include "syscalls.def"
#undef SYSCALL
	CALL_COUNT
};

#undef SOCKETCALL
#undef SYSCALL_ALSO
#undef SYSCALL_NAMED
#undef SYSCALL_VARIABLE
#undef SYSCALL_RETURN_VARIABLE

/* A row of the table: the number + 1; 0: the architecture has no such call. */
#define NUMBER(name, number) [CALL_##name] = (number) + 1,

struct arch;

/* -1: ARCH has no such call, or ARCH is NULL. */
int arch_call_number(const struct arch *arch, enum arch_call call);

#endif
