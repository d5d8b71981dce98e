// SPDX-License-Identifier: GPL-2.0-or-later
/* No tree is built: each call appends its bytes, and the output remembers whether a comma is due. */
#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "utf8.h"

enum { CHUNK = 1024 };

static void add(struct output *o, const char *text, size_t size)
{
	output_text(o, text, size);
}

static void add_word(struct output *o, const char *word)
{
	add(o, word, strlen(word));
}

/* ---- texts ---- */

/* Writes the JSON form of the N-byte character at TEXT to OUT, which has room for 8 bytes. */
static size_t escape(char *out, const unsigned char *text, size_t n)
{
	static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *found = n == 1 && text[0] ? strchr(plain, text[0]) : NULL;

	if (n == 0)
		return (size_t)sprintf(out, "\\ufffd");
	if (found)
		return (size_t)sprintf(out, "\\%c", letters[found - plain]);
	if (text[0] < 0x20 || text[0] == 0x7f)
		return (size_t)sprintf(out, "\\u%04x", text[0]);
	memcpy(out, text, n);
	return n;
}

static void add_string(struct output *o, const char *text, size_t size)
{
	const unsigned char *at = (const unsigned char *)text;
	char chunk[CHUNK];
	size_t used = 0;

	add(o, "\"", 1);
	while (size) {
		size_t n = utf8_character(at, size);

		if (used + 8 > sizeof(chunk)) {
			add(o, chunk, used);
			used = 0;
		}
		used += escape(chunk + used, at, n);
		n = n ? n : 1;
		at += n;
		size -= n;
	}
	add(o, chunk, used);
	add(o, "\"", 1);
}

/* ---- members ---- */

static void add_key(struct output *o, const char *key)
{
	if (!o->json_first)
		add(o, ",", 1);
	o->json_first = false;
	if (key) {
		add_string(o, key, strlen(key));
		add(o, ":", 1);
	}
}

void json_text(struct output *o, const char *key, const char *text, size_t size)
{
	add_key(o, key);
	add_string(o, text, size);
}

static void add_number(struct output *o, const char *key, const char *digits)
{
	add_key(o, key);
	add_word(o, digits);
}

void json_number(struct output *o, const char *key, int64_t value)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%" PRId64, value);
	add_number(o, key, digits);
}

void json_unsigned(struct output *o, const char *key, uint64_t value)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	add_number(o, key, digits);
}

void json_switch(struct output *o, const char *key, bool value)
{
	add_number(o, key, value ? "true" : "false");
}

void json_time(struct output *o, const char *key, int64_t ns)
{
	char digits[48];

	snprintf(digits, sizeof(digits), "%" PRId64 ".%09" PRId64, ns / 1000000000, ns % 1000000000);
	add_number(o, key, digits);
}

void json_open(struct output *o, const char *key, char open)
{
	add_key(o, key);
	add(o, &open, 1);
	o->json_first = true;
}

void json_close(struct output *o, char close)
{
	add(o, &close, 1);
	o->json_first = false;
}

void json_begin(struct output *o, const char *type)
{
	add(o, "{", 1);
	o->json_first = true;
	json_text(o, "type", type, strlen(type));
}

void json_end(struct output *o)
{
	add(o, "}\n", 2);
}
