/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open documents: their texts are kept as the editor has them, and are never read from files. */
#include "document.h"

#include <stdlib.h>
#include <string.h>

#include "base/fatal.h"
#include "base/text.h"
#include "base/util.h"

enum { LARGEST_TEXT = 256 << 20 };

static void *allocate(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		fatal("out of memory: a request of %zu bytes", size);
	return p;
}

static char *copy_text(const char *text, size_t size)
{
	return memcpy(allocate(size + 1), text, size);
}

/* ---- lines ---- */

/* Lines end in LF, CR LF or CR, as in the protocol. The translator ends them at LF only, and uses bytes, so both views
 * agree on offsets. */
void lines_open(struct lines *l, const char *text, size_t size)
{
	size_t n = 1;

	for (size_t i = 0; i < size; i++)
		n += text[i] == '\n' || text[i] == '\r';
	*l = (struct lines){ .text = text, .size = size, .n = 1 };
	l->starts = allocate(n * sizeof(*l->starts));
	l->starts[0] = 0;
	for (size_t i = 0; i < size; i++)
		if (text[i] == '\n' || (text[i] == '\r' && !(i + 1 < size && text[i + 1] == '\n')))
			l->starts[l->n++] = (uint32_t)i + 1;
}

void lines_close(struct lines *l)
{
	free(l->starts);
	*l = (struct lines){ 0 };
}

static uint32_t line_end(const struct lines *l, size_t line)
{
	uint32_t end = line + 1 < l->n ? l->starts[line + 1] : (uint32_t)l->size;

	while (end > l->starts[line] && (l->text[end - 1] == '\n' || l->text[end - 1] == '\r'))
		end--;
	return end;
}

/* Bytes of the UTF-8 character that begins with C; its text is valid, because it was in JSON. */
static unsigned utf8_bytes(unsigned char c)
{
	return c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

bool lines_offset(const struct lines *l, const json_t *position, uint32_t *offset)
{
	json_t *line = json_object_get(position, "line"), *character = json_object_get(position, "character");
	json_int_t units;
	uint32_t at, end;

	if (!json_is_integer(line) || !json_is_integer(character) || json_integer_value(line) < 0 ||
	    json_integer_value(character) < 0)
		return false;
	if ((uint64_t)json_integer_value(line) >= l->n) {
		*offset = (uint32_t)l->size;
		return true;
	}
	at = l->starts[json_integer_value(line)];
	end = line_end(l, (size_t)json_integer_value(line));
	for (units = json_integer_value(character); units > 0 && at < end;) {
		unsigned bytes = utf8_bytes((unsigned char)l->text[at]);

		units -= bytes == 4 ? 2 : 1;
		if (units < 0)		/* inside a pair of surrogates: before it */
			break;
		at += bytes;
	}
	*offset = at < end ? at : end;
	return true;
}

json_t *lines_position(const struct lines *l, uint32_t offset)
{
	size_t low = 0, high = l->n;
	json_int_t units = 0;

	offset = offset < l->size ? offset : (uint32_t)l->size;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (l->starts[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	for (uint32_t at = l->starts[low]; at < offset;) {
		unsigned bytes = utf8_bytes((unsigned char)l->text[at]);

		units += bytes == 4 ? 2 : 1;
		at += bytes;
	}
	return json_pack("{s:I, s:I}", "line", (json_int_t)low, "character", units);
}

json_t *lines_range(const struct lines *l, uint32_t start, uint32_t end)
{
	return json_pack("{s:o, s:o}", "start", lines_position(l, start), "end", lines_position(l, end));
}

/* ---- documents ---- */

struct document *document_find(struct document *list, const char *uri)
{
	for (; list; list = list->next)
		if (str_equal(list->uri, uri))
			return list;
	return NULL;
}

struct document *document_open(struct document **list, const char *uri)
{
	struct document *d = document_find(*list, uri);

	if (d)
		return d;
	d = allocate(sizeof(*d));
	d->uri = copy_text(uri, strlen(uri));
	d->path = uri_path(uri);
	d->path = d->path ? d->path : copy_text(uri, strlen(uri));
	d->next = *list;
	*list = d;
	document_set(d, "", 0);
	return d;
}

/* TEXT is malloc, and belongs to the document afterwards. */
static void take_text(struct document *d, char *text, size_t size)
{
	free((char *)d->lines.text);
	lines_close(&d->lines);
	lines_open(&d->lines, text, size);
	d->is_dirty = true;
	clock_gettime(CLOCK_MONOTONIC, &d->changed);
}

void document_set(struct document *d, const char *text, size_t size)
{
	take_text(d, copy_text(text, size), size);
}

bool document_change(struct document *d, const json_t *change)
{
	json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
	size_t size = json_string_length(text), old = d->lines.size;
	uint32_t start, end;
	char *whole;

	if (!json_is_string(text))
		return false;
	if (!range) {
		document_set(d, json_string_value(text), size);
		return true;
	}
	if (!lines_offset(&d->lines, json_object_get(range, "start"), &start) ||
	    !lines_offset(&d->lines, json_object_get(range, "end"), &end) || end < start ||
	    old + size > LARGEST_TEXT)
		return false;
	whole = allocate(old - (end - start) + size + 1);
	memcpy(whole, d->lines.text, start);
	memcpy(whole + start, json_string_value(text), size);
	memcpy(whole + start + size, d->lines.text + end, old - end);
	take_text(d, whole, old - (end - start) + size);
	return true;
}

void document_close(struct document **list, struct document *d)
{
	while (*list != d)
		list = &(*list)->next;
	*list = d->next;
	free((char *)d->lines.text);
	lines_close(&d->lines);
	free(d->uri);
	free(d->path);
	free(d);
}

/* ---- URIs ---- */

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}

char *uri_path(const char *uri)
{
	static const char scheme[] = "file://";
	char *path, *to;

	if (strncmp(uri, scheme, strlen(scheme)) != 0)
		return NULL;
	uri += strlen(scheme);
	if (str_starts(uri, "localhost/"))
		uri += strlen("localhost");
	if (*uri != '/')
		return NULL;
	path = to = allocate(strlen(uri) + 1);
	for (; *uri; uri++) {
		int high = *uri == '%' ? hex(uri[1]) : -1, low = high >= 0 ? hex(uri[2]) : -1;

		*to++ = low >= 0 && (high || low) ? (char)(16 * high + low) : *uri;
		uri += low >= 0 && (high || low) ? 2 : 0;
	}
	*to = '\0';
	return path;
}

const char *path_uri(struct arena *a, const char *path)
{
	struct text t;

	text_init(&t, a);
	text_add(&t, "file://");
	for (path = path_absolute(a, path); *path; path++)
		if (is_identifier_char(*path) || strchr("/-.~", *path))
			text_char(&t, *path);
		else
			text_printf(&t, "%%%02X", (unsigned char)*path);
	return t.s;
}
