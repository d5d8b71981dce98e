// SPDX-License-Identifier: GPL-2.0-or-later
/* Converts wide characters to UTF-8. */
#include "utf.h"

#include "context.h"
#include "core/string.h"

static bool utf_is_surrogate(u32 code)
{
	return (code & ~0x7ffu) == 0xd800;
}

u32 tap_utf8(u32 code, char *to)
{
	if (code > 0x10ffff || utf_is_surrogate(code))
		code = 0xfffd;
	if (code < 0x80) {
		to[0] = code;
		return 1;
	}
	if (code < 0x800) {
		to[0] = 0xc0 | code >> 6;
		to[1] = 0x80 | (code & 63);
		return 2;
	}
	if (code < 0x10000) {
		to[0] = 0xe0 | code >> 12;
		to[1] = 0x80 | (code >> 6 & 63);
		to[2] = 0x80 | (code & 63);
		return 3;
	}
	to[0] = 0xf0 | code >> 18;
	to[1] = 0x80 | (code >> 12 & 63);
	to[2] = 0x80 | (code >> 6 & 63);
	to[3] = 0x80 | (code & 63);
	return 4;
}

/* Characters of WIDTH bytes from AT, at most MOST bytes of them, which may be more than the address space has. */
struct reading {
	struct tap_context *c;
	u64 at, most, used;
	u32 width;
	bool user;
};

/* 0: the end, or an error. */
static u32 utf_next_unit(struct reading *r)
{
	u32 unit = r->used + r->width > r->most ? 0 : (u32)tap_load(r->c, r->at + r->used, r->width, r->user);

	r->used += r->width;
	return unit;
}

static u32 utf_next_character(struct reading *r)
{
	u32 code = utf_next_unit(r), low;

	if (r->width == 4 || (code & 0xfc00) != 0xd800)
		return code;
	low = utf_next_unit(r);
	if ((low & 0xfc00) == 0xdc00)
		return 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
	r->used -= r->width;
	return code;
}

struct tap_string tap_wide_text(struct tap_context *c, u64 address, u64 most, u32 width, bool user)
{
	struct reading r = { c, address, most, 0, width, user };
	u32 limit = tap_script.limits.string - 1, n = 0, size, code;
	char *text = tap_scratch(c, limit + 4);		/* the last character may be too long */

	if (!text)
		return TAP_EMPTY;
	while (n < limit && (code = utf_next_character(&r)) && !c->error) {
		size = tap_utf8(code, text + n);
		if (size > limit - n)
			break;
		n += size;
	}
	text[n] = 0;
	return c->error ? TAP_EMPTY : (struct tap_string){ text, n };
}

struct tap_string tap_wide_shown(struct tap_context *c, u64 address, u32 most, u32 width, bool user)
{
	struct tap_string s = tap_wide_text(c, address, most, width, user);

	return c->error ? TAP_EMPTY : tap_text(c, s, 0, true);
}

struct tap_string tap_wide_or_address(struct tap_context *c, u64 address, u32 width, bool user)
{
	struct tap_string s = tap_wide_shown(c, address, ~0u, width, user);
	union tap_value value = { .n = address };

	if (!c->error)
		return s;
	c->error = NULL;
	return tap_sprintf(c, "%p", &value);
}

struct tap_string tap_wide_character(struct tap_context *c, s64 code)
{
	char bytes[4];
	u32 n = tap_utf8(min_t(u64, code, U32_MAX), bytes);

	return tap_text(c, (struct tap_string){ bytes, n }, 0, false);
}
