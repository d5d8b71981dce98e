// SPDX-License-Identifier: GPL-2.0-or-later
#include "columns.h"

#include <endian.h>

void columns_open(struct columns *c, uint32_t count)
{
	*c = (struct columns){ .all = bytes_grow(NULL, count * sizeof(*c->all)), .count = count, .saved = true };
	memset(c->all, 0, count * sizeof(*c->all));
}

void columns_free(struct columns *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		bytes_free(&c->all[i].values);
	free(c->all);
	free(c->groups);
	bytes_free(&c->described);
	bytes_free(&c->page);
	*c = (struct columns){ 0 };
}

void columns_add_number(struct columns *c, uint32_t column, uint64_t value)
{
	value = htole64(value);
	bytes_add(&c->all[column].values, &value, sizeof(value));
}

size_t columns_size(const struct column *column, uint32_t rows)
{
	size_t at = 0;

	if (!column->is_text)
		return rows * sizeof(uint64_t);
	for (uint32_t i = 0, size; i < rows; i++) {
		memcpy(&size, column->values.data + at, sizeof(size));
		at += sizeof(size) + le32toh(size);
	}
	return at;
}

size_t columns_total(const struct columns *c)
{
	size_t total = 0;

	for (uint32_t i = 0; i < c->count; i++)
		total += c->all[i].values.size;
	return total;
}

void columns_empty(struct columns *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		c->all[i].values.size = 0;
	c->rows = 0;
}

void columns_add_group(struct columns *c, uint64_t end)
{
	uint64_t rows = columns_last(c, 0).rows + c->rows;

	if (c->group_count == c->group_room) {
		c->group_room = 2 * c->group_room + 16;
		c->groups = bytes_grow(c->groups, c->group_room * sizeof(*c->groups));
	}
	c->groups[c->group_count++] = (struct column_group){ end, rows, c->described.size };
}

void columns_drop_group(struct columns *c)
{
	c->group_count--;
	c->described.size = columns_last(c, 0).described;
}

struct column_group columns_last(const struct columns *c, uint64_t start)
{
	return c->group_count ? c->groups[c->group_count - 1] : (struct column_group){ .end = start };
}
