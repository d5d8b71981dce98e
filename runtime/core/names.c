/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of numbers and of bits. */
#include "core/names.h"
#include "core/scratch.h"

static struct tap_string text_of(const char *name)
{
	u32 size = 0;

	while (name[size])
		size++;
	return (struct tap_string){ name, size };
}

static bool is_same(struct tap_string a, const char *b)
{
	u32 i;

	for (i = 0; i < a.size; i++)
		if (a.data[i] != b[i] || !b[i])
			return false;
	return !b[i];
}

struct tap_string tap_name(const struct tap_name *names, u64 value)
{
	for (; names->name; names++)
		if (names->value == value)
			return text_of(names->name);
	return TAP_EMPTY;
}

bool tap_name_value(const struct tap_name *names, struct tap_string name, u64 *value)
{
	for (; names->name; names++)
		if (is_same(name, names->name)) {
			*value = names->value;
			return true;
		}
	return false;
}

/* Puts TEXT at AT, after a | unless it is the first; leaves it out if it does not fit before
 * END. */
static char *add_flag(char *start, char *at, const char *end, struct tap_string text)
{
	if (text.size + (at > start) >= (u64)(end - at))
		return at;
	if (at > start)
		*at++ = '|';
	tap_copy(at, text.data, text.size);
	return at + text.size;
}

struct tap_string tap_flags(struct tap_context *c, const struct tap_name *names, u64 flags)
{
	u64 size = tap_string_limit() - 1;
	struct tap_string named;
	union tap_value rest;
	char *text, *at;

	if (!flags) {
		named = tap_name(names, 0);
		return named.size ? named : TAP_STRING("0");
	}
	text = at = tap_room_for(c, &size);
	if (!text)
		return TAP_EMPTY;
	for (; names->name; names++) {
		if (!names->value || (flags & names->value) != names->value)
			continue;
		at = add_flag(text, at, text + size, text_of(names->name));
		flags &= ~names->value;
	}
	named = tap_room_finish(c, text, (u32)(at - text));
	if (!flags)
		return named;
	rest.n = (s64)flags;
	return tap_concat(c, named, tap_sprintf(c, named.size ? "|%#x" : "%#x", &rest));
}
