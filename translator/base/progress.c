/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far something is: "tapc: building the runtime for kernel 6.1.0: 12 of 27". */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum progress_kind progress_kind(enum progress_kind otherwise)
{
	const char *term = getenv("TERM");

	if (!isatty(2))
		return otherwise;
	return term && strcmp(term, "dumb") != 0 ? PROGRESS_MOVING : PROGRESS_LINE;
}

static void show(const struct progress *p)
{
	if (p->kind != PROGRESS_MOVING)
		return;
	if (p->is_bytes)
		fprintf(stderr, "\r\033[Ktapc: %s: %.1f of %.1f MB", p->what, (double)p->done / 1e6,
			(double)p->total / 1e6);
	else
		fprintf(stderr, "\r\033[Ktapc: %s: %zu of %zu", p->what, p->done, p->total);
}

void progress_start(struct progress *p, enum progress_kind kind, const char *what, size_t total)
{
	*p = (struct progress){ .what = what, .total = total, .kind = kind };
	if (kind == PROGRESS_LINE)
		fprintf(stderr, "tapc: %s ...\n", what);
	show(p);
}

void progress_step(struct progress *p)
{
	if (p->done < p->total)
		p->done++;
	show(p);
}

void progress_bytes(struct progress *p, enum progress_kind kind, const char *what, size_t done, size_t total)
{
	if (!p->what && kind == PROGRESS_LINE)
		fprintf(stderr, "tapc: %s ...\n", what);
	*p = (struct progress){ .what = what, .done = done, .total = total, .is_bytes = true, .kind = kind };
	show(p);
}

void progress_end(struct progress *p)
{
	if (p->kind == PROGRESS_MOVING)
		fputs("\r\033[K", stderr);
	p->kind = PROGRESS_NONE;
}
