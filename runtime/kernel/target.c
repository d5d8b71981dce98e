// SPDX-License-Identifier: GPL-2.0-or-later
/* What target variables need from the running system: memory that may be unmapped, addresses in
 * the kernel image, per-CPU variables, thread-local storage. */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/uaccess.h>

#include "context.h"
#include "core/string.h"
#include "memory.h"

u64 tap_address(s64 offset)
{
	return (unsigned long)&register_kprobe + offset;	/* TAP_ANCHOR */
}

/* Converts SIZE bytes in memory order to and from the low end of a number. */
static u64 target_first_bytes(u64 value, u32 size)
{
#ifdef __BIG_ENDIAN
	return value >> (64 - 8 * size);
#else
	return size < 8 ? value & ((1ull << 8 * size) - 1) : value;
#endif
}

static void target_fault(struct tap_context *c, const char *what, u64 address, bool user)
{
	tap_error(c, "%s %s fault [man error::fault] at 0x%llx", user ? "user" : "kernel", what, address);
}

u64 tap_load(struct tap_context *c, u64 address, u32 size, bool user)
{
	u64 value = 0;

	if (likely(tap_memory_copy(c, &value, address, size, user)))
		return target_first_bytes(value, size);
	target_fault(c, "read", address, user);
	return 0;
}

/* Stores a value of one of the sizes that machines store in one access. */
static bool target_store_kernel(u64 address, u32 size, u64 value)
{
	void *to = (void *)(unsigned long)address;
	bool done = false;

	pagefault_disable();
	switch (size) {
	case 1: done = tap_store_nofault(to, value, u8); break;
	case 2: done = tap_store_nofault(to, value, u16); break;
	case 4: done = tap_store_nofault(to, value, u32); break;
	case 8: done = tap_store_nofault(to, value, u64); break;
	}
	pagefault_enable();
	return done;
}

bool tap_store(struct tap_context *c, u64 address, u32 size, u64 value, bool user)
{
	u64 old, bytes = target_first_bytes(value, size);
	bool done;

	/* Reading first rejects addresses outside that space. */
	if (!tap_memory_copy(c, &old, address, size, user))
		done = false;
	else if (user)
		done = !copy_to_user_nofault((void __user *)(unsigned long)address, &bytes, size);
	else
		done = target_store_kernel(address, size, value);
	if (!done)
		target_fault(c, "write", address, user);
	return done;
}

struct tap_string tap_text_at(struct tap_context *c, u64 address, u32 most, bool user)
{
	u32 limit = min_t(u32, most, tap_script.limits.string - 1), n;
	char *text = tap_scratch(c, limit + 1);

	if (!text)
		return TAP_EMPTY;
	if (!tap_memory_text(c, text, address, limit, user, &n)) {
		target_fault(c, "string copy", address + n, user);
		return TAP_EMPTY;
	}
	text[n] = 0;
	c->scratch = text + ALIGN(n + 1, 16);
	return (struct tap_string){ text, n };
}

/* Adds quotes around N bytes already in place. */
static struct tap_string target_quoted(struct tap_context *c, char *room, u32 n)
{
	room[0] = room[n + 1] = '"';
	room[n + 2] = 0;
	c->scratch = room + ALIGN(n + 3, 16);
	return (struct tap_string){ room, n + 2 };
}

/* The text is read into scratch after ROOM, written to ROOM as shown, and the rest is freed. */
static noinline struct tap_string target_shown_slowly(struct tap_context *c, char *room, u64 address, u32 most,
						      bool user)
{
	struct tap_string s = tap_text_at(c, address, most, user);

	c->scratch = room;
	return c->error ? TAP_EMPTY : tap_text(c, s, 0, true);
}

struct tap_string tap_text_shown(struct tap_context *c, u64 address, u32 most, bool user)
{
	char *room = tap_scratch(c, tap_script.limits.string);
	s32 n = -1;

	if (!room)
		return TAP_EMPTY;
	if (likely(user))
		n = tap_memory_plain(c, room + 1, address, min_t(u32, most, tap_script.limits.string - 3));
	return likely(n >= 0) ? target_quoted(c, room, n) : target_shown_slowly(c, room, address, most, user);
}

static noinline struct tap_string target_address_shown(struct tap_context *c, u64 address)
{
	union tap_value value = { .n = address };

	c->error = NULL;
	return tap_sprintf(c, "%p", &value);
}

struct tap_string tap_text_or_address(struct tap_context *c, u64 address, bool user)
{
	struct tap_string s = tap_text_shown(c, address, tap_script.limits.string, user);

	return likely(!c->error) ? s : target_address_shown(c, address);
}

struct tap_string tap_show_cut(struct tap_string s)
{
	if (s.size == tap_script.limits.string - 1 && s.size >= 3)
		memcpy((char *)s.data + s.size - 3, "...", 3);
	return s;
}

u64 tap_percpu(u64 address)
{
	return (unsigned long)this_cpu_ptr((void __percpu *)(unsigned long)address);
}

u64 tap_thread_storage(struct tap_context *c, u64 offset)
{
	(void)c;
	return tap_thread_pointer() + offset;
}
