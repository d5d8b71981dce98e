// SPDX-License-Identifier: GPL-2.0-or-later
/* The format is read as if it were hostile, as it comes from a module. */
#include "table.h"

#include <string.h>

#include "staging/common/utf8.h"
#include "values.h"

/* Takes "name" and the byte MARK after it, which becomes a NUL; NULL: no name is there. */
static char *take_name(char **at, char mark)
{
	static const char all[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char *name = *at, *end = name + strspn(name, all);

	if (end == name || *end != mark)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return name;
}

/* "name=%d" and the space or line break after it, which is returned; 0: it is something else. */
static char take_column(char **at, struct table_column *c)
{
	char *kind;

	c->name = take_name(at, '=');
	if (!c->name)
		return 0;
	kind = *at;
	c->is_text = kind[0] == '%' && kind[1] == 's';
	if (kind[0] != '%' || (kind[1] != 'd' && kind[1] != 's') || (kind[2] != ' ' && kind[2] != '\n'))
		return 0;
	*at += 3;
	return kind[2];
}

struct table *table_of(const char *format)
{
	size_t size = strlen(format);
	struct table *t = bytes_grow(NULL, sizeof(*t) + (size + 1) * sizeof(*t->columns));
	char *at = t->text = bytes_grow(NULL, size + 1), after = ' ';

	memcpy(at, format, size + 1);
	t->name = take_name(&at, ' ');
	t->count = 0;
	while (t->name && after == ' ')
		after = take_column(&at, &t->columns[t->count++]);
	if (after == '\n' && !*at)
		return t;
	table_free(t);
	return NULL;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	free(t->text);
	free(t);
}

bool table_read(const struct table *t, const uint8_t *body, size_t size, struct table_value *values)
{
	struct values rest = { body, size };

	for (unsigned i = 0; i < t->count; i++) {
		struct table_value *v = &values[i];

		if (!(t->columns[i].is_text ? values_text(&rest, &v->text) : values_number(&rest, &v->number)))
			return false;
	}
	return rest.left == 0;
}

/* The bytes at the start that are added as they are. */
static size_t plain_size(struct timeline_text text, char quote)
{
	size_t n = 0;

	while (n < text.size && text.data[n] > 0 && text.data[n] < 0x7f && text.data[n] != quote)
		n++;
	return n;
}

void table_add_text(struct bytes *to, const char *before, struct timeline_text text, char quote)
{
	bytes_text(to, before);
	for (;;) {
		const char *shown;
		size_t shown_size, n = plain_size(text, quote);

		bytes_add(to, text.data, n);
		text.data += n;
		text.size -= n;
		if (!text.size)
			break;
		n = utf8_show(text.data, text.size, &shown, &shown_size);
		if (quote && *text.data == quote)
			bytes_add(to, &quote, 1);
		if (*text.data)
			bytes_add(to, shown, shown_size);
		else
			bytes_text(to, UTF8_REPLACEMENT);
		text.data += n;
		text.size -= n;
	}
	if (quote)
		bytes_add(to, &quote, 1);
}
