// SPDX-License-Identifier: GPL-2.0-or-later
#include "marks.h"

#include "bytes.h"

void marks_describe(struct marks *m, const struct track *track)
{
	uint32_t wanted = track->number + 1;

	if (wanted > m->row_count) {
		uint32_t count = 2 * m->row_count > wanted ? 2 * m->row_count : wanted;

		m->rows = bytes_grow(m->rows, count * sizeof(*m->rows));
		memset(m->rows + m->row_count, 0, (count - m->row_count) * sizeof(*m->rows));
		m->row_count = count;
	}
	m->rows[track->number].track = track;
}

struct mark *marks_add(struct marks *m, uint32_t row, enum mark_kind kind, uint64_t time, uint32_t name)
{
	struct mark *mark;

	if (m->count == m->room) {
		m->room = 2 * m->room + 1024;
		m->all = bytes_grow(m->all, m->room * sizeof(*m->all));
	}
	mark = &m->all[m->count++];
	*mark = (struct mark){ .time = time, .row = row, .name = name, .kind = (uint8_t)kind };
	return mark;
}

void marks_begin(struct marks *m, uint32_t row, uint64_t time, uint32_t name)
{
	marks_add(m, row, MARK_OPEN, time, name)->outer = m->rows[row].open;
	m->rows[row].open = m->count;
}

void marks_end(struct marks *m, uint32_t row, uint64_t time)
{
	struct mark *mark = &m->all[m->rows[row].open - 1];

	mark->kind = MARK_SPAN;
	mark->end = time;
	m->rows[row].open = mark->outer;
}

uint32_t *marks_by_row(const struct marks *m, uint32_t count, uint32_t **starts)
{
	uint32_t rows = m->row_count ? m->row_count : 1, *at = bytes_grow(NULL, (rows + 2) * sizeof(*at));
	uint32_t *order = bytes_grow(NULL, (count + 1) * sizeof(*order));

	/* at[R + 2] counts row R, then at[R + 1] is where its next one goes: at the end the start of row R + 1 */
	memset(at, 0, (rows + 2) * sizeof(*at));
	for (uint32_t i = 0; i < count; i++)
		at[m->all[i].row + 2]++;
	for (uint32_t i = 2; i < rows + 2; i++)
		at[i] += at[i - 1];
	for (uint32_t i = 0; i < count; i++)
		order[at[m->all[i].row + 1]++] = i;
	*starts = at;
	return order;
}

void marks_free(struct marks *m)
{
	free(m->all);
	free(m->rows);
	*m = (struct marks){ 0 };
}
