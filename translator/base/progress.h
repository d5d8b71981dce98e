/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far something is that takes seconds: on a terminal a line that moves and is erased at the end, else one line. */
#ifndef TAPC_PROGRESS_H
#define TAPC_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

enum progress_kind { PROGRESS_NONE, PROGRESS_LINE, PROGRESS_MOVING };

struct progress {
	const char *what;
	size_t done, total;
	bool is_bytes;			/* shown as megabytes */
	enum progress_kind kind;
};

/* The kind for stderr: MOVING on a terminal, OTHERWISE on anything else. */
enum progress_kind progress_kind(enum progress_kind otherwise);
/* On a terminal "tapc: WHAT: 0 of TOTAL", else "tapc: WHAT ...". */
void progress_start(struct progress *p, enum progress_kind kind, const char *what, size_t total);
void progress_step(struct progress *p);
/* The same for TOTAL bytes, of which DONE have arrived; shown as "1.5 of 20.0 MB". Begins with the first call, for
 * which P has to be zero. */
void progress_bytes(struct progress *p, enum progress_kind kind, const char *what, size_t done, size_t total);
/* Must be called before anything else is printed. */
void progress_end(struct progress *p);

#endif
