/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves the snapshots of a script with a recorder (tap_recorder.h), each as a timeline, while the session goes on. */
#ifndef STAGING_SNAPSHOTS_H
#define STAGING_SNAPSHOTS_H

#include "meta.h"
#include "timeline/timeline.h"

struct snapshots {
	int file;			/* the recorder's; POLLIN: a snapshot was requested; -1: no recorder */
	int done;			/* -1, or readable when the one being saved is complete */
	const struct meta *meta;
	const struct timeline_format *format;
	char *path;			/* to which ".N" is added; NULL: snapshots cannot be saved */
};

void snapshots_init(struct snapshots *s);
/* DIR: the module's directory. FORMAT and PATH, of --output and -o, may be NULL; the session warns then if a snapshot
 * is requested. META and FORMAT must outlive S. */
void snapshots_open(struct snapshots *s, int dir, const struct meta *meta, const struct timeline_format *format,
		    const char *path);
static inline bool snapshots_is_busy(const struct snapshots *s) { return s->done >= 0; }
/* Why the module refuses TAP_SNAPSHOT. */
const char *snapshots_refusal(int err);
/* Another process copies the requested snapshot and writes its file. */
void snapshots_begin(struct snapshots *s);
/* Waits for it, and reports if there is no file. */
void snapshots_finish(struct snapshots *s);
/* Also saves one that was requested. */
void snapshots_close(struct snapshots *s);

#endif
