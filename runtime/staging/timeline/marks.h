/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events that are kept until the end, for a format whose file has them by row. */
#ifndef TIMELINE_MARKS_H
#define TIMELINE_MARKS_H

#include <stdint.h>

#include "tracks.h"

enum mark_kind { MARK_POINT, MARK_FROM, MARK_TO, MARK_SPAN, MARK_OPEN, MARK_COUNTER };

enum { MARKS_MOST = 1 << 22 };	/* 128 MB */

struct mark {
	uint64_t time;		/* in ns, of a span: its start */
	union {
		uint64_t end;	/* of a span */
		uint64_t flow;	/* of MARK_FROM, MARK_TO */
		int64_t value;	/* of a counter */
	};
	uint32_t row, name;	/* the number of its track, 0: of the whole file; of its name */
	uint32_t outer;		/* of MARK_OPEN: 1 + the number of the one that it is in, or 0 */
	uint8_t kind;
};

struct mark_row {
	const struct track *track;	/* NULL: no such row */
	uint32_t open;			/* 1 + the number of the innermost mark that has not ended, or 0 */
};

struct marks {
	struct mark *all;	/* in the order in which they came */
	uint32_t count, room;
	struct mark_row *rows;	/* by number of the track; that of the whole file has no track */
	uint32_t row_count;
};

/* Before the first mark of a track. */
void marks_describe(struct marks *m, const struct track *track);
struct mark *marks_add(struct marks *m, uint32_t row, enum mark_kind kind, uint64_t time, uint32_t name);
void marks_begin(struct marks *m, uint32_t row, uint64_t time, uint32_t name);
/* Ends the innermost one of the row. */
void marks_end(struct marks *m, uint32_t row, uint64_t time);
/* The numbers of the first COUNT marks by row: those of row R are from (*STARTS)[R] to before (*STARTS)[R + 1]. The
 * caller frees both arrays. */
uint32_t *marks_by_row(const struct marks *m, uint32_t count, uint32_t **starts);
void marks_free(struct marks *m);

#endif
