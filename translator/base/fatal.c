/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors of the host, and allocation that succeeds or ends the program. */
#include "fatal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *error_program = "tapc";

void error_vprint(const char *fmt, va_list ap)
{
	fflush(stdout);
	fprintf(stderr, "%s: error: ", error_program);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void error_print(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_vprint(fmt, ap);
	va_end(ap);
}

_Noreturn void fatal(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_vprint(fmt, ap);
	va_end(ap);
	exit(EXIT_HOST);
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		fatal("out of memory: a request of %zu bytes", n * size);
	return p;
}

void *xrealloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		fatal("out of memory: a request of %zu bytes", size);
	return p;
}

char *xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xcalloc(1, n), s, n);
}
