/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A system call in readable form. There is a decoder for each kind of argument in
 * abi/syscall_kinds.def; it shows the meaning of VALUE, argument I of the call. */
#ifndef TAP_SYSCALL_SHOW_H
#define TAP_SYSCALL_SHOW_H

#include "context.h"
#include "core/names.h"
#include "core/string.h"
#include "core/writer.h"

/* The data passed to handlers, of TAP_CALL_WORDS words; followed by the data that an entry
 * saved for them. */
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
	const struct tap_decoder *const *decoders;	/* by kind */
	const char *kinds;				/* of the call's arguments */
};

struct tap_decoder {
	void (*show)(struct tap_shower *s, u64 value, u32 i);
	/* Numbers with names: the bits of CHOICE together are one of several values, every
	 * other bit is a flag. */
	const struct tap_name *names;
	u32 count;
	u32 choice;
	const char *nothing;		/* shown if no bit is set; NULL: "0" */
};

#define KIND(name, type, form) extern const struct tap_decoder tap_decode_##name;
#include "syscall_kinds.def"
#undef KIND

/* For the files of decoders: one of several names, flags, and both in one number. */
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
void tap_show_pointer(struct tap_shower *s, u64 address);	/* NULL for 0 */
/* Uses the decoder's names; bits without a name are shown as a number. */
void tap_show_names(struct tap_shower *s, u64 value, u32 i);
void tap_show_names_of(struct tap_shower *s, const struct tap_decoder *d, u64 value);
/* The text at ADDRESS, quoted; SIZE bytes if it is not NUL-terminated; the address if it cannot be read. */
void tap_show_string(struct tap_shower *s, u64 address);
void tap_show_bytes(struct tap_shower *s, u64 address, u64 size);
/* Reads SIZE bytes of the process's memory; if they cannot be read, shows the address and
 * returns false. */
bool tap_show_read(struct tap_shower *s, void *to, u64 address, u32 size);
/* The process's word size in bytes. */
static inline u32 tap_show_word(const struct tap_shower *s)
{
	return s->call->compat ? 4 : sizeof(long);
}
/* Reads one of the process's words at ADDRESS. */
bool tap_show_load(struct tap_shower *s, u64 address, u64 *value);
/* Maximum number of elements of an array that are shown. */
enum { TAP_SHOW_ELEMENTS = 8, TAP_SHOW_BYTES = 32 };

#endif
