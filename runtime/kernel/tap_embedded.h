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
 *	THIS->x, THIS->__retvalue	the same with the pragma unmangled
 *	STAP_GLOBAL_GET_x(k1, ...)	a global's or its element's value, with pragma:read:x
 *	STAP_GLOBAL_SET_x(k1, ..., v)	set it, with pragma:write:x
 *	kread(pointer), uread(pointer)	what a pointer of the kernel's, of the process's points to
 *	kderef(size, address), uderef	1, 2, 4 or 8 bytes there
 *	kwrite(pointer, value)		write there
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
#include "memory.h"

#define CONTEXT c
#define STAP_ERROR(...) do { tap_error(c, __VA_ARGS__); goto stap_out; } while (0)
#define STAP_NEXT do { c->stop_next = true; goto stap_out; } while (0)
#define STAP_RETURN_LONG(v) do { STAP_RETVALUE = (s64)(v); goto stap_out; } while (0)
#define STAP_RETURN_VOID(v) goto stap_out
#define STAP_RETURN_STRING(v) do { strscpy(STAP_RETVALUE, (v), MAXSTRINGLEN); goto stap_out; } while (0)
#define STAP_PRINTF(...) tap_embedded_printf(c, __VA_ARGS__)

/* Memory that may not be there: a fault is a soft error, and leaves. */
#define TAP_READ(type, address, user) ({ \
	type value_; \
	if (!tap_memory_copy(c, &value_, (unsigned long)(address), sizeof(value_), user)) { \
		tap_error(c, "%s read fault [man error::fault] at 0x%llx", user ? "user" : "kernel", \
			  (unsigned long long)(unsigned long)(address)); \
		goto stap_out; \
	} \
	value_; })
#define TAP_READ_SIZE(size, address, user) ({ \
	u64 number_ = 0; \
	switch (size) { \
	case 1: number_ = TAP_READ(u8, address, user); break; \
	case 2: number_ = TAP_READ(u16, address, user); break; \
	case 4: number_ = TAP_READ(u32, address, user); break; \
	default: number_ = TAP_READ(u64, address, user); \
	} \
	number_; })
#define kread(pointer) TAP_READ(typeof(*(pointer)), pointer, false)
#define uread(pointer) TAP_READ(typeof(*(pointer)), pointer, true)
#define kderef(size, address) TAP_READ_SIZE(size, address, false)
#define uderef(size, address) TAP_READ_SIZE(size, address, true)
#define CATCH_DEREF_FAULT() ((void)0)
#define kwrite(pointer, value) do { \
	typeof(*(pointer)) written_ = (value); \
	if (!tap_memory_write((void *)(pointer), &written_, sizeof(written_))) \
		STAP_ERROR("kernel write fault [man error::fault] at 0x%llx", \
			   (unsigned long long)(unsigned long)(pointer)); \
} while (0)

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)	/* scripts are written for older kernels, too */
#define strlcpy(to, from, size) strscpy(to, from, size)
#endif

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
