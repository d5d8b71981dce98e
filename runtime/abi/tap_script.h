/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions and data that generated C may use: the whole contract between a translated
 * script and the runtime.
 *
 * Generated C includes only this file, so it reads no kernel header and does not depend on the
 * kernel version. The runtime (runtime/kernel in a module, runtime/simulate in a process)
 * implements the contract, most of it through runtime/core. So it is one header, although its functions are in many
 * files; all others have a header per file.
 *
 * A handler is a function that takes a context: the state of one running handler on one CPU at
 * one of four levels (task, softirq, irq, NMI). An operation that fails sets context->error,
 * and the generated code leaves the handler or jumps to the script's catch. Nothing here ever
 * sleeps or allocates.
 *
 * A change in here, comments aside, changes TAP_ABI_VERSION (versions.sh): the runtime refuses a script of another
 * one. */
#ifndef TAP_SCRIPT_H
#define TAP_SCRIPT_H

#include "tap_version.h"

#ifdef TAP_KERNEL_TYPES			/* the kernel's own headers were included first */
#include <linux/types.h>
#include <linux/stddef.h>
#else
typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned int u32;
typedef long long s64;
typedef unsigned long long u64;
#ifndef __cplusplus
#ifndef __bool_true_false_are_defined
#define bool _Bool
#define true 1
#define false 0
#define __bool_true_false_are_defined 1
#endif
#endif
#ifndef NULL
#define NULL ((void *)0)
#endif
#endif

#define tap_likely(x) __builtin_expect(!!(x), 1)
#define tap_unlikely(x) __builtin_expect(!!(x), 0)

/* A function that is called rarely saves all registers that it uses, so that its callers need not save any in case they
 * call it. gcc knows this only from version 14 on, so inline functions call it by assembly, with the operands of its
 * arguments. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define TAP_SAVES __attribute__((__no_caller_saved_registers__))
#define TAP_CALL_SAVING(function, result, operands...) \
	do { \
		register unsigned long tap_sp __asm__("rsp"); \
		__asm__ volatile("call " #function : "=a"(result), "+r"(tap_sp) : operands : "memory", "cc"); \
	} while (0)
#else
#define TAP_SAVES
#endif

/* A string. data[size] is always NUL; there may be NULs before it. Never longer than
 * tap_script.limits.string - 1 bytes. The bytes are owned by something else: a literal, a
 * variable's buffer, or the context's scratch stack. */
struct tap_string {
	const char *data;
	u64 size;			/* a full register, so that no other value shares it */
};
#define TAP_STRING(literal) ((struct tap_string){ (literal), sizeof(literal) - 1 })
#define TAP_EMPTY ((struct tap_string){ "", 0 })

union tap_value {
	s64 n;
	struct tap_string s;
};

/* ---- the context of a running handler ---- */

/* The part that generated code accesses; the runtime's own part follows it. */
struct tap_context {
	const char *error;	/* NULL, or the soft error's text; set by tap_error */
	const char *where;	/* "operator '/' at x.stp:3:5": the operation that failed; NULL without an error */
	char *scratch;		/* top of the stack of temporaries; 16-byte aligned */
	char *scratch_end;
	u8 *out;		/* where the next print goes; NULL: nothing printed yet */
	char *cells;		/* the counters and aggregates of this CPU and level (struct cells) */
	const void *regs;	/* struct pt_regs, or NULL; for its contents see TAP_PROBE_REGS */
	void *entry;		/* at a return: what the entry handler saved (struct entry_N);
				 * elsewhere: the data of the probe's family, see tap_given */
	/* these are set by one 8-byte store: */
	s32 actions;		/* statements left before more must be granted */
	s16 nesting;		/* function calls left before "MAXNESTING exceeded" */
	bool stop_next;		/* 'next' was executed inside a function */
	bool entering;		/* the entry part of a return probe, see tap_probe.entry; it may clear this: the
				 * handler is then not called when the function returns */
	u8 fetch;		/* enum tap_fetch_state */
};

/* A handler of a probe in a program may run again after memory that it could not read was fetched, as long as it has
 * had no effect. */
enum tap_fetch_state {
	TAP_FETCH_NONE,		/* what cannot be read is an error */
	TAP_FETCH_READY,	/* no effect yet */
	TAP_FETCH_WANTED,	/* a read failed: the handler will run again, and must have no effect now */
};

/* Called before an effect, by handlers and functions that read memory of processes. False: leave the handler. */
static inline bool tap_commit(struct tap_context *c)
{
	if (tap_unlikely(c->fetch == TAP_FETCH_WANTED))
		return false;
	c->fetch = TAP_FETCH_NONE;
	return true;
}

/* Sets the error, unless one is set already. FORMAT is printf-like with %s (const char *), %lld
 * (s64), %llu, %llx and %u; the text is kept in the context. */
