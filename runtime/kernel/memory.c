// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads memory that may be unmapped, by the kernel's no-fault copies: they return an error on a fault and reject
 * addresses of the other space. Strings of processes are read word by word with the same primitives. */
#include <linux/mm.h>
#include <linux/uaccess.h>

#include "context.h"
#include "fetch.h"
#include "memory.h"
#include "core/string.h"

static bool memory_is_user_readable(const struct tap_frame *f)
{
	const struct mm_struct *mm = current->mm;

	return mm && tap_is_memory_loaded(mm, f->level == TAP_LEVELS - 1);
}

bool tap_memory_copy(struct tap_context *c, void *to, u64 from, u64 size, bool user)
{
	long err = -EFAULT;

	if (from + size < from)
		;
	else if (!user)
		err = copy_from_kernel_nofault(to, (void *)(unsigned long)from, size);
	else if (memory_is_user_readable(tap_frame(c)))
		err = copy_from_user_nofault(to, (void __user *)(unsigned long)from, size);
	if (!err)
		return true;
	memset(to, 0, size);
	if (user)
		tap_fetch_want(c, from, size);
	return false;
}

/* Sets a bit in each zero byte of WORD, up to the first one: the bytes are in memory order. */
static __always_inline u64 memory_nul(u64 word)
{
	const u64 ones = 0x0101010101010101ull;

	return (word - ones) & ~word & ones << 7;
}

/* By words, without the checks of TO in the kernel's copies; byte by byte where a word cannot be read, because the
 * text may end before the fault. */
static bool memory_user_text(char *to, const char __user *from, u32 most, u32 *size)
{
	u64 word, nul;
	u32 n = 0;
	char byte;

	pagefault_disable();
	if (!user_read_access_begin(from, (size_t)most))
		goto closed;
	for (; n + sizeof(word) <= most; n += sizeof(word)) {
		unsafe_get_user(word, (const u64 __user *)(from + n), bytes);
		__builtin_memcpy(to + n, &word, sizeof(word));
		nul = memory_nul(word);
		if (nul) {
			n += __ffs(nul) / 8;
			goto done;
		}
	}
bytes:
	for (; n < most; n++) {
		unsafe_get_user(byte, from + n, fault);
		if (!byte)
			break;
		to[n] = byte;
	}
done:
	user_read_access_end();
	pagefault_enable();
	*size = n;
	return true;
fault:
	user_read_access_end();
closed:
	pagefault_enable();
	*size = n;
	return false;
}

static u32 memory_length(const char *text, u32 most)
{
	u64 word, nul;
	u32 n;

	for (n = 0; n + sizeof(word) <= most; n += sizeof(word)) {
		__builtin_memcpy(&word, text + n, sizeof(word));
		nul = memory_nul(word);
		if (nul)
			return n + __ffs(nul) / 8;
	}
	return n + strnlen(text + n, most - n);
}

/* In pieces, each within one aligned block of 64 bytes: memory after the text may be unmapped. */
static bool memory_text_by_pieces(struct tap_context *c, char *to, u64 from, u32 most, bool user, u32 *size)
{
	u32 n = 0, piece, got;

	for (; n < most; n += got) {
		piece = min_t(u32, 64 - ((from + n) & 63), most - n);
		*size = n;
		if (!tap_memory_copy(c, to + n, from + n, piece, user))
			return false;
		got = memory_length(to + n, piece);
		if (got < piece) {
			n += got;
			break;
		}
	}
	*size = n;
	return true;
}

/* Whether MOST bytes at FROM may be read as the process's memory, and not as the same address in another space. */
static bool memory_may_be_user(struct tap_context *c, u64 from, u32 most)
{
	return from < TASK_SIZE_MAX - most && memory_is_user_readable(tap_frame(c));
}

s32 tap_memory_plain(struct tap_context *c, char *to, u64 from, u32 most)
{
	const char __user *text = (const char __user *)(unsigned long)from;
	u64 word, nul = 0, before;
	u32 n = 0;

	if (!memory_may_be_user(c, from, most))
		return -1;
	pagefault_disable();
	if (!user_read_access_begin(text, (size_t)most))
		goto closed;
	for (; n + sizeof(word) <= most; n += sizeof(word)) {
		unsafe_get_user(word, (const u64 __user *)(text + n), open);
		nul = memory_nul(word);
		if (nul) {
			before = ((nul & -nul) >> 7) - 1;
			word = (word & before) | (0x2020202020202020ull & ~before);
		}
		if (!tap_are_plain(word)) {
			nul = 0;
			break;
		}
		__builtin_memcpy(to + n, &word, sizeof(word));
		if (nul)
			break;
	}
open:
	user_read_access_end();
closed:
	pagefault_enable();
	return nul ? n + __ffs(nul) / 8 : -1;
}

bool tap_memory_text(struct tap_context *c, char *to, u64 from, u32 most, bool user, u32 *size)
{
	if (user && memory_may_be_user(c, from, most)) {
		if (likely(memory_user_text(to, (const char __user *)(unsigned long)from, most, size)))
			return true;
		tap_fetch_want(c, from + *size, 1);
		return false;
	}
	return memory_text_by_pieces(c, to, from, most, user, size);
}

/* As copy_to_kernel_nofault(), which modules cannot call. Exception tables do not cover a fault
 * at an address outside the kernel's space (the kernel dies of it), so the byte is read first. */
static bool memory_write_byte(char *to, const char *from)
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

static bool memory_write_word(char *to, const char *from)
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
		if (!memory_write_word(to, from))
			return false;
	for (; size; to++, from++, size--)
		if (!memory_write_byte(to, from))
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
