/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own symbol table: as text from /proc/kallsyms, and as the packed tables in an image.
 *
 * No symbol points to the tables (scripts/kallsyms.c writes them, kernel/kallsyms.c reads them), so
 * they are recognized by their contents:
 *
 *	token_table	256 NUL-terminated strings; each character that occurs in a symbol is its own
 *			token, so "0\0001\000...9\000" is at the 48th
 *	token_index	u16[256] right after it: the offset of each token. An exact check of the above
 *	markers		u32[]: the offset in names of every 256th symbol; before token_table
 *	names		for each symbol a length (ULEB128 from 6.1 on; before, never more than 127) and
 *			that many tokens; the first character of the text is nm's letter. The walk over
 *			names must meet every marker
 *	num_syms	u32, just before names
 *	offsets		s32[num_syms] and relative_base: before num_syms, from 6.4 on after token_index
 *
 * Between markers and token_table 6.2 (and 6.1.x) have seqs_of_names, three bytes per symbol. */
#include "kallsyms.h"
#include "symtab.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

enum { TOKENS = 256, LEAST_SYMBOLS = 1024, MOST_SYMBOLS = 8 << 20, MOST_WORK = 1 << 28 };

struct tables {
	struct bytes area;		/* contains all of them: .rodata, or a raw image */
	uint64_t area_address;
	size_t token_table, token_index, markers, marker_count, num_syms, names;
	uint32_t count;
	size_t work;			/* a limit, so that a file with fake markers cannot take minutes */
	const char *tokens[TOKENS];
	uint8_t token_length[TOKENS];
};

static size_t align_up(size_t n, size_t to)
{
	return (n + to - 1) & ~(to - 1);
}

static bool has_digits(const struct tables *t)
{
	for (int i = '0'; i <= '9'; i++)
		if (t->token_length[i] != 1 || t->tokens[i][0] != i)
			return false;
	return true;
}

/* Do 256 tokens start at START, followed by their index? */
static bool check_tokens(struct tables *t, size_t start)
{
	uint16_t offsets[TOKENS];
	size_t at = start;

	for (int i = 0; i < TOKENS; i++) {
		const uint8_t *token = t->area.data + at;
		size_t room = t->area.size - at;
		const uint8_t *end = memchr(token, '\0', room < 256 ? room : 256);

		if (!end || at - start > UINT16_MAX)
			return false;
		offsets[i] = (uint16_t)(at - start);
		t->tokens[i] = (const char *)token;
		t->token_length[i] = (uint8_t)(end - token);
		at += (size_t)(end - token) + 1;
	}
	for (size_t to = 2; has_digits(t) && to <= 16; to *= 2) {
		size_t index = align_up(at, to);

		if (bytes_at(&t->area, index, sizeof(offsets)) &&
		    memcmp(t->area.data + index, offsets, sizeof(offsets)) == 0) {
			t->token_table = start;
			t->token_index = index;
			return true;
		}
	}
	return false;
}

/* The 48 tokens before "0" are short; the table starts at an aligned place from which exactly that many fit. */
static bool find_tokens_before(struct tables *t, size_t digits)
{
	enum { FARTHEST = 48 * 64 };
	size_t at = digits;

	for (size_t back = 0; back < FARTHEST && at > 0; back++, at--)
		if (at % 4 == 0 && check_tokens(t, at))
			return true;
	return false;
}

static bool find_tokens(struct tables *t)
{
	static const char digits[] = "0\0001\0002\0003\0004\0005\0006\0007\0008\0009";
	size_t at = 0;

	for (;;) {
		const uint8_t *p = memmem(t->area.data + at, t->area.size - at, digits, sizeof(digits));

		if (!p)
			return false;
		at = (size_t)(p - t->area.data);
		if (find_tokens_before(t, at))
			return true;
		at++;
	}
}

/* The length of the name at *AT, which is advanced past the length; 0: no valid length. */
static size_t name_length(const struct bytes *b, size_t *at)
{
	size_t n;

	if (*at + 2 > b->size)
		return 0;
	n = b->data[(*at)++];
	if (n & 0x80)
		n = (n & 0x7f) | (size_t)b->data[(*at)++] << 7;
	return n;
}

/* Walk over COUNT names: every 256th must be where its marker points. */
static bool check_names(struct tables *t, size_t names, uint32_t count)
{
	size_t at = names;

	for (uint32_t i = 0; i < count; i++, t->work++) {
		size_t n;

		if (i % 256 == 0 && load32(t->area.data + t->markers + i / 256 * 4) != at - names)
			return false;
		n = name_length(&t->area, &at);
		at += n;
		if (!n || at > t->markers)
			return false;
	}
	return t->markers - at < 16;
}

