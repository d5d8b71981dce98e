/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What C inside of a script sees: %{ %} of the shipped tapsets, which is compiled with the runtime,
 * and of a user's script, which goes through kbuild. SystemTap's documented macros:
 *
 *	STAP_ARG_x		an argument: a number, or a char * to a NUL-terminated text
 *	STAP_RETVALUE		the result: a number, or a char[MAXSTRINGLEN]
 *	STAP_RETURN(v)		set it and leave
 *	STAP_ERROR(fmt, ...)	a soft error, and leave
 *	STAP_NEXT		leave, and try the next overload
 *	STAP_PRINTF(fmt, ...)	print, formatted here
 *	CONTEXT			the struct tap_context
 *
 * A body may also return its result with 'return'; a string as struct tap_string, see tap_script.h. */
#ifndef TAP_EMBEDDED_H
#define TAP_EMBEDDED_H

#ifndef TAP_KERNEL_TYPES
#define TAP_KERNEL_TYPES
#endif
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "tap_script.h"
#include "core/string.h"
#include "context.h"

#define CONTEXT c
#define STAP_ERROR(...) do { tap_error(c, __VA_ARGS__); goto stap_out; } while (0)
#define STAP_NEXT do { c->stop_next = true; goto stap_out; } while (0)
#define STAP_RETURN_LONG(v) do { STAP_RETVALUE = (s64)(v); goto stap_out; } while (0)
#define STAP_RETURN_VOID(v) goto stap_out
#define STAP_RETURN_STRING(v) do { strscpy(STAP_RETVALUE, (v), MAXSTRINGLEN); goto stap_out; } while (0)
#define STAP_PRINTF(...) tap_embedded_printf(c, __VA_ARGS__)

static inline struct tap_string tap_string_of(const char *s)
{
	return (struct tap_string){ s, (u32)strnlen(s, tap_script.limits.string - 1) };
}

/* A copy on the scratch stack. */
static inline struct tap_string tap_string_kept(struct tap_context *c, const char *s)
{
	return tap_string_hold(c, tap_string_of(s ? s : "(null)"));
}

static inline __printf(2, 3) void tap_embedded_printf(struct tap_context *c, const char *format, ...)
{
	u32 room = tap_script.limits.string;
	char *text = tap_scratch(c, room), *mark = text;
	va_list ap;
	int n;

	if (!text)
		return;
	va_start(ap, format);
	n = vscnprintf(text, room, format, ap);
	va_end(ap);
	tap_print_text(c, TAP_ITEM_TEXT, (struct tap_string){ text, (u32)n });
	c->scratch = mark;
}

#endif
