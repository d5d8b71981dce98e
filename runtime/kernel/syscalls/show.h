/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A system call as a human wants to read it. There is a decoder for each kind of argument that
 * abi/syscall_kinds.def has; it writes what VALUE, argument I of the call, means. */
#ifndef TAP_SYSCALL_SHOW_H
#define TAP_SYSCALL_SHOW_H

#include "context.h"
#include "core/string.h"
#include "core/writer.h"

/* What handlers are given, TAP_CALL_WORDS of it; what an entry has kept for them follows. */
struct tap_call {
	u64 arguments[6], number, compat, result;
};

static inline struct tap_call *tap_call_of(const struct tap_context *c)
{
	return (struct tap_call *)c->entry - 1;
}

struct tap_shower {
	struct tap_context *c;
	struct tap_writer w;
	const struct tap_call *call;
};

struct tap_decoder {
	void (*show)(struct tap_shower *s, u64 value, u32 i);
	/* Numbers with names: the bits of CHOICE together are one of several values, each other bit
	 * stands for itself. */
	const struct tap_name *names;
	u32 count;
	u32 choice;
	const char *nothing;		/* what no bit at all is; NULL: "0" */
};

#define KIND(name, type, form) extern const struct tap_decoder tap_decode_##name;
#include "syscall_kinds.def"
#undef KIND

/* To be written in the decoders' files: one of several names, flags, and both in one number. */
#define NAME(symbol) { (u32)(symbol), #symbol }
#define NAMED(number, text) { (u32)(number), text }
#define DECODER_(kind, bits, ...) \
	static const struct tap_name kind##_names[] = { __VA_ARGS__ }; \
	const struct tap_decoder tap_decode_##kind = { tap_show_names, kind##_names, \
						       ARRAY_SIZE(kind##_names), bits, NULL }
#define CHOICE(kind, ...) DECODER_(kind, ~0u, __VA_ARGS__)
#define FLAGS(kind, ...) DECODER_(kind, 0, __VA_ARGS__)
#define CHOICE_AND_FLAGS(kind, bits, ...) DECODER_(kind, bits, __VA_ARGS__)
#define DECODER(kind, function) const struct tap_decoder tap_decode_##kind = { .show = function }

void tap_show_text(struct tap_shower *s, const char *text);
void tap_show_decimal(struct tap_shower *s, s64 value);
void tap_show_hex(struct tap_shower *s, u64 value);	/* 0x... */
void tap_show_octal(struct tap_shower *s, u64 value);	/* 0... */
void tap_show_pointer(struct tap_shower *s, u64 address);	/* NULL is such */
/* By the decoder's names; what has none is a number. */
void tap_show_names(struct tap_shower *s, u64 value, u32 i);
void tap_show_names_of(struct tap_shower *s, const struct tap_decoder *d, u64 value);
/* The text at ADDRESS, quoted; SIZE bytes of it when it is no text that ends; the address when it cannot be
 * read. */
void tap_show_string(struct tap_shower *s, u64 address);
void tap_show_bytes(struct tap_shower *s, u64 address, u64 size);
/* SIZE bytes of the process's memory; false, and the address is shown, when they cannot be had. */
bool tap_show_read(struct tap_shower *s, void *to, u64 address, u32 size);
/* How large the process's words are. */
static inline u32 tap_show_word(const struct tap_shower *s)
{
	return s->call->compat ? 4 : sizeof(long);
}
/* A word of the process's at ADDRESS. */
bool tap_show_load(struct tap_shower *s, u64 address, u64 *value);
/* So many elements of an array are shown. */
enum { TAP_SHOW_ELEMENTS = 8, TAP_SHOW_BYTES = 32 };

/* A socket address of SIZE bytes: {AF_INET, 127.0.0.1, 80}. */
void tap_show_sockaddr(struct tap_shower *s, u64 address, u32 size);

#endif
