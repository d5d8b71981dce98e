// SPDX-License-Identifier: GPL-2.0-or-later
/* System calls as text: argument by argument with the decoders of their kinds, into one string on the scratch
 * stack, which is truncated if it is too long. The process's memory is read without faults; if it cannot be read,
 * its address is shown instead. */
#include "show.h"

#include "core/errno.h"
#include "memory.h"
#include "tap_syscall.h"

static const struct tap_decoder *const decoders[TAP_SHOWS] = {
#define KIND(name, type, form) [TAP_SHOW_##name] = &tap_decode_##name,
#include "syscall_kinds.def"
#undef KIND
};

/* ---- pieces ---- */

void tap_show_text(struct tap_shower *s, const char *text)
{
	tap_write(&s->w, text, strlen(text));
}

void tap_show_decimal(struct tap_shower *s, s64 value)
{
	char digits[TAP_MOST_DIGITS];
	struct tap_string text = tap_decimal(digits, value);

	tap_write(&s->w, text.data, text.size);
}

static void show_digits(struct tap_shower *s, u64 value, u32 bits)
{
	char digits[24], *end = digits + sizeof(digits), *p = end;

	do {
		*--p = "0123456789abcdef"[value & ((1u << bits) - 1)];
		value >>= bits;
	} while (value);
	tap_write(&s->w, p, end - p);
}

void tap_show_hex(struct tap_shower *s, u64 value)
{
	tap_show_text(s, "0x");
	show_digits(s, value, 4);
}

void tap_show_octal(struct tap_shower *s, u64 value)
{
	tap_show_text(s, "0");
	if (value)
		show_digits(s, value, 3);
}

void tap_show_pointer(struct tap_shower *s, u64 address)
{
	if (address)
		tap_show_hex(s, address);
	else
		tap_show_text(s, "NULL");
}

/* ---- numbers with names ---- */

static bool show_is_choice(const struct tap_decoder *d, const struct tap_name *n)
{
	return d->choice && !(n->value & ~d->choice);
}

static void show_part(struct tap_shower *s, const char *text, bool *first)
{
	if (!*first)
		tap_write_byte(&s->w, '|');
	tap_show_text(s, text);
	*first = false;
}

/* Shows the name for the bits of the choice; returns the bits without a name. */
static u64 show_choice(struct tap_shower *s, const struct tap_decoder *d, u64 bits, bool *first)
{
	for (const struct tap_name *n = d->names; n < d->names + d->count; n++)
		if (show_is_choice(d, n) && bits == n->value) {
			show_part(s, n->name, first);
			return 0;
		}
	return bits;
}

void tap_show_names_of(struct tap_shower *s, const struct tap_decoder *d, u64 value)
{
	u64 rest = value & ~(u64)d->choice;
	bool first = true;

	rest |= show_choice(s, d, value & d->choice, &first);
	for (const struct tap_name *n = d->names; n < d->names + d->count; n++)
		if (!show_is_choice(d, n) && n->value && (rest & n->value) == n->value) {
			show_part(s, n->name, &first);
			rest &= ~n->value;
		}
	if (first && !rest) {
		tap_show_text(s, d->nothing ? d->nothing : "0");
	} else if (rest) {
		show_part(s, "", &first);
		tap_show_hex(s, rest);
	}
}

static const struct tap_decoder *show_decoder_of(const struct tap_shower *s, u32 i);

void tap_show_names(struct tap_shower *s, u64 value, u32 i)
{
	tap_show_names_of(s, show_decoder_of(s, i), (u32)value);
}

/* ---- memory of the process ---- */

bool tap_show_read(struct tap_shower *s, void *to, u64 address, u32 size)
{
	if (address && tap_memory_copy(s->c, to, address, size, true))
		return true;
	tap_show_pointer(s, address);
	return false;
}

bool tap_show_load(struct tap_shower *s, u64 address, u64 *value)
{
	*value = 0;
	return tap_memory_copy(s->c, value, address, tap_show_word(s), true);	/* little endian */
}

void tap_show_string(struct tap_shower *s, u64 address)
{
	char *mark = s->c->scratch;
	struct tap_string text;

	if (!address) {
		tap_show_text(s, "NULL");
		return;
	}
	text = tap_text_or_address(s->c, address, true);
	tap_write(&s->w, text.data, text.size);
	s->c->scratch = mark;
}

