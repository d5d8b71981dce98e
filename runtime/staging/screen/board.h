/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --monitor shows of a session, as lines of text: it knows neither files nor terminals. */
#ifndef STAGING_BOARD_H
#define STAGING_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/tap_wire.h"
#include "session/meta.h"

enum { BOARD_HEAD = 3 };		/* lines that stand above the others */

/* Probes can be sorted by each: numbers and names upwards, all others with the largest first. */
enum board_column {
	BOARD_NUMBER, BOARD_HITS, BOARD_RATE, BOARD_SKIPPED, BOARD_MIN, BOARD_AVERAGE, BOARD_MAX, BOARD_SHARE,
	BOARD_STATE, BOARD_POINT, BOARD_COLUMNS
};

struct board {
	const char *name, *state;	/* of the session */
	const struct meta *meta;
	struct tap_report report;
	struct tap_probe_report *now, *before;	/* of each row; before: NULL at first */
	uint64_t read_at, elapsed;	/* ns; elapsed: between the two */
	char *globals;			/* lines; NULL: the script does not tell */
	uint32_t *order;		/* rows that are shown */
	uint32_t shown;
	enum board_column sort;
};

/* The report as read AT; PROBES, of each row, are the board's from now on. */
void board_take(struct board *b, const struct tap_report *report, struct tap_probe_report *probes, uint64_t at);
/* TEXT is the board's from now on; or NULL. */
void board_take_globals(struct board *b, char *text);
void board_sort(struct board *b, enum board_column column);
void board_free(struct board *b);

/* Line N of the head, line N below it; to be freed. */
char *board_head(const struct board *b, unsigned n);
unsigned board_lines(const struct board *b);
char *board_line(const struct board *b, unsigned n);
/* The probe that line N tells of; NULL: none. */
const struct tap_probe_report *board_probe(const struct board *b, unsigned n);

#endif
