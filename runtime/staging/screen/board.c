// SPDX-License-Identifier: GPL-2.0-or-later
/* A head, one line per probe in the selected order, then the script's globals. */
#include "board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/host.h"

static const char *const column_names[] = {
	[BOARD_NUMBER] = "#", [BOARD_HITS] = "HITS", [BOARD_RATE] = "HITS/S", [BOARD_SKIPPED] = "SKIPPED",
	[BOARD_MIN] = "MIN NS", [BOARD_AVERAGE] = "AVG NS", [BOARD_MAX] = "MAX NS", [BOARD_SHARE] = "CPU%",
	[BOARD_STATE] = "STATE", [BOARD_POINT] = "PROBE",
};
static const int widths[BOARD_POINT] = { 3, 11, 9, 8, 8, 8, 9, 6, 5 };

/* ---- values ---- */

/* The growth of a count per second. A reset makes a count shrink. */
static double rate(const struct board *b, u64 now, u64 before)
{
	if (!b->elapsed)
		return 0;
	return (double)(now >= before ? now - before : now) * 1e9 / (double)b->elapsed;
}

static const char *state_of(const struct tap_probe_report *p)
{
	return p->shed ? "shed" : p->armed ? "on" : "off";
}

static double value(const struct board *b, u32 row, enum board_column column)
{
	const struct tap_probe_report *p = &b->now[row], *before = b->before ? &b->before[row] : p;

	switch (column) {
	case BOARD_HITS: return (double)p->hits;
	case BOARD_RATE: return rate(b, p->hits, before->hits);
	case BOARD_SKIPPED: return (double)p->skipped;
	case BOARD_MIN: return (double)p->time_min;
	case BOARD_AVERAGE: return p->hits ? (double)p->time / (double)p->hits : 0;
	case BOARD_MAX: return (double)p->time_max;
	case BOARD_SHARE: return rate(b, p->time, before->time) / 1e7;	/* percent of one CPU */
	case BOARD_STATE: return p->shed ? 2 : !p->armed;
	default: return -(double)p->number;
	}
}

static const char *point_of(const struct board *b, u32 row)
{
	return row < b->meta->probe_count ? b->meta->probes[row].point : "?";
}

/* ---- order ---- */

static int compare(const void *one, const void *other, void *board)
{
	const struct board *b = board;
	u32 x = *(const u32 *)one, y = *(const u32 *)other;
	double a = value(b, x, b->sort), c = value(b, y, b->sort);
	int names = b->sort == BOARD_POINT ? strcmp(point_of(b, x), point_of(b, y)) : 0;

	return names ? names : b->sort != BOARD_POINT && a != c ? (a < c) - (a > c) : (x > y) - (x < y);
}

void board_sort(struct board *b, enum board_column column)
{
	b->sort = column;
	qsort_r(b->order, b->shown, sizeof(*b->order), compare, b);
}

/* tapc adds probes of its own to print the script's globals. */
static bool is_ours(const struct board *b, u32 row)
{
	static const char ours[] = "<globals ";

	return row < b->meta->probe_count &&
	       strncmp(b->meta->probes[row].position, ours, strlen(ours)) == 0;
}

void board_take(struct board *b, const struct tap_report *report, struct tap_probe_report *probes, uint64_t at)
{
	free(b->before);
	b->before = b->now;
	b->now = probes;
	b->report = *report;
	b->elapsed = b->before ? at - b->read_at : 0;
	b->read_at = at;
	free(b->order);
	b->order = host_alloc(report->probe_count * sizeof(*b->order));
	b->shown = 0;
	for (u32 row = 0; row < report->probe_count; row++)
		if (!is_ours(b, row))
			b->order[b->shown++] = row;
	board_sort(b, b->sort);
}

void board_take_globals(struct board *b, char *text)
{
	free(b->globals);
	b->globals = text;
}

void board_free(struct board *b)
{
	free(b->now);
	free(b->before);
	free(b->globals);
	free(b->order);
}

/* ---- lines ---- */

/* A line of all columns except the last, whose length is not limited. */
struct cells {
	char text[160];
	int size;
};

static void add_cell(struct cells *line, enum board_column c, const char *text)
{
	line->size += snprintf(line->text + line->size, sizeof(line->text) - (size_t)line->size, "%*s ",
			       widths[c], text);
}

/* '>' marks the column that the probes are sorted by. */
static char *column_heads(const struct board *b)
{
	struct cells line = { 0 };

	for (enum board_column c = 0; c < BOARD_POINT; c++) {
		char name[16];

		snprintf(name, sizeof(name), "%s%s", c == b->sort ? ">" : "", column_names[c]);
		add_cell(&line, c, name);
	}
	return host_printf("%s %s%s", line.text, b->sort == BOARD_POINT ? ">" : "", column_names[BOARD_POINT]);
}

char *board_head(const struct board *b, unsigned n)
{
	const struct tap_report *r = &b->report;
	u64 skipped = r->skipped_reentrant + r->skipped_lock + r->skipped_overload + r->skipped_stack;

	if (!b->meta)
		return host_printf("%s", n ? "" : "starting");
	if (n == 0)
		return host_printf("%s  script %s  %s  up %llu s", b->name, b->meta->script, b->state,
				   r->started ? (r->now - r->started) / 1000000000 : 0);
	if (n == 1)
		return host_printf("errors %llu  skipped %llu  lost %llu  places %llu  memory %llu KB", r->errors,
				   skipped, r->lost, r->sites, r->memory >> 10);
	return column_heads(b);
}

/* Times are available only with -t. */
static char *probe_line(const struct board *b, u32 row)
{
	const struct tap_probe_report *p = &b->now[row];
	struct cells line = { 0 };

	for (enum board_column c = 0; c < BOARD_STATE; c++) {
		char number[24] = "-";

		if (c == BOARD_NUMBER)
			snprintf(number, sizeof(number), "%u", p->number);
		else if (c < BOARD_MIN || p->time)
			snprintf(number, sizeof(number), "%.*f", c == BOARD_SHARE, value(b, row, c));
		add_cell(&line, c, number);
	}
	add_cell(&line, BOARD_STATE, state_of(p));
	return host_printf("%s %s", line.text, point_of(b, row));
}

static unsigned global_lines(const struct board *b)
{
	unsigned n = 0;

	for (const char *at = b->globals; at && *at; n++)
		at += strcspn(at, "\n") + (at[strcspn(at, "\n")] != 0);
	return n ? n + 2 : 0;
}

/* The first two lines are a blank line and a heading. */
static char *global_line(const struct board *b, unsigned n)
{
	const char *at = b->globals;

	if (n < 2)
		return host_printf("%s", n ? "GLOBALS" : "");
	for (n -= 2; n; n--)
		at += strcspn(at, "\n") + 1;
	return host_printf("%.*s", (int)strcspn(at, "\n"), at);
}

unsigned board_lines(const struct board *b)
{
	return b->shown + global_lines(b);
}

char *board_line(const struct board *b, unsigned n)
{
	return n < b->shown ? probe_line(b, b->order[n]) : global_line(b, n - b->shown);
}

const struct tap_probe_report *board_probe(const struct board *b, unsigned n)
{
	return n < b->shown ? &b->now[b->order[n]] : NULL;
}
