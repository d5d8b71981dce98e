/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The input is judged byte by byte. A byte that may begin a character or a sequence is held back until enough of it
 * has arrived. */
#include "tame.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum verdict { MORE, GOOD, BAD };

/* ESC [ numbers letter. The allowed letters set colours, erase, and move, save, restore, hide or show the cursor.
 * None of them makes a terminal reply. */
static enum verdict judge_sequence(const char *s, size_t n)
{
	size_t i = 2;

	if (n == 1)
		return MORE;
	if (s[1] != '[')
		return BAD;
	if (i < n && s[i] == '?')
		i++;
	while (i < n && strchr("0123456789;", s[i]) && s[i])
		i++;
	if (i == n)
		return MORE;
	if (s[2] == '?')
		return i + 1 == n && n == 6 && !memcmp(s, "\033[?25", 5) && (s[5] == 'h' || s[5] == 'l') ? GOOD : BAD;
	return i + 1 == n && s[i] && strchr("mHfJKABCDEFGsu", s[i]) ? GOOD : BAD;
}

static size_t character_size(unsigned char first)
{
	return first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/* U+0080 to U+009F are control characters (C1). */
static bool is_control(const char *s)
{
	return (unsigned char)s[0] == 0xc2 && (unsigned char)s[1] < 0xa0;
}

static enum verdict judge_character(const char *s, size_t n)
{
	size_t size = character_size((unsigned char)s[0]);

	for (size_t i = 1; i < n; i++)
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return BAD;
	if (!size)
		return BAD;
	return n < size ? MORE : is_control(s) ? BAD : GOOD;
}

static enum verdict judge(const char *s, size_t n)
{
	unsigned char c = (unsigned char)s[0];

	if (c == '\033')
		return judge_sequence(s, n);
	if (c >= 0x80)
		return judge_character(s, n);
	return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\t' || c == '\r' ? GOOD : BAD;
}

static void show(struct text *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c >= ' ' && c < 0x7f)
			text_char(out, (char)c);
		else
			text_printf(out, "\\x%02x", c);
	}
}

/* The first byte does not begin a sequence: escape it and judge the following bytes again. */
static void show_first(struct tame *t, struct text *out)
{
	struct tame rest = *t;

	t->n = 0;
	show(out, rest.begun, 1);
	tame_add(t, out, rest.begun + 1, rest.n - 1);
}

void tame_add(struct tame *t, struct text *out, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		enum verdict v;

		t->begun[t->n++] = p[i];
		v = judge(t->begun, t->n);
		if (v == GOOD)
			text_add_n(out, t->begun, t->n);
		if (v == GOOD)
			t->n = 0;
		else if (v == BAD || t->n == sizeof(t->begun))
			show_first(t, out);
	}
}

void tame_end(struct tame *t, struct text *out)
{
	show(out, t->begun, t->n);
	t->n = 0;
}

const char *tame_word(struct arena *a, const char *word)
{
	enum { LONGEST = 100 };
	size_t n = strlen(word);
	struct text t;

	text_init(&t, a);
	show(&t, word, n < LONGEST ? n : LONGEST);
	if (n > LONGEST)
		text_add(&t, "...");
	return t.s;
}
