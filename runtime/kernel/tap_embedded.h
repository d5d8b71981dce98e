/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What embedded C can use: %{ %} of the shipped tapsets, which are compiled with the runtime, and of a user's
 * script, which is compiled with the same headers. SystemTap's documented macros:
 *
 *	STAP_ARG_x		an argument: a number, or a char * to a NUL-terminated text
 *	STAP_RETVALUE		the result: a number, or a char[MAXSTRINGLEN]
 *	STAP_RETURN(v)		set the result and leave
 *	STAP_ERROR(fmt, ...)	report a soft error and leave
 *	STAP_NEXT		leave, and try the next overload
 *	STAP_PRINTF(fmt, ...)	print, formatted here
 *	CONTEXT			the struct tap_context
 *	THIS->x, THIS->__retvalue	the same with the pragma unmangled
 *	STAP_GLOBAL_GET_x(k1, ...)	the value of a global or its element, with pragma:read:x
 *	STAP_GLOBAL_SET_x(k1, ..., v)	set it, with pragma:write:x
 *	kread(pointer), uread(pointer)	the target of a pointer of the kernel or of the process
 *	kderef(size, address), uderef	1, 2, 4 or 8 bytes there
 *	kderef_buffer(to, address, size), uderef_buffer	any number of bytes; TO may be NULL, to check them
 *	kwrite(pointer, value)		write to the kernel's memory
 *	STAP_COMPAT_VERSION		the version of --compatible, such as STAP_VERSION(5, 6)
 *
 * 'return;' and 'goto out;' leave. A body may also return its result with 'return'; a string as struct tap_string,
 * see tap_script.h. */
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
#include "compat.h"
#include "context.h"
#include "memory.h"

#include "core/embedded.h"

typedef long intptr_t;			/* repeats the one in <linux/types.h> if that has it */

/* Properties that SystemTap detects in a kernel and that all supported ones have; compat.h has others. */
#define STAPCONF_DPATH_PATH 1
#define STAPCONF_FROM_KUID_MUNGED 1
#define STAPCONF_FS_SUPERS_HLIST 1
#define STAPCONF_HRTIMER_REL 1
#define STAPCONF_INODE_PRIVATE 1
#define STAPCONF_KPROBE_SYMBOL_NAME 1
#define STAPCONF_KTIME_GET_REAL 1
#define STAPCONF_LINUX_UACCESS_H 1
#define STAPCONF_LINUX_UIDGID_H 1
#define STAPCONF_REAL_PARENT 1
#define STAPCONF_RELAY_UMODE_T 1
#define STAPCONF_TRACE_PRINTK 1
#define STAPCONF_UNREGISTER_KPROBES 1

#define STAP_RETURN_STRING(v) do { strscpy(STAP_RETVALUE, (v), MAXSTRINGLEN); goto stap_out; } while (0)
#define kwrite(pointer, value) do { \
	typeof(*(pointer)) written_ = (value); \
	if (!tap_memory_write((void *)(pointer), &written_, sizeof(written_))) \
		STAP_ERROR("kernel write fault [man error::fault] at 0x%llx", \
			   (unsigned long long)(unsigned long)(pointer)); \
} while (0)

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
