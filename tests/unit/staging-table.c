// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of tables: formats and values that a module made up. */
#include "timeline/table.h"

#include <stdio.h>
#include <string.h>

static int failures;
#define CHECK(c) \
	((c) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #c)))

static uint8_t body[256], *end;

static void put_long(int64_t n)
{
	memcpy(end, &n, sizeof(n));
	end += sizeof(n);
}

static void put_text(const char *text, uint16_t said)
{
	memcpy(end, &said, sizeof(said));
	memcpy(end + sizeof(said), text, strlen(text));
	end += sizeof(said) + strlen(text);
}

static bool is_row(const char *format)
{
	struct table *t = table_of(format);

	table_free(t);
	return t;
}

static void rejects_formats(void)
{
	static const char *const wrong[] = {
		"", "\n", "reads", "reads\n", "reads ", "reads \n", " pid=%d\n", "reads pid=%d", "reads pid=%d \n",
		"reads  pid=%d\n", "reads pid=%x\n", "reads pid=%d,name=%s\n", "reads pid=%d\n\n",
		"reads pid=%d\nname=%s\n", "reads =%d\n", "reads pid%d\n", "reads pid=%", "reads pid=", "reads pid",
		"re-ads pid=%d\n", "reads p\xff=%d\n",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		CHECK(!is_row(wrong[i]));
	CHECK(is_row("r x=%d\n") && is_row("reads pid=%d name=%s\n"));
}

static void reads_values(void)
{
	struct table *t = table_of("reads pid=%d name=%s ns=%d\n");
	struct table_value v[3];

	CHECK(strcmp(t->name, "reads") == 0 && t->count == 3 && strcmp(t->columns[1].name, "name") == 0);
	CHECK(!t->columns[0].is_text && t->columns[1].is_text && !t->columns[2].is_text);
	end = body;
	put_long(-1);
	put_text("cat", 3);
	put_long(INT64_MIN);
	CHECK(table_read(t, body, (size_t)(end - body), v));
	CHECK(v[0].number == -1 && v[2].number == INT64_MIN);
	CHECK(v[1].text.size == 3 && memcmp(v[1].text.data, "cat", 3) == 0);
	for (size_t size = 0; size < (size_t)(end - body); size++)
		CHECK(!table_read(t, body, size, v));
	CHECK(!table_read(t, body, (size_t)(end - body) + 1, v));
	end = body;
	put_long(1);
	put_text("cat", UINT16_MAX);			/* beyond the end */
	put_long(2);
	CHECK(!table_read(t, body, (size_t)(end - body), v));
	table_free(t);
}

static void adds_texts(void)
{
	struct bytes b = { 0 };

	table_add_text(&b, "'", (struct timeline_text){ "it's\0\xff\xc3\xa9\xc3", 9 }, '\'');
	bytes_add(&b, "", 1);
	CHECK(strcmp(b.data, "'it''s\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd'") == 0);
	b.size = 0;
	table_add_text(&b, ",", (struct timeline_text){ "it's", 4 }, 0);
	bytes_add(&b, "", 1);
	CHECK(strcmp(b.data, ",it's") == 0);
	bytes_free(&b);
}

int main(void)
{
	rejects_formats();
	reads_values();
	adds_texts();
	return failures != 0;
}
