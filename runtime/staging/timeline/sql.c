// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of all tables as SQL, for sqlite3, duckdb or psql. Each part of the file is a transaction, so that a file
 * without an end loads, too; successive rows of a table are one statement. Losses are in a separate table. */
#include "format.h"

static void add_name(struct timeline *t, const char *before, const char *name)
{
	bytes_text(&t->out, before);
	bytes_text(&t->out, name);
	bytes_text(&t->out, "\"");
}

static void end_statement(struct timeline *t)
{
	if (t->inserting)
		bytes_text(&t->out, ";\n");
	t->inserting = NULL;
}

static void begin(struct timeline *t)
{
	end_statement(t);
	if (!t->out.size)
		bytes_text(&t->out, "BEGIN;\n");
}

static void sql_part(struct timeline *t)
{
	end_statement(t);
	if (t->out.size)
		bytes_text(&t->out, "COMMIT;\n");
}

static void sql_head(struct timeline *t)
{
	begin(t);
	bytes_text(&t->out, "CREATE TABLE IF NOT EXISTS \"tapc_lost\"(\"time\" BIGINT, \"cpu\" BIGINT, \"records\" BIGINT);\n");
	for (size_t k = 0; k < t->settings.table_count; k++) {
		const struct table *table = t->settings.tables[k];

		add_name(t, "CREATE TABLE IF NOT EXISTS \"", table->name);
		bytes_text(&t->out, "(\"time\" BIGINT, \"cpu\" BIGINT");
		for (unsigned i = 0; i < table->count; i++) {
			add_name(t, ", \"", table->columns[i].name);
			bytes_text(&t->out, table->columns[i].is_text ? " TEXT" : " BIGINT");
		}
		bytes_text(&t->out, ");\n");
	}
}

static void sql_row(struct timeline *t, const struct table *table, int64_t time, uint32_t cpu,
		    const struct table_value *values)
{
	if (t->inserting != table) {
		begin(t);
		add_name(t, "INSERT INTO \"", table->name);
		bytes_text(&t->out, " VALUES\n(");
		t->inserting = table;
	} else {
		bytes_text(&t->out, ",\n(");
	}
	bytes_signed(&t->out, time);
	bytes_text(&t->out, ",");
	bytes_number(&t->out, cpu);
	for (unsigned i = 0; i < table->count; i++) {
		bytes_text(&t->out, ",");
		if (table->columns[i].is_text)
			table_add_text(&t->out, "'", values[i].text, '\'');
		else if (values[i].number == INT64_MIN)	/* SQL has no such literal */
			bytes_text(&t->out, "-9223372036854775807-1");
		else
			bytes_signed(&t->out, values[i].number);
	}
	bytes_text(&t->out, ")");
}

static void sql_lost(struct timeline *t, int64_t time, uint32_t cpu, uint64_t count)
{
	begin(t);
	bytes_text(&t->out, "INSERT INTO \"tapc_lost\" VALUES(");
	bytes_signed(&t->out, time);
	bytes_text(&t->out, ",");
	bytes_number(&t->out, cpu);
	bytes_text(&t->out, ",");
	bytes_number(&t->out, count);
	bytes_text(&t->out, ");\n");
}

/* The statements go to a database file instead. */
const struct timeline_format timeline_sqlite = {
	.name = "sqlite", .is_database = true, .most_tables = SIZE_MAX,
	.head = sql_head, .row = sql_row, .lost = sql_lost, .part = sql_part,
};

const struct timeline_format timeline_sql = {
	.name = "sql", .is_text = true, .most_tables = SIZE_MAX,
	.head = sql_head, .row = sql_row, .lost = sql_lost, .part = sql_part,
};
