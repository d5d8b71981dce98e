// SPDX-License-Identifier: GPL-2.0-or-later
/* A line is "# TYPE name kind", "# HELP name text", "# UNIT name unit" or "name{label="value",...} number
 * [time]" (OpenMetrics 1.0). */
#include "exported.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/host.h"

#define OURS "tapc_"

enum { MOST_NAMES = 4096 };

/* ---- UTF-8 ---- */

/* The length in bytes of the character at TEXT; 0 if it is not valid. */
static size_t character(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	size_t more = c[0] < 0x80 ? 0 : c[0] >= 0xc2 && c[0] < 0xe0 ? 1 : (c[0] & 0xf0) == 0xe0 ? 2 :
		      c[0] >= 0xf0 && c[0] < 0xf5 ? 3 : 4;

	for (size_t i = 1; i <= more && more < 4; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	if (more == 4 || (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
	    (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f))
		return 0;
	return more + 1;
}

static bool is_text(const char *text)
{
	for (size_t n; *text; text += n)
		if (!(n = character(text)) || (unsigned char)*text < ' ')
			return false;
	return true;
}

void exported_write_label(FILE *page, const char *text)
{
	for (size_t n; *text; text += n) {
		n = character(text);
		if (*text == '\n')
			fputs("\\n", page);
		else if (!n || (unsigned char)*text < ' ' || *text == 0x7f)
			putc('?', page);
		else
			fprintf(page, *text == '"' || *text == '\\' ? "\\%.*s" : "%.*s", (int)n, text);
		n += !n;
	}
}

/* ---- syntax ---- */

static const char *skip_name(const char *at, bool colons)
{
	if (!isalpha((unsigned char)*at) && *at != '_' && !(colons && *at == ':'))
		return NULL;
	while (isalnum((unsigned char)*at) || *at == '_' || (colons && *at == ':'))
		at++;
	return at;
}

static const char *skip_value(const char *at)
{
	for (; *at && *at != '"'; at++)
		if (*at == '\\' && (!*++at || !strchr("\\\"n", *at)))
			return NULL;
	return *at ? at + 1 : NULL;
}

/* Starts at '{'. */
static const char *skip_labels(const char *at)
{
	for (at++; *at != '}'; at += *at == ',') {
		at = skip_name(at, false);
		if (!at || *at != '=' || at[1] != '"' || !(at = skip_value(at + 2)) || (*at != ',' && *at != '}'))
			return NULL;
	}
	return at + 1;
}

static const char *skip_number(const char *at)
{
	char *end;

	if (isspace((unsigned char)*at))
		return NULL;
	strtod(at, &end);
	return end == at ? NULL : end;
}

/* The length of the name; 0 if it is not a sample. */
static size_t sample(const char *line)
{
	const char *end = skip_name(line, true), *at = end;

	if (at && *at == '{')
		at = skip_labels(at);
	at = at && *at == ' ' ? skip_number(at + 1) : NULL;
	if (at && *at == ' ')
		at = skip_number(at + 1);
	return at && !*at ? (size_t)(end - line) : 0;
}

/* The length of the name in "# TYPE name kind" and the like; *NAME is its start. */
static size_t description(const char *line, const char **name)
{
	static const char *const kinds[] = {
		"counter", "gauge", "histogram", "gaugehistogram", "summary", "info", "stateset", "unknown",
	};
	bool is_type = strncmp(line, "# TYPE ", 7) == 0;
	const char *end;

	*name = line + 7;
	if (!is_type && strncmp(line, "# HELP ", 7) != 0 && strncmp(line, "# UNIT ", 7) != 0)
		return 0;
	end = skip_name(*name, true);
	if (!end || *end != ' ')
		return 0;
	for (size_t i = 0; is_type && i < ARRAY_SIZE(kinds); i++)
		if (strcmp(end + 1, kinds[i]) == 0)
			return (size_t)(end - *name);
	return is_type ? 0 : (size_t)(end - *name);
}

/* ---- ownership of names ---- */

/* All samples of a family begin with its name. */
static size_t without_suffix(const char *name, size_t size)
{
	static const char *const suffixes[] = {
		"_total", "_created", "_bucket", "_count", "_sum", "_gcount", "_gsum", "_info",
	};

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		size_t n = strlen(suffixes[i]);

		if (size > n && memcmp(name + size - n, suffixes[i], n) == 0)
			return size - n;
	}
	return size;
}

static bool may_use(struct exported *all, const char *name, size_t size, unsigned session)
{
	size = without_suffix(name, size);
	if (strncmp(name, OURS, strlen(OURS)) == 0)
		return false;
	for (size_t i = 0; i < all->count; i++)
		if (strncmp(all->names[i].name, name, size) == 0 && !all->names[i].name[size])
			return all->names[i].session == session;
	if (all->count >= MOST_NAMES)
		return false;
	all->names = host_grow(all->names, (all->count + 1) * sizeof(*all->names));
	all->names[all->count++] = (struct exported_name){ host_printf("%.*s", (int)size, name), session };
	return true;
}

unsigned exported_write(struct exported *all, FILE *page, unsigned session, const char *text)
{
	unsigned bad = 0;

	for (size_t length; *text; text += length + (text[length] == '\n')) {
		_cleanup_free_ char *line = NULL;
		const char *name;
		size_t size;

		length = strcspn(text, "\n");
		line = host_printf("%.*s", (int)length, text);
		name = line;
		size = *line == '#' ? description(line, &name) : sample(line);
		if (size && is_text(line) && may_use(all, name, size, session))
			fprintf(page, "%s\n", line);
		else if (*line)
			bad++;
	}
	return bad;
}

void exported_free(struct exported *all)
{
	for (size_t i = 0; i < all->count; i++)
		free(all->names[i].name);
	free(all->names);
}
