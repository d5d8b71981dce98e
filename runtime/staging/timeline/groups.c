// SPDX-License-Identifier: GPL-2.0-or-later
#include "groups.h"

#include <endian.h>
#include <time.h>

enum {
	ROWS_MOST = 128 << 10,		/* of a group */
	BYTES_MOST = 8 << 20,		/* of its values, until the last row */
	SAVE_NS = 1000000000,
};

/* Adds a group of the first ROWS, if there are any, and an end. Returns the bytes of the group. */
static size_t add_group_and_end(struct timeline *t, uint32_t rows)
{
	struct columns *c = &t->columns;
	size_t size;

	if (rows)
		t->format->group(t, rows);
	size = t->out.size;
	t->format->finish(t, c->group_count + (rows > 0), columns_last(c, 0).rows + rows);
	return size;
}

/* ---- writing ---- */

static uint64_t now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Hands over t->out, of which the first KEPT bytes stay in the file. False: it does not take them. */
static bool hand_over(struct timeline *t, size_t kept)
{
	bool good = true;

	if (t->settings.put_end)
		good = t->settings.put_end(t->settings.to, t->out.data, t->out.size, kept);
	else
		t->settings.put(t->settings.to, t->out.data, kept);
	t->out.size = 0;
	t->columns.stopped = !good;
	if (good)
		t->handed += kept;
	return good;
}

/* The rows that are kept become a group with an end. It stays in the file, or is replaced by the next one. If the disk
 * is full, the rows are kept, because some of them may have room. */
static void put_group(struct timeline *t, bool stays)
{
	struct columns *c = &t->columns;
	size_t size = add_group_and_end(t, c->rows);

	if (hand_over(t, stays ? size : 0) && stays) {
		columns_add_group(c, t->handed);
		columns_empty(c);
	} else {
		c->described.size = columns_last(c, 0).described;
	}
	c->saved = true;
	c->saved_at = now();
}

uint64_t groups_save(struct timeline *t)
{
	struct columns *c = &t->columns;

	if (c->saved || c->stopped || !t->settings.put_end)
		return 0;
	if (now() < c->saved_at + SAVE_NS)
		return c->saved_at + SAVE_NS;
	put_group(t, false);
	return 0;
}

void groups_head(struct timeline *t)
{
	const struct table *table = t->settings.tables[0];
	struct columns *c = &t->columns;

	columns_open(c, table->count + 3);
	c->all[0].name = "time";
	c->all[1].name = "cpu";
	for (unsigned i = 0; i < table->count; i++) {
		c->all[i + 2].name = table->columns[i].name;
		c->all[i + 2].is_text = table->columns[i].is_text;
	}
	c->all[c->count - 1].name = "tapc_lost";
	t->format->start(t);
	c->start = t->out.size;
}

/* The size of a text is known after it was added. */
static void add_text(struct bytes *to, struct timeline_text text)
{
	size_t start = to->size;
	uint32_t size = 0;

	bytes_add(to, &size, sizeof(size));
	table_add_text(to, "", text, 0);
	size = htole32((uint32_t)(to->size - start - sizeof(size)));
	memcpy(to->data + start, &size, sizeof(size));
}

void groups_row(struct timeline *t, const struct table *table, int64_t time, uint32_t cpu,
		const struct table_value *values)
{
	struct columns *c = &t->columns;

	if (c->stopped) {
		c->left_out++;
		return;
	}
	columns_add_number(c, 0, (uint64_t)time);
	columns_add_number(c, 1, cpu);
	for (unsigned i = 0; i < table->count; i++) {
		if (!table->columns[i].is_text)
			columns_add_number(c, i + 2, (uint64_t)values[i].number);
		else
			add_text(&c->all[i + 2].values, values[i].text);
	}
	columns_add_number(c, c->count - 1, t->lost_before);
	c->saved = false;
	if (++c->rows == ROWS_MOST || columns_total(c) >= BYTES_MOST)
		put_group(t, true);
}

void groups_tail(struct timeline *t)
{
	if (t->columns.stopped)
		return;
	add_group_and_end(t, t->columns.rows);
	hand_over(t, t->out.size);
	t->columns.described.size = columns_last(&t->columns, 0).described;
}

/* Not all groups may be on the disk, or have room for an end. Rows after one that is not are left out, too. */
uint64_t groups_shorten(struct timeline *t, uint64_t size, const char *why)
{
	struct columns *c = &t->columns;
	uint64_t rows = columns_last(c, 0).rows + c->rows + c->left_out;
	uint32_t kept = c->rows;

	(void)why;
	for (;;) {
		uint64_t at = t->handed = columns_last(c, c->start).end;

		t->out.size = 0;
		c->described.size = columns_last(c, 0).described;
		if (at <= size) {
			add_group_and_end(t, kept);
			if (at + t->out.size <= size)
				break;
		}
		if (at <= size && kept) {
			kept = (uint32_t)((uint64_t)kept * 7 / 8);
		} else if (c->group_count) {
			kept = 0;
			columns_drop_group(c);
		} else {
			t->out.size = 0;
			t->report.cut = rows;
			return 0;
		}
	}
	t->report.cut = rows - columns_last(c, 0).rows - kept;
	return t->handed;
}
