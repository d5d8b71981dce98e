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

/* As copy_to_kernel_nofault(), which modules cannot call. A fault at an address that is none of the
 * kernel's is no matter of exception tables (the kernel dies of it), so it is read first. */
static bool write_byte(char *to, const char *from)
{
	char old;

	if (copy_from_kernel_nofault(&old, to, 1))
		return false;
	pagefault_disable();
	__put_kernel_nofault(to, from, char, fault);
	pagefault_enable();
	return true;
fault:
	pagefault_enable();
	return false;
}

static bool write_word(char *to, const char *from)
{
	u64 old;

	if (copy_from_kernel_nofault(&old, to, sizeof(old)))
		return false;
	pagefault_disable();
	__put_kernel_nofault(to, from, u64, fault);
	pagefault_enable();
	return true;
fault:
	pagefault_enable();
	return false;
}

bool tap_memory_write(void *to, const void *from, u32 size)
{
	for (; size >= sizeof(u64); to += sizeof(u64), from += sizeof(u64), size -= sizeof(u64))
		if (!write_word(to, from))
			return false;
	for (; size; to++, from++, size--)
		if (!write_byte(to, from))
			return false;
	return true;
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
