/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Static markers (sys/sdt.h): notes that say where a marker is and, as assembler operands, where its
 * arguments are. The operand's text is the compiler's, so it is what that architecture's assembler takes:
 *
 *	-4@%edi  8@-16(%rbp)  4@8(%rax,%rbx,4)  8@counter(%rip)  4@$5  8f@%xmm0	(x86-64)
 *	-4@%edi  4@-16(%ebp)  4@counter@GOTOFF(%ebx)  4@counter			(i386)
 *	-4@w0  8@[sp, 16]  4@[x1]  8@[x0, x1, lsl 3]  8@[x0, #:lo12:counter]  4@5		(arm64)
 */
#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "debuginfo/chain.h"
#include "image.h"
#include "base/util.h"
#include "debuginfo/location.h"
#include "plt.h"

enum { NOTE_STAPSDT = 3, ARGUMENTS_MOST = 12 };

struct operand {
	struct debuginfo *d;
	const struct arch *arch;
	const char *p;			/* what is still to be read */
	struct program_argument *out;
	bool is_value;			/* else its address was computed */
};

static void add(struct operand *o, enum location_op op, int64_t value)
{
	location_add(o->d->arena, &o->out->location, op, value);
}

static bool take(struct operand *o, const char *text)
{
	size_t n = strlen(text);

	while (*o->p == ' ')
		o->p++;
	if (strncmp(o->p, text, n))
		return false;
	o->p += n;
	return true;
}

static bool number(struct operand *o, int64_t *value)
{
	char *end;

	take(o, "#");
	*value = strtoll(o->p, &end, 0);
	/* Beyond what is signed: unsigned. */
	if (end != o->p && o->p[0] != '-')
		*value = (int64_t)strtoull(o->p, &end, 0);
	if (end == o->p)
		return false;
	o->p = end;
	return true;
}

static const char *word(struct operand *o)
{
	size_t n = 0;

	while (isalnum((unsigned char)o->p[n]) || (o->p[n] && strchr("_.$@", o->p[n])))
		n++;
	o->p += n;
	return arena_strndup(o->d->arena, o->p - n, n);
}

/* Push the register NAME: no more of it than its name means. */
static bool push_register(struct operand *o, const char *name)
{
	static const char high[] = "abcd";
	const struct arch_register *r = arch_register(o->arch, name);
	bool is_high = !r && strlen(name) == 2 && name[1] == 'h' && strchr(high, name[0]);

	if (str_equal(name, "xzr") || str_equal(name, "wzr")) {
		add(o, LOCATION_CONST, 0);
		return true;
	}
	if (is_high)
		r = arch_register(o->arch, arena_printf(o->d->arena, "%cx", name[0]));
	if (!r || r->dwarf < 0)
		return false;
	add(o, LOCATION_REGISTER, r->dwarf);
	if (is_high) {
		add(o, LOCATION_CONST, 8);
		add(o, LOCATION_SHR, 0);
	}
	if (r->size < 8)
		location_add(o->d->arena, &o->out->location, LOCATION_ZERO, 0)->size = is_high ? 1 : r->size;
	return true;
}

/* "counter@GOTOFF" counts from the offset table, whose address a register adds: both are the file's. */
static bool push_symbol(struct operand *o, const char *name)
{
	const char *from = strstr(name, "@GOTOFF");
	struct symbols found = { 0 };

	if (from)
		name = arena_strndup(o->d->arena, name, (size_t)(from - name));
	if (debuginfo_data(o->d, name, &found) != DEBUGINFO_FOUND &&
	    debuginfo_functions(o->d, name, &found) != DEBUGINFO_FOUND)
		return false;
	/* Static ones may have one name. */
	if (found.list.n != 1)
		return false;
	if (from)
		add(o, LOCATION_CONST, found.list.items[0].offset - (int64_t)program_offset_table(o->d));
	else
		add(o, LOCATION_ADDRESS, found.list.items[0].offset);
	return true;
}

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '.';
}

/* "symbol+8", "8+symbol", "4+16", and nothing before a bracket: pushed. */
static bool push_displacement(struct operand *o)
{
	bool has_symbol = false;
	int64_t sum = 0, value;

	for (bool more = *o->p != '('; more; more = *o->p == '+' || *o->p == '-') {
		o->p += *o->p == '+';
		if (!begins_name(*o->p)) {
			if (!number(o, &value))
				return false;
			sum += value;
		} else if (has_symbol || !push_symbol(o, word(o))) {
			return false;
		} else {
			has_symbol = true;
		}
	}
	if (sum || !has_symbol)
		add(o, LOCATION_CONST, sum);
	if (sum && has_symbol)
		add(o, LOCATION_ADD, 0);
	return true;
}

