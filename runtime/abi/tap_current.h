/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What handlers ask most about the current task, without a call. A tapset's function F with the pragma inline is
 * tap_here_F() in generated C, which includes this if it calls one. Other machines and --simulate call the tapset's. */
#ifndef TAP_CURRENT_H
#define TAP_CURRENT_H

#include "tap_script.h"

enum { TAP_COMM_SIZE = 16 };

/* There is no scratch memory for a name: an error of the handler. Returns TAP_EMPTY's text. */
TAP_SAVES const char *tap_no_comm(struct tap_context *c);

/* The top bit of the lowest zero byte, possibly with bits above it; 0 if no byte is zero. */
static inline u64 tap_zero_bytes(u64 word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return (word - 0x0101010101010101ull) & ~word & 0x8080808080808080ull;
}

/* Copies a task's name of TAP_COMM_SIZE bytes, and returns its length. Two words and no loop, because most output lines
 * begin with it. The name may change concurrently, so the terminator is searched for in the copy. */
static inline u32 tap_copy_comm(char *to, const char *comm)
{
	u64 word, zeros;

	__builtin_memcpy(&word, comm, 8);
	__builtin_memcpy(to, &word, 8);
	zeros = tap_zero_bytes(word);
	if (zeros)
		return (u32)__builtin_ctzll(zeros) / 8;
	__builtin_memcpy(&word, comm + 8, 8);
	__builtin_memcpy(to + 8, &word, 8);
	to[15] = 0;
	zeros = tap_zero_bytes(word);
	return zeros ? 8 + (u32)__builtin_ctzll(zeros) / 8 : 15;
}

/* The name COMM of a task, as a string of the running handler. */
static inline struct tap_string tap_comm(struct tap_context *c, const char *comm)
{
	char *text = c->scratch;
	u32 size;

	if (tap_unlikely(c->scratch_end - text < TAP_COMM_SIZE)) {
#ifdef TAP_CALL_SAVING
		struct tap_string none = { .size = 0 };

		TAP_CALL_SAVING(tap_no_comm, none.data, "D"(c));
		return none;
#else
		return (struct tap_string){ tap_no_comm(c), 0 };
#endif
	}
	c->scratch = text + TAP_COMM_SIZE;
	size = tap_copy_comm(text, comm);
	if (c->error)
		__builtin_unreachable();	/* a handler with an error calls nothing */
	return (struct tap_string){ text, size };
}

s64 tap_fn_pid(struct tap_context *c) __attribute__((const));
s64 tap_fn_tid(struct tap_context *c) __attribute__((const));
struct tap_string tap_fn_execname(struct tap_context *c);

#if defined(__x86_64__) && !defined(TAP_SIMULATE)

/* Where a CPU's pointer to its task is, and the offsets of a task's members as addresses, so that they are part of the
 * instructions. */
extern const unsigned long tap_current_at;
extern const char tap_task_pid[], tap_task_tgid[], tap_task_comm[];

static inline unsigned long tap_current(void)
{
	unsigned long task;

	__asm__("mov %%gs:(%1), %0" : "=r"(task) : "r"(tap_current_at));
	return task;
}

static inline s64 tap_here_pid(struct tap_context *c)
{
	(void)c;
	return *(const volatile s32 *)(tap_current() + (unsigned long)tap_task_tgid);
}

static inline s64 tap_here_tid(struct tap_context *c)
{
	(void)c;
	return *(const volatile s32 *)(tap_current() + (unsigned long)tap_task_pid);
}

static inline struct tap_string tap_here_execname(struct tap_context *c)
{
	return tap_comm(c, (const char *)(tap_current() + (unsigned long)tap_task_comm));
}

#else
#define tap_here_pid tap_fn_pid
#define tap_here_tid tap_fn_tid
#define tap_here_execname tap_fn_execname
#endif

#endif
