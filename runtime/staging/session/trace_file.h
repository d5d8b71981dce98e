/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session's timeline and the output that it goes to. */
#ifndef STAGING_TRACE_FILE_H
#define STAGING_TRACE_FILE_H

#include "common/output.h"
#include "meta.h"
#include "timeline/timeline.h"

/* False, with a message: the script prints nothing, unless it RECORDS. OUT must outlive the timeline. */
bool trace_file_open(struct timeline **t, const struct timeline_format *f, const struct meta *m, struct output *out,
		     bool records);
/* Completes the file, and reports what is not in it; ALL as for timeline_warn(). */
void trace_file_end(struct timeline *t, bool all);
/* After everything that can be written has been: shortens a file that the disk had no room for, so that viewers open
 * it. */
void trace_file_close(struct timeline *t, struct output *out);

#endif
