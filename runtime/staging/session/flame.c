// SPDX-License-Identifier: GPL-2.0-or-later
/* Equal stacks are added up in a tree, which is drawn from the bottom up. The width of a frame is its share of
 * all samples; its callees are above it, sorted by name. A tooltip (SVG's title element) shows the numbers of a
 * frame. In a browser the picture can be zoomed and searched, see flame_script.c; other viewers show it as it is. */
#include "flame.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/host.h"
#include "flame_script.h"

enum {
	WIDTH = 1200, ROW = 17, MARGIN = 10, CHARACTER = 7,
	MOST_DEPTH = 512,	/* deeper frames are omitted */
};

struct frame {
	const char *name;
	size_t length;
	uint64_t count;		/* including all frames above it */
	struct frame *callees, *next;
};

/* ---- the tree ---- */

static int compare(const struct frame *f, const char *name, size_t length)
{
	int order = memcmp(f->name, name, f->length < length ? f->length : length);

	return order ? order : (f->length > length) - (f->length < length);
}

static struct frame *find(struct frame *caller, const char *name, size_t length)
{
	struct frame **at = &caller->callees, *f;

	while (*at && compare(*at, name, length) < 0)
		at = &(*at)->next;
	if (*at && compare(*at, name, length) == 0)
		return *at;
	f = host_alloc(sizeof(*f));
	*f = (struct frame){ .name = name, .length = length, .next = *at };
	return *at = f;
}

/* The count after the last blank; *SIZE becomes the length of the text before it. 0: not a folded stack. */
static uint64_t take_count(const char *line, size_t *size)
{
	size_t digits = *size, unit = 1;
	uint64_t count = 0;

	while (digits && line[digits - 1] >= '0' && line[digits - 1] <= '9')
		digits--;
	for (size_t i = digits; i < *size; i++, unit++)
		count = count * 10 + (uint64_t)(line[i] - '0');
	if (digits < 2 || line[digits - 1] != ' ' || unit > 18)
		return 0;
	*size = digits - 1;
	return count;
}

static bool add_line(struct frame *root, const char *line, size_t size)
{
	uint64_t count = take_count(line, &size);
	struct frame *f = root;

	if (!count)
		return false;
	root->count += count;
	for (size_t at = 0, depth = 0; at < size && depth < MOST_DEPTH; depth++) {
		const char *end = memchr(line + at, ';', size - at);
		size_t length = end ? (size_t)(end - line) - at : size - at;

		if (length) {
			f = find(f, line + at, length);
			f->count += count;
		}
		at += length + 1;
	}
	return true;
}

static size_t depth_of(const struct frame *f)
{
	size_t most = 0;

	for (f = f->callees; f; f = f->next) {
		size_t depth = depth_of(f);

		most = depth > most ? depth : most;
	}
	return most + 1;
}

static void free_callees(struct frame *f)
{
	for (struct frame *c = f->callees, *next; c; c = next) {
		next = c->next;
		free_callees(c);
		free(c);
	}
}

/* ---- the picture ---- */

static void write_text(FILE *svg, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		switch (text[i]) {
		case '<': fputs("&lt;", svg); break;
		case '>': fputs("&gt;", svg); break;
		case '&': fputs("&amp;", svg); break;
		default: putc((unsigned char)text[i] < ' ' ? '?' : text[i], svg);
		}
}

/* A colour from yellow to red that depends on the name only. */
static void write_colour(FILE *svg, const struct frame *f)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < f->length; i++)
		hash = (hash ^ (unsigned char)f->name[i]) * 16777619u;
	fprintf(svg, "fill=\"rgb(%u,%u,%u)\"", 205 + hash % 50, (hash >> 8) % 200 + 30, (hash >> 16) % 55);
}

static void draw_frame(FILE *svg, const struct frame *f, double x, double width, size_t y, uint64_t all)
{
	size_t room = width > 2 * CHARACTER ? (size_t)(width / CHARACTER) - 1 : 0;

	fprintf(svg, "<g><title>");
	write_text(svg, f->name, f->length);
	fprintf(svg, " (%llu, %.2f%%)</title><rect x=\"%.4f\" y=\"%zu\" width=\"%.4f\" height=\"%d\" ",
		(unsigned long long)f->count, 100.0 * (double)f->count / (double)all, x, y, width, ROW - 1);
	write_colour(svg, f);
	fputs("/>", svg);
	fprintf(svg, "<text x=\"%.2f\" y=\"%zu\">", x + 3, y + ROW - 5);
	write_text(svg, f->name, f->length < room ? f->length : room);
	fputs("</text></g>\n", svg);
}

/* Draws F's callees starting at X; Y is their row. */
static void draw_callees(FILE *svg, const struct frame *f, double x, size_t y, uint64_t all)
{
	for (const struct frame *c = f->callees; c; c = c->next) {
		double width = (double)(WIDTH - 2 * MARGIN) * (double)c->count / (double)all;

		if (width < 0.1)
			continue;
		draw_frame(svg, c, x, width, y, all);
		if (y >= ROW)
			draw_callees(svg, c, x, y - ROW, all);
		x += width;
	}
}

bool flame_draw(FILE *svg, const char *text, size_t size, FILE *others)
{
	struct frame root = { .name = "all", .length = 3 };
	size_t height;

	for (size_t at = 0, length; at < size; at += length + 1) {
		const char *end = memchr(text + at, '\n', size - at);

		length = end ? (size_t)(end - text) - at : size - at;
		if (length && !add_line(&root, text + at, length))
			fprintf(others, "%.*s\n", (int)length, text + at);
	}
	if (!root.count)
		return false;
	height = (depth_of(&root) + 1) * ROW + 2 * MARGIN;	/* a row for the search */
	fprintf(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
		"font-family=\"monospace\" font-size=\"12\">\n", WIDTH, height);
	draw_frame(svg, &root, MARGIN, WIDTH - 2 * MARGIN, height - MARGIN - ROW, root.count);
	draw_callees(svg, &root, MARGIN, height - MARGIN - 2 * ROW, root.count);
	fprintf(svg, "<text id=\"search\" x=\"%d\" y=\"%d\" cursor=\"pointer\">search</text>"
		"<text id=\"found\" x=\"%d\" y=\"%d\"/>\n<script><![CDATA[\n%s]]></script>\n</svg>\n",
		MARGIN, MARGIN + ROW - 5, MARGIN + 10 * CHARACTER, MARGIN + ROW - 5, flame_script);
	free_callees(&root);
	return true;
}
