// SPDX-License-Identifier: GPL-2.0-or-later
/* The line program of each unit is executed once, and its lines become rows. If several lines have the same
 * address the last one is used, as in debuggers. */
#include "lines.h"

#include <stdlib.h>

#include "common/host.h"
#include "unpack.h"

/* A file has fewer rows than bytes, and an answer has room for some 20 million (TAP_IMAGE_MOST). */
enum { MOST_FILES = 1 << 16, MOST_ROWS = 20 << 20, MOST_NAME = 4096 };

enum {				/* DW_LNS_, DW_LNE_ */
	LNS_COPY = 1, LNS_ADVANCE_PLACE, LNS_ADVANCE_LINE, LNS_SET_FILE, LNS_SET_COLUMN, LNS_NEGATE,
	LNS_BLOCK, LNS_CONST_ADD_PLACE, LNS_FIXED_ADVANCE, LNS_PROLOGUE_END, LNS_EPILOGUE_BEGIN, LNS_SET_ISA,
	LNE_END = 1, LNE_SET_ADDRESS = 2,
};
enum { LNCT_PATH = 1, LNCT_DIRECTORY = 2 };
enum {				/* DW_FORM_ */
	FORM_DATA2 = 0x05, FORM_DATA4 = 0x06, FORM_DATA8 = 0x07, FORM_STRING = 0x08, FORM_BLOCK = 0x09,
	FORM_DATA1 = 0x0b, FORM_STRP = 0x0e, FORM_UDATA = 0x0f, FORM_DATA16 = 0x1e, FORM_LINE_STRP = 0x1f,
};

struct name {
	const char *text;
	uint64_t directory;		/* number of the directory */
	u32 named;			/* offset in the tables' names; 0: not added yet */
};

struct names {
	struct name *items;
	size_t count, room;
};

struct unit {
	const struct binary *places;
	struct tables *tables;
	struct bytes strings, line_strings;
	struct bytes program;
	bool is_long;
	unsigned version;
	uint8_t unit, range, first_special;
	int8_t base;
	uint8_t operands[256];
	struct names directories, files;
	size_t most_rows;
};

static void add_name(struct names *n, const char *text, uint64_t directory)
{
	if (n->count >= n->room) {
		n->room = n->room ? 2 * n->room : 16;
		n->items = host_grow(n->items, n->room * sizeof(*n->items));
	}
	n->items[n->count++] = (struct name){ text, directory, 0 };
}

/* ---- files ---- */

static const char *string_at(struct bytes strings, uint64_t at)
{
	bytes_take(&strings, at);
	return bytes_short_text(&strings, MOST_NAME);
}

static void read_old_names(struct unit *u, struct bytes *b)
{
	const char *text;

	add_name(&u->directories, "", 0);	/* the compilation directory */
	while (*(text = bytes_short_text(b, MOST_NAME)) && u->directories.count < MOST_FILES)
		add_name(&u->directories, text, 0);
	add_name(&u->files, "", 0);		/* files are numbered from 1 */
	while (*(text = bytes_short_text(b, MOST_NAME)) && u->files.count < MOST_FILES) {
		add_name(&u->files, text, bytes_uleb(b));
		bytes_uleb(b);
		bytes_uleb(b);
	}
}

/* Reads one field of an entry. */
static uint64_t read_form(const struct unit *u, struct bytes *b, uint64_t form, const char **text)
{
	unsigned size = u->is_long ? 8 : 4;

	switch (form) {
	case FORM_STRING: *text = bytes_short_text(b, MOST_NAME); return 0;
	case FORM_STRP: *text = string_at(u->strings, bytes_number(b, size)); return 0;
	case FORM_LINE_STRP: *text = string_at(u->line_strings, bytes_number(b, size)); return 0;
	case FORM_DATA1: return bytes_number(b, 1);
	case FORM_DATA2: return bytes_number(b, 2);
	case FORM_DATA4: return bytes_number(b, 4);
	case FORM_DATA8: return bytes_number(b, 8);
	case FORM_UDATA: return bytes_uleb(b);
	case FORM_DATA16: bytes_take(b, 16); return 0;
	case FORM_BLOCK: bytes_take(b, bytes_uleb(b)); return 0;
	}
	bytes_break(b);
	return 0;
}

static void read_new_names(const struct unit *u, struct names *names, struct bytes *b)
{
	uint64_t fields[2 * 16], count = bytes_byte(b), n;

	if (count > 16) {
		bytes_break(b);
		return;
	}
	for (uint64_t i = 0; i < 2 * count; i++)
		fields[i] = bytes_uleb(b);
	n = bytes_uleb(b);
	for (uint64_t i = 0; count && i < n && i < MOST_FILES && !b->broken; i++) {
		const char *text = "";
		uint64_t directory = 0;

		for (uint64_t f = 0; f < count; f++) {
			const char *field_text = "";
			uint64_t value = read_form(u, b, fields[2 * f + 1], &field_text);

			if (fields[2 * f] == LNCT_PATH)
				text = field_text;
			else if (fields[2 * f] == LNCT_DIRECTORY)
				directory = value;
		}
		if (!tables_work(u->tables, 16 + strlen(text)))
			return;
		add_name(names, text, directory);
	}
}

static u32 file_name(struct unit *u, uint64_t number)
{
	static const char unknown[] = "?";
	struct name *f = number < u->files.count ? &u->files.items[number] : NULL;
	const char *directory;
	char *path;

	if (!f)
		return tables_name(u->tables, unknown);
	if (f->named)
		return f->named;
	directory = f->directory < u->directories.count ? u->directories.items[f->directory].text : "";
	if (!tables_work(u->tables, strlen(directory) + strlen(f->text)))
		return 0;
	path = f->text[0] == '/' || !*directory ? host_printf("%s", f->text) : host_printf("%s/%s", directory, f->text);
	f->named = tables_name(u->tables, path);
	free(path);
	return f->named;
}