/* num_syms is just before names, so names that agree with the markers confirm it. */
static bool find_names(struct tables *t)
{
	uint32_t last = load32(t->area.data + t->markers + (t->marker_count - 1) * 4);

	for (size_t at = t->markers - 8; at > 8; at -= 4, t->work++) {
		uint32_t count = load32(t->area.data + at);
		size_t need = (count + 255ull) / 256;

		/* markers are at most 256 names apart, each of two length bytes and 255 tokens */
		if (t->markers - at > last + 256 * 512ull)
			return false;
		if (count < LEAST_SYMBOLS || count > MOST_SYMBOLS || need > t->marker_count)
			continue;
		for (size_t names = at + 4; names <= at + 8; names += 4)
			if (check_names(t, names, count)) {
				t->num_syms = at;
				t->names = names;
				t->count = count;
				return true;
			}
	}
	return false;
}

/* The number of words at AT that increase as markers do. */
static size_t count_markers(const struct tables *t, size_t at)
{
	enum { LEAST = 256 * 2, MOST = 256 * 512 };
	size_t n = 1;
	uint32_t last = 0;

	for (at += 4; at + 4 <= t->token_table; at += 4, n++) {
		uint32_t next = load32(t->area.data + at);

		if (next <= last || next - last < LEAST || next - last > MOST)
			break;
		last = next;
	}
	return n;
}

/* Search backwards from the token table: markers end next to it, or 3 * num_syms bytes before it. */
static bool find_markers(struct tables *t)
{
	size_t at = t->token_table & ~(size_t)3, lowest = 3ull * MOST_SYMBOLS;

	lowest = at > lowest ? at - lowest : 8;
	for (at -= at < 4 ? at : 4; at > lowest && t->work < MOST_WORK; at -= 4) {
		if (load32(t->area.data + at) != 0)
			continue;
		t->markers = at;
		t->marker_count = count_markers(t, at);
		if (t->marker_count >= LEAST_SYMBOLS / 256 && find_names(t))
			return true;
	}
	return false;
}

/* ---- addresses ---- */

/* The encoding of addresses: see kallsyms_sym_address() of the kernel's version. */
enum address_form {
	RELATIVE_PERCPU,		/* offset >= 0: absolute; else relative_base - 1 - offset */
	RELATIVE,			/* relative_base + (u32)offset; all from 6.15 on */
	PC_RELATIVE,			/* relative to the address of the offset itself */
	ABSOLUTE,			/* u64; without CONFIG_KALLSYMS_BASE_RELATIVE */
	ADDRESS_FORMS,
};

struct addresses {
	enum address_form form;
	const uint8_t *table;
	uint64_t table_address;
	uint64_t base;
};

static uint64_t address_of(const struct addresses *from, uint32_t i)
{
	int64_t offset;

	if (from->form == ABSOLUTE)
		return load64(from->table + 8ull * i);
	offset = (int32_t)load32(from->table + 4ull * i);
	switch (from->form) {
	case RELATIVE_PERCPU:
		return offset >= 0 ? (uint64_t)offset : from->base - 1 - (uint64_t)offset;
	case RELATIVE:
		return from->base + (uint32_t)offset;
	default:
		return from->table_address + 4ull * i + (uint64_t)offset;
	}
}

/* Symbols are sorted by address; per-CPU symbols may come first or, if absolute, anywhere. */
static bool check_order(const struct addresses *from, uint32_t count)
{
	uint64_t last = 0;
	uint32_t wrong = 0, same = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t address = address_of(from, i);

		wrong += address < last;
		same += address == last;
		last = address;
	}
	return wrong <= 2 && same < count / 2;
}

struct named_text { char text[SYMBOL_NAME_LONGEST]; size_t length; };

static bool expand_name(const struct tables *t, size_t *at, struct named_text *name)
{
	size_t n = name_length(&t->area, at);

	name->length = 0;
	for (size_t i = 0; i < n; i++) {
		uint8_t token = t->area.data[(*at)++];

		if (name->length + t->token_length[token] >= sizeof(name->text))
			return false;
		memcpy(name->text + name->length, t->tokens[token], t->token_length[token]);
		name->length += t->token_length[token];
	}
	name->text[name->length] = '\0';
	return name->length > 1;
}

