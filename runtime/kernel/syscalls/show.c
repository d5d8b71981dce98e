// SPDX-License-Identifier: GPL-2.0-or-later
/* What the decoders of all kinds of arguments use, and plain kinds. The process's memory is read without faults; if it
 * cannot be read, its address is shown instead. */
#include "show.h"

#include "memory.h"

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

void tap_show_names(struct tap_shower *s, u64 value, u32 i)
{
	tap_show_names_of(s, s->decoders[(u8)s->kinds[i]], (u32)value);
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
