// SPDX-License-Identifier: GPL-2.0-or-later
/* System calls as text: argument by argument with the decoders of their kinds, into one string on the scratch
 * stack, which is truncated if it is too long. */
#include "show.h"

#include "core/errno.h"
#include "memory.h"
#include "tap_syscall.h"

static const struct tap_decoder *const decoders[TAP_SHOWS] = {
#define KIND(name, type, form) [TAP_SHOW_##name] = &tap_decode_##name,
#include "syscall_kinds.def"
#undef KIND
};

static const struct tap_syscall *call_row(struct tap_context *c)
{
	return container_of((const struct tap_site *)tap_frame(c)->ip, struct tap_syscall, site);
}

static const struct tap_decoder *call_decoder(const struct tap_shower *s, u32 i)
{
	return decoders[(u8)s->kinds[i]];
}

static bool call_open(struct tap_shower *s, struct tap_context *c)
{
	u32 room = tap_script.limits.string;
	char *text = tap_scratch(c, room);

	*s = (struct tap_shower){ .c = c, .call = tap_call_of(c), .decoders = decoders, .kinds = call_row(c)->arguments,
				  .w = { .start = text, .at = text, .end = text + room - 1 } };
	return text;
}

/* A truncated string shows that at its end. */
static struct tap_string call_close(struct tap_shower *s)
{
	struct tap_string text = { s->w.start, s->w.at - s->w.start };

	*s->w.at = 0;
	s->c->scratch = s->w.start + ((text.size + 1 + 15) & ~15u);
	return tap_show_cut(text);
}

/* open's third argument only matters if a file may be created (uapi/asm-generic/fcntl.h:
 * O_CREAT, and O_TMPFILE without O_DIRECTORY). */
static bool call_is_left_out(const struct tap_shower *s, u32 i)
{
	return call_decoder(s, i) == &tap_decode_mode_if_create && i > 0 &&
	       !(s->call->arguments[i - 1] & 020000100);
}

struct tap_string tap_call_arguments(struct tap_context *c)
{
	const char *kinds = call_row(c)->arguments;
	struct tap_shower s;

	if (!call_open(&s, c))
		return TAP_EMPTY;
	for (u32 i = 0; kinds[i]; i++) {
		if (call_is_left_out(&s, i))
			continue;
		if (i)
			tap_show_text(&s, ", ");
		call_decoder(&s, i)->show(&s, s.call->arguments[i], i);
	}
	return call_close(&s);
}

/* A single text needs no copy. */
static struct tap_string call_text_argument(struct tap_context *c, u64 address)
{
	return address ? tap_show_cut(tap_text_or_address(c, address, true)) : TAP_STRING("NULL");
}

static noinline struct tap_string call_other_argument(struct tap_context *c, u32 n, const struct tap_decoder *d)
{
	struct tap_shower s;

	if (!call_open(&s, c))
		return TAP_EMPTY;
	d->show(&s, s.call->arguments[n], n);
	return call_close(&s);
}

struct tap_string tap_call_argument_as(struct tap_context *c, u32 n, u8 kind)
{
	if (decoders[kind]->show == tap_decode_text.show)
		return call_text_argument(c, tap_call_of(c)->arguments[n]);
	return call_other_argument(c, n, decoders[kind]);
}

struct tap_string tap_call_argument(struct tap_context *c, u32 n)
{
	return tap_call_argument_as(c, n, (u8)call_row(c)->arguments[n]);
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

	if (!call_open(&s, c))
		return TAP_EMPTY;
	if (name || call_row(c)->result == TAP_RESULT_DECIMAL)
		tap_show_decimal(&s, result);
	else if (call_row(c)->result == TAP_RESULT_HEX)
		tap_show_hex(&s, result);
	else
		tap_show_octal(&s, result);
	if (name) {
		tap_show_text(&s, " (");
		tap_show_text(&s, name);
		tap_show_text(&s, ")");
	}
	return call_close(&s);
}