void tap_show_bytes(struct tap_shower *s, u64 address, u64 size)
{
	u32 n = min_t(u64, size, TAP_SHOW_BYTES);
	char bytes[TAP_SHOW_BYTES + 1], *mark = s->c->scratch;
	struct tap_string text;

	if (!tap_show_read(s, bytes, address, n))
		return;
	bytes[n] = 0;
	text = tap_text(s->c, (struct tap_string){ bytes, n }, 0, true);
	tap_write(&s->w, text.data, text.size);
	if (n < size)
		tap_show_text(s, "...");
	s->c->scratch = mark;
}

/* ---- plain kinds ---- */

static void show_int(struct tap_shower *s, u64 value, u32 i) { tap_show_decimal(s, (s32)value); }
static void show_uint(struct tap_shower *s, u64 value, u32 i) { tap_show_decimal(s, (u32)value); }
static void show_hex(struct tap_shower *s, u64 value, u32 i)
{
	if (value)
		tap_show_hex(s, value);
	else
		tap_show_text(s, "0");
}

static void show_hex32(struct tap_shower *s, u64 value, u32 i) { show_hex(s, (u32)value, i); }
static void show_mode(struct tap_shower *s, u64 value, u32 i) { tap_show_octal(s, (u32)value & 07777); }
static void show_pointer(struct tap_shower *s, u64 value, u32 i) { tap_show_pointer(s, value); }
static void show_string(struct tap_shower *s, u64 value, u32 i) { tap_show_string(s, value); }

static void show_long(struct tap_shower *s, u64 value, u32 i)
{
	tap_show_decimal(s, s->call->compat ? (s32)value : (s64)value);
}

/* Decimal, up to 2^63; larger values are more likely to be negative numbers or addresses. */
static void show_size(struct tap_shower *s, u64 value, u32 i)
{
	if ((s64)value < 0)
		tap_show_hex(s, value);
	else
		tap_show_decimal(s, value);
}

/* The size is the next argument. */
static void show_bytes(struct tap_shower *s, u64 value, u32 i)
{
	tap_show_bytes(s, value, i < 5 ? s->call->arguments[i + 1] : 0);
}

static void show_dirfd(struct tap_shower *s, u64 value, u32 i)
{
	if ((s32)value == -100)		/* uapi/linux/fcntl.h */
		tap_show_text(s, "AT_FDCWD");
	else
		tap_show_decimal(s, (s32)value);
}

static void show_key(struct tap_shower *s, u64 value, u32 i)
{
	static const char *const special[] = {	/* uapi/linux/keyctl.h */
		"KEY_SPEC_THREAD_KEYRING", "KEY_SPEC_PROCESS_KEYRING", "KEY_SPEC_SESSION_KEYRING",
		"KEY_SPEC_USER_KEYRING", "KEY_SPEC_USER_SESSION_KEYRING", "KEY_SPEC_GROUP_KEYRING",
		"KEY_SPEC_REQKEY_AUTH_KEY", "KEY_SPEC_REQUESTOR_KEYRING",
	};
	u32 n = -(s32)value - 1;

	if (n < ARRAY_SIZE(special))
		tap_show_text(s, special[n]);
	else
		tap_show_decimal(s, (s32)value);
}

static void show_device(struct tap_shower *s, u64 value, u32 i)
{
	u32 device = value;

	tap_show_text(s, "makedev(");
	tap_show_hex(s, (device & 0xfff00) >> 8);
	tap_show_text(s, ", ");
	tap_show_hex(s, (device & 0xff) | (device >> 12 & 0xfff00));
	tap_show_text(s, ")");
}

DECODER(int, show_int);
DECODER(pid, show_int);
DECODER(id, show_int);
DECODER(fd, show_int);
DECODER(dirfd, show_dirfd);
DECODER(key, show_key);
DECODER(uint, show_uint);
DECODER(ufd, show_uint);
DECODER(long, show_long);
DECODER(size, show_size);
DECODER(hex, show_hex);
DECODER(hex32, show_hex32);
DECODER(mode, show_mode);
DECODER(mode_if_create, show_mode);
DECODER(device, show_device);
DECODER(pointer, show_pointer);
DECODER(out_bytes, show_pointer);
DECODER(path, show_string);
DECODER(text, show_string);
DECODER(bytes, show_bytes);

/* ---- the current call ---- */

static const struct tap_syscall *show_call_row(struct tap_context *c)
{
	return container_of((const struct tap_site *)tap_frame(c)->ip, struct tap_syscall, site);
}