void tap_error(struct tap_context *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Called when a function is left with an error: adds "f called at x.stp:3:5" to the message. */
void tap_called(struct tap_context *c, const char *call);
/* For catch: returns the error text as a string on the scratch stack and clears the error. The
 * errors of exit() and of exhausted limits cannot be caught: tap_catchable is false for them. */
struct tap_string tap_catch(struct tap_context *c);
bool tap_catchable(const struct tap_context *c);

/* Returns SIZE bytes of scratch, 16-byte aligned, or NULL with the error set when the stack is
 * full. Freed by restoring context->scratch. */
void *tap_scratch_slow(struct tap_context *c, u32 size);
static inline void *tap_scratch(struct tap_context *c, u32 size)
{
	char *p = c->scratch;

	size = (size + 15) & ~15u;
	if (tap_unlikely((u64)(c->scratch_end - p) < size))
		return tap_scratch_slow(c, size);
	c->scratch = p + size;
	return p;
}

/* Called at the back edge of each loop and on entry to recursive or long functions, with the number of statements
 * to account for. Statements are granted in slices, so an exhausted slice does not mean that the limit is reached. */
bool tap_more_actions(struct tap_context *c);
static inline bool tap_action(struct tap_context *c, s32 n)
{
	return tap_likely((c->actions -= n) >= 0) || tap_more_actions(c);
}

/* Called on each call of a recursive function. Returns false with the error set when MAXNESTING or the stack allow
 * no further call. In both cases the caller decrements c->nesting at the end of the call. */
bool tap_nest(struct tap_context *c);

/* memmove for sizes that are usually small: copies in overlapping pieces, so that no byte outside is accessed, and
 * reads all of them before it writes any. */
static inline void tap_copy(char *to, const char *from, u64 size)
{
	u64 first, last;
	u32 head, tail;

	if (size > 16) {
		__builtin_memmove(to, from, size);
	} else if (size >= 8) {
		__builtin_memcpy(&first, from, 8);
		__builtin_memcpy(&last, from + size - 8, 8);
		__builtin_memcpy(to, &first, 8);
		__builtin_memcpy(to + size - 8, &last, 8);
	} else if (size >= 4) {
		__builtin_memcpy(&head, from, 4);
		__builtin_memcpy(&tail, from + size - 4, 4);
		__builtin_memcpy(to, &head, 4);
		__builtin_memcpy(to + size - 4, &tail, 4);
	} else if (size) {
		char a = from[0], b = from[size / 2], z = from[size - 1];

		to[0] = a;
		to[size / 2] = b;
		to[size - 1] = z;
	}
}

/* ---- numbers ---- */

/* Division by zero is an error (result 0); INT64_MIN / -1 is INT64_MIN, its remainder 0. */
s64 tap_div(struct tap_context *c, s64 a, s64 b);
s64 tap_mod(struct tap_context *c, s64 a, s64 b);
/* Shifts take the count modulo 64; >> keeps the sign. */
static inline s64 tap_shl(s64 a, s64 n) { return (s64)((u64)a << (n & 63)); }
static inline s64 tap_shr(s64 a, s64 n) { return a >> (n & 63); }
/* These wrap around without undefined behaviour. */
static inline s64 tap_add(s64 a, s64 b) { return (s64)((u64)a + (u64)b); }
static inline s64 tap_sub(s64 a, s64 b) { return (s64)((u64)a - (u64)b); }
static inline s64 tap_mul(s64 a, s64 b) { return (s64)((u64)a * (u64)b); }
static inline s64 tap_neg(s64 a) { return (s64)(0 - (u64)a); }

/* ---- strings (core/string) ---- */

/* Results are on the scratch stack, truncated to the limit. */
struct tap_string tap_concat(struct tap_context *c, struct tap_string a, struct tap_string b);
/* Concatenates COUNT strings. */
struct tap_string tap_join(struct tap_context *c, const struct tap_string *pieces, u32 count);
struct tap_string tap_string_hold(struct tap_context *c, struct tap_string s);	/* a copy */
/* VALUE formatted as by %d, at the end of TEXT and without a NUL: a piece for tap_join. */
enum { TAP_MOST_DIGITS = 20 };		/* including the sign */
struct tap_string tap_decimal(char text[TAP_MOST_DIGITS], s64 value);
/* Compares bytes, as strcmp does. */
int tap_string_compare(struct tap_string a, struct tap_string b);
static inline bool tap_string_equal(struct tap_string a, struct tap_string b)
{
	return a.size == b.size && __builtin_memcmp(a.data, b.data, a.size) == 0;
}
/* Copies into a variable's buffer of tap_script.limits.string bytes; the result points to it. S
 * may overlap the buffer. */
struct tap_string tap_string_store(char *buffer, struct tap_string s);

/* The result of a function: S, which may be in the function's own scratch, is moved down to BASE, the top of the
 * scratch stack when the function began. */
static inline struct tap_string tap_return_string(struct tap_context *c, char *base, struct tap_string s)
{
	char *p;

	c->scratch = base;
	p = tap_scratch(c, s.size + 1);
	if (tap_unlikely(!p))
		return TAP_EMPTY;
	__builtin_memmove(p, s.data, s.size);
	p[s.size] = '\0';
	return (struct tap_string){ p, s.size };
}

/* A global string: */
struct tap_string_cell {
	u32 size;
	char data[];		/* limits.string bytes */
};
static inline struct tap_string tap_cell_get(const struct tap_string_cell *g)
{
	return (struct tap_string){ g->data, g->size };
}
void tap_cell_set(struct tap_string_cell *g, struct tap_string s);

/* ---- regular expressions (core/regex) ---- */

struct tap_regex;		/* tables generated by the translator: tap_regex.h */
/* Also saves the groups for matched(n) and ngroups() in the context. */
bool tap_regex_match(struct tap_context *c, const struct tap_regex *re, struct tap_string s);

/* ---- packets ---- */

/* A program of the classic BPF, as libpcap makes it of an expression: jumps lead forward only. */
struct tap_filter_step {
	u16 code;
	u8 if_true, if_false;		/* of a conditional jump: how many of the next steps are skipped */
	u32 k;
};
struct tap_filter {
	const struct tap_filter_step *steps;
	u32 count;
	u32 sees_tags;			/* for headers with VLAN tags, as on the wire; otherwise without them */
};
/* @packet_matches: SKB is the address of a struct sk_buff; memory that cannot be read does not match. */
bool tap_packet_matches(struct tap_context *c, const struct tap_filter *filter, s64 skb);

/* ---- arrays (core/map) ---- */

enum tap_type { TAP_LONG = 1, TAP_STRING_TYPE = 2, TAP_STATS = 3 };
enum { TAP_MOST_KEYS = 16 };

enum tap_stat_op {
	TAP_COUNT = 1, TAP_SUM, TAP_MIN, TAP_MAX, TAP_AVG, TAP_VARIANCE, TAP_PERCENTILE,
	TAP_HIST_LOG, TAP_HIST_LINEAR,
};

/* What an aggregate keeps besides count, sum, min and max. */
struct tap_stat_shape {
	bool variance;
	u8 hist_count;
	struct tap_hist_shape {
		u8 op;			/* TAP_HIST_LOG, TAP_HIST_LINEAR */
		u8 bits;		/* log: 2^bits sub-buckets per power of two; SystemTap has 0 */
		s64 low, high, step;	/* linear */
		u32 first, buckets;	/* position in tap_stat.buckets; see tap_hist_buckets() */
	} hists[4];
	u32 buckets;			/* of all histograms together */
};

struct tap_map_shape {
	const char *name;
	u8 key_count;
	u8 key_types[TAP_MOST_KEYS];	/* enum tap_type */
	u8 value_type;
	bool wrap;			/* when full, an insertion replaces the oldest entry */
	bool unlisted;			/* one number to numbers, no wrap, used only by keys, or cleared as a
					 * whole: see core/unlisted.c */
	u8 iterators;			/* how many foreach loops may be open at once that sort, or that iterate
					 * over aggregates in any order */
	u32 size;			/* entries; 0: limits.map_entries */
	const struct tap_stat_shape *stat;
};

struct tap_map;
struct tap_stat;

/* KEYS has one value per key. Pointers into a map are valid until the map's next insertion or
 * deletion. */
s64 *tap_map_find_long(struct tap_map *m, const union tap_value *keys);		/* or NULL */
/* Inserts the entry if it is absent. Returns NULL with the error set when the array is full. */
s64 *tap_map_slot_long(struct tap_context *c, struct tap_map *m, const union tap_value *keys);
struct tap_string tap_map_get_string(struct tap_map *m, const union tap_value *keys);	/* "" if absent */
bool tap_map_set_string(struct tap_context *c, struct tap_map *m, const union tap_value *keys,
			struct tap_string s);
bool tap_map_has(struct tap_map *m, const union tap_value *keys);
void tap_map_delete(struct tap_map *m, const union tap_value *keys);
void tap_map_delete_found(struct tap_map *m, s64 *value);	/* VALUE: as returned by find or slot */
void tap_map_clear(struct tap_map *m);
/* The same for arrays that map one number to numbers. */
s64 *tap_map_find_number(struct tap_map *m, s64 key);
s64 *tap_map_slot_number(struct tap_context *c, struct tap_map *m, s64 key);
void tap_map_delete_number(struct tap_map *m, s64 key);
/* For unlisted arrays, instead of those above that insert or delete an element. */
s64 *tap_map_slot_unlisted(struct tap_context *c, struct tap_map *m, s64 key);
void tap_map_delete_unlisted(struct tap_map *m, s64 key);
void tap_map_delete_found_unlisted(struct tap_map *m, s64 *value);
/* Bit i of WILD: key i is '*'. */
bool tap_map_has_slice(struct tap_context *c, struct tap_map *m, const union tap_value *keys, u32 wild);
void tap_map_delete_slice(struct tap_context *c, struct tap_map *m, const union tap_value *keys,
			  u32 wild);

/* Arrays of aggregates have one map per CPU. <<< locks only this CPU's map and takes no lock of
 * the script. */
void tap_map_add_stat(struct tap_context *c, struct tap_map *m, const union tap_value *keys, s64 value);
/* The same for arrays with one key. */
void tap_map_add_stat_number(struct tap_context *c, struct tap_map *m, s64 key, s64 value);
void tap_map_add_stat_text(struct tap_context *c, struct tap_map *m, struct tap_string key, s64 value);
/* Merges the values of all CPUs into the context's scratch; NULL without an error when no CPU has the entry. */
const struct tap_stat *tap_map_read_stat(struct tap_context *c, struct tap_map *m,
					 const union tap_value *keys);

/* foreach. Order: by the value (sort_key 0, for aggregates by OP), by key number sort_key (1...), or unsorted (-1).
 * LIMIT < 0: all. KEYS and WILD as for slices; without a slice WILD is all ones. KEYS and their strings must stay
 * in place until tap_foreach_end.
 *	for (it = tap_foreach(c, m, ...); it && tap_foreach_next(c, it);) ...
 *	if (it) tap_foreach_end(c, it);
 * Returns NULL with the error set when all iterators are in use. */
struct tap_iterator;
struct tap_order {
	s16 sort_key;
	s8 direction;			/* 1 ascending, -1 descending, 0 unsorted */
	u8 op;				/* enum tap_stat_op, when aggregates are sorted by value */
	s64 param;			/* percentile */
};
struct tap_iterator *tap_foreach(struct tap_context *c, struct tap_map *m, struct tap_order order,
				 s64 limit, const union tap_value *keys, u32 wild);
bool tap_foreach_next(struct tap_context *c, struct tap_iterator *it);
void tap_foreach_end(struct tap_context *c, struct tap_iterator *it);
/* KEY counts from 0. Strings are valid until the next tap_foreach_next, insertion or deletion. */
s64 tap_foreach_key_long(struct tap_iterator *it, u32 key);
struct tap_string tap_foreach_key_string(struct tap_iterator *it, u32 key);
s64 tap_foreach_long(struct tap_iterator *it);
struct tap_string tap_foreach_string(struct tap_iterator *it);
const struct tap_stat *tap_foreach_stat(struct tap_context *c, struct tap_iterator *it);

/* ---- aggregates (core/stat) ---- */

struct tap_stat {
	u32 sequence;			/* odd while its CPU is modifying it */
	u32 cleared;			/* set by other CPUs: counts as empty, its own CPU will zero it */
	s64 count, sum, min, max;
	u64 square_low;			/* 128-bit sum of squares, if the shape requires it */
	u64 square_high;
	s64 buckets[];
};

u32 tap_hist_buckets(const struct tap_hist_shape *h);
/* A scalar aggregate is in struct cells, one per CPU and level, so <<< takes no lock. */
void tap_stat_add(struct tap_stat *s, const struct tap_stat_shape *shape, s64 value);
/* The same for a shape with one log histogram without sub-buckets, and no variance. */
void tap_stat_add_log(struct tap_stat *s, const struct tap_stat_shape *shape, s64 value);
/* Merges the values of all CPUs and levels into scratch; CELL is the offset in struct cells. */
const struct tap_stat *tap_stat_read(struct tap_context *c, u32 cell, const struct tap_stat_shape *shape);
void tap_stat_clear(struct tap_context *c, u32 cell, const struct tap_stat_shape *shape);
/* Returns the value of an operator. An error for an empty aggregate (STAT NULL or count 0) for
 * all but count and sum. PARAM: bits of @variance, the percentile (0..100) of @percentile. */
s64 tap_stat_value(struct tap_context *c, const struct tap_stat *s, const struct tap_stat_shape *shape,
		   u8 op, s64 param);
/* One bucket by its number (linear) or by its power of two as SystemTap counts them (log). */
s64 tap_hist_bucket(struct tap_context *c, const struct tap_stat *s, const struct tap_hist_shape *h,
		    s64 bucket);
/* The same for BUCKET as foreach returns it; the aggregate may also be absent (NULL) or empty. */
static inline s64 tap_hist_count(const struct tap_stat *s, const struct tap_hist_shape *h, s64 bucket)
{
	return s ? s->buckets[h->first + (u32)bucket] : 0;
}

/* A global that is only incremented or added to is a counter in struct cells, and takes no lock. */
s64 tap_counter_read(u32 cell);

/* ---- locks of globals ---- */

/* One lock per group of globals that are always used together. NEED is sorted by address. Takes all or none;
 * returns false (and counts the hit as skipped) when a lock was not available in bounded time. */
struct tap_lock {
	s32 value;			/* readers, or -1: a writer */
} __attribute__((__aligned__(64)));	/* a separate cache line */
struct tap_lock_need {
	struct tap_lock *lock;
	bool write;
};
enum tap_region {
	TAP_REGION_LONG,
	TAP_REGION_BRIEF,		/* no loop, so it runs with interrupts off: an interrupt's handler never finds
					 * the lock taken by its own CPU */
	TAP_REGION_BRIEF_STACK,		/* the same, and it reads the user stack, for which a real-time kernel
					 * needs interrupts on: there, it counts as long */
};
bool tap_lock(struct tap_context *c, const struct tap_lock_need *need, u32 n, enum tap_region region);
void tap_unlock(struct tap_context *c, const struct tap_lock_need *need, u32 n, enum tap_region region);
/* The same for one lock and a brief region. */
bool tap_lock_write(struct tap_context *c, struct tap_lock *lock);
void tap_unlock_write(struct tap_context *c, struct tap_lock *lock);
bool tap_lock_read(struct tap_context *c, struct tap_lock *lock);
void tap_unlock_read(struct tap_context *c, struct tap_lock *lock);

/* ---- output ---- */

/* A print record in a handler's group of records: this header, then the format's arguments in
 * order: a number as 8 bytes, a string as u16 size and its bytes; nothing is aligned. */
struct tap_item {
	u32 format;			/* index into tap_script.formats, or one of TAP_ITEM_... */
	u32 size;			/* of the data that follows */
};
enum {
	TAP_ITEM_WARNING = 0xffff0001u,	/* text: to stderr, "WARNING: " in front */
	TAP_ITEM_ERROR,			/* text: to stderr, "ERROR: " in front */
	TAP_ITEM_EXIT,			/* exit() was called; nothing follows */
	TAP_ITEM_SYSTEM,		/* text: a command for the session's loader to run */
	TAP_ITEM_TEXT,			/* text: unchanged, to stdout */
	TAP_ITEM_SWITCH_FILE,		/* nothing follows: continue in the next output file */
};
/* The last item of a record may have the size TAP_ITEM_REST, which is all that is left, and its format the bit
 * TAP_ITEM_LAST. */
enum { TAP_ITEM_REST = 0xffffffffu, TAP_ITEM_LAST = 0x80000000u };

/* Begins one print with SIZE bytes of arguments. Returns where to put them, before anything else is printed, or
 * NULL when the print is dropped (and counted). */
u8 *tap_print(struct tap_context *c, u32 format, u32 size);
static inline u8 *tap_put_long(u8 *p, s64 value)
{
	__builtin_memcpy(p, &value, sizeof(value));
	return p + sizeof(value);
}
static inline u8 *tap_put_string(u8 *p, struct tap_string s)
{
	u16 size = (u16)s.size;

	__builtin_memcpy(p, &size, sizeof(size));
	tap_copy((char *)p + sizeof(size), s.data, s.size);
	return p + sizeof(size) + s.size;
}
/* print(@hist_log(x)): FORMAT is of kind TAP_FORMAT_HIST. */
void tap_print_hist(struct tap_context *c, u32 format, const struct tap_stat *s,
		    const struct tap_hist_shape *h);
/* warn(), error messages, system(): prints TEXT as an item of KIND. */
void tap_print_text(struct tap_context *c, u32 kind, struct tap_string text);
/* %m and %M: up to SIZE bytes at ADDRESS, read without faults, as a string argument. An error
 * if they cannot be read. */
struct tap_string tap_memory(struct tap_context *c, s64 address, s64 size, bool user);

/* ---- the target: registers and memory ---- */

/* The register at byte OFFSET of the machine's struct pt_regs, as it was at the probe. For
 * handlers of rows with TAP_PROBE_REGS or TAP_PROBE_ALL_REGS. */
static inline u64 tap_register_of(const void *regs, u32 offset)
{
	return *(const u64 *)((const char *)regs + offset);
}
static inline u64 tap_register(const struct tap_context *c, u32 offset)
{
	return tap_register_of(c->regs, offset);
}
static inline void tap_register_set(struct tap_context *c, u32 offset, u64 value)
{
	*(u64 *)((char *)(unsigned long)c->regs + offset) = value;
}

/* The word at byte OFFSET of the data that the probe's family passes to its handlers (the arguments of a
 * tracepoint). */
static inline u64 tap_given(const struct tap_context *c, u32 offset)
{
	return *(const u64 *)((const char *)c->entry + offset);
}

/* SIZE (1 to 8) bytes at ADDRESS, little endian, zero extended. 0 with the error set if they
 * cannot be read. USER: memory of the current process. */
u64 tap_load(struct tap_context *c, u64 address, u32 size, bool user);
/* Writes SIZE bytes of VALUE, in guru mode; returns false with the error set if that fails. */
bool tap_store(struct tap_context *c, u64 address, u32 size, u64 value, bool user);
/* The bit field of BITS bits at bit AT of VALUE. */
static inline u64 tap_bits(u64 value, u32 at, u32 bits, bool is_signed)
{
	value <<= 64 - at - bits;
	return is_signed ? (u64)((s64)value >> (64 - bits)) : value >> (64 - bits);
}
/* VALUE with the BITS bits at bit AT replaced by FIELD. */
static inline u64 tap_bits_set(u64 value, u32 at, u32 bits, u64 field)
{
	u64 mask = (bits < 64 ? (1ull << bits) - 1 : ~0ull) << at;

	return (value & ~mask) | (field << at & mask);
}
/* The string at ADDRESS up to its NUL, at most MOST bytes; an error if it cannot be read. */
struct tap_string tap_text_at(struct tap_context *c, u64 address, u32 most, bool user);
/* For printing: the bytes up to a NUL, at most MOST of them, as a quoted string with escapes. */
struct tap_string tap_text_shown(struct tap_context *c, u64 address, u32 most, bool user);
/* The same for the target of a pointer; the address as a number if it cannot be read. */
struct tap_string tap_text_or_address(struct tap_context *c, u64 address, bool user);
/* The same for characters of WIDTH (2, 4) bytes, as UTF-8; MOST counts bytes of memory, not
 * characters. */
struct tap_string tap_wide_shown(struct tap_context *c, u64 address, u32 most, u32 width, bool user);
struct tap_string tap_wide_or_address(struct tap_context *c, u64 address, u32 width, bool user);
/* One such character, escaped if necessary. */
struct tap_string tap_wide_character(struct tap_context *c, s64 code);
/* Puts "..." at the end of S if S has the maximum length of a string. S must be in a buffer of
 * the runtime. */
struct tap_string tap_show_cut(struct tap_string s);
/* The probed function does not run: its caller gets VALUE. For handlers of rows with
 * TAP_PROBE_OVERRIDE. */
void tap_override(struct tap_context *c, s64 value);
/* An address in the kernel image, from its distance to TAP_ANCHOR. */
u64 tap_address(s64 offset);
/* The address OFFSET bytes after a module's symbol; 0 with the error set while the module is
 * not loaded. */
struct tap_symbol {
	const char *module, *name;
	u64 address;			/* written by the runtime; 0: not loaded */
};
u64 tap_symbol_address(struct tap_context *c, const struct tap_symbol *s, s64 offset);
/* The address in the mapped image that the process's probed code belongs to, from the address
 * as linked. */
u64 tap_user_address(struct tap_context *c, s64 linked);
/* At process.syscall. */
s64 tap_syscall_number(struct tap_context *c);
s64 tap_syscall_argument(struct tap_context *c, u32 n);	/* counts from 0 */
s64 tap_syscall_result(struct tap_context *c);
/* 1 for a call of a 32-bit program; its numbers differ. */
s64 tap_syscall_compat(struct tap_context *c);
/* This CPU's copy of the per-CPU variable at ADDRESS. */
u64 tap_percpu(u64 address);
/* OFFSET bytes into the current thread's storage. */
u64 tap_thread_storage(struct tap_context *c, u64 offset);

/* sprintf and the like, formatted here by core/format: the same bytes as in the loader. */
struct tap_string tap_sprintf(struct tap_context *c, const char *format, const union tap_value *args);
/* sprint(@hist_log(x)), or sprintln: the plain table, truncated as any string. */
struct tap_string tap_sprint_hist(struct tap_context *c, const struct tap_stat *s,
				  const struct tap_hist_shape *h, bool newline);

enum {
	TAP_FORMAT_TEXT = 0,
	TAP_FORMAT_HIST = 1,
	TAP_FORMAT_GLOBAL = 2,		/* as TEXT; shows a global at exit: NAME[%s,%#x]=%#x and the like */
	TAP_FORMAT_ROW = 3,		/* as TEXT; a row of a table: TABLE COLUMN=%d COLUMN=%s and the like */
};
struct tap_format {
	u8 kind;
	const char *text;		/* unless HIST: printf-like; NUL-terminated; NULs only through %c */
	const struct tap_hist_shape *hist;
};

/* The process of -c or -x; 0 if neither was given. */
s64 tap_target(void);

/* exit(): the session ends; the handler runs to its end, as in SystemTap. */
void tap_exit(struct tap_context *c);
/* abort(): the handler ends here as well, and no catch prevents that. */
void tap_abort(struct tap_context *c);

/* ---- probes ---- */

struct tap_direct;
struct tap_probe_ops;			/* runtime/kernel/probes/NAME.c defines tap_NAME at its end */

enum {
	TAP_PROBE_OPTIONAL = 1,		/* a failed registration is only a warning */
	TAP_PROBE_RETURN = 2,
	TAP_PROBE_REGS = 4,		/* the handler reads registers; at a function's entry only the arguments,
					 * the instruction pointer and the stack pointer */
	TAP_PROBE_SITES = 8,		/* where is a struct tap_functions from a wildcard: sites that cannot be
					 * probed are counted, not reported */
	TAP_PROBE_ALL_REGS = 16,	/* all registers at a function's entry: costs more */
	TAP_PROBE_OVERRIDE = 32,	/* at a function's entry: the handler may call tap_override */
	TAP_PROBE_FETCH = 64,		/* in a program: what the handlers cannot read is fetched, see tap_commit */
};

/* A row of the generated table. Rows are sorted by ops; rows with the same ops are started
 * together. */
struct tap_probe {
	const struct tap_probe_ops *ops;
	void (*handler)(struct tap_context *c);
	bool (*condition)(struct tap_context *c);	/* armed while true; NULL: always */
	const char *point;		/* pp(); a byte 1 in it is replaced by the site's symbol */
	const char *alias;		/* pn(): the alias that the script names; NULL: as point */
	const char *written;		/* the point as the script writes it, for messages */
	const char *position;		/* "x.stp:3:1" of the script's probe */
	const void *where;		/* the family's data: struct tap_begin, tap_timer, tap_functions */
	u32 flags;
	u32 number;			/* of the script's probe, for statistics */
	/* Runs at the entry of a function whose return is probed: saves in ENTRY_SIZE bytes what the handler needs
	 * from the entry. NULL: nothing. */
	void (*entry)(struct tap_context *c);
	u32 entry_size;
	struct tap_direct *direct;	/* tap_direct.h: code that functions may call; NULL: none */
};

/* A test of the script, in tapc --simulate. */
struct tap_test {
	const char *name;
};

/* begin, end, error: lower priority first (end, error likewise). */
struct tap_begin {
	enum { TAP_BEGIN, TAP_END, TAP_ERROR_PROBE } kind;
	s64 priority;
};

struct tap_timer {
	u64 period;			/* ns, or jiffies */
	u64 randomize;			/* - this much, in the same unit */
	bool jiffies;
	bool profile;			/* on each CPU */
};

/* A performance counter: what perf_event_open(2) calls type and config. One per CPU, or one per thread if a struct
 * tap_process refers to it. */
struct tap_perf {
	u32 type;
	u64 config;
	u64 events;			/* one hit per this many events; or */
	u64 hertz;			/* this many hits per second; both 0: it is only read */
};
/* @perf: the count of row ROW on this CPU, or in this thread. An error in a thread that does not belong to the
 * probed program. */
s64 tap_perf_of_cpu(struct tap_context *c, u32 row);
s64 tap_perf_of_thread(struct tap_context *c, u32 row);

/* A file /proc/systemtap/MODULE/PATH. */
struct tap_procfs {
	const char *path;
	u32 mode;			/* the file mode of this row */
	u32 most;			/* maximum size of a read, in bytes; 0: the size of a string */
	bool writes;
};
struct tap_string tap_procfs_value(struct tap_context *c);		/* $value */
void tap_procfs_set(struct tap_context *c, struct tap_string s);
void tap_procfs_add(struct tap_context *c, struct tap_string s);	/* $value .= s */

/* A hook of the network stack, by the kernel's numbers. */
struct tap_netfilter {
	u8 family, hook;
	s32 priority;
};
s64 tap_netfilter_verdict(struct tap_context *c);			/* $verdict */
void tap_netfilter_set_verdict(struct tap_context *c, s64 verdict);

/* Watched kernel memory. */
struct tap_watch {
	s64 offset;			/* from the anchor, or the address itself */
	bool absolute;
	bool reads;			/* also hit by reads */
	u32 length;
};

/* Functions of the kernel or of a module. An address is stored as the distance from a symbol
 * that the module loader resolves (kernel) or from the module's .text (module), never as a
 * number, so it is valid under any relocation. */
struct tap_functions {
	const char *module;		/* NULL: the kernel proper */
	const struct tap_site *sites;	/* sorted by offset */
	u32 count;
	u32 maxactive;			/* return: 0 means the default */
	const u8 *build_id;		/* of the image that the offsets are from; NULL: resolve by name */
	u32 build_id_size;
	s64 notes;			/* kernel: distance of __start_notes from the anchor */
	u32 notes_size;
	u32 absolute;			/* offsets are addresses of the running kernel */
};
/* The return addresses of calls: a site is hit only when one of these calls led to it. */
struct tap_callers {
	const struct tap_caller {
		s64 at;			/* relative, as the offset of a site */
		u16 is_root;		/* in the function that the script names as caller, or in code inlined there */
		u16 is_jump;		/* AT is the entry of a function that jumps to the function it calls */
	} *list;			/* sorted */
	u32 count;
	u32 depth;			/* the root is at most this many frames up */
};
enum { TAP_MOST_CALLERS = 16 };
enum { TAP_TAKEN_BY_POINTER = 0x100 };	/* the argument points to the pointer */
struct tap_site {
	const char *symbol;
	s64 offset;			/* of the function, from the anchor; TAP_BY_NAME; without a build_id all are
					 * resolved by name */
	u32 into;			/* bytes into the function */
	const char *shown;		/* in pp(), instead of the symbol: "function@file:line"; NULL: the symbol */
	const struct tap_callers *callers;	/* NULL: any caller */
	u32 gated;			/* a return: its arguments are in registers, and it does return (tap_gate.h) */
	u32 taken;			/* of .takes: the number of the argument, from 1, perhaps with
					 * TAP_TAKEN_BY_POINTER; otherwise 0 */
	/* Of .fallible: "NAME:L NAME:L ...", L is p for a pointer, '0' + the size in bytes for a signed number, 'a' +
	 * the size for an unsigned one. NULL: none, or unknown. */
	const char *parameters;
};
/* Processes: places in a program or library, and events in the life of processes. */
struct tap_process {
	enum tap_process_kind {
		TAP_PROCESS_PLACES,
		TAP_PROCESS_BEGIN, TAP_PROCESS_END, TAP_PROCESS_THREAD_BEGIN, TAP_PROCESS_THREAD_END,
		TAP_PROCESS_SYSCALL, TAP_PROCESS_SYSCALL_RETURN,
		TAP_PROCESS_FOLLOWED,
		TAP_PROCESS_KINDS
	} kind;
	const char *path;		/* of the program or library that the sites are in */
	const char *within;		/* only in processes that run this program; NULL: in any */
	s64 pid;			/* only in this process; 0: in any */
	const struct tap_user_site *sites;
	u32 count;
	u32 build_id_size;		/* 0: no build id */
	const u8 *build_id;
	u64 build_id_at;		/* offset in the file */
	const struct tap_process_follow *follow;	/* FOLLOWED: the code that follows the processes */
	const struct tap_perf *perf;	/* its counter; or */
	const struct tap_watch *watch;	/* memory; its offset is the address as linked */
	u64 code;			/* with watch: the lowest address of code, as linked */
	const struct tap_go *go;	/* if some sites have goroutines */
};
struct tap_user_site {
	struct tap_site site;		/* its offset is in the file */
	u64 address;			/* as linked, and so are those of callers */
	u64 counter;			/* offset in the file of the semaphore of a static marker; 0: none */
	u32 pad;			/* bytes of a landing pad there, which the probed instruction follows */
	u32 second;			/* bytes from a static marker's nop to its nop of ten bytes; 0: it has none */
	u32 goroutine;			/* enum tap_goroutine: where the code has the address of its goroutine */
	u32 return_count;		/* TAP_PROBE_RETURN: 0: the return address is replaced; otherwise these */
	const struct tap_user_return *returns;	/* instructions are probed, in programs that read their own stacks */
};
struct tap_user_return {
	u32 at;				/* bytes from the function's entry */
};
enum tap_goroutine { TAP_GOROUTINE_NONE, TAP_GOROUTINE_IN_REGISTER, TAP_GOROUTINE_IN_STORAGE /* thread-local */ };
/* A program written in Go. */
struct tap_go {
	s64 storage;			/* the goroutine's address is that far from the thread pointer */
	u32 number;			/* the offset of the goroutine's number in it; 0: not known */
};

#define TAP_ANCHOR "register_kprobe"	/* the kernel's offsets are relative to this symbol */
#define TAP_BY_NAME (-0x7fffffffffffffffll - 1)

/* Tracepoints, found by name, of the kernel or of modules that are loaded now or later. Their
 * arguments are passed to the handler, one word each. */
struct tap_tracepoints {
	const struct tap_tracepoint *points;	/* sorted by name */
	u32 count;
};
struct tap_tracepoint {
	struct tap_site site;		/* symbol: the name; shown: "system:name" */
	const char *module;		/* NULL: the kernel proper */
	u32 arguments;
	const void *typed;		/* where the kernel checks types at calls: a function with the type of the
					 * tracepoint's probes, which calls tap_tracepoint_hit() */
};
void tap_tracepoint_hit(void *data, u64 *given);
enum { TAP_MOST_ARGUMENTS = 12 };	/* the maximum for BPF programs */
struct tap_string tap_tracepoint_name(struct tap_context *c);		/* $$name */
struct tap_string tap_tracepoint_system(struct tap_context *c);		/* $$system */

/* System calls by number: for native programs and for 32-bit ones; -1: no such call, TAP_SYSCALL_OTHERS: every call
 * that no other element of the row has. */
struct tap_syscalls {
	const struct tap_syscall *calls;
	u32 count;
	bool returns;
};
struct tap_syscall {
	struct tap_site site;
	s32 number, compat;
	u8 within;			/* socketcall: the number of the call within it; 0: not
					 * part of socketcall */
	u8 result;			/* TAP_RESULT_... */
	const char *arguments;		/* their kinds, one byte each: enum tap_show */
};
enum { TAP_RESULT_DECIMAL, TAP_RESULT_HEX, TAP_RESULT_OCTAL };
enum { TAP_SYSCALL_OTHERS = -2 };
struct tap_string tap_syscall_name(struct tap_context *c);
/* In front of the data that c->entry points to: six arguments, the number, compat, the result. */
enum { TAP_CALL_WORDS = 9 };
static inline u64 tap_call_word(const struct tap_context *c, u32 n)
{
	return ((const u64 *)c->entry)[(s32)n - TAP_CALL_WORDS];
}
/* Replaces argument N (from 0) in guru mode, before the kernel makes the call. */
void tap_call_set(struct tap_context *c, u32 n, s64 value);
#define TAP_CALL_SET(n) \
	static inline void tap_call_set_##n(struct tap_context *c, s64 value) { tap_call_set(c, n, value); }
TAP_CALL_SET(0) TAP_CALL_SET(1) TAP_CALL_SET(2) TAP_CALL_SET(3) TAP_CALL_SET(4) TAP_CALL_SET(5)
/* Its arguments and its result in readable form. */
struct tap_string tap_call_arguments(struct tap_context *c);
struct tap_string tap_call_argument(struct tap_context *c, u32 n);	/* counts from 0 */
struct tap_string tap_call_result(struct tap_context *c);
/* Argument N: shown as if it were of this kind (enum tap_show); the string that it points to; element I of the
 * numbers that it points to, of 4 bytes or of the program's word size, 0 if it cannot be read. */
struct tap_string tap_call_argument_as(struct tap_context *c, u32 n, u8 kind);
struct tap_string tap_call_text(struct tap_context *c, u32 n);
s64 tap_call_element(struct tap_context *c, u32 n, u32 i, bool is_word);

/* pp(), pn(), ppfunc() and so on, for the running handler. */
struct tap_string tap_pp(struct tap_context *c);
struct tap_string tap_pn(struct tap_context *c);
struct tap_string tap_ppfunc(struct tap_context *c);
/* Re-evaluates the conditions of all probes a moment later. Called after a handler that wrote a
 * global that a condition reads. */
void tap_conditions_changed(struct tap_context *c);

/* ---- the script ---- */

struct tap_limits {
	u32 string;		/* MAXSTRINGLEN: bytes of a string including its NUL; at most 65535 */
	u32 map_entries;	/* MAXMAPENTRIES */
	s32 actions;		/* MAXACTION */
	s32 actions_interruptible;	/* MAXACTION_INTERRUPTIBLE: begin, end, error, timers in tasks */
	s32 nesting;		/* MAXNESTING */
	u32 errors;		/* MAXERRORS: more soft errors than this end the session */
	u32 skipped;		/* MAXSKIPPED */
	u32 lock_tries;		/* MAXTRYLOCK */
	u32 scratch;		/* bytes of scratch per context, as computed by plan */
	u32 out;		/* bytes of print records a handler may collect before they are sent */
	s32 hist_elision;	/* HIST_ELISION, see struct tap_hist_style */
	u32 least_stack;	/* MINSTACKSPACE: bytes of stack that a handler must have left */
	u32 backtrace;		/* MAXBACKTRACE: maximum number of addresses of a stack */
	u64 overload_interval;	/* STP_OVERLOAD_INTERVAL, ns; 0 with STP_NO_OVERLOAD */
	u64 overload_threshold;	/* STP_OVERLOAD_THRESHOLD: more ns than this in an interval are an overload */
	u64 memory;		/* --max-memory: bytes that the session may allocate; 0: no limit */
	bool strict;		/* overload ends the session instead of switching probes off */
	bool suppress_handler_errors, suppress_time_limits;
	bool bursts;		/* probes other than begin, end and error print: they wait for no reader */
};

/* A global that -G or a module parameter may set before begin. */
struct tap_parameter {
	const char *name;
	u8 type;		/* TAP_LONG: s64 *, TAP_STRING_TYPE: struct tap_string_cell * */
	void *value;
};

/* A global that another session can take over. */
struct tap_global {
	const char *name;
	u8 type;			/* enum tap_type */
	bool is_counter;		/* a number in struct cells, added to the variable */
	void *value;			/* TAP_LONG: s64 *, TAP_STRING_TYPE: struct tap_string_cell *; NULL: in cells */
	struct tap_map **map;		/* of an array, otherwise NULL */
	u32 cell;			/* offset in struct cells */
	const struct tap_stat_shape *stat;	/* of an aggregate that is not an array */
};

/* The globals of --hand-over, and all locks of the script. Only such a script refers to tap_globals_ops, a name for the
 * code that reads and sets them. */
struct tap_globals {
	const struct tap_globals_ops *ops;
	const struct tap_global *list;
	u32 count;
	const struct tap_lock_need *locks;
	u32 lock_count;
};
extern const struct tap_globals_ops tap_globals_ops;

struct tap_map_row {
	const struct tap_map_shape *shape;
	struct tap_map **map;	/* filled in at start */
};

/* Creates and frees arrays. Only a script with arrays refers to it, so that other modules do not contain its code. */
struct tap_maps_ops {
	int (*start)(void);		/* 0 or -errno */
	void (*stop)(void);
	/* A CPU goes online; its handlers do not run yet, and the lock of CPU hotplug is held. */
	bool (*open_cpu)(u32 cpu);
};
extern const struct tap_maps_ops tap_maps;

/* Source lines, in the form of tap_image.h. */
struct tap_lines {
	struct tap_functions image;	/* the kernel or module that they belong to; without sites */
	s64 first;			/* the place that the table's 0 stands for */
	const void *data;
	u64 size;
	const struct tap_symbol *symbol;	/* a function of the module; NULL: the kernel's anchor */
	s64 offset;			/* the place of that symbol */
};

struct tap_script {
	u32 abi_version;
	const char *name;	/* the script's file, for messages */
	struct tap_limits limits;
	const struct tap_probe *probes;
	u32 probe_count;
	const struct tap_format *formats;
	u32 format_count;
	const struct tap_map_row *maps;
	u32 map_count;
	const struct tap_maps_ops *map_ops;	/* NULL: no maps */
	const struct tap_parameter *parameters;
	u32 parameter_count;
	struct tap_symbol *symbols;	/* of modules' data */
	u32 symbol_count;
	const struct tap_lines *lines;	/* of the kernel and of modules */
	u32 line_count;
	const struct tap_globals *globals;	/* of --hand-over; or NULL */
	u32 cells_size;			/* sizeof(struct cells) */
	void (*init)(void);		/* sets the initial values of globals; called before parameters are set */
	void (*init_cells)(char *cells);	/* of one CPU and level; NULL: zeroes suffice */
};

extern const struct tap_script tap_script;

#endif
