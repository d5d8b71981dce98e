/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Static markers (sys/sdt.h): notes with the address of a marker and the locations of its arguments, as the compiler
 * wrote them for the assembler: "-4@%edi 8@-16(%rbp)". A size in bytes, negative for a signed number, with an 'f' for a
 * float, precedes each operand; operand.c and arch/ read the rest. */
#include "mark.h"

#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "debuginfo/chain.h"
#include "image.h"
#include "base/util.h"
#include "debuginfo/location.h"
#include "operand.h"

enum { NOTE_STAPSDT = 3, ARGUMENTS_MOST = 12 };

/* ---- arguments ---- */

/* "-4@", "8f@": size and sign; without a prefix: a word. */
static void read_size(struct operand *o)
{
	const char *at = strchr(o->p, '@'), *p = o->p;
	long size;
	char *end;

	o->out->size = o->arch->word;
	if (!at || (!isdigit((unsigned char)*p) && *p != '-'))
		return;
	size = strtol(p, &end, 10);
	if (end != at && !(*end == 'f' && end + 1 == at))
		return;
	o->out->is_signed = size < 0;
	o->out->is_float = *end == 'f';
	o->out->size = (uint8_t)labs(size);
	o->p = at + 1;
}

static void finish(struct operand *o)
{
	struct location *l = &o->out->location;

	/* 32-bit addresses wrap around */
	if (!o->is_value && o->arch->word < 8)
		location_add(o->d->arena, l, LOCATION_ZERO, 0)->size = o->arch->word;
	l->kind = o->is_value ? LOCATION_IS_VALUE : LOCATION_IN_MEMORY;
	if (o->is_value && o->out->size < 8)
		location_add(o->d->arena, l, o->out->is_signed ? LOCATION_SIGN : LOCATION_ZERO, 0)->size =
			o->out->size;
}

static void read_argument(struct debuginfo *d, const char *text, struct program_argument *out)
{
	const struct arch *arch = d->request.arch;
	struct operand o = { .d = d, .arch = arch, .p = text, .out = out };
	bool good;

	*out = (struct program_argument){ .text = text };
	read_size(&o);
	if (out->is_float || (out->size != 1 && out->size != 2 && out->size != 4 && out->size != 8)) {
		out->location = location_nowhere("it is a floating-point number or not a number");
		return;
	}
	good = arch->operand(&o) && !*o.p;
	if (good)
		finish(&o);
	else
		out->location = location_nowhere(arena_printf(d->arena, "its operand '%s' is not supported", text));
}

/* Arguments are separated by spaces, but brackets may also contain spaces. */
static void read_arguments(struct debuginfo *d, const char *text, struct program_mark *m)
{
	while (*text && m->arguments.n < ARGUMENTS_MOST) {
		size_t n = 0;
		int depth = 0;

		text += strspn(text, " ");
		for (; text[n] && (text[n] != ' ' || depth > 0); n++)
			depth += (text[n] == '[' || text[n] == '(') - (text[n] == ']' || text[n] == ')');
		if (n)
			read_argument(d, arena_strndup(d->arena, text, n), vec_add(d->arena, &m->arguments));
		text += n;
	}
}

/* ---- notes ---- */

/* The string at *AT in NOTE; NULL: it is not terminated. */
static const char *text_at(const struct bytes *note, size_t *at)
{
	const char *text = (const char *)note->data + *at;
	size_t n = *at < note->size ? strnlen(text, note->size - *at) : 0;

	if (*at + n >= note->size)
		return NULL;
	*at += n + 1;
	return text;
}

static uint64_t load_word(const uint8_t *p, size_t size)
{
	return size == 4 ? load32(p) : load64(p);
}

static void add_mark(struct debuginfo *d, const struct bytes *note, const char *provider, const char *pattern,
		     struct program_marks *found)
{
	const struct image_section *base = image_section(&d->program->image, ".stapsdt.base");
	struct program_mark m = { 0 };
	const char *arguments;
	uint64_t moved, semaphore;
	size_t word = d->request.arch->word, at = 3 * word;

	if (note->size < at + 3)
		return;
	m.provider = text_at(note, &at);
	m.name = m.provider ? text_at(note, &at) : NULL;
	arguments = m.name ? text_at(note, &at) : NULL;
	if (!m.name || (provider && !glob_match(provider, m.provider)) || !glob_match(pattern, m.name))
		return;
	/* prelink moves sections, but leaves notes unchanged */
	moved = base ? base->address - load_word(note->data + word, word) : 0;
	m.address = load_word(note->data, word) + moved;
	semaphore = load_word(note->data + 2 * word, word);
	if (!program_file_offset(d, m.address, &m.offset) ||
	    (semaphore && !program_file_offset(d, semaphore + moved, &m.semaphore)))
		return;
	if (arguments)
		read_arguments(d, arguments, &m);
	*vec_add(d->arena, &found->list) = m;
}

static void read_notes(struct debuginfo *d, const struct bytes *notes, const char *provider,
		       const char *pattern, struct program_marks *found)
{
	Elf64_Nhdr h;
	const uint8_t *p;
	uint64_t at = 0;

	while ((p = bytes_at(notes, at, sizeof(h)))) {
		uint64_t name = at + sizeof(h), data;
		struct bytes note;

		memcpy(&h, p, sizeof(h));
		data = name + ((h.n_namesz + 3ull) & ~3ull);
		at = data + ((h.n_descsz + 3ull) & ~3ull);
		note = (struct bytes){ bytes_at(notes, data, h.n_descsz), h.n_descsz, 0 };
		p = bytes_at(notes, name, h.n_namesz);
		if (!p || !note.data)
			return;
		if (h.n_type == NOTE_STAPSDT && h.n_namesz == 8 && !memcmp(p, "stapsdt", 8))
			add_mark(d, &note, provider, pattern, found);
	}
}

enum debuginfo_answer program_marks(struct debuginfo *d, const char *provider, const char *pattern,
				    struct program_marks *found)
{
	const struct image_section *s;
	const char *reason;
	enum debuginfo_answer opened = program_open(d, &reason);
	size_t before = found->list.n;

	if (opened != DEBUGINFO_FOUND)
		return debuginfo_answered(d, opened, reason);
	s = image_section(&d->program->image, ".note.stapsdt");
	if (!s)
		return debuginfo_answered(d, DEBUGINFO_ABSENT,
					  arena_printf(d->arena, "%s has no static markers", d->path));
	read_notes(d, &s->bytes, provider, pattern, found);
	if (found->list.n > before)
		return debuginfo_answered(d, DEBUGINFO_FOUND, "");
	return debuginfo_answered(d, DEBUGINFO_ABSENT,
				  arena_printf(d->arena, "%s has no static marker '%s'%s%s", d->path, pattern,
					       provider ? " of " : "", provider ? provider : ""));
}
