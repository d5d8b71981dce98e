/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What embedded C can use when the script is simulated; see runtime/kernel/tap_embedded.h. C
 * that is only for the kernel is inside #ifndef TAP_SIMULATE. */
#ifndef TAP_EMBEDDED_H
#define TAP_EMBEDDED_H

#ifndef TAP_SIMULATE
#define TAP_SIMULATE
#endif
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tap_script.h"
#include "core/regex.h"
#include "core/string.h"

/* Copies SIZE bytes at FROM of this process; false, and zeroes, if they are unmapped. */
bool tap_memory_copy(struct tap_context *c, void *to, u64 from, u64 size, bool user);

#include "core/embedded.h"

#define STAP_RETURN_STRING(v) \
	do { snprintf(STAP_RETVALUE, MAXSTRINGLEN, "%s", (v)); goto stap_out; } while (0)

/* Functions of the kernel that the C library may lack. */
#define strlcpy tap_strlcpy
#define strlcat tap_strlcat
static inline size_t tap_strlcpy(char *to, const char *from, size_t size)
{
	return (size_t)snprintf(to, size, "%s", from);
}
static inline size_t tap_strlcat(char *to, const char *from, size_t size)
{
	size_t n = strnlen(to, size);

	return n + tap_strlcpy(to + n, from, size - n);
}

static inline __attribute__((format(printf, 2, 3)))
void tap_embedded_printf(struct tap_context *c, const char *format, ...)
{
	u32 room = tap_script.limits.string;
	char *text = tap_scratch(c, room), *mark = text;
	va_list ap;
	int n;

	if (!text)
		return;
	va_start(ap, format);
	n = vsnprintf(text, room, format, ap);
	va_end(ap);
	if (n >= (int)room)
		n = (int)room - 1;
	tap_print_text(c, TAP_ITEM_TEXT, (struct tap_string){ text, (u32)(n < 0 ? 0 : n) });
	c->scratch = mark;
}

#endif
