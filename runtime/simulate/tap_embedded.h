/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What C inside of a script sees when the script is simulated; see runtime/kernel/tap_embedded.h. C
 * that is for the kernel only stands in #ifndef TAP_SIMULATE. */
#ifndef TAP_EMBEDDED_H
#define TAP_EMBEDDED_H

#ifndef TAP_SIMULATE
#define TAP_SIMULATE
#endif
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tap_script.h"
#include "core/regex.h"
#include "core/string.h"

/* SIZE bytes at FROM of this process; false, and zeroes, when they are not there. */
bool tap_memory_copy(struct tap_context *c, void *to, u64 from, u64 size, bool user);

#define CONTEXT c
#define STAP_ERROR(...) do { tap_error(c, __VA_ARGS__); goto stap_out; } while (0)
#define STAP_NEXT do { c->stop_next = true; goto stap_out; } while (0)
#define STAP_RETURN_LONG(v) do { STAP_RETVALUE = (s64)(v); goto stap_out; } while (0)
#define STAP_RETURN_VOID(v) goto stap_out
#define STAP_RETURN_STRING(v) \
	do { snprintf(STAP_RETVALUE, MAXSTRINGLEN, "%s", (v)); goto stap_out; } while (0)
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

/* What the kernel has and the C library may lack. */
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

static inline struct tap_string tap_string_of(const char *s)
{
	return (struct tap_string){ s, (u32)strnlen(s, tap_script.limits.string - 1) };
}

/* A copy on the scratch stack. */
static inline struct tap_string tap_string_kept(struct tap_context *c, const char *s)
{
	return tap_string_hold(c, tap_string_of(s ? s : "(null)"));
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