/* ---- the program ---- */

struct machine {
	uint64_t address, file, line;
	size_t first;			/* first of the sequence in the tables' lines */
	bool is_gone;			/* the linker discarded the code */
};

static void add_row(struct unit *u, struct machine *m, bool ends)
{
	struct tables *t = u->tables;
	uint64_t offset;

	if (m->is_gone || t->lines.count >= u->most_rows ||
	    !binary_offset(u->places, m->address - (ends && m->address), &offset))
		return;
	offset += ends && m->address;
	if (t->lines.count > m->first && t->lines.items[t->lines.count - 1].at == offset)
		t->lines.count--;
	tables_line(t, offset, ends ? 0 : file_name(u, m->file), ends ? 0 : (u32)m->line);
}

static void begin(struct unit *u, struct machine *m)
{
	*m = (struct machine){ .file = 1, .line = 1, .first = u->tables->lines.count };
}

static void run_extended(struct unit *u, struct machine *m, struct bytes b)
{
	switch (bytes_byte(&b)) {
	case LNE_END:
		add_row(u, m, true);
		begin(u, m);
		break;
	case LNE_SET_ADDRESS:
		m->address = bytes_number(&b, bytes_left(&b) < 8 ? bytes_left(&b) : 8);
		m->is_gone = m->address == 0;
		break;
	}
}

static void run_special(struct unit *u, struct machine *m, uint8_t op, bool adds_row)
{
	unsigned step = (unsigned)(op - u->first_special);

	m->address += (uint64_t)(step / u->range) * u->unit;
	if (!adds_row)
		return;
	m->line += (uint64_t)(int64_t)(u->base + (int)(step % u->range));
	add_row(u, m, false);
}

static void run_standard(struct unit *u, struct machine *m, uint8_t op, struct bytes *b)
{
	switch (op) {
	case LNS_COPY: add_row(u, m, false); return;
	case LNS_ADVANCE_PLACE: m->address += bytes_uleb(b) * u->unit; return;
	case LNS_ADVANCE_LINE: m->line += (uint64_t)bytes_sleb(b); return;
	case LNS_SET_FILE: m->file = bytes_uleb(b); return;
	case LNS_CONST_ADD_PLACE: run_special(u, m, 255, false); return;
	case LNS_FIXED_ADVANCE: m->address += bytes_number(b, 2); return;
	}
	for (unsigned i = 0; i < u->operands[op]; i++)
		bytes_uleb(b);
}

static void run_program(struct unit *u)
{
	struct bytes *b = &u->program;
	struct machine m;

	begin(u, &m);
	while (bytes_left(b) && tables_work(u->tables, 1)) {
		uint8_t op = bytes_byte(b);

		if (op >= u->first_special)
			run_special(u, &m, op, true);
		else if (op)
			run_standard(u, &m, op, b);
		else
			run_extended(u, &m, bytes_take(b, bytes_uleb(b)));
	}
}

/* False if the version or the form is unknown. */
static bool read_head(struct unit *u, struct bytes b)
{
	struct bytes head;

	u->version = (unsigned)bytes_number(&b, 2);
	if (u->version < 2 || u->version > 5)
		return false;
	if (u->version == 5 && (bytes_byte(&b) != (u->places->narrow ? 4 : 8) || bytes_byte(&b)))
		return false;
	head = bytes_take(&b, bytes_number(&b, u->is_long ? 8 : 4));
	u->program = b;
	u->unit = bytes_byte(&head);
	if (u->version >= 4)
		bytes_byte(&head);
	bytes_byte(&head);
	u->base = (int8_t)bytes_byte(&head);
	u->range = bytes_byte(&head);
	u->first_special = bytes_byte(&head);
	for (unsigned i = 1; i < u->first_special; i++)
		u->operands[i] = bytes_byte(&head);
	if (!u->range || !u->first_special || b.broken)
		return false;
	if (u->version < 5) {
		read_old_names(u, &head);
	} else {
		read_new_names(u, &u->directories, &head);
		read_new_names(u, &u->files, &head);
	}
	return !head.broken;
}

/* Empty if the section does not exist. */
static struct bytes section_bytes(const struct binary *b, const char *name, void **unpacked)
{
	static const uint8_t nothing[1];
	struct bytes content = { nothing, nothing, false };

	unpack_section(b, name, &content, unpacked);
	return content;
}

void lines_read(const struct binary *b, const struct binary *places, struct tables *t)
{
	void *unpacked[3];
	struct bytes all = section_bytes(b, ".debug_line", &unpacked[0]);
	struct bytes strings = section_bytes(b, ".debug_str", &unpacked[1]);
	struct bytes line_strings = section_bytes(b, ".debug_line_str", &unpacked[2]);

	while (bytes_left(&all) && tables_work(t, 64)) {
		struct unit u = {
			.places = places, .tables = t, .strings = strings, .line_strings = line_strings,
			.most_rows = b->size < MOST_ROWS ? b->size : MOST_ROWS,
		};
		uint64_t length = bytes_number(&all, 4);

		u.is_long = length == 0xffffffff;
		if (u.is_long)
			length = bytes_number(&all, 8);
		if (read_head(&u, bytes_take(&all, length)))
			run_program(&u);
		free(u.directories.items);
		free(u.files.items);
	}
	for (size_t i = 0; i < ARRAY_SIZE(unpacked); i++)
		free(unpacked[i]);
}
