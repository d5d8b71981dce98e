/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contents of --monitor as lines of text, independent of files and terminals. */
#ifndef STAGING_BOARD_H
#define STAGING_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/tap_wire.h"
#include "session/meta.h"

enum { BOARD_HEAD = 3 };		/* number of lines above the probes */

/* Probes can be sorted by any column: ascending by number and name, descending by the others. */
enum board_column {
	BOARD_NUMBER, BOARD_HITS, BOARD_RATE, BOARD_SKIPPED, BOARD_MIN, BOARD_AVERAGE, BOARD_MAX, BOARD_SHARE,
	BOARD_STATE, BOARD_POINT, BOARD_COLUMNS
};

struct board {
	const char *name, *state;	/* of the session */
	const struct meta *meta;
	struct tap_report report;
	struct tap_probe_report *now, *before;	/* one per row; before is NULL at first */
	uint64_t read_at, elapsed;	/* ns; elapsed: between the last two reports */
	char *globals;			/* lines; NULL if the script does not provide them */
	uint32_t *order;		/* the rows shown */
	uint32_t shown;
	enum board_column sort;
};

/* Stores the report read at time AT. PROBES has one element per row; the board takes ownership. */
void board_take(struct board *b, const struct tap_report *report, struct tap_probe_report *probes, uint64_t at);
/* The board takes ownership of TEXT, which may be NULL. */
void board_take_globals(struct board *b, char *text);
void board_sort(struct board *b, enum board_column column);
void board_free(struct board *b);

/* Line N of the head and line N below it; the caller frees them. */
char *board_head(const struct board *b, unsigned n);
unsigned board_lines(const struct board *b);
char *board_line(const struct board *b, unsigned n);
/* The probe on line N, or NULL. */
const struct tap_probe_report *board_probe(const struct board *b, unsigned n);

#endif
