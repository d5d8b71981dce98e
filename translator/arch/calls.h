/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system call numbers of an architecture: a table generated from its runtime/abi/syscalls_NAME.def. */
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

/* An entry of the table: the number + 1; 0: the architecture does not have the call. */
#define NUMBER(name, number) [CALL_##name] = (number) + 1,

struct arch;

/* Returns -1 if ARCH is NULL or does not have the call. */
int arch_call_number(const struct arch *arch, enum arch_call call);

#endif
