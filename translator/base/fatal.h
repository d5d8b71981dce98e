/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors of the host, and allocation that succeeds or ends the program. */
#ifndef TAPC_FATAL_H
#define TAPC_FATAL_H

#include <stdarg.h>
#include <stddef.h>

/* The name of this program in messages; "tapc" unless it sets another one. */
extern const char *error_program;
/* Prints "tapc: error: ..." after flushing stdout: for errors of this machine, which have no position in the script. */
void error_vprint(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
/* The one function that prints errors without a position in the script; those with one are diag_error()'s. */
void error_print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* For errors of the host (memory, fork, disk): prints "tapc: error: ..." and exits with EXIT_HOST. */
enum { EXIT_HOST = 8 };
_Noreturn void fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);

#endif