static const struct tap_decoder *show_decoder_of(const struct tap_shower *s, u32 i)
{
	return decoders[(u8)show_call_row(s->c)->arguments[i]];
}

static bool show_open(struct tap_shower *s, struct tap_context *c)
{
	u32 room = tap_script.limits.string;
	char *text = tap_scratch(c, room);

	*s = (struct tap_shower){ .c = c, .call = tap_call_of(c),
				  .w = { .start = text, .at = text, .end = text + room - 1 } };
	return text;
}

/* A truncated string shows that at its end. */
static struct tap_string show_close(struct tap_shower *s)
{
	struct tap_string text = { s->w.start, s->w.at - s->w.start };

	*s->w.at = 0;
	s->c->scratch = s->w.start + ((text.size + 1 + 15) & ~15u);
	return tap_show_cut(text);
}

/* open's third argument only matters if a file may be created (uapi/asm-generic/fcntl.h:
 * O_CREAT, and O_TMPFILE without O_DIRECTORY). */
static bool show_is_left_out(const struct tap_shower *s, u32 i)
{
	return show_decoder_of(s, i) == &tap_decode_mode_if_create && i > 0 &&
	       !(s->call->arguments[i - 1] & 020000100);
}

struct tap_string tap_call_arguments(struct tap_context *c)
{
	const char *kinds = show_call_row(c)->arguments;
	struct tap_shower s;

	if (!show_open(&s, c))
		return TAP_EMPTY;
	for (u32 i = 0; kinds[i]; i++) {
		if (show_is_left_out(&s, i))
			continue;
		if (i)
			tap_show_text(&s, ", ");
		show_decoder_of(&s, i)->show(&s, s.call->arguments[i], i);
	}
	return show_close(&s);
}

/* A single text needs no copy. */
static struct tap_string show_text_argument(struct tap_context *c, u64 address)
{
	return address ? tap_show_cut(tap_text_or_address(c, address, true)) : TAP_STRING("NULL");
}

static noinline struct tap_string show_other_argument(struct tap_context *c, u32 n, const struct tap_decoder *d)
{
	struct tap_shower s;

	if (!show_open(&s, c))
		return TAP_EMPTY;
	d->show(&s, s.call->arguments[n], n);
	return show_close(&s);
}

struct tap_string tap_call_argument_as(struct tap_context *c, u32 n, u8 kind)
{
	if (decoders[kind]->show == show_string)
		return show_text_argument(c, tap_call_of(c)->arguments[n]);
	return show_other_argument(c, n, decoders[kind]);
}

struct tap_string tap_call_argument(struct tap_context *c, u32 n)
{
	return tap_call_argument_as(c, n, (u8)show_call_row(c)->arguments[n]);
}

s64 tap_call_element(struct tap_context *c, u32 n, u32 i, bool is_word)
{
	const struct tap_call *call = tap_call_of(c);
	u32 size = is_word && !call->compat ? sizeof(long) : 4;
	s64 number = 0;
	s32 narrow = 0;

	if (!tap_memory_copy(c, size == 4 ? (void *)&narrow : &number, call->arguments[n] + i * size, size, true))
		return 0;
	return size == 4 ? narrow : number;
}

struct tap_string tap_call_text(struct tap_context *c, u32 n)
{
	struct tap_string text = tap_text_at(c, tap_call_of(c)->arguments[n], tap_script.limits.string, true);
	union tap_value address = { .n = tap_call_of(c)->arguments[n] };

	if (!c->error)
		return text;
	c->error = NULL;
	return tap_sprintf(c, "%p", &address);
}

struct tap_string tap_call_result(struct tap_context *c)
{
	s64 result = tap_call_of(c)->result;
	const char *name = result < 0 && result >= -MAX_ERRNO ? tap_errno_name(result) : NULL;
	struct tap_shower s;

	if (!show_open(&s, c))
		return TAP_EMPTY;
	if (name || show_call_row(c)->result == TAP_RESULT_DECIMAL)
		tap_show_decimal(&s, result);
	else if (show_call_row(c)->result == TAP_RESULT_HEX)
		tap_show_hex(&s, result);
	else
		tap_show_octal(&s, result);
	if (name) {
		tap_show_text(&s, " (");
		tap_show_text(&s, name);
		tap_show_text(&s, ")");
	}
	return show_close(&s);
}