/* Symbols whose addresses are known from another source: a wrong table, or one that is off by an
 * entry, has at least one of them wrong. Which of them exist depends on the configuration. */
struct landmark {
	const char *name, *section;
	uint64_t address;		/* 0: not known */
	uint32_t symbol;		/* its number; count: not found */
};

enum { LANDMARKS = 5 };

static uint64_t section_address(const struct image *image, const char *name)
{
	const struct image_section *s = image_section(image, name);

	return s ? s->address : 0;
}

static void know_landmarks(const struct tables *t, const struct image *image,
			   struct landmark landmarks[LANDMARKS])
{
	const struct landmark known[LANDMARKS] = {
		{ "_stext", ".text", 0, 0 },
		{ "_sinittext", ".init.text", 0, 0 },
		{ "__start_notes", ".notes", 0, 0 },
		{ "kallsyms_token_table", NULL, t->area_address + t->token_table, 0 },
		{ "kallsyms_names", NULL, t->area_address + t->names, 0 },
	};

	for (size_t i = 0; i < LANDMARKS; i++) {
		landmarks[i] = known[i];
		landmarks[i].symbol = t->count;
		if (known[i].section)
			landmarks[i].address = section_address(image, known[i].section);
		else if (!image->sections)
			landmarks[i].address = 0;
	}
}

/* False if a name is damaged. */
static bool find_landmarks(const struct tables *t, struct landmark landmarks[LANDMARKS])
{
	struct named_text name;
	size_t at = t->names;

	for (uint32_t i = 0; i < t->count; i++) {
		if (!expand_name(t, &at, &name))
			return false;
		if (name.text[1] != '_' && name.text[1] != 'k')
			continue;
		for (size_t k = 0; k < LANDMARKS; k++)
			if (str_equal(name.text + 1, landmarks[k].name))
				landmarks[k].symbol = i;
	}
	return true;
}

/* If addresses of per-CPU variables are absolute, those of code are relative. */
static bool is_relative(const struct addresses *from, uint32_t symbol)
{
	return (int32_t)load32(from->table + 4ull * symbol) < 0;
}

static bool check_form(const struct tables *t, const struct addresses *from,
		       const struct landmark landmarks[LANDMARKS])
{
	for (size_t k = 0; k < LANDMARKS; k++)
		if (landmarks[k].address && landmarks[k].symbol < t->count &&
		    address_of(from, landmarks[k].symbol) != landmarks[k].address)
			return false;
	return (from->form != RELATIVE_PERCPU || is_relative(from, landmarks[0].symbol)) &&
	       check_order(from, t->count);
}

/* Try the places where the table may be, so that it ends before the other tables or begins after them. */
static bool find_addresses(const struct tables *t, struct image *image, struct addresses *from)
{
	size_t four = align_up(4ull * t->count, 8), eight = 8ull * t->count;
	size_t end = t->token_index + 2 * TOKENS, after = align_up(end, 8);
	size_t before = t->num_syms & ~(size_t)7;
	const struct { enum address_form form; size_t table, base; } tries[] = {
		{ RELATIVE_PERCPU, before - 8 - four, before - 8 },
		{ RELATIVE, before - 8 - four, before - 8 },
		{ ABSOLUTE, before - eight, 0 },
		{ RELATIVE_PERCPU, after, after + four },
		{ RELATIVE, after, after + four },
		{ PC_RELATIVE, align_up(end, 4), 0 },
		{ ABSOLUTE, after, 0 },
	};
	struct landmark landmarks[LANDMARKS];

	know_landmarks(t, image, landmarks);
	if (!find_landmarks(t, landmarks) || landmarks[0].symbol == t->count)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(tries); i++) {
		size_t size = tries[i].form == ABSOLUTE ? eight : four;

		if (tries[i].table > t->area.size || !bytes_at(&t->area, tries[i].table, size) ||
		    (tries[i].base && !bytes_at(&t->area, tries[i].base, 8)))
			continue;
		*from = (struct addresses){
			.form = tries[i].form, .table = t->area.data + tries[i].table,
			.table_address = t->area_address + tries[i].table,
			.base = tries[i].base ? load64(t->area.data + tries[i].base) : 0,
		};
		if (tries[i].base && !from->base)
			image_place_raw(image, tries[i].base, &from->base);
		if (check_form(t, from, landmarks))
			return true;
	}
	return false;
}