/* ---- x86-64 ---- */

/* "(base, index, scale)" behind a displacement that is on the stack. */
static bool x86_memory(struct operand *o)
{
	int64_t scale = 1;

	if (!take(o, "("))
		return true;
	if (take(o, "%rip"))
		return take(o, ")");		/* a symbol's address needs no more */
	if (take(o, "%")) {
		if (!push_register(o, word(o)))
			return false;
		add(o, LOCATION_ADD, 0);
	}
	if (take(o, ",")) {
		if (!take(o, "%") || !push_register(o, word(o)) || (take(o, ",") && !number(o, &scale)))
			return false;
		add(o, LOCATION_CONST, scale);
		add(o, LOCATION_MUL, 0);
		add(o, LOCATION_ADD, 0);
	}
	return take(o, ")");
}

static bool x86_operand(struct operand *o)
{
	if (take(o, "$")) {
		o->is_value = true;
		return push_displacement(o);
	}
	if (take(o, "%")) {
		/* i386: of a pair of registers only the lower one has a name there. */
		if (o->out->size > o->arch->word)
			return false;
		o->is_value = true;
		return push_register(o, word(o));
	}
	return push_displacement(o) && x86_memory(o);
}

/* ---- arm64 ---- */

/* "lsl 3", "sxtw #2", "uxtw": of what is on top. */
static bool arm64_extend(struct operand *o)
{
	bool sign = take(o, "sxtw"), zero = !sign && take(o, "uxtw");
	int64_t shift = 0;

	if (!sign && !zero && !take(o, "lsl") && !take(o, "sxtx"))
		return false;
	if (sign || zero)
		location_add(o->d->arena, &o->out->location, sign ? LOCATION_SIGN : LOCATION_ZERO, 0)->size = 4;
	take(o, " ");
	if (*o->p != ']' && !number(o, &shift))
		return false;
	add(o, LOCATION_CONST, shift);
	add(o, LOCATION_SHL, 0);
	return true;
}

/* The low 12 bits of a symbol's address: the register has the others. Names that only the assembler knew, such as
 * gcc's .LANCHOR0, are none. */
static bool arm64_low_bits(struct operand *o)
{
	if (!push_displacement(o))
		return false;
	add(o, LOCATION_CONST, 64 - 12);
	add(o, LOCATION_SHL, 0);
	add(o, LOCATION_CONST, 64 - 12);
	add(o, LOCATION_SHR, 0);
	return true;
}

static bool arm64_memory(struct operand *o)
{
	int64_t offset;

	if (!push_register(o, word(o)))
		return false;
	if (take(o, ",")) {
		take(o, " ");
		if (take(o, "#:lo12:") || take(o, ":lo12:")) {
			if (!arm64_low_bits(o))
				return false;
		} else if (take(o, "#") || isdigit((unsigned char)*o->p) || *o->p == '-') {
			if (!number(o, &offset))
				return false;
			add(o, LOCATION_CONST, offset);
		} else if (!push_register(o, word(o)) || (take(o, ",") && !arm64_extend(o))) {
			return false;
		}
		add(o, LOCATION_ADD, 0);
	}
	return take(o, "]");
}

static bool arm64_operand(struct operand *o)
{
	int64_t value;

	if (take(o, "["))
		return arm64_memory(o);
	o->is_value = true;
	if (isdigit((unsigned char)*o->p) || *o->p == '-' || *o->p == '#') {
		if (!number(o, &value))
			return false;
		add(o, LOCATION_CONST, value);
		return true;
	}
	return push_register(o, word(o));
}

/* ---- arguments ---- */

/* "-4@", "8f@": size and sign; without: a word. */
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

	/* Addresses of 32 bits go round. */
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
		out->location = location_nowhere("it is a floating-point number, or no number");
		return;
	}
	good = (arch->elf_machine == EM_AARCH64 ? arm64_operand(&o) : x86_operand(&o)) && !*o.p;
	if (good)
		finish(&o);
	else
		out->location = location_nowhere(arena_printf(d->arena, "its operand '%s' is not understood", text));
}

/* Blanks are also within brackets. */
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

/* The text at *AT in NOTE; NULL: it does not end. */
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
	/* prelink moves sections, and leaves notes as they are. */
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
