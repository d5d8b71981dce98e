// SPDX-License-Identifier: GPL-2.0-or-later
/* The records are in the order of time, so the state at the end is the code of now: what was loaded, where it was moved
 * last, unless its memory has been used again. The file belongs to the user who runs the program.
 *
 * Lines precede the code that they belong to. Those of V8 are not used: they are 64 bytes too high, by the header of an
 * ELF file that perf(1) makes of the code; and V8's names have the line already. */
#include "jitdump.h"

#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "common/host.h"

enum { MAGIC = 0x4a695444, FIRST_VERSION = 1, MOST_LINES = 1 << 20, MOST_CODES = 1 << 20 };
enum { LOAD, MOVE, LINES, CLOSE };		/* kinds of records */

struct code {
	uint64_t rank;				/* first, because codes are ordered by it */
	uint64_t at, loaded_at, size;
	const char *name;
	struct bytes lines;
	uint64_t line_count;
};

struct dump {
	struct code *codes;
	size_t count, room;
	void *by_number;			/* tsearch(3): of each number the last one */
	struct code lines;			/* at, lines and line_count of the last record of lines */
	uint32_t rank;
};

/* ---- records ---- */

struct numbered {
	uint64_t number;
	size_t code;
};

static int compare_numbers(const void *a, const void *b)
{
	const struct numbered *m = a, *n = b;

	return m->number < n->number ? -1 : m->number > n->number;
}

static struct numbered *find_number(struct dump *d, uint64_t number)
{
	const struct numbered wanted = { .number = number };
	struct numbered **found = tfind(&wanted, &d->by_number, compare_numbers);

	return found ? *found : NULL;
}

static void set_number(struct dump *d, uint64_t number, size_t code)
{
	struct numbered *n = find_number(d, number);

	if (!n) {
		n = host_alloc(sizeof(*n));
		n->number = number;
		tsearch(n, &d->by_number, compare_numbers);
	}
	n->code = code;
}

/* The numbers of process and thread, and an offset in a file. */
static void skip_origin(struct bytes *b)
{
	bytes_take(b, 2 * sizeof(uint32_t) + sizeof(uint64_t));
}

/* Then its bytes follow. */
static void load(struct dump *d, struct bytes b)
{
	struct code c = { .rank = d->rank + 1 };
	uint64_t number;

	skip_origin(&b);
	c.at = c.loaded_at = bytes_number(&b, 8);
	c.size = bytes_number(&b, 8);
	number = bytes_number(&b, 8);
	c.name = bytes_text(&b);
	if (b.broken || bytes_left(&b) < c.size || d->count == MOST_CODES)
		return;
	if (d->count == d->room) {
		d->room = 2 * d->room + 1024;
		d->codes = host_grow(d->codes, d->room * sizeof(*d->codes));
	}
	if (d->lines.line_count && d->lines.at == c.at && strncmp(c.name, "JS:", 3) != 0) {
		c.lines = d->lines.lines;
		c.line_count = d->lines.line_count;
	}
	d->lines.line_count = 0;
	d->rank++;
	d->codes[d->count] = c;
	set_number(d, number, d->count++);
}

static void move(struct dump *d, struct bytes b)
{
	uint64_t from, to, size;
	struct numbered *n;
	struct code *c;

	skip_origin(&b);
	from = bytes_number(&b, 8);
	to = bytes_number(&b, 8);
	size = bytes_number(&b, 8);
	n = find_number(d, bytes_number(&b, 8));
	if (b.broken || !n)
		return;
	c = &d->codes[n->code];
	if (c->at != from || c->size != size)
		return;
	c->at = to;
	c->rank = ++d->rank;
}

static void take_lines(struct dump *d, struct bytes b)
{
	uint64_t at = bytes_number(&b, 8), count = bytes_number(&b, 8);

	if (!b.broken)
		d->lines = (struct code){ .at = at, .lines = b, .line_count = count };
}

/* The compiler has ended: its code is no more. */
static void forget(struct dump *d)
{
	d->count = 0;
	tdestroy(d->by_number, free);
	d->by_number = NULL;
}

static void take_records(struct dump *d, struct bytes b)
{
	enum { HEAD = 16 };		/* of a record, and counted in its size: kind, size, time */

	while (bytes_left(&b) >= HEAD) {
		uint32_t kind = (uint32_t)bytes_number(&b, 4), size = (uint32_t)bytes_number(&b, 4);
		struct bytes content;

		bytes_take(&b, 8);
		if (size < HEAD)
			return;
		content = bytes_take(&b, size - HEAD);
		if (b.broken)
			return;
		if (kind == LOAD)
			load(d, content);
		else if (kind == MOVE)
			move(d, content);
		else if (kind == LINES)
			take_lines(d, content);
		else if (kind == CLOSE)
			forget(d);
	}
}

/* ---- results ---- */

/* Those within the symbol S, what is left of the code C. */
static void add_lines(const struct code *c, const struct tables_symbol *s, struct tables *t)
{
	struct bytes b = c->lines;
	const char *named = NULL;
	u32 file = 0;

	for (uint64_t i = 0; i < c->line_count && t->lines.count < MOST_LINES; i++) {
		uint64_t at = bytes_number(&b, 8);
		u32 line = (u32)bytes_number(&b, 4);
		const char *name;

		bytes_take(&b, 4);	/* the column */
		name = bytes_text(&b);
		if (b.broken)
			break;
		if (strcmp(name, "\xff") != 0 && (!named || strcmp(name, named) != 0)) {
			made_names_clean((char *)name);
			file = tables_name(t, name);
			named = name;
		}
		if (named && at >= c->loaded_at && at - c->loaded_at < s->size)
			tables_line(t, s->at + (at - c->loaded_at), file, line);
	}
	if (c->line_count)
		tables_line(t, s->at + s->size, 0, 0);
}

static int compare_ranks(const void *a, const void *b)
{
	const struct code *c = a, *d = b;

	return c->rank < d->rank ? -1 : c->rank > d->rank;
}

static const struct code *code_of_rank(const struct dump *d, uint32_t rank)
{
	const struct code wanted = { .rank = rank };

	return bsearch(&wanted, d->codes, d->count, sizeof(wanted), compare_ranks);
}

void jitdump_read(char *data, size_t size, bool lines, struct made_names *names, struct tables *t)
{
	enum { HEAD = 40 };		/* magic, version, size, machine, reserved, process; time, flags */
	struct bytes b = { (const uint8_t *)data, (const uint8_t *)data + size, false };
	struct dump d = { 0 };
	uint32_t magic = (uint32_t)bytes_number(&b, 4), version = (uint32_t)bytes_number(&b, 4);
	uint32_t head = (uint32_t)bytes_number(&b, 4);

	if (magic != MAGIC || version != FIRST_VERSION || head < HEAD)
		return;
	bytes_take(&b, head - 3 * sizeof(uint32_t));
	if (b.broken)
		return;
	take_records(&d, b);
	for (size_t i = 0; i < d.count; i++)
		made_names_add(names, d.codes[i].at, d.codes[i].size, (char *)d.codes[i].name, (u32)d.codes[i].rank);
	made_names_order(names);
	d.codes = tables_ordered(d.codes, d.count, sizeof(*d.codes), compare_ranks);
	for (size_t i = 0; lines && i < names->count; i++) {
		const struct code *c = code_of_rank(&d, names->items[i].rank);

		if (c)
			add_lines(c, &names->items[i], t);
	}
	tdestroy(d.by_number, free);
	free(d.codes);
}