static bool add_symbols(const struct tables *t, const struct addresses *from, struct symbol_list *l)
{
	struct named_text name;
	size_t at = t->names;

	for (uint32_t i = 0; i < t->count; i++) {
		if (!expand_name(t, &at, &name))
			return false;
		symbol_list_add(l, name.text + 1, name.length - 1, address_of(from, i), name.text[0]);
	}
	return true;
}

static bool find_tables(struct tables *t, const struct bytes *area, uint64_t address)
{
	*t = (struct tables){ .area = *area, .area_address = address };
	return find_tokens(t) && find_markers(t);
}

/* The tables are in .rodata; a raw image is searched completely. */
static bool find_in_image(const struct image *image, struct tables *t)
{
	const struct image_section *rodata = image_section(image, ".rodata");

	if (!image->sections)
		return find_tables(t, &image->bytes, image->raw_base);
	if (rodata && rodata->bytes.size && find_tables(t, &rodata->bytes, rodata->address))
		return true;
	for (size_t i = 0; i < image->section_count; i++) {
		const struct image_section *s = &image->sections[i];

		if (s != rodata && (s->flags & SHF_ALLOC) && !(s->flags & SHF_EXECINSTR) &&
		    s->bytes.size && find_tables(t, &s->bytes, s->address))
			return true;
	}
	return false;
}

/* The first byte of a raw image is _text. If a loader relocates it, the base is not in the table
 * but in relocations; without these, 0 can be used: only distances matter. */
static void place_raw_image(struct image *image, const struct symbol_list *l)
{
	const struct raw_symbol *text = symbol_list_find(l, "_text");

	if (!image->sections && !image->raw_base && text)
		image->raw_base = text->address;
}

enum debuginfo_answer kallsyms_decode(struct arena *a, struct image *image, struct symbol_list *l,
				      const char **reason)
{
	struct tables t;
	struct addresses from;

	if (!find_in_image(image, &t)) {
		*reason = arena_printf(a, "%s: it has no kallsyms tables", image->path);
		return DEBUGINFO_ABSENT;
	}
	if (!find_addresses(&t, image, &from) || !add_symbols(&t, &from, l)) {
		*reason = arena_printf(a, "%s: its kallsyms tables are inconsistent", image->path);
		return DEBUGINFO_BROKEN;
	}
	place_raw_image(image, l);
	return DEBUGINFO_FOUND;
}

/* ---- as text ---- */

struct text_line {
	uint64_t address;
	char letter;
	const char *name, *module;	/* module: NULL, or the name in [ ] */
	size_t name_length, module_length;
};

/* Parse "ffffffff81000000 T _text\n" or "... t f\t[module]\n"; returns the end of the line, or NULL. */
static const char *parse_line(const char *p, struct text_line *line)
{
	char *end;
	const char *stop = strchrnul(p, '\n');

	line->address = strtoull(p, &end, 16);
	if (end == p || end[0] != ' ' || !end[1] || end[2] != ' ')
		return NULL;
	line->letter = end[1];
	line->name = end + 3;
	line->name_length = strcspn(line->name, "\t\n");
	line->module = memchr(line->name, '[', (size_t)(stop - line->name));
	line->module_length = line->module ? strcspn(++line->module, "]\n") : 0;
	return line->name_length ? stop : NULL;
}

static bool is_wanted(const struct text_line *line, const char *module)
{
	if (!module || !line->module)
		return !module && !line->module;
	return strlen(module) == line->module_length &&
	       memcmp(module, line->module, line->module_length) == 0;
}

enum debuginfo_answer kallsyms_parse(const char *text, const char *module, struct symbol_list *l,
				     const char **reason)
{
	struct text_line line;
	bool any_address = false;

	while (*text) {
		const char *end = parse_line(text, &line);

		if (!end) {
			*reason = "a line does not have the form 'address letter name'";
			return DEBUGINFO_BROKEN;
		}
		text = *end ? end + 1 : end;
		if (!is_wanted(&line, module))
			continue;
		any_address |= line.address != 0;
		symbol_list_add(l, line.name, line.name_length, line.address, line.letter);
	}
	if (!l->symbols.n) {
		*reason = "it has no symbols";
		return DEBUGINFO_ABSENT;
	}
	if (!any_address) {
		*reason = "all its addresses are 0: the kernel shows them to processes with CAP_SYSLOG, and to none if "
			  "kernel.kptr_restrict is 2";
		return DEBUGINFO_ABSENT;
	}
	return DEBUGINFO_FOUND;
}
