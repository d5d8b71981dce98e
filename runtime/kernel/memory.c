// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading memory that may not be there. Only the kernel's no-fault copies are used: they take a fault
 * for an answer and refuse addresses of the other space. */
#include <linux/mm.h>
#include <linux/uaccess.h>

#include "context.h"
#include "memory.h"

#ifdef CONFIG_X86
#include <asm/tlbflush.h>
/* As nmi_uaccess_okay(), which needs an export that is missing: an NMI may come while the address
 * space is being changed. */
static bool is_user_readable(const struct tap_frame *f)
{
	return current->mm && f->level < TAP_LEVELS - 1;
}
#else
static bool is_user_readable(const struct tap_frame *f)
{
	return current->mm;
}
#endif

bool tap_memory_copy(struct tap_context *c, void *to, u64 from, u64 size, bool user)
{
	long err = -EFAULT;

	if (from + size < from)
		;
	else if (!user)
		err = copy_from_kernel_nofault(to, (void *)(unsigned long)from, size);
	else if (is_user_readable(tap_frame(c)))
		err = copy_from_user_nofault(to, (void __user *)(unsigned long)from, size);
	if (!err)
		return true;
	memset(to, 0, size);
	return false;
}

struct tap_string tap_memory(struct tap_context *c, s64 address, s64 size, bool user)
{
	char *to;

	if (size < 0)
		size = 0;
	if (size >= tap_script.limits.string)
		size = tap_script.limits.string - 1;
	to = tap_scratch(c, size + 1);
	if (!to)
		return TAP_EMPTY;
	to[size] = 0;
	if (tap_memory_copy(c, to, address, size, user))
		return (struct tap_string){ to, size };
	tap_error(c, "%s read fault [man error::fault] at 0x%llx", user ? "user" : "kernel",
		  (unsigned long long)address);
	return TAP_EMPTY;
}
