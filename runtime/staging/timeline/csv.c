// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of one table as comma-separated values (RFC 4180): a line with the names of the columns, then a line for
 * each row; the last column is how many records were lost before it. A text with a comma, a quote or a line break is
 * quoted. Lines end with LF, which all readers take. */
#include "format.h"

static void csv_head(struct timeline *t)
{
	const struct table *table = t->settings.tables[0];

	bytes_text(&t->out, "time,cpu");
	for (unsigned i = 0; i < table->count; i++) {
		bytes_text(&t->out, ",");
		bytes_text(&t->out, table->columns[i].name);
	}
	bytes_text(&t->out, ",tapc_lost\n");
}

static bool needs_quotes(struct timeline_text text)
{
	return !text.size || memchr(text.data, ',', text.size) || memchr(text.data, '"', text.size) ||
	       memchr(text.data, '\n', text.size) || memchr(text.data, '\r', text.size);
}

static void csv_row(struct timeline *t, const struct table *table, int64_t time, uint32_t cpu,
		    const struct table_value *values)
{
	bytes_signed(&t->out, time);
	bytes_text(&t->out, ",");
	bytes_number(&t->out, cpu);
	for (unsigned i = 0; i < table->count; i++) {
		struct timeline_text text = values[i].text;

		bytes_text(&t->out, ",");
		if (!table->columns[i].is_text)
			bytes_signed(&t->out, values[i].number);
		else if (needs_quotes(text))
			table_add_text(&t->out, "\"", text, '"');
		else
			table_add_text(&t->out, "", text, 0);
	}
	bytes_text(&t->out, ",");
	bytes_number(&t->out, t->lost_before);
	bytes_text(&t->out, "\n");
}

const struct timeline_format timeline_csv = {
	.name = "csv", .is_text = true, .most_tables = 1, .head = csv_head, .row = csv_row,
};
