/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of system call arguments: tapc writes them into a module's rows, and the runtime formats arguments by them. */
#ifndef TAP_SYSCALL_H
#define TAP_SYSCALL_H

enum tap_show {
	TAP_SHOW_END,
#define KIND(name, type, form) TAP_SHOW_##name,
#include "syscall_kinds.def"
#undef KIND
	TAP_SHOWS
};

#endif
