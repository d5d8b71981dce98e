/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What embedded C in a script can use in the kernel and in the simulator alike; the two tap_embedded.h define
 * tap_memory_copy() and tap_embedded_printf(). */
#ifndef TAP_CORE_EMBEDDED_H
#define TAP_CORE_EMBEDDED_H

#include "core/string.h"

#define CONTEXT c
#define STAP_ERROR(...) do { tap_error(c, __VA_ARGS__); goto stap_out; } while (0)
#define STAP_NEXT do { c->stop_next = true; goto stap_out; } while (0)
#define STAP_RETURN_LONG(v) do { STAP_RETVALUE = (s64)(v); goto stap_out; } while (0)
#define STAP_RETURN_VOID(v) goto stap_out
#define STAP_PRINTF(...) tap_embedded_printf(c, __VA_ARGS__)

/* Reads memory that may be unmapped: a fault is a soft error and leaves the function. TYPE may
 * be const. */
#define TAP_READ(type, address, user) ({ \
	char value_[sizeof(type)] __attribute__((aligned(__alignof__(type)))); \
	if (!tap_memory_copy(c, value_, (unsigned long)(address), sizeof(value_), user)) { \
		tap_error(c, "%s read fault [man error::fault] at 0x%llx", user ? "user" : "kernel", \
			  (unsigned long long)(unsigned long)(address)); \
		goto stap_out; \
	} \
	*(type *)value_; })
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
#define TAP_READ_BUFFER(to, address, size, user) do { \
	if (!tap_buffer_copy(c, to, (unsigned long)(address), size, user)) \
		STAP_ERROR("%s read fault [man error::fault] at 0x%llx", user ? "user" : "kernel", \
			   (unsigned long long)(unsigned long)(address)); \
} while (0)
#define kderef_buffer(to, address, size) TAP_READ_BUFFER(to, address, size, false)
#define uderef_buffer(to, address, size) TAP_READ_BUFFER(to, address, size, true)
#define CATCH_DEREF_FAULT() ((void)0)

/* The number of a version of SystemTap's; STAP_COMPAT_VERSION is that of --compatible. */
#define STAP_VERSION(major, minor) (((major) << 8) + (minor))

/* Copies SIZE bytes, or only tries to read them if TO is NULL. */
static inline bool tap_buffer_copy(struct tap_context *c, void *to, u64 from, u64 size, bool user)
{
	char part[64];
	u64 n;

	if (to)
		return tap_memory_copy(c, to, from, size, user);
	for (; size; from += n, size -= n) {
		n = size < sizeof(part) ? size : sizeof(part);
		if (!tap_memory_copy(c, part, from, n, user))
			return false;
	}
	return true;
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

/* A string argument of a script's own C, in a buffer of MAXSTRINGLEN bytes that the C may write to: S itself may be a
 * literal, or a global's element. NULL if the scratch stack is full; the error is set. */
static inline void *tap_string_writable(struct tap_context *c, struct tap_string s, u32 limit)
{
	char *p = tap_scratch(c, limit);
	u32 size = s.size < limit ? s.size : limit - 1;

	if (p) {
		__builtin_memcpy(p, s.data, size);
		p[size] = '\0';
	}
	return p;
}

#endif
